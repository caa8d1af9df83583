"""Plackett-Luce and Bradley-Terry against choix, and Thurstone against statsmodels; run by ``make oracles``."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import pytest

from stagg.kernels.fitting.newton import newton
from stagg.kernels.fitting.pair_models import ogive, sigmoid
from stagg.kernels.fitting.plackett_luce import likelihood, maximise, stages
from stagg.kernels.pairs.pairwise import pair_wins

choix = pytest.importorskip("choix")


def random_lists(seed: int, *, lists: int = 12, n: int = 8, shortest: int = 3) -> list[list[int]]:
    rng = np.random.default_rng(seed)
    return [rng.permutation(n)[: rng.integers(shortest, n + 1)].tolist() for _ in range(lists)]


def positions_of(lists: list[list[int]], n: int) -> np.ndarray:
    table = np.full((len(lists), n), -1.0)
    for row, each in zip(table, lists, strict=True):
        row[each] = np.arange(len(each))
    return table


@pytest.mark.parametrize("seed", range(5))
def test_the_maximum_of_the_likelihood_is_that_of_ilsr_and_mm(seed: int) -> None:
    lists = random_lists(seed)
    found = maximise(stages(positions_of(lists, 8), np.ones(len(lists)), "skip"), prior=0).point
    for theirs in (choix.ilsr_rankings(8, lists, alpha=0, tol=1e-12), choix.mm_rankings(8, lists, tol=1e-12)):
        assert found == pytest.approx(theirs - theirs.mean(), abs=1e-8)


@pytest.mark.parametrize("seed", range(5))
def test_the_prior_is_twice_the_alpha_of_opt_rankings(seed: int) -> None:
    lists = random_lists(seed)
    found = maximise(stages(positions_of(lists, 8), np.ones(len(lists)), "skip"), prior=1.0).point
    assert found == pytest.approx(choix.opt_rankings(8, lists, alpha=0.5, method="Newton-CG", tol=1e-12), abs=1e-6)


@pytest.mark.parametrize("seed", range(5))
def test_under_below_a_list_is_a_sequence_of_top_1_choices(seed: int) -> None:
    lists = random_lists(seed, lists=30)
    found = maximise(stages(positions_of(lists, 8), np.ones(len(lists)), "below"), prior=0).point
    choices = []
    for each in lists:
        for place, winner in enumerate(each):
            losers = [item for item in range(8) if item not in each[: place + 1]]
            if losers:
                choices.append((winner, losers))
    theirs = choix.ilsr_top1(8, choices, alpha=0, tol=1e-12)
    assert found == pytest.approx(theirs - theirs.mean(), abs=1e-8)


@pytest.mark.parametrize("missing", ["below", "skip"])
@pytest.mark.parametrize("seed", range(5))
def test_a_choice_of_one_among_some_is_a_list_with_the_others_tied_behind_it(seed: int, missing: str) -> None:
    """choix's top-1 data: (winner, losers). The losers of a choice are not drawn to one another."""
    rng = np.random.default_rng(seed)
    choices, table = [], np.full((60, 6), -1.0)
    for row in table:
        among = rng.permutation(6) if missing == "below" else rng.permutation(6)[: rng.integers(2, 7)]
        choices.append((int(among[0]), among[1:].tolist()))
        row[among] = len(among) / 2
        row[among[0]] = 0
    found = maximise(stages(table, np.ones(60), missing), prior=0).point
    theirs = choix.ilsr_top1(6, choices, alpha=0, tol=1e-12)
    assert found == pytest.approx(theirs - theirs.mean(), abs=1e-8)


@pytest.mark.parametrize("seed", range(5))
def test_bradley_terry_is_opt_pairwise(seed: int) -> None:
    wins = pair_wins(positions_of(random_lists(seed), 8), np.ones(12), "skip")
    found = newton(lambda v: sigmoid(v, wins), np.zeros(8)).point
    theirs = choix.ilsr_pairwise_dense(wins.T if _columns_win() else wins, alpha=0, tol=1e-12)
    assert found == pytest.approx(theirs - theirs.mean(), abs=1e-8)


def _columns_win() -> bool:
    """Whether choix counts comparison_matrix[i, j] as wins of j: read off a case with a clear winner."""
    found = choix.ilsr_pairwise_dense(np.array([[0.0, 5.0], [1.0, 0.0]]), alpha=0)
    return bool(found[0] < found[1])


@pytest.mark.parametrize("seed", range(3))
def test_thurstone_is_a_probit_regression_of_statsmodels(seed: int) -> None:
    api = pytest.importorskip("statsmodels.api")
    wins = pair_wins(positions_of(random_lists(seed), 8), np.ones(12), "skip")
    found = newton(lambda v: ogive(v, wins), np.zeros(8)).point
    pairs = [(i, j) for i in range(8) for j in range(i) if wins[i, j] + wins[j, i]]
    design = np.array([np.eye(8)[i] - np.eye(8)[j] for i, j in pairs])[:, :-1]
    outcomes = np.array([[wins[i, j], wins[j, i]] for i, j in pairs])
    link = api.families.links.Probit()
    fitted = api.GLM(outcomes, design, family=api.families.Binomial(link)).fit(tol=1e-12)
    theirs = np.append(fitted.params, 0.0) * np.sqrt(2)
    assert found == pytest.approx(theirs - theirs.mean(), abs=1e-7)


@pytest.mark.parametrize("spread", [0, 1, 3])
def test_fifty_times_faster_at_the_same_likelihood(spread: float) -> None:
    rng = np.random.default_rng(0)
    lists = [np.argsort(-(np.linspace(0, spread, 100) + rng.gumbel(size=100))).tolist() for _ in range(20)]
    positions = positions_of(lists, 100)
    data = stages(positions, np.ones(20), "skip")
    theirs, slow = timed(lambda: choix.ilsr_rankings(100, lists, alpha=0), 2)
    ours, fast = timed(lambda: maximise(stages(positions, np.ones(20), "skip"), prior=0).point, 10)
    assert likelihood(ours, data).value <= likelihood(theirs, data).value + 1e-9
    assert slow / fast > 50, f"choix {slow * 1e3:.0f} ms, stagg {fast * 1e3:.1f} ms"


def timed(call: Callable[[], np.ndarray], times: int) -> tuple[np.ndarray, float]:
    """The result and the shortest CPU time of several calls."""
    shortest = np.inf
    for _ in range(times):
        started = time.process_time()
        found = call()
        shortest = min(shortest, time.process_time() - started)
    return found, shortest
