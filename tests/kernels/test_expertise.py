"""The multinomial preference model with expertise: derivatives, and the model without it as a special case."""

from __future__ import annotations

import numpy as np
import pytest
from tests.methods.toys import assert_derivatives

from stagg.kernels.fitting.expertise import expert_multinomial
from stagg.kernels.fitting.pair_models import multinomial, net_counts


def counted(seed: int, lists: int = 4, n: int = 6) -> tuple[np.ndarray, np.ndarray]:
    """(net[k, i], total[k]) of random counts; the last list is empty."""
    counts = np.random.default_rng(seed).integers(0, 4, (lists, n, n)).astype(float)
    counts[:, np.arange(n), np.arange(n)] = 0
    counts[-1] = 0
    net, total = zip(*map(net_counts, counts), strict=True)
    return np.array(net), np.array(total)


@pytest.mark.parametrize("seed", range(4))
def test_the_derivatives_are_right(seed: int) -> None:
    net, total = counted(seed)
    theta = np.array([1.0, 0.4, 1.9, 0.7])
    assert_derivatives(lambda v: expert_multinomial(v, theta, net, total), 6, seed)


def test_the_likelihood_is_that_of_the_pairs_written_out() -> None:
    net, total = counted(1)
    theta, v = np.array([1.0, 0.4, 1.9, 0.7]), np.random.default_rng(1).normal(size=6)
    slow = 0.0
    for k in range(4):
        pairs = sum(np.exp(theta[k] * (v[a] - v[b])) for a in range(6) for b in range(6) if a != b)
        slow += total[k] * np.log(pairs) - theta[k] * (net[k] @ v)
    assert expert_multinomial(v, theta, net, total).value == pytest.approx(slow, rel=1e-13)


def test_expertise_of_one_is_the_model_without_it() -> None:
    net, total = counted(2)
    v = np.random.default_rng(2).normal(size=6)
    found, plain = expert_multinomial(v, np.ones(4), net, total), multinomial(v, net.sum(axis=0), float(total.sum()))
    assert found.value == pytest.approx(plain.value, rel=1e-13)
    np.testing.assert_allclose(found.gradient, plain.gradient, atol=1e-11)
    np.testing.assert_allclose(found.hessian(), plain.hessian(), atol=1e-11)
