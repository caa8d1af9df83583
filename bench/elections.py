"""The speed of the rules of elections: against pref_voting, and from a CSV of ballots to all winners.

``python bench/elections.py`` prints CPU times of one run. Schulze's rule is compared with pref_voting where that is
installed (.venv-elections of ``make oracles``); its inner loop is Python, so fewer repeats of it are made.
"""

from __future__ import annotations

import argparse
import importlib.util
import tempfile
import time
from pathlib import Path

import numpy as np

import stagg
from stagg.elections.ballot_table import ballots_from_places
from stagg.elections.elect import RULES


def cpu(work: object) -> tuple[float, object]:
    started = time.process_time()
    made = work()  # type: ignore[operator]
    return time.process_time() - started, made


def profile(candidates: int, voters: int, seed: int = 0) -> np.ndarray:
    """places[k, i]: complete ballots around a common order, so that majorities differ in strength."""
    rng = np.random.default_rng(seed)
    noise = rng.normal(size=(voters, candidates)) + np.linspace(0, 1, candidates)
    return noise.argsort(axis=1).argsort(axis=1).astype(float)


def compare_schulze(candidates: int, voters: int) -> None:
    """Schulze's rule of both from ballots in memory to winners."""
    places = profile(candidates, voters)
    rankings = ballots_from_places(places, np.ones(voters, dtype=np.intp), [f"c{i}" for i in range(candidates)])
    ours, fused = cpu(lambda: stagg.fuse(rankings, "schulze"))
    print(f"schulze, {candidates} candidates, {voters:,} voters: stagg {ours:.3f} s")
    if importlib.util.find_spec("pref_voting") is None:
        print("pref_voting is not installed here")
        return
    from pref_voting.margin_based_methods import beat_path
    from pref_voting.profiles import Profile

    beat_path(Profile([[0, 1, 2], [1, 2, 0]]), algorithm="floyd_warshall")  # what is compiled, is
    given = Profile(places.argsort(axis=1).tolist())
    theirs, winners = cpu(lambda: beat_path(given, algorithm="floyd_warshall"))
    first = fused["1"].lists[fused.rankers[0]][0]  # type: ignore[index]
    print(f"pref_voting {theirs:.3f} s, {theirs / ours:.0f} times as long; same winners: {sorted(first)} {winners}")


def large(candidates: int) -> None:
    rankings = ballots_from_places(
        profile(candidates, 101), np.ones(101, dtype=np.intp), [f"c{i}" for i in range(candidates)]
    )
    for rule in ("schulze", "ranked_pairs"):
        took, _ = cpu(lambda rule=rule: stagg.fuse(rankings, rule))
        print(f"{rule}, {candidates:,} candidates, 101 voters: {took:.2f} s")


def count_many(voters: int, candidates: int = 10) -> None:
    """From a CSV of ballots to the winners by all rules, as a multiple of reading it."""
    names = np.array([f"candidate {i}" for i in range(candidates)])
    orders = profile(candidates, voters).argsort(axis=1)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "ballots.csv"
        header = ",".join(f"choice {place + 1}" for place in range(candidates))
        rows = "\n".join(",".join(row) for row in names[orders].tolist())
        path.write_text(f"{header}\n{rows}\n")
        reading, rankings = cpu(lambda: stagg.read(path, layout="ballots"))
        counting, found = cpu(lambda: stagg.elect(rankings, draws=0, margins=False))
    total = (reading + counting) / reading
    print(f"{voters:,} ballots of {candidates}: read in {reading:.1f} s, {len(RULES)} rules in {counting:.1f} s:")
    print(f"file to winners is {total:.2f} times the reading; winners {found.winners}")  # type: ignore[attr-defined]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--voters", type=int, default=1_000_000, help="ballots of the CSV")
    parser.add_argument("--only", choices=["schulze", "large", "ballots"])
    chosen = parser.parse_args()
    if chosen.only in (None, "schulze"):
        compare_schulze(200, 1000)
    if chosen.only in (None, "large"):
        large(500)
        large(1000)
    if chosen.only in (None, "ballots"):
        count_many(chosen.voters)


if __name__ == "__main__":
    main()
