"""Singular vectors of lists as features."""

from __future__ import annotations

import numpy as np
import pytest

from stagg import InvalidParameter, Rankings
from stagg.features import FEATURES
from stagg.features.svd import SVD
from stagg.kernels.pairs.pair_matrices import pair_matrix

TOY_P = Rankings.from_lists([list("ABC"), list("BDAE"), list("ECAD")])


def test_the_vectors_of_the_worked_example_times_their_values() -> None:
    table = SVD(missing_bits=False).of(TOY_P)[:, 3:6]  # of the second list, BDAE; items A..E
    sigma = 2.24697960
    np.testing.assert_allclose(table[:, 0] / sigma, [0.32798528, 0.73697623, 0, 0.59100905, 0], atol=1e-8)
    np.testing.assert_allclose(table[:, 1], [sigma, sigma, 0, sigma, sigma], atol=1e-8)
    np.testing.assert_allclose(table[:, 2] / sigma, [0.59100905, 0, 0, 0.32798528, 0.73697623], atol=1e-8)


def test_u_is_what_an_item_beats_weighted_by_v() -> None:
    table = SVD(missing_bits=False, singular_values=False).of(Rankings.from_lists([list("abcdefg")]))
    left, right = table.T
    matrix = pair_matrix(np.arange(1.0, 8.0), "binary")
    np.testing.assert_allclose(left, matrix @ right / np.linalg.norm(right))
    assert (np.diff(left) < 0).all()
    assert (np.diff(right) > 0).all()


def test_columns_go_ranker_by_ranker() -> None:
    assert SVD(rank=2).columns(["x", "y"]) == [
        *["x:u1", "x:u2", "x:s1", "x:s2", "x:v1", "x:v2"],
        *["y:u1", "y:u2", "y:s1", "y:s2", "y:v1", "y:v2"],
        *["x:missing", "y:missing"],
    ]
    assert SVD(singular_values=False, missing_bits=False).columns(["x"]) == ["x:u1", "x:v1"]


def test_components_beyond_those_of_a_list_are_zero_and_the_first_do_not_change() -> None:
    short, long = SVD(rank=2, missing_bits=False).of(TOY_P), SVD(rank=9, missing_bits=False).of(TOY_P)
    assert long[:, :2].tobytes() == short[:, :2].tobytes()
    assert not long[:, 2:9].any()  # the first list has three items and so two components


def test_the_singular_values_can_be_left_out() -> None:
    whole = SVD(missing_bits=False).of(TOY_P)
    assert SVD(missing_bits=False, singular_values=False).of(TOY_P).tolist() == whole[:, [0, 2, 3, 5, 6, 8]].tolist()


@pytest.mark.parametrize("text", ["svd(form='cubic')", "svd(rank=0)", "svd(rank=1.5)", "svd(singular_values=1)"])
def test_values_out_of_range_are_refused(text: str) -> None:
    with pytest.raises(InvalidParameter, match=r"svd: (form|rank|singular_values)"):
        FEATURES.parse(text)
