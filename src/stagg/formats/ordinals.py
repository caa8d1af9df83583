"""Which choice a text names: "1st choice", "Second", "rank 3", "What is your first choice?"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

__all__ = ["choice_columns", "read_ordinal"]

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
TOKEN: Final = re.compile(r"[a-z]+|[0-9]+(?:st|nd|rd|th)?")
SUFFIXED: Final = re.compile(r"([0-9]{1,3})(?:st|nd|rd|th)")


def read_ordinal(text: str) -> int | None:
    """The number of the choice that a header or a cell names, or None.

    >>> [read_ordinal(text) for text in ("1st choice", "Second", "rank 3", "4.", "lab1", "First name")]
    [1, 2, 3, 4, None, None]
    """
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


def _number(token: str) -> int | None:
    if token in WORDS:
        return WORDS.index(token) + 1
    match = SUFFIXED.fullmatch(token)
    return int(match[1]) if match else int(token) if token.isdigit() and len(token) <= 3 else None
