"""Rank-biased overlap against the package rbo, on lists without ties, even and uneven; run by ``make oracles``."""

from __future__ import annotations

import numpy as np
import pytest

from stagg.evaluation.overlap import rank_biased_overlap

rbo = pytest.importorskip("rbo")


@pytest.mark.parametrize("p", [0.5, 0.9, 0.98])
def test_the_extrapolated_overlap_is_that_of_rbo(p: float) -> None:
    rng = np.random.default_rng(0)
    for _ in range(300):
        one, two = ([str(item) for item in rng.permutation(30)[: rng.integers(1, 31)]] for _ in range(2))
        ranks = [{item: rank for rank, item in enumerate(each, start=1)} for each in (one, two)]
        expected = rbo.RankingSimilarity(one, two).rbo_ext(p=p)
        assert rank_biased_overlap(*ranks, p=p) == pytest.approx(expected, abs=1e-12)
