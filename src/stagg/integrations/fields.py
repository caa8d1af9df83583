"""Where things are in a document of any class, and options that are given for all legs or by leg."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from stagg.data.listings import is_number
from stagg.errors import DataError, InvalidParameter, UnknownName, shown
from stagg.registry import near_names

__all__ = [
    "Field",
    "check_names",
    "check_words",
    "of_leg",
    "read_id",
    "read_metadata",
    "read_score",
    "values_of",
]

Field = str | Callable[[Any], Any]
"""Where something is in a document: a key of a dict or an attribute ("metadata.source" goes deeper), or a function."""

METADATA_NAMES: Final = ("metadata", "meta", "payload")


# --- documents --------------------------------------------------------------------------------------------------------


def read_id(field: Field, document: Any, where: str, place: int) -> Any:
    """What identifies a document; a text or a number identifies itself.

    >>> read_id("metadata.url", {"metadata": {"url": "/a"}}, "leg 'bm25'", 1)
    '/a'
    """
    if callable(field):
        return field(document)
    if isinstance(document, str | int):
        return document
    try:
        return _follow(field, document)
    except (KeyError, AttributeError, TypeError) as error:
        raise DataError(
            f"{where}, document {place}: no {shown(field)} in {shown(document)}; "
            "say what identifies a document: identity="
        ) from error


def read_score(field: Field, document: Any, where: str, place: int) -> float | None:
    """The score of a document, None where it has none."""
    try:
        given = field(document) if callable(field) else _follow(field, document)
    except (KeyError, AttributeError, TypeError):
        if callable(field):
            raise
        return None
    if given is None:
        return None
    number = float(given) if is_number(given) else math.nan
    if not math.isfinite(number):
        raise DataError(f"{where}, document {place}: the score is {shown(given)}; expected a finite number")
    return number


def read_metadata(field: Field | None, document: Any) -> Mapping[str, Any]:
    """The metadata of a document. Without a field a dict is its own, and an object has an attribute for them."""
    if field is not None:
        found = field(document) if callable(field) else _follow(field, document)
        return found if isinstance(found, Mapping) else {}
    if isinstance(document, Mapping):
        return document
    attributes = (getattr(document, name, None) for name in METADATA_NAMES)
    return next((each for each in attributes if isinstance(each, Mapping)), {})


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
            raise UnknownName(f"{option} names the leg {shown(name)}, which there is not{near_names(str(name), legs)}")


def check_words(option: str, values: Iterable[Any], words: tuple[str, ...]) -> None:
    """Refuse a value that is none of these words."""
    for value in values:
        if value not in words:
            raise InvalidParameter(f"{option} is {' or '.join(map(repr, words))}, not {shown(value)}")
