"""The two sides of a comparison: methods, models and rankers by name, each as one list per query."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from stagg.aggregate import prepare
from stagg.data.rankings import Rankings
from stagg.errors import InvalidParameter, UnknownName, shown
from stagg.evaluation.evaluate import order_run
from stagg.evaluation.overlap import list_items
from stagg.judging.units import Orders
from stagg.methods import METHODS, Method, method_of
from stagg.registry import near_names, split_list, split_name

__all__ = ["DEFAULT_SIDE", "CompareLike", "Side", "find_sides", "split_sides"]

DEFAULT_SIDE: Final = "rrf"


SideLike = str | Method | tuple[str, Method]
"""The name of a ranker, the text of a method, a method or a model, or one of the latter with a name."""

CompareLike = str | Sequence[str | Method | Sequence[SideLike]]
"""A pair of sides, several pairs, or texts such as "rrf;bm25"."""


class Side(NamedTuple):
    """A setting of a comparison: its name, and its list for each query."""

    name: str
    orders: Orders


def find_sides(rankings: Rankings, compare: CompareLike | None, depth: int | None) -> list[tuple[Side, Side]]:
    """The sides of each comparison; by default RRF with each ranker.

    ``compare`` is a pair, or several, of names of rankers, texts of methods, methods and models, alone or as
    (name, method), or a text "A;B".
    ``depth``: how far down the lists count.
    """
    made: dict[Any, Side] = {}

    def find(given: Any) -> Side:
        key = given if isinstance(given, str) else id(given)
        if key not in made:
            made[key] = _find_side(rankings, given, depth)
        return made[key]

    if compare is None:
        return [(find(DEFAULT_SIDE), find(ranker)) for ranker in rankings.rankers]
    return [(find(a), find(b)) for a, b in _list_pairs(compare)]


def _list_pairs(compare: Any) -> list[tuple[Any, Any]]:
    """The pairs of a comparison or of several."""
    if isinstance(compare, str):
        return [split_sides(compare)]
    several = list(compare) if isinstance(compare, Sequence) else []
    if len(several) == 2 and all(isinstance(each, str | Method) and not _is_pair(each) for each in several):
        return [(several[0], several[1])]
    pairs = [split_sides(each) if isinstance(each, str) else each for each in several]
    if not pairs or not all(isinstance(each, Sequence) and len(each) == 2 for each in pairs):
        raise InvalidParameter(f"compare is a pair such as ('rrf', 'bm25'), or a list of pairs, not {shown(compare)}")
    return [(a, b) for a, b in pairs]


def _is_pair(given: Any) -> bool:
    return isinstance(given, str) and ";" in given


def split_sides(text: str) -> tuple[str, str]:
    """The two sides of "A;B".

    >>> split_sides("rrf(c=10); bm25"), split_sides("rrf, bm25")
    (('rrf(c=10)', 'bm25'), ('rrf', 'bm25'))
    """
    parts = [part.strip() for part in text.split(";")] if ";" in text else split_list(text)
    if len(parts) != 2 or not all(parts):
        raise InvalidParameter(
            f"a comparison is two settings with a semicolon between them, 'rrf;bm25', not {shown(text)}"
        )
    return parts[0], parts[1]


def _find_side(rankings: Rankings, given: Any, depth: int | None) -> Side:
    """The lists of a ranker, a method or a model; a ranker comes before a method of the same name."""
    if isinstance(given, Method):
        return _fuse(rankings, given, given.label, depth)
    if isinstance(given, tuple) and len(given) == 2 and isinstance(given[1], Method):
        return _fuse(rankings, given[1], str(given[0]), depth)
    if not isinstance(given, str):
        raise InvalidParameter(f"a setting is the name of a ranker, a method or a model, not {shown(given)}")
    if given in rankings.rankers:
        number = rankings.rankers.index(given)
        run = order_run(rankings.take_rankers([number]), "standard")
        return Side(given, list_items(run, depth=depth))
    name, text = split_name(given)
    if name is not None and text in rankings.rankers:
        return _find_side(rankings, text, depth)._replace(name=name)
    return _fuse(rankings, _read_method(text, rankings), given if name is None else name, depth)


def _read_method(text: str, rankings: Rankings) -> Method:
    try:
        return method_of(text)
    except UnknownName:
        known = [*rankings.rankers, *(each.name for each in METHODS)]
        hint = near_names(text, known) or f"; the rankers are: {', '.join(map(shown, rankings.rankers[:10]))}"
        raise UnknownName(f"there is no ranker and no method {shown(text)}{hint}") from None


def _fuse(rankings: Rankings, method: Method, name: str, depth: int | None) -> Side:
    return Side(name, list_items(prepare(method).fuse(rankings).consensus, depth=depth))
