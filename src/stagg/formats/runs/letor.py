"""LETOR rows for rank aggregation: ``label qid:Q 1:v ... m:v #docid = D``, one column per ranker."""

from __future__ import annotations

import dataclasses
import re
from array import array
from typing import IO, Final

import numpy as np

from stagg.data.labels import LARGEST_LABEL, Labels
from stagg.data.large_numbers import REMEDY, find_large_ties
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
    WriteInstead,
)
from stagg.formats.numbers import INTEGER, NUMBER, number_text, parse_number
from stagg.formats.options import ReadOptions
from stagg.formats.patterns import pattern
from stagg.formats.reading import Reading
from stagg.formats.row_checks import Problem, hints, label_problem, list_ids, refuse_order_by
from stagg.formats.runs.rank_and_score import find_first_ranks, told_by_scores
from stagg.formats.runs.trec import HELD_BY_BLANKS
from stagg.kernels.arrays import FloatArray, IntArray
from stagg.kernels.id_order import order_by_id
from stagg.kernels.ragged import count_offsets
from stagg.say import Say, tell

__all__ = ["Letor"]

EXPECTED: Final = "label qid:Q 1:v ... m:v #docid = D"
ABSENT_CELL: Final = "NULL"
SPLIT: Final = pattern(r"[ \t]+")
DOCUMENT: Final = pattern(r"#[ \t]*docid[ \t]*=[ \t]*([^ \t]+)(?:[ \t].*)?", re.DOTALL)
CELL: Final = pattern(r"([0-9]+):([^ \t]*)")
CELL_NUMBER: Final = pattern(r"[0-9]+:")
COMMENT: Final = pattern(r"(?:^|(?<=[ \t]))#")
MANY_RANKERS: Final = 500  # beyond, a pattern for a whole row takes longer to make than it saves
BEGINNING: Final = pattern(rb"[^ \t\r\n]+[ \t]+qid:[^ \t\r\n]*[ \t]")


class Letor(Format):
    """LETOR rows: label qid:Q 1:v ... m:v #docid = D; v is a rank (small = top) or NULL, and labels are carried.

    LETOR's documentation is quoted as saying that large numbers are the top. The data says otherwise (FINDINGS,
    section 1: the more relevant of two documents has the smaller number 60 % of the time, and 41 of 46 rankers score
    better that way), so ``values`` is "rank" unless "score" is asked for.
    """

    name = "letor"

    @classmethod
    def recognises(cls, first_bytes: bytes) -> bool:
        return BEGINNING.match(first_bytes.lstrip(b" \t\r\n")) is not None

    def read(self, reading: Reading) -> Loaded:
        refuse_order_by(reading, tell("LETOR cells are ranks, or scores with ", Say(values="score")))
        reader = _Reader(reading)
        for first, text in reading.source.chunks():
            reader.take(first, text)
        table = reader.table()
        reading.log.used(len(table.items))
        understood = Understood("wide", BY_SCORE if reading.options.values == "score" else BY_RANK, "blanks")
        rankings = table.rankings()
        if rankings.scores is not None and find_large_ties(rankings, rankings.scores) is not None:
            reading.note(f"scores tie that may differ: {REMEDY}")
        return Loaded(rankings, table.collect_labels(), names_rankers=True, understood=understood)

    def refusal(self, rankings: Rankings, labels: Labels | None) -> str | None:
        if labels is None:
            return tell(
                "rankings without labels: every LETOR row begins with one; ", GIVE_LABELS, ", or ", WriteInstead("csv")
            )
        if (rankings.multiplicities != 1).any():
            return COUNTS_REFUSED
        if not rankings.rankers or set(rankings.rankers) != set(_numerals(len(rankings.rankers))):
            return 'these rankers: LETOR numbers them; write rankings.with_rankers(["1", "2", ...])'
        if (rankings.sizes == 0).any():
            return f"the query {shown(rankings.queries[int(np.argmin(rankings.sizes))])}, which has no items"
        return (
            _id_refusal(rankings)
            or _score_refusal(rankings)
            or _label_refusal(rankings, labels)
            or super().refusal(rankings, None)
        )

    def write(self, rankings: Rankings, stream: IO[bytes], labels: Labels | None = None) -> None:
        grades = (labels or Labels({})).aligned(rankings)
        cells = _cell_texts(rankings)
        for number in order_by_id(rankings.queries).tolist():
            rows = range(*rankings.item_offsets[number : number + 2])
            lines = [
                f"{number_text(float(grades[row]))} qid:{rankings.queries[number]} {' '.join(cells[row])} "
                f"#docid = {rankings.items[row]}\n"
                for row in rows
            ]
            stream.write("".join(lines).encode())


# --- writing ----------------------------------------------------------------------------------------------------------


def _numerals(count: int) -> list[str]:
    return [str(number) for number in range(1, count + 1)]


def _cell_texts(rankings: Rankings) -> list[list[str]]:
    """The cells ``k:v`` of every item, in the order of the rankers' numbers."""
    numerals = _numerals(len(rankings.rankers))
    rows = [[f"{numeral}:{ABSENT_CELL}" for numeral in numerals] for _ in rankings.items]
    values = find_first_ranks(rankings).tolist() if rankings.scores is None else rankings.scores.tolist()
    column = np.array([int(name) - 1 for name in rankings.rankers], dtype=np.intp)
    columns = column[rankings.list_rankers][rankings.entry_lists]
    for item, place, value in zip(rankings.entries.tolist(), columns.tolist(), values, strict=True):
        rows[item][place] = f"{numerals[place]}:{number_text(value)}"
    return rows


def _id_refusal(rankings: Rankings) -> str | None:
    for kind, names in list_ids(rankings):
        for name in names:
            if not HELD_BY_BLANKS.fullmatch(name):
                return tell(f"the {kind} id {shown(name)}: its columns are separated by blanks; ", WRITE_CSV_OR_JSON)
    return None


def _score_refusal(rankings: Rankings) -> str | None:
    if rankings.scores is not None and np.isnan(rankings.scores).any():
        return "lists with scores beside lists without; write rankings.replace(scores=None)"
    if not told_by_scores(rankings):
        return "an order that contradicts the scores; write rankings.replace(scores=None)"
    return None


def _label_refusal(rankings: Rankings, labels: Labels) -> str | None:
    for query in labels:
        candidates = set(rankings[query].items) if query in rankings else set()
        for item in labels[query]:
            if item not in candidates:
                return f"the label of {shown(item)}, which is no item of query {shown(query)}"
    return None


# --- reading ----------------------------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class _Table:
    """The rows as columns; values[row, ranker] is NaN where the ranker does not list the document."""

    queries: list[str]
    items: list[str]
    labels: FloatArray
    values: FloatArray
    by_rank: bool

    def rankings(self) -> Rankings:
        """Every row is a candidate; a list is a column of a query in the order of its values."""
        index: dict[str, int] = {}
        codes = np.array([index.setdefault(query, len(index)) for query in self.queries], dtype=np.intp)
        by_query = np.argsort(codes, kind="stable")
        place = np.empty(len(codes), dtype=np.intp)
        place[by_query] = np.arange(len(codes))
        width = self.values.shape[1]
        row, ranker = np.nonzero(~np.isnan(self.values))
        numbers = self.values[row, ranker]
        lists = codes[row] * width + ranker
        order = np.lexsort((place[row], numbers if self.by_rank else -numbers, lists))
        lists, numbers = lists[order], numbers[order]
        starts = np.flatnonzero(np.diff(lists, prepend=-1))
        tied = np.diff(numbers, prepend=np.nan) == 0
        tied[starts] = False
        return Rankings(
            queries=tuple(index),
            rankers=tuple(_numerals(width)),
            items=tuple(self.items[number] for number in by_query.tolist()),
            item_offsets=count_offsets(codes, len(index)),
            list_offsets=count_offsets(lists[starts] // max(width, 1), len(index)),
            list_rankers=lists[starts] % max(width, 1),
            entry_offsets=np.append(starts, len(lists)),
            entries=place[row[order]],
            tied=tied,
            scores=None if self.by_rank else numbers,
            declared=True,
            raw_ranks=numbers.astype(np.float32) if self.by_rank else None,
        )

    def collect_labels(self) -> Labels:
        grades: dict[str, dict[str, float]] = {query: {} for query in self.queries}
        for query, item, label in zip(self.queries, self.items, self.labels.tolist(), strict=True):
            grades[query][item] = label
        return Labels(grades)


@dataclasses.dataclass(frozen=True)
class _Row:
    """One row taken apart."""

    label: str
    query: str
    values: list[float]
    item: str


class _Reader:
    """Takes rows, many at once where all are right; the first row decides how many rankers there are."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.by_rank = reading.options.values != "score"
        self.width: int | None = None
        self.queries: list[str] = []
        self.items: list[str] = []
        self.labels: list[str] = []
        self.values: list[FloatArray] = []
        self.lines = array("q")
        self.row: re.Pattern[str] | None = None

    def take(self, first: int, text: str) -> None:
        """The rows of a chunk of whole lines."""
        if self.width is None and not self.reading.options.lenient:
            opening, _, text = text.partition("\n")
            self._examine(first, opening)
            first += 1
        if self.row is None or self.reading.options.comments or not self._take_at_once(self.row, first, text):
            self._examine(first, text)

    def table(self) -> _Table:
        values = np.concatenate(self.values) if self.values else np.zeros((0, self.width or 0))
        table = _Table(self.queries, self.items, np.array(self.labels, dtype=float), values, self.by_rank)
        keep = self._without_repetitions()
        return table if len(keep) == len(self.items) else _take(table, keep)

    def _take_at_once(self, pattern: re.Pattern[str], first: int, text: str) -> bool:
        """Takes the whole chunk if every line is a row that nothing is wrong with."""
        rows = pattern.findall(text)
        if not rows or len(rows) != text.count("\n") + (not text.endswith("\n")):
            return False
        labels, queries, cells, items = zip(*rows, strict=True)
        values = _numbers(cells).reshape(len(rows), -1)
        if np.isinf(values).any() or (self.by_rank and (values < 0).any()):
            return False
        if max(map(float, labels)) > LARGEST_LABEL:
            return False
        self.labels += labels
        self.queries += queries
        self.items += items
        self.values.append(values)
        self.lines.extend(range(first, first + len(rows)))
        return True

    def _examine(self, first: int, text: str) -> None:
        """Line by line: what is wrong is named, or dropped and counted when reading leniently."""
        for number, line in enumerate(text.split("\n"), start=first):
            line = line.removesuffix("\r").strip(" \t")
            header = self.reading.options.header and number == 1
            if not line or header or (self.reading.options.comments and line.startswith("#")):
                continue
            found = self._parsed(line, number)
            if isinstance(found, _Row):
                self._add(found, number)
            elif self.reading.options.lenient:
                self.reading.drop(found[0], number)
            else:
                raise self.reading.error(found[1], number)

    def _add(self, row: _Row, number: int) -> None:
        if self.width is None:
            self.width = len(row.values)
            self.row = _row_pattern(self.width, self.reading.options) if self.width <= MANY_RANKERS else None
        self.labels.append(row.label)
        self.queries.append(row.query)
        self.items.append(row.item)
        self.values.append(np.array([row.values]))
        self.lines.append(number)

    def _parsed(self, line: str, number: int) -> _Row | Problem:
        """One line as a row, or what is wrong with it."""
        head, document = _divide(line)
        fields = SPLIT.split(head) if head else []
        if len(fields) < 2 or not re.fullmatch(r"qid:[^ \t]+", fields[1]):
            message = f"expected {EXPECTED}, found no qid:Q in the second column: {shown(line)}"
            return "missing qid", message + hints(self.reading, number, line)
        problem = label_problem(fields[0], self.reading.options)
        if problem is not None:
            return problem[0], problem[1] + (hints(self.reading, number, line) if number == 1 else "")
        values = self._values(fields[2:])
        if not isinstance(values, list):
            return values[0], values[1] + (hints(self.reading, number, line) if values[0] == "ragged columns" else "")
        if document is None:
            message = f"expected '#docid = D' at the end of the row, found {shown(line[-60:])}"
            return "missing docid", message + hints(self.reading, number, line)
        return _Row(fields[0], fields[1][4:], values, document)

    def _values(self, cells: list[str]) -> list[float] | Problem:
        """The numbers of the cells 1:v ... m:v, NaN for NULL."""
        values = []
        for expected, cell in enumerate(cells, start=1):
            match = CELL.fullmatch(cell)
            if match is None or match[1] != str(expected) or (self.width is not None and expected > self.width):
                return "unknown feature", f"expected {self._expected_cell(expected)}, found {shown(cell)}"
            value = self._value(match[2])
            if value is None:
                return "bad number", f"the value of {shown(cell)} is not {self._expected_value()}"
            values.append(value)
        if not values or (self.width is not None and len(values) != self.width):
            wanted = "at least one cell 1:v" if self.width is None else f"the {self.width} cells of the first row"
            return "ragged columns", f"expected {wanted}, found {len(values)}"
        return values

    def _value(self, text: str) -> float | None:
        if text == ABSENT_CELL:
            return float("nan")
        value = parse_number(text)
        return None if value is None or (self.by_rank and value < 0) else value

    def _expected_cell(self, number: int) -> str:
        if self.width is not None and number > self.width:
            return f"#docid after the {self.width} cells of the first row"
        return f"the cell {number}:v (features are numbered 1, 2, ... in order)"

    def _expected_value(self) -> str:
        return f"{'a rank from 0 on' if self.by_rank else 'a finite number'} or {ABSENT_CELL}"

    def _without_repetitions(self) -> IntArray:
        """The rows but for those that repeat a document of their query, which are an error or dropped."""
        first: dict[tuple[str, str], int] = {}
        keep = []
        for row, key in enumerate(zip(self.queries, self.items, strict=True)):
            before = first.setdefault(key, row)
            if before == row:
                keep.append(row)
            elif self.reading.options.lenient or self.reading.options.duplicates == "first":
                self.reading.drop("duplicate item", self.lines[row])
            else:
                told = (
                    f"the document {shown(key[1])} of query {shown(key[0])} appears twice: lines {self.lines[before]}"
                )
                remedy = tell(f" and {self.lines[row]}; remove one, or say ", Say(duplicates="first"))
                raise self.reading.error(tell(told, remedy), self.lines[row])
        return np.array(keep, dtype=np.intp)


def _divide(line: str) -> tuple[str, str | None]:
    """Text before the comment, and the document that the comment names."""
    match = COMMENT.search(line)
    if match is None:
        return line, None
    document = DOCUMENT.fullmatch(line, match.start())
    return line[: match.start()].rstrip(" \t"), None if document is None else document[1]


def _row_pattern(width: int, options: ReadOptions) -> re.Pattern[str]:
    """A whole row without fault: label, query, all cells, document."""
    label = NUMBER if options.float_labels else INTEGER.pattern
    cells = "".join(rf"[ \t]+{number}:(?:{ABSENT_CELL}|{NUMBER})" for number in range(1, width + 1))
    document = r"#[ \t]*docid[ \t]*=[ \t]*([^ \t\r\n]+)(?:[ \t][^\r\n]*)?"
    return re.compile(rf"^[ \t]*({label})[ \t]+qid:([^ \t\r\n]+)({cells})[ \t]+{document}\r?$", re.MULTILINE)


def _numbers(cells: tuple[str, ...]) -> FloatArray:
    """The numbers of many rows of cells that have been checked, NaN for NULL."""
    text = CELL_NUMBER.sub("", "".join(cells)).replace(ABSENT_CELL, "nan")
    numbers: FloatArray = np.fromstring(text, dtype=float, sep=" ")
    return numbers


def _take(table: _Table, rows: IntArray) -> _Table:
    chosen = rows.tolist()
    return _Table(
        [table.queries[row] for row in chosen],
        [table.items[row] for row in chosen],
        table.labels[rows],
        table.values[rows],
        table.by_rank,
    )
