"""Sums over positions: Borda, reciprocal ranks (RRF), biased centroids, votes, mean rank."""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Mapping
from typing import ClassVar, Final, NamedTuple

import numpy as np

from stagg.data.rankings import Rankings
from stagg.errors import DataError, InvalidParameter
from stagg.kernels.arrays import FloatArray
from stagg.methods.base import Positional, Scored, in_range, sums_by_query, vote_weights
from stagg.methods.positional.counted import Counted
from stagg.registry import one_of

__all__ = ["ISR", "RBC", "RRF", "Borda", "LogISR", "LognISR", "MeanRank", "VoteCount"]


SHORT: Final = 16_384  # places of a table that is kept


class Borda(Counted):
    """Borda count: n points for the first of a list, n - 1 for the second, and so on.

    Σ_k w_k (n - rank_k + 1), n the number of candidates of the query. An item that a list does not hold gets
    nothing from it (``missing="skip"``, as in the paper's experiments), or an equal share of the points that the
    list left over, (n - L + 1) / 2 (``missing="below"``: Aslam & Montague 2001).

    Reference: Eq. 2 of the paper with ranks from 0; Aslam & Montague, "Models for metasearch", SIGIR 2001.

    >>> from stagg import fuse
    >>> fuse([["a", "b"], ["b", "c"], ["c", "d"]], "borda")
    Rankings(1 query, 1 ranker, 4 items, with scores)
      stagg-borda: c = b > a > d
    """

    name = "borda"
    honours = ("skip", "below")
    strictly = frozenset({"unanimity"})

    def gains(self, rankings: Rankings) -> FloatArray:
        n = rankings.sizes[rankings.list_queries][rankings.entry_lists]
        return (n - rankings.positions).astype(float)

    def place_gains(self, longest: int, items: int) -> FloatArray | None:
        return None if self.absence != "skip" else items - np.arange(longest, dtype=np.float64)

    def unlisted(self, rankings: Rankings) -> FloatArray | None:
        if self.absence == "skip":
            return None
        n = rankings.sizes[rankings.list_queries]
        return (n - rankings.list_lengths + 1) / 2


class MeanRank(Counted):
    """Mean rank over all lists; an item that a list does not hold has the mean of the ranks left over.

    Score = -Σ_k w_k rank_k / Σ_k w_k, with rank_k = (L + 1 + n) / 2 for an unlisted item. The order is that of
    ``borda(missing="below")``; the score is in ranks.

    >>> from stagg import fuse
    >>> fuse([["a", "b"], ["b", "c"]], "mean_rank").to_runs()["stagg-mean_rank"]["1"]
    {'b': -1.5, 'a': -2.0, 'c': -2.5}
    """

    name = "mean_rank"
    honours = ("below",)
    strictly = frozenset({"unanimity"})

    def unbounded(self) -> str | None:
        return "its score is a mean rank with a minus sign: -1 is first everywhere"

    def gains(self, rankings: Rankings) -> FloatArray:
        return -(rankings.positions + 1).astype(np.float64)

    def unlisted(self, rankings: Rankings) -> FloatArray:
        n = rankings.sizes[rankings.list_queries]
        return -0.5 * (rankings.list_lengths + 1 + n).astype(np.float64)

    def _uneven_queries(self, rankings: Rankings) -> list[int]:
        return []  # means are floats in any case

    def finish(self, sums: FloatArray, rankings: Rankings) -> FloatArray:
        voters = sums_by_query(rankings.list_weights, rankings)
        return sums / np.where(voters > 0, voters, 1.0)[rankings.item_queries]


class Definition(NamedTuple):
    """How a tool defines reciprocal rank fusion: its constant, the number of its first rank, its scale."""

    c: float
    first_rank: int
    scaled: bool = False


DEFINITIONS: Final[Mapping[str, Definition]] = {
    "ranx": Definition(60, 1),
    "langchain": Definition(60, 1),
    "llamaindex": Definition(60, 0),
    "pyterrier": Definition(60, 0),
    "weaviate": Definition(60, 0),
    "haystack": Definition(60, 1, scaled=True),
    "qdrant": Definition(2, 0),
}


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class RRF(Positional):
    """Reciprocal rank fusion: the sum of 1 / (c + rank), ranks from 1.

    Σ_k w_k / (c + rank_k) over the lists that hold the item; ``c`` (published: 60) damps the first ranks.

    Tools disagree on what "RRF with k = 60" is; ``compat`` takes the definition, and the constant unless ``c`` is
    given, of one of them, as read in its source:

    - "ranx" 0.3.21, "langchain" 1.0: w / (60 + rank), as here (LangChain's default weights are 1/m each)
    - "llamaindex" 0.14, "pyterrier" (pyterrier-alpha 0.16), "weaviate": w / (60 + rank - 1): ranks count from 0
    - "haystack" 3.4: w' · 61 / (60 + rank), w' the weights scaled to sum 1: first in every list is 1
    - "qdrant" 1.20 (client): 1 / (rank / w + 2 - 1): ranks count from 0, c = 2, and a weight divides the rank

    ``ranks="given"`` takes the ranks as the file numbers them, so that 1, 3, 4 stays so, as in Pyserini. They must have
    been kept: ``stagg.read(path, order_by="rank", keep_ranks=True)``. Otherwise places count: 1, 2, 3.

    Reference: Cormack, Clarke & Büttcher, "Reciprocal rank fusion outperforms Condorcet and individual rank
    learning methods", SIGIR 2009; Eq. 3 of the paper.

    >>> from stagg import fuse
    >>> fuse([["a", "b"], ["b"]], "rrf(c=60)").to_runs()["stagg-rrf"]["1"]
    {'b': 0.03252247488101534, 'a': 0.01639344262295082}
    """

    name = "rrf"
    also_called: ClassVar[Mapping[str, str]] = {"k": "c"}
    instead: ClassVar[Mapping[str, str]] = {
        "below": "leave missing out, since an unlisted item already gets less from a list than any listed item; "
        "stagg_rrf is the similar method that can",
        "neutral": "stagg_rrf is the similar method that can",
    }
    strictly = frozenset({"unanimity"})

    c: float | None = None
    compat: str | None = None
    ranks: str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.compat is not None:
            one_of(self, "compat", tuple(DEFINITIONS))
        if self.ranks is not None:
            one_of(self, "ranks", ("places", "given"))
            if self.ranks == "given" and self.compat == "qdrant":
                raise InvalidParameter("rrf: compat='qdrant' counts places; leave out ranks='given'")
        if self.c is None:
            object.__setattr__(self, "c", 60 if self.compat is None else DEFINITIONS[self.compat].c)
        in_range(self, "c", 0, float("inf"), open_low=self.compat in ("llamaindex", "pyterrier", "qdrant"))

    def is_additive(self) -> bool:
        return self.compat != "qdrant"  # there a weight divides the rank

    @property
    def _definition(self) -> Definition:
        return DEFINITIONS[self.compat or "ranx"]

    def gains(self, rankings: Rankings) -> FloatArray:
        before = (self.c or 0) + self._definition.first_rank
        if self.ranks == "given":
            return _reciprocals_of_given(before - 1, rankings)
        return rankings.shared(("rrf", before), lambda: 1.0 / (rankings.positions.astype(np.float64) + before))

    def place_gains(self, longest: int, items: int) -> FloatArray | None:
        size = 1 << longest.bit_length()  # rounded up: the requests of a service share one table
        table = _reciprocals if size <= SHORT else _reciprocals.__wrapped__
        placed = not self._definition.scaled and self.ranks != "given"
        return None if not placed else table((self.c or 0) + self._definition.first_rank, size)

    def scored(self, rankings: Rankings) -> Scored:
        if self.compat == "qdrant" and rankings.is_weighted:
            return _QdrantWeighted(c=self.c).scored(rankings)
        return super().scored(rankings)

    def finish(self, sums: FloatArray, rankings: Rankings) -> FloatArray:
        if not self._definition.scaled:
            return sums
        total = math.fsum(rankings.weights * rankings.multiplicities)
        return sums * (((self.c or 0) + 1) / total if total > 0 else 1.0)


def _reciprocals_of_given(before: float, rankings: Rankings) -> FloatArray:
    """1 / (before + rank), the ranks as their source numbers them; where it gave none, they are the places."""
    if rankings.raw_ranks is None:
        from stagg.say import Say, tell  # here: few plans need it

        kept = Say(order_by="rank", keep_ranks=True)
        raise DataError(tell("rrf(ranks='given'): these rankings have no ranks of a file; read them with ", kept))
    ranks = np.where(np.isnan(rankings.raw_ranks), rankings.positions + 1, rankings.raw_ranks.astype(np.float64))
    if ranks.min(initial=1.0) + before <= 0:
        raise DataError("rrf(ranks='given'): a rank of the file is 0, so c must be above 0")
    return 1.0 / (ranks + before)


@functools.lru_cache(maxsize=64)
def _reciprocals(before: float, size: int) -> FloatArray:
    """1 / (before + place) of the first places."""
    with np.errstate(over="ignore"):  # then the general way is taken, and speaks of it
        table: FloatArray = 1.0 / (np.arange(size, dtype=np.float64) + before)
    table.setflags(write=False)
    return table


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class _QdrantWeighted(Positional):
    """Qdrant's weighted form, in which the weight divides the rank: 1 / (rank / w + c - 1)."""

    name = "rrf"
    c: float | None = None

    def gains(self, rankings: Rankings) -> FloatArray:
        weights = rankings.list_weights[rankings.entry_lists]
        # the sum multiplies by the weight again, so divide by it here
        return 1.0 / ((rankings.positions + 1.0) / weights + (self.c or 0.0) - 1) / weights


class ISR(Positional):
    """Inverse square rank: N · Σ 1 / rank², N the number of lists that hold the item.

    Reference: Mourão, Martins & Magalhães, "Multimodal medical information retrieval with unsupervised rank
    fusion", Computerized Medical Imaging and Graphics 39, 2015. N is the total weight of those lists.

    >>> from stagg import fuse
    >>> fuse([["a", "b"], ["b"]], "isr").to_runs()["stagg-isr"]["1"]
    {'b': 2.5, 'a': 1.0}
    """

    name = "isr"
    additive = False
    strictly = frozenset({"unanimity"})

    def gains(self, rankings: Rankings) -> FloatArray:
        return 1.0 / (rankings.positions + 1).astype(np.float64) ** 2

    def finish(self, sums: FloatArray, rankings: Rankings) -> FloatArray:
        return vote_weights(rankings) * sums


class LogISR(ISR):
    """Logarithmic inverse square rank: log(N) · Σ 1 / rank², so 0 for an item in one list only.

    N is the total weight of the lists that hold the item, at least 1. Reference: as for ``isr``.

    >>> from stagg import fuse
    >>> fuse([["a", "b"], ["b"]], "log_isr").to_runs()["stagg-log_isr"]["1"]
    {'b': 0.8664339756999316, 'a': 0.0}
    """

    name = "log_isr"
    strictly = frozenset()
    breaks: ClassVar[Mapping[str, str]] = {
        "replication": "log(2N) is not proportional to log(N): items in one list start to count",
    }

    def finish(self, sums: FloatArray, rankings: Rankings) -> FloatArray:
        return np.log(np.maximum(vote_weights(rankings), 1.0)) * sums


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class LognISR(LogISR):
    """Logarithmic inverse square rank with a share for single finds: log(N + σ) · Σ 1 / rank².

    N is the total weight of the lists that hold the item. With ``sigma`` above 0 an item in one list only has a small
    score instead of 0 (``log_isr`` is σ = 0); N + σ counts as at least 1. Reference: as for ``isr``.

    >>> from stagg import fuse
    >>> fuse([["a", "b"], ["b"]], "logn_isr(sigma=1)").to_runs()["stagg-logn_isr"]["1"]
    {'b': 1.3732653608351373, 'a': 0.6931471805599453}
    """

    name = "logn_isr"

    sigma: float = 0.01

    def __post_init__(self) -> None:
        super().__post_init__()
        in_range(self, "sigma", 0, 1)

    def finish(self, sums: FloatArray, rankings: Rankings) -> FloatArray:
        return np.log(np.maximum(vote_weights(rankings) + self.sigma, 1.0)) * sums


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class RBC(Positional):
    """Rank-biased centroids: the sum of (1 - φ) φ^(rank - 1), a reader who goes on with probability φ.

    Reference: Bailey, Moffat, Scholer & Thomas, "Retrieval consistency in the presence of query variations",
    SIGIR 2017.

    >>> from stagg import fuse
    >>> fuse([["a", "b"], ["b"]], "rbc(phi=0.5)").to_runs()["stagg-rbc"]["1"]
    {'b': 0.75, 'a': 0.5}
    """

    name = "rbc"
    also_called: ClassVar[Mapping[str, str]] = {"p": "phi"}
    strictly = frozenset({"unanimity"})

    phi: float = 0.9

    def __post_init__(self) -> None:
        super().__post_init__()
        in_range(self, "phi", 0, 1, open_low=True, open_high=True)

    def gains(self, rankings: Rankings) -> FloatArray:
        return (1 - self.phi) * self.phi ** rankings.positions.astype(float)

    def place_gains(self, longest: int, items: int) -> FloatArray | None:
        return (1 - self.phi) * self.phi ** np.arange(longest, dtype=np.float64)


class VoteCount(Counted):
    """The number (total weight) of lists that hold the item, whatever its rank there.

    >>> from stagg import fuse
    >>> fuse([["a", "b"], ["b"]], "votecount").to_runs()["stagg-votecount"]["1"]
    {'b': 2.0, 'a': 1.0}
    """

    name = "votecount"

    def gains(self, rankings: Rankings) -> FloatArray:
        return np.ones(len(rankings.entries))

    def place_gains(self, longest: int, items: int) -> FloatArray | None:
        return np.ones(longest)
