"""The fit of reliability and dependence, and what follows from it: shares, influence, a reliable consensus."""

from __future__ import annotations

import numpy as np
import pytest

from stagg.kernels.agreement.reliability import (
    combined_shares,
    consensus_reliability,
    excess_agreement,
    fitted,
    influences,
    shares,
    without_gaps,
)

RIDGE, EXCESS = 2.0, 0.05


def fit_of(agreements: np.ndarray, candidates: float = 1e6):
    return fitted(agreements, np.ones(agreements.shape, dtype=bool), candidates, ridge=RIDGE, excess=EXCESS)


def one_factor(reliability: list[float]) -> np.ndarray:
    agreements = np.outer(reliability, reliability)
    np.fill_diagonal(agreements, 1.0)
    return agreements


# --- the fit ----------------------------------------------------------------------------------------------------------


def test_one_factor_is_found_again() -> None:
    true = [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.8, 0.7, 0.6]
    found = fit_of(one_factor(true))
    assert found.converged
    assert found.reliability == pytest.approx(true, abs=0.03)
    assert not found.dependence.any()


@pytest.mark.parametrize("seed", range(20))
def test_no_round_makes_the_objective_larger(seed: int) -> None:
    rng = np.random.default_rng(seed)
    m = int(rng.integers(3, 25))
    table = rng.normal(size=(m, 40)) * rng.uniform(0.2, 3, (m, 1)) + rng.normal(size=40)
    table[m // 2] = table[0] + 0.1 * rng.normal(size=40)
    found = fit_of(np.corrcoef(table), candidates=float(rng.choice([40, 4000])))
    assert (np.diff(found.objective) <= 1e-12).all()
    assert ((found.reliability >= 0.05) & (found.reliability <= 0.99)).all()


def test_the_blocks_are_at_their_minimum() -> None:
    """No single number can be moved, up or down, to make the objective smaller: against a plain evaluation of it."""
    true = one_factor([0.8, 0.7, 0.6, 0.5, 0.4])
    true[0, 1] = true[1, 0] = 0.9
    found = fit_of(true)
    least = _objective(true, found.reliability, found.dependence)
    for k in range(5):
        for step in (-1e-3, 1e-3):
            other = found.reliability.copy()
            other[k] += step
            assert _objective(true, other, found.dependence) > least
    for step in (-1e-3, 1e-3):
        other = found.dependence.copy()
        other[0, 1] += step
        other[1, 0] += step
        assert _objective(true, found.reliability, other) > least


def _objective(agreements: np.ndarray, r: np.ndarray, dependence: np.ndarray) -> float:
    """As the docstring of ``fitted`` has it, number by number."""
    m = len(r)
    v = [1 / max(sum(max(agreements[k, j], 0) ** 8 for j in range(m)), 1) for k in range(m)]
    mean = sum(a * b for a, b in zip(v, r, strict=True)) / sum(v)
    eta = RIDGE / (max(sum(v) * (sum(v) - 3) / 2, 0) + 0.5) + 50 * RIDGE / 1e6
    price = EXCESS + 0.6 / 1e3
    total = 0.5 * eta * sum(v[k] * (r[k] - mean) ** 2 for k in range(m))
    for k in range(m):
        for j in range(m):
            if k != j:
                p, e = r[k] * r[j], agreements[k, j] - dependence[k, j]
                total += 0.5 * v[k] * v[j] * (p**3 / 3 - e * p**2 / 2 + e**3 / 6 + price * dependence[k, j])
    return float(total)


def test_pairs_that_are_not_known_share_no_vote() -> None:
    agreements = one_factor([0.8, 0.7, 0.6, 0.5])
    known = np.ones(agreements.shape, dtype=bool)
    known[0, 1] = known[1, 0] = False
    found = []
    for each in (0.0, 1.0):  # met once, and agreed by chance
        agreements[0, 1] = agreements[1, 0] = each
        found.append(fitted(agreements, known, 1e6, ridge=RIDGE, excess=EXCESS).reliability.tolist())
    assert found[0] == found[1]


def test_of_three_rankers_excess_agreement_is_dependence_not_quality() -> None:
    agreements = np.array([[1.0, 0.8, 0.3], [0.8, 1.0, 0.3], [0.3, 0.3, 1.0]])
    found = fit_of(agreements)
    assert np.ptp(found.reliability) < 0.05
    assert found.dependence[0, 1] > 0.2
    votes = shares(found.reliability, excess_agreement(agreements, found))
    assert votes[2] == 1
    assert votes[0] == votes[1] < 0.7


def test_few_candidates_hold_reliabilities_together() -> None:
    agreements = one_factor([0.9, 0.8, 0.7, 0.3, 0.2])
    many, few = fit_of(agreements, 1e6), fit_of(agreements, 20)
    assert np.ptp(few.reliability) < 0.5 * np.ptp(many.reliability)


def test_where_nobody_agrees_all_are_trusted_alike() -> None:
    found = fit_of(np.eye(4) - 0.1 * (1 - np.eye(4)))
    assert found.reliability == pytest.approx(0.05)


# --- what follows -----------------------------------------------------------------------------------------------------


def test_of_three_rankers_dependence_counts_only_if_order_shows_it_too() -> None:
    held, order = np.array([0.5, 0.5, 1.0]), np.array([1.0, 1.0, 1.0])
    assert combined_shares(held, order).tolist() == [1.0, 1.0, 1.0]
    assert combined_shares(held, held).tolist() == held.tolist()


def test_of_many_rankers_what_they_hold_decides() -> None:
    held, order = np.full(60, 0.25), np.ones(60)
    assert combined_shares(held, order) == pytest.approx(0.25**0.95)


def test_influence_is_share_and_reliability_less_so_the_more_rankers_there_are() -> None:
    for m in (4, 100):
        share, reliability = np.ones(m), np.linspace(0.25, 1.0, m)
        found = influences(share, reliability)
        assert found[-1] == 1
        assert found[0] == pytest.approx(0.25 ** (1 / np.sqrt(m)))


def test_the_reliability_of_a_sum_of_judges_is_that_of_spearman_and_brown() -> None:
    """Simulated: M judges, any two of whom correlate by q; the squared correlation of their sum with the truth."""
    rng, q = np.random.default_rng(0), 0.3
    for m in (1, 2, 5, 20):
        truth = rng.normal(size=100_000)
        judges = np.sqrt(q) * truth + np.sqrt(1 - q) * rng.normal(size=(m, 100_000))
        found = np.corrcoef(judges.sum(axis=0), truth)[0, 1] ** 2
        assert consensus_reliability(m, q) == pytest.approx(found, abs=0.01)


def test_agreement_without_gaps_needs_one_order_and_much_in_common() -> None:
    agreements, by_order, shared = (np.full((5, 1), value) for value in (0.5, 0.0, 1.0))
    by_order[:, 0], shared[:, 0] = [0.96, 0.99, 1.0, 1.0, 0.975], [1.0, 1.0, 0.25, 0.375, 1.0]
    found = without_gaps(agreements, by_order, shared)[:, 0]
    assert found == pytest.approx([0.5, 0.99, 0.5, 0.75, 0.7375])
    near = without_gaps(np.full((1, 1), 0.999), np.full((1, 1), 0.99), np.ones((1, 1)))
    assert near.item() == 0.999  # never less than what is there
