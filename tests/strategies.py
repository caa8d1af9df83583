"""Random partial rankings with ties: what the laws are tried on."""

from __future__ import annotations

import os

import numpy as np
from hypothesis import strategies as st

from stagg import Rankings

LONG = bool(os.environ.get("STAGG_LONG"))
"""Whether everything is tried in full, as `make test-long` does; `make test` thins what takes long."""

ITEMS = ["a", "b", "c", "d", "e", "f", "g"]


def examples(full: int) -> int:
    """How many examples hypothesis draws: so many in a long run, at most 100 in a usual one."""
    return full if LONG else min(full, 100)


@st.composite
def rankings(
    draw: st.DrawFn, *, max_queries: int = 3, max_rankers: int = 5, ties: bool = True, min_rankers: int = 1
) -> Rankings:
    """Runs of a few queries over a few items; scores are whole numbers, so that some of them tie."""
    queries = [f"q{number}" for number in range(draw(st.integers(1, max_queries)))]
    rankers = [f"r{number}" for number in range(draw(st.integers(min_rankers, max_rankers)))]
    runs = {ranker: {query: draw(scored_list(ties=ties)) for query in queries} for ranker in rankers}
    return Rankings.from_runs(runs)


@st.composite
def scored_list(draw: st.DrawFn, *, ties: bool = True) -> dict[str, float]:
    chosen = draw(st.lists(st.sampled_from(ITEMS), unique=True, max_size=len(ITEMS)))
    values = st.integers(-4, 4) if ties else st.integers(-1000, 1000)
    scores = draw(st.lists(values, min_size=len(chosen), max_size=len(chosen), unique=not ties))
    return dict(zip(chosen, map(float, scores), strict=True))


def random_rankings(seed: int, *, queries: int = 2, rankers: int = 4, items: int = 6, ties: bool = True) -> Rankings:
    """The same without hypothesis, for searches of counterexamples."""
    rng = np.random.default_rng(seed)
    names = [f"i{number}" for number in range(items)]
    runs = {}
    for ranker in range(rankers):
        run = {}
        for query in range(queries):
            chosen = rng.permutation(names)[: rng.integers(0, items + 1)]
            scores = rng.integers(-4, 5, len(chosen)) if ties else rng.permutation(1000)[: len(chosen)]
            run[f"q{query}"] = {str(item): float(score) for item, score in zip(chosen, scores, strict=True)}
        runs[f"r{ranker}"] = run
    return Rankings.from_runs(runs)
