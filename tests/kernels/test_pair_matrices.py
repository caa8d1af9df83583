"""Pairwise matrices of lists and their singular vectors."""

from __future__ import annotations

import numpy as np
import pytest

from stagg.kernels.pairs.pair_matrices import FORMS, list_factors, pair_matrix, pair_tensor

BDAE = np.array([3.0, 1.0, 2.0, 4.0])  # ranks of A, B, D, E: the second list of toy P (METHODS.md, section 5)


def random_ranks(seed: int, length: int = 9) -> np.ndarray:
    """Mean ranks of a list with ties, in no order."""
    values = np.random.default_rng(seed).integers(0, 6, length)
    return np.array([(values < value).sum() + ((values == value).sum() + 1) / 2 for value in values])


def test_the_matrices_of_the_worked_example() -> None:
    assert pair_matrix(BDAE, "binary").tolist() == [[0, 0, 0, 1], [1, 0, 1, 1], [1, 0, 0, 1], [0, 0, 0, 0]]
    assert pair_matrix(BDAE, "difference")[1].tolist() == [0.5, 0.0, 0.25, 0.75]
    np.testing.assert_allclose(pair_matrix(BDAE, "log")[1], np.log([3, 1, 2, 4]) / np.log(4))
    assert pair_matrix(np.array([1.0]), "log").tolist() == [[0.0]]


@pytest.mark.parametrize(
    ("form", "values", "left"),
    [
        ("binary", [2.24697960, 0.80193774, 0.55495813], [0.32798528, 0.73697623, 0.59100905, 0]),
        ("difference", [1.10066971], [0.19216509, 0.84604119, 0.49727948, 0]),
        ("log", [1.48148405], [0.10683912, 0.92314621, 0.36930539, 0]),
    ],
)
def test_the_singular_triples_of_the_worked_example(form: str, values: list[float], left: list[float]) -> None:
    found = list_factors(BDAE, form, 5)
    np.testing.assert_allclose(found.values[: len(values)], values, atol=5e-9)
    np.testing.assert_allclose(found.left[:, 0], left, atol=5e-9)
    assert found.values[3:].tolist() == [0, 0]
    if form == "binary":
        np.testing.assert_allclose(found.right[:, 0], [0.59100905, 0, 0.32798528, 0.73697623], atol=5e-9)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("seed", range(5))
def test_triples_are_those_of_the_whole_matrix(form: str, seed: int) -> None:
    ranks = random_ranks(seed)
    matrix = pair_matrix(ranks, form)
    left, values, right = list_factors(ranks, form, 9)
    np.testing.assert_allclose(values, np.linalg.svd(matrix, compute_uv=False), atol=1e-12)
    np.testing.assert_allclose(left * values @ right.T, matrix, atol=1e-12)
    kept = values > 0
    assert kept.sum() == len(np.unique(ranks)) - 1
    for factor in (left[:, kept], right[:, kept]):
        np.testing.assert_allclose(factor.T @ factor, np.eye(kept.sum()), atol=1e-12)


@pytest.mark.parametrize("form", FORMS)
def test_no_two_singular_values_are_equal_and_the_top_item_is_positive(form: str) -> None:
    for seed in range(30):
        ranks = random_ranks(seed)
        left, values, _ = list_factors(ranks, form, len(np.unique(ranks)) - 1)
        assert (values[1:] < values[:-1] * (1 - 1e-3)).all()
        assert (left[ranks == ranks.min()] > 1e-6).all()


def test_tied_items_have_the_same_bits_and_ends_are_exact_zeros() -> None:
    ranks = random_ranks(3)
    left, _, right = list_factors(ranks, "difference", 3)
    for rank in np.unique(ranks):
        assert len(np.unique(left[ranks == rank], axis=0)) == 1
    assert not left[ranks == ranks.max()].any()
    assert not right[ranks == ranks.min()].any()


@pytest.mark.parametrize("length", [0, 1, 3])
def test_lists_that_compare_nothing_have_zeros(length: int) -> None:
    found = list_factors(np.full(length, 2.0), "log", 2)
    assert found.left.shape == found.right.shape == (length, 2)
    assert not any(part.any() for part in found)


def test_the_tensor_holds_the_matrices_of_the_lists() -> None:
    positions = np.array([[2.0, 0.0, -1.0, 1.0, 3.0], [-1.0, -1.0, 0.0, -1.0, -1.0]])
    tensor = pair_tensor(positions, "log")
    listed = [0, 1, 3, 4]
    np.testing.assert_array_equal(tensor[0][np.ix_(listed, listed)], pair_matrix(BDAE, "log"))
    assert tensor.sum() == pytest.approx(pair_matrix(BDAE, "log").sum())
