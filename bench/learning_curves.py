"""How many judged topics a learner needs before it beats fusion without labels: the tables of docs/supervised.md.

    python bench/learning_curves.py ../shared/data
    python bench/learning_curves.py ../shared/data --sets dl19,covid --draws 5 --learners "weights;few_labels"
    python bench/learning_curves.py ../shared/data --designed --draws 40 --sizes 50,100,200

By halves: half of the topics are kept to test on, seeded; labels come from topics of the other half (from all others
where more are asked for, as long as five are left to test on). The unlabelled topics are looked at without their
labels, as a search team could. ``--designed`` gives n single judgments instead, spread over the topics of one half in
proportion to how far an item can change the choice of weights. Figures are of nDCG@10 with linear gain.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from stagg import Labels, Rankings, fuse, read, read_labels
from stagg.judging.teach import draw
from stagg.learning.single.weights import spread_gains
from stagg.learning.training import learner_of
from stagg.measures import MEASURES, judge
from stagg.methods import method_of
from stagg.methods.base import entry_gains
from stagg.registry import split_list

SETS = {
    "dl19": "trec-dl-hybrid/dl19",
    "covid": "trec-dl-hybrid/covid",
    "dl21": "trec-fusion/dl21",
    "dl21groups": "trec-fusion/dl21groups",
    "trec7": "trec-fusion/trec7",
    "covidr2": "trec-fusion/covidr2",
    "covidr5": "trec-fusion/covidr5",
}
SIZES = "5,10,20,40"
FEWEST = 5  # topics that must be left to test on
DEPTH = 100
LEARNERS = "few_labels"
BEST = "best single"  # the input with the best mean over all topics, by all labels: nobody knows it beforehand
BASELINES = ("rrf(c=60)", "stagg_trust", BEST)
MEASURE = MEASURES.parse("ndcg(gain='linear')@10")
FIRST = 10
LOSS = 0.002


@dataclasses.dataclass(frozen=True)
class Collection:
    """Judged topics in the order of their ids, and what each baseline has on them."""

    name: str
    rankings: Rankings
    labels: Labels
    baselines: dict[str, np.ndarray]


def read_collection(data: Path, name: str) -> Collection:
    folder = data / SETS[name]
    rankings = read(sorted(map(str, folder.glob("*.trec")))).cut(DEPTH)
    labels = read_labels(folder / "qrels.txt")
    judged = sorted(query for query in rankings.queries if query in labels)
    taken = rankings.take_queries([rankings.query_number(query) for query in judged])
    baselines = {method: measure(taken, labels, method) for method in BASELINES[:2]}
    singles = (measure(taken.take_rankers([number]), labels, "rrf") for number in range(len(taken.rankers)))
    return Collection(name, taken, labels, baselines | {BEST: max(singles, key=np.mean)})


def measure(rankings: Rankings, labels: Labels, method: Any) -> np.ndarray:
    """The nDCG@10 of every topic, in the order of their ids."""
    return np.asarray(MEASURE.value(judge(fuse(rankings, method), labels, only_common=True)))


# --- what is labelled ---------------------------------------------------------------------------------------------


def draw_topics(collection: Collection, size: int, draws: int) -> Iterator[tuple[Labels, np.ndarray]]:
    """(labels of so many topics, the topics to test on) of every draw."""
    count = len(collection.rankings)
    for number in range(draws):
        order = np.random.default_rng([size, number]).permutation(count)
        known, rest = order[:size], np.sort(order[max(size, count // 2) :])
        yield collection.labels.take([collection.rankings.queries[topic] for topic in known]), rest


def draw_judgments(collection: Collection, size: int, draws: int) -> Iterator[tuple[Labels, np.ndarray]]:
    """(so many judgments in half of the topics, the other half) of every draw; not judged by anybody is grade 0."""
    rankings, sizes = collection.rankings, tuning_sizes(collection.rankings)
    for number in range(draws):
        rng = np.random.default_rng([size, number])
        order = rng.permutation(len(rankings))
        half = len(rankings) // 2
        grades: dict[str, dict[str, float]] = {}
        mine = np.where(np.isin(rankings.item_queries, order[:half]), sizes, 0.0)
        for item in draw(mine, rankings.item_queries, size, rng).tolist():
            query, name = rankings.queries[rankings.item_queries[item]], rankings.items[item]
            grades.setdefault(query, {})[name] = collection.labels[query].get(name, 0.0)
        yield Labels(grades), np.sort(order[half:])


def tuning_sizes(rankings: Rankings) -> np.ndarray:
    """Root mean square, over rankers that count three times or not at all, of how an item's discount changes."""
    gains = entry_gains(method_of("rrf(c=60)"), rankings)
    assert gains is not None
    parts = spread_gains(gains, rankings)
    plain = discounts(parts.sum(axis=0), rankings)
    changes = [discounts(parts.sum(axis=0) + more * part, rankings) - plain for part in parts for more in (2, -1)]
    return np.sqrt(np.mean(np.square(changes), axis=0))


def discounts(scores: np.ndarray, rankings: Rankings) -> np.ndarray:
    """1 / log2(rank + 1) of the first ten items of each topic, 0 of all others."""
    order = np.lexsort((-scores, rankings.item_queries))
    ranks = np.empty(len(scores))
    ranks[order] = np.arange(len(scores)) - rankings.item_offsets[rankings.item_queries[order]]
    return np.where(ranks < FIRST, 1 / np.log2(np.minimum(ranks, FIRST) + 2), 0.0)


# --- learning and testing -----------------------------------------------------------------------------------------


def learn_and_test(collection: Collection, learner: str, size: int, draws: int, designed: bool) -> dict[str, Any]:
    """The means over the draws of a learner and of the baselines, each on the same topics."""
    values: dict[str, list[float]] = {name: [] for name in ("mean", *BASELINES)}
    for labels, rest in (draw_judgments if designed else draw_topics)(collection, size, draws):
        model = learner_of(learner).fit(collection.rankings, labels)
        values["mean"].append(float(measure(collection.rankings.take_queries(rest), collection.labels, model).mean()))
        for name, own in collection.baselines.items():
            values[name].append(float(own[rest].mean()))
    return {"set": collection.name, "learner": learner, "size": size, **values}


def gains(row: dict[str, Any], baseline: str) -> np.ndarray:
    return np.array(row["mean"]) - np.array(row[baseline])


def tabulate(rows: list[dict[str, Any]]) -> str:
    """One line per set and learner: its mean, and the gains over the baselines in thousandths."""
    sizes = sorted({row["size"] for row in rows})
    head = " | ".join(f"{size}" for size in sizes)
    lines = [f"| set | learner | {head} |", "|---|---|" + "---|" * len(sizes)]
    for name, learner in dict.fromkeys((row["set"], row["learner"]) for row in rows):
        cells = {row["size"]: show(row) for row in rows if (row["set"], row["learner"]) == (name, learner)}
        lines.append(f"| {name} | `{learner}` | {' | '.join(cells.get(size, '') for size in sizes)} |")
    return "\n".join(lines)


def show(row: dict[str, Any]) -> str:
    over = " / ".join(f"{1000 * gains(row, baseline).mean():+.0f}" for baseline in BASELINES)
    return f"{np.mean(row['mean']):.3f}: {over}"


def summarise(rows: list[dict[str, Any]]) -> str:
    """Over all sets: mean gains, the lowest of a set over rrf and trust, and the share of draws that lose to each."""
    sizes = sorted({row["size"] for row in rows})
    lines = [
        f"| learner | labels | {' | '.join(f'over {name}' for name in BASELINES)} | lowest set, over rrf | over trust "
        f"| P(loss > {LOSS:g}), against rrf | against trust |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for learner in dict.fromkeys(row["learner"] for row in rows):
        for size in sizes:
            mine = [row for row in rows if (row["learner"], row["size"]) == (learner, size)]
            means = {name: [gains(row, name).mean() for row in mine] for name in BASELINES}
            cells = [f"{np.mean(means[name]):+.4f}" for name in BASELINES]
            cells += [f"{min(means[name]):+.4f}" for name in BASELINES[:2]]
            cells += [f"{np.mean([(gains(row, name) < -LOSS).mean() for row in mine]):.3f}" for name in BASELINES[:2]]
            lines.append(f"| `{learner}` | {size} | {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--sizes", default=SIZES, help="labelled topics, or judgments with --designed")
    parser.add_argument("--draws", type=int, default=20)
    parser.add_argument("--learners", default=LEARNERS)
    parser.add_argument("--designed", action="store_true", help="single judgments spread over many topics")
    parser.add_argument("--store", type=Path, help="a file that keeps what is done (JSON lines), to go on from there")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    rows: list[dict[str, Any]] = []
    for name in split_list(options.sets):
        collection = read_collection(options.data, name)
        for size in (int(text) for text in split_list(options.sizes)):
            if not options.designed and len(collection.rankings) - size < FEWEST:
                continue
            rows += [recall(options, collection, learner, size) for learner in split_list(options.learners)]
    print(f"Gains in nDCG@10; in the second table in thousandths, over {' / '.join(BASELINES)}\n")
    print(summarise(rows), tabulate(rows), sep="\n\n")


def recall(options: argparse.Namespace, collection: Collection, learner: str, size: int) -> dict[str, Any]:
    """The row of one learner, from the store where it is there."""
    key = [collection.name, learner, size, options.draws, options.designed]
    if options.store is not None and options.store.exists():
        for line in options.store.read_text().splitlines():
            kept = json.loads(line)
            if kept["key"] == key:
                return dict(kept["row"])
    row = learn_and_test(collection, learner, size, options.draws, options.designed)
    if options.store is not None:
        with options.store.open("a") as stream:
            stream.write(json.dumps({"key": key, "row": row}) + "\n")
    return row


if __name__ == "__main__":
    main()
