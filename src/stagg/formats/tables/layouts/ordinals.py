"""Words for "first choice": the place that "1st choice", "Second", "rank 3" or a survey question names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

__all__ = ["choice_columns", "clashing_choices", "read_ordinal", "read_place"]

WORDS: Final = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
    "twelfth",
)  # fmt: skip
CHOICE_WORDS: Final = frozenset(
    (
        "choice",
        "choices",
        "preference",
        "pref",
        "rank",
        "ranked",
        "ranking",
        "place",
        "position",
        "pick",
        "vote",
        "best",
    )
)
BRACKETS: Final = re.compile(r".*\[([^\[\]]+)\]\s*", re.DOTALL)
"""Brackets of forms behind a question: the row of a grid, or the number of an answer."""
PLACE: Final = re.compile(r"(?:t-?|=\s?)?([0-9]{1,9}(?:\.5)?)(?:st|nd|rd|th)?\.?(?:\s?=|t)?", re.IGNORECASE)
TOKEN: Final = re.compile(r"[a-z]+|[0-9]+(?:st|nd|rd|th)?")
SUFFIXED: Final = re.compile(r"([0-9]{1,3})(?:st|nd|rd|th)")


def read_ordinal(text: str) -> int | None:
    """The number of the choice that a header or a cell names, or None.

    >>> [read_ordinal(text) for text in ("1st choice", "Second", "rank 3", "4.", "lab1", "First name")]
    [1, 2, 3, 4, None, None]
    """
    bracket = BRACKETS.fullmatch(text)
    if bracket is not None and (bracket[1].isdigit() or read_ordinal(bracket[1]) is not None):
        text = bracket[1]  # Q1[1]: the first answer to the first question
    plain = text.casefold().replace("_", " ")
    if re.search(r"[a-z][0-9]", plain) and not re.match(rf"(?:{'|'.join(CHOICE_WORDS)})[0-9]", plain):
        return None  # lab1, gene2 are names
    tokens = TOKEN.findall(plain)
    found = [number for token in tokens if (number := _number(token)) is not None]
    others = [token for token in tokens if _number(token) is None]
    if len(found) != 1 or not 1 <= found[0] <= 999 or re.search(r"[^\w\s.,:;?!#()\[\]'’/-]", plain):
        return None
    spelled = any(_number(token) is not None and not token.isdigit() for token in tokens)
    if not others or (CHOICE_WORDS.intersection(others) and (spelled or CHOICE_WORDS.issuperset(others))):
        return found[0]
    return None


def choice_columns(names: Sequence[str]) -> dict[int, int]:
    """{column: which choice it holds} of the columns whose names tell it; nothing where two tell the same."""
    found = {number: choice for number, name in enumerate(names) if (choice := read_ordinal(name)) is not None}
    return found if len(set(found.values())) == len(found) else {}


def clashing_choices(names: Sequence[str]) -> tuple[str, str] | None:
    """Two names that tell the same choice, where others tell another; None where there are none.

    >>> clashing_choices(["1st choice", "1st choice party", "2nd choice"])
    ('1st choice', '1st choice party')
    """
    told = [(choice, name) for name in names if (choice := read_ordinal(name)) is not None]
    first: dict[int, str] = {}
    clashes = [(one, name) for choice, name in told if (one := first.setdefault(choice, name)) != name]
    return clashes[0] if clashes and len(first) > 1 else None


def read_place(text: str) -> float | None:
    """The place that a cell of results names: "1st", "=2" and "2=" (joint second), "T3", "third"; None for others.

    >>> [read_place(text) for text in ("1st", "=2", "2=", "T3", "third", "4", "d5")]
    [1.0, 2.0, 2.0, 3.0, 3.0, 4.0, None]
    """
    match = PLACE.fullmatch(text.strip(" \t"))
    if match:
        return float(match[1])
    choice = read_ordinal(text) if any(map(str.isalpha, text)) else None
    return None if choice is None else float(choice)


def _number(token: str) -> int | None:
    if token in WORDS:
        return WORDS.index(token) + 1
    match = SUFFIXED.fullmatch(token)
    return int(match[1]) if match else int(token) if token.isdigit() and len(token) <= 3 else None
