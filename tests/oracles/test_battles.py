"""Strengths from battles against arena-rank and ppi-python; run by ``make oracles``.

arena-rank 0.1.1 asks for numpy 2.3.3 and is therefore not among the pins (numpy 2.4.6). Its tests are skipped unless
you add it to the environment of the oracles: ``pip install --no-deps arena-rank==0.1.1 jax==0.8.1 jaxlib==0.8.1
jaxtyping optax opt_einsum ml_dtypes absl-py wadler_lindig``.
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import norm

from stagg.kernels.fitting.anchored import anchor_votes
from stagg.kernels.fitting.davidson import Comparisons, DavidsonModel, covariance, fit_votes
from stagg.leaderboards.battles.battle_fits import ELO, START, to_comparisons
from stagg.leaderboards.table_input import battle_rows

DATA = Path(os.environ.get("STAGG_DATA", "../shared/data")) / "leaderboards"


@pytest.mark.parametrize("judge", ["human", "gpt-4", "gpt-3.5"])
def test_ratings_and_widths_are_those_of_arena_rank(judge: str) -> None:
    """Theirs counts a tie as half a win, and has no preference for a place and no clusters."""
    bradley_terry = pytest.importorskip("arena_rank.models.bradley_terry")
    data_utils = pytest.importorskip("arena_rank.utils.data_utils")
    pandas = pytest.importorskip("pandas")
    path = DATA / f"arena_{judge}.csv.gz"
    if not path.exists():
        pytest.skip(f"{path} is not there")
    theirs = data_utils.PairDataset.from_pandas(pandas.read_csv(path))
    model = bradley_terry.BradleyTerry(n_competitors=len(theirs.competitors), ftol=1e-14, gtol=1e-10)
    found = model.compute_ratings_and_cis(theirs)
    rows = battle_rows(str(path))
    assert rows is not None
    assert list(rows.contestants) == list(theirs.competitors)
    bare = DavidsonModel.of(len(rows.contestants), np.zeros(1, dtype=bool), np.zeros(1, dtype=bool))
    votes = to_comparisons(rows)
    point = fit_votes(votes, bare).point
    widths = 2 * norm.ppf(0.975) * ELO * np.sqrt(np.diag(covariance(point, votes, bare)))
    assert START + ELO * point == pytest.approx(np.asarray(found["ratings"]), rel=1e-4, abs=0.01)
    assert widths == pytest.approx(np.asarray(found["rating_upper"] - found["rating_lower"]), rel=0.05)


@pytest.mark.parametrize(("seed", "weight"), [(1, 0.0), (2, 0.5), (3, 1.0), (4, 0.3)])
def test_without_ties_and_places_an_anchor_is_ppi_logistic(seed: int, weight: float) -> None:
    ppi = pytest.importorskip("ppi_py")
    rng = np.random.default_rng(seed)
    n, every, contestants = 200, 1200, 4
    truth = np.linspace(0.8, -0.8, contestants)
    first = rng.integers(0, contestants, every)
    second = (first + rng.integers(1, contestants, every)) % contestants
    won = rng.random(every) < 1 / (1 + np.exp(truth[second] - truth[first]))
    said = np.where(rng.random(every) < 0.7, won, rng.random(every) < 0.6)
    design = np.zeros((every, contestants))
    design[np.arange(every), first], design[np.arange(every), second] = 1.0, -1.0
    design = design[:, 1:] - 0 * design[:, :1]  # the first contestant is the origin
    theirs = ppi.ppi_logistic_pointestimate(
        design[:n], won[:n].astype(float), said[:n].astype(float), design, said.astype(float), lam=weight,
        optimizer_options={"ftol": 1e-15, "gtol": 1e-12, "maxiter": 10000},
    )  # fmt: skip
    bare = DavidsonModel.of(contestants, np.zeros(1, dtype=bool), np.zeros(1, dtype=bool))
    judge, times = np.zeros(every, dtype=int), np.ones(every)
    people, llm = (Comparisons(first, second, judge, np.where(each, 1, -1), times) for each in (won, said))
    some, all_of = np.arange(n), np.arange(every)
    done = anchor_votes(
        people.take(some), bare, llm, bare, fit_votes(llm, bare).point, (some, some), (some, all_of), weight=weight
    )
    assert done.point[1:] - done.point[0] == pytest.approx(np.squeeze(theirs), abs=1e-4)
