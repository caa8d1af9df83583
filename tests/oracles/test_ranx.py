"""Agreement with ranx on random runs without ties; run by ``make oracles``."""

from __future__ import annotations

import numpy as np
import pytest

from stagg import Rankings, fuse

ranx = pytest.importorskip("ranx")

Runs = list[dict[str, dict[str, float]]]


def random_runs(seed: int) -> Runs:
    """Three runs over the same queries: ranx fails on a query that a run lacks."""
    rng = np.random.default_rng(seed)
    runs: Runs = []
    for _ in range(3):
        run = {}
        for query in range(4):
            items = rng.permutation(30)[: rng.integers(5, 20)]
            scores = np.sort(rng.choice(100_000, len(items), replace=False))[::-1] / 1000 + 0.5
            run[f"q{query}"] = {f"d{item}": float(score) for item, score in zip(items, scores, strict=True)}
        runs.append(run)
    return runs


def ranx_scores(runs: Runs, method: str, norm: str | None, **parameters: float) -> dict[str, dict[str, float]]:
    """ranx changes the runs that it is given, so every call gets fresh ones."""
    made = [ranx.Run({q: dict(of) for q, of in run.items()}, name=f"r{k}") for k, run in enumerate(runs)]
    fused = ranx.fuse(made, norm=norm, method=method, **({"params": parameters} if parameters else {}))
    return {query: dict(of) for query, of in fused.to_dict().items()}


CASES = [
    ("rrf(c=60)", "rrf", None, {"k": 60}),
    ("rrf(c=10)", "rrf", None, {"k": 10}),
    ("borda(missing='below')", "bordafuse", None, {}),
    ("isr", "isr", None, {}),
    ("log_isr", "log_isr", None, {}),
    ("rbc(phi=0.9)", "rbc", None, {"phi": 0.9}),
    *[
        (f"comb{name}(norm='{norm}')", name, "zmuv" if norm == "z-score" else norm, {})
        for name in ("sum", "mnz", "max", "min", "med", "anz")
        for norm in ("min-max", "max", "sum", "z-score", "rank")
    ],
]


@pytest.mark.parametrize(("ours", "method", "norm", "parameters"), CASES)
def test_the_scores_are_those_of_ranx(ours: str, method: str, norm: str | None, parameters: dict[str, float]) -> None:
    for seed in range(3):
        runs = random_runs(seed)
        fused = fuse(Rankings.from_runs(runs), ours)
        mine = fused.to_runs()[fused.rankers[0]]
        for query, theirs in ranx_scores(runs, method, norm, **parameters).items():
            assert mine[query].keys() == theirs.keys()
            for item, score in theirs.items():
                assert mine[query][item] == pytest.approx(score, rel=1e-9, abs=1e-12), (query, item)
