"""All attacks: ``python -m attack --minutes 10 [--seed N] [--only kills,fuzz]``; status 1 if one finds something."""

from __future__ import annotations

import argparse
import importlib
import secrets
import signal
import sys

SHARES = {
    "bombs": 8, "kills": 14, "signals": 14, "faults": 16, "fuzz": 30, "guided": 10, "models": 5, "numbers": 5,
    "calls": 4, "options": 4, "counts": 4, "together": 4, "native": 6, "legs": 2, "addresses": 4,
}  # fmt: skip
"""The attacks, and the share of the time of each."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="attack", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=None, help="of a run to repeat; else a new one")
    parser.add_argument("--only", default=",".join(SHARES), help="names of attacks")
    given = parser.parse_args()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored where a script starts us in the background
    seed = secrets.randbelow(2**31) if given.seed is None else given.seed
    chosen = given.only.split(",")
    print(f"seed {seed}", flush=True)
    total, findings = sum(SHARES[name] for name in chosen), 0
    for name in chosen:
        module = importlib.import_module(f"attack.{name}")
        attack = module.attack(seed, 60 * given.minutes * SHARES[name] / total)
        print(attack.verdict(), flush=True)
        findings += len(attack.findings)
    print(f"seed {seed}: {findings} findings" if findings else f"seed {seed}: everything held")
    return int(findings > 0)


if __name__ == "__main__":
    sys.exit(main())
