"""Markov chains: worked numbers (METHODS.md, section 3.3), written-out matrices and their eigenvectors, limit cases."""

from __future__ import annotations

import numpy as np
import pytest
from tests.laws.laws import CHECKS
from tests.methods.toys import TOY_F, TOY_P, scores
from tests.strategies import random_rankings

from stagg import InvalidParameter, NotConverged, Rankings, fuse
from stagg.data.query import Query
from stagg.kernels.arrays import FloatArray
from stagg.kernels.orders import markov as kernel
from stagg.methods import METHODS
from stagg.methods.pairwise import markov

CHAINS = ["mc1", "mc2", "mc3", "mc4"]
MISSING = ["below", "skip"]


@pytest.mark.parametrize(
    ("lists", "method", "expected"),
    [
        (TOY_F, "mc1", [0.38865139, 0.30522187, 0.17550257, 0.13062417]),
        (TOY_F, "mc2", [0.46727021, 0.28942885, 0.13908664, 0.10421430]),
        (TOY_F, "mc3", [0.43120427, 0.31517254, 0.14507942, 0.10854376]),
        (TOY_F, "mc4", [0.68965517, 0.17991004, 0.08281573, 0.04761905]),
        (TOY_F, "mc1(teleport=0)", [0.42606516, 0.31578947, 0.15789474, 0.10025063]),
        (TOY_F, "mc2(teleport=0)", [0.54392892, 0.28430405, 0.11056269, 0.06120434]),
        (TOY_F, "mc3(teleport=0)", [0.51515152, 0.31818182, 0.10606061, 0.06060606]),
        (TOY_F, "mc4(teleport=0)", [1, 0, 0, 0]),
        (TOY_P, "mc1(missing='skip')", [0.28627421, 0.30244252, 0.12556040, 0.12782115, 0.15790172]),
        (TOY_P, "mc2(missing='skip')", [0.27389266, 0.31707692, 0.10492610, 0.11197298, 0.19213134]),
        (TOY_P, "mc3(missing='skip')", [0.28159199, 0.32762145, 0.11545646, 0.11625677, 0.15907334]),
        (TOY_P, "mc4(missing='skip')", [0.2, 0.51875, 0.08246564, 0.06122449, 0.13755987]),
    ],
)
def test_the_worked_numbers_come_out(lists: list[str], method: str, expected: list[float]) -> None:
    assert scores(lists, method) == pytest.approx(expected, abs=6e-9)


# --- slow obvious code -----------------------------------------------------------------------------------------------


def places(view: Query, missing: str) -> list[tuple[dict[str, int], float]]:
    """What each list says, {item: place}, and its weight; below: the unlisted share the place after the last."""
    found = []
    for groups, weight in zip(view.lists.values(), view.weights.tolist(), strict=True):
        place = {item: number for number, group in enumerate(groups) for item in group}
        if missing == "below":
            place = {item: place.get(item, len(groups)) for item in view.items}
        found.append((place, weight))
    return found


def written_out(chain: str, view: Query, missing: str) -> FloatArray:
    """The transition matrix, entry by entry, as Dwork et al. word it."""
    items, lists = view.items, places(view, missing)
    matrix = np.zeros((len(items), len(items)))
    for i, p in enumerate(items):
        holding = [(place, weight) for place, weight in lists if p in place]
        if not holding:
            matrix[i, i] = 1
        for j, q in enumerate(items):
            if chain == "mc1":
                union = sum(w * sum(place[r] <= place[p] for r in place) for place, w in holding)
                matrix[i, j] += sum(w * (q in place and place[q] <= place[p]) for place, w in holding) / (union or 1)
            elif chain == "mc4":
                ahead = sum(w * np.sign(place[p] - place[q]) for place, w in holding if q in place)
                matrix[i, j if ahead > 0 else i] += 1 / len(items) if holding else 0
        total = sum(weight for _, weight in holding)
        for place, weight in holding:
            for q in place:
                j = items.index(q)
                if chain == "mc2" and place[q] <= place[p]:
                    matrix[i, j] += weight / total / sum(place[r] <= place[p] for r in place)
                if chain == "mc3":
                    matrix[i, j if place[q] < place[p] else i] += weight / total / len(place)
    return matrix


def eigenvector(matrix: FloatArray, teleport: float) -> FloatArray:
    n = len(matrix)
    values, vectors = np.linalg.eig(((1 - teleport) * matrix + teleport / n).T)
    best = np.real(vectors[:, np.argmax(np.real(values))])
    return best / best.sum()


@pytest.mark.parametrize("chain", CHAINS)
@pytest.mark.parametrize("missing", MISSING)
def test_scores_are_the_eigenvector_of_the_written_out_matrix(chain: str, missing: str) -> None:
    for number in range(40):
        rankings = random_rankings(number).with_weights([1, 2, 0.5, 3])
        found = fuse(rankings, f"{chain}(missing={missing!r}, teleport=0.1)").to_runs()[f"stagg-{chain}"]
        for view in rankings:
            if not view.rankers:
                continue
            matrix = written_out(chain, view, missing)
            np.testing.assert_allclose(matrix.sum(axis=1), 1, atol=1e-12)
            mine = getattr(kernel, chain)(view.positions, view.weights, missing)
            np.testing.assert_allclose(mine, matrix, atol=1e-12)
            expected = eigenvector(matrix, 0.1)
            np.testing.assert_allclose([found[view.id][item] for item in view.items], expected, atol=1e-9)


@pytest.mark.parametrize("n", [63, 64, 65, 200])
def test_elimination_by_blocks_solves_the_equations(n: int) -> None:
    rng = np.random.default_rng(n)
    chains = rng.random((3, n, n)) ** 20
    chains /= chains.sum(axis=-1, keepdims=True)
    for chain, shares in zip(chains, kernel.stationary(chains, 0.01), strict=True):
        np.testing.assert_allclose(0.99 * shares @ chain + 0.01 / n, shares, rtol=1e-12)


@pytest.mark.parametrize("chain", CHAINS)
@pytest.mark.parametrize("missing", MISSING)
def test_without_teleport_it_is_the_limit_of_small_teleports(chain: str, missing: str) -> None:
    for number in range(40):
        rankings = random_rankings(number)
        for view in rankings:
            if view.rankers:
                matrix = written_out(chain, view, missing)
                limit = kernel.long_run(matrix)
                np.testing.assert_allclose(limit, kernel.stationary(matrix, 1e-7), atol=1e-5)
                np.testing.assert_allclose(limit @ matrix, limit, atol=1e-12)


@pytest.mark.parametrize("teleport", [0.0, 0.15])
@pytest.mark.parametrize("chain", CHAINS)
def test_power_iteration_goes_where_the_equations_go(
    chain: str, teleport: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    rankings = random_rankings(5, queries=4, rankers=6)
    method = f"{chain}(teleport={teleport})"
    direct = METHODS.parse(method).score(rankings)
    monkeypatch.setattr(markov, "LARGEST_DIRECT", 0)
    np.testing.assert_allclose(METHODS.parse(method).score(rankings), direct, atol=1e-10)


def test_an_iteration_that_does_not_settle_says_so_with_the_last_change(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(markov, "LARGEST_DIRECT", 1)
    monkeypatch.setattr(markov, "STEPS", 3)
    with pytest.raises(NotConverged, match=r"mc4\(teleport=0.15\), query '1': after 3 steps .* changed by 0\.\d+"):
        fuse([["a", "b", "c"]], "mc4")


def test_a_large_query_is_iterated_and_agrees_with_its_own_order() -> None:
    names = [f"{number:04d}" for number in range(1100)]
    found = fuse([names, names, names[::-1]], "mc4")
    assert found.best_first() == names


# --- limit cases -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("chain", CHAINS)
@pytest.mark.parametrize("teleport", [0, 1e-300, 1e-8, 0.15, 1])
def test_one_item_or_one_list_is_enough(chain: str, teleport: float) -> None:
    method = f"{chain}(teleport={teleport})"
    assert scores(["A"], method) == [1]
    found = scores(["ABC"], method)
    assert sum(found) == pytest.approx(1)
    assert (found == sorted(found, reverse=True)) or teleport == 1


@pytest.mark.parametrize("chain", CHAINS)
def test_islands_share_the_time_alike(chain: str) -> None:
    islands = Rankings.from_lists([["a", "b"], ["c", "d"]])
    found = fuse(islands, f"{chain}(missing='skip', teleport=0)").to_runs()[f"stagg-{chain}"]["1"]
    assert found == pytest.approx({"a": 0.5, "b": 0, "c": 0.5, "d": 0})
    found = fuse(islands, f"{chain}(missing='skip')").to_runs()[f"stagg-{chain}"]["1"]
    assert found["a"] == pytest.approx(found["c"])
    assert found["a"] > found["b"] == pytest.approx(found["d"])


@pytest.mark.parametrize("missing", MISSING)
@pytest.mark.parametrize("teleport", [0, 0.15])
def test_a_condorcet_winner_comes_first_by_mc4(missing: str, teleport: float) -> None:
    seen = 0
    for number in range(200):
        rankings = random_rankings(number, queries=1).with_weights([1, 2, 1, 3])
        best = fuse(rankings, f"mc4(teleport={teleport}, missing={missing!r})").to_lists()["q0"]["stagg-mc4"]
        points = fuse(rankings, f"copeland(missing={missing!r})").to_runs()["stagg-copeland"]["q0"]
        winners = [item for item, score in points.items() if score == len(points) - 1]
        if len(points) > 1 and winners:
            assert best[0] == winners
            seen += 1
    assert seen > 50


def test_raising_an_item_can_lower_it_though_rarely() -> None:
    case = random_rankings(11811, queries=1)
    assert CHECKS["monotonicity"](METHODS.parse("mc1"), case, np.random.default_rng(11811))


def test_a_wrong_teleport_is_refused() -> None:
    with pytest.raises(InvalidParameter, match=r"teleport is 1\.5; it must be a number 0 or more, at most 1"):
        fuse([["a"]], "mc4(teleport=1.5)")
