"""What a reader has to say: rows read, used and dropped, and notes that the owner of the data should see."""

from __future__ import annotations

import dataclasses
import sys
import warnings
from collections import Counter
from collections.abc import Sequence

from stagg.errors import DataWarning

__all__ = ["FileReading", "ReadLog", "log_decision"]


@dataclasses.dataclass(frozen=True)
class FileReading:
    """What one file was understood to be: its format and layout, which way its numbers point, whom it ranks."""

    file: str
    format: str
    layout: str
    direction: str
    delimiter: str | None
    rankers: Sequence[str]
    queries: int


class ReadLog:
    """Counts and notes of one reading; the law is ``rows_read == rows_used + rows_dropped``.

    >>> log = ReadLog()
    >>> log.used(2); log.dropped("bad number", "runs/a.trec:3")
    >>> print(log.summary())
    3 rows read, 2 used, 1 dropped: bad number 1 (first at runs/a.trec:3)
    """

    def __init__(self) -> None:
        self.rows_used = 0
        self._notes: dict[tuple[str, ...], str | _Counted] = {}
        self.readings: list[FileReading] = []
        self._dropped: Counter[str] = Counter()
        self._first: dict[str, str] = {}

    def used(self, rows: int) -> None:
        self.rows_used += rows

    def dropped(self, reason: str, place: str, rows: int = 1) -> None:
        self._dropped[reason] += rows
        self._first.setdefault(reason, place)

    def note(self, text: str) -> None:
        self._notes.setdefault((text,), text)

    def note_rows(self, file: str, line: int, rows: int, what: str, tail: str) -> None:
        """A note on so many rows of a file, the first in this line; later ones with the same ``tail`` are added to it.

        >>> log = ReadLog()
        >>> log.note_rows("x.csv", 9, 2, "odd", "rows)"); log.note_rows("x.csv", 4, 1, "odd", "rows)"); log.notes
        ['x.csv:4: odd (3 rows)']
        """
        held = self._notes.setdefault((file, tail), _Counted(file, line, 0, what, tail))
        assert isinstance(held, _Counted)
        held.rows += rows
        if line < held.line:
            held.line, held.what = line, what

    @property
    def notes(self) -> list[str]:
        return list(map(str, self._notes.values()))

    def absorb(self, other: ReadLog) -> None:
        """Take in what was noticed of another part of the same inputs."""
        self.rows_used += other.rows_used
        for reason, rows in other._dropped.items():
            self.dropped(reason, other._first[reason], rows)
        for note in other._notes.values():
            self._add(note)

    def absorb_notes(self, other: ReadLog, file: str) -> None:
        """Take in what was noticed of the rows of one file."""
        for note in other._notes.values():
            if isinstance(note, _Counted) and note.file == file:
                self._add(note)

    def _add(self, note: str | _Counted) -> None:
        if isinstance(note, _Counted):
            self.note_rows(note.file, note.line, note.rows, note.what, note.tail)
        else:
            self.note(note)

    def understood(self, reading: FileReading) -> None:
        self.readings.append(reading)

    @property
    def rows_dropped(self) -> int:
        return self._dropped.total()

    @property
    def rows_read(self) -> int:
        return self.rows_used + self.rows_dropped

    def summary(self) -> str:
        counts = f"{self.rows_read:,} rows read, {self.rows_used:,} used, {self.rows_dropped:,} dropped"
        reasons = [f"{reason} {count:,} (first at {self._first[reason]})" for reason, count in self._dropped.items()]
        return f"{counts}: {'; '.join(reasons)}" if reasons else counts

    def warn(self) -> None:
        """Say everything as Python warnings: what a library does that has no terminal of its own."""
        for note in self.notes:
            warnings.warn(note, DataWarning, stacklevel=4)
        if self.rows_dropped:
            warnings.warn(self.summary(), DataWarning, stacklevel=4)


def log_decision(what: str) -> None:
    """Leave a trace of the decision to read in a slower way: logger "stagg.formats", level DEBUG."""
    logging = sys.modules.get("logging")  # whoever listens has imported it; it would cost more than a small file
    if logging is not None:
        logging.getLogger("stagg.formats").debug(what)


@dataclasses.dataclass
class _Counted:
    """A remark on the rows of a file: the first of them, and how many."""

    file: str
    line: int
    rows: int
    what: str
    tail: str

    def __str__(self) -> str:
        tail = self.tail.replace("rows", "row", 1) if self.rows == 1 else self.tail
        return f"{self.file}:{self.line}: {self.what} ({self.rows:,} {tail}"
