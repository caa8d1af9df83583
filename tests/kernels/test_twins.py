"""Every compiled twin gives, bit for bit, what its oracle in NumPy gives."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from stagg.kernels.arrays import FloatArray
from stagg.kernels.compiled import TWINS, built, twin
from stagg.kernels.fitting import plackett_luce
from stagg.kernels.lists import bootstrap
from stagg.kernels.pairs import beatpaths as paths
from stagg.kernels.pairs import insertion, pairwise
from stagg.kernels.pairs.shared_choices import shared_choices, shared_choices_in_numpy
from stagg.kernels.stochastic import contests, expectations, rank_pmf, utilities

SIZES = (0, 1, 2, 3, 7, 25, 40, 130, 1000)

Cases = Iterator[tuple[Any, ...]]


class Pair(NamedTuple):
    """A kernel that goes through the twin ``module``, its oracle, and arguments for both."""

    module: str
    kernel: Callable[..., Any]
    oracle: Callable[..., Any]
    cases: Callable[[np.random.Generator], Cases]


def draws(rng: np.random.Generator) -> Cases:
    """(weights[draw, list], contributions[list, item]) with and without ties, zeros and outliers."""
    for n in SIZES:
        for lists, count in ((1, 0), (1, 1), (5, 17), (21, 40)):
            weights = rng.dirichlet(np.ones(lists), count)
            yield weights, 1 / (60 + rng.random((lists, n)).argsort(axis=1))
            yield weights, rng.integers(-2, 3, (lists, n)).astype(float)
            yield weights, rng.random((lists, n)) * (rng.random(n) < 0.5) - (rng.random(n) < 0.01) * 1e9
            gains = rng.integers(-2, 3, (lists, n)) / 3
            yield weights, gains, np.abs(gains)


def scores(rng: np.random.Generator) -> Cases:
    """Scores of the draws; some equal but for the sign of zero, of very different sizes, or no numbers."""
    yield from ((w @ c, w @ np.abs(c)) for w, c, *_ in draws(rng))
    for n in SIZES:
        wide = np.ldexp(rng.normal(size=(3, n)), rng.integers(-1070, 1020, (3, n)))
        odd = np.where(rng.random((3, n)) < 0.3, rng.choice([0.0, -0.0, np.inf, -np.inf, np.nan], (3, n)), wide)
        near = 1 + 1e-15 * rng.integers(0, 5, (3, n)) - (np.arange(n) == 0)
        for found in (wide, odd, near, np.asfortranarray(rng.random((4, n)))):
            yield found, np.zeros(found.shape)
            yield found, found


def lists(rng: np.random.Generator, missing: tuple[str, ...] = ("below", "skip")) -> Cases:
    """(positions, weights, missing) of partial lists with ties, also none and many; weights whole, large and broken."""
    for n in SIZES:
        for count in (0, 1, 5, 600) if n < 100 else (5,):
            places = np.floor(rng.random((count, n)) * max(n, 1) * rng.choice([0.5, 1, 2, 4], (count, 1))) / 2
            positions = np.where(rng.random((count, n)) < 0.3, -1.0, places)
            for weights in (np.ones(count), rng.integers(0, 10**6, count).astype(float), rng.random(count)):
                yield from ((positions, weights, each) for each in missing)


def counted_lists(rng: np.random.Generator) -> Cases:
    """The same, and with whole numbers of voters: few, and as many as there can be."""
    yield from lists(rng)
    for positions, weights, missing in lists(rng):
        yield positions, np.ones(len(weights), dtype=np.intp), missing
        yield positions, rng.integers(0, (2**63 - 1) // max(1, len(weights)), len(weights)), missing


def choices(rng: np.random.Generator) -> Cases:
    """Places and weights as ``mc2`` makes them."""
    for positions, weights, missing in lists(rng):
        if len(weights) and weights.any():
            yield np.where(positions == -1, np.inf if missing == "below" else np.nan, positions), weights


def orders(rng: np.random.Generator) -> Cases:
    """Margins and an order to begin with."""
    for n in SIZES:
        for largest in (0, 1, 50):
            margin = np.triu(rng.integers(-largest, largest + 1, (n, n)), 1)
            yield margin - margin.T, rng.permutation(n)
            yield (margin - margin.T)[::-1, ::-1], np.arange(n)


def victories(rng: np.random.Generator) -> Cases:
    """Strengths of victories: few and many equal ones, pairs without a victor."""
    for n in (*SIZES[:-1], 200):
        for largest in (0, 1, 3, 1000, 2**62):
            margin = np.triu(rng.integers(-largest, largest + 1, (n, n)), 1)
            yield (np.maximum(margin - margin.T, 0),)


def exact_widest_paths(strengths: np.ndarray) -> np.ndarray:
    """Floyd and Warshall in Python's own numbers."""
    widths, n = strengths.astype(object), len(strengths)
    for i in range(n):
        widths = np.maximum(
            widths, np.where(np.eye(n, dtype=bool)[i][:, None], 0, np.minimum(widths[:, [i]], widths[[i]]))
        )
    return widths.astype(np.intp)


def ordered_pairs(rng: np.random.Generator) -> Cases:
    """(winners, losers, n), the strongest pair first."""
    for (strong,) in victories(rng):
        yield *paths.order_pairs(strong, rng.permutation(len(strong))), len(strong)


def wins(rng: np.random.Generator) -> Cases:
    """Chances of one item to beat another, among them certain ones."""
    for n in SIZES[:-1]:
        yield (rng.random((n, n)),)
        yield (np.clip(rng.normal(0.5, 1, (n, n)), 0, 1),)
        yield (contests.win_matrix(np.arange(n), contests.paper(), "below"),)


def contests_one_by_one(rng: np.random.Generator) -> Cases:
    """Chances of the contests of a list, and the coins that fell before."""
    for n in SIZES:
        for coins in (0, 1, 30):
            yield rng.random(n), rank_pmf.coin_flips(coins)
            yield contests.harmonic(1).chance(np.arange(1.0, n + 1), n, n), rank_pmf.coin_flips(coins)
            yield np.clip(rng.normal(0.5, 2, n), 0, 1), rank_pmf.coin_flips(coins)


def tables(rng: np.random.Generator) -> Cases:
    """Chances, exponentials and lengths as the tables of weights ask for."""
    for lengths in ([1], [2], [3, 1, 2, 2], [40, 0, 7], [100, 1000, 41]):
        for utility in (utilities.rrf(60), utilities.isr(), utilities.dcg(), utilities.rbp(0.9)):
            factors, bases = utility.terms(1024)
            chance = rng.random(max(lengths) - 1)
            yield chance, bases, factors * rng.random((len(lengths), 1)), lengths


def strengths(rng: np.random.Generator) -> Cases:
    """(e^v, v, stages)"""
    for positions, weights, missing in lists(rng):
        if len(weights):
            v = 3 * rng.normal(size=positions.shape[1])
            yield np.exp(v), v, plackett_luce.stages(positions, 0.1 + weights, missing)


def sweeps(rng: np.random.Generator) -> Cases:
    """(e^v, expected wins, what a sweep found, stages)"""
    for e, v, data in strengths(rng):
        yield e, rng.random(len(v)), plackett_luce.sweep_in_numpy(e, v, data), data


PAIRS = {
    "resampled_ranks": Pair("lists._bootstrap", bootstrap.resampled_ranks, bootstrap.resampled_ranks_in_numpy, draws),
    "pair_wins": Pair("pairs._pairwise", pairwise.pair_wins, pairwise.pair_wins_in_numpy, counted_lists),
    "shared_choices": Pair("pairs._pairwise", shared_choices, shared_choices_in_numpy, choices),
    "widest_paths": Pair("pairs._beatpaths", paths.widest_paths, exact_widest_paths, victories),
    "lock_pairs": Pair("pairs._beatpaths", paths.lock_pairs, paths.lock_pairs_in_numpy, ordered_pairs),
    "inserted": Pair("pairs._pairwise", insertion.inserted, insertion.inserted_in_python, orders),
    "ranks_of": Pair("lists._bootstrap", bootstrap.ranks_of, bootstrap.ranks_of_in_numpy, scores),
    "rank_pmfs": Pair("stochastic._stochastic", rank_pmf.rank_pmfs, rank_pmf.rank_pmfs_in_numpy, wins),
    "growing": Pair("stochastic._stochastic", rank_pmf.growing, rank_pmf.growing_in_numpy, contests_one_by_one),
    "position_weights": Pair(
        "stochastic._stochastic", expectations.position_weights, expectations.position_weights_in_numpy, tables
    ),
    "sweep": Pair("fitting._plackett_luce", plackett_luce.sweep, plackett_luce.sweep_in_numpy, strengths),
    "curvature": Pair("fitting._plackett_luce", plackett_luce.curvature, plackett_luce.curvature_in_numpy, sweeps),
}

ELSEWHERE = {
    "text._columns": "data/test_columns.py",
    "stochastic._expected_measures": "test_expected_measures.py",  # to 1e-12: Φ is SciPy's there, the C library's here
    "text._ids": "data/test_columns.py",
    "agreement._list_pairs": "test_list_pairs.py",
    "text._requests": "aggregate/test_requests.py",
    "text._numbers": "formats/test_text_kernel.py",
    "text._ranked": "test_consensus_twins.py",
    "text._records": "test_records.py",
    "_sums": "test_consensus_twins.py",
    "text._text": "formats/test_text_kernel.py",
}
"""Twins whose tests stand beside other tests of theirs."""


def arrays(result: Any) -> list[FloatArray]:
    """The arrays of a result, however it holds them."""
    if isinstance(result, list | tuple):
        return [found for part in result for found in arrays(part)]
    return [np.asarray(result)]


def same(one: Any, other: Any) -> bool:
    """Whether two results have the same shapes, types and bytes."""
    mine, theirs = arrays(one), arrays(other)
    return len(mine) == len(theirs) and all(
        a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
        for a, b in zip(mine, theirs, strict=True)
    )


def test_every_twin_is_tested() -> None:
    assert {pair.module for pair in PAIRS.values()} | set(ELSEWHERE) == set(TWINS)


def list_sources(folder: Path) -> list[str]:
    """The kernels to compile, by the names that ``twin`` knows."""
    return [".".join(path.relative_to(folder).with_suffix("").parts) for path in folder.rglob("*.pyx")]


def test_every_twin_is_tested_under_the_sanitizers() -> None:
    """The script compiles whatever kernel there is, and runs the tests of every one."""
    root = Path(__file__).parents[2]
    script = (root / "bench" / "sanitize.sh").read_text()
    assert """find "$folder/stagg" -name '_*.pyx'""" in script
    assert set(list_sources(root / "src" / "stagg" / "kernels")) == set(TWINS)
    tests = {"test_twins.py", *ELSEWHERE.values()}
    assert [test for test in tests if f"tests/kernels/{test}" not in script and f"tests/{test}" not in script] == []


@pytest.mark.parametrize("name", PAIRS)
def test_the_bytes_are_those_of_the_oracle(name: str) -> None:
    pair = PAIRS[name]
    if twin(pair.module) is None:
        pytest.skip(f"the twin {pair.module} is not built, or STAGG_PURE is set")
    for number, case in enumerate(pair.cases(np.random.default_rng(8))):
        assert same(pair.kernel(*case), pair.oracle(*case)), f"case {number}"


@pytest.mark.parametrize("name", PAIRS)
def test_the_oracle_does_the_work_where_there_is_no_twin(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pair = PAIRS[name]
    monkeypatch.setattr(f"{pair.kernel.__module__}.twin", lambda module: None)
    *_, case = pair.cases(np.random.default_rng(8))
    assert same(pair.kernel(*case), pair.oracle(*case))


def test_results_that_differ_in_one_bit_are_told_apart() -> None:
    one = np.ones(3)
    assert same([one, 2.0], [one.copy(), 2.0])
    for other in (np.nextafter(one, 2), one[:2], one.astype(np.float32), np.array([1.0, 1.0, -1.0])):
        assert not same([one], [other])
    assert not same(np.array([0.0]), np.array([-0.0]))


EVERY_METHOD = """
import hashlib, json
import numpy as np
from stagg import fuse, rank_distribution
from stagg.data.simulation import simulate
from stagg.methods import METHODS

rankings = simulate(queries=3, items=12, rankers=9, keep=0.6, scores=True, seed=3).rankings
found = {name: METHODS.parse(name).score(rankings) for name in METHODS.names()}
for name in ("stagg_rrf", "stagg(utility='dcg', missing='neutral', shape='paper')", "mc2"):
    between = fuse(rankings, name, intervals=0.9, draws=50).intervals
    found[f"intervals of {name}"] = np.stack([between.low, between.high, between.top, between.group])
found["trust that was learned"] = fuse(rankings, "stagg_trust").scores
for each in rank_distribution(rankings, "stagg_rrf"):
    found[f"distribution of {each.query}"] = each.probabilities
print(json.dumps({name: hashlib.sha256(values.tobytes()).hexdigest() for name, values in found.items()}))
"""


def test_every_method_gives_the_same_bytes_without_the_twins() -> None:
    if built() != TWINS:
        pytest.skip("not all twins are built, or STAGG_PURE is set")
    both = [
        subprocess.run(
            [sys.executable, "-c", EVERY_METHOD], env=os.environ | pure, check=True, capture_output=True, text=True
        )
        for pure in ({}, {"STAGG_PURE": "1"})
    ]
    compiled, pure = (json.loads(run.stdout) for run in both)
    assert compiled == pure
