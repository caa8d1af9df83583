"""Build rankings from Python objects: best-first lists, scored hits, dicts of numbers, runs, frames."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, repeat
from typing import Any, Literal, NamedTuple

import numpy as np

from stagg.data.columns import Coded, Columns, from_columns
from stagg.data.ids import OwnIds, take_ids
from stagg.data.inputs.frames import are_rows, from_frame, is_frame, is_plain_frame
from stagg.data.inputs.lists import (
    Duplicates,
    Listing,
    check_duplicates,
    id_text,
    is_number,
    own_id,
    read_listing,
    read_scored,
)
from stagg.data.inputs.types import RankingsLike
from stagg.data.parts import empty_rankings, join_queries, join_rankers, take_queries
from stagg.data.rankings import Rankings, Values
from stagg.errors import InvalidParameter, shown
from stagg.kernels.arrays import BoolArray, FloatArray, IntArray
from stagg.kernels.ragged import build_offsets

__all__ = ["Outer", "from_lists", "from_numbers", "from_runs", "from_scores", "has_words", "rankings_of", "with_names"]

Outer = Literal["ranker", "query"]
"""The meaning of the outer keys of nested dicts."""

FrameReader = Callable[[Any], Rankings]
"""Reader of frames of any layout, which ``formats`` has."""

VALUES = ("score", "rank")
SHORT = 10_000  # entries of a request whose frame is kept

ITEM_WORDS = frozenset({"item", "Item", "id", "_id", "doc", "doc_id", "docid", "docno", "document", "pid"})
SCORE_WORDS = frozenset({"score", "Score", "_score", "rank", "similarity", "relevance"})
"""Keys that rows and tables have, and hardly ever rankers or items."""


# --- lists and dicts of numbers, said to be such ----------------------------------------------------------------------


def from_lists(
    lists: Sequence[Any] | Mapping[Any, Any], *, query: str = "1", duplicates: Duplicates = "error"
) -> Rankings:
    """See :meth:`Rankings.from_lists`."""
    check_duplicates(duplicates)
    legs, text = _name(lists, "lists"), id_text(query, "query")
    read = [
        ListOf(text, name, read_listing(leg, f"ranker {shown(name)}", duplicates))
        for name, leg in legs.items()
        if leg is not None
    ]
    return _assemble(read, {text: own_id(query)}, legs)


def from_scores(
    scored: Sequence[Mapping[Any, float]] | Mapping[Any, Mapping[Any, float]],
    *,
    query: str = "1",
    values: Values = "score",
) -> Rankings:
    """See :meth:`Rankings.from_scores`."""
    legs = _name(scored, "{item: number} dicts")
    id_text(query, "query")  # it can be an id, so it can be a key
    own = own_id(query)
    return from_runs({name: None if leg is None else {own: leg} for name, leg in legs.items()}, values=values)


def from_runs(
    runs: Sequence[Mapping[Any, Mapping[Any, float]]] | Mapping[Any, Mapping[Any, Mapping[Any, float]] | None],
    *,
    values: Values = "score",
) -> Rankings:
    """See :meth:`Rankings.from_runs`."""
    check_values(values)
    return _read_runs(_name(runs, "{query: {item: number}} dicts"), "error", values)


class ListOf(NamedTuple):
    """A list, read, and whose it is."""

    query: str
    ranker: str
    listing: Listing


def _name(values: Any, what: str) -> dict[str, Any]:
    """The members of a mapping by their names, or those of a sequence as "1", "2", ..."""
    if isinstance(values, Mapping):
        named = {id_text(name, "ranker"): member for name, member in values.items()}
        if len(named) < len(values):
            raise InvalidParameter("two rankers have names of the same text; rename one of them")
        return named
    if isinstance(values, str | bytes | set | frozenset) or not isinstance(values, Iterable):
        raise InvalidParameter(f"expected a sequence or mapping of {what}, not {shown(values)}")
    try:
        return {str(number): member for number, member in enumerate(values, start=1)}
    except TypeError:  # an array without dimensions
        raise InvalidParameter(f"expected a sequence or mapping of {what}, not {shown(values)}") from None


def _read_runs(legs: Mapping[str, Any], duplicates: Duplicates, values: Values = "score") -> Rankings:
    """Runs by ranker, ``{query: list}``: a list is a dict of numbers or, where it is no dict, what a list can be."""
    queries: dict[str, Any] = {}
    read = []
    for name, run in legs.items():
        for query, listed in _items(run, f"ranker {shown(name)}"):
            text = id_text(query, "query", f"ranker {shown(name)}")
            queries.setdefault(text, own_id(query))
            where = f"ranker {shown(name)}, query {shown(text)}"
            if listed is not None:
                read.append(ListOf(text, name, _read_leg(listed, where, duplicates, values)))
    return _assemble(read, queries, legs)


def _items(run: Any, where: str) -> list[tuple[Any, Any]]:
    if run is None:
        return []
    if not isinstance(run, Mapping):
        raise InvalidParameter(f"{where}: expected a dict, not {shown(run)}")
    return list(run.items())


def _read_leg(listed: Any, where: str, duplicates: Duplicates, values: Values = "score") -> Listing:
    by_rank = values == "rank"
    if isinstance(listed, Mapping):
        return read_scored(listed.items(), where, duplicates, by_rank=by_rank)
    return read_listing(listed, where, duplicates, by_rank=by_rank)


def _assemble(read: Sequence[ListOf], queries: Mapping[str, Any], legs: Mapping[str, Any]) -> Rankings:
    """Rankings of these queries and of all rankers; those whose leg is None failed, and are named as absent."""
    names, texts = tuple(legs), _own(dict(queries))
    sizes = [len(each.listing.texts) for each in read]
    rows = Columns(
        Coded(np.repeat(_codes([each.query for each in read], texts), sizes), texts),
        _code_items([each.listing for each in read]),
        np.array(list(chain.from_iterable(each.listing.numbers for each in read)), dtype=float),
        rankers=Coded(np.repeat(_codes([each.ranker for each in read], names), sizes), names),
        scores=_scores([each.listing for each in read]),
    )
    made = with_names(from_columns(rows)[0], texts, names)
    absent = tuple(name for name, leg in legs.items() if leg is None)
    return made.replace(absent=absent) if absent else made


def _codes(chosen: Sequence[str], names: Sequence[str]) -> IntArray:
    number = {name: code for code, name in enumerate(names)}
    return np.array([number[name] for name in chosen], dtype=np.int64)


def _code_items(listings: Sequence[Listing]) -> Coded:
    """The items of all lists as codes, each with the object that came in first."""
    coded = Coded.of_texts(chain.from_iterable(each.texts for each in listings))
    if any(each.objects is not each.texts for each in listings):
        own: dict[str, Any] = {}
        for each in listings:
            for text, item in zip(each.texts, each.objects, strict=True):
                own.setdefault(text, item)
        coded.ids = _own({text: own_id(own[text]) for text in coded.ids})
    return coded


def _own(objects: dict[str, Any]) -> tuple[str, ...]:
    """Texts, with the objects that they are the texts of where these are something else."""
    plain = all(type(each) is str for each in objects.values())
    return tuple(objects) if plain else OwnIds(tuple(objects), tuple(objects.values()))


def _scores(listings: Sequence[Listing]) -> FloatArray | None:
    """The scores of all lists, NaN in those that have none; None where no list has any."""
    if not any(each.scored for each in listings):
        return None
    known = (each.numbers if each.scored else repeat(np.nan, len(each.texts)) for each in listings)
    return np.array(list(chain.from_iterable(known)), dtype=float)


def from_numbers(
    names: tuple[str, ...],
    items: tuple[str, ...],
    entries: IntArray,
    lengths: Sequence[int],
    tied: BoolArray | None = None,
    scores: FloatArray | None = None,
    *,
    query: str = "1",
) -> Rankings:
    """One query, a list for each ranker, of the numbers of their items: ``entries``, end to end."""
    frame = _frame if len(entries) <= SHORT else _frame.__wrapped__
    like, known = frame(tuple(lengths))
    fields: dict[str, Any] = {"queries": (query,), "rankers": names, "items": items, "entries": entries}
    if tied is not None and tied.any():
        fields["tied"], known = tied, {**known, "has_ties": True}
    span, zeros = _one_query(len(items)) if len(items) <= SHORT else _one_query.__wrapped__(len(items))
    known = {**known, "item_queries": zeros}
    return like.like(**fields, item_offsets=span, scores=scores, known=known)


@functools.lru_cache(maxsize=256)
def _one_query(count: int) -> tuple[IntArray, IntArray]:
    """Where the items of the one query begin and end, and the query of each."""
    span, zeros = np.array([0, count]), np.zeros(count, dtype=np.intp)
    zeros.setflags(write=False)
    return span, zeros


@functools.lru_cache(maxsize=64)
def _frame(lengths: tuple[int, ...]) -> tuple[Rankings, dict[str, Any]]:
    """Rankings of one query whose lists have these lengths, and what follows from the lengths alone.

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
    follows = ("list_lengths", "list_counts", "list_queries", "entry_lists", "entry_queries", "positions", "has_ties")
    return like, {"shared": {}, **{name: getattr(like, name) for name in follows}}


def check_values(values: Values) -> None:
    if not isinstance(values, str) or values not in VALUES:
        raise InvalidParameter(f"values is 'score' (large = top) or 'rank' (small = top), not {shown(values)}")


def with_names(rankings: Rankings, queries: tuple[str, ...], rankers: tuple[str, ...]) -> Rankings:
    """The rankings, which bear no weights, with these queries and rankers: some may have no list at all."""
    if queries == rankings.queries and rankers == rankings.rankers:
        return rankings
    number = {name: r for r, name in enumerate(rankers)}
    owners = np.array([number[name] for name in rankings.rankers], dtype=np.intp)[rankings.list_rankers]
    named = rankings.replace(rankers=rankers, list_rankers=owners, weights=None, multiplicities=None)
    bare = np.array([number for number, query in enumerate(queries) if query not in rankings], dtype=np.intp)
    whole = join_queries([named, empty_rankings(take_ids(queries, bare), rankers)])
    return take_queries(whole, np.array([whole.query_number(q) for q in queries], dtype=np.intp))


# --- whatever is given ------------------------------------------------------------------------------------------------


def rankings_of(
    given: RankingsLike,
    *,
    outer: Outer | None = None,
    duplicates: Duplicates = "error",
    values: Values | None = None,
    read_frame: FrameReader | None = None,
) -> Rankings:
    """Rankings from whatever says clearly what it is; what could be read in two ways is refused.

    ``outer``: what the keys of nested dicts are; without it ``{a: {item: number}}`` is refused. ``values``: whether the
    numbers of dicts and pairs are scores, as they are by default, or ranks. ``read_frame`` reads the frames that are
    not plain; without it they are refused.

    >>> rankings_of([["a", "b"], ["b", "c"]]).rankers
    ('1', '2')
    >>> rankings_of({"bm25": {"a": 3.5}, "dense": {"a": 0.2, "b": 0.1}}, outer="ranker").rankers
    ('bm25', 'dense')
    """
    if values is not None:
        check_values(values)
    if isinstance(given, Rankings):
        _refuse_values(values)
        return given
    check_duplicates(duplicates)
    if is_frame(given):
        if read_frame is not None and not is_plain_frame(given):
            return read_frame(given)
        _refuse_values(values)
        return from_frame(given, duplicates=duplicates)
    held: Any = list(given) if isinstance(given, Iterator) else given
    if _is_long_table(held):
        if read_frame is not None and not is_plain_frame(held):
            return read_frame(held)
        _refuse_values(values)
        return from_frame(held, duplicates=duplicates)
    _refuse_paths(held)
    legs = _name(held, "rankings")
    if not legs:
        raise InvalidParameter("no rankings: give at least one list, run or row")
    if outer is not None:
        _check_outer(outer, held)
    _refuse_responses([held, *legs.values()])
    if isinstance(held, Mapping):
        _refuse_words(held, "rankers")
    else:
        _refuse_tuples(held)
    if outer == "query":
        return _read_runs(_by_ranker(legs), duplicates, values or "score")
    present = {name: leg for name, leg in legs.items() if leg is not None}
    if any(map(is_frame, present.values())):
        _refuse_values("rank" if values == "rank" else None)
        return _join_frames(present, legs, duplicates, read_frame)
    return _read_legs(legs, held, outer, duplicates, values or "score")


def _refuse_values(values: Values | None) -> None:
    if values is not None:
        raise InvalidParameter(
            "values says what the numbers of dicts and pairs mean; a frame says it by its columns, score or rank"
        )


def _read_legs(
    legs: Mapping[str, Any], held: Any, outer: Outer | None, duplicates: Duplicates, values: Values
) -> Rankings:
    """Lists, dicts of numbers or runs, one per ranker."""
    present = {name: leg for name, leg in legs.items() if leg is not None}
    deep = {name: _is_run(leg, name) for name, leg in present.items() if not (isinstance(leg, Mapping) and not leg)}
    if any(deep.values()):
        if not all(deep.values()):
            shallow = next(name for name, nested in deep.items() if not nested)
            raise InvalidParameter(
                f"ranker {shown(shallow)} has one list, others have runs ({{query: {{item: number}}}}); "
                "give all of them one way"
            )
        return _read_runs(legs, duplicates, values)
    if (
        outer is None
        and isinstance(held, Mapping)
        and deep
        and all(isinstance(leg, Mapping) for leg in present.values())
    ):
        raise InvalidParameter(
            "a dict of {item: number} dicts may be one run of many queries or many rankers of one query: "
            "say which by Rankings.from_runs([run]) or Rankings.from_scores({ranker: {item: score}})"
        )
    for leg in present.values():
        if isinstance(leg, Mapping):
            _refuse_words(leg, "items")
    read = [
        ListOf("1", name, _read_leg(leg, f"ranker {shown(name)}", duplicates, values)) for name, leg in present.items()
    ]
    return _assemble(read, {"1": "1"}, legs)


def _is_run(leg: Any, name: str) -> bool:
    """Whether a leg is a dict of lists, one per query; numbers beside lists are refused."""
    if not isinstance(leg, Mapping):
        return False
    numbers = [is_number(value) or isinstance(value, str) for value in leg.values()]
    lists = [
        isinstance(value, Mapping) or (isinstance(value, Iterable) and not isinstance(value, str | bytes))
        for value in leg.values()
    ]
    if any(numbers) and any(lists):
        raise InvalidParameter(f"ranker {shown(name)} has numbers and lists side by side; expected one or the other")
    return any(lists)


def _by_ranker(legs: Mapping[str, Any]) -> dict[str, Any]:
    """``{query: list}``, of one ranker, or ``{query: {ranker: list}}``, turned inside out."""
    runs: dict[str, Any] = {}
    for query, lists in legs.items():
        if lists is None:
            continue
        if isinstance(lists, Mapping) and _is_run(lists, query):
            for ranker, listed in lists.items():
                runs.setdefault(id_text(ranker, "ranker"), {})[query] = listed
        elif not _is_list_of_lists(lists):  # whatever it is: whoever reads the list says what is wrong with it
            runs.setdefault("1", {})[query] = lists
        else:
            raise InvalidParameter(
                f"query {shown(query)}: a list of lists has two readings. If they are the lists of several rankers, "
                "name these: fuse({query: {ranker: ['a', 'b']}}, outer='query'). If it is one list with items that "
                "tie, write them as a set: fuse({query: ['a', {'b', 'c'}]}, outer='query')"
            )
    return runs


def _is_list_of_lists(lists: Any) -> bool:
    return isinstance(lists, Sequence) and any(isinstance(each, list) for each in lists)


def _join_frames(
    present: Mapping[str, Any], legs: Mapping[str, Any], duplicates: Duplicates, read_frame: FrameReader | None
) -> Rankings:
    """One frame per ranker, side by side."""
    parts = []
    for name, leg in present.items():
        if not is_frame(leg):
            raise InvalidParameter(
                f"ranker {shown(name)} is not a frame, but others are; give all of them as frames, or none"
            )
        plain = read_frame is None or is_plain_frame(leg)
        part = from_frame(leg, duplicates=duplicates) if plain or read_frame is None else read_frame(leg)
        if len(part.rankers) > 1:
            raise InvalidParameter(f"the frame of ranker {shown(name)} has a ranker column: give that frame alone")
        parts.append(part.with_rankers([name] * len(part.rankers)))
    joined = join_rankers(parts)
    absent = tuple(name for name in legs if name not in present)
    return with_names(joined, joined.queries, tuple(legs)).replace(absent=absent)


def _is_long_table(held: Any) -> bool:
    """Whether it is a list of rows, one for each listed item: their items are texts, which no score is."""
    return are_rows(held) and all(
        isinstance(row.get("item"), str) and ("score" in row or "rank" in row) for row in held
    )


# --- what has two readings --------------------------------------------------------------------------------------------


def _check_outer(outer: Outer, held: Any) -> None:
    if not isinstance(outer, str) or outer not in ("ranker", "query"):
        raise InvalidParameter(f"outer is 'ranker' or 'query', not {shown(outer)}")
    if outer == "query" and not isinstance(held, Mapping):
        from stagg.say import Say, tell  # here: few inputs are wrong

        why = " says what the keys of a dict are, and this is a list: its members are rankers"
        raise InvalidParameter(tell(Say(outer=outer), why))


def _refuse_paths(held: Any) -> None:
    if isinstance(held, str) or hasattr(held, "__fspath__"):
        raise InvalidParameter(
            f"expected a sequence or mapping of rankings, not {shown(held)}; read files by stagg.read"
        )


def has_words(keys: Mapping[Any, Any]) -> bool:
    """Whether a dict has a key for an item and one for a score, as a row or a table has."""
    named = keys.keys()
    return not named.isdisjoint(ITEM_WORDS) and not named.isdisjoint(SCORE_WORDS)


def _refuse_responses(held: Iterable[Any]) -> None:
    """Refuse the responses of Elasticsearch and OpenSearch, which ``stagg.read`` knows from files."""
    for leg in held:
        if isinstance(leg, Mapping) and isinstance(leg.get("hits"), Mapping) and "hits" in leg["hits"]:
            raise InvalidParameter(
                "a response of a search engine is not a list; give its hits as tuples: "
                '[(hit["_id"], hit["_score"]) for hit in response["hits"]["hits"]]'
            )


def _refuse_words(keys: Mapping[Any, Any], named: str) -> None:
    """Refuse a dict whose keys are the words of a row or a table."""
    if not has_words(keys):
        return
    item, score = (next(key for key in keys if key in words) for words in (ITEM_WORDS, SCORE_WORDS))
    number = "rank" if score == "rank" else "score"
    columns = f"{{'item': {shown(item)}, {number!r}: {shown(score)}}}"
    rows = "pandas.DataFrame(…)" if named == "rankers" else "rows"
    raise InvalidParameter(
        f"a dict with the keys {shown(item)} and {shown(score)} has two readings. If it is a "
        f"{'table' if named == 'rankers' else 'row'}, name its columns: fuse({rows}, columns={columns}), "
        f"or give hits as tuples: [(hit[{shown(item)}], hit[{shown(score)}]), …]. If these are {named} of that name, "
        "say so: fuse(Rankings.from_scores(…)) or fuse(Rankings.from_lists(…))"
    )


def _refuse_tuples(held: Iterable[Any]) -> None:
    """Refuse tuples in the place of lists: hits without a ranker, or ids that may be in order or tied."""
    for leg in held:
        if not isinstance(leg, tuple):
            continue
        hit = len(leg) == 2 and is_number(leg[1])
        shown_leg = shown(leg)
        if hit:
            raise InvalidParameter(
                f"a flat list of pairs such as {shown_leg} has two readings. If they are the scored hits of one "
                f"ranker, put them into its list: fuse([[{shown_leg}, …], …]). If each is a list of two ids, write "
                f"lists of texts: fuse([[{shown(str(leg[0]))}, {shown(str(leg[1]))}], …])"
            )
        members = ", ".join(map(shown, leg[:3])) + ", …" * (len(leg) > 3)
        raise InvalidParameter(
            f"a tuple of ids such as {shown_leg} has two readings. If it is a best-first list, write a list: "
            f"fuse([[{members}], …]). If its items tie, write a set inside a list: fuse([[{{{members}}}, …], …])"
        )
