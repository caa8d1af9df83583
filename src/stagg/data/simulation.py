"""Simulate rankings from a known truth: seeded draws from Plackett-Luce and Mallows models."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from stagg.data.labels import Labels
from stagg.data.rankings import Rankings
from stagg.errors import InvalidParameter, shown
from stagg.kernels.arrays import FloatArray, IntArray
from stagg.kernels.ragged import build_offsets
from stagg.kernels.streams import open_stream

__all__ = ["MODELS", "Simulated", "sample_mallows", "sample_plackett_luce", "simulate"]

LARGEST_QUALITY: Final = 1e6
MOST_LISTED: Final = 10**9
LARGEST_SPREAD: Final = 10.0
COPY_SWAPS: Final = 0.1  # the share of neighbours that a near-copy turns round


@dataclasses.dataclass(frozen=True)
class Simulated:
    """Result of :func:`simulate`.

    ``truth`` has one ranker, "truth", that lists every item of every query, also those that no simulated list holds;
    its scores are the strengths of the items under Plackett-Luce, and n - rank + 1 under Mallows, which has none.
    ``labels`` grade the items by the truth: the first tenth 2, the next fifth 1, the rest 0 (shares rounded up).
    ``quality`` is that of each ranker; a near-copy has the quality of its original.
    """

    rankings: Rankings
    truth: Rankings
    labels: Labels
    quality: Mapping[str, float]


def simulate(
    *,
    model: str = "plackett_luce",
    queries: int = 10,
    items: int = 20,
    rankers: int = 5,
    quality: float | Sequence[float] | FloatArray = 1.0,
    spread: float = 0.0,
    keep: float = 1.0,
    depth: int | None = None,
    copies: int = 0,
    scores: bool = False,
    seed: int = 0,
) -> Simulated:
    """Rankings drawn from a known truth: queries q001, q002, ..., rankers r01, r02, ..., items d001, d002, ...

    - ``model``: "plackett_luce" (items have strengths, drawn from a standard normal distribution) or "mallows" (the
      truth is an order, and a list is the less likely the more pairs it turns round);
    - ``quality`` of the rankers, one number for all or one for each: 0 is chance, more is better. Under
      Plackett-Luce it multiplies the strengths, under Mallows it is the dispersion theta;
    - ``spread`` makes one quality unequal: each ranker's is multiplied by exp(spread * z), z standard normal;
    - ``keep``: each list holds each item with this probability, whatever its place;
    - ``depth``: each list is cut to its first ``depth`` items;
    - ``copies``: so many of the rankers, the last ones, are near-copies of r01: they see the same items, and its
      list has about a tenth of its neighbours swapped before it is cut. They are named r01-copy1, r01-copy2, ...;
    - ``scores``: lists with scores that agree with their order; without, lists are orders and no more.

    Ids are given to items at random in every query, so that ties broken by id say nothing about the truth. What is
    drawn depends on the seed, the query, the ranker and the number of items only: more queries or more rankers
    change nothing in those that were there before, and neither do ``keep`` and ``depth`` in what stays.
    A list that comes out empty is no list.

    >>> made = simulate(queries=1, items=6, rankers=2, quality=[4.0, 0.5], depth=4, seed=11)
    >>> made.rankings
    Rankings(1 query, 2 rankers, 5 items)
      r01: d002 > d006 > d001 > d004
      r02: d002 > d001 > d005 > d004
    >>> made.truth.best_first()
    ['d002', 'd006', 'd005', 'd001', 'd004', 'd003']
    """
    _check_model(model)
    for name, count, least in (
        ("queries", queries, 1),
        ("items", items, 1),
        ("rankers", rankers, 1),
        ("seed", seed, 0),
    ):
        _check_count(name, count, least)
    if queries * items * rankers > MOST_LISTED:
        counts = f"{shown(queries)} queries of {shown(items)} items by {shown(rankers)} rankers"
        raise InvalidParameter(f"{counts} do not fit into memory; at most {MOST_LISTED:,} items can be listed in all")
    _check_count("copies", copies, 0, rankers - 1)
    _check_number("keep", keep, 1.0)
    if depth is not None:
        _check_count("depth", depth, 1)
    panel = _panel(_qualities(quality, spread, rankers - copies, seed), copies)
    worlds = [_World(model, items, f"q{number:03}", seed) for number in range(1, queries + 1)]
    names = tuple(f"d{number:03}" for number in range(1, items + 1))
    lists = [[world.listed(ranker, keep, depth) for ranker in panel] for world in worlds]
    truths = [[world.truth] for world in worlds]
    ids = tuple(world.query for world in worlds)
    rankings = _assemble(ids, tuple(ranker.name for ranker in panel), names, lists)
    return Simulated(
        rankings if scores else rankings.replace(scores=None),
        _assemble(ids, ("truth",), names, truths),
        _grade_items(ids, names, truths),
        {ranker.name: ranker.quality for ranker in panel},
    )


# --- the models -------------------------------------------------------------------------------------------------------


def sample_plackett_luce(strengths: FloatArray, rng: np.random.Generator) -> tuple[IntArray, FloatArray]:
    """An order, best first, with P(i first among A) = exp(strengths[i]) / sum of exp(strengths) over A; and its scores.

    By the Gumbel trick (Yellott, J. Math. Psych. 15, 1977): strengths plus independent standard Gumbel noise, sorted,
    are exactly a draw from the model of Luce (1959) and Plackett (1975). The noisy strengths are the scores.

    >>> order, scores = sample_plackett_luce(np.array([0.0, 50.0, -50.0]), np.random.default_rng(0))
    >>> order.tolist()
    [1, 0, 2]
    """
    noisy = strengths + rng.gumbel(size=len(strengths))
    order = np.argsort(-noisy, kind="stable")
    return order, noisy[order]


def sample_mallows(n: int, theta: float, rng: np.random.Generator) -> IntArray:
    """An order of 0..n-1, best first, with P(order) proportional to exp(-theta * the number of pairs it turns round).

    By the repeated insertion model (Doignon, Pekec and Regenwetter, Psychometrika 69, 2004): item i (from 0) enters
    the list of the items 0..i-1 so that v of them come after it, with P(v) proportional to exp(-theta v), v = 0..i.
    The centre is 0, 1, ..., n-1; theta = 0 is uniform.

    >>> sample_mallows(5, 50.0, np.random.default_rng(0)).tolist()
    [0, 1, 2, 3, 4]
    """
    order: list[int] = []
    for item, overtaken in enumerate(_overtake(rng.random(n), theta).tolist()):
        order.insert(item - overtaken, item)
    return np.array(order, dtype=np.intp)


def _overtake(uniform: FloatArray, theta: float) -> IntArray:
    """v of each insertion i, from P(at most v) = (1 - exp(-theta (v+1))) / (1 - exp(-theta (i+1))) turned round."""
    latest = np.arange(len(uniform))
    if theta * len(uniform) < 1e-12:  # flat to the twelfth digit, and 0/0 at theta = 0
        v = uniform * (latest + 1)
    else:
        v = -np.log1p(uniform * np.expm1(-theta * (latest + 1))) / theta
    return np.minimum(v.astype(np.intp), latest)


Draw = Callable[[FloatArray, float, np.random.Generator], tuple[IntArray, FloatArray]]


def _draw_plackett_luce(strengths: FloatArray, quality: float, rng: np.random.Generator) -> tuple[IntArray, FloatArray]:
    return sample_plackett_luce(quality * strengths, rng)


def _draw_mallows(strengths: FloatArray, quality: float, rng: np.random.Generator) -> tuple[IntArray, FloatArray]:
    """The model has orders only: its scores are standard normal draws, sorted."""
    order = sample_mallows(len(strengths), quality, rng)
    return order, -np.sort(rng.normal(size=len(strengths)))


MODELS: Final[Mapping[str, Draw]] = {"plackett_luce": _draw_plackett_luce, "mallows": _draw_mallows}


# --- one query --------------------------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class _Ranker:
    """A ranker and whose lists it gives: its own, or another's with some neighbours swapped."""

    name: str
    quality: float
    original: str


Listed = tuple[IntArray, FloatArray]
"""The items of a list, by number, best first; and their scores."""


class _World:
    """The truth of one query, and the lists that rankers make of it.

    Draws speak of places in the truth (0 = best); ``best_first`` turns places into items.
    """

    def __init__(self, model: str, n: int, query: str, seed: int) -> None:
        rng = open_stream(seed, "truth", query)
        self.model, self.query, self.seed = model, query, seed
        self.best_first: IntArray = rng.permutation(n).astype(np.intp)
        self.strengths = -np.sort(rng.normal(size=n)) if model == "plackett_luce" else np.arange(n, 0, -1.0)

    @property
    def truth(self) -> Listed:
        return self.best_first, self.strengths

    def listed(self, ranker: _Ranker, keep: float, depth: int | None) -> Listed:
        """The list of a ranker: what it sees of its full order, cut to the first ``depth``."""
        rng = open_stream(self.seed, "order", self.query, ranker.original)
        places, scores = MODELS[self.model](self.strengths, ranker.quality, rng)
        if ranker.name != ranker.original:
            places = _swap(places, open_stream(self.seed, "swaps", self.query, ranker.name))
        # Who sees which items does not depend on the truth; a near-copy sees what its original sees.
        seen = open_stream(self.seed, "seen", self.query, ranker.original).random(len(places)) < keep
        kept = np.flatnonzero(seen[places])[:depth]
        return self.best_first[places[kept]], scores[kept]


def _swap(order: IntArray, rng: np.random.Generator) -> IntArray:
    """The order with each pair of neighbours turned round with probability COPY_SWAPS, from the top down."""
    swapped = order.copy()
    for place in np.flatnonzero(rng.random(max(len(order) - 1, 0)) < COPY_SWAPS):
        swapped[place : place + 2] = swapped[place : place + 2][::-1]
    return swapped


# --- rankers ----------------------------------------------------------------------------------------------------------


def _panel(qualities: FloatArray, copies: int) -> list[_Ranker]:
    originals = [_Ranker(_ranker(number), value, _ranker(number)) for number, value in enumerate(qualities.tolist())]
    first = originals[0]
    return originals + [_Ranker(f"{first.name}-copy{k}", first.quality, first.name) for k in range(1, copies + 1)]


def _ranker(number: int) -> str:
    return f"r{number + 1:02}"


def _qualities(quality: float | Sequence[float] | FloatArray, spread: float, count: int, seed: int) -> FloatArray:
    """The quality of each ranker that is not a copy; the spread of a ranker depends on its name, not on the others."""
    _check_number("spread", spread, LARGEST_SPREAD)
    if isinstance(quality, Sequence | np.ndarray) and not isinstance(quality, str | bytes):
        for number, value in enumerate(quality):
            _check_number(f"the quality of {_ranker(number)}", value, LARGEST_QUALITY)
        if len(quality) != count:
            raise InvalidParameter(
                f"quality must be one number, or one for each of the {count} rankers that are not copies; "
                f"given {len(quality)}"
            )
        if spread:
            raise InvalidParameter("spread must be 0 where each ranker is given its own quality")
        return np.array(quality, dtype=float)
    _check_number("quality", quality, LARGEST_QUALITY)
    normal = [float(open_stream(seed, "quality", _ranker(number)).normal()) for number in range(count)]
    return np.array([float(quality) * math.exp(spread * z) for z in normal])


# --- the results ------------------------------------------------------------------------------------------------------


def _assemble(
    queries: tuple[str, ...], rankers: tuple[str, ...], names: tuple[str, ...], lists: Sequence[Sequence[Listed]]
) -> Rankings:
    """Rankings with these lists, lists[q][r] that of ranker r for query q; empty ones are left out."""
    full = [(q, r, *made) for q, row in enumerate(lists) for r, made in enumerate(row) if len(made[0])]
    none = np.zeros(0, dtype=np.intp)
    entries = np.concatenate([none, *(members + q * len(names) for q, _, members, _ in full)])
    whole = Rankings(
        queries=queries,
        rankers=rankers,
        items=names * len(queries),
        item_offsets=np.arange(len(queries) + 1) * len(names),
        list_offsets=np.searchsorted([q for q, *_ in full], np.arange(len(queries) + 1)),
        list_rankers=np.array([r for _, r, *_ in full], dtype=np.intp),
        entry_offsets=build_offsets(np.array([len(members) for _, _, members, _ in full], dtype=np.intp)),
        entries=entries,
        tied=np.zeros(len(entries), dtype=bool),
        scores=np.concatenate([np.zeros(0), *(values for *_, values in full)]),
    )
    return whole.take_rankers(np.arange(len(rankers)))  # drops the items that no list holds


def _grade_items(queries: tuple[str, ...], names: tuple[str, ...], truths: Sequence[Sequence[Listed]]) -> Labels:
    """The first tenth 2, the next fifth 1, the rest 0; rounded up, so that every query has an item of grade 2."""
    n = len(names)
    first, second = math.ceil(n / 10), math.ceil(3 * n / 10)
    grades = [2] * first + [1] * (second - first) + [0] * (n - second)
    return Labels(
        {
            query: {names[item]: grade for item, grade in zip(best_first.tolist(), grades, strict=True)}
            for query, ((best_first, _),) in zip(queries, truths, strict=True)
        }
    )


# --- parameters -------------------------------------------------------------------------------------------------------


def _check_model(model: Any) -> None:
    if model not in tuple(MODELS):
        raise InvalidParameter(f"model must be {' or '.join(map(repr, MODELS))}, not {shown(model)}")


def _check_count(name: str, value: Any, least: int, most: int | None = None) -> None:
    whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
    if not whole or value < least or (most is not None and value > most):
        span = f"of {least} or more" if most is None else f"from {least} to {most}"
        raise InvalidParameter(f"{name} must be a whole number {span}, not {shown(value)}")


def _check_number(name: str, value: Any, most: float) -> None:
    number = isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)
    if not number or not 0 <= value <= most:
        raise InvalidParameter(f"{name} must be a number from 0 to {most:g}, not {shown(value)}")
