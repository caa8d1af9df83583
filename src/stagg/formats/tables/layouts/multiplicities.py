"""Numbers of voters: whole, from 0, and together no more than can be counted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from stagg.errors import plural
from stagg.formats.storage.source import Source
from stagg.kernels.arrays import IntArray
from stagg.kernels.lists.votes import LARGEST_COUNT

__all__ = ["COUNT", "parse_count", "read_multiplicities"]

COUNT: Final = f"a whole number from 0 to {LARGEST_COUNT} (2^63 - 1)"
"""Definition of a number of voters, in words."""
DIGITS: Final = len(str(LARGEST_COUNT))


def parse_count(text: str) -> int | None:
    """The number of voters that a text of ASCII digits spells; None for any other text.

    >>> parse_count("007"), parse_count("9007199254740993"), parse_count("9" * 5000), parse_count("-1")
    (7, 9007199254740993, None, None)
    """
    if not (text.isascii() and text.isdigit()):
        return None
    digits = text.lstrip("0") or "0"
    return int(digits) if len(digits) <= DIGITS and int(digits) <= LARGEST_COUNT else None


def read_multiplicities(counts: Sequence[int], lines: Sequence[int], source: Source) -> IntArray:
    """The counts as they are; a note says where some are 0, and an error that they are more than can be counted."""
    if sum(counts) > LARGEST_COUNT:
        raise source.error(f"the counts add up to {sum(counts):,} voters; up to {LARGEST_COUNT:,} can be counted")
    empty = [line for count, line in zip(counts, lines, strict=True) if count == 0]
    if empty:
        told = plural(len(empty), "ballot has the count 0", "ballots have the count 0")
        source.log.note(f"{source.name}:{empty[0]}: {told}; nobody cast {'it' if len(empty) == 1 else 'them'}")
    return np.array(counts, dtype=np.intp)
