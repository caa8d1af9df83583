"""Hostile numbers through every method: an error or finite scores, compiled and pure alike."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import warnings
from typing import Any

from attack.scene import ROOT
from attack.verdict import Attack, alarm

BATCH = 100
SCORES = [0.0, -0.0, 5e-324, 1e-300, 1e300, 1.7e308, -1.7e308, 1.0, 1.0 + 2**-52, -1.0]
WEIGHTS = [0.0, 5e-324, 1e-300, 1e-9, 1.0, 3.0, 1e9, 1e300, 1.7e308]
SECONDS = 60


def attack(seed: int, seconds: float) -> Attack:
    found = Attack("numbers", "calls with hostile numbers, compiled and pure", seconds)
    while found.has_time():
        outcomes = []
        for pure in ("", "1"):
            call = [sys.executable, "-m", "attack.numbers", str(seed), str(found.tried)]
            ended = subprocess.run(
                call, capture_output=True, text=True, cwd=ROOT, env=os.environ | {"STAGG_PURE": pure}
            )
            outcomes.append(ended.stdout.splitlines())
            if ended.returncode:
                found.report(f"died with {ended.returncode}: {ended.stderr[-300:]}")
        for one, other in zip(*outcomes, strict=False):
            if one != other or "FINDING" in one:
                found.report(f"{one[:400]} / {other[:200]}")
        found.count(BATCH)
    return found


def _call(seed: int, number: int) -> str:
    import numpy as np

    from stagg import StaggError, fuse
    from stagg.methods import METHODS

    rng = random.Random(f"{seed} {number}")
    name = rng.choice(METHODS.names())
    items = [f"d{i}" for i in range(rng.randint(1, 7))]
    runs = {
        f"r{k}": {"q": {item: rng.choice(SCORES) for item in items if rng.random() < 0.8}}
        for k in range(rng.randint(1, 5))
    }
    weights = {ranker: rng.choice(WEIGHTS) for ranker in runs if rng.random() < 0.5}
    more: dict[str, Any] = {"intervals": rng.choice([0.5, 0.9]), "draws": 5} if rng.random() < 0.3 else {}
    what = f"{name} {runs} {weights} {more}"
    try:
        with alarm(SECONDS):
            fused = fuse(runs, name, weights=weights or None, **more)
    except StaggError:
        return f"refused {what}"
    except BaseException as error:
        return f"FINDING {type(error).__name__} {error}: {what}".replace("\n", " ")
    finite = fused.scores is None or bool(np.isfinite(fused.scores).all())
    said = [repr(hit) for hit in fused.hits()] if more else fused.to_dict()
    return f"{'' if finite else 'FINDING not finite '}{said} {what}"


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    seed, first = map(int, sys.argv[1:])
    for number in range(first, first + BATCH):
        print(_call(seed, number))
