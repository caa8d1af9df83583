"""Fusion methods on collections that other people made: nDCG@10 against ``rrf(c=60)``, set by set and pooled.

    python bench/collections ../shared/data                              the cheap methods on every collection
    python bench/collections ../shared/data --every-method               the others, too, on the first 50 of each list
    python bench/collections ../shared/data --subsets                    the same on random subsets of the rankers
    python bench/collections ../shared/data --copies                     ten noisy copies of the worst run added
    python bench/collections ../shared/data --copies --drop 0.1          copies that lack a tenth of its items
    python bench/collections ../shared/data --methods "rbc;stagg_trust"

Runs are read by their rank column (with --copies by their scores); the LETOR sets are their parts A1 to A3 (A4 and A5
are kept back). A star marks a difference with p < 0.05 (paired t-test over topics, uncorrected; "Holm" corrects over
the sets). Topics that occur in several collections count once in the pooled difference, by their mean. The tables are
those of docs/collections.md and docs/which_method.md.

A folder, since a file ``bench/collections.py`` would stand before Python's own ``collections`` in every bench script.
"""

from __future__ import annotations

import argparse
import signal
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from stagg import Labels, Rankings, compare, read_labels
from stagg.errors import DataError
from stagg.evaluation.significance import holm, paired_t
from stagg.formats import ReadLog, ReadOptions, load
from stagg.methods import METHODS, method_of
from stagg.methods.base import Positional

BASELINE = "rrf(c=60)"
LEVEL = 0.05
SIZES, DRAWS = (2, 3, 5, 10, 20), 8
SHALLOW = 50  # items per list for methods that compare every pair of items
SECONDS = 600  # a method may take on one collection
COPIES, SWAPPED = 10, 0.2


class Collection(NamedTuple):
    name: str
    topics: str  # collections with the same word share their topics
    rankings: Rankings
    labels: Labels
    measure: str
    conventions: str = "standard"


FOLDERS = {
    "dl19": ("trec-dl-hybrid", "dl19"),
    "covid": ("trec-dl-hybrid", "covid"),
    "dl21": ("trec-fusion", "dl21"),
    "trec7": ("trec-fusion", "trec7"),
    "covidr2": ("trec-fusion", "covid"),
    "covidr5": ("trec-fusion", "covid"),
    "dl21groups": ("trec-fusion", "dl21"),
}


def collections(data: Path) -> Iterator[Collection]:
    for name, (folder, topics) in FOLDERS.items():
        runs = sorted((data / folder / name).glob("*.trec"))
        rankings = load(runs, options=ReadOptions(order_by="rank"), log=ReadLog()).rankings
        labels = read_labels(data / folder / name / "qrels.txt")
        yield Collection(name, topics, rankings, labels, "ndcg(gain='linear')@10")
    for name in ("MQ2007", "MQ2008"):
        parts = [data / "letor" / f"{name}-agg" / f"A{part}.txt" for part in (1, 2, 3)]
        loaded = load(parts, options=ReadOptions(values="rank"), log=ReadLog())
        assert loaded.labels is not None
        yield Collection(name, name, loaded.rankings, loaded.labels, "ndcg@10", "letor4")


def values(collection: Collection, methods: list[str]) -> dict[str, np.ndarray]:
    """Each method's value of each topic; a method that takes too long is left out."""
    found = {}
    for method in dict.fromkeys([BASELINE, *methods]):
        cheap = isinstance(method_of(method), Positional)
        given = collection.rankings if cheap else collection.rankings.cut(SHALLOW)
        try:
            with patience(SECONDS), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                done: Any = compare(
                    given,
                    collection.labels,
                    methods=[method],
                    measures=[collection.measure],
                    conventions=collection.conventions,  # type: ignore[arg-type]
                )
        except (TimeoutError, DataError):  # too slow, or it needs scores and there are none
            continue
        found[method] = done.values[0, 0]
        topics = done.queries
    return found | {"": np.array(topics)}


class patience:
    """An alarm after so many seconds."""

    def __init__(self, seconds: int) -> None:
        self.seconds = seconds

    def __enter__(self) -> None:
        def late(*_: object) -> None:
            raise TimeoutError

        signal.signal(signal.SIGALRM, late)
        signal.alarm(self.seconds)

    def __exit__(self, *_: object) -> None:
        signal.alarm(0)


def p_value(differences: np.ndarray) -> float:
    return float(paired_t(differences[:, None])[0])


def judge(differences: np.ndarray) -> int:
    """-1 significantly below the baseline, 1 above, 0 neither."""
    return int(np.sign(differences.mean())) if p_value(differences) < LEVEL else 0


def whole_sets(data: Path, methods: list[str]) -> None:
    sets = list(collections(data))
    found = {each.name: values(each, methods) for each in sets}
    print(f"{'nDCG@10':32} " + " ".join(f"{each.name:>10}" for each in sets), " below above  Holm  pooled      p")
    for method in dict.fromkeys([BASELINE, *methods]):
        cells, verdicts, ps = [], [], []
        topics: dict[tuple[str, str], list[float]] = {}
        for each in sets:
            mine = found[each.name]
            if method not in mine:
                cells.append(f"{'-':>10}")
                continue
            differences = mine[method] - mine[BASELINE]
            verdicts.append(judge(differences))
            ps.append((p_value(differences), differences.mean()))
            cells.append(f"{mine[method].mean():9.4f}{'*' if verdicts[-1] else ' '}")
            for topic, value in zip(mine[""].tolist(), differences.tolist(), strict=True):
                topics.setdefault((each.topics, topic), []).append(value)
        pooled = np.array([np.mean(all_of_it) for all_of_it in topics.values()])
        corrected = holm(np.array([p for p, _ in ps]))
        below = sum(bool(p < LEVEL and mean < 0) for p, (_, mean) in zip(corrected, ps, strict=True))
        above = sum(bool(p < LEVEL and mean > 0) for p, (_, mean) in zip(corrected, ps, strict=True))
        print(
            f"{method:32} {' '.join(cells)} {verdicts.count(-1):6} {verdicts.count(1):5}  {below}/{above}"
            f" {pooled.mean():+8.4f} {p_value(pooled):6.3f}",
            flush=True,
        )
    print(f"pooled over {len(topics)} distinct topics")


def random_subsets(data: Path, methods: list[str]) -> None:
    counts = {method: np.zeros((len(SIZES), 3), dtype=int) for method in methods}
    gains: dict[str, list[float]] = {method: [] for method in methods}
    for each in collections(data):
        for row, size in enumerate(SIZES):
            for chosen in draws(len(each.rankings.rankers), size, each.name):
                part = each._replace(rankings=each.rankings.replace(declared=True).take_rankers(np.sort(chosen)))
                mine = values(part, methods)
                for method in methods:
                    differences = mine[method] - mine[BASELINE]
                    counts[method][row, 1 + judge(differences)] += 1
                    gains[method].append(float(differences.mean()))
    for method in methods:
        below, _, above = counts[method].sum(axis=0).tolist()
        total = int(counts[method].sum())
        print(f"{method}: {total} subsets, below {below} ({below / total:.1%}), above {above} ({above / total:.1%}),"
              f" mean difference {np.mean(gains[method]):+.4f}, least {np.min(gains[method]):+.4f}")  # fmt: skip
        for size, (low, level, high) in zip(SIZES, counts[method].tolist(), strict=True):
            print(f"   {size:3} rankers: {low} below, {level} level, {high} above", flush=True)


def draws(rankers: int, size: int, name: str) -> list[np.ndarray]:
    """Some different subsets of a size, the same ones in every run."""
    if size >= rankers:
        return []
    rng = np.random.default_rng([size, *name.encode()])
    found = {tuple(sorted(rng.permutation(rankers)[:size].tolist())) for _ in range(DRAWS)}
    return [np.array(each) for each in sorted(found)]


def noisy_copies(data: Path, methods: list[str], drop: float) -> None:
    """What copies of the worst run, by the labels, cost: neighbours swapped, or items dropped."""
    for each in collections(data):
        alone: Any = compare(
            each.rankings,
            each.labels,
            methods=[BASELINE],
            inputs=True,
            measures=[each.measure],
            conventions=each.conventions,  # type: ignore[arg-type]
        )
        means = dict(zip([row["method"] for row in alone.table.rows], alone.values[:, 0].mean(axis=1), strict=True))
        worst = min((name for name in each.rankings.rankers), key=lambda name: means.get(name, 1.0))
        alone_again, crowded = (
            each._replace(rankings=crowd(each.rankings, worst, copies, drop)) for copies in (0, COPIES)
        )
        before, after = values(alone_again, methods), values(crowded, methods)
        for method in [BASELINE, *methods]:
            print(f"{each.name:12} {method:20} {after[method].mean() - before[method].mean():+.4f}", flush=True)


def crowd(rankings: Rankings, worst: str, copies: int, drop: float) -> Rankings:
    """The runs and some noisy copies of the worst, all by their scores (in LETOR sets, by their ranks)."""
    runs, rng, by_score = rankings.to_runs(), np.random.default_rng(0), rankings.scores is not None
    if not by_score:
        runs = {name: {q: number(items) for q, items in run.items()} for name, run in runs.items()}
    for copy in range(copies):
        runs[f"copy {copy}"] = {
            query: lose(items, rng, drop) if drop else swap(items, rng) for query, items in runs[worst].items()
        }
    return Rankings.from_runs(runs, values="score" if by_score else "rank")


def number(items: dict[str, float]) -> dict[str, float]:
    return {item: float(rank) for rank, item in enumerate(items, 1)}


def swap(items: dict[str, float], rng: np.random.Generator) -> dict[str, float]:
    """A fifth of the pairs of neighbours change places."""
    ids = list(items)
    for k in range(0, len(ids) - 1, 2):
        if rng.random() < SWAPPED:
            ids[k], ids[k + 1] = ids[k + 1], ids[k]
    return dict(zip(ids, items.values(), strict=True))


def lose(items: dict[str, float], rng: np.random.Generator, drop: float) -> dict[str, float]:
    """Each item is dropped with this chance."""
    return {item: value for item, value in items.items() if rng.random() >= drop}


CHEAP = [
    "borda", "mean_rank", "rrf(c=20)", "isr", "log_isr", "rbc", "votecount", "combsum", "combmnz", "stagg_bc",
    "stagg_rrf", "stagg_trust", "stagg_trust(confidence=False)",
]  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--methods", help="separated by ;")
    parser.add_argument("--every-method", action="store_true")
    parser.add_argument("--subsets", action="store_true")
    parser.add_argument("--copies", action="store_true")
    parser.add_argument("--drop", type=float, default=0.0, help="share of the items that each copy lacks")
    options = parser.parse_args()
    methods = options.methods.split(";") if options.methods else list(CHEAP)
    if options.every_method:
        methods += [
            name for name in METHODS.names() if name not in {each.split("(")[0] for each in [*methods, BASELINE]}
        ]
    if options.subsets:
        random_subsets(options.data, methods if options.methods else ["stagg_trust"])
    elif options.copies:
        noisy_copies(options.data, methods if options.methods else ["stagg_trust"], options.drop)
    else:
        whole_sets(options.data, methods)


if __name__ == "__main__":
    main()
