"""Weight tables against the recursion of the paper; sums of exponentials against the utilities they stand for."""

from __future__ import annotations

import numpy as np
import pytest

from stagg.kernels.stochastic import contests, expectations, utilities
from stagg.kernels.stochastic.contests import Shape
from stagg.kernels.stochastic.expectations import expected_utilities, expected_utilities_by_recursion
from stagg.kernels.stochastic.utilities import Utility

SHAPES = {
    "paper": contests.paper(),
    "harmonic": contests.harmonic(1.0),
    "linear": contests.linear(),
    "logistic(3)": contests.logistic(3.0),
    "logistic(30)": contests.logistic(30.0),
    "certain": contests.certain(),
    "half trusted": contests.shrunk(contests.harmonic(1.0), 0.5),
    "hardly trusted": contests.shrunk(contests.certain(), 0.01),
    "not trusted": contests.shrunk(contests.linear(), 0.0),
    "by length": Shape(lambda gaps, n, length: 0.5 + 0.5 * gaps / (length + n)),
}
UTILITIES = {
    "borda": utilities.borda(),
    "rrf(1)": utilities.rrf(1),
    "rrf(10)": utilities.rrf(10),
    "rrf(40)": utilities.rrf(40),
    "rrf(60)": utilities.rrf(60),
    "rrf(1000)": utilities.rrf(1000),
    "dcg": utilities.dcg(),
    "rbp": utilities.rbp(0.95),
    "isr": utilities.isr(),
    "top": utilities.top(10),
    "callable": Utility(lambda ranks, n, length: np.cos(ranks) + 2),
}
MISSING = ("below", "neutral", "skip")


def agree(utility: Utility, shape: Shape, missing: str, n: int, length: int, error: float = 1e-10) -> None:
    ((weights, elsewhere),) = expected_utilities(utility, shape, missing, n, [length])
    slow, slow_elsewhere = expected_utilities_by_recursion(utility, shape, missing, n, length)
    assert weights == pytest.approx(slow, rel=error, abs=1e-60)
    assert elsewhere == pytest.approx(slow_elsewhere, rel=error, abs=1e-60)


@pytest.mark.parametrize("missing", MISSING)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("utility", UTILITIES)
def test_tables_are_those_of_the_recursion(utility: str, shape: str, missing: str) -> None:
    for n, length in [(1, 1), (2, 1), (2, 2), (7, 3), (40, 40), (90, 31)]:
        agree(UTILITIES[utility], SHAPES[shape], missing, n, length)


@pytest.mark.parametrize("missing", MISSING)
@pytest.mark.parametrize("shape", ["paper", "logistic(30)"])
def test_long_lists_too(shape: str, missing: str) -> None:
    positions = np.where(np.arange(400) < 250, np.arange(400), -1)
    from stagg.kernels.stochastic.rank_pmf import rank_pmfs

    pmf = rank_pmfs(contests.win_matrix(positions, SHAPES[shape], missing))
    for name in ("borda", "rrf(1)", "rrf(60)", "rrf(1000)", "dcg"):
        utility = UTILITIES[name]
        ((weights, elsewhere),) = expected_utilities(utility, SHAPES[shape], missing, 400, [250])
        slow = pmf @ utility.values(np.arange(400.0), 400, 250)
        assert weights == pytest.approx(slow[:250], rel=1e-10)
        if missing != "skip":
            assert elsewhere == pytest.approx(slow[-1], rel=1e-10)


@pytest.mark.parametrize(
    ("name", "error"),
    [("rrf(1)", 5e-12), ("rrf(10)", 5e-12), ("rrf(60)", 5e-12), ("rrf(1000)", 5e-12), ("isr", 1e-11), ("dcg", 1e-11)],
)
@pytest.mark.parametrize("n", [1, 2, 100, 10_000, 100_000])
def test_the_sum_of_exponentials_has_the_stated_error(name: str, error: float, n: int) -> None:
    """Of the error at n = 100,000 the larger part is rounding: a base is off by 1e-16, its power by 1e-11, and the
    terms average that. How far depends on the processor: NumPy's exp and power differ in the last bit with AVX-512."""
    utility = UTILITIES[name]
    assert utility.terms is not None
    factors, bases = utility.terms(n)
    ranks = np.unique(np.geomspace(1, n, 300).astype(int) - 1).astype(float)
    approximate = bases[None, :] ** ranks[:, None] @ factors
    assert np.abs(approximate / utility.values(ranks, n, n) - 1).max() < error
    assert (factors >= 0).all()
    assert ((bases >= 0) & (bases <= 1)).all()
    assert len(factors) < 200


def test_tables_of_several_lengths_are_those_of_each_alone() -> None:
    lengths = [5, 30, 1, 17, 30]
    for shape in SHAPES.values():
        together = expected_utilities(UTILITIES["rrf(60)"], shape, "neutral", 40, lengths)
        for length, (weights, elsewhere) in zip(lengths, together, strict=True):
            ((alone, alone_elsewhere),) = expected_utilities(UTILITIES["rrf(60)"], shape, "neutral", 40, [length])
            assert (weights == alone).all()
            assert elsewhere == alone_elsewhere


def test_a_table_made_in_blocks_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    ((whole, _),) = expected_utilities(UTILITIES["rrf(60)"], SHAPES["paper"], "below", 50, [40])
    monkeypatch.setattr(expectations, "twin", lambda name: None)
    for cells in (200, 700):
        monkeypatch.setattr(expectations, "CELLS", cells)
        ((blocks, _),) = expected_utilities(UTILITIES["rrf(60)"], SHAPES["paper"], "below", 50, [40])
        assert (blocks == whole).all()


def test_certain_contests_give_the_plain_utility() -> None:
    for name in ("borda", "rrf(60)", "dcg"):
        utility = UTILITIES[name]
        ((weights, _),) = expected_utilities(utility, SHAPES["certain"], "below", 30, [12])
        assert weights == pytest.approx(utility.values(np.arange(12.0), 30, 12), rel=1e-12)


def test_shapes_have_the_chances_that_their_formulas_say() -> None:
    gaps = np.array([1.0, 2.0, 8.0])
    for shape, expected in (
        (contests.paper(), [0.9, 0.8, 0.8]),
        (contests.linear(), [0.55, 0.6, 0.9]),
        (contests.harmonic(4), [0.6, 2 / 3, 5 / 6]),
        (contests.logistic(2), [1 / (1 + np.exp(-gap / 2)) for gap in gaps]),
        (contests.certain(), [1.0, 1.0, 1.0]),
        (contests.shrunk(contests.linear(), 0.5), [0.525, 0.55, 0.7]),
    ):
        assert shape.chance(gaps, 10, 5) == pytest.approx(expected)


def test_weights_never_rise_with_the_position() -> None:
    """p >= ½ for the item ahead makes a later position lose stochastically more, whatever the shape."""
    for shape in SHAPES.values():
        for missing in MISSING:
            ((weights, _),) = expected_utilities(UTILITIES["rrf(10)"], shape, missing, 33, [20])
            assert (np.diff(weights) <= 1e-15).all()
