"""Fields of a document of any class: id, score, metadata; and options given for all legs or by leg."""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from stagg.data.inputs.lists import is_number
from stagg.data.large_numbers import loses_digits, warn_of_lost_digits
from stagg.errors import DataError, InvalidParameter, UnknownName, shown
from stagg.registry import near_names

__all__ = [
    "Field",
    "check_fields",
    "check_names",
    "check_words",
    "copy_metadata",
    "of_leg",
    "read_ids",
    "read_metadata",
    "read_scores",
    "values_of",
]

Field = str | Callable[[Any], Any]
"""Where something is in a document: a key of a dict or an attribute ("metadata.source" goes deeper), or a function."""

FLAT: Final = {str, int, float, bool, type(None)}
METADATA_NAMES: Final = ("metadata", "meta", "payload")
MISSING: Final = (KeyError, AttributeError, TypeError)
"""Errors where a document lacks a field."""


# --- documents --------------------------------------------------------------------------------------------------------


def read_ids(field: Field, documents: Sequence[Any], where: str) -> list[Any]:
    """Read the identity of each document; a text or a number identifies itself.

    >>> read_ids("metadata.url", [{"metadata": {"url": "/a"}}, {"metadata": {"url": "/b"}}], "leg 'bm25'")
    ['/a', '/b']
    """
    if callable(field):
        return [field(document) for document in documents]
    column = _column(field, documents)
    if column is None:
        places = enumerate(documents, start=1)
        column = [_read_id(field, document, f"{where}, document {place}") for place, document in places]
    return column


def _read_id(field: str, document: Any, where: str) -> Any:
    if isinstance(document, str | int):
        return document
    try:
        return _follow(field, document)
    except MISSING as error:
        raise DataError(
            f"{where}: no {shown(field)} in {shown(document)}; say what identifies a document: identity="
        ) from error


def read_scores(field: Field, documents: Sequence[Any], where: str) -> list[float | None]:
    """The score of each document, None where it has none.

    >>> read_scores("score", [{"score": 3}, {}], "leg 'bm25'")
    [3.0, None]
    """
    if callable(field):
        column = [field(document) for document in documents]
    else:
        column = _column(field, documents) or [_read_member(field, document) for document in documents]
    if set(map(type, column)) <= {float} and all(map(math.isfinite, column)):
        return column
    scores = [_finite(score, where, place) for place, score in enumerate(column, start=1)]
    known = [(own, score) for own, score in zip(column, scores, strict=True) if score is not None]
    if known and loses_digits(*zip(*known, strict=True)):
        warn_of_lost_digits(f"{where}: ", "scores")
    return scores


def _read_member(field: str, document: Any) -> Any:
    try:
        return _follow(field, document)
    except MISSING:
        return None


def _finite(score: Any, where: str, place: int) -> float | None:
    if score is None:
        return None
    try:
        number = float(score) if is_number(score) else math.nan
    except OverflowError:  # a whole number that is larger than any float
        number = math.inf
    if not math.isfinite(number):
        raise DataError(f"{where}, document {place}: the score is {shown(score)}; expected a finite number")
    return number


def _column(field: str, documents: Sequence[Any]) -> list[Any] | None:
    """A field of documents that are all alike, in one step; None where they must be looked at one by one."""
    kinds = set(map(type, documents))
    if kinds == {dict} and "." not in field:
        read: Callable[[Any], Any] = operator.itemgetter(field)
    elif len(kinds) == 1 and not issubclass(next(iter(kinds)), Mapping | str | int) and "." not in field:
        read = operator.attrgetter(field)
    else:
        return None
    try:
        return list(map(read, documents))
    except MISSING:
        return None


def read_metadata(field: Field | None, document: Any) -> Mapping[str, Any]:
    """The metadata of a document. Without a field a dict is its own, and an object has an attribute for them."""
    if field is not None:
        found = field(document) if callable(field) else _read_member(field, document)
        return found if isinstance(found, Mapping) else {}
    if isinstance(document, Mapping):
        return document
    attributes = (getattr(document, name, None) for name in METADATA_NAMES)
    return next((each for each in attributes if isinstance(each, Mapping)), {})


def copy_metadata(given: Mapping[str, Any]) -> dict[str, Any]:
    """Metadata that share no dict, list or set with the given ones, however deep; other objects stay what they are.

    >>> own = {"tags": ["a"]}
    >>> copy_metadata(own)["tags"].append("b"); own
    {'tags': ['a']}
    """
    if set(map(type, given.values())) <= FLAT:
        return dict(given)
    whole: dict[str, Any] = {}
    copies: dict[int, Any] = {id(given): whole}  # something may hold itself
    waiting: list[tuple[Any, Any]] = [(given, whole)]  # no recursion: something may be nested deep

    def copy(value: Any) -> Any:
        if type(value) is tuple:
            return tuple(map(copy, value))
        if isinstance(value, set):
            return set(value)
        if not isinstance(value, dict | list):
            return value
        if id(value) not in copies:
            copies[id(value)] = {} if isinstance(value, dict) else []
            waiting.append((value, copies[id(value)]))
        return copies[id(value)]

    while waiting:
        source, made = waiting.pop()
        if isinstance(made, dict):
            made.update((key, copy(value)) for key, value in source.items())
        else:
            made.extend(map(copy, source))
    return whole


def _follow(field: str, document: Any) -> Any:
    return functools.reduce(_member, field.split("."), document) if "." in field else _member(document, field)


def _member(document: Any, name: str) -> Any:
    return document[name] if isinstance(document, Mapping) else getattr(document, name)


# --- options by leg ---------------------------------------------------------------------------------------------------


def of_leg(value: Any, leg: str, default: Any = None) -> Any:
    """An option of one leg: what the dict says of it, else the default; or the value that is for all legs."""
    return value.get(leg, default) if isinstance(value, Mapping) else value


def values_of(value: Any) -> list[Any]:
    """The values of an option, whichever legs they are for."""
    if value is None:
        return []
    return list(value.values()) if isinstance(value, Mapping) else [value]


def check_names(option: str, value: Any, legs: Sequence[str]) -> None:
    """Refuse an option that names a leg which there is not."""
    for name in value if isinstance(value, Mapping) else ():
        if name not in legs:
            raise UnknownName(f"{option} names the leg {shown(name)}, which there is not{near_names(name, legs)}")


def check_fields(option: str, value: Any) -> None:
    """Refuse an option that is neither the name of a field nor a function."""
    for field in values_of(value):
        if field is not None and not isinstance(field, str) and not callable(field):
            raise InvalidParameter(f"{option} is the name of a field, or a function of a document, not {shown(field)}")


def check_words(option: str, values: Iterable[Any], words: tuple[str, ...]) -> None:
    """Refuse a value that is not one of these words."""
    for value in values:
        if not isinstance(value, str) or value not in words:
            raise InvalidParameter(f"{option} is {' or '.join(map(repr, words))}, not {shown(value)}")
