"""Places as features."""

from __future__ import annotations

import numpy as np

from stagg import Rankings
from stagg.features.borda import BordaFeatures
from stagg.features.ranks import RankFeatures


def test_ties_have_the_mean_of_their_ranks_and_votes_count_lists_of_the_query() -> None:
    rankings = Rankings.from_runs(
        {
            "x": {"q": {"a": 3.0, "b": 2.0, "c": 2.0}, "r": {"a": 1.0}},
            "y": {"q": {"c": 1.0}},
            "z": {"r": {"b": 1.0}},
        }
    )
    table = RankFeatures(missing_bits=False).of(rankings)
    assert table[:, :3].tobytes() == BordaFeatures(missing_bits=False).of(rankings).tobytes()
    np.testing.assert_allclose(table[:, 3], [1 / 11, 1 / 12.5, 1 / 12.5, 1 / 11, 0])
    assert table[:, -1].tolist() == [0.5, 0.5, 1.0, 0.5, 0.5]
