"""JSON lists: arrays of ids, best first; one list, one per ranker, or one per query."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from stagg.data.inputs.construct import rankings_of
from stagg.errors import SHOWN_CHARACTERS, DataError, InvalidParameter, printable, shown
from stagg.formats.format import BY_ORDER, ONE_QUERY, Loaded, Understood
from stagg.formats.options import Outer
from stagg.formats.reading import Reading
from stagg.formats.row_checks import COUNT, parse_count, read_multiplicities, refuse_values
from stagg.formats.tables.vocabulary import BALLOT_NAMES, COUNT_WORDS, QUERY_NAMES, VOTER_WORDS, plain_name
from stagg.say import Say, Told, tell

__all__ = ["find_ballots", "holds_list", "holds_lists", "load_listed_rows", "load_lists"]


def holds_lists(content: Any) -> bool:
    """Whether the content is an array of ids or of arrays, or an object with arrays in it, one or two keys deep.

    Objects are given as their (key, value) tuples.
    """
    if not isinstance(content, list) or not content:
        return False
    if not isinstance(content[0], tuple):
        return True
    values = [value for _, value in content]
    inner = [each[1] for value in values if isinstance(value, list) for each in value if isinstance(each, tuple)]
    return any(map(_is_array, values)) or (bool(inner) and all(map(_is_array, inner)))


def _is_array(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and not isinstance(value[0], tuple)


def load_lists(content: Any, reading: Reading) -> Loaded:
    """Rankings from arrays of ids; the keys must be said to be queries or rankers where they could be either."""
    refuse_values(reading, "the arrays of this file are best-first lists")
    alone = isinstance(content, list) and not any(isinstance(each, list) for each in content)
    nested = isinstance(content, dict) and any(isinstance(each, dict) for each in content.values())
    if isinstance(content, dict) and not nested and reading.options.outer is None:
        first = shown(next(iter(content)))
        raise reading.ask(f"is {first} a ranker or a query?", Say(outer="ranker"), Say(outer="query"), line=1)
    outer: Outer | None = (reading.options.outer or "query") if isinstance(content, dict) else None
    given = {reading.stem: content} if alone else content
    try:
        rankings = rankings_of(given, outer=outer, duplicates=reading.options.row_duplicates)
    except (DataError, InvalidParameter) as error:
        raise reading.error(tell(_find_plain(error), _pairs_hint(content)), 1) from None
    if outer == "query" and not nested:
        rankings = rankings.with_rankers([reading.stem])
    if outer is None and _hold_numbers(content):
        reading.note(
            "the numbers of the arrays were read as ids, best first; they are no counts of votes, and no ranks"
        )
    named = not alone and not (outer == "query" and not nested)
    reading.log.used(len(rankings.entries))
    layout = {"query": "{query: [item, ...]}", "ranker": "{ranker: [item, ...]}", None: "[[item, ...], ...]"}[outer]
    understood = Understood("{query: {ranker: [item, ...]}}" if nested and outer == "query" else layout, BY_ORDER)
    return Loaded(rankings, names_rankers=named, local_rankers=outer is None and not alone, understood=understood)


def _hold_numbers(content: Sequence[Any]) -> bool:
    """Whether an array of ids, or of arrays, holds nothing but numbers."""
    inner = [each for one in content for each in (one if isinstance(one, list) else [one])]
    return bool(inner) and all(isinstance(each, int) for each in inner)


# --- one list per line ------------------------------------------------------------------------------------------------


def holds_list(row: dict[str, Any]) -> bool:
    """Whether exactly one value of an object is an array, which then is a list.

    All others say whose it is, or of what, or how many voters gave it.
    """
    others = {plain_name(name) for name, value in row.items() if not isinstance(value, list)}
    return len(others) == len(row) - 1 and others <= {"ranker", *QUERY_NAMES, *VOTER_WORDS, *COUNT_WORDS}


def find_ballots(content: Any) -> list[Any] | None:
    """The arrays of choices that an object names ballots, whatever else it tells of the election."""
    if not isinstance(content, dict):
        return None
    named = [value for key, value in content.items() if plain_name(key) in BALLOT_NAMES and _are_arrays(value)]
    return named[0] if len(named) == 1 else None


def _are_arrays(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(each, list) for each in value)


def load_listed_rows(rows: Sequence[tuple[int, dict[str, Any]]], reading: Reading) -> Loaded:
    """Rankings from objects with a list each, such as ``{"voter": "Ann", "ranking": ["A", "B"]}``."""
    by_query: dict[str, dict[str, Any]] = {}
    voters = [_named(row, ("ranker", *VOTER_WORDS)) for _, row in rows]
    queries = [_named(row, QUERY_NAMES) for _, row in rows]
    one_ranker = any(queries) and not any(voters)
    counts: dict[str, int] = {}
    for number, ((line, row), voter, query) in enumerate(zip(rows, voters, queries, strict=True), start=1):
        if one_ranker and query is None:
            message = 'this line names no query, as others do; expected "query" with a text or a number'
            raise reading.error(message, line)
        own = reading.stem if one_ranker else str(number)
        listed = next((value for value in row.values() if isinstance(value, list)), None)
        if listed is None or any(isinstance(each, dict) for each in listed):
            rows_of = '{"query": …, "item": …, "score": …}'
            raise reading.error(
                f"expected an array of ids in this line; write one line per listed item: {rows_of}", line
            )
        lists, name = by_query.setdefault(query or ONE_QUERY, {}), voter or own
        if name in lists:
            what = f"ranker {shown(name)}" if voter else f"query {shown(query)}"
            raise reading.error(f'the {what} appears twice; name the ranker of every line: "ranker": …', line)
        lists[name] = listed
        counts[name] = _read_count(row, reading, line)
    if one_ranker:
        content: Any = {query: lists[reading.stem] for query, lists in by_query.items()}
        return load_lists(content, reading.with_options(outer="query"))
    loaded = load_lists(by_query, reading.with_options(outer="query"))
    rankings = loaded.rankings
    if {*counts.values()} - {1}:
        found = read_multiplicities([counts[name] for name in rankings.rankers], [1] * len(rankings.rankers), reading)
        rankings = rankings.replace(multiplicities=found)
    return dataclasses.replace(loaded, rankings=rankings, local_rankers=not any(voters))


def _read_count(row: dict[str, Any], reading: Reading, line: int) -> int:
    """How many voters gave a list."""
    told = next((value for key, value in row.items() if plain_name(key) in COUNT_WORDS), 1)
    count = parse_count(str(told))
    if count is None:
        raise reading.error(f"the count {shown(told)} is not {COUNT}", line)
    return count


def _named(row: dict[str, Any], names: Sequence[str]) -> str | None:
    """The text of the first key that has one of these names."""
    found = (value for key, value in row.items() if plain_name(key) in names and isinstance(value, str | int))
    return next((str(value) for value in found if str(value)), None)


def _find_plain(error: DataError | InvalidParameter) -> Told:
    """The message up to the call that shows how to write it in Python, which a file does not hold."""
    plain, call, _ = str(error).partition(". If ")
    return tell(plain if call else error)


def _pairs_hint(content: Any) -> str:
    """How to write scored hits, which JSON has no tuples for."""
    lists = list(content.values() if isinstance(content, dict) else content)
    inner = [each for one in lists if isinstance(one, list) for each in one]
    pairs = (each for each in (*inner, *lists) if isinstance(each, list) and len(each) == 2)
    pair = next((each for each in pairs if isinstance(each[0], str) and isinstance(each[1], int | float)), None)
    if pair is None:
        return ""
    written = f'"{printable(pair[0], longest=SHOWN_CHARACTERS)}": {shown(pair[1])}'
    return f"; write items with their scores as objects: {{{written}}}"
