"""JSON: ``{query: {ranker: {item: number}}}``, or ``{query: {item: number}}`` when there is one ranker."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import IO, Any, Final

import numpy as np

from stagg.data.columns import Coded, Columns
from stagg.data.inputs.construct import with_names
from stagg.data.labels import Labels
from stagg.data.large_numbers import is_large
from stagg.data.query import order_scores
from stagg.data.rankings import Rankings
from stagg.data.results.beside import BESIDE, columns_beside
from stagg.errors import shown
from stagg.formats.documents.json_lists import find_ballots, holds_list, holds_lists, load_listed_rows, load_lists
from stagg.formats.documents.json_rows import find_rows, load_objects, refuse_table_options
from stagg.formats.documents.jsonl import parse_json
from stagg.formats.documents.responses import find_in_rows, find_responses, load_responses, refuse_failure
from stagg.formats.format import BY_RANK, BY_SCORE, COUNTS_REFUSED, ONE_QUERY, Format, Loaded, Understood
from stagg.formats.numbers import number_text
from stagg.formats.patterns import pattern
from stagg.formats.reading import Reading
from stagg.formats.row_checks import assemble_rows, refuse_order_by
from stagg.formats.runs.rank_and_score import told_by_scores
from stagg.kernels.arrays import FloatArray, IntArray
from stagg.kernels.id_order import order_by_id
from stagg.say import Say, tell

__all__ = ["Json"]

BEGINNING: Final = pattern(rb'[ \t\r\n]*\{[ \t\r\n]*["}]')
EXPECTED: Final = "{query: {item: number}} or {query: {ranker: {item: number}}}"
COLUMNS: Final = ("rank", "score")
"""First keys of the object of an item that has more than a score."""


class Json(Format):
    """JSON: {query: {ranker: {item: number}}} or {query: {item: number}}; large = top unless values is "rank".

    An array of objects is a table, an object for each row. Arrays of ids are best-first lists: ``["d1", "d2"]`` is one
    list, and each array in ``[["d1", "d2"], ["d2"]]`` is a ranker. The outer keys of ``{a: {item: number}}`` are
    queries, or rankers with ``outer="ranker"``; ``{a: ["d1", "d2"]}`` needs ``outer``. Responses of search engines are
    read as well; a reranker that returns no ids is read by the number of each document in the request.
    """

    name = "json"
    holds_intervals = True

    @classmethod
    def recognises(cls, first_bytes: bytes) -> bool:
        return BEGINNING.match(first_bytes) is not None

    def read(self, reading: Reading) -> Loaded:
        document = _Document(reading)
        if document.responses is not None:
            refuse_order_by(reading, "a response has one score")
            return load_responses(document.responses, reading)
        if document.records is not None and holds_list(document.records[0][1]):
            refuse_table_options(reading)
            return load_listed_rows(document.records, reading)
        if document.records is not None:
            return load_objects(document.records, reading)
        refuse_order_by(reading, tell("JSON numbers are scores, or ranks with ", Say(values="rank")))
        refuse_table_options(reading)
        if document.lists_of_ids is not None:
            return load_lists(document.lists_of_ids, reading)
        _check_unicode(document)
        rankings, _ = assemble_rows(_rows(document), reading)
        return Loaded(
            with_names(rankings, document.queries(), document.rankers()),
            names_rankers=document.nested or document.by_ranker,
            understood=Understood(document.describe(), BY_RANK if reading.options.values == "rank" else BY_SCORE),
        )

    def refusal(self, rankings: Rankings, labels: Labels | None) -> str | None:
        if (rankings.multiplicities != 1).any():
            return COUNTS_REFUSED
        if not told_by_scores(rankings):
            return "an order that contradicts the scores; write rankings.replace(scores=None), or .csv"
        if len(rankings.rankers) > 1 and not rankings.queries:
            return "rankers without any query"
        return super().refusal(rankings, labels)

    def write(self, rankings: Rankings, stream: IO[bytes], labels: Labels | None = None) -> None:
        """One query per line, so that differences between two files can be read."""
        by_id = order_by_id(rankings.queries).tolist()
        ends = [",\n"] * (len(by_id) - 1) + ["\n"]
        stream.write(b"{\n")
        for place, (number, end) in enumerate(zip(by_id, ends, strict=False)):
            lists = _list_texts(rankings, number)
            if len(rankings.rankers) > 1:
                silent = _silent_rankers(rankings) if place == 0 else {}
                content = _object({**lists, **silent})
            else:
                content = next(iter(lists.values()), "{}")
            stream.write(f"{_string(rankings.queries[number])}: {content}{end}".encode())
        stream.write(b"}\n")


# --- writing ----------------------------------------------------------------------------------------------------------


def _list_texts(rankings: Rankings, query: int) -> dict[str, str]:
    """{ranker: its list as a JSON object, best first} of one query."""
    texts, columns = {}, columns_beside(rankings)
    for number in range(*rankings.list_offsets[query : query + 2]):
        entries = slice(*rankings.entry_offsets[number : number + 2])
        items = [rankings.items[item] for item in rankings.entries[entries].tolist()]
        numbers = map(number_text, order_scores(rankings, entries).tolist())
        ranker = rankings.rankers[rankings.list_rankers[number]]
        beside = {name: map(number_text, column[entries].tolist()) for name, column in columns.items()}
        values = _item_objects(numbers, beside) if beside else numbers
        texts[ranker] = _object(dict(zip(items, values, strict=True)))
    return texts


def _item_objects(scores: Iterator[str], beside: Mapping[str, Iterator[str]]) -> Iterator[str]:
    """{rank, score, and what stands beside} of each item, as JSON objects."""
    for rank, numbers in enumerate(zip(scores, *beside.values(), strict=True), start=1):
        yield _object(dict(zip((*COLUMNS, *beside), (str(rank), *numbers), strict=True)))


def _silent_rankers(rankings: Rankings) -> dict[str, str]:
    """Rankers without any list, with an empty one each, so that they are not forgotten."""
    speaking = set(rankings.list_rankers.tolist())
    return {name: "{}" for number, name in enumerate(rankings.rankers) if number not in speaking}


def _object(members: dict[str, str]) -> str:
    return "{" + ", ".join([f"{_string(key)}: {value}" for key, value in members.items()]) + "}"


_string: Final = json.encoder.encode_basestring
"""A text as JSON has it: what ``json.dumps(text, ensure_ascii=False)`` calls in the end."""


# --- reading ----------------------------------------------------------------------------------------------------------

QUERY_LEVEL: Final = 1
KEY_OR_BRACKET: Final = pattern(r'"[^"\\]*(?:\\.[^"\\]*)*"[ \t\r\n]*(:?)|[{}\[\]]')


class _Pairs(list[tuple[str, Any]]):
    """A JSON object as its (key, value) pairs: repeated keys are still there."""


class _Document:
    """The parsed text: ``content`` holds (outer key, its pairs); ``nested`` says that there is another level of keys.

    The outer keys are queries, or rankers where the caller says so (``by_ranker``); the inner ones are the others.
    ``responses`` are those of a search engine, if the file holds such; ``records`` are rows with named columns.
    """

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.by_ranker = reading.options.outer == "ranker"
        self.text = reading.source.text()
        top = self._parsed()
        whole = parse_json(self.text) if "[" in self.text else None  # again, for numbers may be ids here
        self.records = find_rows(whole)
        self.responses = find_in_rows(self.records, reading) if isinstance(whole, list) and self.records else None
        if isinstance(whole, list) and not self.records and _hold_objects(whole):
            self.responses = find_responses(whole)
        if isinstance(whole, dict):
            self.responses = find_responses(whole)
            self.records = None if self.responses else self.records
            refuse_failure(None if self.responses else whole, reading)
        self.lists_of_ids: Any = None
        if self.responses is not None or self.records is not None:
            return
        self._refuse_frame(top)
        ballots = find_ballots(whole)
        if ballots is not None or holds_lists(top):
            self.lists_of_ids = ballots or whole
            return
        self.flat = isinstance(top, _Pairs) and bool(top) and all(isinstance(value, float) for _, value in top)
        self.content = self._wrap(top) if self.flat else _scores_of_consensus(self._shape(top))
        self._check_repeated("ranker" if self.by_ranker else "query", [key for key, _ in self.content], QUERY_LEVEL)
        self.nested = any(isinstance(value, _Pairs) for _, pairs in self.content for _, value in pairs)
        if self.nested:
            self._check_nested()

    def lists(self) -> Iterator[tuple[str, str, _Pairs]]:
        """(query, ranker, (item, number) pairs) of every list."""
        for outer, pairs in self.content:
            inner = pairs if self.nested else [(ONE_QUERY if self.by_ranker else self.reading.stem, pairs)]
            for name, numbers in inner:
                yield (name, outer, numbers) if self.by_ranker else (outer, name, numbers)

    def queries(self) -> tuple[str, ...]:
        return self._inner() if self.by_ranker else self._outer()

    def rankers(self) -> tuple[str, ...]:
        return self._outer() if self.by_ranker else self._inner()

    def _wrap(self, top: _Pairs) -> _Pairs:
        """One list, {item: number}, as that of the only query, or of the only ranker."""
        return _Pairs([(self.reading.stem if self.by_ranker else ONE_QUERY, top)])

    def describe(self) -> str:
        """Meaning of the levels of the document, as read."""
        if self.flat:
            return "{item: number}"
        outer, inner = ("ranker", "query") if self.by_ranker else ("query", "ranker")
        return f"{{{outer}: {{{inner}: {{item: number}}}}}}" if self.nested else f"{{{outer}: {{item: number}}}}"

    def _outer(self) -> tuple[str, ...]:
        return tuple(key for key, _ in self.content)

    def _inner(self) -> tuple[str, ...]:
        if not self.nested:
            alone = (ONE_QUERY,) if self.content else ()
            return alone if self.by_ranker else (self.reading.stem,)
        return tuple(dict.fromkeys(key for _, pairs in self.content for key, _ in pairs))

    def item_lines(self) -> IntArray:
        """The line of every item, in their order. Costs another pass: asked for only when something is wrong."""
        return self._lines(QUERY_LEVEL + 1 + self.nested - self.flat)

    def _lines(self, level: int) -> IntArray:
        """The lines of the keys that stand so many objects deep."""
        lines, depth, line, seen = [], 0, 1, 0
        for match in KEY_OR_BRACKET.finditer(self.text):
            token = self.text[match.start()]
            depth += (token in "{[") - (token in "}]")
            if match[1] and depth == level:
                line += self.text.count("\n", seen, match.start())
                seen = match.start()
                lines.append(line)
        return np.array(lines, dtype=np.intp)

    def _parsed(self) -> Any:
        if not self.text.strip(" \t\r\n"):
            return _Pairs()
        try:
            return json.loads(self.text, object_pairs_hook=_Pairs, parse_int=float, parse_constant=float)
        except json.JSONDecodeError as error:
            raise self.reading.error(f"this is not JSON: {error.msg} (column {error.colno})", error.lineno) from None
        except RecursionError:
            raise self.reading.error(f"this JSON is nested too deep; expected {EXPECTED}") from None

    def _shape(self, top: Any) -> _Pairs:
        if not isinstance(top, _Pairs):
            raise self.reading.error(f"expected {EXPECTED}, found {_kind(top)}", 1)
        for number, (query, value) in enumerate(top):
            if not isinstance(value, _Pairs):
                message = f"expected {EXPECTED}, found {_kind(value)} for query {shown(query)}"
                raise self.reading.error(message, int(self._lines(QUERY_LEVEL)[number]))
        return top

    def _refuse_frame(self, top: Any) -> None:
        """pandas writes a frame column by column unless told otherwise."""
        if isinstance(top, _Pairs) and {"item"} < {key for key, _ in top} & {
            "query",
            "ranker",
            "item",
            "score",
            "rank",
        }:
            raise self.reading.error("this seems to be a frame, column by column: write it with orient='records'", 1)

    def _check_nested(self) -> None:
        second = [(key, value) for _, pairs in self.content for key, value in pairs]
        for number, (key, value) in enumerate(second):
            if not isinstance(value, _Pairs):
                message = f"expected a ranker's {{item: number}} for {shown(key)}, as elsewhere, found {_kind(value)}"
                raise self.reading.error(message, int(self._lines(QUERY_LEVEL + 1)[number]))
        first = 0
        for _, pairs in self.content:
            inner = "query" if self.by_ranker else "ranker"
            self._check_repeated(inner, [key for key, _ in pairs], QUERY_LEVEL + 1, first)
            first += len(pairs)

    def _check_repeated(self, what: str, names: list[str], level: int, first: int = 0) -> None:
        """Queries stand once, and so do the rankers of a query; ``first`` is the number of the first key."""
        if len(set(names)) == len(names):
            return
        seen: dict[str, int] = {}
        for number, name in enumerate(names):
            before = seen.setdefault(name, number)
            if before != number:
                one, other = self._lines(level)[[first + before, first + number]].tolist()
                message = f"the {what} {shown(name)} appears twice: lines {one} and {other}; join or rename them"
                raise self.reading.error(message, other)


def _hold_objects(lists: list[Any]) -> bool:
    """Whether the arrays in an array hold objects, as those of hits do."""
    return bool(lists) and all(isinstance(each, list) and any(isinstance(one, dict) for one in each) for each in lists)


def _scores_of_consensus(content: _Pairs) -> _Pairs:
    """Read what `stagg fuse` wrote with more than scores as the ranking that it is: every item with its score."""
    members = [value for _, pairs in content for _, value in pairs]
    if not members or not all(isinstance(m, _Pairs) and _is_item([key for key, _ in m]) for m in members):
        return content
    return _Pairs((query, _Pairs((item, dict(value)["score"]) for item, value in pairs)) for query, pairs in content)


def _is_item(keys: list[str]) -> bool:
    """Whether these are the keys that :func:`_item_objects` writes."""
    return tuple(keys[:2]) == COLUMNS and keys[2:] != [] and keys[2:] == [name for name in BESIDE if name in keys[2:]]


def _rows(document: _Document) -> Columns:
    """One row per item, without those whose number is none."""
    by_rank = document.reading.options.values == "rank"
    queries, rankers, items, values = _columns(document)
    numbers = _numbers(values, by_rank)
    right = ~np.isnan(numbers)
    plain = right.all() and not is_large(numbers) and not _any_repeated(document)
    lines = None if plain else document.item_lines()
    if lines is not None:
        _drop_bad_numbers(np.flatnonzero(~right).tolist(), items, values, lines, document.reading)
    if not right.all():
        queries, rankers, items = queries.take(right), rankers.take(right), items.take(right)
    return Columns(
        queries,
        items,
        numbers[right],
        rankers=rankers,
        by_rank=by_rank,
        scores=None if by_rank else numbers[right],
        file=document.reading.name,
        lines=None if lines is None else lines[right],
    )


def _columns(document: _Document) -> tuple[Coded, Coded, Coded, list[Any]]:
    """The queries, rankers and items of all rows, as codes, and the values."""
    lists: list[tuple[str, str, Any]] = list(document.lists())
    lengths = [len(pairs) for _, _, pairs in lists]
    queries, rankers = (Coded.of_texts([each[place] for each in lists]) for place in (0, 1))
    return (
        Coded(np.repeat(queries.codes, lengths), queries.ids),
        Coded(np.repeat(rankers.codes, lengths), rankers.ids),
        Coded.of_texts([item for _, _, pairs in lists for item, _ in pairs]),
        [value for _, _, pairs in lists for _, value in pairs],
    )


def _numbers(values: list[Any], by_rank: bool) -> FloatArray:
    """Finite numbers, from 0 on if they are ranks; NaN for anything else."""
    if any(kind is not float for kind in set(map(type, values))):
        values = [value if isinstance(value, float) else float("nan") for value in values]
    numbers = np.array(values, dtype=np.float64)
    numbers[np.isinf(numbers) | (by_rank & (numbers < 0))] = np.nan
    return numbers


def _any_repeated(document: _Document) -> bool:
    return any(len({item for item, _ in pairs}) != len(pairs) for _, _, pairs in document.lists())


def _drop_bad_numbers(
    wrong: list[int], items: Sequence[str], values: list[Any], lines: IntArray, reading: Reading
) -> None:
    expected = "a rank from 0 on" if reading.options.values == "rank" else "a finite number"
    for row in wrong:
        if not reading.options.lenient:
            message = f"expected {expected} for item {shown(items[row])}, found {_kind(values[row])}"
            raise reading.error(message, int(lines[row]))
        reading.drop("bad number", lines[row])


def _kind(value: Any) -> str:
    """The kind of a JSON value, for messages."""
    if isinstance(value, _Pairs):
        return "an object"
    if isinstance(value, list):
        return "an array"
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    return f"the text {shown(value)}" if isinstance(value, str) else number_text(value)


def _check_unicode(document: _Document) -> None:
    """JSON can spell half a character (\\ud800 alone), which nothing can write or print."""
    if "\\" not in document.text:
        return
    names = chain(
        document.queries(), document.rankers(), *([item for item, _ in pairs] for *_, pairs in document.lists())
    )
    for name in names:
        try:
            name.encode()
        except UnicodeEncodeError:
            raise document.reading.error(
                f"the id {shown(name)} holds half a surrogate pair; it is not valid text"
            ) from None
