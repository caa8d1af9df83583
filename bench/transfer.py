"""Do learners keep what they learned where lists have another length? The table of docs/supervised.md.

    python bench/transfer.py ../shared/data
    python bench/transfer.py ../shared/data --learners "stagg_ndcg(features='ranks'); stagg_ndcg(features='borda')"

1. Trained on dl19 (six rankers, one of them 1,000 deep), used on covid and dl21, which have three of its rankers.
2. Trained on half of dl19's topics, used on the other half with lists cut: from deep lists (REP_LLAMA to 400, the
   others to 100) to shorter ones, and from lists of 20 to longer ones. Every topic is tested in each of two splits.

The figure is nDCG@10 with linear gain, that of rrf(c=60) on the same lists beside it; + and - are significant.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from stagg import Labels, Rankings, fuse, read, read_labels
from stagg.data.parts import take_entries, with_listed_items
from stagg.evaluation.significance import paired_t
from stagg.learning.training import learner_of
from stagg.measures import MEASURES, judge
from stagg.registry import split_list

LEARNERS = "; ".join(
    [f"stagg_ndcg(features={features!r})" for features in ("borda", "ranks", "raw")]
    + [f"rankagg_ndcg(features={features!r})" for features in ("borda", "ranks")]
)
OTHERS = {"covid": "trec-dl-hybrid/covid", "dl21": "trec-fusion/dl21"}
SPLITS = 2
DEEP = "REP_LLAMA"
MEASURE = MEASURES.parse("ndcg(gain='linear')@10")
View = Callable[[Rankings], Rankings]


def read_judged(folder: Path) -> tuple[Rankings, Labels]:
    """The judged topics, in the order of the files."""
    rankings, labels = read(sorted(map(str, folder.glob("*.trec")))), read_labels(folder / "qrels.txt")
    return rankings.take_queries([number for number, query in enumerate(rankings.queries) if query in labels]), labels


def cut_one(rankings: Rankings, depth: int) -> Rankings:
    """The deep ranker cut to a depth, the others as they are."""
    own = rankings.list_rankers[rankings.entry_lists] == rankings.rankers.index(DEEP)
    return with_listed_items(take_entries(rankings, ~(own & (rankings.positions >= depth))))


VIEWS: dict[str, View] = {
    "deep": lambda rankings: cut_one(rankings, 400),
    "100": lambda rankings: cut_one(rankings, 100),
    "50": lambda rankings: rankings.cut(50),
    "20": lambda rankings: rankings.cut(20),
    "10": lambda rankings: rankings.cut(10),
}


def measure(rankings: Rankings, labels: Labels, method: Any) -> np.ndarray:
    """The nDCG@10 of every topic, in the order of their ids."""
    return np.asarray(MEASURE.value(judge(fuse(rankings, method), labels, only_common=True)))


def use_elsewhere(learner: str, data: Path) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """{set: (values of the model trained on dl19, values of RRF)}."""
    rankings, labels = read_judged(data / "trec-dl-hybrid/dl19")
    model, found = learner_of(learner).fit(rankings, labels), {}
    for name, place in OTHERS.items():
        other, truth = read_judged(data / place)
        known = other.take_rankers([k for k, ranker in enumerate(other.rankers) if ranker in rankings.rankers])
        found[f"dl19 to {name}"] = measure(known, truth, model), measure(known, truth, "rrf(c=60)")
    return found


def use_cut(learner: str, data: Path) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """{how lists were cut: (values of models trained on other topics, values of RRF)}."""
    rankings, labels = read_judged(data / "trec-dl-hybrid/dl19")
    count, found, rng = len(rankings), {}, np.random.default_rng(0)
    orders = [rng.permutation(count) for _ in range(SPLITS)]
    halves = [(order[: count // 2], order[count // 2 :]) for order in orders]
    for taught in ("deep", "20"):
        sums = {view: np.zeros((2, count)) for view in VIEWS}
        for known, others in [pair for one, other in halves for pair in ((one, other), (other, one))]:
            rest = sorted(others.tolist(), key=rankings.queries.__getitem__)
            model = learner_of(learner).fit(VIEWS[taught](rankings.take_queries(known)), labels)
            for name, view in VIEWS.items():
                shown = view(rankings.take_queries(rest))
                sums[name][0, rest] += measure(shown, labels, model)
                sums[name][1, rest] += measure(shown, labels, "rrf(c=60)")
        found |= {f"{taught} to {name}": (both[0] / SPLITS, both[1] / SPLITS) for name, both in sums.items()}
    return found


def show_cell(model: np.ndarray, rrf: np.ndarray) -> str:
    """The mean; + or - where the difference to RRF is significant (p < .05)."""
    p, gain = float(paired_t((model - rrf)[:, None])[0]), float((model - rrf).mean())
    return f"{model.mean():.4f}{'' if p >= 0.05 else ' **+**' if gain > 0 else ' **-**'}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--learners", default=LEARNERS)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    learners = split_list(options.learners)
    found = [use_elsewhere(learner, options.data) | use_cut(learner, options.data) for learner in learners]
    heads = ["lists in training, in use", "RRF", *[f"`{learner}`" for learner in learners]]
    print(f"| {' | '.join(heads)} |", "|---" * len(heads) + "|", sep="\n")
    for name, (_, rrf) in found[0].items():
        cells = [show_cell(*values[name]) for values in found]
        print(f"| {name} | {rrf.mean():.4f} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
