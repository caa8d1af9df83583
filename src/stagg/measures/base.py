"""Measure, the base class: a small value whose text and code agree, and one number per query."""

from __future__ import annotations

import abc
import dataclasses
import operator
import sys
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np

from stagg.errors import InvalidParameter, shown
from stagg.kernels.arrays import FloatArray, IntArray
from stagg.kernels.stochastic.expected_measures import Stakes
from stagg.measures.judged import Block, Conventions, Judged, check_conventions
from stagg.registry import LONGEST_CUTOFF, Call, Parametrised

__all__ = ["Additive", "Measure", "first", "number_above", "of_shape", "ratio", "row_sums"]

LARGEST_CUTOFF = 10**LONGEST_CUTOFF - 1


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class Measure(Parametrised, abc.ABC):
    """A measure of a ranking against labels: frozen parameters, an optional cutoff, and :meth:`value`.

    Higher is better. Where a measure is undefined (no relevant item, no list) it is 0. ``cutoffs`` says whether the
    text may have an ``@k``: "optional", "needed" or "none". ``always_shown`` are parameters that the text shows even
    at their default. ``ignores_unjudged``: only judged items count, so that those without a judgment do no harm.
    ``of_all``: the value is a share of what all relevant items of the query are worth, listed or not.
    ``expects`` says what an expectation is taken over: "ranks" (P(R_j = r)), "contests" (P(i beats
    j)), or None where there is none.
    """

    also_called: ClassVar[Mapping[str, str]] = {"k": "cutoff"}
    cutoffs: ClassVar[str] = "optional"
    always_shown: ClassVar[frozenset[str]] = frozenset()
    ignores_unjudged: ClassVar[bool] = False
    of_all: ClassVar[bool] = False
    expects: ClassVar[str | None] = None

    cutoff: int | None = None

    def __post_init__(self) -> None:
        if self.cutoff is None:
            if self.cutoffs == "needed":
                raise InvalidParameter(f"{self.name} needs a cutoff: write {self.name}@10, say")
            return
        if self.cutoffs == "none":
            raise InvalidParameter(
                f"{self.name} takes no cutoff: write {self.name}, not {self.name}@{shown(self.cutoff)}"
            )
        object.__setattr__(self, "cutoff", _whole(self.name, self.cutoff))

    def __repr__(self) -> str:
        return repr(Call(self.name, (), self.parameters(), self.cutoff))

    @classmethod
    def sample(cls) -> Self:
        return cls(cutoff=10) if cls.cutoffs == "needed" else cls()

    def parameters(self) -> dict[str, Any]:
        """Parameters in the brackets of the text: those that differ from their defaults."""
        values = {field.name: (getattr(self, field.name), field.default) for field in dataclasses.fields(self)}
        return {
            key: value
            for key, (value, default) in values.items()
            if key != "cutoff" and (value != default or key in self.always_shown)
        }

    def value(self, judged: Judged) -> FloatArray:
        """One number for each of ``judged.queries``."""
        values = np.zeros(len(judged))
        for block in judged.blocks:
            values[block.rows] = self.of_block(block)
        return values

    @abc.abstractmethod
    def of_block(self, block: Block) -> FloatArray:
        """One number for each query of a block. The bits of a query's number do not depend on its neighbours."""

    def expectation(
        self,
        grades: FloatArray,
        chances: FloatArray,
        /,
        *,
        ideal: FloatArray | None = None,
        largest: float | None = None,
        conventions: Conventions = "standard",
    ) -> float:
        """The expected value for one query whose item j has ``grades[j]``, when the ranking is uncertain.

        ``chances`` is what ``expects`` says: ``pmf[j, r] = P(R_j = r)`` or ``wins[i, j] = P(i beats j)``. ``ideal``
        are all grades given for the query and ``largest`` the largest of all queries; by default ``grades`` tell both.
        """
        raise InvalidParameter(f"{self!r} has no expectation over uncertain ranks; ndcg, rbp, p, recall and err have")

    def stakes(
        self, grades: FloatArray, offsets: IntArray, ideals: Sequence[FloatArray] | None = None, largest: float = 0.0
    ) -> Stakes:
        """Input of the expectation over noisy scores (Eq. 14); see :mod:`stagg.kernels.stochastic.expected_measures`.

        The queries lie end to end, ``ideals[q]`` are all grades given for query q (by default those of its items) and
        ``largest`` is the largest of all. Of the full list, whatever the cutoff, as the paper trains.
        """
        raise InvalidParameter(f"{self!r} has no expectation over noisy scores to learn by; ndcg, err and rbp have")

    def depth(self, width: int) -> int:
        """How many of ``width`` ranks count."""
        return width if self.cutoff is None else min(self.cutoff, width)


class Additive(Measure):
    """A measure of the form of Eq. 4: the sum over items of v(y_j, r_j) = worth(y_j) · discount(r_j) / norm.

    The three parts are defined once; the value, :meth:`table` (v itself, which is also ∂Ev/∂P(R_j = r), the first
    part of the gradient in Eq. 15) and :meth:`expectation` follow from them.
    """

    expects = "ranks"

    @abc.abstractmethod
    def worth(self, grades: FloatArray) -> FloatArray:
        """Worth of an item of each grade; items without a grade, and PAD, are worth 0."""

    @abc.abstractmethod
    def discount(self, ranks: FloatArray, conventions: Conventions) -> FloatArray:
        """Weight of each rank, counted from 0; the cutoff is applied by others."""

    @abc.abstractmethod
    def norm(self, block: Block) -> FloatArray:
        """Divisor of the sum of each query; 0 where the measure is undefined and so 0."""

    def of_block(self, block: Block) -> FloatArray:
        return ratio(self.apply_discount(block.grades, block.conventions), self.norm(block))

    def apply_discount(self, grades: FloatArray, conventions: Conventions) -> FloatArray:
        """Σ_r worth · discount of each row, down to the cutoff."""
        depth = self.depth(grades.shape[1])
        return row_sums(self.worth(grades[:, :depth]) * self.discount(np.arange(float(depth)), conventions))

    def table(
        self,
        grades: FloatArray,
        ideal: FloatArray | None = None,
        n: int | None = None,
        largest: float | None = None,
        conventions: Conventions = "standard",
    ) -> FloatArray:
        """v[j, r] = what item j of ``grades[j]`` adds at rank r, counted from 0, of n (Eq. 4)."""
        block = _one_query(grades, ideal, len(grades) if n is None else n, largest, conventions)
        ranks = np.arange(float(block.sizes[0]))
        discount = np.where(ranks < self.depth(len(ranks)), self.discount(ranks, conventions), 0.0)
        terms = np.outer(self.worth(block.grades[0]), discount)
        return ratio(terms, np.broadcast_to(self.norm(block)[0], terms.shape))

    def expectation(
        self,
        grades: FloatArray,
        chances: FloatArray,
        /,
        *,
        ideal: FloatArray | None = None,
        largest: float | None = None,
        conventions: Conventions = "standard",
    ) -> float:
        """Σ_j Σ_r v(y_j, r) P(R_j = r); ``chances[j, r]`` = P(R_j = r), r from 0 (Eq. 14)."""
        pmf = of_shape(chances, (len(grades), np.shape(chances)[-1]), "one row of rank chances per item")
        return float(np.sum(self.table(grades, ideal, pmf.shape[1], largest, conventions) * pmf))


def row_sums(terms: FloatArray) -> FloatArray:
    """The sum of each row, added from the first rank on: the width of the padding cannot change a bit."""
    if not terms.shape[1]:
        return np.zeros(len(terms))
    sums: FloatArray = np.cumsum(terms, axis=1)[:, -1]
    return sums


def ratio(above: FloatArray, below: FloatArray | IntArray) -> FloatArray:
    """above / below, and 0 where there is nothing to divide by."""
    quotient: FloatArray = np.divide(above, below, out=np.zeros(above.shape), where=below > 0)
    return quotient


def first(grades: FloatArray, measure: Measure) -> FloatArray:
    """The columns down to the cutoff."""
    return grades[:, : measure.depth(grades.shape[1])]


def number_above(measure: Measure, parameter: str, low: float, below: float) -> None:
    """Refuse a parameter outside (low, below), and keep it as a plain number: NumPy's would not read back."""
    value = getattr(measure, parameter)
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not low < value < below or value > sys.float_info.max:
        most = f" and at most {sys.float_info.max:g}" if number and value > low else ""
        span = f"above {low:g}" + (most if below == float("inf") else f" and below {below:g}")
        raise InvalidParameter(f"{measure.name}: {parameter} is {shown(value)}; it must be a number {span}")
    object.__setattr__(measure, parameter, value if isinstance(value, int) else float(value))


def _whole(name: str, cutoff: Any) -> int:
    try:
        whole = 0 if isinstance(cutoff, bool) else operator.index(cutoff)
    except TypeError:
        whole = 0
    if whole < 1:
        raise InvalidParameter(f"{name}: the cutoff is {shown(cutoff)}; it must be a whole number, 1 or more")
    if whole > LARGEST_CUTOFF:
        raise InvalidParameter(f"{name}: the cutoff is {shown(cutoff)}; it must be at most {LARGEST_CUTOFF:,}")
    return whole


def _one_query(
    grades: FloatArray, ideal: FloatArray | None, n: int, largest: float | None, conventions: Conventions
) -> Block:
    """A block of one query with n documents."""
    check_conventions(conventions)
    grades = np.asarray(grades, dtype=float)
    given = grades if ideal is None else np.asarray(ideal, dtype=float)
    return Block(
        rows=np.zeros(1, dtype=np.intp),
        grades=grades[None, :],
        sizes=np.array([n], dtype=np.intp),
        ideal=-np.sort(-given)[None, :],
        largest=float(given.max(initial=0.0)) if largest is None else largest,
        conventions=conventions,
    )


def of_shape(array: FloatArray, shape: tuple[int, ...], what: str) -> FloatArray:
    array = np.asarray(array, dtype=float)
    if array.shape != shape:
        raise InvalidParameter(f"expected {what}: an array of shape {shape}, not {array.shape}")
    return array
