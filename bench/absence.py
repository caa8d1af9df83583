"""What absence means, simulated: top-k lists against lists of what a ranker happened to see."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Any

import numpy as np

import stagg
from stagg.data.simulation import Simulated, simulate

WORLDS: Mapping[str, Mapping[str, Any]] = {
    "top 15 of 50, 5 rankers": {"items": 50, "rankers": 5, "depth": 15},
    "a random 30 % of 50, 8 rankers": {"items": 50, "rankers": 8, "keep": 0.3},
}
METHODS = (
    "stagg_bc(missing='below', shape='paper')",
    "stagg_bc(missing='neutral', shape='paper')",
    "stagg_bc(missing='skip', shape='paper')",
    "stagg_rrf(missing='below', shape='paper')",
    "stagg_rrf(missing='neutral', shape='paper')",
    "stagg_rrf(missing='skip', shape='paper')",
    "borda",
    "rrf",
    "votecount",
)
PAIRS = tuple(
    (f"{method}(missing='{one}', shape='paper')", f"{method}(missing='{other}', shape='paper')")
    for method in ("stagg_bc", "stagg_rrf")
    for one, other in (("below", "neutral"), ("below", "skip"))
)


Scores = Mapping[str, float]


def kendall_taus(made: Simulated, method: str) -> np.ndarray:
    """Kendall's tau between consensus and truth for each query, over the items that some list holds.

    (Pairs in the right order - pairs in the wrong order) / all pairs; a pair that the consensus ties counts 0.
    """
    return np.array(
        [_agreement(ours, made.truth[query].scores["truth"]).mean() for query, ours in _fused(made, method)]
    )


def votes_followed(made: Simulated, method: str) -> np.ndarray:
    """The share of pairs, per query, with the item of more lists first; pairs tied either way are left out."""
    votes = dict(_fused(made, "votecount"))
    signs = [_agreement(ours, votes[query]) for query, ours in _fused(made, method)]
    return np.array([(each[each != 0] > 0).mean() for each in signs])


def _fused(made: Simulated, method: str) -> list[tuple[str, Scores]]:
    """The scores of the consensus, query by query."""
    fused = stagg.fuse(made.rankings, method)
    return [(view.id, view.scores[fused.rankers[0]]) for view in fused]


def _agreement(one: Scores, other: Scores) -> np.ndarray:
    """For each pair of the items of ``one``: 1 in the same order in both, -1 turned round, 0 tied in one of them."""
    first = np.array(list(one.values()))
    second = np.array([other[item] for item in one])
    above, below = np.triu_indices(len(first), 1)
    return np.sign(first[above] - first[below]) * np.sign(second[above] - second[below])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--quality", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    made = [simulate(**world, **vars(arguments)) for world in WORLDS.values()]
    taus = {method: [kendall_taus(each, method) for each in made] for method in METHODS}
    print(_table("method", {f"`{method}`": found for method, found in taus.items()}))
    print()
    pairs = {
        f"`{one}` - `{other}`": [a - b for a, b in zip(taus[one], taus[other], strict=True)] for one, other in PAIRS
    }
    print(_table("difference, query by query", pairs, digits=4))
    print()
    follow = {f"`{method}`": [votes_followed(each, method) for each in made] for method in METHODS[:-1]}
    print(_table("pairs ordered by the number of lists", follow))


def _table(head: str, rows: Mapping[str, list[np.ndarray]], digits: int = 3) -> str:
    """Markdown: the mean over the queries and its standard error, one column per world."""
    lines = [f"| {head} | " + " | ".join(WORLDS) + " |", "|---" * (1 + len(WORLDS)) + "|"]
    for name, columns in rows.items():
        errors = [values.std(ddof=1) / np.sqrt(len(values)) for values in columns]
        cells = [f"{v.mean():.{digits}f} ± {e:.{digits}f}" for v, e in zip(columns, errors, strict=True)]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
