"""Intervals of items that tie: from the definitions in DESIGN.md (section 2, rule 3, and section 6), not from the code.

Items that tie in a draw hold all places of their group there: `low` takes the first of them, `high` the last, `top` the
share of these places within K. What always ties has one interval and one group.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

import stagg
from stagg.errors import DataWarning

ROOT = Path(__file__).resolve().parents[2]
METHODS = (
    "borda",
    "borda(missing='below')",
    "mean_rank",
    "median_rank",
    "rrf(c=60)",
    "isr",
    "rbc(phi=0.5)",
    "votecount",
    "combsum(norm='rank')",
    "combmed(norm='borda')",
    "stagg_rrf",
    "stagg_bc(missing='neutral')",
    "copeland",
)
Sure = tuple[int, int, float, int]  # low, high, top, group


def intervals(lists: list[Any], method: str, **options: Any) -> dict[str, Sure]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        hits = stagg.fuse(lists, method, intervals=0.9, **options).hits()
    return {hit.item: (hit.low, hit.high, round(hit.top, 9), hit.group) for hit in hits}


# -- Where all rankers agree, every draw is the list itself -----------------------------------------------------------


def test_two_that_always_tie_share_places_and_group() -> None:
    assert intervals([[{"a", "b"}, "c"]] * 12, "borda") == {
        "b": (1, 2, 1.0, 1),
        "a": (1, 2, 1.0, 1),
        "c": (3, 3, 1.0, 2),
    }


def test_two_that_always_tie_below_the_first_share_places_and_group() -> None:
    assert intervals([["c", {"a", "b"}]] * 12, "borda") == {
        "c": (1, 1, 1.0, 1),
        "b": (2, 3, 1.0, 2),
        "a": (2, 3, 1.0, 2),
    }


def test_one_ranker_with_ties_has_the_places_of_its_groups() -> None:
    assert intervals([["c", {"a", "b"}]], "rrf") == {"c": (1, 1, 1.0, 1), "b": (2, 3, 1.0, 2), "a": (2, 3, 1.0, 2)}


@pytest.mark.parametrize(("top", "share"), [(1, 1 / 3), (2, 2 / 3), (3, 1.0), (4, 1.0)])
def test_top_is_the_share_of_the_tied_places_within_k(top: int, share: float) -> None:
    sure = intervals([[{"a", "b", "c"}, "d"]] * 12, "borda", top=top)
    assert len(sure) == top
    assert [sure[item] for item in sure if item != "d"] == [(1, 3, pytest.approx(share), 1)] * min(top, 3)


def test_without_top_the_share_is_that_of_the_first_ten() -> None:
    everyone = [f"d{k:02d}" for k in range(16)]
    sure = intervals([[everyone[0], everyone[1:13], everyone[13:]]] * 12, "borda")
    first, middle, last = (1, 1, 1.0, 1), (2, 13, pytest.approx(9 / 12), 2), (14, 16, 0.0, 3)
    assert [sure[item] for item in everyone] == [first] + [middle] * 12 + [last] * 3


def random_groups(chance: random.Random, items: list[str]) -> list[list[str]]:
    """The items in random order, cut into tied groups."""
    mixed = chance.sample(items, len(items))
    marks = sorted(chance.sample(range(1, len(mixed)), chance.randint(0, len(mixed) - 1)))
    return [mixed[begin:end] for begin, end in zip([0, *marks], [*marks, len(mixed)], strict=True)]


@pytest.mark.parametrize("method", [method for method in METHODS if method != "votecount"])
def test_rankers_that_all_agree_give_every_group_its_own_places(method: str) -> None:
    chance = random.Random(method)
    for _ in range(4):
        groups = random_groups(chance, [f"d{k}" for k in range(chance.randint(2, 15))])
        expected, first = {}, 1
        for number, group in enumerate(groups, start=1):
            last = first + len(group) - 1
            inside = sum(place <= 10 for place in range(first, last + 1)) / len(group)
            expected |= dict.fromkeys(group, (first, last, pytest.approx(inside), number))
            first = last + 1
        assert intervals([groups] * 12, method, draws=40) == expected


# -- Where they do not agree, what ties in every list ties in every draw ----------------------------------------------


def twins_case(seed: int) -> tuple[list[list[list[str]]], list[list[str]]]:
    """Lists in which the items of each class of twins always stand in one tied group, or are all unlisted."""
    chance = random.Random(seed)
    names = chance.sample("abcdefghijklmnop", 16)
    sizes = [2, *(chance.choice((1, 2, 2, 3)) for _ in range(chance.randint(0, 4)))]
    classes = [[names.pop() for _ in range(size)] for size in sizes]
    numbers = [str(k) for k in range(len(classes))]
    lists = []
    for _ in range(chance.randint(1, 14)):
        listed = chance.sample(numbers, chance.randint(1, len(numbers)))
        groups = random_groups(chance, listed)
        lists.append([[item for number in group for item in classes[int(number)]] for group in groups])
    return lists, classes


def different_twins(seeds: Iterable[int]) -> list[str]:
    """The twins that differ in low, high, top or group, or whose interval does not hold a place for each."""
    found = []
    for seed in seeds:
        lists, classes = twins_case(seed)
        method = METHODS[seed % len(METHODS)]
        sure = intervals(lists, method, draws=60, seed=seed)
        for twins in ([item for item in one if item in sure] for one in classes):
            if len({sure[item] for item in twins}) > 1:
                found.append(f"seed {seed}, {method}: { ({item: sure[item] for item in twins}) }")
            elif twins and sure[twins[0]][1] - sure[twins[0]][0] < len(twins) - 1:
                found.append(f"seed {seed}, {method}: {sure[twins[0]]} has no place for each of {twins}")
    return found


@pytest.mark.parametrize("block", range(6))
def test_items_that_tie_in_every_list_have_one_interval_and_one_group(block: int) -> None:
    found = different_twins(range(40 * block, 40 * block + 40))
    assert not found, "\n".join([f"{len(found)} of 40 cases and their twins", *found[:8]])


@pytest.mark.parametrize("method", METHODS)
def test_the_names_of_the_items_do_not_change_their_intervals(method: str) -> None:
    """Groups are left out: among items that tie in the result, the id says which stands before which."""
    mirror = dict(zip("abcdefghijklmnop", "ponmlkjihgfedcba", strict=True))
    for seed in range(1000, 1005):
        lists, _ = twins_case(seed)
        mirrored = [[[mirror[item] for item in group] for group in one] for one in lists]
        one, other = intervals(lists, method, draws=60), intervals(mirrored, method, draws=60)
        assert {mirror[item]: sure[:3] for item, sure in one.items()} == {
            item: sure[:3] for item, sure in other.items()
        }


def test_pure_numpy_has_one_interval_for_items_that_tie_in_every_list() -> None:
    code = (
        "from tests.aggregate.test_tied_intervals import different_twins; print(*different_twins(range(26)), sep='\\n')"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=os.environ | {"STAGG_PURE": "1"}, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout.strip()) == (0, ""), done.stderr
