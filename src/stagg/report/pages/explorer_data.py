"""Data of the explorer's page: the lists as numbers, the methods on offer, trust, labels and draws."""

from __future__ import annotations

import base64
import dataclasses
import re
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from stagg.aggregate import DEFAULT_METHOD, PlanResult
from stagg.aggregate.resampling import ADDITIVE_DRAWS, TOP, pick_precision, voter_weights
from stagg.aggregate.thresholds import leave_out_absent
from stagg.data.intervals import Intervals
from stagg.data.labels import Labels
from stagg.data.query import Query
from stagg.data.rankings import Rankings
from stagg.errors import DataError, DataWarning, InvalidParameter
from stagg.kernels.arrays import FloatArray, IntArray
from stagg.kernels.id_order import order_by_id
from stagg.learning.model_files import model_text
from stagg.learning.single.taught_weights import TaughtWeights
from stagg.learning.single.trust_learner import TrustLearner, TrustModel
from stagg.learning.single.weighted_method import WeightedMethod
from stagg.methods import Method, method_of
from stagg.methods.stochastic.trust import StaggTrust, Trusted
from stagg.report.copied_commands import shell_path
from stagg.report.findings import measure_disagreement
from stagg.report.markup import clean
from stagg.report.pages.explorer_settings import LIMITS, SHAPES, UTILITIES, catalogue, describe_method

__all__ = [
    "LEVEL",
    "Draws",
    "Explored",
    "PageSource",
    "count_draws",
    "explored_of_result",
    "explorer_data",
    "fit_input",
    "learn_trust",
]

LEVEL = 0.9
FEWEST_DRAWS = 50  # with fewer there are no intervals
LARGEST_DRAWS = 8_000_000  # bytes of all draws
MOST_RANKERS = 100
MOST_VOTERS = 2**53  # a page counts in doubles, which hold every whole number up to here
MOST_ENTRIES = 300_000  # of which trust is learned for a report that did not ask for it
LARGEST_CONTROLS = 5_000_000  # bytes that the controls may add to a report
NO_CONTROLS = "There are no controls:"
LARGEST = 30_000_000  # bytes of a page
DEPTHS = (1000, 500, 200, 100, 50)  # to which lists are cut where the page would be larger
PLAIN = re.compile(r"[A-Za-z0-9_.@%+:/-]+")
DRAW = 4 * 4 / 3  # bytes of a float32 in base64
NUMBER = 7  # bytes of a number of an item, with its comma


@dataclasses.dataclass(frozen=True)
class PageSource:
    """How the same input is read again: the words after ``stagg fuse``, and a Python expression; both are printable."""

    words: str = "INPUT..."
    call: str = "rankings"
    model: str | None = None
    """The path of the model that was given."""


@dataclasses.dataclass(frozen=True)
class Draws:
    """The draws of the rankers behind the intervals of a page: how many, of which seed, and what is shown of them."""

    count: int = ADDITIVE_DRAWS
    seed: int = 0
    level: float = LEVEL
    k: int = TOP


@dataclasses.dataclass(frozen=True, eq=False)
class Explored:
    """Content of the explorer: rankings that fit a page, how they are fused at first, labels, a model to start from.

    ``depth`` is where the lists were cut to fit, None where they are whole; ``left_out`` counts queries without room.
    ``top`` is how many items a fusion keeps, for its command. ``warnings``: what to know before using the measures.
    """

    rankings: Rankings
    method: Method
    weights: FloatArray
    depth: int | None = None
    first_depth: int | None = None
    top: int | None = None
    labels: Labels | None = None
    measures: Sequence[dict[str, Any]] = ()
    model: WeightedMethod | None = None
    trust: TrustModel | None = None
    left_out: int = 0
    draws: Draws = dataclasses.field(default_factory=Draws)
    source: PageSource = dataclasses.field(default_factory=PageSource)
    warnings: tuple[str, ...] = ()

    @property
    def notes(self) -> list[str]:
        """Notes: what the page does not hold, how its numbers are made."""
        notes = []
        if self.depth is not None:
            notes.append(f"The file would be too large: every list is cut to its first {self.depth} items.")
        if self.left_out:
            shown = len(self.rankings)
            notes.append(
                f"The file would be too large: the first {shown:,} of {shown + self.left_out:,} queries are here."
            )
        draws, level = self.draws, self.draws.level
        sure = (
            f"Rank intervals hold in {100 * level:g} % of {draws.count:,} draws of the rankers (seed {draws.seed}), as "
        )
        asked = f"`stagg fuse --intervals {level:g} --draws {draws.count}` makes them."
        none = "No rank intervals: the draws for them would make the file too large."
        notes.append(sure + asked if draws.count else none)
        return notes


def fit_input(rankings: Rankings, limit: int = LARGEST) -> tuple[Rankings, int | None]:
    """(rankings that fit a page of so many bytes, the depth to which they were cut): first shorter, then fewer queries.

    >>> lists = Rankings.from_lists([[str(k) for k in range(100)]] * 3)
    >>> fit_input(lists)[1], fit_input(lists, 2_000)[1]
    (None, 50)
    """
    depth = None
    longest = int(rankings.list_lengths.max(initial=0))
    for each in (each for each in DEPTHS if each < longest):
        if measure_input(rankings) <= limit:
            break
        rankings, depth = rankings.cut(each), each
    queries = len(rankings)
    while queries > 1 and (size := measure_input(rankings)) > limit:
        queries = min(queries - 1, max(1, int(queries * limit / size)))
        rankings = rankings.take_queries(order_by_id(rankings.queries)[:queries])
    return rankings, depth


def count_draws(rankings: Rankings, limit: int = LARGEST) -> int:
    """How many draws of each list have room beside the rankings in a page of so many bytes; 0 where only few have."""
    spare = min(LARGEST_DRAWS, limit - measure_input(rankings))
    room = min(ADDITIVE_DRAWS, int(spare / (max(1, len(rankings.list_rankers)) * DRAW)))
    return room if room >= FEWEST_DRAWS else 0


def measure_input(rankings: Rankings, draws: int = 0) -> int:
    """About how many bytes the rankings take in a page, with so many draws of each list."""
    some = rankings.items[:: max(1, len(rankings.items) // 1000)] if len(rankings.items) else []
    letters = sum(len(item.encode("utf-8", "replace")) + 3 for item in some) / max(1, len(some))
    numbers = NUMBER + (0 if rankings.scores is None else 20)
    drawn = len(rankings.list_rankers) * draws * DRAW
    return int(len(rankings.items) * letters + len(rankings.entries) * numbers + drawn)


OF_ONE_QUERY = "trust that the items of one query teach is not a weight for each ranker"


def explored_of_result(
    done: PlanResult, queries: IntArray, sure: Intervals | None, source: PageSource | None = None
) -> Explored | str:
    """Data for the controls of a report, of some of its queries; a sentence that says why there are none.

    ``sure`` are the intervals that the report shows: the draws of the controls are theirs.
    """
    plan, method = done.plan, done.plan.method
    given = done.given if plan.weights is None else done.given.with_weights(plan.weights)
    given = leave_out_absent(given) if given.absent else given
    if isinstance(method, WeightedMethod):
        method, given = method.weighted(given)
    if isinstance(method, TaughtWeights):
        method = method.simplified() or method
    trust = method if isinstance(method, TrustModel) else _trust_of_result(done)
    if trust is not None and trust.trust.of_items:
        if isinstance(method, TrustModel | StaggTrust):
            return f"{NO_CONTROLS} {OF_ONE_QUERY}."
        trust = None
    if isinstance(method, TrustModel | StaggTrust):
        method = method_of(method.method) if isinstance(method, TrustModel) else method
        method = method if trust is not None else method_of(DEFAULT_METHOD)
    if plan.has_thresholds:
        return f"{NO_CONTROLS} a fusion with min_lists, min_score or scale cannot be moved."
    if describe_method(method) is None:
        return f"{NO_CONTROLS} they move sums over positions or scores, such as rrf, borda, stagg_rrf or combsum."
    if len(given.rankers) > MOST_RANKERS:
        return f"{NO_CONTROLS} there would be one for each of {len(given.rankers):,} rankers."
    if (voters := int(given.multiplicities.sum())) > MOST_VOTERS:
        return f"{NO_CONTROLS} a page counts up to {MOST_VOTERS:,} voters exactly, and there are {voters:,}."
    part = given.take_queries(queries)
    if measure_input(part) > LARGEST_CONTROLS:
        return f"{NO_CONTROLS} the file would be too large. `stagg explore` writes a page that has them."
    return Explored(
        rankings=part, method=method, weights=given.weights, first_depth=plan.depth, top=plan.top,
        trust=trust, draws=_draws_of_report(part, sure), source=source or PageSource(),
    )  # fmt: skip


def _draws_of_report(part: Rankings, sure: Intervals | None) -> Draws:
    """The draws that the report's own intervals are made of; none where the page has no room for all of them."""
    draws = Draws() if sure is None else Draws(sure.draws, sure.seed, sure.level, sure.k)
    return draws if measure_input(part, draws.count) <= LARGEST_CONTROLS else dataclasses.replace(draws, count=0)


def _trust_of_result(done: PlanResult) -> TrustModel | None:
    """The trust that was fused with, else what the input teaches, unless that would take long."""
    if isinstance(done.plan.method, StaggTrust):
        bound = done.method
        return TrustLearner(method=repr(done.plan.method)).model(bound.trust) if isinstance(bound, Trusted) else None
    return learn_trust(done.given) if len(done.given.entries) <= MOST_ENTRIES else None


def learn_trust(rankings: Rankings) -> TrustModel | None:
    """The trust that all queries teach; None where there is nothing to learn."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        try:
            return TrustLearner().fit(rankings)  # type: ignore[return-value]
        except DataError:
            return None


def explorer_data(explored: Explored) -> dict[str, Any]:
    """All that the page's script works on."""
    rankings = explored.rankings
    if len(rankings.rankers) > MOST_RANKERS:
        raise InvalidParameter(
            f"the explorer has a slider for every ranker, and there are {len(rankings.rankers):,}; "
            f"it takes {MOST_RANKERS} at most"
        )
    if (voters := int(rankings.multiplicities.sum())) > MOST_VOTERS:
        raise InvalidParameter(
            f"the explorer counts up to {MOST_VOTERS:,} voters (2^53) exactly, and there are {voters:,}; "
            "use stagg elect or stagg fuse"
        )
    trust = _describe_trust(explored.trust, rankings.rankers)
    return {
        "rankers": [clean(name) for name in rankings.rankers],
        "byName": order_by_id(rankings.rankers).tolist(),
        "multiplicities": rankings.multiplicities.tolist(),
        "declared": rankings.declared,
        "methods": _list_methods(rankings, trust),
        "shapes": SHAPES,
        "utilities": UTILITIES,
        "limits": LIMITS,
        "trust": trust,
        "start": _describe_start(explored),
        "learned": None if explored.model is None else _describe_model(explored.model, rankings.rankers),
        "depth": int(rankings.list_lengths.max(initial=1)),
        "cut": explored.depth,
        "keep": explored.top,
        "level": explored.draws.level,
        "top": explored.draws.k,
        "source": _describe_source(explored),
        "measures": None if explored.labels is None else explored.measures,
        "lacking": _count_lacking(explored),
        "queries": _describe_queries(explored),
    }


def _list_methods(rankings: Rankings, trust: dict[str, Any] | None) -> list[dict[str, Any]]:
    scores = rankings.scores is not None and not np.isnan(rankings.scores).any()
    methods = catalogue(scores=scores, trust=trust is not None)
    for each in methods:
        if trust is not None and each["default"]["name"] == "stagg_trust":
            each["default"] |= {"utility": ["rrf", trust["c"]], "shape": trust["shape"]}
    return methods


def _describe_start(explored: Explored) -> dict[str, Any]:
    method = describe_method(explored.method)
    if method is None:
        raise InvalidParameter(
            f"the explorer does not know {explored.method.label}: its sliders move sums over positions or scores, such "
            f"as rrf, borda, stagg_rrf or combsum"
        )
    if method["name"] == "stagg_trust" and explored.trust is not None:
        method["utility"] = ["rrf", explored.trust.trust.c]
    return {"method": method, "weights": explored.weights.tolist(), "depth": explored.first_depth}


def _describe_model(model: WeightedMethod, rankers: tuple[str, ...]) -> dict[str, Any]:
    weights = dict(zip(model.rankers, model.weights, strict=True))
    return {"method": describe_method(method_of(model.method)), "weights": [weights[name] for name in rankers]}


def _describe_trust(model: TrustModel | None, rankers: tuple[str, ...]) -> dict[str, Any] | None:
    """The trust in each ranker as numbers, and the file that carries it; ``head`` is the same for copies."""
    if model is None:
        return None
    method = method_of(model.method)
    described = describe_method(method)
    if described is None:
        return None
    known = model.trust.rankers
    heads = {name: number for number, name in enumerate(dict.fromkeys(e.copy_of or n for n, e in known.items()))}
    return {
        "c": model.trust.c,
        "shape": described["shape"],
        "confidence": bool(getattr(method, "confidence", True)),
        "file": model_text(model),
        "rankers": [
            {
                "influence": known[name].influence,
                "confirms": known[name].confirmation,
                "spreads": list(known[name].spreads),
                "head": heads[known[name].copy_of or name],
            }
            if name in known
            else None
            for name in rankers
        ],
    }


def _describe_source(explored: Explored) -> dict[str, Any]:
    """Parts of the copied command and call; a ranker with an odd name is weighed by its position."""
    names, source = explored.rankings.rankers, explored.source
    plain = all(map(PLAIN.fullmatch, names))
    model = None if source.model is None else [shell_path(source.model), repr(source.model)]
    return {"words": source.words, "call": source.call, "model": model, "names": names if plain else None}


def _count_lacking(explored: Explored) -> int:
    """Queries with labels that the input lacks: they count 0, as in ``stagg evaluate``; queries without room do not."""
    if explored.labels is None or explored.left_out:
        return 0
    return len(set(explored.labels) - set(explored.rankings.queries))


def _describe_queries(explored: Explored) -> list[dict[str, Any]]:
    rankings = explored.rankings
    active = rankings.replace(weights=explored.weights).active()
    order = order_by_id(rankings.queries).tolist()
    return [_describe_query(Query(rankings, number), active, explored.draws, explored.labels) for number in order]


def _describe_query(view: Query, active: Rankings, draws: Draws, labels: Labels | None) -> dict[str, Any]:
    rankings, items, first = view.rankings, view.items, int(view.rankings.item_offsets[view.number])
    order = order_by_id(items, descending=True)
    number = np.empty(len(order), dtype=np.intp)
    number[order] = np.arange(len(order))
    lists = range(*rankings.list_offsets[view.number : view.number + 2].tolist())
    found: dict[str, Any] = {
        "id": clean(view.id),
        "items": [clean(items[k]) for k in order],
        "lists": [_describe_list(rankings, each, number, first) for each in lists],
        "draws": _draw(active, view.number, draws) if draws.count else "",
        "wide": _precision(active, view.number) is np.float64,
    }
    if (apart := measure_disagreement(view)) == apart:
        found["apart"] = apart
    if labels is not None and view.id in labels:
        found |= _describe_labels(labels[view.id], [items[k] for k in order])
    return found


def _describe_list(rankings: Rankings, each: int, number: IntArray, first: int) -> list[Any]:
    """[ranker, items best first, places of entries that tie with the one before, scores or 0]"""
    entries = slice(*rankings.entry_offsets[each : each + 2].tolist())
    items, tied = number[rankings.entries[entries] - first], rankings.tied[entries]
    order = np.lexsort((items, np.cumsum(~tied))) if tied.any() else slice(None)
    scores = None if rankings.scores is None else rankings.scores[entries][order]
    known = scores is not None and not np.isnan(scores).any()
    return [
        int(rankings.list_rankers[each]),
        items[order].tolist(),
        np.flatnonzero(tied).tolist(),
        scores.tolist() if known and scores is not None else 0,
    ]


def _describe_labels(grades: Mapping[str, float], items: list[str]) -> dict[str, Any]:
    """Grades by number of the item, those of 0, too, and all grades above 0 that were given, largest first."""
    best = sorted((grade for grade in grades.values() if grade > 0), reverse=True)
    return {"grades": {k: grades[item] for k, item in enumerate(items) if item in grades}, "ideal": best}


def _draw(active: Rankings, query: int, draws: Draws) -> str:
    """The draws of the voters of a query as bytes of floats, list after list; given weights are left out."""
    plain = active.replace(weights=np.ones(len(active.rankers)), factors=None)
    weights = voter_weights(plain, query, draws.count, draws.seed).T
    size = np.dtype(_precision(active, query)).itemsize
    return base64.b64encode(np.ascontiguousarray(weights, dtype=f"<f{size}").tobytes()).decode("ascii")


def _precision(active: Rankings, query: int) -> type[np.floating]:
    owners = active.list_rankers[slice(*active.list_offsets[query : query + 2])]
    return pick_precision(active.multiplicities[owners])
