"""What tests use to make sure that they look at something."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

T = TypeVar("T")


def some(collection: Iterable[T]) -> list[T]:
    """The members of a collection, of which there must be one: an assert in a loop over nothing cannot fail."""
    members = list(collection)
    assert members, "there is nothing to look at"
    return members
