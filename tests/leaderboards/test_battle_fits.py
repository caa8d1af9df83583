"""Strengths from battles: order of rows, huge counts, an anchor, who cannot be compared."""

from __future__ import annotations

import numpy as np
import pytest

from stagg.data.inputs.battle_rows import BattleRows, make_battle_rows
from stagg.errors import DataError, InvalidParameter
from stagg.leaderboards.battles.battle_fits import ELO, START, fit_battles, groups_that_met

NAMES = ("ada", "bob", "cleo", "dan", "eve")
TRUTH = np.linspace(1, -1, 5)


def draw_rows(seed: int, n: int, judges: dict[str, tuple[float, float]], *, asked: bool = True) -> BattleRows:
    """Battles on n questions; of every judge its preference for the first place, and how often it repeats the first."""
    rng = np.random.default_rng(seed)
    first = rng.integers(0, 5, n)
    second = (first + rng.integers(1, 5, n)) % 5
    rows: list[tuple[str, str, str, str, int]] = []
    before = np.zeros(n, dtype=int)
    for number, (judge, (place, same)) in enumerate(judges.items()):
        gap = TRUTH[first] - TRUTH[second] + place
        odds = np.stack([np.exp(-gap / 2), np.full(n, 0.5), np.exp(gap / 2)])
        outcome = (rng.random(n) > np.cumsum(odds / odds.sum(0), axis=0)).sum(0) - 1
        outcome = np.where((rng.random(n) < same) & (number > 0), before, outcome)
        before = outcome if number == 0 else before
        rows += [
            (NAMES[i], NAMES[j], judge, f"q{q}", int(o))
            for q, (i, j, o) in enumerate(zip(first, second, outcome, strict=True))
        ]
    one, two, judged, questions, outcomes = zip(*rows, strict=True)
    return make_battle_rows((one, two), outcomes, judges=judged, questions=questions if asked else None)


def test_the_order_of_the_rows_does_not_matter() -> None:
    rows = draw_rows(1, 300, {"x": (0.3, 0), "y": (1.0, 0.5)})
    mixed = rows.take(np.random.default_rng(2).permutation(len(rows)))
    one, other = (fit_battles(each, draws=50, seed=0) for each in (rows, mixed))
    assert one.strengths.values == pytest.approx(other.strengths.values, abs=1e-8)
    assert one.strengths.draws == pytest.approx(other.strengths.draws, abs=1e-5)


def test_strengths_are_elo_and_sum_to_the_start() -> None:
    fit = fit_battles(draw_rows(3, 4000, {"x": (0.5, 0)}), draws=0, seed=0)
    assert fit.strengths.values.mean() == pytest.approx(START)
    assert (fit.strengths.values - START) / ELO == pytest.approx(TRUTH, abs=0.2)
    assert fit.place[0] == pytest.approx(0.5, abs=0.15)


def test_draws_have_the_spread_of_the_estimates() -> None:
    errors, values = [], []
    for seed in range(40):
        strengths = fit_battles(draw_rows(seed, 400, {"x": (0.5, 0)}), draws=300, seed=1).strengths
        errors.append(strengths.draws.std(axis=0))
        values.append(strengths.values)
    assert np.mean(errors) == pytest.approx(np.std(values, axis=0).mean(), rel=0.2)


def test_a_believed_judge_decides_and_the_others_only_narrow() -> None:
    rows = draw_rows(4, 3000, {"people": (0.0, 0), "llm": (2.0, 0.9)})
    few = rows.judges.index("people")
    kept = np.ones(len(rows), dtype=bool)
    kept[np.flatnonzero(rows.judge == few)[300:]] = False
    fit = fit_battles(rows.take(kept), anchor="people", draws=0, seed=0)
    assert fit.gain is not None
    assert fit.gain.votes == 300
    assert fit.gain.others == 3000
    assert fit.gain.width < 0.8
    assert fit.gain.worth > 150
    assert (fit.strengths.values - START) / ELO == pytest.approx(TRUTH, abs=0.5)
    assert fit.place[rows.judges.index("llm")] > 0.05


def test_groups_that_never_met_are_refused_by_name() -> None:
    rows = make_battle_rows((["a", "c"], ["b", "d"]), [1, -1])
    assert groups_that_met(rows).tolist() == [0, 0, 1, 1]
    with pytest.raises(DataError, match=r"2 groups of contestants never met.*'a', 'b'; 'c', 'd'.*apart=True"):
        fit_battles(rows, draws=0, seed=0)


def test_an_unbeaten_contestant_is_held_by_a_prior_and_named() -> None:
    rows = make_battle_rows((["a", "a", "b", "c"], ["b", "c", "c", "b"]), [1, 1, 1, 1])
    fit = fit_battles(rows, draws=0, seed=0)
    assert fit.held == ("a",)
    assert np.isfinite(fit.strengths.values).all()
    assert fit.strengths.values.argmax() == 0


@pytest.mark.parametrize(
    ("anchor", "judges", "asked", "message"),
    [
        ("peple", ["people", "llm"], True, "no judge 'peple'; did you mean 'people'"),
        ("people", ["people"], True, "the only judge"),
        ("people", ["people", "llm"], False, "a column of questions"),
    ],
)
def test_an_anchor_that_cannot_be_is_one_line(anchor: str, judges: list[str], asked: bool, message: str) -> None:
    rows = draw_rows(5, 60, dict.fromkeys(judges, (0.0, 0.0)), asked=asked)
    with pytest.raises((DataError, InvalidParameter), match=message):
        fit_battles(rows, anchor=anchor, draws=0, seed=0)


def test_a_row_with_a_count_is_as_many_battles() -> None:
    pairs = [("ada", "bob", 1, 60), ("bob", "ada", -1, 25), ("ada", "bob", -1, 30), ("bob", "cleo", 1, 40),
             ("cleo", "bob", 1, 20), ("ada", "cleo", 0, 9)]  # fmt: skip
    counted = make_battle_rows(
        ([p[0] for p in pairs], [p[1] for p in pairs]), [p[2] for p in pairs], times=[p[3] for p in pairs]
    )
    single = [p[:3] for p in pairs for _ in range(p[3])]
    listed = make_battle_rows(([p[0] for p in single], [p[1] for p in single]), [p[2] for p in single])
    one, other = (fit_battles(rows, draws=50, seed=0).strengths for rows in (counted, listed))
    assert one.units.tolist() == other.units.tolist() == [124, 175, 69]
    assert one.draws == pytest.approx(other.draws, abs=1e-6)


def test_an_anchor_whose_battles_others_judged_only_in_part_still_decides() -> None:
    """The mean over the comparisons that both judged is taken off, whatever share of the believed ones it is."""
    believed, held = [], []
    for seed in range(8):
        rows = draw_rows(seed, 3000, {"people": (0.0, 0), "llm": (0.0, 0.8)})
        people = rows.judge == rows.judges.index("people")
        taste = np.where(rows.first < rows.second, -1, 1)  # the LLM likes the weaker one in a third of the battles
        outcome = np.where(~people & (rows.question % 3 == 0), taste, rows.outcome)
        some = people & (rows.question < 900)
        unmatched = ~people & (rows.question < 900) & (rows.question % 5 > 0)
        rows = BattleRows(**{**vars(rows), "outcome": outcome}).take(some | (~people & ~unmatched))
        fit = fit_battles(rows, anchor="people", draws=300, seed=0)
        alone = fit_battles(rows.take(rows.judge == rows.judges.index("people")), draws=0, seed=0)
        believed.append(fit.strengths.values - alone.strengths.values)
        held.append(np.abs(fit.strengths.values - START - ELO * TRUTH) <= 1.96 * fit.strengths.draws.std(axis=0))
    assert np.mean(believed, axis=0) == pytest.approx(np.zeros(5), abs=6)
    assert np.mean(held) >= 0.85
