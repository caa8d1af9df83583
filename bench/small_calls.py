"""What one request costs: the fusion of three in-memory lists of 100 ids, to hits, against the plain dict loop.

``python bench/small_calls.py NAME`` is one contender in a process of its own: it prints the CPU seconds of its import,
of its first call and of a later one, and of the dict loop in the same process, turn by turn, as JSON. Without a name it
shows stagg. Part of ``make bench``.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from measuring import environment, least

__all__ = ["measured"]

LISTS, ITEMS = 3, 100
ROUNDS, REPEATS = 60, 30
Call = Callable[[list[list[str]]], object]


def dict_loop(lists: Sequence[Sequence[str]], c: int = 60) -> list[tuple[str, float]]:
    """Reciprocal rank fusion as everybody writes it."""
    scores: dict[str, float] = {}
    for ranked in lists:
        for rank, item in enumerate(ranked, start=1):
            scores[item] = scores.get(item, 0.0) + 1 / (c + rank)
    return sorted(scores.items(), key=lambda pair: pair[1], reverse=True)


def stagg(method: str) -> Call:
    import stagg

    return lambda lists: stagg.fuse(lists, method).hits()


def langchain() -> Call:
    """The function alone: the documents are there before."""
    from langchain_classic.retrievers.ensemble import EnsembleRetriever
    from langchain_core.documents import Document

    ensemble = EnsembleRetriever.model_construct(weights=[1.0] * LISTS, c=60, id_key=None)
    made: dict[int, Any] = {}

    def call(lists: list[list[str]]) -> object:
        if id(lists) not in made:
            made[id(lists)] = [[Document(page_content=item) for item in each] for each in lists]
        return ensemble.weighted_reciprocal_rank(made[id(lists)])

    return call


def ranx() -> Call:
    from ranx import Run, fuse

    def call(lists: list[list[str]]) -> object:
        runs = [Run({"1": {item: float(-rank) for rank, item in enumerate(each)}}) for each in lists]
        return fuse(runs, method="rrf", params={"k": 60})

    return call


CONTENDERS: dict[str, Callable[[], Call]] = {
    "stagg rrf": partial(stagg, "rrf"),
    "stagg stagg_rrf": partial(stagg, "stagg_rrf"),
    "stagg borda": partial(stagg, "borda"),
    "LangChain": langchain,
    "ranx": ranx,
}


def made_lists(seed: int = 0) -> list[list[str]]:
    rng = random.Random(seed)
    pool = [f"doc{number}" for number in range(2 * ITEMS)]
    return [rng.sample(pool, ITEMS) for _ in range(LISTS)]


def seconds(call: Callable[[], object], repeats: int) -> float:
    start = time.process_time()
    for _ in range(repeats):
        call()
    return (time.process_time() - start) / repeats


def one(name: str) -> dict[str, float]:
    """Import, first call, later calls and the loop; the least of alternating rounds."""
    lists = made_lists()
    start = time.process_time()
    call = CONTENDERS[name]()
    imported = time.process_time() - start
    first = seconds(lambda: call(lists), 1)
    repeats = max(1, min(REPEATS, int(0.02 / seconds(lambda: call(lists), 1))))
    loop, later = [], []
    for _ in range(ROUNDS):
        loop.append(seconds(lambda: dict_loop(lists), REPEATS))
        later.append(seconds(lambda: call(lists), repeats))
    return {"import": imported, "first": first, "call": min(later), "loop": min(loop)}


def measured(env: Mapping[str, str], *, rounds: int, peers: str | None) -> Iterator[dict[str, float | str]]:
    """A row for every contender: the ratio of a later call to the dict loop, and the parts of its cost."""
    commands = {
        name: [sys.executable if name.startswith("stagg") else str(peers), __file__, name]
        for name in CONTENDERS
        if peers or name.startswith("stagg")
    }
    for name, costs in least(commands, rounds, env).items():
        said = [cost.said for cost in costs]
        ratio = min(each["call"] / each["loop"] for each in said)
        yield {"name": name, "ratio": ratio, **{key: min(each[key] for each in said) for key in said[0]}}


def main() -> None:
    if len(sys.argv) > 1:
        print(json.dumps(one(sys.argv[1])))
        return
    for row in measured(environment(Path("/tmp")), rounds=1, peers=None):
        print({key: value if isinstance(value, str) else f"{value:.3g}" for key, value in row.items()})


if __name__ == "__main__":
    main()
