"""The order, ties and scores of every positional and Comb method against exact arithmetic (`fraction_oracle.py`)."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import warnings
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest
from tests.methods.fraction_oracle import COMBS, NORMS, Borderline, Expected, Query, expect

import stagg
from stagg.errors import DataWarning

ROOT = Path(__file__).resolve().parents[2]
HUGE = Fraction(2) ** 1000  # beyond it a product with the weights may leave the range of a float


@dataclass(frozen=True)
class Method:
    """A method and its options, as text for stagg and in parts for the oracle."""

    name: str
    options: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.name}({', '.join(f'{name}={value!r}' for name, value in self.options.items())})"

    @property
    def needs_scores(self) -> bool:
        return self.name in COMBS and self.options["norm"] not in ("rank", "borda")


POSITIONAL = [
    Method("borda"),
    Method("borda", {"missing": "below"}),
    Method("mean_rank"),
    Method("median_rank"),
    Method("rrf", {"c": 60}),
    Method("rrf", {"c": 0.5}),
    *(
        Method("rrf", {"compat": tool})
        for tool in ("ranx", "langchain", "llamaindex", "pyterrier", "haystack", "qdrant")
    ),
    Method("rrf", {"compat": "haystack", "c": 10}),
    Method("rrf", {"compat": "qdrant", "c": 60}),
    Method("isr"),
    Method("log_isr"),
    Method("logn_isr"),
    Method("logn_isr", {"sigma": 0.5}),
    Method("rbc", {"phi": 0.9}),
    Method("rbc", {"phi": 0.5}),
    Method("votecount"),
]
COMB = [Method(name, {"norm": norm}) for name in COMBS for norm in NORMS] + [
    Method("gmnz", {"norm": norm, "gamma": gamma}) for norm in ("none", "z-score") for gamma in (0.3, -1.0)
]
SCORED_LISTS = [*POSITIONAL, *COMB]
CENTRED = ("z-score", "dbsf")
RANKED_LISTS = [method for method in SCORED_LISTS if not method.needs_scores]


@dataclass(frozen=True)
class Case:
    """Lists as `stagg.fuse` takes them, and their weights."""

    lists: list[list[Any]]
    weights: list[float] | None = None
    far: bool = False  # the scores lie far from 0 beside their spread: norms that centre them have a test of their own

    @cached_property
    def query(self) -> Query:
        return Query(self.lists, self.weights)

    @property
    def scored(self) -> bool:
        return all(isinstance(entry, tuple) for one in self.lists for entry in one)

    @property
    def methods(self) -> list[Method]:
        if not self.scored:
            return RANKED_LISTS
        return [method for method in SCORED_LISTS if not self.far or method.options.get("norm") not in CENTRED]


def fuse(case: Case, method: Method) -> stagg.Rankings:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)  # lists that share no item are meant so here
        return stagg.fuse(case.lists, str(method), weights=case.weights)


def complaint(case: Case, method: Method, expected: Expected) -> str | None:
    """What the result has that it should not have; None where it agrees with the oracle."""
    fused = fuse(case, method)
    (groups,) = fused["1"].lists.values()
    hits = fused.hits()
    if [hit.item for hit in hits] != [item for group in groups for item in group]:
        return f"{method}: hits() and lists have different orders"
    if groups != expected.groups:
        place = next(
            k for k, pair in enumerate(zip([*groups, []], [*expected.groups, []], strict=False)) if pair[0] != pair[1]
        )
        return f"{method}: group {place + 1} is {groups[place:][:1]}, not {expected.groups[place:][:1]}"
    shown = expected.shown()
    for hit in hits:
        want = shown[hit.item]
        if hit.score == float(want.value):
            continue
        if abs(Fraction(hit.score) - want.value) > max(want.mass / 10**12, Fraction(1, 10**308)):
            return f"{method}: {hit.item} has {hit.score!r}, not {float(want.value)!r}"
    scores = {hit.item: hit.score for hit in hits}
    uneven = any(scores[item] != scores[group[0]] for group in groups for item in group)
    return f"{method}: tied items show different scores" if uneven else None


def complaints(case: Case, methods: Iterable[Method], skipped: list[Method] | None = None) -> list[str]:
    """All disagreements over the methods. Without `skipped` a case where rounding may decide is an error."""
    found = []
    for method in methods:
        expected = expectation(case, method)
        if expected is None and skipped is None:
            found.append(f"{method}: rounding decides in this case, choose another")
        elif expected is None:
            skipped.append(method)
        elif said := complaint(case, method, expected):
            found.append(said)
    return found


def expectation(case: Case, method: Method) -> Expected | None:
    """What the oracle says; None where floats cannot decide or hold it."""
    try:
        expected = expect(method.name, case.query, **method.options)
    except Borderline:
        return None
    beyond = any(one.mass > HUGE for one in expected.scores.values())
    return None if beyond or expected.borderline else expected


def summary(found: list[str]) -> str:
    return "\n".join([f"{len(found)} disagreements", *found[:12]])


# -- The oracle itself, by hand ---------------------------------------------------------------------------------------

TOY_F = [list("ABCD"), list("BCAD"), list("ADBC")]
TOY_P = [list("ABC"), list("BDAE"), list("ECAD")]
BELOW = {"missing": "below"}
WORKED = [  # METHODS.md, sections 3.1 and 3.2; the last six by hand from the ranks 133 215 352 (4.5)24 (4.5)41 of toy P
    (TOY_F, Method("borda"), (10, 9, 6, 5)),
    (TOY_F, Method("borda", BELOW), (10, 9, 6, 5)),
    (TOY_P, Method("borda"), (11, 9, 7, 6, 7)),
    (TOY_P, Method("borda", BELOW), (11, 10, 8, 7.5, 8.5)),
    (TOY_F, Method("rrf", {"c": 60}), (0.04865990, 0.04839549, 0.04762705, 0.04737903)),
    (TOY_P, Method("rrf", {"c": 60}), (0.04813947, 0.03252247, 0.03200205, 0.03175403, 0.03201844)),
    (TOY_P, Method("rrf", {"c": 10}), (0.24475524, 0.17424242, 0.16025641, 0.15476190, 0.16233766)),
    (TOY_P, Method("votecount"), (3, 2, 2, 2, 2)),
    (TOY_P, Method("isr"), (11 / 3, 5 / 2, 13 / 18, 5 / 8, 17 / 8)),
    (TOY_P, Method("log_isr"), (1.34274835, 0.86643398, 0.25030315, 0.21660849, 0.73646888)),
    (TOY_P, Method("rbc", {"phi": 0.5}), (0.75, 0.75, 0.375, 0.3125, 0.5625)),
    (TOY_P, Method("mean_rank"), (-7 / 3, -8 / 3, -10 / 3, -3.5, -9.5 / 3)),
    (TOY_P, Method("median_rank"), (-3, -2, -3, -4, -4)),
]


@pytest.mark.parametrize(
    ("lists", "method", "numbers"), WORKED, ids=lambda one: str(one) if isinstance(one, Method) else ""
)
def test_the_oracle_gives_the_worked_numbers(lists: list[Any], method: Method, numbers: tuple[float, ...]) -> None:
    scores = expect(method.name, Query(lists), **method.options).scores
    assert [float(scores[item].value) for item in sorted(scores)] == pytest.approx(numbers, abs=6e-9)


@pytest.mark.parametrize(
    ("norm", "numbers"),
    [
        ("min-max", (1, 1 / 3, 0)),
        ("max", (1, 1 / 2, 1 / 4)),
        ("sum", (3 / 4, 1 / 4, 0)),
        ("z-score", (1.3363062, -0.2672612, -1.0690450)),  # mean 7/3, variance 14/9
        ("dbsf", (0.7227177, 0.4554565, 0.3218258)),
        ("l2", (0.8728716, 0.4364358, 0.2182179)),  # divided by the root of 21
        ("rank", (1, 2 / 3, 1 / 3)),
        ("borda", (1, 3 / 4, 1 / 2)),  # of four candidates
        ("none", (4, 2, 1)),
    ],
)
def test_the_oracle_normalises_as_the_definitions_say(norm: str, numbers: tuple[float, ...]) -> None:
    lists = [[("a", 4.0), ("b", 2.0), ("c", 1.0)], [("d", 3.0)]]
    scores = expect("combsum", Query(lists), norm=norm).scores
    assert [float(scores[item].value) for item in "abc"] == pytest.approx(numbers, rel=1e-6)
    single = {"z-score": 0, "l2": 1, "rank": 1, "borda": 1, "none": 3}
    assert float(scores["d"].value) == single.get(norm, 0.5)


def test_the_oracle_weighs_an_item_by_its_own_terms() -> None:
    lists = [[("a", 5.0), ("b", 1.0)], [("a", -3.0), ("c", 1e38)]]
    masses = {name: expect(name, Query(lists, [2, 1]), norm="none").scores["a"].mass for name in COMBS}
    gmnz = masses.pop("gmnz")
    assert masses == {
        "combsum": 13,
        "combmnz": 39,
        "combanz": Fraction(13, 3),
        "wmnz": 26,
        "combmax": 5,
        "combmin": 3,
        "combmed": 5,
    }
    assert float(gmnz) == pytest.approx(13 * 3**0.5)
    centred = expect("combsum", Query([scored("abc", WHOLES)]), norm="z-score").scores
    assert centred["b"].value == 0
    assert float(centred["b"].mass) == pytest.approx(1.5**0.5)


# -- Cases by hand ----------------------------------------------------------------------------------------------------


def ids(number: int, letter: str = "d") -> list[str]:
    return [f"{letter}{k:04d}" for k in range(number)]


def scored(items: Iterable[str], scores: Iterable[float]) -> list[tuple[str, float]]:
    return list(zip(items, scores, strict=True))


def falling(number: int) -> list[tuple[str, float]]:
    return scored(ids(number), [float(number - k) for k in range(number)])


def shuffled(items: Iterable[str], seed: int) -> list[str]:
    mixed = list(items)
    random.Random(seed).shuffle(mixed)
    return mixed


def in_groups(items: list[str], size: int) -> list[list[str]]:
    return [items[k : k + size] for k in range(0, len(items), size)]


TENTHS, WHOLES, HIGH = [0.1, 0.2, 0.3], [1.0, 2.0, 3.0], [0.7, 0.8, 0.9]
NEAR_2_53 = [2.0**53 - k for k in (1, 2, 3, 5, 8, 13)]
WIDE = [10.0**k for k in range(-300, 301, 50)]

FAR = {
    "whole scores near 2^53": Case([scored("abcdef", NEAR_2_53), scored("fbgeh", NEAR_2_53[:5])], far=True),
    "whole scores near 2^53 and -2^53": Case(
        [scored("abcdef", NEAR_2_53), scored("fedcba", [-one for one in NEAR_2_53])], far=True
    ),
    "times in seconds": Case(
        [scored("abc", [1.7e9 + k for k in (1, 2, 3)]), scored("dbe", [1.7e9 + k for k in (5, 7, 9)])], far=True
    ),
}
SMALL = {
    "one list": Case([falling(7)]),
    "lists of one item": Case([[("a", 3.0)], [("b", -2.0)], [("c", 0.0)], [("a", 1.0)]]),
    "a list of one item beside others": Case([[("a", 3.0)], scored("bcd", WHOLES), scored("cab", TENTHS)]),
    "equal scores": Case([[("a", 2.0), ("b", 2.0)], [("b", -1.0), ("c", -1.0)], scored("abc", WHOLES)]),
    "all scores 0": Case([[("a", 0.0), ("b", -0.0)], scored("abc", WHOLES)]),
    "the middles of .1 .2 .3 and 1 2 3 and .7 .8 .9": Case(
        [scored("abc", TENTHS), scored("xyz", WHOLES), scored("pqr", HIGH)]
    ),
    "each in the middle once": Case([scored("abc", TENTHS), scored("bca", WHOLES), scored("cab", HIGH)]),
    "middles in two lists": Case([scored("abc", TENTHS), scored("dbe", HIGH), scored("xyz", WHOLES)], [2, 2, 4]),
    "a middle and an item of an even list": Case([scored("abc", TENTHS), [("d", 1.0), ("e", 1.0)], [("f", 7.0)]]),
    "the same list many times": Case([scored("abcd", [0.1, 0.2, 0.3, 0.7])] * 7),
    "a list and its reverse": Case([scored("abcde", WHOLES + HIGH[:2]), scored("edcba", WHOLES + HIGH[:2])]),
    "a cycle": Case([scored("abc", HIGH), scored("bca", HIGH), scored("cab", HIGH)]),
    "tenths that add up alike": Case([[("a", 0.1), ("b", 0.3)], [("a", 0.2), ("c", 0.3)], [("c", 0.0), ("d", -1.0)]]),
    "negative scores": Case([scored("abcd", [-1.0, -2.0, -4.0, -7.5]), scored("bcde", [3.0, -2.0, -4.0, 0.5])]),
    "no positive score": Case([scored("abcd", [0.0, -2.0, -4.0, -7.5]), scored("bcde", [-3.0, -2.0, -4.0, -0.5])]),
    "scores that cancel": Case([scored("abc", [1e5, 3.0, 1.0]), scored("abd", [-1e5, -2.0, 1.0])]),
    "tenths that cancel": Case([scored("ae", [0.1, 1.0]), scored("ae", [0.2, -1.0]), scored("af", [-0.3, 0.0])]),
    "scores from 1e-300 to 1e300": Case([scored(ids(len(WIDE)), WIDE)]),
    "scores from 1e-300 to 1e300, twice": Case([scored(ids(13), WIDE), scored(ids(13), [3 * one for one in WIDE])]),
    "scores from 1e-300 to 1e300, against each other": Case([scored(ids(13), WIDE), scored(reversed(ids(13)), WIDE)]),
    "tiny": Case([scored("abcd", [4e-300, 3e-300, 2e-300, 1e-300]), scored("bcda", [4e-290, 3e-290, 1e-290, 0])]),
    "a pinned hit": Case([[("top", 1.7e38), *falling(20)], falling(20)[::-1]]),
    "a pinned hit, weights 3 and 2": Case([[("top", 1.7e38), *falling(9)], [("top", 0.9), ("x", 0.4)]], [3, 2]),
    "two pinned hits": Case([[("top", 1.7e38), ("next", 1.7e38), *falling(5)], [("next", 1.0), ("d0003", 0.5)]]),
    "weights 1 : 2e6": Case([falling(40), scored(reversed(ids(20)), WIDE[6:7] * 10 + [2.0] * 10)], [1, 2e6]),
    "weights 2e6 : 1": Case([falling(40), scored(ids(25, "e"), map(float, range(25)))], [2e6, 1]),
    "weights 1e-9 : 1e9": Case([falling(30), scored(ids(20), map(float, range(20)))], [1e-9, 1e9]),
    "weights 1e-9 : 1e9, nothing shared": Case([falling(30), scored(ids(20, "e"), map(float, range(20)))], [1e-9, 1e9]),
    "weights .1 .2 .3": Case([scored("abc", HIGH), scored("bcd", TENTHS), scored("cae", WHOLES)], [0.1, 0.2, 0.3]),
    "weight 0": Case([scored("abc", HIGH), scored("xyz", TENTHS), scored("cbd", WHOLES)], [1, 0, 2]),
    **FAR,
    "tied groups": Case([["a", ["b", "c"], "d"], [["c", "d", "e"], "a"], [["a", "b", "c", "d", "e", "f"]]]),
    "many in tied groups": Case([in_groups(shuffled(ids(60), seed), 6) for seed in range(4)], [1, 2, 3, 0.5]),
    "one large group": Case([[ids(50)], [*ids(10), ids(50)[10:]]]),
}  # fmt: skip


@pytest.mark.parametrize("name", SMALL)
def test_a_case_by_hand_is_as_in_fractions(name: str) -> None:
    skipped: list[Method] = []
    case = SMALL[name]
    found = complaints(case, case.methods, skipped)
    assert not found, summary(found)
    assert len(skipped) <= len(case.methods) // 8, list(map(str, skipped))


@pytest.mark.parametrize("name", FAR)
def test_norms_that_centre_are_right_far_from_0(name: str) -> None:
    methods = [method for method in COMB if method.options["norm"] in CENTRED]
    found = complaints(FAR[name], methods)
    assert not found, summary(found)


STEEP = [Method("rbc", {"phi": phi}) for phi in (0.9, 0.5, 0.1)]
LONG = {
    "a thousand items": Case([ids(1000)]),
    "a thousand items, weighted": Case([ids(1000)], [1e-6]),
    "a thousand items and some of them in another list": Case([ids(1000), shuffled(ids(1000)[::3], 5)], [1, 3]),
    "two lists that share nothing": Case([ids(1000), ids(500, "e")], [1, 3]),
    "the same list thrice": Case([ids(1000)] * 3),
    "a thousand items in groups": Case([in_groups(ids(1000), 4), in_groups(ids(1000)[::-1], 4)], [1, 3]),
}


@pytest.mark.parametrize("name", LONG)
def test_steep_gains_keep_the_order_of_a_thousand_places(name: str) -> None:
    found = complaints(LONG[name], [*STEEP[:2], Method("isr"), Method("rrf", {"c": 60})])
    found += complaints(Case([one[:400] for one in LONG[name].lists], LONG[name].weights), STEEP[2:])
    assert not found, summary(found)


@pytest.mark.parametrize("name", LONG)
def test_a_thousand_places_are_as_in_fractions(name: str) -> None:
    skipped: list[Method] = []
    found = complaints(LONG[name], random.Random(name).sample(RANKED_LISTS, 4), skipped)
    assert not found, summary(found)
    assert len(skipped) <= 1, list(map(str, skipped))


@pytest.mark.parametrize("norm", NORMS)
def test_an_outlier_leaves_a_thousand_others_as_they_are(norm: str) -> None:
    chance = random.Random(norm)
    others = scored(ids(1000), [chance.uniform(0, 30) for _ in range(1000)])
    case = Case([[("pinned", 1.7e38), *others[:999]], chance.sample(others, 300)], [1, 2])
    found = complaints(case, [Method(name, {"norm": norm}) for name in ("combsum", "combmnz", "combmax")], [])
    assert not found, summary(found)


# -- Cases by seed ----------------------------------------------------------------------------------------------------

POOLS = {
    "tenths": lambda chance: chance.randrange(-5, 20) / 10,
    "wholes": lambda chance: float(chance.randrange(8)),
    "any": lambda chance: chance.uniform(-1, 3),
    "bm25": lambda chance: chance.lognormvariate(2, 1),
    "wide": lambda chance: chance.choice((-1, 1)) * 10.0 ** chance.uniform(-140, 140),
    "near 2^53": lambda chance: 2.0**53 - chance.randrange(2**20),
    "cosines": lambda chance: chance.randrange(700, 720) / 1000,
}
WEIGHTS = {
    "quarters": lambda chance: chance.randrange(1, 13) / 4,
    "wholes": lambda chance: float(chance.randrange(4)),
    "steep": lambda chance: chance.choice((1.0, 2e6)),
    "steeper": lambda chance: chance.choice((1e-9, 1e9)),
    "tenths": lambda chance: chance.randrange(1, 11) / 10,
}


def random_case(seed: int) -> Case:
    """A few lists over up to 25 items, one case in eight with 60 to 70 lists; scored, or with tied groups."""
    chance = random.Random(seed)
    number = chance.randint(60, 70) if seed % 8 == 0 else chance.randint(1, 6)
    pool = [f"{chance.choice('abcdé')}{k}" for k in range(chance.randint(1, 25))]
    kind = chance.choice([*POOLS, "groups", "groups"])
    lists = [random_list(chance, chance.sample(pool, chance.randint(1, len(pool))), kind) for _ in range(number)]
    heed = chance.choice([*WEIGHTS, "none", "none"])
    weights = None if heed == "none" else [WEIGHTS[heed](chance) for _ in lists]
    if weights is not None and not any(weights):
        weights[0] = 1.0
    return Case(lists, weights, far=kind == "near 2^53")


def random_list(chance: random.Random, items: list[str], kind: str) -> list[Any]:
    if kind == "groups":
        return [group for group in random_groups(chance, items) if group]
    return [(item, POOLS[kind](chance)) for item in items]


def random_groups(chance: random.Random, items: list[str]) -> list[list[str]]:
    marks = sorted(chance.sample(range(1, len(items)), chance.randint(0, len(items) - 1)))
    return [items[begin:end] for begin, end in zip([0, *marks], [*marks, len(items)], strict=True)]


def some_methods(case: Case, seed: int) -> list[Method]:
    """A share of the positional methods, and each Comb method under one norm, so that the seeds go through all."""
    chance = random.Random(seed)
    combs = [method for method in case.methods if method.name in COMBS]
    return chance.sample(POSITIONAL, 8) + chance.sample(combs, min(12, len(combs)))


def complaints_of_seeds(seeds: Iterable[int]) -> tuple[list[str], int, int]:
    """Disagreements of the cases of these seeds, how many calls were made, and how many skipped as too close."""
    found, calls, skipped = [], 0, []
    for seed in seeds:
        case = random_case(seed)
        methods = some_methods(case, seed)
        calls += len(methods)
        found += [f"seed {seed}: {said}" for said in complaints(case, methods, skipped)]
    return found, calls, len(skipped)


@pytest.mark.parametrize("block", range(4))
def test_cases_by_seed_are_as_in_fractions(block: int) -> None:
    found, calls, skipped = complaints_of_seeds(range(20 * block, 20 * block + 20))
    assert not found, summary(found)
    assert skipped <= 0.05 * calls


@pytest.mark.parametrize("seed", range(4))
def test_the_order_of_the_rankers_changes_nothing(seed: int) -> None:
    case = random_case(8 * seed)
    order = shuffled(map(str, range(len(case.lists))), seed)
    other = Case(
        [case.lists[int(k)] for k in order], None if case.weights is None else [case.weights[int(k)] for k in order]
    )
    for method in case.methods[seed::4]:
        if expectation(case, method) is None:
            continue
        one, two = fuse(case, method), fuse(other, method)
        assert one.to_runs() == two.to_runs(), method
        assert one["1"].lists == two["1"].lists, method


# -- Without compiled kernels -----------------------------------------------------------------------------------------

PURE = """
from tests.methods.test_against_fractions import LONG, SMALL, STEEP, complaints, complaints_of_seeds, summary
found = complaints_of_seeds(range(100, 112))[0]
for name, case in SMALL.items():
    found += [f"{name}: {said}" for said in complaints(case, case.methods[::5], [])]
for name, case in LONG.items():
    found += [f"{name}: {said}" for said in complaints(case, STEEP[1:2], [])]
if found:
    raise SystemExit(summary(found))
"""


def test_pure_numpy_is_as_in_fractions() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PURE], cwd=ROOT, env=os.environ | {"STAGG_PURE": "1"}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
