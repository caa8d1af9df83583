"""Agreement with ranx on random runs without ties, for each of its 25 fusions; run by ``make oracles``."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from stagg import Labels, Rankings, fuse, train
from stagg.kernels.pairs.majority import smith_sets
from stagg.methods.pairwise.majority import Condorcet

ranx = pytest.importorskip("ranx")

Runs = list[dict[str, dict[str, float]]]


def random_runs(seed: int, longest: int = 20) -> Runs:
    """Three runs over the same queries: ranx fails on a query that a run lacks."""
    rng = np.random.default_rng(seed)
    runs: Runs = []
    for _ in range(3):
        run = {}
        for query in range(4):
            items = rng.permutation(longest + 10)[: rng.integers(5, longest)]
            scores = np.sort(rng.choice(100_000, len(items), replace=False))[::-1] / 1000 + 0.5
            run[f"q{query}"] = {f"d{item}": float(score) for item, score in zip(items, scores, strict=True)}
        runs.append(run)
    return runs


def ranx_runs(runs: Runs) -> list[Any]:
    """ranx changes the runs that it is given, so every call gets fresh ones."""
    return [ranx.Run({q: dict(of) for q, of in run.items()}, name=f"r{k}") for k, run in enumerate(runs)]


def ranx_scores(runs: Runs, method: str, norm: str | None, **parameters: Any) -> dict[str, dict[str, float]]:
    fused = ranx.fuse(ranx_runs(runs), norm=norm, method=method, **({"params": parameters} if parameters else {}))
    return {query: dict(of) for query, of in fused.to_dict().items()}


def same_scores(fused: Rankings, theirs: dict[str, dict[str, float]]) -> None:
    mine = fused.to_runs()[fused.rankers[0]]
    assert mine.keys() == theirs.keys()
    for query, scores in theirs.items():
        assert mine[query].keys() == scores.keys()
        for item, score in scores.items():
            assert mine[query][item] == pytest.approx(score, rel=1e-9, abs=1e-12), (query, item)


WEIGHTS = [0.5, 0.3, 0.2]
NORMS = ("min-max", "max", "sum", "z-score", "rank")

CASES: list[tuple[str, str, str | None, dict[str, Any]]] = [
    ("rrf(c=60)", "rrf", None, {"k": 60}),
    ("rrf(c=10)", "rrf", None, {"k": 10}),
    ("borda(missing='below')", "bordafuse", None, {}),
    ("borda(missing='below')", "w_bordafuse", None, {"weights": WEIGHTS}),
    ("isr", "isr", None, {}),
    ("log_isr", "log_isr", None, {}),
    ("logn_isr", "logn_isr", None, {}),
    ("logn_isr(sigma=0.7)", "logn_isr", None, {"sigma": 0.7}),
    ("rbc(phi=0.9)", "rbc", None, {"phi": 0.9}),
    ("combsum", "wsum", "min-max", {"weights": WEIGHTS}),
    ("wmnz(compat='ranx')", "wmnz", "min-max", {"weights": WEIGHTS}),
    ("combmnz(compat='ranx')", "wmnz", "min-max", {"weights": WEIGHTS}),
    ("gmnz(gamma=0.3)", "gmnz", "min-max", {"gamma": 0.3}),
    ("gmnz(gamma=2, norm='sum')", "gmnz", "sum", {"gamma": 2}),
    *[
        (f"comb{name}(norm='{norm}'{compat})", name, "zmuv" if norm == "z-score" else norm, {})
        for name in ("sum", "mnz", "max", "min", "med", "anz")
        for norm in NORMS
        for compat in ("", ", compat='ranx'")
    ],
]


@pytest.mark.parametrize(("ours", "method", "norm", "parameters"), CASES)
def test_the_scores_are_those_of_ranx(ours: str, method: str, norm: str | None, parameters: dict[str, Any]) -> None:
    for seed in range(3):
        runs = random_runs(seed)
        fused = fuse(Rankings.from_runs(runs), ours, weights=parameters.get("weights"))
        same_scores(fused, ranx_scores(runs, method, norm, **parameters))


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("scores", [{"a": 7.0}, {"a": 0.0}, {"a": -2.0}, {"a": 3.0, "b": 3.0}, {"a": -1.0, "b": -3.0}])
def test_lists_of_one_item_of_equal_scores_and_of_negative_ones(norm: str, scores: dict[str, float]) -> None:
    if norm == "rank" and len(set(scores.values())) < len(scores):
        pytest.skip("ranx gives tied items different ranks")
    runs: Runs = [{"q": scores}, {"q": {"b": 2.0, "c": 1.0}}]
    ours = fuse(Rankings.from_runs(runs), f"combsum(norm='{norm}', compat='ranx')")
    same_scores(ours, ranx_scores(runs, "sum", "zmuv" if norm == "z-score" else norm))


@pytest.mark.parametrize(("method", "weights"), [("condorcet", None), ("w_condorcet", [0.4, 0.35, 0.25])])
def test_where_majorities_do_not_run_in_circles_the_order_is_that_of_ranx(
    method: str, weights: list[float] | None
) -> None:
    """With cycles ranx's answer depends on where its sort begins, so only queries without any are compared."""
    compared = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        runs: Runs = [{"q": {f"d{item}": float(rank) for rank, item in enumerate(rng.permutation(6))}} for _ in "abc"]
        rankings = Rankings.from_runs(runs)
        if len(set(smith_sets(Condorcet().margins_of(next(iter(rankings.with_weights(weights))))).tolist())) < 6:
            continue
        theirs = ranx_scores(runs, method, None, **({"weights": weights} if weights else {}))["q"]
        assert fuse(rankings, "condorcet", weights=weights).best_first("q") == sorted(theirs, key=lambda d: -theirs[d])
        compared += 1
    assert compared > 10


# --- fusions that learn from labels ---------------------------------------------------------------------------------


def random_grades(runs: Runs, seed: int) -> dict[str, dict[str, int]]:
    """Some relevant items in every query, those that stand high in the first run above all, and one that no run has."""
    rng = np.random.default_rng([seed, 1])
    grades: dict[str, dict[str, int]] = {}
    for query, listed in runs[0].items():
        first, others = list(listed)[:4], {item for run in runs for item in run[query]}
        chosen = [item for item in sorted(others) if rng.random() < (0.6 if item in first else 0.2)]
        grades[query] = {item: int(rng.integers(1, 3)) for item in chosen} | {"never": 1}
    return grades


def ranx_trained(runs: Runs, grades: dict[str, dict[str, int]], method: str, **given: Any) -> dict[str, Any]:
    """What ranx's own training functions learn, by the names under which ``ranx.fuse`` takes it."""
    from ranx import fusion

    made, qrels = ranx_runs(runs), ranx.Qrels(grades)
    names = {"mapfuse": "map_scores", "bayesfuse": "log_odds"}
    learned = getattr(fusion, f"{method}_train")(qrels, made, *given.values())
    return {names.get(method, "probs"): learned}


LEARNED: list[tuple[str, str, dict[str, Any], dict[str, Any]]] = [
    ("probfuse(segments=4)", "probfuse", {"n_segments": 4}, {}),
    ("probfuse(segments=25)", "probfuse", {"n_segments": 25}, {}),
    ("segfuse(compat='ranx')", "segfuse", {}, {}),
    ("slidefuse(window=1)", "slidefuse", {}, {"w": 1}),
    ("slidefuse(window=7)", "slidefuse", {}, {"w": 7}),
    ("posfuse", "posfuse", {}, {}),
    ("mapfuse", "mapfuse", {}, {}),
    ("bayesfuse(compat='ranx')", "bayesfuse", {}, {}),
]


@pytest.mark.parametrize(("learner", "method", "given", "more"), LEARNED)
@pytest.mark.parametrize("longest", [20, 80])
def test_what_is_learned_from_labels_fuses_other_runs_as_ranx_does(
    learner: str, method: str, given: dict[str, Any], more: dict[str, Any], longest: int
) -> None:
    for seed in range(3):
        runs, others = random_runs(seed, longest), random_runs(100 + seed, longest)
        grades = random_grades(runs, seed)
        model = train(Rankings.from_runs(runs), learner, Labels(grades))
        learned = ranx_trained(runs, grades, method, **given)
        norm = "min-max" if method == "segfuse" else None
        same_scores(fuse(Rankings.from_runs(others), model), ranx_scores(others, method, norm, **learned, **more))


@pytest.mark.parametrize("method", ["probfuse", "slidefuse", "mixed"])
def test_what_is_tried_on_labels_ends_where_the_optimisation_of_ranx_ends(method: str) -> None:
    """ranx leaves the order of ties to chance: the means of probfuse and slidefuse, which have many, agree roughly."""
    for seed in range(3):
        runs = random_runs(seed)
        grades = random_grades(runs, seed)
        compat = ", compat='ranx'" if method == "mixed" else ""
        learner = f"{method}(measure=\"ndcg(gain='linear')@5\"{compat})"
        model = train(Rankings.from_runs(runs), learner, Labels(grades))
        norm = "min-max" if method == "mixed" else None
        learned = ranx.optimize_fusion(
            ranx.Qrels(grades), ranx_runs(runs), norm=norm, method=method, metric="ndcg@5", show_progress=False
        )
        theirs = ranx.fuse(ranx_runs(runs), norm=norm, method=method, params=learned)
        mean = ranx.evaluate(ranx.Qrels(grades), theirs, "ndcg@5")
        assert dict(model.training)["mean"] == pytest.approx(mean, abs=1e-9 if method == "mixed" else 0.02)
        if method == "mixed":
            assert [row[0] for row in model.values] == pytest.approx(learned["weights"])
            same_scores(fuse(Rankings.from_runs(runs), model), theirs.to_dict())


def test_all_25_fusions_of_ranx_are_compared_here() -> None:
    from ranx.fusion import fusion_switch

    known = {*[case[1] for case in CASES], *[case[1] for case in LEARNED], "condorcet", "w_condorcet", "mixed"}
    assert len(known) == 25
    assert all(fusion_switch(method) for method in known)
