"""The CP decomposition as features."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from tests.methods.toys import TOY_P, positions_of

from stagg import DataError, InvalidParameter, MissingExtra, Rankings
from stagg.features import FEATURES, cp
from stagg.features.cp import CP
from stagg.features.parafac import best_fit, component_weights, residual, upright
from stagg.features.svd import SVD
from stagg.kernels.pairs.pair_matrices import pair_tensor

pytest.importorskip("tensorly", reason="the features 'cp' need tensorly")

TOY = Rankings.from_lists([list(each) for each in TOY_P])


@pytest.mark.parametrize(("rank", "expected"), [(1, 9.93253), (2, 4.85083)])
def test_the_residual_of_the_worked_example(rank: int, expected: float) -> None:
    """METHODS.md, section 5: toy P, binary, the best of 20 seeds of tensorly's own random starts."""
    tensor = pair_tensor(positions_of(TOY_P), "binary")
    norm = float(np.linalg.norm(tensor))
    factors = best_fit(tensor / norm, rank=rank, restarts=10, seed=0)
    assert (norm * residual(tensor / norm, factors)) ** 2 == pytest.approx(expected, abs=5e-6)
    if rank == 1:
        assert norm * component_weights(factors) == pytest.approx([2.2511], abs=5e-5)


def test_columns_have_the_norm_of_their_weight() -> None:
    table = CP(missing_bits=False).of(TOY)
    np.testing.assert_allclose(np.linalg.norm(table, axis=0), [2.2511, 2.2511], atol=5e-5)
    assert (table >= -1e-12).all()


def test_one_ranker_gives_its_singular_vectors() -> None:
    for ranking in (list("abcdefg"), ["a", ["b", "c", "d"], "e", ["f", "g"]]):
        one = Rankings.from_lists([ranking])
        for form in ("binary", "difference", "log"):
            expected = SVD(form=form, missing_bits=False, singular_values=False).of(one)
            np.testing.assert_allclose(CP(form=form, missing_bits=False).of(one), expected, atol=1e-4)


def test_rankers_that_agree_count_as_one_with_the_root_of_their_number() -> None:
    one, four = (Rankings.from_lists([list("abcde")] * count) for count in (1, 4))
    np.testing.assert_allclose(CP(missing_bits=False).of(four), 2 * CP(missing_bits=False).of(one), atol=1e-4)


def test_the_residual_is_that_of_the_tensor_written_out() -> None:
    rng = np.random.default_rng(0)
    tensor = rng.random((3, 4, 4))
    tensor /= np.linalg.norm(tensor)
    factors = [rng.normal(size=(size, 2)) for size in (3, 4, 4)]
    written = np.einsum("kp,ip,jp->kij", *factors)
    assert residual(tensor, factors) == pytest.approx(np.linalg.norm(tensor - written))


def test_a_tensor_of_known_components_is_found_again() -> None:
    rng = np.random.default_rng(1)
    truth = [rng.random((size, 2)) for size in (6, 8, 8)]
    tensor = np.einsum("kp,ip,jp->kij", *truth)
    tensor /= np.linalg.norm(tensor)
    factors = best_fit(tensor, rank=2, restarts=10, seed=0)
    assert residual(tensor, factors) < 1e-3
    likeness = np.abs(upright(factors[1]).T @ upright(truth[1])).max(axis=1)
    np.testing.assert_allclose(likeness, 1, atol=1e-3)


def test_upright_vectors_have_norm_1_and_their_largest_entry_positive() -> None:
    turned = upright(np.array([[1.0, 0.0, -2.0], [-3.0, 0.0, 2.0]]))
    np.testing.assert_allclose(turned.T, [[-(0.1**0.5), 0.9**0.5], [0, 0], [0.5**0.5, -(0.5**0.5)]])


def test_more_starts_never_fit_worse() -> None:
    rng = np.random.default_rng(2)
    tensor = rng.random((3, 5, 5)) * (rng.random((3, 5, 5)) > 0.5)
    tensor /= np.linalg.norm(tensor)
    rests = [residual(tensor, best_fit(tensor, rank=2, restarts=count, seed=0)) for count in (1, 4, 16)]
    assert rests[2] <= rests[0] + 1e-6


def test_components_come_by_weight() -> None:
    table = CP(rank=3, missing_bits=False).of(TOY)
    norms = np.linalg.norm(table, axis=0)
    assert (np.diff(norms[:3]) <= 0).all()
    np.testing.assert_allclose(norms[:3], norms[3:])


def test_the_seed_counts_and_the_cache_keeps_seeds_apart() -> None:
    few = {seed: CP(rank=2, restarts=1, seed=seed).of(TOY).tobytes() for seed in range(8)}
    assert len(set(few.values())) > 1
    assert few == {seed: CP(rank=2, restarts=1, seed=seed).of(TOY).tobytes() for seed in range(8)}


def test_without_tensorly_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tensorly.decomposition", None)
    cp.CACHE.clear()
    with pytest.raises(MissingExtra, match=r'need tensorly: pip install "stagg\[cp\]"'):
        CP().of(TOY)


def test_a_tensor_that_would_fill_the_memory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cp, "CELLS", 74)
    with pytest.raises(DataError, match=r"query '1' has too many items for its tensor \(5 x 5 x 3 rankers"):
        CP().of(TOY)


@pytest.mark.parametrize("text", ["cp(form='x')", "cp(rank=0)", "cp(restarts=0)", "cp(seed=-1)", "cp(seed=None)"])
def test_values_out_of_range_are_refused(text: str) -> None:
    with pytest.raises(InvalidParameter, match=r"cp: (form|rank|restarts|seed)"):
        FEATURES.parse(text)
