"""The evidence behind the defaults of St.Agg: every shape and every meaning of absence on four collections.

    python bench/defaults.py ../shared/data        prints the Markdown table of docs/defaults.md

linear-gain nDCG@10 by the rank column for dl19 and covid; letor4's NDCG@10 (MQ2007-agg) and NDCG@5 (MQ2008-agg), over
the validation parts of the five folds, which together are all queries. So these figures chose the defaults: they are no
held-out results of them.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import NamedTuple

from stagg import Labels, Rankings, fuse, read, read_labels
from stagg.evaluation.evaluate import measured
from stagg.formats import ReadLog, ReadOptions, load
from stagg.measures import parse_measures

SHAPES = ("harmonic(1)", "logistic(3)", "logistic(10)", "logistic(30)", "certain", "paper", "linear")
REFERENCES = ("rrf(c=60)", "borda", "votecount")
TOLERANCE = 0.01


class Collection(NamedTuple):
    name: str
    rankings: Rankings
    labels: Labels
    conventions: str
    measure: str


def collections(data: Path) -> list[Collection]:
    return [
        *[hybrid(data, name) for name in ("dl19", "covid")],
        letor(data, "MQ2007-agg", "ndcg@10"),
        letor(data, "MQ2008-agg", "ndcg@5"),
    ]


def hybrid(data: Path, name: str) -> Collection:
    folder = data / "trec-dl-hybrid" / name
    rankings = read(sorted(folder.glob("*.trec")), order_by="rank", log=ReadLog())
    labels = read_labels(folder / "qrels.txt", log=ReadLog())
    return Collection(name, rankings, labels, "standard", "ndcg(gain='linear')@10")


def letor(data: Path, name: str, measure: str) -> Collection:
    files = sorted((data / "letor" / name).glob("A?.txt"))
    loaded = load(files, options=ReadOptions(), log=ReadLog())
    if loaded.labels is None:
        raise SystemExit(f"{name} carries no labels")
    return Collection(name, loaded.rankings, loaded.labels, "letor4", measure)


def means(method: str, given: list[Collection]) -> list[float]:
    found = []
    for each in given:
        fused = fuse(each.rankings, method)
        _, values = measured(
            fused, each.labels, parse_measures(each.measure), conventions=each.conventions, only_common=True
        )
        found.append(float(values[0].mean()))
    return found


def main() -> None:
    given = collections(Path(sys.argv[1] if len(sys.argv) > 1 else "../shared/data"))
    print("| method | " + " | ".join(each.name for each in given) + " | worst against rrf |")
    print("|---" * (len(given) + 2) + "|")
    base = means("rrf(c=60)", given)
    families = [
        f"stagg_{kind}(missing='{m}', shape='{s}')"
        for kind in ("rrf", "bc")
        for m in ("below", "neutral", "skip")
        for s in SHAPES
    ]
    for method in (*REFERENCES, *families):
        found = means(method, given)
        worst = min(mine - rrf for mine, rrf in zip(found, base, strict=True))
        flag = "" if worst >= -TOLERANCE else " ✗"
        print(f"| `{method}` | " + " | ".join(f"{value:.4f}" for value in found) + f" | {worst:+.4f}{flag} |")


if __name__ == "__main__":
    main()
