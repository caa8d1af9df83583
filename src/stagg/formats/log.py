"""What a reader has to say: rows read, used and dropped, and notes that the owner of the data should see."""

from __future__ import annotations

import dataclasses
import warnings
from collections import Counter
from collections.abc import Sequence

from stagg.errors import DataWarning

__all__ = ["FileReading", "ReadLog"]


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
        self.notes: list[str] = []
        self.readings: list[FileReading] = []
        self._dropped: Counter[str] = Counter()
        self._first: dict[str, str] = {}

    def used(self, rows: int) -> None:
        self.rows_used += rows

    def dropped(self, reason: str, place: str, rows: int = 1) -> None:
        self._dropped[reason] += rows
        self._first.setdefault(reason, place)

    def note(self, text: str) -> None:
        if text not in self.notes:
            self.notes.append(text)

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
