"""Tables with named columns, from any kind of file: query, item, rank and/or score, ranker, multiplicity."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from stagg.data.columns import Coded, Columns
from stagg.data.ids import Ids
from stagg.data.rankings import Rankings
from stagg.data.results.beside import BESIDE, INTERVALS, columns_beside
from stagg.errors import shown
from stagg.formats.format import BY_RANK, BY_SCORE, ONE_QUERY, Loaded, Understood
from stagg.formats.log import ReadLog
from stagg.formats.options import ROLES, ReadOptions
from stagg.formats.reading import Reading
from stagg.formats.row_checks import (
    COUNT,
    LEFT_OUT,
    Problem,
    assemble_rows,
    parse_count,
    read_multiplicities,
    refuse_kept_ranks,
    refuse_values,
)
from stagg.formats.runs.rank_and_score import check_ranks, find_first_ranks, note_contradictions, order_refusal
from stagg.formats.tables.cells import is_number_cell, note_dates, note_percent, read_number
from stagg.formats.tables.ordinals import read_place
from stagg.formats.tables.roles import find_lower, is_long, is_numeric, propose_roles, say_columns, told_by
from stagg.formats.tables.vocabulary import NO_NUMBERS, SUMMARIES
from stagg.kernels.arrays import BoolArray, FloatArray, IntArray
from stagg.kernels.id_order import order_by_id
from stagg.kernels.lists.votes import LARGEST_COUNT
from stagg.registry import near_names
from stagg.say import Say, Told, join_told, name_option, tell

__all__ = [
    "EMPTY_SCORE",
    "NO_CELLS",
    "Cells",
    "check_header",
    "check_order",
    "check_row_values",
    "check_values_option",
    "columns_of",
    "describe_missing",
    "load_values",
    "loaded",
    "make_columns",
    "note_total",
    "parse_cells",
    "refuse_fractions",
    "table_refusal",
]

WORKBOOKS: Final = (".xlsx", ".xlsm")
SOME_ROWS: Final = 100  # that show what a column holds


LEAVE_OUT: Final = tell("; ", Say(lenient=True), " leaves such rows out")
EMPTY_SCORE: Final = tell(
    "the score is empty; expected a finite number, or a list that has ranks and no scores at all", LEAVE_OUT
)


class Cells(NamedTuple):
    """The known columns of a table as they stand in the file, and the line (or row) of each of their rows.

    A cell is text, or a number or None where the file knows types.
    """

    columns: dict[str, list[Any]]
    lines: IntArray

    def taken(self, rows: IntArray) -> Cells:
        chosen = rows.tolist()
        return Cells({name: [cells[row] for row in chosen] for name, cells in self.columns.items()}, self.lines[rows])


NO_CELLS: Final = Cells({"query": [], "item": [], "score": []}, np.zeros(0, dtype=np.intp))
"""An empty file."""


# --- reading ----------------------------------------------------------------------------------------------------------


def check_header(
    names: Sequence[str],
    reading: Reading,
    line: int | None = None,
    *,
    own: Sequence[str] | None = None,
    body: Iterable[Sequence[str]] = (),
) -> list[str]:
    """The known columns of a header; what is missing is an error, what is not known is named in a note.

    ``own`` are the names as they stand in the file, where roles have taken the place of some; of the rows below, the
    ``body``, the error needs some.
    """
    known = [name for name in names if name in ROLES]
    if not is_long(names):
        rows = _take_rows(body, len(names))
        raise reading.error(describe_missing(names, own=own, body=rows, in_line=line is not None), line)
    shown_names = ", ".join(map(shown, names[:20]))
    if len(set(known)) != len(known):
        raise reading.error(f"a column appears twice in the header: {shown_names}; rename one of them", line)
    told = "rank" not in names or "rank" in (reading.options.columns or {})
    reading.rank_name = "" if told else (own or names)[names.index("rank")]
    end = len(names) - (bool(names) and not names[-1])  # an empty last column is nothing
    expected = (*ROLES, *_written_beside(names), LEFT_OUT)
    others = [number for number, name in enumerate(names[:end]) if name not in expected]
    if others:
        unknown = [shown(names[number]) if names[number] else f"number {number + 1}" for number in others[:20]]
        reading.note(f"ignored columns: {', '.join(unknown)}")
        reading.on_duplicates = _offer_ignored([names[number] for number in others], names)
    return known


def _written_beside(names: Sequence[str]) -> Sequence[str]:
    """The columns that `stagg fuse` writes beside a consensus: passed over without a word.

    Short names, such as q, are ours only where the rest of the header is.
    """
    return BESIDE if list(names[:4]) == ["query", "item", "rank", "score"] else INTERVALS


def _take_rows(body: Iterable[Sequence[str]], width: int) -> list[list[str]]:
    """Some rows, all of this width."""
    return [[*row[:width], *[""] * (width - len(row))] for row in itertools.islice(body, SOME_ROWS)]


def _offer_ignored(ignored: Sequence[str], names: Sequence[str]) -> str:
    """That an ignored column may tell apart what would else be one list, to append to an error."""
    name = next(filter(None, ignored), None)
    calls = [say_columns(**{role: name}) for role in ("query", "ranker") if name and role not in names]
    if not calls:
        return ""
    return tell(f"; or the ignored column {shown(name)} tells them apart: ", join_told(" or ", calls))


def describe_missing(
    names: Sequence[str],
    *,
    own: Sequence[str] | None = None,
    body: Sequence[Sequence[str]] = (),
    in_line: bool = True,
) -> Told:
    """Which columns a table of one row per listed item lacks, and how to say which they are.

    ``own`` and ``body`` are as in :func:`check_header`; ``in_line``: the names stand in a line of their own.
    """
    missing = [] if "item" in names else ["item"]
    if "score" not in names and "rank" not in names:
        missing.append("score or rank")
    numeric = [not body or is_numeric(body, column) for column in range(len(names))]
    near = next((hint for pair in zip(names, numeric, strict=True) if (hint := _near(*pair, names))), "")
    found = ", ".join(map(shown, (own or names)[:20]))
    return tell(
        f"expected {'a header line with ' if in_line else ''}the columns item and score or rank (and query, ranker); "
        f"missing: {', '.join(missing)}; found: {found or 'nothing'}{near}",
        _mapping_hint(names, body),
    )


def _mapping_hint(names: Sequence[str], body: Sequence[Sequence[str]]) -> str:
    if any(is_number_cell(name) for name in names):
        numbered = Say(header=False, columns=propose_roles([""] * len(names), body) or {"item": "1", "score": "2"})
        return tell("; if the first line is data, say which columns they are by number, such as ", numbered)
    roles = propose_roles(names, body)
    if roles:
        return tell("; columns under other names: ", Say(columns=roles))
    numbers = any(is_numeric(body, column) for column in range(len(names)))
    return "" if numbers or not body else "; no column holds numbers"


def _near(name: str, is_number: bool, names: Sequence[str]) -> str:
    """Which role a name may be a misspelling of; that of a column of texts is no number."""
    if not name:
        return ""
    numbers = () if is_number else ("rank", "score", "multiplicity")
    hint = near_names(name.strip().lower(), [role for role in ROLES if role not in (*names, *numbers)])
    return hint if "mean" in hint and name not in ROLES else ""


def loaded(cells: Cells, reading: Reading, *, delimiter: str | None = None) -> Loaded:
    """Rankings from the cells: the score decides, or the rank where there is no score or it is asked for."""
    cells, values = parse_cells(cells, reading)
    odd_ranks = dict(zip(cells.lines.tolist(), cells.columns.get("rank", ()), strict=False))
    values, lines = check_values_option(values, cells.lines, odd_ranks, reading)
    return load_values(values, lines, reading, delimiter=delimiter)


def check_values_option(
    values: dict[str, Any], lines: IntArray, odd_ranks: Mapping[int, object], reading: Reading
) -> tuple[dict[str, Any], IntArray]:
    """Columns whose cells are right one by one, and their lines: rows that lack their score leave, ranks are checked.

    ``odd_ranks`` are the cells of ranks by line, at least of those that are no numbers from 0 on.
    """
    values, lines = _without_gaps(_name_query(values, len(lines)), lines, reading)
    if "rank" in values and reading.options.lenient:
        values, lines = _without_bad_ranks(values, lines, reading)
    if "rank" in values:
        _check_ranks(values, lines, odd_ranks, reading)
    return values, lines


def check_row_values(
    values: Mapping[str, Any], lines: IntArray, odd_ranks: Mapping[int, object], reading: Reading
) -> None:
    """As :func:`check_values_option`, of rows whose lists may go on elsewhere, where reading is not lenient."""
    if "rank" not in values:
        _without_gaps(dict(values), lines, reading)
    else:
        _check_ranks(values, lines, odd_ranks, reading)


def _without_bad_ranks(values: dict[str, Any], lines: IntArray, reading: Reading) -> tuple[dict[str, Any], IntArray]:
    """The rows without those whose rank decides the order and is not valid."""
    _, by_rank = _find_by_rank(values, reading.options)
    bad = np.flatnonzero(~(values["rank"] >= 0) & by_rank)
    if not len(bad):
        return values, lines
    keep = _without(dict.fromkeys(bad.tolist(), ("bad rank", "")), lines, reading)
    return {name: _take(column, keep) for name, column in values.items()}, lines[keep]


def _take(column: Any, rows: IntArray) -> Any:
    """Some rows of a column."""
    return column[rows] if isinstance(column, np.ndarray) else [column[row] for row in rows.tolist()]


def _name_query(values: Mapping[str, Any], rows: int) -> dict[str, Any]:
    """The columns; a table without a query column is one query."""
    if "query" in values:
        return dict(values)
    return {"query": Coded(np.zeros(rows, dtype=np.intp), (ONE_QUERY,)), **values}


def load_values(
    values: Mapping[str, Any], lines: IntArray, reading: Reading, *, delimiter: str | None = None
) -> Loaded:
    """Rankings from columns in which nothing is wrong, ids as text or as codes; ``lines`` say where each row stands."""
    given, values = values, _turn_lower(_name_query(values, len(lines)), reading)
    rows = make_columns(values, lines, reading)
    scores, ranks = values.get("score"), values.get("rank")
    rankings, order = assemble_rows(rows, reading, reading.on_duplicates)
    if reading.options.keep_ranks and ranks is not None:
        rankings = rankings.replace(raw_ranks=ranks[order].astype(np.float32))
    if scores is not None and ranks is not None and reading.options.order_by != "rank":
        note_contradictions(rankings, ranks[order], lines[order], reading)
    if "multiplicity" in values:
        rankings = rankings.replace(multiplicities=_multiplicities(rows, values["multiplicity"], rankings, reading))
    if "query" not in given:  # genes are listed without one
        note_dates(rankings.items, reading)
    if len(lines):
        note_total(str(rows.items[len(lines) - 1]), reading.name, reading.log)
    direction = BY_RANK if rows.scores is None or reading.options.order_by == "rank" else BY_SCORE
    return Loaded(rankings, names_rankers="ranker" in values, understood=Understood("long", direction, delimiter))


def _turn_lower(values: dict[str, Any], reading: Reading) -> dict[str, Any]:
    """The columns; the scores of rankers whose small numbers are top have the other sign."""
    if reading.options.lower is None:
        return values
    if "ranker" not in values or "score" not in values:
        hint = " names rankers; this table has no column ranker beside a score: call a column rank if small is top"
        raise reading.error(tell(name_option("lower"), hint))
    rankers = values["ranker"]
    texts = [rankers.ids[code] for code in rankers.codes.tolist()] if isinstance(rankers, Coded) else list(rankers)
    lower = find_lower(reading, list(dict.fromkeys(texts)), "ranker")
    small = np.array([ranker in lower for ranker in texts], dtype=bool)
    return {**values, "score": np.where(small, -values["score"], values["score"])}


def note_total(last: str, file: str, log: ReadLog) -> None:
    """Say of the item of the last row that it may be none."""
    if last.casefold() in SUMMARIES:
        log.note(f"{file}: the last row is {shown(last)}; it was read as an item: remove it if it is none")


def make_columns(values: Mapping[str, Any], lines: IntArray, reading: Reading) -> Columns:
    """The rows as Columns: the score decides the order, or the rank where there is no score or it is asked for."""
    check_order(values, reading)
    scores, ranks = values.get("score"), values.get("rank")
    without, by_rank = _find_by_rank(values, reading.options)
    return Columns(
        values["query"],
        values["item"],
        _deciding(scores, ranks, by_rank),
        rankers=values.get("ranker", reading.stem),
        scores=None if without.all() else scores,
        file=reading.file,
        lines=lines,
    )


def check_order(names: Iterable[str], reading: Reading) -> None:
    """Options that the columns cannot fulfil are an error."""
    hint = tell("a table names its columns score and rank: see ", name_option("order_by"))
    refuse_values(reading, hint, names=["values"])
    if reading.options.order_by is not None and reading.options.order_by not in names:
        raise reading.error(f"there is no column '{reading.options.order_by}' to order by; found: {', '.join(names)}")
    by_rank = "rank" in names and ("score" not in names or reading.options.order_by == "rank")
    refuse_kept_ranks(reading, by_rank=by_rank)


def parse_cells(cells: Cells, reading: Reading) -> tuple[Cells, dict[str, Any]]:
    """The values of all columns, without the rows that hold a wrong one."""
    problems: dict[int, Problem] = {}
    values: dict[str, list[Any]] = {}
    for name, column in cells.columns.items():
        parse, expected = PARSERS[name]
        values[name] = list(map(parse, column))
        if name == "score":
            note_percent((cell for cell in column if isinstance(cell, str)), reading)
        for row, value in enumerate(values[name]):
            if value is None:
                message = tell(f"the {name} {shown(column[row])} is not {expected}", _number_hint(column[row]))
                merged = column[row] == "" and name in ROLES[:3] and reading.plain_name.lower().endswith(WORKBOOKS)
                message += "; merged cells hold their text in the first row only" if merged else ""
                problems.setdefault(row, (f"bad {name}", message))
    if not problems:
        return cells, _as_arrays(values)
    keep = _without(problems, cells.lines, reading)
    chosen = keep.tolist()
    return cells.taken(keep), _as_arrays({name: [column[row] for row in chosen] for name, column in values.items()})


def _number_hint(cell: Any) -> str:
    """Advice on a cell that says that a number is missing, or that has a comma."""
    if isinstance(cell, str) and cell.strip(" \t").casefold() in NO_NUMBERS:
        return LEAVE_OUT
    comma = isinstance(cell, str) and "," in cell and any(map(str.isdigit, cell))
    return "; write a decimal point, and no separators between thousands" if comma else ""


def _as_arrays(values: dict[str, list[Any]]) -> dict[str, Any]:
    return {
        name: np.array(column, dtype=float) if name in ("rank", "score") else column for name, column in values.items()
    }


def _without(problems: dict[int, Problem], lines: IntArray, reading: Reading) -> IntArray:
    """The rows that nothing is wrong with; the first wrong one is an error unless reading is lenient."""
    for row in sorted(problems):
        reason, message = problems[row]
        if not reading.options.lenient:
            raise reading.error(message, int(lines[row]))
        reading.drop(reason, lines[row])
    return np.setdiff1d(np.arange(len(lines)), np.array(list(problems), dtype=np.intp))


def _without_gaps(values: dict[str, Any], lines: IntArray, reading: Reading) -> tuple[dict[str, Any], IntArray]:
    """Rows without a score are right only in a list that has none at all, and that ranks put in order."""
    empty = np.isnan(values["score"]) if "score" in values else np.zeros(0, dtype=bool)
    if not empty.any():
        return values, lines
    rankers = values.get("ranker", [reading.stem] * len(empty))
    lists = list(zip(values["query"], rankers, strict=True))
    scored = {key for key, gap in zip(lists, empty.tolist(), strict=True) if not gap}
    gaps = [row for row in np.flatnonzero(empty).tolist() if "rank" not in values or lists[row] in scored]
    if not gaps:
        return values, lines
    keep = _without(dict.fromkeys(gaps, ("empty score", EMPTY_SCORE)), lines, reading)
    return {name: _take(column, keep) for name, column in values.items()}, lines[keep]


def _find_by_rank(values: Mapping[str, Any], options: ReadOptions) -> tuple[BoolArray, BoolArray]:
    """(rows without a score, rows that go by their rank)."""
    scores = values.get("score")
    without = np.ones(len(values["query"]), dtype=bool) if scores is None else np.isnan(scores)
    return without, without | (options.order_by == "rank")


def _check_ranks(values: Mapping[str, Any], lines: IntArray, odd: Mapping[int, object], reading: Reading) -> None:
    ranks, (_, by_rank) = values["rank"], _find_by_rank(values, reading.options)
    if told_by(reading.rank_name) == "rank" and reading.options.order_by != "rank":
        refuse_fractions(reading.rank_name, ranks[by_rank], lines[by_rank], reading)
    wrong = ~(ranks >= 0)
    for decide in (True, False) if wrong.any() else ():
        rows = np.flatnonzero(wrong & (by_rank == decide))
        cells = [odd[line] for line in lines[rows].tolist()]
        check_ranks(
            ranks[rows],
            cells,
            lines[rows],
            reading,
            decide=decide,
            remedy=tell(", or say ", Say(lenient=True), " to leave it out"),
        )


def refuse_fractions(name: str, ranks: FloatArray, lines: IntArray, reading: Reading) -> None:
    """A column called rank that holds numbers between 0 and 1 may hold scores: ts_rank(…) AS rank of PostgreSQL."""
    odd = np.flatnonzero((ranks > 0) & (ranks < 1))
    if not len(odd):
        return
    raise reading.ask(
        f"the column {shown(name)} holds {float(ranks[odd[0]]):g}: are these ranks, or scores?",
        (say_columns(rank=name), "ranks, small = top"),
        (say_columns(score=name), "scores, large = top"),
        line=int(lines[odd[0]]),
    )


def _deciding(scores: FloatArray | None, ranks: FloatArray | None, by_rank: np.ndarray) -> FloatArray:
    """The numbers that order the rows, large = top."""
    if ranks is None:
        return scores if scores is not None else np.zeros(0)
    return -ranks if scores is None else np.where(by_rank, -ranks, scores)


def _multiplicities(rows: Columns, counts: Iterable[int], rankings: Rankings, reading: Reading) -> IntArray:
    """The count of each ranker, which must be the same in all of its rows."""
    rankers = [rows.rankers] * len(rows.queries) if isinstance(rows.rankers, str) else rows.rankers
    found: dict[str, tuple[int, int]] = {}
    for row, (ranker, count) in enumerate(zip(rankers, counts, strict=True)):
        before, first = found.setdefault(ranker, (count, row))
        if before != count:
            raise reading.error(
                f"ranker {shown(ranker)} has multiplicity {before} in line {rows.place(first)} and {count} here; "
                "it must be the same in all rows of a ranker",
                rows.place(row),
            )
    held = [found.get(name, (1, 0)) for name in rankings.rankers]
    return read_multiplicities([count for count, _ in held], [rows.place(first) for _, first in held], reading)


def _id(cell: Any) -> str | None:
    if isinstance(cell, str):
        return cell or None
    return str(cell) if isinstance(cell, int) and not isinstance(cell, bool) else None


def _score(cell: Any) -> float | None:
    """The number in a cell, NaN when it is empty, None when it holds something else."""
    if isinstance(cell, str):
        cell = cell.strip(" \t")
        return read_number(cell) if cell else float("nan")
    return float("nan") if cell is None else _finite(cell)


def _rank(cell: Any) -> float:
    """The rank in a cell, NaN where there is none: it matters only where it decides the order."""
    number = _score(cell)
    if number is None and isinstance(cell, str):
        number = read_place(cell)
    return float("nan") if number is None else number


def _finite(value: Any) -> float | None:
    try:
        number = float(value) if not isinstance(value, bool) else float("nan")
    except (TypeError, ValueError, OverflowError):
        return None
    return number if abs(number) < float("inf") else None


def _count(cell: Any) -> int | None:
    if isinstance(cell, str):
        return parse_count(cell.strip(" \t").removeprefix("+"))
    if isinstance(cell, bool) or not isinstance(cell, int | float) or not 0 <= cell <= LARGEST_COUNT:
        return None
    return int(cell) if cell == int(cell) else None


PARSERS: Final[dict[str, tuple[Callable[[Any], Any], str]]] = {
    "query": (_id, "an id: ids are text or whole numbers, not empty"),
    "ranker": (_id, "an id: ids are text or whole numbers, not empty"),
    "item": (_id, "an id: ids are text or whole numbers, not empty"),
    "rank": (_rank, "a number"),
    "score": (_score, "a finite number such as 12.5 or -3e-2"),
    "multiplicity": (_count, COUNT),
}


# --- writing ----------------------------------------------------------------------------------------------------------


def columns_of(rankings: Rankings) -> dict[str, Any]:
    """The columns to write, queries in bytewise order of id, items by rank: ids as codes, numbers as arrays.

    Ranks are 1..L, never shared, but for lists without scores: there the ranks must tell the ties. One ranker needs
    no column, multiplicities that are all 1 neither; a list without scores beside others has NaN.
    """
    ordered = rankings.take_queries(order_by_id(rankings.queries))
    scores = np.full(len(ordered.entries), np.nan) if ordered.scores is None else ordered.scores
    columns: dict[str, Any] = {"query": Coded(ordered.list_queries[ordered.entry_lists], ordered.queries)}
    if len(ordered.rankers) > 1:
        columns["ranker"] = Coded(ordered.list_rankers[ordered.entry_lists], ordered.rankers)
    columns["item"] = Coded(ordered.entries, ordered.items)
    columns["rank"] = np.where(np.isnan(scores), find_first_ranks(ordered), ordered.positions + 1)
    if ordered.scores is not None:
        columns["score"] = scores
    if (ordered.multiplicities != 1).any():
        columns["multiplicity"] = ordered.multiplicities[ordered.list_rankers][ordered.entry_lists]
    return columns | columns_beside(ordered)


def table_refusal(rankings: Rankings) -> str | None:
    """Content no table can hold: empty ids, rankers that would have no row, an order that neither column tells."""
    for kind, names in (("query", rankings.queries), ("ranker", rankings.rankers), ("item", rankings.items)):
        if (not names.length.all()) if isinstance(names, Ids) else "" in names:
            return f"an empty {kind} id"
    silent = np.flatnonzero(np.bincount(rankings.list_rankers, minlength=len(rankings.rankers)) == 0)
    if len(silent) and len(rankings.rankers) > 1:
        return f"the ranker {shown(rankings.rankers[silent[0]])}, which has no list; leave it out (take_rankers)"
    if len(silent) and (rankings.multiplicities != 1).any():
        return "the multiplicity of a ranker without a list"
    return order_refusal(rankings)
