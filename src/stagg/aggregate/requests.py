"""Best-first lists of plain ids, as a search service fuses them for every request: numbered by the compiled twin."""

from __future__ import annotations

from typing import Any

from stagg.data.construct import from_numbers, rankings_of
from stagg.data.rankings import Rankings
from stagg.kernels.compiled import twin

__all__ = ["rankings_of_request"]

for _each in ("_lists", "_sums", "_ranked"):
    twin(_each)  # loaded with the package, so that the first request costs what later ones cost


def rankings_of_request(given: Any) -> Rankings:
    """What :func:`stagg.data.construct.rankings_of` makes of it; lists of text take the short way.

    >>> rankings_of_request({"bm25": ["a", "b"], "dense": ["b", "c"]})
    Rankings(1 query, 2 rankers, 3 items)
      bm25: a > b
      dense: b > c
    """
    compiled = twin("_lists")
    if compiled is None or type(given) not in (list, dict) or not given:
        return rankings_of(given)
    found = compiled.numbered(list(given.values()) if type(given) is dict else given)
    if found is None or (type(given) is dict and not set(map(type, given)) <= {str}):
        return rankings_of(given)
    names = tuple(given) if type(given) is dict else tuple(map(str, range(1, len(given) + 1)))
    return from_numbers(names, *found)
