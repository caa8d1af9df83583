"""Friedman's test and mean ranks against autorank and scikit-posthocs on complete tables; run by ``make oracles``."""

from __future__ import annotations

import numpy as np
import pytest

from stagg.leaderboards.difference_tests import skillings_mack
from stagg.leaderboards.estimators import MEAN_RANK

autorank = pytest.importorskip("autorank")
posthocs = pytest.importorskip("scikit_posthocs")
pandas = pytest.importorskip("pandas")

CASES = [(seed, models, tasks) for seed in range(3) for models, tasks in ((5, 12), (8, 30), (20, 41))]


def draw(seed: int, models: int, tasks: int) -> np.ndarray:
    """cells[model, task], complete, of which some tie."""
    rng = np.random.default_rng([seed, models, tasks])
    return np.round(0.4 * rng.normal(size=(models, 1)) + rng.normal(size=(models, tasks)), 1 if seed % 2 else 6)


@pytest.mark.parametrize(("seed", "models", "tasks"), CASES)
def test_p_and_mean_ranks_are_autoranks(seed: int, models: int, tasks: int) -> None:
    cells = draw(seed, models, tasks)
    frame = pandas.DataFrame(cells.T, columns=[f"m{i}" for i in range(models)])
    theirs = autorank.autorank(frame, alpha=0.05, verbose=False, force_mode="nonparametric", order="descending")
    assert theirs.omnibus == "friedman"
    assert skillings_mack(cells, draws=10).p == pytest.approx(theirs.pvalue, abs=1e-12)
    ours = -MEAN_RANK.fit(cells, np.ones(tasks))
    ranks = theirs.rankdf["meanrank"]
    assert [ranks[f"m{i}"] for i in range(models)] == pytest.approx(ours.tolist())


@pytest.mark.parametrize(("seed", "models", "tasks"), CASES)
def test_nemenyis_p_follows_from_our_mean_ranks(seed: int, models: int, tasks: int) -> None:
    """Nemenyi's p is that of the studentised range at |difference of mean ranks| √2 / √(k (k + 1) / (6 n))."""
    from scipy.stats import studentized_range

    cells = draw(seed, models, tasks)
    theirs = posthocs.posthoc_nemenyi_friedman(cells.T).to_numpy()
    ranks = MEAN_RANK.fit(cells, np.ones(tasks))
    size = np.abs(ranks[:, None] - ranks) * np.sqrt(2) / np.sqrt(models * (models + 1) / (6 * tasks))
    ours = studentized_range.sf(size, models, np.inf)
    apart = ~np.eye(models, dtype=bool)
    assert theirs[apart] == pytest.approx(ours[apart], abs=1e-6)


@pytest.mark.parametrize("seed", range(4))
def test_skillings_mack_on_gaps_is_near_the_permutation(seed: int) -> None:
    cells = draw(2 * seed, 8, 30)
    cells[np.random.default_rng(seed).random(cells.shape) < 0.3] = np.nan
    found = skillings_mack(cells, draws=20_000)
    assert found.p == pytest.approx(found.p_random, abs=0.01)
