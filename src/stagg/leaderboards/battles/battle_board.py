"""Board of battles: strengths on Elo's scale, the judges, and what an anchor changed."""

from __future__ import annotations

import dataclasses
from typing import Any, Final

import numpy as np

from stagg.data.inputs.battle_rows import BattleRows
from stagg.errors import DataError, plural, shown
from stagg.evaluation.tables import Table
from stagg.kernels.arrays import BoolArray, FloatArray
from stagg.kernels.fitting.davidson import merge_votes
from stagg.leaderboards.battles.battle_fits import (
    AnchorGain,
    Ties,
    fit_battles,
    groups_that_met,
    is_random_draw,
    tell_held,
    to_comparisons,
)
from stagg.leaderboards.battles.judges import MOST_JUDGES, JudgeReport, join_crowd, look_at_judges
from stagg.leaderboards.board import LEVEL, TOP, Board
from stagg.registry import check_seed, whole_number

__all__ = ["BattleBoard", "rank_battles"]

TASTE: Final = (
    "The intervals say how surely these judges would rank so again. Where judges are LLMs, that is their taste; an "
    "anchor makes the intervals speak of people."
)
ORDER_OF_TASTE: Final = "Where judges are LLMs, this order is their taste; an anchor makes it speak of people."
MOST_DRAWS: Final = 100_000
ENOUGH: Final = 10
"""Battles from which a judge who always chooses one place is said to do so, and intervals are not rough."""


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class BattleBoard(Board):
    """A board of battles. ``judges``: a report on each. ``gain``: what the other judges add to the one who is believed.

    ``wins[i, j]``: how often i won against j, a tie being half a win for each; ``games[i, j]``: how often they met,
    over all judges, in the order of the board.
    """

    judges: tuple[JudgeReport, ...]
    gain: AnchorGain | None
    wins: FloatArray
    games: FloatArray
    scale = "elo"
    apart = "which met none of the others"

    @property
    def judge_table(self) -> Table:
        """The judges as a table."""
        rows = tuple(dataclasses.asdict(judge) for judge in self.judges)
        view = tuple(map(_view_judge, self.judges))
        legend = (
            "first place: share of its decided battles that went there; of equals: what is left of that between "
            "two equals; cycles: of triples with a preference in each pair; kappa: mean agreement with other judges"
        )
        return Table("judges", rows, seed=self.seed, legend=(legend,), view=view)

    def _more_json(self) -> dict[str, Any]:
        gain = None if self.gain is None else dataclasses.asdict(self.gain) | {"worth": self.gain.worth}
        return super()._more_json() | {"judges": _json_rows(self.judge_table), "anchor": gain}

    @property
    def beside(self) -> list[tuple[str, Table]]:
        return [("Judges", self.judge_table), *super().beside]

    def _legend(self) -> str:
        believed = "" if self.gain is None else f"; battles: those that {shown(self.gain.judge)} judged"
        return super()._legend() + believed

    def show_strength(self, strength: float) -> str:
        return f"{strength:.0f}"


def _json_rows(table: Table) -> list[dict[str, Any]]:
    """The rows of a table as JSON holds them."""
    return [{name: None if value != value else value for name, value in row.items()} for row in table.rows]


def rank_battles(
    rows: BattleRows,
    *,
    anchor: str | None = None,
    ties: Ties = "davidson",
    place: bool = True,
    apart: bool = False,
    level: float | None = LEVEL,
    draws: int = 1000,
    seed: int = 0,
    k: int = TOP,
) -> BattleBoard:
    """The board of these battles. A row that says what an earlier one says, on the same question, counts once.

    ``level`` None leaves out intervals. ``apart``: groups of contestants that never met have a board each.
    """
    check_seed(seed)
    draws = whole_number("draws", draws, least=0, most=MOST_DRAWS) if level is not None else 0
    options: dict[str, Any] = {
        "anchor": anchor,
        "ties": ties,
        "place": place,
        "level": level,
        "draws": draws,
        "seed": seed,
        "k": whole_number("top", k, least=1, most=10**9),
    }
    groups = groups_that_met(rows)
    if not apart or groups.max(initial=0) == 0:
        return _rank(rows, **options)
    sizes = np.bincount(groups)
    first, *others = (_rank(_only(rows, groups == group), **options) for group in np.argsort(-sizes, kind="stable"))
    return dataclasses.replace(first, others=tuple(others))


def _rank(
    rows: BattleRows, *, anchor: str | None, ties: Ties, place: bool, level: float | None, draws: int, seed: int, k: int
) -> BattleBoard:
    notes: list[str] = []
    every = _drop_repeats(rows, notes)
    rows = join_crowd(every, anchor)
    if rows is not every:
        notes.append(_tell_crowd(every, rows))
    telling = _find_telling(rows, anchor, notes)
    rows, every = rows.drop_judges(telling), every.drop_judges(telling)
    fit = fit_battles(rows, anchor=anchor, ties=ties, place=place, draws=draws, seed=seed)
    judges = look_at_judges(rows, fit) if len(every.judges) > MOST_JUDGES else look_at_judges(every, fit, rows.judges)
    order = fit.strengths.order
    wins, games = _count_wins(rows)
    warnings = [tell_held(fit.held)] if fit.held else []
    if fit.mixed:
        warnings.append(
            f"Whether {', '.join(map(shown, fit.mixed[:3]))} prefers a place cannot be told from these battles, for "
            "some models always stand first; such a preference is part of the strengths."
        )
    if fit.stuck:
        warnings.append("The battles are too few to tell preferences for a place from strengths: a prior holds both.")
    if anchor is not None and not is_random_draw(rows, rows.judges.index(anchor)):
        warnings.append(
            f"The battles that {shown(anchor)} judged are no random draw of all battles: some models are in more of "
            "them than chance explains, so the votes of the other judges may mislead."
        )
    few = [fit.strengths.names[i] for i in np.flatnonzero(fit.strengths.units < ENOUGH)]
    if few and draws:
        some = ", ".join(map(shown, few[:3])) + (f" and {len(few) - 3:,} more" if len(few) > 3 else "")
        met = "questions were fought over" if rows.asked else "battles were fought"
        warnings.append(f"Fewer than {ENOUGH} {met} by {some}: the intervals are rough.")
    board = BattleBoard.make(
        fit.strengths,
        level=level or LEVEL,
        k=k,
        held=_count_battles(rows if anchor is None else rows.take(rows.judge == rows.judges.index(anchor))),
        unit="battle",
        seed=seed,
        warnings=tuple(warnings),
        notes=(*notes, *((TASTE if draws else ORDER_OF_TASTE,) if anchor is None else ())),
        settings={"method": "bradley_terry", "ties": ties} | ({} if anchor is None else {"anchor": anchor}),
        judges=judges,
        gain=fit.gain,
        wins=wins[np.ix_(order, order)],
        games=games[np.ix_(order, order)],
    )
    groups = board.describe_groups() if board.has_intervals else []
    biases = [judge.describe_bias() for judge in judges if judge.is_biased]
    gains = [] if fit.gain is None else [_tell_gain(fit.gain)]
    return dataclasses.replace(board, findings=(*groups[:1], *gains, *groups[1:], *biases))


def _only(rows: BattleRows, kept: np.ndarray) -> BattleRows:
    """The battles of some contestants, who alone are left."""
    codes = np.cumsum(kept) - 1
    some = rows.take(kept[rows.first])
    names = tuple(name for name, stays in zip(rows.contestants, kept.tolist(), strict=True) if stays)
    return dataclasses.replace(some, contestants=names, first=codes[some.first], second=codes[some.second])


def _drop_repeats(rows: BattleRows, notes: list[str]) -> BattleRows:
    if not rows.asked and len(merge_votes(to_comparisons(rows)).first) < len(rows):
        notes.append("No column names the questions, so rows that are alike count as battles of their own.")
    repeated = rows.find_repeats()
    count = int(repeated.sum())
    if count:
        are = "row repeats an earlier one" if count == 1 else "rows repeat earlier ones"
        notes.append(f"{count:,} {are} (same question, judge, contestants and outcome) and count once.")
    like = int(rows.find_repeats(whole=False).sum()) - count
    if like:
        are = "row repeats an earlier one but for another column, and counts as a battle of its own"
        many = "rows repeat earlier ones but for another column, and count as battles of their own"
        notes.append(f"{like:,} {are if like == 1 else many}.")
    return rows.take(~repeated) if count else rows


def _tell_crowd(every: BattleRows, rows: BattleRows) -> str:
    """A sentence on judges that are taken as one."""
    gone = set(every.judges) - set(rows.judges)
    most = max(np.bincount(every.judge, every.times)[[judge in gone for judge in every.judges]])
    return (
        f"{len(gone):,} judges have {plural(round(most), 'battle')} each, or fewer: the fit takes them as one judge, "
        "with one preference for a place."
    )


def _find_telling(rows: BattleRows, anchor: str | None, notes: list[str]) -> BoolArray:
    """Which rows are of judges whose votes say something of the contestants: not always a tie, or the same place."""
    kept = np.ones(len(rows), dtype=bool)
    for k, judge in enumerate(rows.judges):
        said = set(rows.outcome[rows.judge == k].tolist())
        always = rows.placed and len(said) == 1 and int(rows.times[rows.judge == k].sum()) >= ENOUGH
        if said == {0} or always:
            place = {0: "says tie", 1: "chooses the first place", -1: "chooses the second place"}[said.pop()]
            if judge == anchor:
                raise DataError(f"the judge {shown(judge)} always {place}, so its votes cannot be an anchor")
            notes.append(f"The judge {shown(judge)} always {place}, which says nothing; its votes are left out.")
            kept &= rows.judge != k
    if not kept.any():
        raise DataError("every judge always says tie or always chooses one place, so nobody is shown to be stronger")
    return kept


def _count_battles(rows: BattleRows) -> np.ndarray:
    n = len(rows.contestants)
    return np.asarray(sum(np.bincount(side, rows.times, n) for side in (rows.first, rows.second))).astype(np.intp)


def _count_wins(rows: BattleRows) -> tuple[FloatArray, FloatArray]:
    n = len(rows.contestants)
    at = rows.first * n + rows.second
    won, lost = (np.bincount(at, rows.times * (1 + sign * rows.outcome) / 2, n * n).reshape(n, n) for sign in (1, -1))
    wins = (won + lost.T).astype(float)
    return wins, wins + wins.T


def _tell_gain(gain: AnchorGain) -> str:
    votes = f"{plural(gain.votes, 'vote')} of {shown(gain.judge)}"
    if gain.worth < 1:
        return f"The ranking rests on {votes}; those of the other judges add nothing (λ {gain.weight:.2f})."
    return (
        f"The ranking rests on {votes}; the other judges are worth {gain.worth:,} more (λ {gain.weight:.2f}): "
        f"intervals are {100 * (1 - gain.width):.0f} % narrower than by these votes alone."
    )


def _view_judge(judge: JudgeReport) -> dict[str, Any]:
    def share(value: float) -> str:
        return "" if value != value else f"{100 * value:.0f} %"

    return {
        "judge": judge.judge,
        "battles": judge.battles,
        "ties": share(judge.ties),
        "first place": share(judge.first),
        "of equals": share(judge.even),
        "cycles": share(judge.cycles),
        "kappa": "" if judge.kappa != judge.kappa else f"{judge.kappa:.2f}",
    }
