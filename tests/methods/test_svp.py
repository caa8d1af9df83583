"""SVP: worked numbers, exact recovery from a part of the entries, and the closed form where all pairs are known."""

from __future__ import annotations

import numpy as np
import pytest
from tests.laws.laws import monotonicity
from tests.methods.toys import TOY_F, TOY_P, random_positions, scores, scores_of
from tests.strategies import random_rankings

from stagg import InvalidParameter, NotConverged, Rankings, fuse
from stagg.kernels.arrays import FloatArray
from stagg.kernels.pairs.singular_values import first_pair, projection
from stagg.methods.pairwise.svp import SVP


@pytest.mark.parametrize(
    ("lists", "method", "expected"),
    [
        (TOY_F, "svp", [0.83333333, 0.5, -0.5, -0.83333333]),
        (TOY_F, "svp(step=1)", [0.83333333, 0.5, -0.5, -0.83333333]),
        (TOY_F, "svp(form='binary')", [0.33384243, 0.24062001, -0.24062001, -0.33384243]),
        (TOY_P, "svp", [-0.09902569, 0.93273682, -0.30775341, -0.46270965, -0.06324807]),
    ],
)
def test_the_worked_numbers_come_out(lists: list[str], method: str, expected: list[float]) -> None:
    assert scores(lists, method, missing="skip") == pytest.approx(expected, abs=1e-8)


def slow_projection(matrix: FloatArray, known: np.ndarray, step: float, steps: int) -> FloatArray:
    """So many steps, by the singular value decomposition of numpy."""
    x = np.zeros_like(matrix)
    for _ in range(steps):
        u, s, v = np.linalg.svd(x - step * known * (x - matrix))
        x = (u[:, :2] * s[:2]) @ v[:2]
    return x


def skew(seed: int, n: int) -> FloatArray:
    s, t = np.random.default_rng(seed).normal(size=(2, n))
    return np.outer(s, t) - np.outer(t, s)


@pytest.mark.parametrize("seed", range(3))
def test_a_skew_matrix_of_rank_2_is_found_again_from_a_part_of_it(seed: int) -> None:
    n = 40
    matrix = skew(seed, n)
    mask = np.triu(np.random.default_rng(seed).random((n, n)) < 0.6, 1)
    known = mask | mask.T
    found = projection(matrix, known, step=1.0, tolerance=1e-9, limit=5000)
    assert found.settled
    np.testing.assert_allclose(found.point, matrix, atol=1e-6)


@pytest.mark.parametrize("seed", range(3))
def test_scores_are_found_again_from_differences_of_some_pairs(seed: int) -> None:
    rng = np.random.default_rng(seed)
    s = rng.normal(size=30)
    mask = np.triu(rng.random((30, 30)) < 0.5, 1)
    found = projection(s[:, None] - s, mask | mask.T, step=1.0, tolerance=1e-9, limit=5000)
    assert found.point.mean(axis=1) == pytest.approx(s - s.mean(), abs=1e-6)


@pytest.mark.parametrize("seed", range(3))
def test_the_steps_are_those_of_the_written_out_svd(seed: int) -> None:
    rng = np.random.default_rng(seed)
    noisy = skew(seed, 8) + 0.1 * (noise := rng.normal(size=(8, 8))) - 0.1 * noise.T
    mask = np.triu(rng.random((8, 8)) < 0.8, 1)
    for known in (mask | mask.T, ~np.eye(8, dtype=bool)):
        for steps in (1, 5):
            found = projection(noisy, known, step=0.3, tolerance=1e-300, limit=steps)
            np.testing.assert_allclose(found.point, slow_projection(noisy, known, 0.3, steps), atol=1e-10)


def test_of_equal_pairs_of_singular_values_all_are_kept() -> None:
    block = np.array([[0.0, 1.0], [-1.0, 0.0]])
    twice = np.kron(np.eye(2), block)
    np.testing.assert_allclose(first_pair(twice), twice, atol=1e-12)
    assert not first_pair(np.zeros((3, 3))).any()


@pytest.mark.parametrize("form", ["arithmetic", "geometric"])
def test_where_all_pairs_are_compared_the_scores_are_the_row_means(form: str) -> None:
    for seed in range(10):
        positions, weights = random_positions(seed), np.array([1.0, 2, 1, 0.5, 3, 1])
        method = SVP(form=form)
        matrix, known = method.differences(positions, weights)
        assert known.sum() == 7 * 6
        found = method.fit(positions, weights, "1")
        assert found == pytest.approx(matrix.mean(axis=1), abs=1e-10)


def test_arithmetic_below_has_the_differences_of_mean_ranks() -> None:
    by_svp, by_rank = scores(TOY_P, "svp"), scores(TOY_P, "mean_rank")
    assert np.array(by_svp) - by_svp[0] == pytest.approx(np.array(by_rank) - by_rank[0], abs=1e-10)


def test_under_binary_a_raised_item_can_fall() -> None:
    given = random_rankings(10_295, items=7)
    wrong = monotonicity(SVP(form="binary"), given, np.random.default_rng(295))
    assert wrong is not None
    assert monotonicity(SVP(), given, np.random.default_rng(295)) is None


def test_the_forms_by_hand() -> None:
    positions, weights = np.array([[0.0, 1, 2], [1, 0, -1], [0.5, 0.5, -1]]), np.array([1.0, 2.0, 1.0])
    cell = {form: SVP(form=form, missing="skip").differences(positions, weights)[0][0, 1] for form in FORMS}
    assert cell["arithmetic"] == pytest.approx((1 - 2 + 0) / 4)
    assert cell["geometric"] == pytest.approx((1 - 2) * np.log(3 / 2) / 4)
    assert cell["binary"] == pytest.approx((1 - 2) / 4)
    assert cell["logodds"] == pytest.approx(np.log((1 + 2) / (1 + 3)))


FORMS = ("arithmetic", "geometric", "binary", "logodds")


@pytest.mark.parametrize("form", FORMS)
def test_parts_that_no_list_connects_are_fitted_each_on_its_own(form: str) -> None:
    together = scores(["AB", "CDE", "DCE"], f"svp(form='{form}', missing='skip', step=1)")
    assert sum(together[:2]) == pytest.approx(0, abs=1e-12)
    assert together[0] > 0
    assert sum(together[2:]) == pytest.approx(0, abs=1e-9)
    assert scores(["A", "B"], f"svp(form='{form}', missing='skip')") == [0, 0]


@pytest.mark.parametrize("form", FORMS)
def test_one_item_one_list_and_ties(form: str) -> None:
    assert scores(["A"], f"svp(form='{form}')") == [0]
    assert fuse([["a", "b", "c"]], f"svp(form='{form}')").best_first()[0] == "a"
    assert scores_of(Rankings.from_lists([[["a", "b"]]]), f"svp(form='{form}')") == [0, 0]


def test_what_does_not_settle_says_how_much_it_still_changed() -> None:
    with pytest.raises(
        NotConverged, match=r"svp: query '1' did not settle in 2 steps; the last changed the residual by"
    ):
        fuse([["a", "b", "c"], ["b", "d"]], "svp(missing='skip', iterations=2)")


def test_wrong_parameters_are_refused() -> None:
    for text, message in [
        ("form='nuclear'", "one of 'arithmetic'"),
        ("step=1.5", "step is 1.5"),
        ("step=0", "above 0"),
    ]:
        with pytest.raises(InvalidParameter, match=message):
            fuse([["a"]], f"svp({text})")
