"""Every unsupervised method on MQ2007-agg and MQ2008-agg, read both ways, with its CPU time: docs/letor.md.

python bench/letor_table.py ../shared/data/letor [SET ...]
"""

from __future__ import annotations

import sys
import time
import warnings
from pathlib import Path

from stagg import DataWarning, fuse
from stagg.evaluation.evaluate import measured
from stagg.formats import Loaded, ReadLog, ReadOptions, load
from stagg.measures import parse_measures
from stagg.methods import METHODS
from stagg.methods.positional.comb import Comb

MEASURES = parse_measures("ndcg@5,ndcg@10,err,rbp(p=0.95)")
SCORED = {name: f"{name}(norm='rank')" for name in METHODS.names() if issubclass(METHODS[name], Comb)}
SLOW = {
    "kemeny": "kemeny(time_limit=5)",
    "mallows": "mallows(time_limit=5)",
}
MORE = ("plackett_luce(missing='skip')", "mpm(missing='skip')", "mc4(missing='skip')")


def sets(folder: Path, names: list[str]) -> dict[tuple[str, str], Loaded]:
    return {
        (name, values): load(sorted((folder / name).glob("A?.txt")), options=ReadOptions(values=values), log=ReadLog())
        for name in names
        for values in ("rank", "score")
    }


def row(loaded: Loaded, method: str) -> tuple[list[float], float]:
    """The four means, and the CPU seconds of the fusion."""
    if loaded.labels is None:
        raise SystemExit("the files carry no labels")
    start = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)  # optimality that was not proven in time
        fused = fuse(loaded.rankings, method)
    seconds = time.process_time() - start
    _, values = measured(fused, loaded.labels, MEASURES, conventions="letor4")
    return values.mean(axis=1).tolist(), seconds


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "../shared/data/letor")
    names = [each for each in sys.argv[2:] if not each.startswith("-")] or ["MQ2007-agg", "MQ2008-agg"]
    left_out = [each[1:] for each in sys.argv[2:] if each.startswith("-")]
    given = sets(folder, names)
    methods = [SCORED.get(name, SLOW.get(name, name)) for name in METHODS.names() if name not in left_out]
    for name in names:
        print(f"\n**{name}** (NDCG@5, NDCG@10, ERR, RBP)\n")
        print("| method | small = top | large = top | CPU s |\n|---|---|---|---|")
        for method in (*methods, *MORE):
            small, seconds = row(given[name, "rank"], method)
            large, _ = row(given[name, "score"], method)
            texts = [" ".join(f"{value:.4f}".lstrip("0") for value in means) for means in (small, large)]
            print(f"| `{method}` | {texts[0]} | {texts[1]} | {seconds:.1f} |", flush=True)


if __name__ == "__main__":
    main()
