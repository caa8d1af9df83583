"""Properties of voting rules that not every method has: reversal symmetry and Condorcet winners, on full lists.

What is expected of each method stands in FINDINGS.md, section 4, of the project; here it is tried on random profiles of
three to five items: a method that has the property never breaks it, one that has it not is seen to break it.
"""

from __future__ import annotations

import numpy as np
import pytest
from tests.checks import some

from stagg import Rankings, fuse
from stagg.kernels.pairs.pairwise import pair_wins

PROFILES = 150

REVERSIBLE = ["borda", "stagg_bc(shape='paper')", "stagg_bc", "copeland", "mpm", "svp", "bradley_terry"]
IRREVERSIBLE = ["rrf(c=1)", "stagg_rrf(c=1)", "mc4", "plackett_luce(prior=0.01)"]
CONDORCET = ["kemeny", "copeland", "mc4", "condorcet", "local_kemeny", "mclk"]
NOT_CONDORCET = ["borda", "rrf(c=60)", "stagg_bc", "mc1"]


def profile(seed: int) -> list[list[str]]:
    rng = np.random.default_rng(seed)
    items = list("abcde")[: int(rng.integers(3, 6))]
    return [[str(item) for item in rng.permutation(items)] for _ in range(int(rng.integers(2, 6)))]


def groups(lists: list[list[str]], method: str) -> list[set[str]]:
    fused = fuse(lists, method)
    return [set(group) for group in fused["1"].lists[fused.rankers[0]]]


def reverses(lists: list[list[str]], method: str) -> bool:
    """Whether turning all lists around turns the result around."""
    return groups([each[::-1] for each in lists], method) == groups(lists, method)[::-1]


def winner(lists: list[list[str]]) -> str | None:
    """The item that a majority puts before each other item, if there is one."""
    view = next(iter(Rankings.from_lists(lists)))
    wins = pair_wins(view.positions, np.ones(len(lists)), "below")
    beats = (wins > wins.T).sum(axis=1)
    return view.items[int(np.argmax(beats))] if beats.max() == len(view) - 1 else None


@pytest.mark.parametrize("method", REVERSIBLE)
def test_reversed_lists_give_the_reversed_result(method: str) -> None:
    assert all(reverses(profile(seed), method) for seed in range(PROFILES))


def test_reversed_kemeny_optima_are_optima_of_the_reversed_lists() -> None:
    """Which of several optima is taken goes by Borda and by id, and ids do not turn around: the costs do."""

    def cost(order: list[str], lists: list[list[str]]) -> int:
        return sum(each.index(b) < each.index(a) for each in lists for k, a in enumerate(order) for b in order[k + 1 :])

    for seed in range(PROFILES):
        lists = profile(seed)
        turned = [each[::-1] for each in lists]
        assert cost(fuse(lists, "kemeny").best_first()[::-1], turned) == cost(
            fuse(turned, "kemeny").best_first(), turned
        )


@pytest.mark.parametrize("method", IRREVERSIBLE)
def test_these_look_harder_at_the_top_and_do_not_reverse(method: str) -> None:
    assert not all(reverses(profile(seed), method) for seed in range(PROFILES))


@pytest.mark.parametrize("method", CONDORCET)
def test_a_condorcet_winner_comes_first_and_alone(method: str) -> None:
    won = {seed: winner(profile(seed)) for seed in range(PROFILES)}
    for seed, first in some((seed, first) for seed, first in won.items() if first is not None):
        assert groups(profile(seed), method)[0] == {first}


@pytest.mark.parametrize("method", NOT_CONDORCET)
def test_others_may_put_somebody_else_before_a_condorcet_winner(method: str) -> None:
    found = [(winner(profile(seed)), groups(profile(seed), method)[0]) for seed in range(4 * PROFILES)]
    assert any(first is not None and best != {first} for first, best in found)


def test_two_middle_items_tie_under_eq_11_with_one_full_list_of_even_length() -> None:
    for method in ("stagg_bc(shape='paper')", "stagg_rrf(shape='paper')"):
        assert {"b", "c"} in groups([list("abcd")], method)
    assert groups([list("abcd")], "stagg_bc(shape='linear')") == [{"a"}, {"b"}, {"c"}, {"d"}]
