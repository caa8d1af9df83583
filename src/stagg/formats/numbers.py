"""Numbers as text: which texts are numbers, and how a number is written; decimal commas are in ``tables.cells``."""

from __future__ import annotations

from typing import Final

import numpy as np

from stagg.formats.patterns import pattern

__all__ = ["INTEGER", "NUMBER", "number_text", "parse_number", "parse_whole"]

NUMBER: Final = r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
"""The one grammar of numbers in every text format: ASCII digits, no nan, no inf, no underscores."""

INTEGER: Final = pattern(r"[+-]?[0-9]+")
FAR: Final = 10**18

_NUMBER = pattern(NUMBER)


def parse_number(text: str) -> float | None:
    """The number that a text spells by the grammar of INPUTS, or None: nan, 1e400, 5,50, 0x10, 1_0 spell none.

    >>> parse_number("1e3"), parse_number("-.5"), parse_number("nan"), parse_number("1e400")
    (1000.0, -0.5, None, None)
    """
    if not _NUMBER.fullmatch(text):
        return None
    number = float(text)
    return number if abs(number) < float("inf") else None


def parse_whole(text: str) -> int | None:
    """The whole number that a text of ASCII digits spells; None for any other text.

    Python's int() also takes other digits, and fails if there are thousands of them. Numbers above 10**18 become
    10**18, which no count and no place reaches.

    >>> parse_whole("007"), parse_whole("9" * 5000), parse_whole("²"), parse_whole("-1")
    (7, 1000000000000000000, None, None)
    """
    if not (text.isascii() and text.isdigit()):
        return None
    digits = text.lstrip("0") or "0"
    return min(int(digits[:20]), FAR)


def number_text(number: float | np.float32) -> str:
    """The shortest text that reads back the same, in the number's own precision.

    >>> number_text(3.0), number_text(0.1), number_text(1e-7)
    ('3', '0.1', '1e-07')
    """
    return str(number).removesuffix(".0")
