"""What an attack has to say: how much was tried, what was found, one line."""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

__all__ = ["FINDINGS", "Attack", "TooLong", "alarm"]

FINDINGS = Path(__file__).parent / "findings"
MOST_SHOWN = 5


@dataclasses.dataclass
class Attack:
    """One attack: ``name``, ``what`` was tried, for how long; on a slow machine longer, until ``least`` were tried."""

    name: str
    what: str
    seconds: float
    least: int = 0
    tried: int = 0
    findings: list[str] = dataclasses.field(default_factory=list)
    notes: list[str] = dataclasses.field(default_factory=list)
    measured: dict[str, list[float]] = dataclasses.field(default_factory=dict)
    begun: float = dataclasses.field(default_factory=time.monotonic)

    def has_time(self) -> bool:
        return time.monotonic() - self.begun < self.seconds or self.tried < self.least

    def count(self, cases: int = 1) -> None:
        self.tried += cases

    def measure(self, name: str, *values: float) -> None:
        self.measured.setdefault(name, []).extend(values)

    def note_slowest(self, words: str, name: str) -> None:
        """Tell the largest of what was measured, and how busy the machine is."""
        if self.measured.get(name):
            self.notes.append(f"{words} {max(self.measured[name]):.2f} s (load {os.getloadavg()[0]:.0f})")

    def report(self, finding: str, case: bytes | None = None) -> None:
        """Something that must not be; the ``case`` that showed it is kept in attack/findings."""
        if case is not None:
            FINDINGS.mkdir(exist_ok=True)
            path = FINDINGS / f"{self.name}-{hashlib.sha256(case).hexdigest()[:12]}"
            path.write_bytes(case)
            finding = f"{finding} [{path}]"
        self.findings.append(finding)

    def verdict(self) -> str:
        """One line, and the first findings."""
        state = f"{len(self.findings)} FINDINGS" if self.findings else "held" if self.tried else "not tried"
        spent = time.monotonic() - self.begun
        line = f"{self.name:12} {state:12} {self.tried:>9,} {self.what}, {spent:.0f} s"
        shown = [f"    {each[:300]}" for each in self.findings[:MOST_SHOWN]]
        if len(self.findings) > MOST_SHOWN:
            FINDINGS.mkdir(exist_ok=True)
            (FINDINGS / f"{self.name}.txt").write_text("\n".join(self.findings))
            shown.append(f"    all of them: {FINDINGS / self.name}.txt")
        return "\n".join([line + "".join(f"; {note}" for note in self.notes), *shown])


class TooLong(Exception):
    """Something took longer than it may."""


@contextlib.contextmanager
def alarm(seconds: int) -> Iterator[None]:
    """Raise TooLong inside the block when the time is over."""

    def ring(*_: Any) -> None:
        raise TooLong(f"no end after {seconds} s")

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
