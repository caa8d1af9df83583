"""How many judged topics a learner needs before it beats fusion without labels: the table of docs/learning.md.

    python bench/learning_curves.py ../shared/data
    python bench/learning_curves.py ../shared/data --sets dl19,covid --draws 20 --learners "weights;stagg_ndcg"

For every collection and every number of judged topics: draw that many topics (seeded), train on them, test on all
others, and repeat. Unlabelled topics may be looked at without their labels, as a search team could. The figure is
nDCG@10 with linear gain less that of rrf(c=60), and of stagg_trust, on the same topics. The paired test is over
topics: what a topic has is its mean over the draws in which it was tested.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from stagg import Labels, Rankings, fuse, read, read_labels
from stagg.evaluation.significance import paired_t
from stagg.learning.training import learner_of
from stagg.measures import MEASURES, judge
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
SIZES = (5, 10, 20, 43)
FEWEST = 5  # topics that must be left to test on
DEPTH = 100
LEARNERS = "best_input; weights; weights(prior='trust'); stagg_ndcg"
BASELINES = ("rrf(c=60)", "stagg_trust")
MEASURE = MEASURES.parse("ndcg(gain='linear')@10")


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
    return Collection(name, taken, labels, {method: measure(taken, labels, method) for method in BASELINES})


def measure(rankings: Rankings, labels: Labels, method: Any) -> np.ndarray:
    """The nDCG@10 of every topic, in the order of their ids."""
    return np.asarray(MEASURE.value(judge(fuse(rankings, method), labels, only_common=True)))


def learn_and_test(collection: Collection, learner: str, size: int, draws: int) -> dict[str, Any]:
    """The means over the draws, and the paired tests over the topics."""
    count = len(collection.rankings)
    sums, tested = np.zeros(count), np.zeros(count)
    for draw in range(draws):
        order = np.random.default_rng([size, draw]).permutation(count)
        known, rest = np.sort(order[:size]), np.sort(order[size:])
        labels = collection.labels.take([collection.rankings.queries[number] for number in known])
        model = learner_of(learner).fit(collection.rankings, labels)
        sums[rest] += measure(collection.rankings.take_queries(rest), collection.labels, model)
        tested[rest] += 1
    seen = tested > 0
    values = sums[seen] / tested[seen]
    found: dict[str, Any] = {"set": collection.name, "learner": learner, "size": size, "mean": float(values.mean())}
    for method, own in collection.baselines.items():
        difference = values - own[seen]
        found[method] = {"gain": float(difference.mean()), "p": float(paired_t(difference[:, None])[0])}
    return found


def show_cell(found: dict[str, Any], method: str) -> str:
    """A gain in points of a thousandth; + or - where it is significant (p < .05)."""
    gain, p = found[method]["gain"], found[method]["p"]
    return f"{1000 * gain:+.0f}{'' if p >= 0.05 else ' **+**' if gain > 0 else ' **-**'}"


def tabulate(rows: list[dict[str, Any]], method: str) -> str:
    """One line per set and learner, one column per number of judged topics."""
    sizes = sorted({row["size"] for row in rows})
    lines = [f"| set | learner | {' | '.join(map(str, sizes))} |", "|---|---|" + "---|" * len(sizes)]
    keys = list(dict.fromkeys((row["set"], row["learner"]) for row in rows))
    for name, learner in keys:
        cells = {row["size"]: show_cell(row, method) for row in rows if (row["set"], row["learner"]) == (name, learner)}
        lines.append(f"| {name} | `{learner}` | {' | '.join(cells.get(size, '') for size in sizes)} |")
    return "\n".join(lines)


def summarise(rows: list[dict[str, Any]], method: str) -> str:
    """Over all sets: the mean gain, and how many sets are significantly above and below."""
    sizes = sorted({row["size"] for row in rows})
    lines = [f"| learner | {' | '.join(map(str, sizes))} |", "|---|" + "---|" * len(sizes)]
    for learner in dict.fromkeys(row["learner"] for row in rows):
        cells = []
        for size in sizes:
            mine = [row[method] for row in rows if (row["learner"], row["size"]) == (learner, size)]
            up, down = (sum(each["p"] < 0.05 and sign * each["gain"] > 0 for each in mine) for sign in (1, -1))
            mean = 1000 * np.mean([each["gain"] for each in mine]) if mine else np.nan
            cells.append(f"{mean:+.0f} ({up} up, {down} down, of {len(mine)})")
        lines.append(f"| `{learner}` | {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)))
    parser.add_argument("--draws", type=int, default=5)
    parser.add_argument("--learners", default=LEARNERS)
    parser.add_argument("--store", type=Path, help="a file that keeps what is done (JSON lines), to go on from there")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    rows: list[dict[str, Any]] = []
    for name in split_list(options.sets):
        collection = read_collection(options.data, name)
        for size in (int(text) for text in split_list(options.sizes)):
            if len(collection.rankings) - size < FEWEST:
                continue
            learners = split_list(options.learners)
            rows += [recall(options.store, collection, learner, size, options.draws) for learner in learners]
    for method in BASELINES:
        print(f"\n### Gain over `{method}`, thousandths of nDCG@10\n")
        print(summarise(rows, method), tabulate(rows, method), sep="\n\n")


def recall(store: Path | None, collection: Collection, learner: str, size: int, draws: int) -> dict[str, Any]:
    """The row of one learner, from the store where it is there."""
    key = [collection.name, learner, size, draws]
    if store is not None and store.exists():
        for line in store.read_text().splitlines():
            kept = json.loads(line)
            if kept["key"] == key:
                return dict(kept["row"])
    row = learn_and_test(collection, learner, size, draws)
    if store is not None:
        with store.open("a") as stream:
            stream.write(json.dumps({"key": key, "row": row}) + "\n")
    return row


if __name__ == "__main__":
    main()
