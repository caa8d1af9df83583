"""Digest of a fusion: the first items of each query and what every ranker said of them, as plain arrays."""

from __future__ import annotations

import dataclasses
from typing import Any, Unpack

import numpy as np

from stagg.aggregate import DEFAULT_METHOD, PlanOptions, PlanResult, prepare
from stagg.aggregate.fusion import rankings_of_request
from stagg.aggregate.plan import Progress
from stagg.aggregate.resampling import FEW_VOTERS, caveat, rank_shares, with_intervals
from stagg.aggregate.settings import tell_settings
from stagg.aggregate.thresholds import score_of_first
from stagg.data.inputs.types import RankingsLike
from stagg.data.intervals import Intervals
from stagg.data.query import Query
from stagg.data.rankings import Rankings
from stagg.evaluation.inspection import inspect
from stagg.kernels.arrays import ABSENT, FloatArray, IntArray
from stagg.kernels.id_order import order_by_id
from stagg.kernels.stochastic.first_rank_pmf import first_ranks
from stagg.kernels.ties import measure_groups
from stagg.methods import Method
from stagg.methods.base import contributions, list_gains
from stagg.methods.models.likelihood import LikelihoodMethod
from stagg.methods.stochastic.stagg import Stochastic
from stagg.methods.stochastic.trust import Trust, Trusted
from stagg.registry import whole_number
from stagg.report.findings import find_deciders, measure_disagreement, tell_fusion
from stagg.report.pages.explorer_data import LEVEL, Explored, PageSource, explored_of_result
from stagg.report.pages.explorer_settings import has_relevance

__all__ = ["FusedQuery", "Fusion", "digest", "fused_queries"]

MOST_RANKERS = 30
"""More rankers no chart can tell apart; those that count most are shown, the others' parts are added up."""

RANKS = 30  # of a rank distribution; what lies beyond is one number
AGREEMENT_DEPTH = 50  # agreement is about the top, and costs n² per query
FEWEST_PAIRS = 9  # lists of two items each: with so many they are comparisons, not short lists


@dataclasses.dataclass(frozen=True, eq=False)
class FusedQuery:
    """The first items of the consensus of one query.

    ``size``: all its candidates. ``ranks[k, i]`` = the rank, from 1, of items[i] in the list of rankers[k] (tied: the
    mean), NaN where the list has it not; ``lengths[k]`` the length of that list, ``confidence[k]``
    how sure ``stagg_trust`` holds it to be, 1 being as usual. ``parts[k, i]`` = what that list
    gave to the score, ``rest[i]`` what the lists that are not shown gave: all add up to the score; None for a method
    whose score is no sum over the lists. ``chances[i, r]`` = P(items[i] has rank r + 1), the last column P(later), by
    the contests of a St.Agg method, else (``drawn``) by the draws of the rankers; None where there is neither.
    ``intervals``: of the items, if there are any. ``best``: the score of an item that is first in every list, None
    where scores mean something as they are. ``apart``: how far the lists disagree (:func:`measure_disagreement`).
    ``deciders``: the rankers without which another item is first, None for a method whose score is no sum. ``wins[i,
    j]``: how often items[i] was above items[j], where every list compares two items; a tie is half a win for each.
    """

    query: str
    size: int
    items: tuple[str, ...]
    scores: FloatArray
    rankers: tuple[str, ...]
    lengths: IntArray
    ranks: FloatArray
    confidence: FloatArray | None = None
    intervals: Intervals | None = None
    parts: FloatArray | None = None
    rest: FloatArray | None = None
    chances: FloatArray | None = None
    drawn: bool = False
    best: float | None = None
    apart: float = float("nan")
    deciders: tuple[str, ...] | None = None
    wins: FloatArray | None = None


@dataclasses.dataclass(frozen=True, eq=False)
class Fusion:
    """All that a fusion report shows; ``notes`` say what it does not show, and why.

    ``agreement[a, b]`` and ``overlap[a, b]`` of rankers a and b as :class:`stagg.evaluation.inspection.Inspection`
    has them, over the queries shown. ``trust``: what ``stagg_trust`` believes of each ranker. ``explored``: what the
    controls of the page work on, None where there are none. ``settings``: (name, value) of the options of the plan.
    ``finding``: what the page says first. ``strengths``: the scores are strengths of a model, which have a scale.
    """

    method: str
    rankers: tuple[str, ...]
    queries: tuple[FusedQuery, ...]
    agreement: FloatArray
    overlap: FloatArray
    notes: tuple[str, ...]
    summary: str
    trust: Trust | None = None
    explored: Explored | None = None
    settings: tuple[tuple[str, str], ...] = ()
    finding: str = ""
    strengths: bool = False

    @property
    def of_pairs(self) -> bool:
        """Whether every list is a comparison of two items."""
        return any(each.wins is not None for each in self.queries)

    def __getitem__(self, query: str) -> FusedQuery:
        return next(each for each in self.queries if each.query == query)


def fused_queries(
    rankings: RankingsLike,
    method: str | Method = DEFAULT_METHOD,
    *,
    items: int = 20,
    queries: int = 200,
    **options: Unpack[PlanOptions],
) -> Fusion:
    """Fuse, and keep what is worth showing (see :func:`digest`); the options are those of :func:`stagg.fuse`.

    >>> fused = fused_queries([["a", "b"], ["b", "c"]], "rrf(c=60)")
    >>> fused["1"].items, fused["1"].ranks[0].tolist()
    (('b', 'a', 'c'), [2.0, 1.0, nan])
    """
    return digest(prepare(method, **options).fuse(rankings_of_request(rankings)), items=items, queries=queries)


def digest(
    done: PlanResult,
    *,
    items: int = 20,
    queries: int = 200,
    source: PageSource | None = None,
    progress: Progress | None = None,
) -> Fusion:
    """Select what to show of a fusion: the first ``items`` of the first ``queries`` queries, by id.

    Where no intervals were planned they are made at 0.9 if that is cheap, which it is where the score is a sum over
    the lists. ``source`` says how the page's controls can name the input.
    """
    whole_number("items", items, least=1)
    whole_number("queries", queries, least=1)
    plan, method, given = done.plan, done.method, done.rankings
    chosen = order_by_id(given.queries)[:queries]
    part, fused = given.take_queries(chosen), done.consensus.take_queries(chosen)
    if fused.intervals is None and method.is_additive():
        fused = with_intervals(fused, part, method, level=LEVEL, draws=plan.draws, seed=plan.seed, progress=progress)
    rankers = _heaviest(part)
    shown = tuple(_show_queries(part, fused, method, rankers, items, progress))
    names = tuple(part.rankers[k] for k in rankers)
    between = inspect(part.take_rankers(rankers).cut(AGREEMENT_DEPTH))
    explored = explored_of_result(done, chosen, fused.intervals, source)
    refused = (explored,) if isinstance(explored, str) else ()
    return Fusion(
        method=plan.method.label,
        rankers=names,
        queries=shown,
        agreement=between.agreement,
        overlap=between.overlap,
        notes=(*_notes(given, fused, len(rankers), shown), *refused),
        summary=given.summary(),
        trust=method.trust if isinstance(method, Trusted) else None,
        explored=None if isinstance(explored, str) else explored,
        settings=tuple(tell_settings(plan.settings)),
        finding=tell_fusion(shown, names if len(names) == len(part.rankers) else (), between.agreement),
        strengths=isinstance(method, LikelihoodMethod),
    )


def _are_pairs(rankings: Rankings) -> bool:
    """Whether every list compares two items, and there are more of them than a chart of lists shows."""
    lengths = rankings.list_lengths
    return len(lengths) >= FEWEST_PAIRS and bool((lengths == 2).all())


def _heaviest(rankings: Rankings) -> list[int]:
    """The rankers that count most, in the order of the input."""
    weights = rankings.weights * rankings.multiplicities
    return sorted(np.argsort(-weights, kind="stable")[:MOST_RANKERS].tolist())


def _show_queries(
    part: Rankings, fused: Rankings, method: Method, rankers: list[int], items: int, progress: Progress | None
) -> list[FusedQuery]:
    gains = list_gains(method, part)
    best = score_of_first(part, method) if has_relevance(method) else None
    pairs = _are_pairs(part)
    found = []
    for view in part:
        if progress is not None:
            progress("drawing", view.number, len(part))
        shown = _digest_query(view, fused, method, gains, np.array(rankers, dtype=np.intp), items)
        best_here = None if best is None or best[view.number] <= 0 else float(best[view.number])
        found.append(dataclasses.replace(shown, best=best_here, wins=_count_wins(view, shown.items) if pairs else None))
    return found


def _digest_query(
    view: Query,
    fused: Rankings,
    method: Method,
    gains: tuple[FloatArray, FloatArray] | None,
    rankers: IntArray,
    items: int,
) -> FusedQuery:
    part = view.rankings
    first, end = (int(k) for k in part.item_offsets[view.number : view.number + 2])
    entries = slice(first, min(end, first + items))  # the one list of a consensus holds all its items
    numbers = fused.entries[entries] - first
    scores = np.zeros(0) if fused.scores is None else fused.scores[entries]
    lists = np.arange(*part.list_offsets[view.number : view.number + 2])
    mine = np.isin(part.list_rankers[lists], rankers)
    positions = view.positions[mine][:, numbers]
    parts, rest = _parts(view, gains, numbers, scores, mine)
    contests = isinstance(method, Stochastic)
    return FusedQuery(
        query=view.id,
        size=end - first,
        items=tuple(part.items[first + k] for k in numbers),
        scores=scores,
        rankers=tuple(part.rankers[k] for k in part.list_rankers[lists[mine]]),
        lengths=part.list_lengths[lists[mine]],
        confidence=None if part.factors is None else part.factors[lists[mine]],
        ranks=np.where(positions == ABSENT, np.nan, positions + 1),
        intervals=None if fused.intervals is None else fused.intervals.take(entries),
        parts=parts,
        rest=rest,
        chances=_chances(view, method, numbers) if contests else _shares(part, fused, method, view.number, items),
        drawn=not contests,
        apart=measure_disagreement(view),
        deciders=_deciders(view, gains) if method.is_additive() else None,
    )


def _deciders(view: Query, gains: tuple[FloatArray, FloatArray] | None) -> tuple[str, ...] | None:
    """The rankers without which another item is first; None of very many, or where there is no fusion without one."""
    if gains is None or not 3 <= len(view.weights) <= MOST_RANKERS:
        return None
    parts = contributions(gains, view.rankings, view.number) * view.weights[:, None]
    return tuple(view.rankers[k] for k in find_deciders(parts, order_by_id(view.items, descending=True)))


def _count_wins(view: Query, items: tuple[str, ...]) -> FloatArray:
    """wins[i, j]: how many voters put items[i] above items[j]; lists of two items each."""
    chosen = {item: number for number, item in enumerate(items)}
    places = np.array([chosen.get(item, -1) for item in view.items])
    wins = np.zeros((len(items), len(items)))
    first, end = view.rankings.list_offsets[view.number : view.number + 2].tolist()
    starts = view.rankings.entry_offsets[first:end]
    offset = view.rankings.item_offsets[view.number]
    above, below = (places[view.rankings.entries[starts + k] - offset] for k in (0, 1))
    votes = view.rankings.multiplicities[view.rankings.list_rankers[first:end]]
    half = np.where(view.rankings.tied[starts + 1], 0.5, 0.0)
    both = (above >= 0) & (below >= 0)
    np.add.at(wins, (above[both], below[both]), (votes * (1 - half))[both])
    np.add.at(wins, (below[both], above[both]), (votes * half)[both])
    return wins


def _shares(part: Rankings, fused: Rankings, method: Method, query: int, items: int) -> FloatArray | None:
    """The same by the draws of the rankers, where there are any that cost little."""
    if fused.intervals is None or not method.is_additive():
        return None
    draws, seed = fused.intervals.draws, fused.intervals.seed
    return rank_shares(fused, part, method, query, ranks=RANKS, draws=draws, seed=seed)[:items]


def _parts(
    view: Query, gains: tuple[FloatArray, FloatArray] | None, numbers: IntArray, scores: FloatArray, mine: Any
) -> tuple[FloatArray, FloatArray] | tuple[None, None]:
    """Contributions of each list shown to the items, on the scale of the score, and of the others together."""
    if gains is None:
        return None, None
    parts = contributions(gains, view.rankings, view.number)[:, numbers] * view.weights[:, None]
    totals = parts.sum(axis=0)
    parts = parts * np.divide(scores, totals, out=np.ones_like(scores), where=totals != 0)
    return parts[mine], parts[~mine].sum(axis=0)


def _chances(view: Query, method: Method, numbers: IntArray) -> FloatArray | None:
    """chances[i, r] of these items: the mixture over the lists, by weight; the last column is P(later)."""
    if not isinstance(method, Stochastic):
        return None
    source, n = view.rankings, len(view)
    weights = view.weights
    first, end = source.list_offsets[view.number : view.number + 2].tolist()
    shapes = method.list_contests(source, slice(first, end))
    mixture, mass = np.zeros((len(numbers), RANKS)), np.zeros(len(numbers))
    for weight, number, shape in zip(weights, range(first, end), shapes, strict=True):
        entries = slice(*source.entry_offsets[number : number + 2])
        owner = _group_of_item(source, view, entries)[numbers]  # the tied group that holds the item, or ABSENT
        starts, sizes = measure_groups(source.tied[entries])
        held = np.unique(owner[owner != ABSENT])
        groups = [(int(starts[g]), int(starts[g] + sizes[g])) for g in held]
        length = int(entries.stop - entries.start)
        listed, unlisted = first_ranks(shape, method.absence, n, length, groups, RANKS)
        known = owner != ABSENT
        mixture[known] += weight * listed[np.searchsorted(held, owner[known])]
        mixture[~known] += weight * unlisted
        mass += weight * (known | (method.absence != "skip"))
    total = weights.sum() or 1.0
    later = np.maximum(mass[:, None] - mixture.sum(axis=1, keepdims=True), 0.0)
    return np.hstack([mixture, later]) / total


def _group_of_item(source: Rankings, view: Query, entries: slice) -> IntArray:
    """The number of the tied group of one list that holds each item of the query, ABSENT where none does."""
    owner = np.full(len(view), ABSENT, dtype=np.intp)
    owner[source.entries[entries] - source.item_offsets[view.number]] = np.cumsum(~source.tied[entries]) - 1
    return owner


def _notes(given: Rankings, fused: Rankings, rankers: int, shown: tuple[FusedQuery, ...]) -> list[str]:
    """Notes: what is not shown, how the rest was made."""
    notes = []
    if len(shown) < len(given):
        notes.append(f"The first {len(shown):,} of {len(given):,} queries, by id, are shown.")
    if rankers < len(given.rankers) and not any(each.wins is not None for each in shown):
        notes.append(
            f"The {rankers} rankers that count most are shown by themselves, of {len(given.rankers):,}; "
            "the consensus is made of all."
        )
    if any(len(each.items) < each.size for each in shown):
        most = max(len(each.items) for each in shown)
        notes.append(f"Of a query with more candidates the first {most} of the consensus are shown.")
    notes += _interval_notes(given, fused)
    return notes


def _interval_notes(given: Rankings, fused: Rankings) -> list[str]:
    sure = fused.intervals
    if sure is None:
        return ["No rank intervals: this method must be run again for every draw; ask for them (--intervals 0.9)."]
    made = f"Rank intervals hold in {100 * sure.level:g} % of {sure.draws:,} draws of the rankers (seed {sure.seed})."
    voters = int(given.voters.min(initial=1000))
    return [made if voters >= FEW_VOTERS else f"{made} W{caveat(voters)[1:]}."]
