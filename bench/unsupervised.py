"""Plackett-Luce against choix and MC4 against PyFLAGR 1.0.14, in one run; run by ``make bench-peers``.

Peers live in an environment of their own (requirements/oracles.txt), so this is run there.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from stagg import Rankings, fuse, read, write
from stagg.data.simulation import simulate
from stagg.formats import ReadLog

ROUNDS = 3


def seconds(call: Callable[[], object]) -> float:
    start = time.process_time()
    call()
    return time.process_time() - start


def median(call: Callable[[], object], rounds: int = ROUNDS) -> float:
    call()
    return statistics.median(seconds(call) for _ in range(rounds))


def plackett_luce() -> None:
    """20 full lists of 100 items, 5 queries; equal likelihood checked."""
    import choix

    rankings = simulate(queries=5, items=100, rankers=20, seed=1).rankings
    text = "plackett_luce(missing='skip', prior=0)"
    ours = median(lambda: fuse(rankings, text)) / len(rankings)
    lists = [numbered(rankings, query) for query in range(len(rankings))]
    theirs = median(lambda: [choix.ilsr_rankings(100, each, alpha=0.0) for each in lists], 1) / len(rankings)
    gap = max(likelihood_gap(rankings, query, lists[query], text) for query in range(len(rankings)))
    print(
        f"Plackett-Luce, 20 full lists x 100 items: stagg {ours * 1e3:.1f} ms a query, choix ilsr_rankings "
        f"{theirs * 1e3:.0f} ms: {theirs / ours:.0f}x (aim 50); our log-likelihood is lower by at most {gap:.1e}"
    )


def numbered(rankings: Rankings, query: int) -> list[list[int]]:
    first = rankings.item_offsets[query]
    lists = range(*rankings.list_offsets[query : query + 2])
    return [(rankings.entries[slice(*rankings.entry_offsets[k : k + 2])] - first).tolist() for k in lists]


def likelihood_gap(rankings: Rankings, query: int, lists: list[list[int]], text: str) -> float:
    """How much lower our log-likelihood is than choix's."""
    import choix

    one = rankings.take_queries([query])
    fused = fuse(one, text)
    found = fused.to_runs()[fused.rankers[0]][one.queries[0]]
    ours = np.array([found[item] for item in one.items])
    return log_likelihood(choix.ilsr_rankings(100, lists, alpha=0.0), lists) - log_likelihood(ours, lists)


def log_likelihood(v: np.ndarray, lists: list[list[int]]) -> float:
    total = 0.0
    for each in lists:
        strengths = v[each]
        suffix = np.logaddexp.accumulate(strengths[::-1])[::-1]
        total += float((strengths - suffix).sum())
    return total


def markov_chain() -> None:
    """200 queries of 20 lists x 100 items, from a CSV file to the result in memory."""
    from pyflagr.MarkovChains import MC4

    rankings = simulate(queries=200, items=150, rankers=20, depth=100, seed=2).rankings
    with tempfile.TemporaryDirectory() as folder:
        mine, theirs = Path(folder) / "mine.csv", Path(folder) / "theirs.csv"
        write(rankings, mine)
        flagr_file(rankings, theirs)
        ours = median(lambda: fuse(read(mine, log=ReadLog()), "mc4"))
        alone = median(lambda: fuse(rankings, "mc4"))
        peer = median(lambda: MC4(eval_pts=10).aggregate(input_file=str(theirs)))
    print(
        f"MC4, 200 queries x 20 lists x 100 items: stagg {ours:.2f} s from CSV ({alone:.2f} s of it fusion), "
        f"PyFLAGR 1.0.14 {peer:.2f} s: {peer / ours:.1f}x from file, {peer / alone:.1f}x the fusion alone (aim 5)"
    )


def flagr_file(rankings: Rankings, path: Path) -> None:
    """Query, voter, item, score, data set: what PyFLAGR reads."""
    columns = rankings.to_columns()
    rows = zip(columns["query"], columns["ranker"], columns["item"], columns["rank"], strict=True)
    lines = [f"{query},{ranker},{item},{1000 - rank},bench" for query, ranker, item, rank in rows]
    path.write_text("\n".join(["Query,Voter,Item,Score,Dataset", *lines]) + "\n")


if __name__ == "__main__":
    plackett_luce()
    markov_chain()
