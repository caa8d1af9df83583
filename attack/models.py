"""Model files with changed values, under a right checksum: an error or a ranking, soon, whatever the numbers are."""

from __future__ import annotations

import copy
import json
import random
import tempfile
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from attack.verdict import Attack, alarm
from stagg import Labels, Rankings, StaggError, fuse, load_model, train
from stagg.learning import LEARNERS
from stagg.learning.model_files import _checksum

SECONDS = 10
HOSTILE: list[Any] = [
    0, -1, 1, 2**31, 2**63, -(2**63), 10**30, 1e308, -1e308, 5e-324, 1e-300, 0.5, "", "nan", "x" * 1000, "rrf(c=60)",
    "mc4(shape=paper)", None, True, [], {}, [[]], [1e308] * 50, {"a": 1e308},
]  # fmt: skip


def attack(seed: int, seconds: float) -> Attack:
    """Train every learner, then change its file again and again."""
    rng = random.Random(seed)
    found = Attack("models", "changed model files", seconds)
    rankings, labels = _examples(seed)
    with tempfile.TemporaryDirectory() as folder:
        bodies = _train_all(rankings, labels, Path(folder))
        path = Path(folder) / "changed.json"
        while found.has_time():
            name = rng.choice(sorted(bodies))
            body = _change(json.loads(bodies[name]), rng)
            path.write_text(json.dumps(body | {"checksum": _checksum(body)}))
            _try(path, rankings, found, name)
    return found


def _examples(seed: int) -> tuple[Rankings, Labels]:
    rng = np.random.default_rng(seed)
    runs = {f"r{k}": {f"q{q}": {f"d{i}": float(rng.random()) for i in range(6)} for q in range(6)} for k in range(3)}
    return Rankings.from_runs(runs), Labels({f"q{q}": {f"d{q}": 2, f"d{(q + 1) % 6}": 1} for q in range(6)})


def _train_all(rankings: Rankings, labels: Labels, folder: Path) -> dict[str, str]:
    bodies = {}
    for name in LEARNERS.names():
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                train(rankings, name, labels).save(folder / "model.json")
        except StaggError:
            continue  # it needs an extra, or more queries
        body = json.loads((folder / "model.json").read_text())
        body.pop("checksum")
        bodies[name] = json.dumps(body)
    return bodies


def _change(body: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    for _ in range(rng.randint(1, 3)):
        holder, key = rng.choice(list(_places(body)))
        change = rng.random()
        if change < 0.7:
            holder[key] = copy.deepcopy(rng.choice(HOSTILE))
        elif change < 0.85 and isinstance(holder[key], int | float):
            holder[key] = holder[key] * rng.choice([-1, 1e10, 1e300, 1e-300])
        elif isinstance(holder, dict):
            del holder[key]
        else:
            holder.insert(key, copy.deepcopy(rng.choice(HOSTILE)))
    return body


def _places(value: Any) -> Any:
    pairs = list(value.items()) if isinstance(value, dict) else list(enumerate(value))
    for key, inner in pairs:
        yield value, key
        if isinstance(inner, dict | list) and inner:
            yield from _places(inner)


def _try(path: Path, rankings: Rankings, found: Attack, name: str) -> None:
    found.count()
    try:
        with alarm(SECONDS), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            fused = fuse(rankings, load_model(path))
            if not np.isfinite(fused.scores).all():
                found.report(f"{name}: scores that are no numbers", path.read_bytes())
    except StaggError:
        pass
    except BaseException as error:
        found.report(f"{name}: {type(error).__name__}: {error}", path.read_bytes())
