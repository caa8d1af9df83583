"""Kemeny's rule and local Kemenization: worked examples (METHODS.md, sections 3.4 and 3.5), brute force, bounds."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Iterator

import numpy as np
import pytest
from tests.laws.laws import CHECKS
from tests.methods.toys import TOY_F, TOY_P, scores
from tests.strategies import random_rankings

from stagg import DataWarning, InvalidParameter, Rankings, UnknownName, fuse
from stagg.data.query import Query
from stagg.kernels.arrays import FloatArray, IntArray
from stagg.kernels.orders import kemeny as kernel
from stagg.kernels.orders.kemeny import heuristic_order, kemeny_order
from stagg.kernels.orders.kemeny_exact import _Program, cost_to_go, integer_program
from stagg.kernels.orders.kemeny_moves import cost_of
from stagg.kernels.orders.local_kemeny import inserted, local_kemeny, tell_apart
from stagg.kernels.pairs.pairwise import pair_wins
from stagg.methods import METHODS

MISSING = ["below", "skip"]


def toy(lists: list[str]) -> Rankings:
    return Rankings.from_lists([list(each) for each in lists])


def score_of(order: list[str], view: Query, missing: str) -> float:
    """Σ W[b, a] over the pairs a before b of the order: the Kemeny score."""
    wins = pair_wins(view.positions, view.weights, missing)
    places = [view.items.index(item) for item in order]
    return float(sum(wins[b, a] for a, b in itertools.combinations(places, 2)))


def all_orders(matrix: FloatArray | IntArray) -> tuple[IntArray, FloatArray]:
    """Every order of the items, and the sum of matrix[b, a] over its pairs a before b."""
    orders = np.array(list(itertools.permutations(range(len(matrix)))), dtype=np.intp)
    pairs = itertools.combinations(range(len(matrix)), 2)
    return orders, sum((matrix[orders[:, q], orders[:, p]] for p, q in pairs), np.zeros(len(orders)))


def random_margin(seed: int, n: int, largest: int = 5) -> IntArray:
    upper = np.triu(np.random.default_rng(seed).integers(-largest, largest + 1, (n, n)), 1)
    return np.asarray(upper - upper.T, dtype=np.intp)


def random_views(count: int) -> Iterator[Query]:
    """Queries of up to seven items, partial lists with ties, weighted."""
    for number in range(count):
        rankings = random_rankings(number, queries=1, rankers=3 + number % 4, items=4 + number % 4, ties=number % 3 > 0)
        weights = np.random.default_rng(number).integers(1, 4, len(rankings.rankers))
        yield from rankings.with_weights(weights.tolist())


# --- the worked examples ---------------------------------------------------------------------------------------------


def test_toy_f_has_one_optimum_of_cost_4() -> None:
    found = fuse(toy(TOY_F), "kemeny")
    assert found.best_first() == list("ABCD")
    assert score_of(list("ABCD"), toy(TOY_F)["1"], "skip") == 4
    assert scores(TOY_F, "kemeny") == [4, 3, 2, 1]


def test_toy_p_has_five_optima_of_cost_5_and_the_one_nearest_to_borda_is_taken() -> None:
    view = toy(TOY_P)["1"]
    costs = {order: score_of(list(order), view, "skip") for order in map("".join, itertools.permutations("ABCDE"))}
    best = {order for order, cost in costs.items() if cost == min(costs.values())}
    assert min(costs.values()) == 5
    assert best == {"ABECD", "BAECD", "BEACD", "BECAD", "BECDA"}
    assert fuse(toy(TOY_P), "borda(missing='below')").best_first() == list("ABECD")
    assert fuse(toy(TOY_P), "kemeny(missing='skip')").best_first() == list("ABECD")


def test_local_kemenization_of_toy_p_moves_c_above_d() -> None:
    view = toy(TOY_P)["1"]
    wins = pair_wins(view.positions, view.weights, "skip")
    margin = (wins - wins.T).astype(np.intp)
    places = {item: place for place, item in enumerate("BAEDC")}
    start = np.array([places[item] for item in view.items])
    found = local_kemeny(start, margin)
    order = [view.items[i] for i in np.argsort(found)]
    assert "".join(order) == "BAECD"
    assert score_of(order, view, "skip") == 5


# --- exact routes ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("missing", MISSING)
def test_the_ranking_is_the_best_of_all_by_the_stated_rule(missing: str) -> None:
    checked = 0
    for view in random_views(90):
        if not view.rankers:
            continue
        names = sorted(view.items, reverse=True)
        columns = [view.items.index(name) for name in names]
        orders, costs = all_orders(pair_wins(view.positions[:, columns], view.weights, missing))
        borda = fuse(view.rankings, "borda(missing='below')").to_runs()["stagg-borda"][view.id]
        ahead = np.array([[borda[a] > borda[b] + 1e-9 for b in names] for a in names])
        turned = all_orders(ahead)[1]
        # orders come in lexicographic order of ids, descending: the first of the best is the one
        expected = orders[np.lexsort((np.arange(len(orders)), turned, costs))[0]]
        fused = fuse(view.rankings, f"kemeny(missing={missing!r})")
        found = [names.index(name) for name in fused.best_first(view.id)]
        mine = int(np.flatnonzero((orders == found).all(axis=1))[0])
        assert (costs[mine], turned[mine]) == (costs.min(), turned[costs == costs.min()].min())
        if len(set(fused.to_runs()["stagg-kemeny"][view.id].values())) == len(names):  # none are tied
            assert found == expected.tolist()
            checked += 1
    assert checked > 60


def test_all_subsets_and_the_integer_program_agree_with_brute_force() -> None:
    for number in range(60):
        margin = random_margin(number, 3 + number % 5)
        orders, costs = all_orders(np.maximum(margin, 0))
        assert cost_to_go(margin)[0][-1] == costs.min()
        order, bound = integer_program(margin, orders[0], np.inf)
        assert cost_of(order, margin) == bound == costs.min()


def test_the_integer_program_agrees_with_all_subsets_where_the_linear_one_has_fractions(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    integer: list[bool] = []
    solve = _Program.solve
    monkeypatch.setattr(_Program, "solve", lambda self, *given: (integer.append(given[0]), solve(self, *given))[1])
    for number in range(30):
        margin = random_margin(number, 12, largest=1)
        order, bound = integer_program(margin, np.arange(12), np.inf)
        assert cost_of(order, margin) == bound == cost_to_go(margin)[0][-1]
    assert any(integer), "no case had fractions: choose other ones"


def test_components_are_solved_one_by_one_by_either_route(monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(30):
        margin = random_margin(number, 9, largest=2)
        by_subsets = kemeny_order(margin)
        assert by_subsets.cost == by_subsets.bound == cost_of(by_subsets.order, margin)
        monkeypatch.setattr(kernel, "LARGEST_TABLE", 2)
        by_program = kemeny_order(margin)
        monkeypatch.undo()
        assert (by_program.cost, by_program.bound) == (by_subsets.cost, by_subsets.bound)


def test_of_neighbours_that_nothing_decides_the_smaller_comes_first_by_the_integer_program() -> None:
    neighbours = 0
    for number in range(5):
        margin = random_margin(number, 12, largest=1)
        order = kemeny_order(margin).order
        for above, below in itertools.pairwise(order.tolist()):
            neighbours += margin[above, below] == 0
            assert margin[above, below] > 0 or above < below
    assert neighbours > 5, "too few ties: choose other cases"


def test_the_bound_is_a_bound_whenever_the_time_ends() -> None:
    for number in range(10):
        margin = random_margin(number, 14)
        best = kemeny_order(margin).cost
        found = kemeny_order(margin, seconds=0)
        assert found.bound <= best <= found.cost == cost_of(found.order, margin)


def test_an_unproven_ranking_comes_with_a_warning_that_names_query_and_gap() -> None:
    rng = np.random.default_rng(0)
    lists = Rankings.from_lists([[f"i{k:02d}" for k in rng.permutation(30)] for _ in range(5)], query="topic 7")
    with pytest.warns(DataWarning, match=r"query 'topic 7': not proven optimal within 1e-09 s; .* \(gap \d+\.\d%\)"):
        found = fuse(lists, "kemeny(time_limit=1e-9)")
    assert len(found.best_first()) == 30
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fuse(lists, "kemeny")


def test_what_cannot_finish_is_refused_with_the_name_of_the_heuristic() -> None:
    rng = np.random.default_rng(0)
    lists = [[f"i{k:03d}" for k in rng.permutation(260)] for _ in range(3)]
    with pytest.raises(InvalidParameter, match=r"query '1': 2\d\d items hang .* use kemeny\(exact=False\)"):
        fuse(lists, "kemeny")
    assert len(fuse(lists, "kemeny(exact=False)").best_first()) == 260
    agreed = [f"i{k:03d}" for k in range(260)]
    assert fuse([agreed], "kemeny").best_first() == agreed  # many items, no cycle


def test_weights_that_are_no_whole_numbers_go_by_their_proportions() -> None:
    for view in random_views(20):
        halves = view.rankings.with_weights((view.rankings.weights * 0.3).tolist())
        assert fuse(halves, "kemeny").to_lists() == fuse(view.rankings, "kemeny").to_lists()


# --- heuristics ------------------------------------------------------------------------------------------------------


def test_the_heuristic_leaves_no_item_a_better_place_and_is_mostly_right() -> None:
    right = 0
    for number in range(40):
        margin = random_margin(number, 8)
        found = heuristic_order(margin)
        order = found.order.tolist()
        assert found.cost == cost_of(found.order, margin)
        for item, place in itertools.product(range(8), range(8)):
            rest = [other for other in order if other != item]
            moved = np.array([*rest[:place], item, *rest[place:]])
            assert cost_of(moved, margin) >= found.cost
        right += found.cost == cost_to_go(margin)[0][-1]
    assert right >= 30


@pytest.mark.parametrize("method", ["local_kemeny", "mclk", "mclk(chain='mc1')", "local_kemeny(start='rrf(c=60)')"])
@pytest.mark.parametrize("missing", MISSING)
def test_nobody_is_beaten_by_the_next_one_after_local_kemenization(method: str, missing: str) -> None:
    for view in random_views(90):
        fused = fuse(view.rankings, method, missing=missing)
        wins = pair_wins(view.positions, view.weights, missing)
        groups = fused.to_lists().get(view.id, {}).get(fused.rankers[0], [])
        for upper, lower in itertools.pairwise(groups):
            over = [view.items.index(item) for item in upper]
            under = [view.items.index(item) for item in lower]
            assert wins[np.ix_(over, under)].sum() >= wins[np.ix_(under, over)].sum()


def test_insertion_stops_at_the_first_item_that_is_not_beaten() -> None:
    # 2 beats 0 but not 1, behind which it stands: it stays
    assert inserted(np.array([[0, 1, -1], [-1, 0, 0], [1, 0, 0]])).tolist() == [0, 1, 2]


def test_symmetric_items_tied_in_the_start_stay_tied() -> None:
    cycle = Rankings.from_lists([list("ABCD"), list("BCAD"), list("CABD")])
    found = fuse(cycle, "local_kemeny").to_runs()["stagg-local_kemeny"]["1"]
    assert found == {"A": 3, "B": 3, "C": 3, "D": 1}


def test_items_tied_in_the_start_go_by_majority() -> None:
    # votecount ties all three; majorities put c first, then b
    found = fuse([["c", "b", "a"], ["c", "a", "b"], ["b", "c", "a"]], "local_kemeny(start='votecount')")
    assert [set(group) for group in found["1"].lists["stagg-local_kemeny"]] == [{"c"}, {"b"}, {"a"}]


def test_items_of_one_place_go_by_wins_among_themselves_then_by_all_margins_then_by_the_first_places() -> None:
    # 0 beats 1, though 1 does better against 2
    assert tell_apart(np.array([0, 0, 1]), np.array([[0, 1, -5], [-1, 0, 5], [5, -5, 0]])).tolist() == [0, 1, 2]
    # 0 and 1 do not meet: 1 does better against 2
    assert tell_apart(np.array([0, 0, 1]), np.array([[0, 0, -5], [0, 0, 5], [5, -5, 0]])).tolist() == [1, 0, 2]
    # 1 and 2 have equal sums: 1 does better against 0, which is first, and 2 against 3, which is last
    margin = np.array([[0, -1, 1, 0], [1, 0, 0, -1], [-1, 0, 0, 1], [0, 1, -1, 0]])
    assert tell_apart(np.array([0, 1, 1, 2]), margin).tolist() == [0, 1, 2, 3]
    assert tell_apart(np.array([0, 1, 1, 2]), -margin).tolist() == [0, 2, 1, 3]


@pytest.mark.parametrize("method", ["kemeny", "kemeny(exact=False)", "local_kemeny", "mclk", "mclk(chain='mc2')"])
@pytest.mark.parametrize("missing", MISSING)
def test_a_condorcet_winner_comes_first(method: str, missing: str) -> None:
    seen = 0
    for view in random_views(120):
        points = fuse(view.rankings, f"copeland(missing={missing!r})").to_runs()["stagg-copeland"].get(view.id, {})
        winners = [item for item, score in points.items() if score == len(points) - 1]
        if len(points) > 1 and winners:
            fused = fuse(view.rankings, method, missing=missing)
            assert fused.to_lists()[view.id][fused.rankers[0]][0] == winners
            seen += 1
    assert seen > 30


def test_raising_an_item_can_lower_it_by_mclk_though_rarely() -> None:
    case = random_rankings(4395, queries=1)
    assert CHECKS["monotonicity"](METHODS.parse("mclk"), case, np.random.default_rng(4395))


# --- limit cases and errors ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["kemeny", "kemeny(exact=False)", "local_kemeny", "mclk"])
def test_one_item_one_list_and_islands_have_an_answer(method: str) -> None:
    assert scores(["A"], method) == [1]
    assert scores(["CAB"], method) == [2, 1, 3]
    order = fuse([["a", "b"], ["c", "d"]], method, missing="skip").best_first()
    assert order.index("a") < order.index("b")
    assert order.index("c") < order.index("d")


def test_items_that_no_list_tells_apart_tie() -> None:
    tied = Rankings.from_lists([["a", {"b", "c"}, "d"], ["d", "a"]])
    assert fuse(tied, "kemeny").to_runs()["stagg-kemeny"]["1"] == {"a": 4, "d": 3, "c": 1.5, "b": 1.5}


@pytest.mark.parametrize(
    ("method", "error", "message"),
    [
        ("kemeny(exact=1)", InvalidParameter, "exact is 1; it must be True or False"),
        ("kemeny(time_limit=0)", InvalidParameter, "time_limit is 0; it must be a number above 0"),
        ("local_kemeny(start='borad')", UnknownName, "did you mean 'borda'"),
        ("local_kemeny(start=3)", InvalidParameter, "start is 3; it must be the text of a method"),
        ("mclk(chain='mc5')", InvalidParameter, "chain is 'mc5'; it must be one of 'mc1', 'mc2', 'mc3', 'mc4'"),
        ("mclk(teleport=-1)", InvalidParameter, "teleport is -1"),
    ],
)
def test_wrong_parameters_are_refused(method: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        METHODS.parse(method)
