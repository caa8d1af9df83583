"""What judged pairs show: the cells of PROOF.md again, by the plan and the estimate of ``stagg.judging`` themselves.

Full TREC and LETOR labels are the assessor (unjudged = not relevant). ``python bench/judging.py cells`` draws 200 plans
of each comparison (RRF against the best ranker by labels, stagg_trust, RRF with the weights 2, 1, 2, 1, ..., and the
middling ranker) and prints for n judgments: the width of the 95 % interval, its coverage, how often 98 % decide and
with the wrong sign, the judgments of whole pools for the same accuracy over n, and the planned half width over the
realised one. ``proxy`` adds labels of LLMs on condensed lists, ``several`` lets three comparisons share a list, and
``future`` resamples the queries. ``--only`` names collections.
"""

from __future__ import annotations

import argparse
import collections
import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

import stagg
from stagg.judging.estimate import Scope, estimate
from stagg.judging.forecast import half_width
from stagg.judging.pair_plan import JudgingPlan
from stagg.judging.sides import find_sides
from stagg.judging.units import Contrast, Gain, read_gain
from stagg.judging.verdict import stand

DATA = Path(os.environ.get("STAGG_DATA", Path(__file__).parents[2] / "shared" / "data"))
TREC = {
    "dl19": "trec-dl-hybrid/dl19",
    **{name: f"trec-fusion/{name}" for name in ("dl21", "dl21groups", "trec7", "covidr2", "covidr5")},
}
LETOR = {name: f"letor/{name.upper()}-agg" for name in ("mq2008", "mq2007")}
PROXIES = ("umbrela-gpt4", "binary-llama3.2")
COUNTS = (50, 100, 200)
MOST = 0.8  # of the units of a comparison: beyond, it is nearly a census


class Cell(NamedTuple):
    """One comparison of a collection: its units, the gain of each by people, and by a proxy."""

    collection: str
    name: str
    contrast: Contrast
    gains: np.ndarray
    pool: float  # documents among the first ten of some ranker, per query
    spread: float  # of a gain, before anybody judges
    predicted: np.ndarray | None = None

    @property
    def truth(self) -> float:
        return float(self.contrast.weight @ self.gains)


def read_collection(name: str) -> tuple[stagg.Rankings, stagg.Labels]:
    if name in LETOR:
        files = [str(DATA / LETOR[name] / f"{part}.txt") for part in ("A1", "A2")]
        loaded = stagg.read(files)
        return loaded, stagg.Labels(read_letor_labels(files))
    folder = DATA / TREC[name]
    labels = stagg.read_labels(next(folder.glob("*qrels*")))
    rankings = stagg.read([str(path) for path in sorted(folder.glob("*.trec"))], order_by="rank", lenient=True)
    return rankings.take_queries([n for n, query in enumerate(rankings.queries) if query in labels]), labels


def read_letor_labels(files: Iterable[str]) -> dict[str, dict[str, float]]:
    grades: dict[str, dict[str, float]] = {}
    for file in files:
        labels = stagg.read_labels(file, format="letor")
        grades.update({query: dict(labels[query]) for query in labels})
    return grades


def find_cells(name: str, proxy: str | None = None) -> Iterator[Cell]:
    rankings, labels = read_collection(name)
    others = None
    if proxy is not None:
        others = stagg.read_labels(DATA / "llm-judged" / f"{name.removesuffix('groups')}.{proxy}.qrels.gz")
        rankings = condense(rankings, labels, others)
    gain = read_gain("dcg@10", max(labels.largest, 1.0))
    weights = [2.0 - number % 2 for number in range(len(rankings.rankers))]
    means = {
        row["run"]: row["mean"] for row in stagg.evaluate(rankings, labels, "sdcg@10", single_precision=False).rows
    }
    ordered = sorted(rankings.rankers, key=lambda ranker: means[ranker])
    fused = stagg.fuse(rankings, "rrf", weights=weights)
    pool = np.mean([len({i for r in of.values() for i in flat(r)[:10]}) for of in rankings.to_lists().values()])
    rrf, best = find_sides(rankings, ("rrf", ordered[-1]), 10)[0]
    trust, mid = find_sides(rankings, ("stagg_trust", ordered[len(ordered) // 2]), 10)[0]
    alt, _ = find_sides(fused.with_rankers(["alt"]), ("alt", "rrf"), 10)[0]
    for side, other in (("best", best), ("trust", trust), ("alt", alt), ("mid", mid)):
        contrast = Contrast.of(rrf.orders, other.orders, rankings.queries, gain)
        gains = find_gains(contrast, labels, gain)
        predicted = None if others is None else find_gains(contrast, others, gain.scaled_to(others.largest))
        yield Cell(name, side, contrast, gains, float(pool), gain.spread, predicted)


def flat(groups: Sequence[Sequence[str]]) -> list[str]:
    return [item for group in groups for item in group]


def find_gains(contrast: Contrast, labels: stagg.Labels, gain: Gain) -> np.ndarray:
    return gain.of(np.array([labels[query].get(item, 0.0) for query, item in contrast.documents], dtype=float))


def condense(rankings: stagg.Rankings, *labels: stagg.Labels) -> stagg.Rankings:
    """The lists without documents that somebody has not judged."""
    lists = rankings.to_lists()
    runs: dict[str, dict[str, dict[str, float]]] = {ranker: {} for ranker in rankings.rankers}
    for query, of in lists.items():
        for ranker, groups in of.items():
            kept = [item for item in flat(groups) if all(item in each[query] for each in labels)]
            runs[ranker][query] = {item: float(len(kept) - place) for place, item in enumerate(kept)}
    return stagg.Rankings.from_runs(runs)


class Draw(NamedTuple):
    """One plan with n judgments."""

    value: float
    half: float
    covered: bool
    decided: bool
    excluded: bool  # 0 is outside the 95 % interval
    wrong: bool
    planned: float
    replanned: float
    slope: float


def reveal(plan: JudgingPlan, number: int, gains: np.ndarray, points: int) -> np.ndarray:
    """The gains of the documents that the first points name, whichever comparison asked for them."""
    judged = np.zeros(len(plan), dtype=bool)
    judged[plan.names(points)] = True
    return np.where(judged[plan.numbers[number]], gains, np.nan)


def look(
    plan: JudgingPlan, number: int, cell: Cell, points: int, scope: Scope, first: tuple[float, float | None] | None,
    *, truth: float | None = None, predicted: np.ndarray | None = None,
) -> tuple[Draw, tuple[float, float | None]]:  # fmt: skip
    """The estimate by the first points; ``first``: what the first look knew of the spread."""
    own = plan.plans[number]
    known = reveal(plan, number, cell.gains, points)
    found = estimate(own, known, points, scope=scope, predicted=predicted)
    assert found is not None
    low, high = found.interval(0.95)
    truth = cell.truth if truth is None else truth
    decided = stand([found], scope, found.p, decided=found.p <= 0.02) == "decided"
    planned = half_width(own, points, scope=scope, spread=cell.spread)
    spread, between = (found.spread, found.between if scope == "future" else None) if first is None else first
    replanned = half_width(own, points, scope=scope, spread=spread, between=between)
    draw = Draw(
        found.value, (high - low) / 2, low <= truth <= high, decided, found.p <= 0.05,
        decided and found.value * truth < 0, planned, replanned, found.slope,
    )  # fmt: skip
    return draw, (spread, between)


def try_cell(cell: Cell, draws: int, scope: Scope) -> dict[int, list[Draw]]:
    """Draws of each n."""
    found: dict[int, list[Draw]] = collections.defaultdict(list)
    counts = [n for n in COUNTS if n <= MOST * len(cell.contrast)]
    for seed in range(draws):
        plan, first = JudgingPlan([cell.contrast], seed), None
        nobody = np.zeros(len(plan), dtype=bool)
        for n in counts:
            points = plan.extend(0, n, nobody).points
            draw, first = look(plan, 0, cell, points, scope, first)
            found[n].append(draw)
    return found


def compare_with_pools(cell: Cell, error: float) -> float:
    """How many judgments whole pools of random queries need for this root mean square error."""
    of_query = cell.contrast.sums(cell.contrast.weight * cell.gains) * len(cell.contrast.queries)
    variance = float(of_query.var(ddof=1))
    return cell.pool * variance / (error**2 + variance / len(of_query))


def summarise(cell: Cell, n: int, draws: Sequence[Draw]) -> dict[str, float]:
    columns = {name: np.array([getattr(draw, name) for draw in draws], dtype=float) for name in Draw._fields}
    error = float(np.sqrt(((columns["value"] - cell.truth) ** 2).mean()))
    decided = columns["decided"].sum()
    return {
        "width": 2 * float(np.median(columns["half"])),
        "covered": columns["covered"].mean(),
        "picks": (columns["value"] * cell.truth > 0).mean(),
        "decided": columns["decided"].mean(),
        "excluded": columns["excluded"].mean(),
        "wrong": columns["wrong"].sum() / decided if decided else float("nan"),
        "pools": compare_with_pools(cell, error) / n,
        "planned": float(np.mean(columns["planned"]) / np.mean(columns["half"])),
        "replanned": float(np.mean(columns["replanned"]) / np.mean(columns["half"])),
        "bias": float((columns["value"].mean() - cell.truth) / (columns["value"].std() / np.sqrt(len(draws)) + 1e-15)),
        "wrongs": columns["wrong"].sum(),
        "decideds": decided,
    }


def print_row(*cells: object) -> None:
    print("| " + " | ".join(f"{c:.3f}" if isinstance(c, float) else str(c) for c in cells) + " |", flush=True)


SHOWN = ("width", "covered", "picks", "decided", "pools", "planned", "replanned", "bias")


def run_cells(names: Sequence[str], draws: int, scope: Scope) -> None:
    rows: dict[int, list[dict[str, float]]] = collections.defaultdict(list)
    print_row("collection", "against", "units", "truth", "n", *SHOWN)
    for name in names:
        for cell in find_cells(name):
            for n, found in try_cell(cell, draws, scope).items():
                row = summarise(cell, n, found)
                rows[n].append(row)
                print_row(name, cell.name, len(cell.contrast), cell.truth, n, *(row[each] for each in SHOWN))
    print()
    print_row(
        "n", "cells", "coverage", "lowest", "decided", "95 % excludes 0", "wrong among decided", "pools/n median",
        "pools/n geometric mean", "planned median", "planned within 20 %",
        "replanned median", "replanned within 20 %", "|bias|>2se",
    )  # fmt: skip
    for n, of in rows.items():
        get: Callable[[str], np.ndarray] = lambda key, of=of: np.array([row[key] for row in of])  # noqa: E731
        wrong = get("wrongs").sum() / max(get("decideds").sum(), 1)
        print_row(
            n, len(of), get("covered").mean(), get("covered").min(), get("decided").mean(),
            get("excluded").mean(), float(wrong),
            float(np.median(get("pools"))), float(np.exp(np.log(get("pools")).mean())),
            float(np.median(get("planned"))), within(get("planned")),
            float(np.median(get("replanned"))), within(get("replanned")), float((np.abs(get("bias")) > 2).mean()),
        )  # fmt: skip


def within(ratios: np.ndarray) -> float:
    return float((np.abs(np.log(ratios)) <= np.log(1.2)).mean())


def run_proxy(names: Sequence[str], draws: int) -> None:
    print_row("collection", "proxy", "against", "n", "width ratio", "covered", "covered by people", "slope")
    everything = collections.defaultdict(list)
    for proxy in PROXIES:
        for name in names:
            for cell in find_cells(name, proxy):
                for n in [n for n in COUNTS if n <= MOST * len(cell.contrast)]:
                    pairs = []
                    for seed in range(draws):
                        plan = JudgingPlan([cell.contrast], seed)
                        points = plan.extend(0, n, np.zeros(len(plan), dtype=bool)).points
                        people, _ = look(plan, 0, cell, points, "these", None)
                        helped, _ = look(plan, 0, cell, points, "these", None, predicted=cell.predicted)
                        pairs.append(
                            (helped.half / max(people.half, 1e-12), helped.covered, people.covered, helped.slope)
                        )
                    of = np.array(pairs, dtype=float)
                    row = (float(np.median(of[:, 0])), of[:, 1].mean(), of[:, 2].mean(), of[:, 3].mean())
                    everything[proxy, n].append(row)
                    print_row(name, proxy, cell.name, n, *map(float, row))
    for (proxy, n), of in everything.items():
        means = np.array(of)
        ratio = float(np.exp(np.log(means[:, 0]).mean()))
        print_row("all", proxy, f"{len(of)} cells", n, ratio, means[:, 1].mean(), means[:, 2].mean(), means[:, 1].min())


def run_several(names: Sequence[str], draws: int) -> None:
    print_row("collection", "judgments", "points", "own judgments", "best", "trust", "mid", "sum of three alone")
    every: dict[int, list[float]] = collections.defaultdict(list)
    for name in names:
        cells = [cell for cell in find_cells(name) if cell.name in ("best", "trust", "mid")]
        for n in (100, 200):
            covered, points_of, own = [], [], []
            for seed in range(draws):
                plan = JudgingPlan([cell.contrast for cell in cells], seed)
                points = plan.extend(0, n, np.zeros(len(plan), dtype=bool)).points
                points_of.append(points)
                looks = [look(plan, number, cell, points, "these", None)[0] for number, cell in enumerate(cells)]
                covered.append([each.covered for each in looks])
                own.append(sum(len(np.unique(np.concatenate(each.pairs(points)))) for each in plan.plans))
            share = np.array(covered, dtype=float).mean(axis=0)
            every[n].extend(share.tolist())
            print_row(
                name, n, float(np.mean(points_of)), float(np.mean(own)) / 3, *map(float, share), float(np.mean(own))
            )
    for n, of in every.items():
        print_row("all", n, "coverage", float(np.mean(of)), "lowest", float(np.min(of)), "", "")


def run_future(names: Sequence[str], draws: int) -> None:
    """Coverage of the mean over the collection's queries, when as many are drawn with replacement."""
    print_row(
        "collection", "against", "n", "covered (future)", "covered (these)", "planned/realised", "decided", "wrong"
    )
    every: dict[int, list[tuple[float, ...]]] = collections.defaultdict(list)
    for name in names:
        for cell in find_cells(name):
            pieces = split_by_query(cell)
            for n in [n for n in COUNTS if n <= MOST * len(cell.contrast)]:
                rows = []
                for seed in range(draws):
                    drawn = resample(cell, pieces, np.random.default_rng([seed, n]))
                    plan = JudgingPlan([drawn.contrast], seed)
                    points = plan.extend(0, n, np.zeros(len(plan), dtype=bool)).points
                    future, _ = look(plan, 0, drawn, points, "future", None, truth=cell.truth)
                    these, _ = look(plan, 0, drawn, points, "these", None, truth=cell.truth)
                    ratio = future.planned / max(future.half, 1e-12)
                    rows.append((future.covered, these.covered, ratio, future.decided, future.wrong))
                of = np.array(rows, dtype=float)
                row = (*of[:, :2].mean(axis=0), float(np.median(of[:, 2])), *of[:, 3:].mean(axis=0))
                every[n].append(row)
                print_row(name, cell.name, n, *map(float, row))
    for n, rows in every.items():
        of = np.array(rows)
        wrong = float(of[:, 4].sum() / max(of[:, 3].sum(), 1e-12))
        print_row(
            "all",
            f"{len(of)} cells",
            n,
            of[:, 0].mean(),
            of[:, 1].mean(),
            float(np.median(of[:, 2])),
            of[:, 3].mean(),
            wrong,
        )
        print_row("all", "lowest", n, of[:, 0].min(), of[:, 1].min(), within(of[:, 2]), of[:, 3].min(), "")


def split_by_query(cell: Cell) -> list[tuple[tuple[str, ...], np.ndarray, np.ndarray]]:
    contrast = cell.contrast
    return [
        (tuple(np.array(contrast.items, dtype=object)[contrast.query == q]), contrast.weight[contrast.query == q],
         cell.gains[contrast.query == q])
        for q in range(len(contrast.queries))
    ]  # fmt: skip


def resample(
    cell: Cell, pieces: Sequence[tuple[tuple[str, ...], np.ndarray, np.ndarray]], rng: np.random.Generator
) -> Cell:
    """As many queries with replacement; a query that comes twice is two queries, judged twice."""
    taken = rng.integers(len(pieces), size=len(pieces)).tolist()
    query = np.concatenate([np.full(len(pieces[q][0]), place) for place, q in enumerate(taken)]).astype(np.intp)
    names = tuple(f"{place:05}" for place in range(len(taken)))
    items = tuple(item for q in taken for item in pieces[q][0])
    contrast = Contrast(names, query, items, np.concatenate([pieces[q][1] for q in taken]))
    return cell._replace(contrast=contrast, gains=np.concatenate([pieces[q][2] for q in taken]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["cells", "cells-future", "proxy", "several", "future"])
    parser.add_argument("--draws", type=int, default=200)
    parser.add_argument("--only", default="")
    given = parser.parse_args()
    began = time.process_time()
    every = [*TREC, *LETOR]
    names = [name for name in given.only.split(",") if name] or every
    if given.what.startswith("cells"):
        run_cells(names, given.draws, "future" if given.what == "cells-future" else "these")
    elif given.what == "proxy":
        run_proxy([name for name in names if name.startswith("dl")], given.draws)
    elif given.what == "several":
        run_several([name for name in names if name in TREC], given.draws)
    else:
        run_future([name for name in names if name in ("dl19", "covidr5", "dl21", "trec7")], given.draws)
    print(f"{time.process_time() - began:.0f} s of processor time")


if __name__ == "__main__":
    main()
