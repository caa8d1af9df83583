"""What the compiled twins gain: the same call with them and without them, in one run, in CPU time.

python bench/twins.py            # every row
python bench/twins.py --only mc  # those whose name holds this
"""

from __future__ import annotations

import argparse
import contextlib
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple
from unittest import mock

import numpy as np

from stagg.data.simulation import simulate
from stagg.kernels import sums, ties
from stagg.kernels.arrays import FloatArray
from stagg.kernels.compiled import TWINS, built
from stagg.kernels.fitting import plackett_luce
from stagg.kernels.lists import bootstrap
from stagg.kernels.orders import local_kemeny, markov
from stagg.kernels.pairs import majority, pairwise
from stagg.kernels.stochastic import contests, expectations, expected_measures, rank_pmf, utilities
from stagg.methods import method_of

LEAST = 0.05  # CPU seconds that a measurement takes at least


class Row(NamedTuple):
    """A call, the twin that it goes through, and what it is given."""

    what: str
    twin: str
    given: str
    call: Callable[[], object]


def partial_lists(lists: int, n: int, share: float = 0.7, seed: int = 0) -> FloatArray:
    """positions[k, i] of lists that hold a share of the items each, in orders not far from one another."""
    rng = np.random.default_rng(seed)
    positions = np.full((lists, n), -1.0)
    for row in positions:
        held = np.argsort(np.arange(n) + rng.normal(size=n) * n / 4)[: int(share * n)]
        row[held] = np.arange(len(held))
    return positions


def rows_of_draws() -> Iterator[Row]:
    rng = np.random.default_rng(0)
    for lists, n in ((5, 1000), (20, 100), (21, 40)):
        weights = rng.dirichlet(np.ones(lists), 1000)
        gains = 1 / (60 + rng.random((lists, n)).argsort(axis=1))
        given = f"1,000 draws, {lists} x {n}"
        yield Row("resampled_ranks", "lists._bootstrap", given, partial(bootstrap.resampled_ranks, weights, gains))
        yield Row(
            "ranks_of", "lists._bootstrap", f"1,000 draws of {n}", partial(bootstrap.ranks_of, *[weights @ gains] * 2)
        )


def rows_of_distributions() -> Iterator[Row]:
    shape = contests.harmonic(1.0)
    for n in (40, 100, 300):
        wins = contests.win_matrix(np.arange(n), contests.paper(), "below")
        yield Row("rank_pmfs", "stochastic._stochastic", f"n = {n}", partial(rank_pmf.rank_pmfs, wins))
    for n in (40, 100, 1000):
        given = f"n = L = {n}"
        yield Row(
            "list_rank_pmf", "stochastic._stochastic", given, partial(rank_pmf.list_rank_pmf, shape, "below", n, n)
        )
        table = partial(expectations.expected_utilities, utilities.rrf(60), shape, "below", n, [n])
        yield Row("weight table, rrf(60)", "stochastic._stochastic", given, table)


def rows_of_pairs() -> Iterator[Row]:
    for lists, n in ((21, 40), (20, 100), (20, 1000)):
        positions, weights, given = partial_lists(lists, n), np.ones(lists), f"{lists} x {n}"
        uneven = weights + np.arange(lists) / 7
        yield Row("pair_wins", "pairs._pairwise", given, partial(pairwise.pair_wins, positions, weights, "below"))
        yield Row(
            "pair_wins, weighted", "pairs._pairwise", given, partial(pairwise.pair_wins, positions, uneven, "below")
        )
        for chain in (markov.mc1, markov.mc2, markov.mc3, markov.mc4):
            yield Row(
                f"{chain.__name__} transitions", "pairs._pairwise", given, partial(chain, positions, weights, "below")
            )
        margin = majority.margins(positions, weights, "below")
        for what, start in (("an order", np.arange(n)), ("ties", np.arange(n) // 4)):
            improve = partial(local_kemeny.local_kemeny, start, margin)
            yield Row(f"local_kemeny of {what}", "pairs._pairwise", given, improve)


def rows_of_strengths() -> Iterator[Row]:
    for lists, n in ((21, 40), (20, 100), (20, 1000)):
        data = plackett_luce.stages(partial_lists(lists, n), np.ones(lists), "below")
        v = np.random.default_rng(0).normal(size=n)
        here = plackett_luce.likelihood(v, data)
        given = f"{lists} x {n}"
        yield Row(
            "Plackett-Luce likelihood", "fitting._plackett_luce", given, partial(plackett_luce.likelihood, v, data)
        )
        yield Row("Plackett-Luce Hessian", "fitting._plackett_luce", given, here.hessian)
        fit = partial(plackett_luce.maximise, data, prior=0.1)
        yield Row("Plackett-Luce, Newton", "fitting._plackett_luce", given, fit)


def rows_of_sums() -> Iterator[Row]:
    """The twins of positional fusion and of learning, which have benches of their own."""
    rng = np.random.default_rng(0)
    queries, n, lists = 100, 1000, 5
    items = (np.arange(queries)[:, None] * n + rng.integers(0, n, (queries, n * lists))).ravel()
    values = 1 / (60 + rng.integers(1, n, len(items)))
    yield Row(
        "sums_by_item", "_sums", f"{queries} x {lists} x {n}", partial(sums.sums_by_item, values, items, queries * n)
    )
    order = partial(ties.rank_scores, *[rng.random(queries * n)] * 2, np.repeat(np.arange(queries), n), queries)
    yield Row("ranked", "text._ranked", f"{queries} x {n}", order)
    stakes = expected_measures.Stakes((rng.random(4000) < 0.2) * 1.0, np.zeros(4000), utilities.dcg())
    learn = partial(expected_measures.expected, rng.normal(size=4000), np.arange(101) * 40, stakes, 0.3)
    yield Row("E[NDCG] and gradient", "stochastic._expected_measures", "100 x 40", learn)


def rows_of_methods() -> Iterator[Row]:
    """Methods as they are called, over queries of the size of MQ2007-agg."""
    rankings = simulate(queries=100, items=40, rankers=21, keep=0.7).rankings
    names = ("mc1", "mc2", "mc3", "mc4", "copeland", "local_kemeny", "plackett_luce", "bradley_terry")
    for name in names:
        method = method_of(name)
        module = "fitting._plackett_luce" if name == "plackett_luce" else "pairs._pairwise"
        yield Row(f"method {name}", module, "100 queries, 21 x 40", partial(method.score, rankings))


def all_rows() -> Iterator[Row]:
    yield from rows_of_draws()
    yield from rows_of_distributions()
    yield from rows_of_pairs()
    yield from rows_of_strengths()
    yield from rows_of_sums()
    yield from rows_of_methods()


def no_twin(name: str) -> None:
    """What ``twin`` says where nothing was built."""


@contextlib.contextmanager
def without_twins() -> Iterator[None]:
    """All kernels as where nothing was compiled."""
    with contextlib.ExitStack() as stack:
        for name, module in list(sys.modules.items()):
            if name.startswith("stagg.") and "twin" in vars(module):
                stack.enter_context(mock.patch.object(module, "twin", no_twin))
        yield


def compared(call: Callable[[], object], rounds: int) -> tuple[float, float]:
    """CPU seconds of a call without and with the twins: medians of alternating rounds."""
    with without_twins():
        repeats = max(1, int(LEAST / max(seconds(call, 1), 1e-6)))
    call()
    slow, fast = [], []
    for _ in range(rounds):
        with without_twins():
            slow.append(seconds(call, repeats))
        fast.append(seconds(call, repeats))
    return statistics.median(slow), statistics.median(fast)


def seconds(call: Callable[[], object], repeats: int) -> float:
    start = time.process_time()
    for _ in range(repeats):
        call()
    return (time.process_time() - start) / repeats


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", default="", help="rows whose name holds this text")
    options = parser.parse_args()
    if built() != TWINS:
        print(f"not all twins are built: {', '.join(built()) or 'none'} of {', '.join(TWINS)}")
    print(f"{'kernel':>26} {'given':>22} {'twin':>20} {'NumPy':>11} {'compiled':>11} {'ratio':>7}")
    for row in all_rows():
        if options.only in row.what:
            slow, fast = compared(row.call, options.rounds)
            times = f"{1000 * slow:>8.3f} ms {1000 * fast:>8.3f} ms {slow / fast:>6.1f}x"
            print(f"{row.what:>26} {row.given:>22} {row.twin:>20} {times}", flush=True)


if __name__ == "__main__":
    main()
