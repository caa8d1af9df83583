"""The laws where scores lie far apart (long lists, steep gains, outliers, unequal weights), and on exact ties."""

from __future__ import annotations

import functools

import numpy as np
import pytest
from tests.laws.laws import CHECKS, groups_of
from tests.laws.test_methods import ALL, declared

from stagg import Rankings, fuse
from stagg.methods import METHODS
from stagg.methods.positional.comb import Comb

NAMES = [f"d{k:04d}" for k in range(1000)]
STEEP = [
    "rbc(phi=0.5)",
    "stagg(utility='rbp(p=0.5)')",
    "stagg(utility='rbp(p=0.5)', missing='skip', shape='certain')",
    "combsum(norm='none')",
    "combmnz(norm='none')",
    "combmax(norm='none')",
    "combmed(norm='none')",
]
QUICK = [
    text
    for text in [*ALL, *STEEP]
    if METHODS.parse(text).tie_rule == "own" and "learned" not in text and not text.startswith("stagg_trust")
]
NORMS = ["min-max", "max", "sum", "z-score", "dbsf", "l2", "rank", "borda", "none"]


@functools.cache
def far_apart() -> dict[str, Rankings]:
    """Rankings of one query whose scores a method may well put far apart."""
    rng = np.random.default_rng(1)
    steep = [
        {NAMES[k]: 10.0 ** -(0.5 * place) for place, k in enumerate(rng.permutation(1000)[:600])} for _ in range(3)
    ]
    usual = [
        {NAMES[k]: float(s) for k, s in zip(rng.permutation(60)[:50], rng.normal(size=50), strict=True)} for _ in "abc"
    ]
    return {
        "one long list": Rankings.from_scores([{name: 1000.0 - k for k, name in enumerate(NAMES)}]),
        "long lists": Rankings.from_scores(
            [{NAMES[k]: float(-place) for place, k in enumerate(rng.permutation(1000)[:900])} for _ in range(3)]
        ),
        "steep scores": Rankings.from_scores(steep),
        "an outlier": Rankings.from_scores([*usual, {"d0007": 1.7e38, "d0009": 3.0}]),
        "unequal weights": Rankings.from_scores(usual).with_weights([1, 2e6, 3]),
    }


@pytest.mark.parametrize("law", [law for law in CHECKS if law not in ("score_transform", "monotonicity")])
@pytest.mark.parametrize("text", QUICK)
def test_the_law_holds_however_far_apart_the_scores_are(text: str, law: str) -> None:
    if law in declared(text):
        pytest.skip("the method says that it breaks this law")
    method = METHODS.parse(text)
    for name, rankings in far_apart().items():
        if name == "unequal weights" and law.startswith("weight"):
            continue  # the law sets weights of its own
        if name != "one long list" and law == "unanimity" and isinstance(method, Comb):
            continue  # raw scores of several lists may well contradict what each of them says
        wrong = CHECKS[law](method, rankings, np.random.default_rng(3))
        assert wrong is None, f"{name}: {wrong}"


@pytest.mark.parametrize("text", [*QUICK, "stagg_rrf(c=0)", "rbc(phi=0.01)"])
def test_one_list_keeps_its_order_to_the_end(text: str) -> None:
    method = METHODS.parse(text)
    if text in ("votecount", "log_isr", "plurality") or "top(k=2)" in text or "high=" in text:
        pytest.skip("it gives equal scores to items at different places")
    for name in ("one long list", "long lists"):
        rankings = far_apart()[name].take_rankers([0])
        expected = [set(group) for group in next(iter(rankings["1"].lists.values()))]
        found = groups_of(fuse(rankings, method))["1"]
        least = next((k for k, group in enumerate(found) if len(group) > 1), len(found))
        assert found[:least] == expected[:least]
        shown = fuse(rankings, method).scores
        assert shown is not None
        assert least == len(found) or abs(shown[least]) < 1e-307, f"{name}: {found[least]} tie at {shown[least]}"


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("method", ["combsum", "combmnz", "combanz", "combmax", "combmin", "combmed", "wmnz", "gmnz"])
def test_exact_ties_are_ties_under_every_norm(method: str, norm: str) -> None:
    """Three items of each list stand at equal distances: the middles have the same place on every scale but none."""
    lists = ([0.1, 0.2, 0.3], [1, 2, 3], [0.7, 0.8, 0.9])
    rankings = Rankings.from_scores(
        [dict(zip((f"a{k}", f"m{k}", f"z{k}"), s, strict=True)) for k, s in enumerate(lists)]
    )
    groups = groups_of(fuse(rankings, f"{method}(norm='{norm}')"))["1"]
    assert {"m0", "m1", "m2"} in groups or norm in ("max", "l2", "none")


@pytest.mark.parametrize("norm", NORMS)
def test_terms_that_cancel_tie_with_nothing(norm: str) -> None:
    """What is left of 0.1 + 0.2 - 0.3 is rounding."""
    rankings = Rankings.from_scores(
        [{"x": 0.1, "top": 1.0}, {"x": 0.2, "top": 1.0}, {"x": -0.3, "top": 1.0}, {"none": 0.0}]
    )
    groups = groups_of(fuse(rankings, f"combsum(norm='{norm}')"))["1"]
    assert norm != "none" or {"x", "none"} in groups


def test_an_outlier_changes_nobody_else() -> None:
    """A pinned hit, as Elasticsearch makes them, has the largest float32 as its score."""
    usual = [{f"d{k}": 10.0 - k for k in range(9)}, {f"d{k}": 5.0 + k / 7 for k in range(9)}]
    alone = fuse(Rankings.from_scores(usual), "combsum(norm='none')").to_runs()["stagg-combsum"]["1"]
    pinned = fuse(Rankings.from_scores([*usual, {"pinned": 1.7e38}]), "combsum(norm='none')").to_runs()[
        "stagg-combsum"
    ]["1"]
    assert list(pinned) == ["pinned", *alone]
    assert {item: score for item, score in pinned.items() if item != "pinned"} == alone


@pytest.mark.filterwarnings("ignore:1 and 2 share no item")
def test_a_heavy_ranker_does_not_hide_the_others() -> None:
    light, heavy = [f"l{k}" for k in range(200)], [f"h{k}" for k in range(200)]
    found = fuse([light, heavy], "rbc", weights=[1, 2e6]).best_first()
    assert [item for item in found if item in light] == light
    assert [item for item in found if item in heavy] == heavy
