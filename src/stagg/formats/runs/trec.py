"""TREC runs, ``query Q0 item rank score tag``, and qrels, ``query 0 item label``."""

from __future__ import annotations

import dataclasses
import io
import re
from array import array
from collections.abc import Iterator, Sequence
from typing import IO, Final, cast

import numpy as np

from stagg.data.columns import Columns
from stagg.data.ids import Ids
from stagg.data.labels import Labels
from stagg.data.query import order_scores
from stagg.data.rankings import Rankings
from stagg.errors import shown
from stagg.formats.format import (
    BY_RANK,
    BY_SCORE,
    COUNTS_REFUSED,
    GIVE_LABELS,
    WRITE_CSV_OR_JSON,
    Format,
    Loaded,
    Understood,
)
from stagg.formats.numbers import NUMBER, number_text, parse_number
from stagg.formats.patterns import pattern
from stagg.formats.reading import Reading
from stagg.formats.row_checks import (
    PLAN_TAG,
    Problem,
    assemble_rows,
    hints,
    label_problem,
    list_ids,
    note_plan,
    refuse_kept_ranks,
    refuse_long_ids,
    refuse_values,
)
from stagg.formats.runs.rank_and_score import check_ranks, note_contradictions, order_refusal, told_by_scores
from stagg.kernels.arrays import FloatArray, IntArray
from stagg.kernels.id_order import order_by_id
from stagg.kernels.text import ranked
from stagg.kernels.text.text import find_blank
from stagg.kernels.ties import LEAST, TIE_TOLERANCE
from stagg.say import Say, Told, mention, name_option, tell

__all__ = [
    "HELD_BY_BLANKS",
    "RunRows",
    "Trec",
    "begins_like_qrels",
    "begins_like_run",
    "find_fusion_tag",
    "float32_text",
    "read_qrels",
    "read_run_rows",
    "several_tags",
    "write_qrels",
]

COLUMNS: Final = "6 columns (query Q0 item rank score tag)"
BLANK, FIELD = r"[ \t]+", r"([^ \t\n]+)"
ROW: Final = pattern(
    rf"^[ \t]*{FIELD}{BLANK}[^ \t\n]+{BLANK}{FIELD}{BLANK}{FIELD}{BLANK}({NUMBER}){BLANK}([^ \t\r\n]+)[ \t]*\r?$",
    re.MULTILINE,
)
RUN: Final = pattern(rb"\s*[^\s,;]+[ \t]+Q0[ \t]+[^\s]+[ \t]+[0-9]+[ \t]+[-+.0-9eE]+[ \t]+[^\s]+[ \t]*\r?(?:\n|$)")
"""A row of a run and of no table: its second column is Q0, its rank and its score are numbers."""
EMPTY_ROW: Final = pattern(r"^[ \t]*\r?$", re.MULTILINE)
SPLIT: Final = pattern(r"[ \t]+")
HELD_BY_BLANKS: Final = pattern(r"[^ \t\r\n\0]+")
"""The ids that a file of columns between blanks can hold."""

LOOKALIKES: Final = (
    (pattern(r"\s*[{\[]"), tell("JSON: say ", Say(format="json"))),
    (pattern(r"[^ \t]+[ \t]+qid:"), tell("LETOR: say ", Say(format="letor"))),
    (pattern(r"[0-9]+[ \t]*:"), tell("PrefLib: say ", Say(format="preflib"))),
    (
        pattern(r"[^ \t]+[ \t]+Q0(?:[ \t]+[^ \t]+){3}$"),
        tell(
            "a run without its last column: say ",
            Say(format="csv", delimiter=" ", header=False, columns={"query": "1", "item": "3", "score": "5"}),
        ),
    ),
    (pattern(r"(?:[^ \t]+[ \t]+){3}[+-]?[0-9]+$"), tell("qrels, which hold labels and no ranking: ", GIVE_LABELS)),
    (pattern(r"[^,]*,[^,]*,|[^\t]*\t[^\t]*\t"), tell("a table: say ", Say(format="csv"))),
)
"""Other formats of a first line with the wrong number of columns."""


REMOVE_HEADER: Final = "remove it"  # header=True is about runs where labels are given beside them
BYTE_ORDER_MARK: Final = "\ufeff"
FUSION_TAG: Final = b"stagg-"


@dataclasses.dataclass(frozen=True, repr=False, kw_only=True)
class Trec(Format):
    """TREC run: query Q0 item rank score tag; one file is one ranker, and the score decides the order.

    ``strict`` writes scores that strictly decrease even in float32, as ``stagg fuse`` does: evaluators keep scores as
    float32 and break the ties that this makes by item id, which would undo our order.
    """

    name = "trec"
    writes_parts = True

    strict: bool = False

    @classmethod
    def recognises(cls, first_bytes: bytes) -> bool:
        return ROW.match(first_bytes.lstrip(b" \t\r\n").split(b"\n", 1)[0].decode("latin-1")) is not None

    def read(self, reading: Reading) -> Loaded:
        by_rank = reading.options.order_by == "rank"
        refuse_kept_ranks(reading, by_rank=by_rank)
        found = read_run_rows(reading)
        rankings, order = assemble_rows(found.columns(reading), reading)
        if reading.options.keep_ranks:
            rankings = rankings.replace(raw_ranks=found.ranks[order].astype(np.float32))
        if not by_rank:
            note_contradictions(rankings, found.ranks[order], found.lines[order], reading)
        if not reading.options.split_by_tag and len(set(found.tags)) > 1:
            reading.log.note(several_tags(reading.name, len(set(found.tags))))
        understood = Understood("long", BY_RANK if by_rank else BY_SCORE, "blanks")
        return Loaded(rankings, names_rankers=reading.options.split_by_tag, understood=understood)

    def refusal(self, rankings: Rankings, labels: Labels | None) -> str | None:
        if rankings.intervals is not None:
            return super().refusal(rankings, labels)
        if len(rankings.rankers) > 1:
            return tell(f"{len(rankings.rankers)} rankers in one file; ", WRITE_CSV_OR_JSON, ", or one file for each")
        if (rankings.multiplicities != 1).any():
            return COUNTS_REFUSED
        for kind, names in list_ids(rankings):
            name = find_unheld(names)
            if name is not None:
                return tell(f"the {kind} id {shown(name)}: its columns are separated by blanks; ", WRITE_CSV_OR_JSON)
        first = min((q for q, lists in zip(rankings.queries, rankings.list_counts, strict=True) if lists), default="")
        if first.startswith(BYTE_ORDER_MARK):
            return tell(f"the query id {shown(first)} at its beginning; ", WRITE_CSV_OR_JSON)
        return super().refusal(rankings, labels) or order_refusal(rankings)

    def write(self, rankings: Rankings, stream: IO[bytes], labels: Labels | None = None) -> None:
        for query, entries in _by_query(rankings):
            scores = order_scores(rankings, entries)
            texts = map(float32_text, strictly_decreasing(scores)) if self.strict else map(number_text, scores.tolist())
            _write_rows(rankings, query, entries, texts, stream)

    def render(self, rankings: Rankings) -> bytes:
        """Some queries as rows; those of a consensus without making text of an id."""
        ids, quick = rankings.items, self.strict and ranked.has_twin() and rankings.scores is not None
        if quick and isinstance(ids, Ids) and len(ids) == len(rankings.entries) and told_by_scores(rankings):
            ordered = rankings.take_queries(order_by_id(rankings.queries))
            scores = np.empty(len(ids))
            scores[ordered.entries] = ordered.scores
            return write_consensus(ordered, scores, np.zeros(len(ids)), rankings.rankers[0])  # ties have one score
        stream = io.BytesIO()
        self.write(rankings, stream)
        return stream.getvalue()


def write_consensus(
    rankings: Rankings, scores: FloatArray, masses: FloatArray, tag: str, top: int | None = None
) -> bytes:
    """The items of each query by descending score, equal ones by id, as rows whose scores strictly decrease.

    By the compiled twin; there is one score for each item, and its mass (:func:`stagg.kernels.ties.rank_scores`).
    """
    ids, queries = Ids.of(rankings.items), [query.encode() for query in rankings.queries]
    rows, places = (scores, masses, rankings.item_offsets), (ids.address, ids.length)
    return cast(bytes, ranked.write_rows(*rows, (TIE_TOLERANCE, LEAST), *places, queries, tag.encode(), top))


def find_unheld(ids: Sequence[str]) -> str | None:
    """The first id that columns between blanks cannot hold."""
    first = find_blank(ids.address, ids.length) if isinstance(ids, Ids) else None
    if first is not None:
        return ids[first] if first >= 0 else None
    return next((name for name in ids if not HELD_BY_BLANKS.fullmatch(name)), None)


def several_tags(name: str, tags: int) -> Told:
    """Message about a run with more than one tag."""
    return tell(f"{name}: {tags} run tags taken as one run; ", Say(split_by_tag=True), " makes them rankers")


def strictly_decreasing(scores: FloatArray) -> np.ndarray:
    """float32 scores, each below the one before it: score_i = min(float32(s_i), the next float32 below score_(i-1)).

    >>> [float(s) for s in strictly_decreasing(np.array([1.0, 1.0, 0.5]))]
    [1.0, 0.9999999403953552, 0.5]
    """
    with np.errstate(over="ignore"):
        strict = np.clip(scores.astype(np.float32), np.finfo(np.float32).min / 2, np.finfo(np.float32).max)
    for place in np.flatnonzero(strict[1:] >= strict[:-1]) + 1:
        while place < len(strict) and strict[place] >= strict[place - 1]:
            strict[place] = np.nextafter(strict[place - 1], np.float32(-np.inf))
            place += 1
    return strict


def float32_text(number: np.float32) -> str:
    """The shortest text that reads back as the same float32, laid out as Python does a float's: NumPy's own differs
    from version to version.

    >>> float32_text(np.float32(0.1)), float32_text(np.float32(2e6)), float32_text(np.float32(1e-7))
    ('0.1', '2000000', '1e-07')
    """
    if 1e-4 <= abs(number) < 1e6:
        return str(number).removesuffix(".0")
    if number == 0 or 1e6 <= abs(number) < 1e16:
        return np.format_float_positional(number, unique=True, trim="-")
    return np.format_float_scientific(number, unique=True, trim="-", exp_digits=2)


def _by_query(rankings: Rankings) -> Iterator[tuple[str, slice]]:
    """Each query's id and the entries of its one list, in bytewise order of id."""
    for number in order_by_id(rankings.queries).tolist():
        low, high = rankings.entry_offsets[rankings.list_offsets[number : number + 2]]
        yield rankings.queries[number], slice(low, high)


def _write_rows(rankings: Rankings, query: str, entries: slice, scores: Iterator[str], stream: IO[bytes]) -> None:
    tag = rankings.rankers[0] if rankings.rankers else "stagg"
    items = [rankings.items[i] for i in rankings.entries[entries]]
    rows = [
        f"{query} Q0 {item} {rank} {score} {tag}\n"
        for rank, (item, score) in enumerate(zip(items, scores, strict=True), start=1)
    ]
    stream.write("".join(rows).encode())


# --- reading ----------------------------------------------------------------------------------------------------------


def read_run_rows(reading: Reading) -> RunRows:
    """The rows of a run, each right by itself: a wrong one is an error, or dropped when reading leniently."""
    refuse_values(reading, tell("a TREC run has a score and a rank column: see ", name_option("order_by")))
    rows = RunRows.of(reading)
    check_ranks(rows.ranks, rows.rank_cells, rows.lines, reading, decide=reading.options.order_by == "rank")
    refuse_long_ids(rows.columns(reading))
    return rows


@dataclasses.dataclass
class RunRows:
    """The columns of a run as they stand in the file; a rank that is no number is NaN."""

    queries: list[str]
    items: list[str]
    rank_cells: list[str]
    ranks: FloatArray
    scores: FloatArray
    tags: list[str]
    lines: IntArray

    def columns(self, reading: Reading) -> Columns:
        """The rows in the form of every table."""
        by_rank = reading.options.order_by == "rank"
        return Columns(
            self.queries,
            self.items,
            self.ranks if by_rank else self.scores,
            rankers=self.tags if reading.options.split_by_tag else reading.stem,
            by_rank=by_rank,
            scores=self.scores,
            file=reading.name,
            lines=self.lines,
        )

    @classmethod
    def of(cls, reading: Reading) -> RunRows:
        found: tuple[list[str], ...] = ([], [], [], [], [])
        lines, wide = array("q"), array("q")
        for first, text in reading.source.chunks():
            rows = (
                _clean_rows(text)
                if not (first == 1 and reading.options.header) and not reading.options.comments
                else None
            )
            if rows is None:
                rows, numbers = _examine(reading, first, text, wide)
                lines.extend(numbers)
            else:
                lines.extend(_line_numbers(first, text, len(rows)))
            for column, values in zip(found, zip(*rows, strict=True), strict=False):
                column.extend(values)
        if wide:
            count = f"{len(wide):,} {'row has' if len(wide) == 1 else 'rows have'} more than six columns"
            reading.log.note(f"{reading.name}:{wide[0]}: {count}; the first six were read")
        queries, items, ranks, scores, tags = found
        where = np.array(lines, dtype=np.intp)
        score_numbers = np.array(list(map(float, scores)), dtype=float)
        return cls(queries, items, ranks, _rank_numbers(ranks), score_numbers, tags, where)


Row = tuple[str, str, str, str, str]


def _clean_rows(text: str) -> list[Row] | None:
    """The rows of a chunk when every line of it is right; None sends it to the line-by-line reader."""
    rows: list[Row] = ROW.findall(text)
    count = text.count("\n") + (not text.endswith("\n"))
    if len(rows) != count and len(rows) + len(EMPTY_ROW.findall(text.removesuffix("\n"))) != count:
        return None
    finite = max(map(abs, map(float, (row[3] for row in rows))), default=0.0) < float("inf")
    return rows if finite else None


def _line_numbers(first: int, text: str, rows: int) -> list[int]:
    if text.count("\n") + (not text.endswith("\n")) == rows:
        return list(range(first, first + rows))
    return [first + n for n, line in enumerate(text.split("\n")) if line.strip(" \t\r")]


def _examine(reading: Reading, first: int, text: str, wide: array[int]) -> tuple[list[Row], list[int]]:
    """Line by line: what is wrong is named, or dropped and counted when reading leniently.

    Of a row with too many columns leniency reads the first six, as trec_eval does; ``wide`` takes its line.
    """
    rows, numbers = [], []
    lines = text.split("\n")
    for number, line in enumerate(lines, start=first):
        line = line.removesuffix("\r").strip(" \t")
        if not line or (reading.options.header and number == 1) or (reading.options.comments and line.startswith("#")):
            continue
        fields = SPLIT.split(line)
        if reading.options.lenient and len(fields) > 6:
            wide.append(number)
            fields = fields[:6]
        problem = _problem(fields, line, number, reading)
        if problem is None:
            rows.append((fields[0], fields[2], fields[3], fields[4], fields[5]))
            numbers.append(number)
        elif reading.options.lenient:
            reading.drop(problem[0], number)
        else:
            raise reading.error(problem[1], number)
    return rows, numbers


def _problem(fields: list[str], line: str, number: int, reading: Reading) -> Problem | None:
    """Why a line is not a row of a run."""
    if len(fields) > 6 and parse_number(fields[4]) is not None:
        wide = tell(f"expected {COLUMNS}, found {len(fields)}: {shown(line)}; ", mention(lenient=True))
        return "wrong number of columns", tell(wide, " reads the first six", hints(reading, number, line))
    if len(fields) != 6:
        message: str = tell(f"expected {COLUMNS}, found {len(fields)}: {shown(line)}", hints(reading, number, line))
        first = 2 if reading.options.header else 1
        return "wrong number of columns", tell(message, _lookalike(line, reading) if number <= first else "")
    if parse_number(fields[4]) is None:
        message = f"the score {shown(fields[4])} is not a finite number such as 12.5 or -3e-2"
        return "bad score", message + (hints(reading, number, line) if number == 1 else "")
    return None


def begins_like_run(first_bytes: bytes) -> bool:
    """Whether a file that begins so is a TREC run without doubt, whatever its name.

    >>> begins_like_run(b"q1 Q0 d7 1 0.5 tag\\n"), begins_like_run(b"query Q0 item rank score tag\\n")
    (True, False)
    """
    return RUN.match(first_bytes) is not None


def begins_like_qrels(first_bytes: bytes) -> bool:
    """Whether the first row has four fields between blanks, the last of them a number.

    >>> begins_like_qrels(b"q1 0 d7 2\\n"), begins_like_qrels(b"query\\titem\\tgrade\\n")
    (True, False)
    """
    lines = (line.strip() for line in first_bytes.split(b"\n"))
    fields = next((line.split() for line in lines if line and not line.startswith(b"#")), [])
    return len(fields) == 4 and parse_number(fields[3].decode(errors="replace")) is not None


def find_fusion_tag(first_bytes: bytes) -> str | None:
    """The tag of a run that ``stagg fuse`` wrote, by its first row; None for any other.

    >>> find_fusion_tag(b"q1 Q0 d7 1 0.5 stagg-rrf\\nq1 Q0"), find_fusion_tag(b"q1 Q0 d7 1 0.5 bm25\\n")
    ('stagg-rrf', None)
    """
    tag = first_bytes.lstrip().partition(b"\n")[0].rstrip().rpartition(b" ")[2]
    return tag.decode(errors="replace") if tag.startswith(FUSION_TAG) else None


def _lookalike(line: str, reading: Reading) -> str:
    """What a first line with the wrong number of columns may be, and how to read it."""
    hint = next((tell("; or this is ", what) for pattern, what in LOOKALIKES if pattern.match(line)), "")
    if hint or reading.plain_name.lower().endswith(Trec.endings):
        return hint
    ways = [(say, what) for say, what in _list_ways(line) if reading.would_do(say)]
    return tell(*(part for say, what in ways for part in (f"; or this is {what}: say ", say)))


def _list_ways(line: str) -> list[tuple[Say, str]]:
    """Tables that a file may be that begins with this line, the likelier first."""
    fields = SPLIT.split(line)
    listed = Say(layout="list"), "a list of ids, one per line"
    if line.startswith("#"):
        return []  # a comment
    if re.match(r"(?:[-*•]|1[.)])[ \t]", line):
        return [listed]
    cells = _spell_blanks(fields), "a table whose cells are separated by blanks"
    if "item" in map(str.lower, fields) or any(parse_number(field) is not None for field in fields):
        return [cells, listed] if len(fields) == 2 else [cells]
    bars = [(Say(delimiter="|"), "a table whose cells are separated by bars")] if "|" in line else []
    return [listed, *bars, *([cells] if len(fields) > 2 else [])]


def _spell_blanks(fields: list[str]) -> Say:
    """The options that read a table of cells between blanks; of query, item and number all that it takes."""
    if len(fields) != 3 or parse_number(fields[2]) is None:
        return Say(delimiter=" ")
    number = "rank" if fields[2].isdigit() else "score"
    return Say(delimiter=" ", header=False, columns={"query": "1", "item": "2", number: "3"})


def _rank_numbers(texts: list[str]) -> FloatArray:
    """The rank column as numbers; NaN where it holds none."""
    try:
        ranks = np.array(list(map(int, texts)), dtype=float)
        plain = all(map(str.isascii, texts)) and not any("_" in text for text in texts)
    except (ValueError, OverflowError):
        plain = False
    return ranks if plain else np.array(list(map(_rank_number, texts)), dtype=float)


def _rank_number(text: str) -> float:
    """One rank, the same whatever stands beside it: a run may be read in parts."""
    if text.isascii() and "_" not in text:
        try:
            return float(int(text))
        except (ValueError, OverflowError):
            pass
    number = parse_number(text)
    return float("nan") if number is None else number


# --- qrels ------------------------------------------------------------------------------------------------------------


def read_qrels(reading: Reading) -> Labels:
    """Labels from ``query 0 item label`` rows; a label below 0 means "not judged".

    The same judgment twice is an error (dropped when lenient); two different ones always are.
    """
    grades: dict[str, dict[str, float]] = {}
    places: dict[tuple[str, str], int] = {}
    by_plan = False
    for number, line in reading.source.lines():
        line = line.strip(" \t")
        fields = SPLIT.split(line)
        if (reading.options.header and number == 1) or (reading.options.comments and fields[0].startswith("#")):
            continue
        problem = _qrels_problem(fields, line, number, reading)
        if problem is None:
            problem = _repeated(fields, number, grades, places, reading)
        if problem is None:
            grades.setdefault(fields[0], {})[fields[2]] = float(fields[3])
            places[fields[0], fields[2]] = number
            by_plan = by_plan or fields[1].startswith(PLAN_TAG)
            reading.log.used(1)
        elif reading.options.lenient:
            reading.drop(problem[0], number)
        else:
            raise reading.error(problem[1], number)
    if not places:
        raise reading.error("0 rows: there is nothing to read")
    if by_plan:
        note_plan(reading)
    return Labels(grades)


def _qrels_problem(fields: list[str], line: str, number: int, reading: Reading) -> Problem | None:
    if len(fields) != 4:
        message = f"expected 4 columns (query 0 item label), found {len(fields)}: {shown(line)}"
        message += hints(reading, number, line, header=REMOVE_HEADER)
        return "wrong number of columns", message + ("; or this is a run, not qrels" if len(fields) == 6 else "")
    problem = label_problem(fields[3], reading.options)
    if problem is not None and number == 1:
        return problem[0], problem[1] + hints(reading, number, line, header=REMOVE_HEADER)
    return problem


def _repeated(
    fields: list[str],
    number: int,
    grades: dict[str, dict[str, float]],
    places: dict[tuple[str, str], int],
    reading: Reading,
) -> Problem | None:
    before = places.get((fields[0], fields[2]))
    if before is None:
        return None
    what = f"item {shown(fields[2])} of query {shown(fields[0])} is judged twice, in lines {before} and {number}"
    old = grades[fields[0]][fields[2]]
    if old != float(fields[3]):
        raise reading.error(f"{what}, differently: {number_text(old)} and {fields[3]}", number)
    return "duplicate judgment", f"{what}; remove one of them"


def write_qrels(labels: Labels, stream: IO[bytes]) -> None:
    """Labels as qrels, queries and items in bytewise order of id."""
    for query in sorted(labels):
        rows = [f"{query} 0 {item} {number_text(grade)}\n" for item, grade in sorted(labels[query].items())]
        stream.write("".join(rows).encode())
