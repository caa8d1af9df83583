"""The first ranks of a distribution against the whole distribution."""

from __future__ import annotations

import numpy as np
import pytest

from stagg.kernels.stochastic.contests import Shape, certain, harmonic, linear, logistic, paper, shrunk
from stagg.kernels.stochastic.first_rank_pmf import first_ranks
from stagg.kernels.stochastic.rank_pmf import list_rank_pmf

SHAPES = {
    "paper": paper(),
    "linear": linear(),
    "logistic": logistic(3.0),
    "harmonic": harmonic(1.0),
    "certain": certain(),
    "half trusted": shrunk(certain(), 0.5),
}


@pytest.mark.parametrize("missing", ["below", "neutral", "skip"])
@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_they_are_the_first_columns_of_the_whole(shape: Shape, missing: str) -> None:
    for n, length, ranks in ((12, 12, 5), (12, 7, 30), (40, 1, 3), (9, 8, 9), (150, 60, 30)):
        whole, rest = list_rank_pmf(shape, missing, n, length)
        groups = [(k, k + 1) for k in range(length)]
        first, unlisted = first_ranks(shape, missing, n, length, groups, ranks)
        width = min(n, ranks)
        np.testing.assert_allclose(first[:, :width], whole[:, :width], rtol=1e-12, atol=1e-15)
        np.testing.assert_allclose(unlisted[:width], rest[:width], rtol=1e-12, atol=1e-15)
        assert not first[:, width:].any()


def test_tied_items_share_the_mean_of_their_places() -> None:
    whole, _ = list_rank_pmf(harmonic(1.0), "below", 10, 6)
    first, _ = first_ranks(harmonic(1.0), "below", 10, 6, [(1, 4)], 10)
    np.testing.assert_allclose(first[0], whole[1:4].mean(axis=0), rtol=1e-12)
