"""What uncertain votes and learned contests change: the tables of docs/letor.md and docs/defaults.md.

    python bench/uncertain.py ../shared/data votes [SET ...]       pairwise methods with and without a shape, LETOR
    python bench/uncertain.py ../shared/data learned [SET ...]     shape="learned" against the default shapes
    python bench/uncertain.py ../shared/data subsets [SET ...]     the same for random subsets of the rankers

All that was chosen (classes of places, the prior, the level, the gate by the number of rankers) was chosen on parts A1
to A3 of the LETOR sets and on the shared TREC sets, which ``learned`` and ``subsets`` show.
"""

from __future__ import annotations

import sys
import time
import warnings
from pathlib import Path

import numpy as np
from scipy.stats import ttest_rel

from stagg import DataWarning, Labels, Rankings, fuse, read_labels
from stagg.evaluation.evaluate import measured
from stagg.formats import ReadLog, ReadOptions, load
from stagg.measures import parse_measures

LETOR = ("MQ2007-agg", "MQ2008-agg")
TREC = ("dl19", "covid", "dl21", "dl21groups", "trec7", "covidr2", "covidr5")
PAIRWISE = {
    "mc4": "mc4({})",
    "copeland": "copeland({})",
    "condorcet": "condorcet({})",
    "local_kemeny": "local_kemeny({})",
    "kemeny": "kemeny(time_limit=5{})",
    "bradley_terry": "bradley_terry({})",
    "svp": "svp({})",
    "mpm": "mpm({})",
}
VARIANTS = ("", "shape='harmonic(5)'", "shape='learned'")
SHAPED = {"stagg_rrf": "harmonic(1)", "stagg_bc": "linear", "stagg": "harmonic(1)"}


def letor(data: Path, name: str, parts: str) -> tuple[Rankings, Labels]:
    files = [data / "letor" / name / f"A{part}.txt" for part in parts]
    loaded = load(files, options=ReadOptions(values="rank"), log=ReadLog())
    assert loaded.labels is not None
    return loaded.rankings, loaded.labels


def trec(data: Path, name: str) -> tuple[Rankings, Labels]:
    folder = data / ("trec-dl-hybrid" if name in ("dl19", "covid") else "trec-fusion") / name
    options = ReadOptions(order_by="rank")
    return (
        load(sorted(folder.glob("*.trec")), options=options, log=ReadLog()).rankings,
        read_labels(next(folder.glob("qrels*"))),
    )


def values(name: str, rankings: Rankings, labels: Labels, method: str, text: str = "") -> np.ndarray:
    """[measure, query]"""
    is_letor = name in LETOR
    chosen = parse_measures(text or ("ndcg@10" if is_letor else "ndcg(gain='linear')@10"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        fused = fuse(rankings, method)
    return measured(fused, labels, chosen, conventions="letor4" if is_letor else "standard")[1]


def votes(data: Path, names: list[str]) -> None:
    for name in names or LETOR:
        rankings, labels = letor(data, name, "12345")
        print(f"\n**{name}** (NDCG@5, NDCG@10, ERR, RBP; CPU seconds)\n")
        print("| method | votes | " + " | ".join(f"`{each}`" for each in VARIANTS[1:]) + " |")
        print("|---|" + "---|" * len(VARIANTS))
        for method, pattern in PAIRWISE.items():
            cells = []
            for variant in VARIANTS:
                text = pattern.format(f", {variant}" if variant and "=" in pattern else variant).replace("()", "")
                start = time.process_time()
                means = values(name, rankings, labels, text, "ndcg@5,ndcg@10,err,rbp(p=0.95)").mean(axis=1)
                seconds = time.process_time() - start
                cells.append(" ".join(f"{mean:.4f}".lstrip("0") for mean in means) + f" ({seconds:.1f})")
            print(f"| `{method}` | " + " | ".join(cells) + " |", flush=True)


def learned(data: Path, names: list[str]) -> None:
    print("| set | rankers | method | shape | learned | difference | p |\n|---|---|---|---|---|---|---|")
    for name in names or (*TREC, *LETOR):
        rankings, labels = letor(data, name, "123") if name in LETOR else trec(data, name)
        for method, shape in SHAPED.items():
            before = values(name, rankings, labels, f"{method}(shape='{shape}')")[0]
            after = values(name, rankings, labels, f"{method}(shape='learned')")[0]
            p = ttest_rel(after, before).pvalue if (after != before).any() else 1.0
            print(
                f"| {name} | {len(rankings.rankers)} | `{method}` | {before.mean():.4f} | {after.mean():.4f} | "
                f"{(after - before).mean():+.4f} | {p:.3f} |",
                flush=True,
            )


def subsets(data: Path, names: list[str]) -> None:
    print("| set | rankers | draws | mean difference | significantly above | below |\n|---|---|---|---|---|---|")
    rng = np.random.default_rng(1)
    for name in names or (*TREC, *LETOR):
        whole, labels = letor(data, name, "123") if name in LETOR else trec(data, name)
        for count in (3, 4, 5, 10, 20):
            if count >= len(whole.rankers):
                continue
            gains, better, worse = [], 0, 0
            for _ in range(10):
                some = whole.take_rankers(np.sort(rng.permutation(len(whole.rankers))[:count]))
                before = values(name, some, labels, "stagg_rrf")[0]
                after = values(name, some, labels, "stagg_rrf(shape='learned')")[0]
                gains.append(float((after - before).mean()))
                sure = bool((after != before).any()) and ttest_rel(after, before).pvalue < 0.05
                better, worse = better + (sure and gains[-1] > 0), worse + (sure and gains[-1] < 0)
            print(f"| {name} | {count} | 10 | {np.mean(gains):+.4f} | {better} | {worse} |", flush=True)


def main() -> None:
    data, what, *names = sys.argv[1:]
    {"votes": votes, "learned": learned, "subsets": subsets}[what](Path(data), names)


if __name__ == "__main__":
    main()
