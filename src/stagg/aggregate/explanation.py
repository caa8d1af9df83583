"""Explain a rank: what each ranker gave the item, and where it stands without that ranker."""

from __future__ import annotations

import dataclasses
import warnings
from typing import Any

import numpy as np

from stagg.aggregate.distribution import query_distribution
from stagg.aggregate.fusion import rankings_of_request
from stagg.aggregate.plan import DEFAULT_METHOD, prepare
from stagg.data.ids import own_ids
from stagg.data.inputs.frames import Framed
from stagg.data.inputs.lists import id_text
from stagg.data.inputs.types import RankingsLike
from stagg.data.rankings import Rankings, Weights
from stagg.data.results.notebook import html_page, html_table
from stagg.errors import DataWarning, InvalidParameter, UnknownName, shown
from stagg.kernels.arrays import ABSENT, FloatArray
from stagg.methods import Method, Missing
from stagg.methods.base import contributions, list_gains
from stagg.methods.consensus import consensus
from stagg.methods.stochastic.stagg import Stochastic
from stagg.methods.stochastic.trust import Trust, Trusted
from stagg.registry import near_names

__all__ = ["Explanation", "Neighbour", "RankerView", "explain"]

FEW_TIED = 3


@dataclasses.dataclass(frozen=True)
class RankerView:
    """One ranker's part in the item's score and rank.

    ``rank``: its rank there, from 1 (tied: the mean), None where it is not listed. ``contribution``: its part of the
    score, None for a method whose score is no sum over the rankers. ``rank_without``: the consensus rank when this
    ranker is left out and the candidates stay. ``confidence``: how sure ``stagg_trust`` holds this list to be in this
    query, by the spread of its scores: 1 is as usual. It is part of the ``weight``.
    """

    ranker: str
    rank: float | None
    length: int
    weight: float
    contribution: float | None
    share: float | None
    rank_without: int
    confidence: float | None = None


@dataclasses.dataclass(frozen=True)
class Neighbour:
    """The item just above or below the one that is explained: its score, and its rank with every ranker.

    The rank is None where the ranker does not list it.
    """

    item: Any
    score: float
    ranks: dict[str, float | None]


@dataclasses.dataclass(frozen=True, eq=False)
class Explanation(Framed):
    """Why ``item`` has this rank and score; ``distribution[r]`` = P(rank = r + 1), for St.Agg methods.

    ``above`` is the item just above it, None for the first one; ``below`` the one just below, None for the last one.
    ``tied`` are the items with the same score, in the order of the consensus: by id, descending.
    ``trust`` is what ``stagg_trust`` believes of each ranker, those that are copies of another among them.
    """

    query: Any
    item: Any
    method: str
    rank: int
    n: int
    score: float
    rankers: tuple[RankerView, ...]
    distribution: FloatArray | None
    trust: Trust | None = None
    above: Neighbour | None = None
    below: Neighbour | None = None
    tied: tuple[Any, ...] = ()

    @property
    def neighbour(self) -> Neighbour | None:
        """The item to compare with: the one just above; for the first item the runner-up."""
        return self.below if self.above is None else self.above

    def tell_tie(self) -> str | None:
        """The tie rule between the item and those with the same score, in one sentence; None if there are none."""
        if not self.tied:
            return None
        some = ", ".join(shown(str(item)) for item in self.tied[:FEW_TIED])
        more = f" and {len(self.tied) - FEW_TIED:,} more" if len(self.tied) > FEW_TIED else ""
        return f"tied with {some}{more}: equal scores are ordered by id, descending"

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain values."""
        plain = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        plain["rankers"] = [dataclasses.asdict(ranker) for ranker in self.rankers]
        plain["distribution"] = None if self.distribution is None else self.distribution.tolist()
        plain["above"] = None if self.above is None else dataclasses.asdict(self.above)
        plain["below"] = None if self.below is None else dataclasses.asdict(self.below)
        plain["tied"] = list(self.tied)
        plain["trust"] = None if self.trust is None else self.trust.to_dict()
        return plain

    def _columns(self) -> dict[str, Any]:
        """One row per ranker: what :class:`RankerView` has."""
        names = [field.name for field in dataclasses.fields(RankerView)]
        return {name: [getattr(each, name) for each in self.rankers] for name in names}

    def _repr_html_(self) -> str:
        header = ["ranker", "rank", "of", "weight", "gave", "rank without it"]
        rows = [
            [each.ranker, "not listed" if each.rank is None else each.rank, each.length, each.weight, each.contribution,
             each.rank_without]
            for each in self.rankers
        ]  # fmt: skip
        caption = "; ".join(filter(None, [self._headline(), self.tell_tie()]))
        return html_page([html_table(header, rows, caption=caption)])

    def _headline(self) -> str:
        return f"{self.item!r} is {self.rank} of {self.n} in query {self.query!r} by {self.method} ({self.score:.6g})"

    def __repr__(self) -> str:
        lines = [self._headline()]
        tie, beside = self.tell_tie(), self.neighbour
        if tie is not None:
            lines.append(f"  {tie}")
        if beside is not None:
            lines.append(f"  just {'below' if self.above is None else 'above'}: {beside.item!r} ({beside.score:.6g})")
        for each in self.rankers:
            place = "not listed" if each.rank is None else f"rank {each.rank:g} of {each.length}"
            gave = "" if each.contribution is None else f", gave {each.contribution:.6g}"
            lines.append(f"  {each.ranker}: {place}{gave}; without it: {each.rank_without}")
        if self.trust is not None:
            lines.append(f"  trust in each ranker (consensus reliability {self.trust.consensus:.2f}):")
            lines += [f"  {name}: {believed}" for name, believed in self.trust.rankers.items()]
        return "\n".join(lines)


def explain(
    rankings: RankingsLike,
    method: str | Method = DEFAULT_METHOD,
    *,
    item: Any = None,
    query: Any = None,
    weights: Weights | None = None,
    missing: Missing | None = None,
    depth: int | None = None,
) -> Explanation:
    """Explain an item: contributions of the rankers, its rank distribution, and its rank when a ranker is left out.

    Without ``item`` it is about the first item of the consensus. You can leave out ``query`` if there is only one. The
    contributions of the rankers add up to the score.

    >>> explain([["a", "b"], ["b", "c"]], "rrf(c=60)", item="b")
    'b' is 1 of 3 in query '1' by rrf(c=60) (0.0325225)
      just below: 'a' (0.0163934)
      1: rank 2 of 2, gave 0.016129; without it: 1
      2: rank 1 of 2, gave 0.0163934; without it: 2
    """
    plan = prepare(method, missing=missing, weights=weights, depth=depth)
    given = rankings_of_request(rankings)
    name = given._only(None if query is None else id_text(query, "query"), given.queries, "query", "queries")
    bound, weighted = plan.bind(given)
    one = weighted.take_queries([weighted.query_number(name)])
    fused = consensus(one, bound)
    number = _find_item(fused, item)
    items, rank = one.items, _rank(fused, number)
    scores = list(fused[name].scores[fused.rankers[0]].values())
    score = scores[rank - 1]
    beside = {place: _describe(one, int(fused.entries[place - 1]), scores[place - 1])
              for place in (rank - 1, rank + 1) if 0 < place <= len(scores)}  # fmt: skip
    return Explanation(
        query=own_ids(one.queries)[0],
        item=own_ids(items)[number],
        method=plan.method.label,
        rank=rank,
        n=len(items),
        score=score,
        rankers=_rankers(one, bound, number, score),
        distribution=_distribution(one, bound, number),
        trust=bound.trust if isinstance(bound, Trusted) else None,
        above=beside.get(rank - 1),
        below=beside.get(rank + 1),
        tied=_find_tied(fused, rank),
    )


def _find_item(fused: Rankings, item: Any) -> int:
    """The number of an item; of the first one of the consensus if none is asked for."""
    if item is None:
        if not len(fused.entries):
            raise InvalidParameter(f"query {shown(fused.queries[0])} has no items to explain")
        return int(fused.entries[0])
    text = id_text(item, "item")
    if text not in fused.items:
        raise UnknownName(f"query {shown(fused.queries[0])} has no item {shown(text)}{near_names(text, fused.items)}")
    return fused.items.index(text)


def _find_tied(fused: Rankings, rank: int) -> tuple[Any, ...]:
    """The other items with the score of the one at this rank."""
    group = np.cumsum(~fused.tied)
    others = np.flatnonzero(group == group[rank - 1])
    ids = own_ids(fused.items)
    return tuple(ids[fused.entries[place]] for place in others.tolist() if place != rank - 1)


def _describe(one: Rankings, number: int, score: float) -> Neighbour:
    positions = next(iter(one)).positions[:, number].tolist()
    ranks = {
        one.rankers[owner]: None if position == ABSENT else position + 1
        for owner, position in zip(one.list_rankers.tolist(), positions, strict=True)
    }
    return Neighbour(own_ids(one.items)[number], score, ranks)


def _rank(fused: Rankings, number: int) -> int:
    """The rank, from 1, at which a file would show the item."""
    return int(np.flatnonzero(fused.entries == number)[0]) + 1


def _rankers(one: Rankings, method: Method, number: int, score: float) -> tuple[RankerView, ...]:
    positions = next(iter(one)).positions
    parts = _parts(one, method, number, score)
    found = []
    for row, owner in enumerate(one.list_rankers.tolist()):
        position = float(positions[row, number])
        part = None if parts is None else float(parts[row])
        found.append(
            RankerView(
                ranker=one.rankers[owner],
                rank=None if position == ABSENT else position + 1,
                length=int(one.list_lengths[row]),
                weight=float(one.list_weights[row]),
                contribution=part,
                share=None if part is None or score == 0 else part / score,
                rank_without=_rank(_leave_out(one, method, owner), number),
                confidence=None if one.factors is None else float(one.factors[row]),
            )
        )
    return tuple(found)


def _leave_out(one: Rankings, method: Method, ranker: int) -> Rankings:
    """The consensus without a ranker; the candidates stay, and a model does not warn of what it lacks."""
    others = np.delete(np.arange(len(one.rankers)), ranker)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        return consensus(one.replace(declared=True).take_rankers(others), method)


def _parts(one: Rankings, method: Method, number: int, score: float) -> FloatArray | None:
    """Contributions of the lists to the item, on the scale of the score."""
    gains = list_gains(method, one)
    if gains is None:
        return None
    parts = contributions(gains, one, 0)[:, number] * one.list_weights
    total = parts.sum()
    return parts * (score / total) if total else parts


def _distribution(one: Rankings, method: Method, number: int) -> FloatArray | None:
    if not isinstance(method, Stochastic) or not method.has_ranks:
        return None
    row: FloatArray = query_distribution(next(iter(one)), method).probabilities[number]
    return row
