"""Damaged files through every reader, compiled and pure: the same ranking or a refusal by both, and never a crash."""

from __future__ import annotations

import os
import subprocess
import sys

from attack.reader import make_case
from attack.scene import ROOT
from attack.verdict import Attack

BATCH = 2000


def attack(seed: int, seconds: float) -> Attack:
    found = Attack("fuzz", "damaged files, read compiled and pure", seconds)
    while found.has_time():
        first = found.tried
        both = [_start(seed, first, pure) for pure in ("", "1")]
        compiled, pure = (_finish(process, found, seed) for process in both)
        found.count(BATCH)
        for number, outcomes in enumerate(zip(compiled, pure, strict=False), start=first):
            if outcomes[0] != outcomes[1] or outcomes[0].startswith("FINDING"):
                kind, data, options = make_case(seed, number)
                found.report(f"case {number}, {kind}: {' / '.join(outcomes)}; {options}", data)
    return found


def _start(seed: int, first: int, pure: str) -> subprocess.Popen[str]:
    call = [sys.executable, "-m", "attack.reader", str(seed), str(first), str(BATCH)]
    return subprocess.Popen(
        call, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT, env=os.environ | {"STAGG_PURE": pure}
    )


def _finish(process: subprocess.Popen[str], found: Attack, seed: int) -> list[str]:
    out, err = process.communicate()
    lines = out.splitlines()
    if process.returncode or len(lines) != BATCH:
        found.report(f"a reader died with {process.returncode} after {len(lines)} cases of seed {seed}: {err[-300:]}")
    return lines
