"""Corrected means against ppi-python, by the authors of PPI++, where both are alike; run by ``make oracles``."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm, t

from stagg.evaluation.proxy import correct

ppi = pytest.importorskip("ppi_py")

CASES = [(seed, n, more) for seed in range(6) for n, more in ((8, 20), (30, 23), (50, 500))]


def draw(seed: int, n: int, more: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Differences of people, those of a proxy of some quality, and the proxy's of other queries."""
    rng = np.random.default_rng([seed, n, more])
    people = rng.normal(0.05, 0.2, n + more)
    proxy = rng.uniform(0.2, 1.2) * people + rng.normal(0.02, rng.uniform(0.02, 0.3), n + more)
    return people[:n], proxy[:n], proxy[n:]


@pytest.mark.parametrize(("seed", "n", "more"), CASES)
def test_the_estimate_is_theirs_at_the_same_slope(seed: int, n: int, more: int) -> None:
    people, proxy, others = draw(seed, n, more)
    found = correct(people, proxy, others)
    theirs = ppi.ppi_mean_pointestimate(people, proxy, others, lam=found.slope)
    assert found.corrected == pytest.approx(float(np.squeeze(theirs)), abs=1e-12)


@pytest.mark.parametrize(("seed", "n", "more"), CASES)
def test_the_interval_is_theirs_but_for_students_t_and_unbiased_variances(seed: int, n: int, more: int) -> None:
    """Theirs is normal, with variances divided by n; the two parts of the variance are scaled one by one."""
    people, proxy, others = draw(seed, n, more)
    found = correct(people, proxy, others)
    if found.slope == 0:
        pytest.skip("the proxy is of no use: the interval is that of people alone")
    low, high = ppi.ppi_mean_ci(people, proxy, others, alpha=0.05, lam=found.slope)
    theirs = (float(np.squeeze(high)) - float(np.squeeze(low))) / 2 / norm.ppf(0.975)
    rest = found.slope**2 * others.var() / more
    unbiased = (theirs**2 - rest) * n / (n - 1) + rest * more / (more - 1)
    mine = (found.corrected_high - found.corrected_low) / 2 / t.ppf(0.975, n - 2)
    assert mine**2 == pytest.approx(unbiased, rel=1e-9)


@pytest.mark.parametrize(("seed", "n", "more"), CASES)
def test_the_slope_is_theirs_with_the_variance_of_the_proxy_over_all_queries(seed: int, n: int, more: int) -> None:
    """They take Var(proxy) over all queries, and a covariance divided by n; PROOF.md takes both over the n."""
    people, proxy, others = draw(seed, n, more)
    theirs = ppi.ppi_mean_pointestimate(people, proxy, others)
    spread = np.var(np.concatenate([proxy, others]), ddof=1) / np.var(proxy, ddof=1) * n / (n - 1)
    free = np.cov(people, proxy)[0, 1] / ((1 + n / more) * np.var(proxy, ddof=1))  # ours before it is clipped
    slope = float(np.clip(free / spread, 0, 1))
    expected = np.mean(people - slope * proxy) + slope * np.mean(others)
    assert float(np.squeeze(theirs)) == pytest.approx(expected, abs=1e-12)
    assert correct(people, proxy, others).slope == pytest.approx(float(np.clip(free, 0, 1)))
