"""Model files with changed values, under a right checksum: an error or a ranking, soon and in little memory."""

from __future__ import annotations

import contextlib
import copy
import json
import os
import random
import re
import resource
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from attack.crew import run_apart
from attack.verdict import FINDINGS, Attack, alarm
from stagg import Labels, Rankings, StaggError, fuse, load_model, train
from stagg.learning import LEARNERS
from stagg.learning.model_files import MODELS, _checksum

SECONDS, MEMORY = 10, 300 << 20
FEWEST = 200
BATCH = 50  # models that one process tries
CLAIMS = [10**8, 10**9, 10**12]
"""Sizes that no model has: more features, places or steps than there is memory or time for."""
HOSTILE: list[Any] = [
    0, -1, 1, 2**31, 2**63, -(2**63), 10**30, 1e308, -1e308, 5e-324, 1e-300, 0.5, "", "nan", "x" * 1000, "rrf(c=60)",
    "mc4(shape=paper)", None, True, [], {}, [[]], [1e308] * 50, {"a": 1e308}, *CLAIMS,
    "svd(rank=100000000)", "cp(restarts=1000000000)", "kemeny(time_limit=1e9)", "svp(iterations=1000000000)",
]  # fmt: skip
VARIANTS = ["stagg_ndcg(features='svd(rank=2)')", "lambdamart(trees=3)"]
"""Learners whose files hold more than those of the defaults, or less to read."""


def attack(seed: int, seconds: float) -> Attack:
    """Train every learner, then change its file again and again."""
    found = Attack("models", "changed model files", seconds, FEWEST)
    rankings, labels = make_examples(seed)
    with tempfile.TemporaryDirectory() as folder:
        bodies = train_all(rankings, labels, Path(folder))
        kinds = {body["kind"] for body in bodies.values()}
        found.notes.append(f"{len(kinds)} of {len(MODELS)} kinds of models")
        if missing := set(MODELS) - kinds:
            found.notes.append(f"not tried: {', '.join(sorted(missing))}")
        batch = 0
        while found.has_time():
            _try_some(found, random.Random(f"{seed} {batch}"), bodies, rankings, Path(folder) / "changed.json")
            batch += 1
    return found


def _try_some(
    found: Attack, rng: random.Random, bodies: dict[str, dict[str, Any]], rankings: Rankings, path: Path
) -> None:
    """Change and try some models in a process of their own: a library that is asked to do the impossible may end it."""
    outcomes, status = run_apart(_try_one(rng, bodies, rankings, path) for _ in range(BATCH))
    found.count(len(outcomes))
    for failure in filter(None, outcomes):
        found.report(failure)
    if status:
        found.report(f"a model ended the process: status {status}", path.read_bytes())


def _try_one(rng: random.Random, bodies: dict[str, dict[str, Any]], rankings: Rankings, path: Path) -> str:
    """What is wrong with how a changed model is refused or used, in a line."""
    name = rng.choice(sorted(bodies))
    write_body(path, _change(copy.deepcopy(bodies[name]), rng))
    try:
        try_model(path, rankings)
    except BaseException as error:
        FINDINGS.mkdir(exist_ok=True)
        kept = FINDINGS / f"models-{os.getpid()}-{rng.randrange(10**6)}"
        kept.write_bytes(path.read_bytes())
        return f"{name}: {type(error).__name__}: {error} [{kept}]".replace("\n", " ")
    return ""


def make_examples(seed: int) -> tuple[Rankings, Labels]:
    rng = np.random.default_rng(seed)
    runs = {f"r{k}": {f"q{q}": {f"d{i}": float(rng.random()) for i in range(6)} for q in range(6)} for k in range(3)}
    return Rankings.from_runs(runs), Labels({f"q{q}": {f"d{q}": 2, f"d{(q + 1) % 6}": 1} for q in range(6)})


def train_all(rankings: Rankings, labels: Labels, folder: Path) -> dict[str, dict[str, Any]]:
    """{learner: the content of its model file without the checksum}."""
    bodies = {}
    for name in (*LEARNERS.names(), *VARIANTS):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                train(rankings, name, labels if LEARNERS.parse(name).needs_labels else None).save(folder / "model.json")
        except StaggError:
            continue  # it needs an extra that is not installed
        body = json.loads((folder / "model.json").read_text())
        body.pop("checksum")
        bodies[name] = body
    return bodies


def write_body(path: Path, body: dict[str, Any]) -> None:
    """A model file of this content, with a checksum that fits."""
    path.write_text(json.dumps(body | {"checksum": _checksum(body)}))


def try_model(path: Path, rankings: Rankings) -> None:
    """Load and use a model; whatever else comes of it than a ranking or a StaggError is raised."""
    try:
        with alarm(SECONDS), _limit_memory(MEMORY), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            fused = fuse(rankings, load_model(path))
    except StaggError as error:
        if not str(error).isprintable():
            raise ValueError(f"a message that cannot be printed: {error!r}") from None
        return
    if not np.isfinite(fused.scores).all():
        raise ValueError("scores that are no numbers")
    if not len(fused.entries):
        raise ValueError("a model that fuses to nothing")


@contextlib.contextmanager
def _limit_memory(most: int) -> Iterator[None]:
    """Allow so much memory more than there is; beyond it, a MemoryError."""
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (used + most, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


def claim_sizes(body: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The body with every number in turn, those within texts too, so large that nobody has memory or time for it."""
    for number in range(len(list(find_places(body)))):
        for claim in CLAIMS:
            changed = copy.deepcopy(body)
            holder, key = list(find_places(changed))[number]
            value = holder[key]
            if isinstance(value, int | float):
                holder[key] = claim
                yield changed
            elif isinstance(value, str):
                for match in list(NUMBER.finditer(value))[:MOST_NUMBERS]:
                    holder[key] = value[: match.start()] + str(claim) + value[match.end() :]
                    yield copy.deepcopy(changed)


NUMBER = re.compile(r"(?<==)[0-9][0-9.e+-]*")
MOST_NUMBERS = 40  # of one text: a forest has thousands


def _change(body: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    for _ in range(rng.randint(1, 3)):
        holder, key = rng.choice(list(find_places(body)))
        change, value = rng.random(), holder[key]
        numbers = list(NUMBER.finditer(value)) if isinstance(value, str) else []
        if numbers and change < 0.7:
            match = rng.choice(numbers)
            holder[key] = value[: match.start()] + str(rng.choice(HOSTILE)) + value[match.end() :]
        elif change < 0.7:
            holder[key] = copy.deepcopy(rng.choice(HOSTILE))
        elif change < 0.85 and isinstance(value, int | float):
            holder[key] = value * rng.choice([-1, 1e10, 1e300, 1e-300])
        elif isinstance(holder, dict):
            del holder[key]
        else:
            holder.insert(key, copy.deepcopy(rng.choice(HOSTILE)))
    return body


def find_places(value: Any) -> Iterator[tuple[Any, Any]]:
    """(holder, key) of everything within a JSON value."""
    pairs = list(value.items()) if isinstance(value, dict) else list(enumerate(value))
    for key, inner in pairs:
        yield value, key
        if isinstance(inner, dict | list) and inner:
            yield from find_places(inner)
