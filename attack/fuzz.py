"""Damaged files through every reader, compiled and pure: the same ranking or the same refusal, and never a crash."""

from __future__ import annotations

import os
import resource
import subprocess
import sys

from attack.cases import make_case
from attack.scene import ROOT
from attack.verdict import Attack

RATE = 1130  # cases a second of the time given, at least: 1,000,000 in an attack of an hour
BATCH = 250
"""Cases that both readers do at a time: few enough for their outcomes to fit into a pipe."""


def attack(seed: int, seconds: float, first: int = 0, cases: int = 0) -> Attack:
    """As many cases as there is time for, and so many ``cases`` at least; the number of the ``first`` one."""
    least = cases or int(RATE * seconds)
    found = Attack("fuzz", "damaged files, read compiled and pure", seconds, least)
    readers = [_Reader(seed, pure, found) for pure in ("", "1")]
    while found.has_time():
        begin = first + found.tried
        for reader in readers:
            reader.ask(begin)
        for number, outcomes in enumerate(zip(*(reader.answer(begin) for reader in readers), strict=True), start=begin):
            if len(set(outcomes)) > 1 or outcomes[0].startswith("FINDING"):
                case = make_case(seed, number)
                found.report(f"case {seed} {number}, {case.kind}, {case.way}: {' / '.join(outcomes)}", case.data)
        found.count(BATCH)
    before = _processor_time()
    for reader in readers:
        reader.stop()
    each = 1000 * (_processor_time() - before) / max(1, found.tried)
    found.notes.append(f"{each:.1f} ms of processor time a case")
    return found


def _processor_time() -> float:
    """Of the processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class _Reader:
    """A process that reads cases, and is started again if one of them ends it."""

    def __init__(self, seed: int, pure: str, found: Attack) -> None:
        self.seed, self.pure, self.found = seed, pure, found
        self._start()

    def _start(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "attack.reader", str(self.seed)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT,
            env=os.environ | {"STAGG_PURE": self.pure, "OPENBLAS_NUM_THREADS": "1"},
        )  # fmt: skip

    def ask(self, first: int, count: int = BATCH) -> None:
        assert self.process.stdin is not None
        print(first, count, file=self.process.stdin, flush=True)

    def answer(self, first: int) -> list[str]:
        """What came of the cases of a batch; a case that ended the process is "died"."""
        assert self.process.stdout is not None
        outcomes: list[str] = []
        while len(outcomes) < BATCH:
            line = self.process.stdout.readline()
            if line:
                outcomes.append(line.rstrip("\n"))
                continue
            outcomes.append(f"FINDING died with status {self.process.wait()}")
            self._start()
            if len(outcomes) < BATCH:
                self.ask(first + len(outcomes), BATCH - len(outcomes))
        return outcomes

    def stop(self) -> None:
        self.process.communicate()


if __name__ == "__main__":  # python -m attack.fuzz SEED FIRST CASES
    done = attack(int(sys.argv[1]), 0, int(sys.argv[2]), int(sys.argv[3]))
    print("\n".join([done.verdict(), *done.findings]))
