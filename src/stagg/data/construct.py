"""Rankings from what people have in memory: best-first lists, dicts of scores, data frames, rows."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np

from stagg.data.arrow import code_ids, read_numbers, table_of_frame
from stagg.data.columns import Columns, from_columns
from stagg.data.given import RankingsLike
from stagg.data.parts import empty_rankings, join_queries, take_queries
from stagg.data.rankings import Rankings, Values
from stagg.errors import DataError, InvalidParameter, shown
from stagg.kernels.arrays import BoolArray, FloatArray, IntArray
from stagg.kernels.ragged import build_offsets
from stagg.registry import near_names

__all__ = [
    "from_frame",
    "from_lists",
    "from_numbers",
    "from_runs",
    "from_scores",
    "rankings_of",
]

VALUES = ("score", "rank")
SHORT = 10_000  # entries of a request whose frame is kept


# --- best-first lists -------------------------------------------------------------------------------------------------


def from_lists(lists: Sequence[Sequence[Any]] | Mapping[str, Sequence[Any]], *, query: str = "1") -> Rankings:
    """See :meth:`Rankings.from_lists`."""
    names, values = _name(lists, "lists")
    ranked = [_flatten(each, name) for each, name in zip(values, names, strict=True)]
    flat = list(chain.from_iterable(items for items, _ in ranked))
    index = {item: number for number, item in enumerate(dict.fromkeys(flat))}
    entries = np.fromiter(map(index.__getitem__, flat), dtype=np.intp, count=len(flat))
    rankings = from_numbers(names, tuple(index), entries, [len(items) for items, _ in ranked], query=query)
    if any(flags for _, flags in ranked):
        tied = list(chain.from_iterable(flags or [False] * len(items) for items, flags in ranked))
        rankings = rankings.replace(tied=np.array(tied))
    return rankings


def from_numbers(
    names: tuple[str, ...],
    items: tuple[str, ...],
    entries: IntArray,
    lengths: list[int],
    tied: BoolArray | None = None,
    scores: FloatArray | None = None,
    *,
    query: str = "1",
) -> Rankings:
    """One query, a list for each ranker, of the numbers of their items: ``entries``, end to end."""
    frame = _frame if len(entries) <= SHORT else _frame.__wrapped__
    fields, known = frame(tuple(lengths))
    if tied is not None and tied.any():
        fields, known = {**fields, "tied": tied}, {**known, "has_ties": True}
    return Rankings(
        queries=(query,),
        rankers=names,
        items=items,
        item_offsets=np.array([0, len(items)]),
        entries=entries,
        scores=scores,
        known=known,
        **fields,
    )


@functools.lru_cache(maxsize=64)
def _frame(lengths: tuple[int, ...]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Fields of rankings of one query that hang on the lengths of its lists only, and what follows from these.

    The requests of a service are mostly alike, and so they share them.
    """
    full = [number for number, length in enumerate(lengths) if length]
    offsets = build_offsets(np.array([lengths[number] for number in full], dtype=np.intp))
    fields: dict[str, Any] = {
        "list_offsets": np.array([0, len(full)]),
        "list_rankers": np.array(full, dtype=np.intp),
        "entry_offsets": offsets,
        "tied": np.zeros(offsets[-1], dtype=bool),
    }
    nothing = np.zeros(offsets[-1], dtype=np.intp)
    rankers = tuple(map(str, range(len(lengths))))
    like = Rankings(queries=("",), rankers=rankers, items=(), item_offsets=nothing[:2], entries=nothing, **fields)
    follows = ("list_lengths", "list_counts", "list_queries", "entry_lists", "positions", "has_ties")
    return fields, {name: getattr(like, name) for name in follows}


def _name(values: Any, what: str) -> tuple[tuple[str, ...], list[Any]]:
    """Names and members of a mapping, or "1", "2", ... and members of a sequence."""
    if isinstance(values, Mapping):
        return tuple(id_text(name, "ranker") for name in values), list(values.values())
    if isinstance(values, str | bytes | set | frozenset) or not isinstance(values, Iterable):
        raise InvalidParameter(f"expected a sequence or mapping of {what}, not {shown(values)}")
    members = list(values)
    return tuple(map(str, range(1, len(members) + 1))), members


def _flatten(ranked: Sequence[Any], ranker: str) -> tuple[list[str], list[bool]]:
    """The items of a best-first list and, if there are ties, which of them share the place of the one before."""
    if isinstance(ranked, str | bytes | set | frozenset) or not isinstance(ranked, Iterable):
        raise InvalidParameter(f"ranker {shown(ranker)}: expected a best-first list of ids, not {shown(ranked)}")
    items = list(ranked)
    flags: list[bool] = []
    if not set(map(type, items)) <= {str}:
        items, flags = _group(items)
    if len(set(items)) != len(items):
        twice = next(item for item in items if items.count(item) > 1)
        raise DataError(f"ranker {shown(ranker)}: the item {shown(twice)} stands twice in one list")
    return items, flags


def _group(members: list[Any]) -> tuple[list[str], list[bool]]:
    items: list[str] = []
    flags: list[bool] = []
    for member in members:
        group = [member]
        if isinstance(member, set | frozenset):
            group = sorted(id_text(each, "item") for each in member)
        elif isinstance(member, list | tuple):
            group = list(member)
        items += [id_text(each, "item") for each in group]
        flags += [number > 0 for number in range(len(group))]
    return items, flags


def id_text(value: Any, what: str) -> str:
    """Ids are opaque text; whole numbers are taken as text, anything else is refused."""
    if isinstance(value, str):
        return str(value)  # NumPy's text too becomes Python's
    if isinstance(value, int | np.integer) and not isinstance(value, bool):
        return str(value)
    raise DataError(f"{what} ids are text or whole numbers; found {shown(value)}")


# --- dicts of numbers -------------------------------------------------------------------------------------------------


def from_scores(
    scored: Sequence[Mapping[str, float]] | Mapping[str, Mapping[str, float]],
    *,
    query: str = "1",
    values: Values = "score",
) -> Rankings:
    """See :meth:`Rankings.from_scores`."""
    names, members = _name(scored, "{item: number} dicts")
    return from_runs({name: {query: member} for name, member in zip(names, members, strict=True)}, values=values)


def from_runs(
    runs: Sequence[Mapping[str, Mapping[str, float]]] | Mapping[str, Mapping[str, Mapping[str, float]]],
    *,
    values: Values = "score",
) -> Rankings:
    """See :meth:`Rankings.from_runs`."""
    check_values(values)
    names, members = _name(runs, "{query: {item: number}} dicts")
    queries: dict[str, None] = {}
    columns: tuple[list[str], list[str], list[str], list[float]] = ([], [], [], [])
    for name, run in zip(names, members, strict=True):
        for query, scored in _pairs(run, f"ranker {shown(name)}"):
            queries[query] = None
            pairs = _pairs(scored, f"ranker {shown(name)}, query {shown(query)}")
            columns[0].extend([query] * len(pairs))
            columns[1].extend([name] * len(pairs))
            columns[2].extend([item for item, _ in pairs])
            columns[3].extend([_number(value, name, query, item) for item, value in pairs])
    numbers = np.array(columns[3], dtype=float)
    rows = Columns(
        columns[0],
        columns[2],
        numbers,
        rankers=columns[1],
        by_rank=values == "rank",
        scores=numbers if values == "score" else None,
    )
    return with_names(from_columns(rows)[0], tuple(queries), names)


def check_values(values: Values) -> None:
    if values not in VALUES:
        raise InvalidParameter(f"values is 'score' (large = top) or 'rank' (small = top), not {shown(values)}")


def with_names(rankings: Rankings, queries: tuple[str, ...], rankers: tuple[str, ...]) -> Rankings:
    """The rankings, which bear no weights, with these queries and rankers: some may have no list at all."""
    if queries == rankings.queries and rankers == rankings.rankers:
        return rankings
    number = {name: r for r, name in enumerate(rankers)}
    owners = np.array([number[name] for name in rankings.rankers], dtype=np.intp)[rankings.list_rankers]
    named = rankings.replace(rankers=rankers, list_rankers=owners, weights=None, multiplicities=None)
    whole = join_queries([named, empty_rankings(tuple(q for q in queries if q not in rankings), rankers)])
    return take_queries(whole, np.array([whole.query_number(q) for q in queries], dtype=np.intp))


def _pairs(mapping: Any, where: str) -> list[tuple[str, Any]]:
    if not isinstance(mapping, Mapping):
        raise InvalidParameter(f"{where}: expected a dict, not {shown(mapping)}")
    return [(key if type(key) is str else id_text(key, "query or item"), value) for key, value in mapping.items()]


def _number(value: Any, ranker: str, query: str, item: str) -> float:
    try:
        number = float(value) if not isinstance(value, str | bytes | bool) else float("nan")
    except (TypeError, ValueError, OverflowError):
        number = float("nan")
    if not -float("inf") < number < float("inf"):
        raise DataError(
            f"ranker {shown(ranker)}, query {shown(query)}, item {shown(item)}: expected a finite number, "
            f"found {shown(value)}"
        )
    return number


# --- data frames ------------------------------------------------------------------------------------------------------


def from_frame(
    frame: Any,
    *,
    query: str = "query",
    item: str = "item",
    ranker: str | None = None,
    score: str | None = None,
    rank: str | None = None,
) -> Rankings:
    """See :meth:`Rankings.from_frame`."""
    present = [str(name) for name in getattr(frame, "column_names", frame.columns)]
    ranker = _column(present, ranker, "ranker")
    score = _column(present, score, "score")
    rank = _column(present, rank, "rank") if score is None else rank
    for name in (query, item):
        _column(present, name, name)
    if score is None and rank is None:
        raise DataError(f"the frame has no column 'score' or 'rank'; its columns are {', '.join(present)}")
    ids, numbers = _read_frame(frame, [query, item] if ranker is None else [query, item, ranker], str(score or rank))
    rows = Columns(
        ids[0],
        ids[1],
        numbers,
        rankers="1" if ranker is None else ids[2],
        by_rank=score is None,
        scores=numbers if score is not None else None,
    )
    return from_columns(rows)[0]


def _read_frame(frame: Any, ids: list[str], number: str) -> tuple[list[Sequence[str]], FloatArray]:
    """The columns of ids, as codes where the frame speaks Arrow and nothing is odd, and the column of numbers."""
    table = table_of_frame(frame, [*ids, number]) if len({*ids, number}) == len(ids) + 1 else None
    if table is not None:
        coded, numbers = [code_ids(table[name], empty=True) for name in ids], read_numbers(table[number])
        if numbers is not None and all(each is not None for each in coded):
            return [each for each in coded if each is not None], numbers
    return [_texts(frame[name].to_numpy(), name) for name in ids], _numbers(frame[number].to_numpy(), number)


def _column(present: list[str], name: str | None, default: str) -> str | None:
    if name is None:
        return default if default in present else None
    if name not in present:
        raise DataError(f"the frame has no column {name!r}{near_names(name, present)}")
    return name


def _texts(values: np.ndarray, column: str) -> list[str]:
    """A column of ids as text: whole numbers are written out, fractions and gaps are refused."""
    if values.dtype.kind == "f":
        raise DataError(f"the column {column!r} holds fractions; ids are text: convert it (astype(str)) first")
    texts: list[str] = values.tolist()
    if not set(map(type, texts)) <= {str}:
        texts = [_cell_id(value, column, row) for row, value in enumerate(texts)]
    return texts


def _cell_id(value: Any, column: str, row: int) -> str:
    try:
        return id_text(value, column)
    except DataError as error:
        raise DataError(error.message, line=row + 1) from None


def _numbers(values: np.ndarray, column: str) -> FloatArray:
    try:
        numbers = np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        raise DataError(f"the column {column!r} does not hold numbers") from None
    if not np.isfinite(numbers).all():
        row = int(np.flatnonzero(~np.isfinite(numbers))[0])
        raise DataError(f"the column {column!r} holds {numbers[row]}; expected finite numbers", line=row + 1)
    return numbers


# --- whatever is given ------------------------------------------------------------------------------------------------


def rankings_of(given: RankingsLike) -> Rankings:
    """Rankings from whatever says clearly what it is; what could be read in two ways is refused.

    >>> rankings_of([["a", "b"], ["b", "c"]]).rankers
    ('1', '2')
    """
    if isinstance(given, Rankings):
        return given
    held: Any = list(given) if isinstance(given, Iterator) else given
    if hasattr(held, "columns") and hasattr(held, "__getitem__"):
        return from_frame(held)
    names, members = _name(held, "rankings")
    if not members:
        raise InvalidParameter("no rankings: give at least one list, run or row")
    if not all(isinstance(member, Mapping) for member in members):
        return from_lists(held)
    deeper = [isinstance(value, Mapping) for member in members for value in member.values()]
    if any(deeper):
        return from_runs(dict(zip(names, members, strict=True)))
    if isinstance(held, Mapping):
        raise InvalidParameter(
            "a dict of {item: number} dicts may be one run of many queries or many rankers of one query: "
            "say which by Rankings.from_runs([run]) or Rankings.from_scores({ranker: {item: score}})"
        )
    return from_scores(held)
