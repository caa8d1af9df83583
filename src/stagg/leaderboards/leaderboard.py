"""``leaderboard``: rank models by a table of their scores, with gaps, and say how sure each rank is."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Mapping, Sequence
from typing import Any, Final, get_args

import numpy as np

from stagg.aggregate.plan import Progress
from stagg.data.inputs.battle_rows import BattleRows
from stagg.errors import DataError, InvalidParameter, bare, plural, shown
from stagg.evaluation.tables import Table
from stagg.formats.log import ReadLog
from stagg.formats.options import ReadOptions
from stagg.kernels.arrays import FloatArray, IntArray
from stagg.kernels.pairs.graphs import components
from stagg.leaderboards.battles.battle_board import BattleBoard, rank_battles
from stagg.leaderboards.battles.battle_fits import Ties
from stagg.leaderboards.board import LEVEL, TOP, Board
from stagg.leaderboards.difference_tests import (
    PairTest,
    RankTest,
    compare_pairs,
    skillings_mack,
    tell_more_tasks,
    tell_rank_test,
)
from stagg.leaderboards.draws import draw_strengths
from stagg.leaderboards.estimators import Estimator, estimator_of
from stagg.leaderboards.gaps import GapTest, find_gaps, tell_gaps
from stagg.leaderboards.scores import MissingScores, ScoreTable
from stagg.leaderboards.table_input import Families, Lower, ScoresLike, board_input, refuse_options
from stagg.methods import Method
from stagg.registry import check_seed, whole_number
from stagg.say import Say, Told, tell

__all__ = ["DRAWS", "METHOD", "ScoreBoard", "leaderboard", "rank_input", "rank_scores_of"]

METHOD: Final = "bradley_terry"
DRAWS: Final = 1000
MOST_DRAWS: Final = 100_000
PAIRS_OF: Final = 20  # models whose pairs are tested one by one
NAMED: Final = 3


@dataclasses.dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class ScoreBoard(Board):
    """A leaderboard of models by tasks.

    ``scores`` is the table it was made of, ``estimator`` the rule, ``missing`` what a missing score means. ``test``:
    whether the models differ at all. ``pairs``: the pairs of the first models, tested one by one with Holm's
    correction over these alone, so that a pair near the level may differ from the board. ``gaps``: whether the missing
    scores are missing at random; None if none are. ``below``: the same board where a missing score counts as lost, if
    the gaps are not random.
    """

    scores: ScoreTable
    estimator: Estimator
    missing: MissingScores
    test: RankTest
    gaps: GapTest | None = None
    below: Board | None = None

    @functools.cached_property
    def cells(self) -> FloatArray:
        """X[i, t] in the order of the board: the mean score over runs, larger is better, NaN where there is none."""
        places = {name: number for number, name in enumerate(self.scores.models)}
        return np.asarray(self.scores.cells()[[places[name] for name in self.names]])

    @functools.cached_property
    def pairs(self) -> list[PairTest]:
        return compare_pairs(self, self.cells, first=PAIRS_OF)

    @property
    def below_title(self) -> str:
        return f"If a missing score {self.estimator.lost}"

    @property
    def beside(self) -> list[tuple[str, Table]]:
        below = [] if self.below is None else [(self.below_title, self.below.table)]
        return [*below, *super().beside]

    def _more_json(self) -> dict[str, Any]:
        more: dict[str, Any] = {"test": dataclasses.asdict(self.test) | {"p_decides": self.test.decides}}
        if self.has_intervals:
            more["pairs"] = [dataclasses.asdict(pair) for pair in self.pairs]
        if self.gaps is not None:
            more["gaps"] = {"p": self.gaps.p_all}
        if self.below is not None:
            more["below"] = self.below.to_dicts()
        return super()._more_json() | more


def leaderboard(
    table: ScoresLike,
    *,
    method: str | Method | Estimator = METHOD,
    missing: MissingScores = "skip",
    lower_is_better: Lower = None,
    families: Families = None,
    weights: Mapping[str, float] | None = None,
    intervals: float | None = LEVEL,
    draws: int = DRAWS,
    top: int = TOP,
    seed: int = 0,
    columns: Mapping[str, str | int] | None = None,
    layout: str | None = None,
    anchor: str | None = None,
    ties: Ties = "davidson",
    apart: bool = False,
    log: ReadLog | None = None,
    progress: Progress | None = None,
) -> ScoreBoard | BattleBoard:
    """Rank models by a table of their scores on tasks, with gaps, or by battles, and say how sure each rank is.

    ``table``: a file or several (CSV, Excel, Parquet, JSON), a data frame, ``{model: {task: score}}`` or rows (model,
    task, score), with one row for each model, for each task, or for each score. Several scores of a model on one task
    are runs.

    - ``method``: how strengths come from scores: "bradley_terry" (default) on the wins per task, "mean", "mean_rank",
      "borda", "win_rate", or any registered method, for which every task is a ranker.
    - ``missing``: what it says that a model was not run on a task: nothing ("skip"), or that it lost ("below").
    - ``lower_is_better``: tasks where small scores are better, or "all".
    - ``families``: the family of each task. A family counts once, its tasks share, and draws take whole families. A
      dict, a column, "row" for a row above the header, or a file of tasks and families.
    - ``weights``: how much tasks count, by name; the others keep 1.
    - ``intervals``: the level of the intervals of ranks; None for none. ``draws``: the draws that they rest on.
    - ``top``: the k of the probability of being among the first k.
    - ``columns``: which columns are what, where the table does not show it: ``{"item": "Model"}`` holds the models,
      ``"ranker"`` the tasks, ``"score"`` the scores; ``"ignore"`` names columns to leave out, with + between them.
    - ``layout="battles"`` says that the rows are battles of two models, where the table does not show it.
    - ``apart``: groups of models that share no task, or that never met in battles, are ranked each by itself, the
      largest first, the rest in ``others``.

    For battles there are also:

    - ``anchor``: the judge who is believed, such as "human". The votes of other judges only narrow the intervals.
    - ``ties``: "davidson" (default) fits how often each judge says tie; "half" counts a tie as half a win for each.

    ``stagg.report.leaderboard_report(board)`` is its page, ``stagg.report.charts.board_plots`` has its plots.

    >>> scores = {"big": {"a": 3, "b": 3, "c": 2}, "mid": {"a": 2, "b": 2}, "small": {"a": 1, "b": 1, "c": 1}}
    >>> [hit.item for hit in leaderboard(scores, intervals=None).hits()]
    ['big', 'mid', 'small']
    """
    own = ReadLog() if log is None else log
    options = ReadOptions(columns=None if columns is None else dict(columns), layout=layout)
    read = board_input(
        table, lower_is_better=lower_is_better, families=families, weights=weights, options=options, log=own
    )
    if log is None:
        own.warn()
    return rank_input(
        read, method=method, missing=missing, anchor=anchor, ties=ties, apart=apart, intervals=intervals, draws=draws,
        top=top, seed=seed, progress=progress,
    )  # fmt: skip


def rank_input(
    read: ScoreTable | BattleRows,
    *,
    method: str | Method | Estimator = METHOD,
    missing: MissingScores = "skip",
    anchor: str | None = None,
    ties: Ties = "davidson",
    apart: bool = False,
    intervals: float | None = LEVEL,
    draws: int = DRAWS,
    top: int = TOP,
    seed: int = 0,
    progress: Progress | None = None,
) -> ScoreBoard | BattleBoard:
    """The board of what was read: see :func:`leaderboard`."""
    if isinstance(read, BattleRows):
        refuse_options("tables of scores", "these are battles", method=method != METHOD, missing=missing != "skip")
        return rank_battles(read, anchor=anchor, ties=ties, apart=apart, level=intervals, draws=draws, seed=seed, k=top)
    refuse_options("battles", "this is a table of scores", anchor=anchor, ties=ties != "davidson")
    return rank_scores_of(
        read, method=method, missing=missing, apart=apart, intervals=intervals, draws=draws, top=top, seed=seed,
        progress=progress,
    )  # fmt: skip


def rank_scores_of(
    scores: ScoreTable,
    *,
    method: str | Method | Estimator = METHOD,
    missing: MissingScores = "skip",
    apart: bool = False,
    intervals: float | None = LEVEL,
    draws: int = DRAWS,
    top: int = TOP,
    seed: int = 0,
    progress: Progress | None = None,
) -> ScoreBoard:
    """The board of a table of scores: see :func:`leaderboard`."""
    if missing not in get_args(MissingScores):
        raise InvalidParameter(f"missing is 'skip' or 'below', not {shown(missing)}")
    check_seed(seed)
    draws = whole_number("draws", draws, least=0, most=MOST_DRAWS) if intervals is not None else 0
    top = whole_number("top", top, least=1, most=10**9)
    estimator = estimator_of(method, missing)
    table, notes = _keep_compared(scores)
    groups = table.find_groups()
    options: dict[str, Any] = {"intervals": intervals, "draws": draws, "top": top, "seed": seed, "progress": progress}
    if groups.max() == 0 or estimator.missing == "below":
        return _rank(table, estimator, method, notes=notes, **options)
    if not apart:
        raise DataError(_tell_strangers(table, groups))
    order = np.argsort(-np.bincount(groups), kind="stable")
    first, *others = (_rank(table.take_models(groups == group), estimator, method, **options) for group in order)
    return dataclasses.replace(first, others=tuple(others), notes=(*notes, *first.notes))


def _rank(
    table: ScoreTable, estimator: Estimator, method: str | Method | Estimator, *, intervals: float | None, draws: int,
    top: int, seed: int, progress: Progress | None, notes: Sequence[str] = (),
) -> ScoreBoard:  # fmt: skip
    """The board of models that tasks compare."""
    missing = estimator.missing
    if draws and len(table.families) < 2:
        draws = 0
        one = "family" if len(table.tasks) > 1 else "task"
        notes = [*notes, f"There is one {one} alone, which cannot tell how sure the ranks are: they have no intervals."]
    strengths = draw_strengths(table, estimator, draws=draws, seed=seed, progress=progress)
    board = Board.make(
        strengths,
        level=LEVEL if intervals is None else intervals,
        k=top,
        held=(table.runs > 0).sum(axis=1),
        total=len(table.tasks),
        seed=seed,
        settings={"method": estimator.name, "missing": missing, "draws": draws or None},
    )
    cells = table.cells()
    test = skillings_mack(cells, seed=seed)
    gaps = find_gaps(cells, strengths.values, seed=seed) if missing == "skip" else None
    fields = {field.name: getattr(board, field.name) for field in dataclasses.fields(Board)}
    found = ScoreBoard(**fields, scores=table, estimator=estimator, missing=missing, test=test, gaps=gaps)
    if gaps is not None and gaps.warns:
        found = dataclasses.replace(
            found,
            warnings=(tell_gaps(gaps, strengths.names),),
            below=_rank_below(table, method, found.level, top, draws, seed),
        )
    return dataclasses.replace(found, findings=tuple(_tell_findings(found)), notes=(*notes, *_tell_notes(found)))


def _rank_below(table: ScoreTable, method: Any, level: float, top: int, draws: int, seed: int) -> Board | None:
    """The board where a missing score counts as lost; None where the method itself says something else."""
    try:
        strengths = draw_strengths(table, estimator_of(method, "below"), draws=draws, seed=seed)
    except InvalidParameter:
        return None
    held = (table.runs > 0).sum(axis=1)
    return Board.make(strengths, level=level, k=top, held=held, total=len(table.tasks), seed=seed)


def _keep_compared(scores: ScoreTable) -> tuple[ScoreTable, list[str]]:
    """The table without tasks that compare nothing, and what was left out."""
    compared = (scores.runs > 0).sum(axis=0) >= 2
    counted = scores.weights > 0
    kept = np.flatnonzero(compared & counted)
    if not len(kept):
        raise DataError("no task was run on two or more models; there is nothing to compare")
    if len(kept) == len(scores.tasks):
        return scores, []
    table = scores.take_tasks(kept.tolist())
    notes = []
    alone = [scores.tasks[t] for t in np.flatnonzero(~compared).tolist()]
    if alone:
        notes.append(f"Left out, for only one model was run on it: {_list_names(alone)}.")
    gone = [name for name in scores.models if name not in set(table.models)]
    if gone:
        notes.append(f"Left out, for no task compares them with others: {_list_names(gone)}.")
    return table, notes


def _tell_strangers(table: ScoreTable, groups: IntArray) -> Told:
    """The question what to do with groups of models that share no task."""
    count = int(groups.max()) + 1
    names = [[table.models[i] for i in np.flatnonzero(groups == group)] for group in range(count)]
    some = "; ".join(map(_list_names, names[:NAMED])) + ("; …" if count > NAMED else "")
    return tell(
        f"{count:,} groups of models share no task, so nothing compares them ({some}); ", Say(apart=True),
        " ranks each group by itself, ", Say(missing="below"), " counts what was not run as lost",
    )  # fmt: skip


def _list_names(names: list[str]) -> str:
    return ", ".join(map(bare, names[:NAMED])) + (f" and {len(names) - NAMED:,} more" if len(names) > NAMED else "")


def _tell_findings(board: ScoreBoard) -> list[str]:
    """Sentences on what the board shows: whether models differ, who can be told apart, what it would take."""
    test = tell_rank_test(board.test, len(board))
    if not board.has_intervals:
        return [test]
    told = board.describe_groups()
    if not board.sets.above[0, 1]:
        unit = ("family", "families") if board.scores.has_families else ("task", "tasks")
        told.append(tell_more_tasks(board, 0, 1, unit))
    return [*told, test]


def _tell_notes(board: ScoreBoard) -> list[str]:
    """Sentences on how the board was made, and on what holds it."""
    told = []
    table, cells = board.scores, board.cells
    missing = int(np.isnan(cells).sum())
    if missing:
        meaning = "says nothing" if board.missing == "skip" else board.estimator.lost
        told.append(f"{100 * missing / cells.size:.0f} % of the scores are missing; a missing score {meaning}.")
    if table.has_families:
        told.append(f"{plural(len(table.tasks), 'task')} in {plural(len(table.families), 'family', 'families')}; each "
                    "family counts once.")  # fmt: skip
    if table.runs.max() > 1:
        told.append("Tasks with several runs: draws take tasks, and runs within them.")
    held = _find_held(cells, board.missing).tolist() if board.estimator.name == METHOD else []
    if held:
        these = "this strength is" if len(held) == 1 else "these strengths are"
        told.append(
            f"{_list_names([board.names[i] for i in held])}: the wins do not lead there and back from all the others "
            f"(as where a model wins every contest), so {these} held by the prior of the method alone."
        )
    units = int(board.strengths.units.min())
    if board.has_intervals and 2.0 ** (1 - units) > 1 - board.level:
        one, many = ("family", "families") if table.has_families else ("task", "tasks")
        count = plural(units, one, many)
        told.append(f"A model with {count} cannot be told apart from any other at this level: too few {many}.")
    return told


def _find_held(cells: FloatArray, missing: MissingScores) -> IntArray:
    """The models whose strengths only a prior holds: no wins and ties lead there and back from most of the others."""
    beats = np.zeros((len(cells), len(cells)), dtype=bool)
    for column in (np.where(np.isnan(cells), -np.inf, cells) if missing == "below" else cells).T:
        order = np.argsort(-column, kind="stable")[: int((~np.isnan(column)).sum())]
        beats[order[:-1], order[1:]] = True  # who is next below; the others below follow
        tied = column[order[1:]] == column[order[:-1]]
        beats[order[1:][tied], order[:-1][tied]] = True
    parts = components(beats, strong=True)
    return np.flatnonzero(parts != np.bincount(parts).argmax())
