"""Kemeny costs against corankco's exact algorithm; run by ``make oracles``."""

from __future__ import annotations

import numpy as np
import pytest

from stagg import Rankings, fuse
from stagg.kernels.pairs.pairwise import pair_wins

corankco_algorithms = pytest.importorskip("corankco.algorithms.exact.exactalgorithmpulp")


def profile(seed: int) -> list[list[str]]:
    rng = np.random.default_rng(seed)
    items = [f"i{k}" for k in range(int(rng.integers(3, 8)))]
    return [[str(i) for i in rng.permutation(items)[: rng.integers(2, len(items) + 1)]] for _ in range(5)]


def our_cost(lists: list[list[str]]) -> float:
    """Pairs of our consensus that lists order the other way, over the pairs that a list holds."""
    rankings = Rankings.from_lists(lists)
    view = next(iter(rankings))
    wins = pair_wins(view.positions, np.ones(len(lists)), "skip")
    order = [view.items.index(item) for item in fuse(rankings, "kemeny(missing='skip')").best_first()]
    return sum(wins[b, a] for k, a in enumerate(order) for b in order[k + 1 :])


def their_cost(lists: list[list[str]]) -> float:
    from corankco.dataset import Dataset
    from corankco.ranking import Ranking
    from corankco.scoringscheme import ScoringScheme

    data = Dataset([Ranking([{item} for item in each]) for each in lists])
    scheme = ScoringScheme.get_induced_measure_scoring_scheme()
    algorithm = corankco_algorithms.ExactAlgorithmPulp()
    return float(algorithm.compute_consensus_rankings(data, scheme, True).kemeny_score)


@pytest.mark.parametrize("seed", range(15))
def test_the_cost_is_that_of_corankcos_exact_algorithm(seed: int) -> None:
    """corankco may tie items in its consensus, which can only be cheaper by what a tie costs there."""
    assert our_cost(profile(seed)) == pytest.approx(their_cost(profile(seed)), abs=1e-9)
