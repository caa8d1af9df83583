"""Agreement by exact arithmetic, the fit of reliability and dependence, and what trust does to contests."""

from __future__ import annotations

import numpy as np
import pytest

from stagg.kernels import contests, utilities
from stagg.kernels.expectations import expected_utilities
from stagg.kernels.reliability import (
    CORRELATION_UNIT,
    GAPS,
    agreement,
    concordance,
    excess_agreement,
    fitted,
    shares,
    shrinkages,
    whole_numbers,
)

RIDGE, EXCESS = 2.0, 0.05


def fit_of(agreements: np.ndarray, candidates: float = 1e6):
    return fitted(agreements, np.ones(agreements.shape, dtype=bool), candidates, ridge=RIDGE, excess=EXCESS)


def one_factor(reliability: list[float]) -> np.ndarray:
    agreements = np.outer(reliability, reliability)
    np.fill_diagonal(agreements, 1.0)
    return agreements


# --- agreement --------------------------------------------------------------------------------------------------------


def test_agreement_is_the_correlation_of_what_lists_say() -> None:
    rng = np.random.default_rng(0)
    values = rng.random((4, 300))
    found, varies, _ = agreement(whole_numbers(values))
    assert varies.all()
    assert found * CORRELATION_UNIT == pytest.approx(np.corrcoef(values), abs=1e-6)


@pytest.mark.parametrize("n", [2, 50, 4097])
def test_the_order_of_the_candidates_does_not_change_a_bit(n: int) -> None:
    rng = np.random.default_rng(n)
    values = 1 / (61.0 + rng.integers(0, 1000, (5, n)))
    expected = agreement(whole_numbers(values))[0]
    for _ in range(5):
        assert (agreement(whole_numbers(values[:, rng.permutation(n)]))[0] == expected).all()


def test_a_row_that_does_not_vary_agrees_with_nobody_and_copies_are_seen() -> None:
    rows = np.array([[3.0, 2, 1, 0], [3, 2, 1, 0], [1, 1, 1, 1], [0, 1, 2, 3]])
    found, varies, same = agreement(whole_numbers(rows))
    assert varies.tolist() == [True, True, False, True]
    assert (found[2] == 0).all()
    assert found[0, 3] * CORRELATION_UNIT == pytest.approx(-1)
    assert same[0].tolist() == [True, True, False, False]


@pytest.mark.parametrize("n", [3, 7, 25, 59])
def test_a_row_without_variation_is_seen_whatever_its_value(n: int) -> None:
    rng = np.random.default_rng(n)
    for _ in range(50):
        rows = np.repeat(rng.uniform(0.001, 1, 4)[:, None], n, axis=1)
        rows[0] = rng.random(n)
        found, varies, same = agreement(whole_numbers(rows))
        assert varies.tolist() == [True, False, False, False]
        assert not found[1:].any()
        assert same.sum() == 4


def test_what_all_values_have_in_common_hides_no_difference() -> None:
    ranks = np.array([np.random.default_rng(k).permutation(30).astype(float) for k in range(4)])
    for common in (0.0, 1e9, -1e9):
        found, _, same = agreement(whole_numbers(common - ranks))
        assert same.sum() == 4
        assert found * CORRELATION_UNIT == pytest.approx(np.corrcoef(ranks), abs=1e-6)


def test_concordance_counts_contests_by_gap() -> None:
    whole = np.array([[4.0, 3, 2, 1], [4, 3, 1, 2], [0, 0, 0, 0]])
    counts = concordance(whole[0], whole[1:].sum(axis=0))
    assert GAPS[:2] == (1, 2)
    assert counts[0].tolist() == [4, 3]  # of the three neighbours the last pair stands the other way round
    assert counts[1].tolist() == [4, 2]
    assert not counts[2:].any()


def test_a_tie_is_half_a_win_among_the_others_and_no_contest_in_the_list_itself() -> None:
    own, others = np.array([3.0, 2.0, 2.0, 1.0]), np.array([5.0, 5.0, 9.0, 9.0])
    assert concordance(own, others)[:2].tolist() == [[2, 2], [0, 2]]


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


# --- contests ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("missing", ["below", "neutral", "skip"])
@pytest.mark.parametrize(("n", "length"), [(40, 40), (40, 20), (1200, 100), (2, 1)])
def test_a_list_keeps_the_influence_that_it_is_given(missing: str, n: int, length: int) -> None:
    wanted = np.array([0.0, 0.1, 0.5, 0.9, 1.0])
    utility, shape = utilities.rrf(60), contests.certain()
    trust = shrinkages(wanted, utility, shape, missing, n, length)
    assert trust[-1] == 1
    assert (np.diff(trust) >= 0).all()
    kept = []
    for each in trust.tolist():
        ((weights, elsewhere),) = expected_utilities(utility, contests.shrunk(shape, each), missing, n, [length])
        rest = elsewhere if missing == "below" and length < n else weights[-1]
        kept.append(weights[0] - rest)
    if kept[-1] > 0:
        assert np.array(kept) / kept[-1] == pytest.approx(wanted, abs=0.03)


@pytest.mark.parametrize(
    ("utility", "n", "length", "close"),
    [
        (utilities.top(10), 40, 20, 0.03),
        (utilities.top(10), 400, 100, 0.03),
        (utilities.Utility(lambda ranks, n, length: 1 / (61 + ranks)), 400, 100, 0.01),
        (utilities.Utility(lambda ranks, n, length: -np.sqrt(ranks)), 400, 100, 0.03),
    ],
)
def test_a_list_keeps_its_influence_for_utilities_that_are_no_sums_of_exponentials(
    utility: utilities.Utility, n: int, length: int, close: float
) -> None:
    wanted, shape = np.array([0.2, 0.5, 0.9, 1.0]), contests.harmonic(1)
    kept = []
    for trust in shrinkages(wanted, utility, shape, "below", n, length).tolist():
        ((weights, elsewhere),) = expected_utilities(utility, contests.shrunk(shape, trust), "below", n, [length])
        kept.append(weights[0] - elsewhere)
    assert np.array(kept) / kept[-1] == pytest.approx(wanted, abs=close)


def test_a_utility_that_tells_nothing_apart_leaves_trust_as_it_is() -> None:
    wanted = np.array([0.2, 1.0])
    flat = utilities.Utility(lambda ranks, n, length: np.zeros(len(ranks)))
    assert shrinkages(wanted, flat, contests.certain(), "below", 40, 10).tolist() == wanted.tolist()


def test_trust_is_influence_for_a_utility_that_is_linear() -> None:
    wanted = np.array([0.2, 0.7])
    assert shrinkages(wanted, utilities.borda(), contests.certain(), "below", 100, 10).tolist() == wanted.tolist()


def test_influence_that_a_plain_factor_would_leave() -> None:
    """Contests that are 10 % less sure leave 89 % among 40 candidates and about half among 1,200."""
    utility, shape = utilities.rrf(60), contests.certain()
    for n, left in ((40, 0.89), (1200, 0.46)):
        spread = []
        for trust in (0.9, 1.0):
            ((weights, elsewhere),) = expected_utilities(
                utility, contests.shrunk(shape, trust), "below", n, [min(n - 1, 100)]
            )
            spread.append(weights[0] - elsewhere)
        assert spread[0] / spread[1] == pytest.approx(left, abs=0.03)
