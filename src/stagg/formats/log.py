"""Log of a reader: rows read, used and dropped, and notes that the owner of the data should see."""

from __future__ import annotations

import dataclasses
import sys
import warnings
from collections import Counter
from collections.abc import Collection, Sequence
from typing import NamedTuple

from stagg.errors import DataWarning, plural

__all__ = ["FileReading", "Note", "ReadLog", "log_decision"]


@dataclasses.dataclass(frozen=True)
class Note:
    """A remark on the inputs. ``public``: the same for a page that others read, so it names no person.

    ``minor``: nothing is wrong, and nobody has to do anything.
    """

    text: str
    public: str
    minor: bool = False

    def __str__(self) -> str:
        return self.text

    def without(self, rankers: Collection[str]) -> Note | None:
        """The rest of the remark if these rankers do not count."""
        return self


class FileReading(NamedTuple):
    """Understanding of one file: its format and layout, which way its numbers point, whom it ranks."""

    file: str
    format: str
    layout: str
    direction: str
    delimiter: str | None
    rankers: Sequence[str]
    queries: int
    taken: tuple[tuple[str, str], ...] = ()
    """(column, what it was taken for), where the cells of a table are ballots."""
    seats: int | None = None
    """How many seats the file says are filled."""


class ReadLog:
    """Counts and notes of one reading; the law is ``rows_read == rows_used + rows_dropped``.

    >>> log = ReadLog()
    >>> log.used(2); log.dropped("bad number", "runs/a.trec:3")
    >>> print(log.summary())
    3 rows read, 2 used, 1 dropped: bad number 1 (first at runs/a.trec:3)
    """

    def __init__(self) -> None:
        self.rows_used = 0
        self._notes: dict[tuple[str, ...], Note | _Counted] = {}
        self.readings: list[FileReading] = []
        self._dropped: Counter[str] = Counter()
        self._first: dict[str, str] = {}

    def used(self, rows: int) -> None:
        self.rows_used += rows

    def dropped(self, reason: str, place: str, rows: int = 1) -> None:
        self._dropped[reason] += rows
        self._first.setdefault(reason, place)

    def note(self, text: str, *, public: str | None = None, minor: bool = False) -> None:
        self.add_note(Note(text, text if public is None else public, minor))

    def add_note(self, note: Note) -> None:
        self._notes.setdefault((note.text,), note)

    def excuse(self, rankers: Collection[str]) -> None:
        """Take back what was noticed of rankers that do not count.

        >>> log = ReadLog(); log.note("x.csv: odd"); log.excuse(["ann"]); log.notes
        ['x.csv: odd']
        """
        left = [note.without(rankers) if isinstance(note, Note) else note for note in self._notes.values()]
        self._notes = {key: note for key, note in zip(self._notes, left, strict=True) if note is not None}

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

    @property
    def minor_notes(self) -> list[str]:
        """Those of the notes by which nothing is wrong."""
        return [note.text for note in self._notes.values() if isinstance(note, Note) and note.minor]

    @property
    def public_notes(self) -> list[str]:
        """The notes for a page that others read: without minor ones, and without names of persons.

        >>> log = ReadLog(); log.note("'ann' is in two rows", public="1 voter is in two rows"); log.public_notes
        ['1 voter is in two rows']
        """
        serious = [note for note in self._notes.values() if not (isinstance(note, Note) and note.minor)]
        return [note.public if isinstance(note, Note) else str(note) for note in serious]

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

    def _add(self, note: Note | _Counted) -> None:
        if isinstance(note, _Counted):
            self.note_rows(note.file, note.line, note.rows, note.what, note.tail)
        else:
            self.add_note(note)

    def understood(self, reading: FileReading) -> None:
        self.readings.append(reading)

    @property
    def rows_dropped(self) -> int:
        return self._dropped.total()

    @property
    def reasons(self) -> list[tuple[str, int, str]]:
        """(reason, number of rows, place of the first) of the rows that were dropped."""
        return [(reason, count, self._first[reason]) for reason, count in self._dropped.items()]

    @property
    def rows_read(self) -> int:
        return self.rows_used + self.rows_dropped

    def summary(self) -> str:
        counts = f"{plural(self.rows_read, 'row')} read, {self.rows_used:,} used, {self.rows_dropped:,} dropped"
        return f"{counts}: {self.list_dropped()}" if self._dropped else counts

    def list_dropped(self) -> str:
        """How many rows were dropped for which reason, and where the first of them is."""
        return "; ".join(f"{reason} {count:,} (first at {place})" for reason, count, place in self.reasons)

    def warn(self, *, calls: int = 4) -> None:
        """Say everything as Python warnings: what a library does that has no terminal of its own.

        ``calls``: how many calls away the caller of the library is.
        """
        for note in self.notes:
            warnings.warn(note, DataWarning, stacklevel=calls)
        if self.rows_dropped:
            warnings.warn(self.summary(), DataWarning, stacklevel=calls)


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
        from stagg.say import tell  # here: most logs have no such remark

        first, *rest = tell(self.tail).parts
        counted = str(first).replace("rows", "row", 1) if self.rows == 1 else first
        return tell(f"{self.file}:{self.line}: {self.what} ({self.rows:,} ", counted, *rest)
