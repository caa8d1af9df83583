"""Read one ranker's list: ids best first, tied groups, scored hits; a list with two meanings is refused."""

from __future__ import annotations

import math
import numbers
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple, get_args

import numpy as np

from stagg.data.large_numbers import loses_digits, warn_of_lost_digits
from stagg.errors import DataError, InvalidParameter, shown, spelled

__all__ = [
    "DUPLICATES", "Duplicates", "Listing", "check_duplicates", "id_text", "is_number", "keep_rows", "own_id",
    "read_listing", "read_scored",
]  # fmt: skip

Duplicates = Literal["error", "best", "first"]
"""An item that is twice in one list: refuse it, keep the better-placed one, or keep the one that came first."""

DUPLICATES: Final[tuple[Duplicates, ...]] = get_args(Duplicates)


NO_IDS: Final = (bool, np.bool_, bytes, bytearray, numbers.Number, np.ndarray, tuple, frozenset, type)
"""Hashable things that are not ids: flags, fractions, raw bytes, collections."""


ID_NAMES: Final = ("id", "doc_id", "docid", "id_", "key")
SCORE_NAMES: Final = ("score", "distance", "similarity")
"""Attributes by which libraries give the id and the number of a hit."""


class Listing(NamedTuple):
    """A list, read: the ids as they came and as text, a number for each (large = top), and whether these are scores."""

    objects: list[Any]
    texts: list[str]
    numbers: list[float]
    scored: bool


def read_listing(given: Any, where: str, duplicates: Duplicates = "error", *, by_rank: bool = False) -> Listing:
    """A best-first list of ids and tied groups, or a list of scored hits: ``(id, number)`` tuples.

    >>> read_listing([("d1", 12), ("d2", 9)], "ranker 'bm25'").numbers
    [12.0, 9.0]
    >>> read_listing(["d1", {"d2", "d3"}], "ranker 'bm25'").numbers
    [-0.0, -1.0, -1.0]
    """
    members = _members(given, where)
    if set(map(type, members)) <= {str}:
        return _keep_once(members, members, [-float(place) for place in range(len(members))], False, where, duplicates)
    hits = [_is_hit(member) for member in members]
    if all(hits):
        return read_scored(members, where, duplicates, by_rank=by_rank)
    if any(hits):
        odd = hits.index(not hits[0])
        raise DataError(
            f"{where}, place {odd + 1}: the list mixes (id, number) pairs with other ids, as {shown(members[odd])}; "
            "give every item a score, or none"
        )
    _refuse_scores_among_ids(members, where)
    objects: list[Any] = []
    places: list[float] = []
    for place, member in enumerate(members, start=1):
        group = _group(member, f"{where}, place {place}")
        places += [-float(len(objects))] * len(group)
        objects += group
    return _keep_once(objects, _texts(objects, where), places, False, where, duplicates)


def read_scored(
    pairs: Iterable[tuple[Any, Any]], where: str, duplicates: Duplicates = "error", *, by_rank: bool = False
) -> Listing:
    """Pairs of an id and a number: a score (large = top) or, ``by_rank``, a rank (small = top)."""
    pairs = list(pairs)
    objects = [item for item, _ in pairs]
    texts = _texts(objects, where)
    values = [_number(value, where, text) for text, (_, value) in zip(texts, pairs, strict=True)]
    if loses_digits([value for _, value in pairs], values):
        warn_of_lost_digits(f"{where}: ", "ranks" if by_rank else "scores")
    if by_rank:
        return _keep_once(objects, texts, [-value for value in values], False, where, duplicates)
    return _keep_once(objects, texts, values, True, where, duplicates)


def id_text(value: Any, what: str, where: str = "", row: int | None = None) -> str:
    """The text of an id: text, a whole number, or another hashable object whose ``str()`` says what it is."""
    try:
        text = value if type(value) is str else _text_of(value)
    except Exception:  # a number of more digits than Python prints, or an object whose str() raises
        text = None
    if text:
        return text
    place = where + (f", place {row + 1}" if row is not None else "")
    said = f"{place}: " if place else ""
    if text is None:
        ids = f"{what} ids are text or whole numbers, or objects such as UUIDs"
        raise DataError(f"{said}{ids}; found {shown(value)}{_id_hint(value)}")
    raise DataError(f"{said}the {what} id is empty; leave it out, or give it a text")


def check_duplicates(duplicates: Duplicates) -> None:
    if not isinstance(duplicates, str) or duplicates not in DUPLICATES:
        raise InvalidParameter(f"duplicates is 'error', 'best' or 'first', not {shown(duplicates)}")


def own_id(value: Any) -> Any:
    """An id as it goes back to the caller: itself; NumPy's text and numbers as Python's."""
    return value.item() if isinstance(value, np.generic) else value


def is_number(value: Any) -> bool:
    """Whether a value is a number that can be a score."""
    return isinstance(value, numbers.Number | np.number) and not isinstance(value, bool | np.bool_ | complex)


# --- ids and numbers --------------------------------------------------------------------------------------------------


def _texts(objects: list[Any], where: str) -> list[str]:
    """The texts of ids: the same list where all of them are plain text."""
    plain = set(map(type, objects)) <= {str}
    return objects if plain else [id_text(each, "item", where, row) for row, each in enumerate(objects)]


def _text_of(value: Any) -> str | None:
    """The text of an id that is not plain text; None where it cannot be one."""
    if isinstance(value, str | int | np.integer) and not isinstance(value, bool):
        return str(value)
    if value is None or isinstance(value, NO_IDS) or type(value).__hash__ is None:
        return None
    if type(value).__name__ in ("NAType", "NaTType"):  # what pandas has where nothing is
        return None
    if any(hasattr(value, name) for name in SCORE_NAMES):
        return None  # a hit of some library: its text would name its score, too
    nameless = all(getattr(type(value), name) is getattr(object, name) for name in ("__str__", "__repr__"))
    return None if nameless or callable(value) else str(value)


def _id_hint(value: Any) -> str:
    """Advice on replacing something that is not an id."""
    if isinstance(value, bytes | bytearray):
        return "; make it text: id.decode()"
    named = next((name for name in ID_NAMES if hasattr(value, name)), None)
    if named is None:
        return ""
    number = next((name for name in SCORE_NAMES if hasattr(value, name)), None)
    hit = f"(hit.{named}, hit.{number})" if number else f"hit.{named}"
    return f". Give its id{' and its score as a tuple' if number else ''}: [{hit} for hit in hits]"


def _number(value: Any, where: str, item: str) -> float:
    number = math.nan
    if is_number(value):
        try:
            number = float(value)
        except (TypeError, ValueError, OverflowError):
            number = math.nan
    if not math.isfinite(number):
        absent = value is None or (is_number(value) and math.isnan(number))
        hint = "; leave the item out if it has no score" if absent else ""
        raise DataError(f"{where}, item {shown(item)}: expected a finite number, found {shown(value)}{hint}")
    return number


# --- the members of a list --------------------------------------------------------------------------------------------


def _members(given: Any, where: str) -> list[Any]:
    """The members of a list, a column of a frame or an array."""
    point = getattr(given, "ndim", 1) == 0  # an array without dimensions
    if isinstance(given, str | bytes | set | frozenset | Mapping) or not isinstance(given, Iterable) or point:
        raise InvalidParameter(f"{where}: expected a best-first list of ids, not {shown(given)}{_list_hint(given)}")
    _refuse_series_of_numbers(given, where)
    for name in ("to_pylist", "to_list", "tolist"):  # pyarrow, Polars and pandas, NumPy
        if hasattr(given, name):
            return list(getattr(given, name)())
    return list(given)


def _list_hint(given: Any) -> str:
    """Advice on replacing something that is not a list."""
    if isinstance(given, str):
        return f"; put the ids of every ranker into a list: fuse([[{shown(given)}, …], …]); read files by stagg.read"
    if is_number(given):
        return "; put the items and numbers of every ranker into a dict: fuse({'bm25': {item: number, …}, …})"
    if isinstance(given, set | frozenset):
        return "; a set has no order: write a list, and in it a set where items tie"
    return ""


def _refuse_series_of_numbers(given: Any, where: str) -> None:
    """Refuse a pandas Series of numbers under an index of texts: its numbers may be ids, or the scores of its index."""
    index = getattr(given, "index", None)
    if index is None or callable(index) or not hasattr(given, "to_dict"):
        return
    if any(isinstance(each, str) for each in index) and all(map(is_number, given)):
        raise InvalidParameter(
            f"{where}: a Series of numbers with texts as its index has two readings. If the numbers are scores, make "
            "it a dict: fuse({'bm25': series.to_dict(), …}). If they are ids, make it a list: series.to_list()"
        )


def _is_hit(member: Any) -> bool:
    """Whether a member is an item with its score: a tuple of two whose second is a number."""
    return isinstance(member, tuple) and len(member) == 2 and is_number(member[1])


def _refuse_scores_among_ids(members: list[Any], where: str) -> None:
    """Refuse ``["d1", 12, "d2", 9]``, as some databases return hits, and ``["d1", 12]``, as JSON writes one."""
    text = next((each for each in members if isinstance(each, str)), None)
    number = next((each for each in members if is_number(each)), None)
    if text is not None and number is not None:
        raise InvalidParameter(
            f"{where}: a list that mixes texts and numbers, {shown(text)} and {shown(number)}, has two readings. If "
            f"the numbers are scores, write tuples: fuse([[({shown(text)}, {shown(number)}), …], …]). If they are ids, "
            f"write texts: fuse([[{shown(text)}, {shown(spelled(number))}, …], …])"
        )


def _group(member: Any, where: str) -> list[Any]:
    """The items that stand at one place: one id, or those of a tied group."""
    if isinstance(member, set | frozenset):
        _refuse_mixture(list(member), member, where)
        return sorted(member, key=lambda each: id_text(each, "item", where))
    if isinstance(member, list):
        _refuse_mixture(member, member, where)
        return member
    if isinstance(member, tuple) and len(member) > 2 and is_number(member[1]):
        raise InvalidParameter(
            f"{where}: a scored hit is a tuple of two, (id, number); found {shown(member)}. "
            "Leave out the rest: [hit[:2] for hit in hits]"
        )
    if isinstance(member, tuple):
        raise InvalidParameter(_two_ways_of_tuple(member, where))
    if isinstance(member, Mapping):
        raise InvalidParameter(
            f"{where}: a dict is not an id. Give each hit as a tuple of its id and its score: "
            '[(hit["id"], hit["score"]) for hit in hits]'
        )
    return [member]


def _refuse_mixture(group: list[Any], member: Any, where: str) -> None:
    """Refuse ``["d1", 12]``, which JSON writes for a pair, and groups of texts and numbers."""
    pair = isinstance(member, list) and len(group) == 2 and is_number(group[1])
    mixed = any(map(is_number, group)) and any(isinstance(each, str) for each in group)
    if pair or mixed:
        raise InvalidParameter(f"{where}: {shown(member)} has two readings. {_as_hits(group)}{_as_ties(group)}")


def _two_ways_of_tuple(member: tuple[Any, ...], where: str) -> str:
    if not member:
        return f"{where}: an empty tuple is not an id; leave it out"
    if len(member) == 2 and is_number(member[0]):
        swapped = f"({shown(member[1])}, {shown(member[0])})"
        return f"{where}: {shown(member)} has its number first. If that is a score, write the id first: {swapped}"
    in_order = ", ".join(map(shown, member[:3])) + ", …" * (len(member) > 3)
    return (
        f"{where}: {shown(member)} has two readings. If its items come one after the other, write them in the list: "
        f"fuse([[{in_order}, …], …]). {_as_ties(list(member))}{_as_number(member)}"
    )


def _as_number(member: tuple[Any, ...]) -> str:
    """How to write a score that came as text; nothing where the last of a pair spells no number."""
    try:
        float(member[-1])
    except (TypeError, ValueError, OverflowError):
        return ""
    return f". If {shown(member[-1])} is a score, make it a number: (id, float(score))" if len(member) == 2 else ""


def _as_hits(group: Sequence[Any]) -> str:
    """How to write an item and its score; nothing where that is not what a group can be."""
    if len(group) != 2:
        return ""
    text, number = sorted(group, key=is_number)
    return f"If it is an item and its score, write a tuple: fuse([[({shown(text)}, {shown(number)}), …], …]). "


def _as_ties(group: Sequence[Any]) -> str:
    """How to write a tied group."""
    members = ", ".join(shown(str(own_id(each))) for each in group[:3]) + ", …" * (len(group) > 3)
    return f"If its items tie, write a set of texts: fuse([[{{{members}}}, …], …])"


def _keep_once(
    objects: list[Any], texts: list[str], values: list[float], scored: bool, where: str, duplicates: Duplicates
) -> Listing:
    """The list with every item once; an item that comes again is an error, or goes as ``duplicates`` says."""
    if len(set(texts)) == len(texts) and "" not in texts:
        return Listing(objects, texts, values, scored)
    rows = keep_rows(texts, values, where, duplicates)
    names = [texts[row] for row in rows]
    own = names if objects is texts else [objects[row] for row in rows]
    return Listing(own, names, [values[row] for row in rows], scored)


def keep_rows(texts: Sequence[str], values: Sequence[float], where: str, duplicates: Duplicates) -> list[int]:
    """The rows of a list that stay when every item is kept once; ``values`` are large at the top.

    >>> keep_rows(["a", "b", "a"], [1.0, 2.0, 3.0], "ranker 'bm25'", "best")
    [1, 2]
    """
    kept: dict[str, int] = {}
    for row, text in enumerate(texts):
        id_text(text, "item", where, row)
        if duplicates == "error" and text in kept:
            from stagg.say import Either, tell  # here: most lists are as they should be

            places = f"at places {kept[text] + 1} and {row + 1}; remove one of them, or say "
            keep = Either('duplicates="best" or "first"', "--duplicates best or --duplicates first")
            raise DataError(tell(f"{where}: the item {shown(text)} appears twice in one list, {places}", keep))
        if text not in kept or (duplicates == "best" and values[row] > values[kept[text]]):
            kept[text] = row
    return sorted(kept.values())
