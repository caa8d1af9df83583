"""Battles: whether intervals hold, what an anchor saves, and what it costs.

python bench/battles.py ../shared/data/leaderboards          # about two minutes

Coverage of 95 % intervals of strengths in simulations with known strengths, ties and a preference for the first place;
on the arena's votes, 200 draws of 1,000 votes of people beside all votes of an LLM, against the strengths by all votes
of people; seconds for a million battles.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np
from scipy.stats import norm

from stagg.data.inputs.battle_rows import BattleRows, join_battle_rows
from stagg.leaderboards.battles.battle_board import rank_battles
from stagg.leaderboards.battles.battle_fits import ELO, START, fit_battles
from stagg.leaderboards.table_input import battle_rows

LEVEL = 0.95
DRAWS = 200
VOTES = 1000


def simulate(
    seed: int, n: int, contestants: int, questions: int, *, place: float, nu: float
) -> tuple[BattleRows, np.ndarray]:
    """Battles of known strengths; each question favours some contestants, so that its battles are alike."""
    rng = np.random.default_rng(seed)
    truth = np.linspace(1, -1, contestants)
    first = rng.integers(0, contestants, n)
    second = (first + rng.integers(1, contestants, n)) % contestants
    question = rng.integers(0, questions, n)
    gap = truth[first] - truth[second] + place
    odds = np.stack([np.exp(-gap / 2), np.full(n, nu), np.exp(gap / 2)])
    outcome = (rng.random(n) > np.cumsum(odds / odds.sum(0), axis=0)).sum(0) - 1
    names = tuple(f"m{number:03d}" for number in range(contestants))
    asked = tuple(map(str, range(questions)))
    zeros = np.zeros(n, dtype=np.intp)
    return BattleRows(names, ("judge",), first, second, zeros, question, outcome, np.ones(n), asked), truth


def intervals(rows: BattleRows, anchor: str | None = None) -> tuple[np.ndarray, np.ndarray, float]:
    """(strengths, half widths, width as a share of that without the other judges)."""
    fit = fit_battles(rows, anchor=anchor, draws=2000, seed=0)
    half = norm.ppf(0.5 + LEVEL / 2) * fit.strengths.draws.std(axis=0)
    return fit.strengths.values, half, 1.0 if fit.gain is None else fit.gain.width


def simulations() -> None:
    print("simulations, 400 draws each: coverage of 95 % intervals of strengths")
    for n, contestants, questions, place, nu in (
        (600, 6, 600, 0.5, 0.6),
        (3000, 20, 1000, 1.5, 0.6),
        (2000, 10, 200, 0, 0),
    ):
        inside = []
        for seed in range(400):
            rows, truth = simulate(seed, n, contestants, questions, place=place, nu=nu)
            values, half, _ = intervals(rows)
            inside.append(np.abs(values - START - ELO * truth) <= half)
        share = np.mean(inside)
        print(f"  {n} battles, {contestants} models, {questions} questions, β {place}, ν {nu}: {share:.3f}")


def anchors(folder: Path) -> None:
    people = read(folder, "human")
    for llm in ("gpt-4", "gpt-3.5"):
        other = read(folder, llm)
        truth, _, _ = intervals(people)
        alone, half_alone, _ = intervals(other)
        print(f"{llm}: 95 % intervals of its votes alone contain the strength by people for "
              f"{(np.abs(alone - truth) <= half_alone).sum()} of {len(truth)} models")  # fmt: skip
        rng, inside, widths = np.random.default_rng(0), [], []
        for _ in range(DRAWS):
            drawn = people.take(rng.choice(len(people), VOTES, replace=False))
            values, half, width = intervals(join_battle_rows([drawn, other]), "human")
            inside.append(np.abs(values - truth) <= half)
            widths.append(width)
        print(f"  {VOTES} votes of people beside all of {llm}: coverage {np.mean(inside):.3f}, mean width "
              f"{np.mean(widths):.3f} of that of people alone, {DRAWS} draws")  # fmt: skip


def read(folder: Path, judge: str) -> BattleRows:
    rows = battle_rows(str(folder / f"arena_{judge}.csv.gz"))
    assert rows is not None
    return rows.take(~rows.find_repeats()).replace_judge(judge)


def times() -> None:
    for n, contestants, questions in ((1_000_000, 100, 1_000_000), (20_000, 20, 5_000)):
        rows, _ = simulate(0, n, contestants, questions, place=0.3, nu=0.6)
        start = time.process_time()
        rank_battles(rows, draws=1000)
        print(f"{n:,} battles of {contestants} models with 1,000 draws: {time.process_time() - start:.1f} CPU-s")


if __name__ == "__main__":
    simulations()
    if len(sys.argv) > 1:
        anchors(Path(sys.argv[1]))
    times()
