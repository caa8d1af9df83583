"""Report of a leaderboard: ranks with intervals, groups, who beats whom, what each task does, other ways to count."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from stagg.evaluation.tables import Cell, Grid
from stagg.leaderboards.battles.battle_board import BattleBoard
from stagg.leaderboards.board import Board, Standing, tell_probability, tell_range
from stagg.leaderboards.leaderboard import ScoreBoard
from stagg.leaderboards.task_effects import find_task_effects, rank_by_others
from stagg.report.charts.boards import RankLane, group_diagram, lay_out_groups, rank_lanes
from stagg.report.charts.svg import grid_table, matrix
from stagg.report.markup import Html, escaped, joined, quoted, shorten, shorten_apart
from stagg.report.pages.battle_sections import battle_sections, lay_out_view
from stagg.report.shell import Section, figure, page

__all__ = ["board_sections", "leaderboard_report"]

MOST = 60  # contestants of the chart; the table has all
IN_GROUPS, IN_MATRIX = 24, 30
MOST_ROWS = 300
MOST_TASKS = 60
STYLE = "leaderboard.css"


def leaderboard_report(
    board: Board, *, title: str | None = None, files: Sequence[str] = (), remarks: Sequence[str] = ()
) -> str:
    """A page of HTML on a leaderboard; ``remarks`` are what the reader said of these files."""
    sections = board_sections(board)
    if isinstance(board, ScoreBoard):
        sections += _score_sections(board)
    if isinstance(board, BattleBoard):
        sections += battle_sections(board)
    sections += _other_sections(board)
    if remarks:
        sections.append(Section("How the table was read", _listed(remarks)))
    facts = [
        *([("Files", ", ".join(files))] if files else []),
        ("Models", f"{len(board):,}"),
        *([(f"{board.unit.capitalize()}s", f"{board.total:,}")] if board.total else []),
        *[(name.capitalize(), str(value)) for name, value in board.settings.items() if value is not None],
    ]
    lead = " ".join(board.findings[:2])
    return page(title or "Leaderboard", sections, lead=lead, facts=facts, warnings=board.warnings,
                notes=[*board.notes, f"Seed {board.seed}."], styles=[STYLE])  # fmt: skip


def board_sections(board: Board) -> list[Section]:
    """Ranks with intervals, groups, who beats whom: what every leaderboard has."""
    hits = board.hits()
    sections = [Section("The board", _draw_board(board, hits), _explain_board(board))]
    if board.has_intervals:
        sections += [
            Section("Groups", _draw_groups(board), _explain_groups(board)),
            Section("Who is better than whom", _draw_beats(board), _explain_beats(board)),
        ]
    findings = board.findings[2:]
    if findings:
        sections.append(Section("In words", _listed(findings)))
    return sections


def _draw_board(board: Board, hits: Sequence[Standing]) -> Html:
    table = grid_table(_board_table(board, hits[:MOST_ROWS]))
    if not board.has_intervals:
        return table
    lanes = [
        RankLane(hit.item, hit.rank, hit.low, hit.high, hit.alone_low, hit.alone_high, tell_range(hit.low, hit.high),
                 _tell_hit(board, hit))
        for hit in hits[:MOST]
    ]  # fmt: skip
    last = max(hit.high for hit in hits[:MOST])
    more = f"The first {MOST} of {len(board):,}. " if len(board) > MOST else ""
    rows = f" The first {MOST_ROWS} are in the table." if len(hits) > MOST_ROWS else ""
    caption = f"{more}Wide: the interval that holds for all at once; thin: for this one alone.{rows}"
    return figure("Ranks", rank_lanes(lanes, label="Intervals of ranks", last=last), caption=caption, table=table)


def _tell_hit(board: Board, hit: Standing) -> str:
    total = f" of {board.total}" if board.total else ""
    chances = f"first: {tell_probability(hit.first)}, among the first {board.k}: {tell_probability(hit.top)}"
    return (
        f"{quoted(hit.item)}: rank {hit.rank}\n{tell_range(hit.low, hit.high)} with all at once, "
        f"{tell_range(hit.alone_low, hit.alone_high)} alone\n"
        f"{chances}\n{hit.held}{total} {board.unit}s"
    )


def _board_table(board: Board, hits: Sequence[Standing]) -> Grid:
    sure = board.has_intervals
    header = ["rank", "model", *(["ranks", "alone", "group"] if sure else []), board.scale,
              *(["first", f"top {board.k}"] if sure else []), f"{board.unit}s"]  # fmt: skip
    cells = []
    for hit in hits:
        spans = [tell_range(hit.low, hit.high), tell_range(hit.alone_low, hit.alone_high), hit.groups] if sure else []
        chances = [tell_probability(hit.first), tell_probability(hit.top)] if sure else []
        held = f"{hit.held} of {board.total}" if board.total else str(hit.held)
        cells.append(
            [
                Cell(t)
                for t in (str(hit.rank), shorten(hit.item), *spans, board.show_strength(hit.score), *chances, held)
            ]
        )
    return Grid(header, cells, [name != "model" for name in header])


def _explain_board(board: Board) -> str:
    if not board.has_intervals:
        return ""
    level = f"{100 * board.level:g} %"
    return (
        f"With {level} confidence all the wide intervals hold at once, for {board.unit}s like these. First, and among "
        f"the first {board.k}: the share of {len(board.strengths.draws):,} draws, which is no test. None of them "
        f"speaks of other kinds of {board.unit}s."
    )


def _draw_groups(board: Board) -> Html:
    count = min(len(board), IN_GROUPS)
    groups = [(first, min(last, count - 1)) for first, last in board.groups if first < count]
    values = board.strengths.values[:count].tolist()
    layout = lay_out_groups(board.names[:count], values, [g for g in groups if g[1] > g[0]])
    diagram = group_diagram(layout, label="Groups that cannot be told apart")
    more = f"The first {count} of {len(board):,}. " if len(board) > count else ""
    lines = [
        [Cell(str(number)), Cell(tell_range(first + 1, last + 1)), Cell(_name_some(board.names[first : last + 1]))]
        for number, (first, last) in enumerate(board.groups[:MOST_ROWS], start=1)
    ]
    table = grid_table(Grid(["group", "places", "models"], lines, [True, True, False]))
    caption = f"{more}The axis is the strength, the best at the left. A bar joins the neighbours of a group."
    return figure("Groups that cannot be told apart", diagram, caption=caption, table=table)


def _name_some(names: Sequence[str]) -> str:
    return ", ".join(shorten(name, 30) for name in names[:12]) + (", …" if len(names) > 12 else "")


def _explain_groups(board: Board) -> str:
    return (
        "Neighbours in the order of whom no two are told apart form a group; a model can be in several. Models of one "
        f"group need not be equal: there are too few {board.unit}s to tell. Models that share no group may not be told "
        "apart either."
    )


def _draw_beats(board: Board) -> Html:
    count = min(len(board), IN_MATRIX)
    shares = 2 * board.beats[:count, :count] - 1
    names = shorten_apart(board.names[:count], 40)
    lines = [
        [Cell(name), *[Cell("" if i == j else f"{100 * board.beats[i, j]:.0f}") for j in range(count)]]
        for i, name in enumerate(names)
    ]
    table = grid_table(Grid(["% for the row", *names], lines, [False] + [True] * count))
    label = "P(the row is better than the column)"
    drawn = matrix(names, shares, label=label, show=lambda share: tell_probability((1 + share) / 2))
    return figure("P(row is better than column)", drawn, table=table)


def _explain_beats(board: Board) -> str:
    more = f"The first {IN_MATRIX}. " if len(board) > IN_MATRIX else ""
    return (
        f"{more}The share of the draws in which the row is the better model: pair by pair, and no test. Who is told "
        "apart, all at once, the groups show. Blue: the row, orange: the column."
    )


def _other_sections(board: Board) -> list[Section]:
    """The groups that nothing compares with the models of the board."""
    return [
        Section(f"Group {number}", grid_table(lay_out_view(other.table)), " ".join([
            f"A group {board.apart}, so nothing compares them.", *other.warnings
        ]))
        for number, other in enumerate(board.others, start=2)
    ]  # fmt: skip


# --- boards of scores -------------------------------------------------------------------------------------------------


def _score_sections(board: ScoreBoard) -> list[Section]:
    sections = [
        Section(
            "Four ways to count", _draw_ways(board), "Ranks by other rules for the same scores, and how far apart."
        ),
        Section(f"What each {_unit(board)} does", _draw_effects(board), _explain_effects(board)),
    ]
    if board.below is not None:
        sections.insert(0, Section(board.below_title, _draw_below(board, board.below), BELOW))
    if board.has_intervals:
        sections.append(Section("Pair by pair", _draw_pairs(board), PAIRS))
    return sections


BELOW = "The gaps do not look random, so the truth may lie between the two boards."
PAIRS = (
    "Student's t on the difference of the strengths, with Holm's correction over these pairs alone. The board tells "
    "pairs apart by another procedure, over all its models, so the two may differ where p is near the level. Won: the "
    "share of the tasks of both that the first won, ties half."
)


def _unit(board: ScoreBoard) -> str:
    return "family" if board.scores.has_families else "task"


def _draw_ways(board: ScoreBoard) -> Html:
    ways = rank_by_others(board)
    lines = []
    for i, name in enumerate(board.names[:MOST]):
        ranks = [int(each[i]) for each in ways.values()]
        lines.append([Cell(shorten(name)), *[Cell(str(rank)) for rank in ranks], Cell(str(max(ranks) - min(ranks)))])
    grid = Grid(["model", *ways, "apart"], lines, [False] + [True] * (len(ways) + 1))
    return grid_table(grid)


def _draw_effects(board: ScoreBoard) -> Html:
    lines = [
        [
            Cell(shorten(effect.name)),
            Cell(str(effect.models)),
            Cell(_number(effect.agreement)),
            Cell(_number(effect.tau_without, 3)),
            Cell(str(effect.moved)),
            Cell(shorten(effect.mover, 40)),
            Cell(shorten(effect.first, 40)),
        ]
        for effect in find_task_effects(board)[:MOST_TASKS]
    ]
    header = [_unit(board), "models", "agreement", "tau without", "ranks moved", "most", "first without"]
    return grid_table(Grid(header, lines, [False, True, True, True, True, False, False]))


def _explain_effects(board: ScoreBoard) -> str:
    return (
        f"The {_unit(board)} that decides most comes first. Agreement: Kendall's tau between its own order and the "
        "board's. Tau without: between the boards with it and without it. Ranks moved: by the model that moves most "
        "without it."
    )


def _draw_below(board: ScoreBoard, below: Board) -> Html:
    ranks = {hit.item: hit for hit in below.hits()}
    lines = [
        [
            Cell(shorten(hit.item)),
            Cell(str(hit.rank)),
            Cell(tell_range(hit.low, hit.high)),
            Cell(str(ranks[hit.item].rank)),
            Cell(tell_range(ranks[hit.item].low, ranks[hit.item].high)),
            Cell(f"{hit.held} of {board.total}"),
        ]
        for hit in board.hits(MOST)
    ]
    header = ["model", "rank", "ranks", "rank, lost", "ranks, lost", "tasks"]
    return grid_table(Grid(header, lines, [False, True, True, True, True, True]))


def _draw_pairs(board: ScoreBoard) -> Html:
    lines = [
        [
            Cell(shorten(pair.one, 40)),
            Cell(shorten(pair.other, 40)),
            Cell(f"{pair.difference:.3f}"),
            Cell(f"{pair.p:.4f}"),
            Cell(f"{pair.p_holm:.4f}"),
            Cell(_number(pair.won)),
            Cell(str(pair.tasks)),
        ]
        for pair in board.pairs
    ]
    header = ["model", "other", "difference", "p", "p (Holm)", "won", "tasks"]
    return Html(f"<details><summary>The pairs of the first models</summary>\n"
                f"{grid_table(Grid(header, lines, [False, False] + [True] * 5))}</details>")  # fmt: skip


def _number(value: float, digits: int = 2) -> str:
    return "-" if np.isnan(value) else f"{value:.{digits}f}".replace("-", "−")


def _listed(sentences: Sequence[str]) -> Html:
    return Html(f"<ul>{joined(Html(f'<li>{escaped(each)}</li>') for each in sentences)}</ul>")
