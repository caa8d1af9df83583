"""Ψ_TF: the tensor of all pairwise matrices of a query, factorised at once."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np

from stagg.data.query import Query
from stagg.data.rankings import ABSENT, FloatArray, IntArray, Rankings
from stagg.errors import DataError, MissingExtra, shown
from stagg.features.cache import Cache, key_of
from stagg.features.factorised import Factorised
from stagg.kernels.pair_matrices import pair_tensor
from stagg.registry import whole_number

__all__ = ["CP"]

CACHE = Cache(64_000_000)
TRIAL, SWEEPS = 10, 100  # sweeps of alternating least squares: of every start, and more of the best
TOLERANCE = 1e-10  # a sweep that changes the relative residual by less is the last
BETTER = 1e-9  # a start must have a relative residual smaller by this to be preferred to an earlier one
RIDGE = 1e-9  # keeps the least squares solvable where there are fewer components than asked for
CELLS = 100_000_000  # of a tensor, 0.8 GB: more is refused


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class CP(Factorised):
    """Ψ_TF: vectors of the CP decomposition of a query's item x item x ranker tensor.

    T ≈ Σ λ u∘v∘w of rank ``rank`` gives item i the vector [λU(i,:), λV(i,:)] (the paper, section 4.3.3). T[:,:,k] is the
    pairwise matrix of list k, ``form`` as in ``svd``. u says what an item beats, v what it is beaten by, over all rankers
    at once. An item that no list compares has zeros.

    Columns have norm 1 and are multiplied by λ, so that queries with few and with many items can be compared, as in
    ``svd``. Components come by λ, the largest first; the entry of largest absolute value is positive in u and in v.

    Alternating least squares (tensorly, extra ``cp``) finds local optima: of ``restarts`` seeded random starts, 10
    sweeps each, the best is followed for up to 100 more. With ``rank`` above 1 it may not have settled by then, and the
    vectors need not be unique (Kolda & Bader, "Tensor decompositions and applications", SIAM Review 2009, section 3).
    The order of items and rankers and the names of items do not matter. Results are kept in memory, up to 64 MB.

    >>> lists = Rankings.from_lists({"x": ["a", "b", "c"], "y": ["c", "a"]})
    >>> CP(missing_bits=False).columns(lists.rankers)
    ['u1', 'v1']
    >>> CP(missing_bits=False).of(lists).round(3)
    array([[1.376, 0.   ],
           [0.851, 0.851],
           [0.   , 1.376]])
    """

    name = "cp"

    restarts: int = 10
    seed: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        whole_number("cp: restarts", self.restarts, least=1)
        whole_number("cp: seed", self.seed, least=0)

    def own_columns(self, rankers: Sequence[str]) -> list[str]:
        return [*self.named("u"), *self.named("v")]

    def own(self, rankings: Rankings, numbers: IntArray, count: int) -> FloatArray:
        tables = [self._query_vectors(view) for view in rankings]
        return np.vstack([np.zeros((0, 2 * self.rank)), *tables])

    def _query_vectors(self, view: Query) -> FloatArray:
        """table[item, feature] of one query."""
        by_name = sorted(range(len(view.rankers)), key=view.rankers.__getitem__)
        positions = _speaking(view.positions[by_name])
        found = np.zeros((len(view), 2 * self.rank))
        compared = np.flatnonzero((positions != ABSENT).any(axis=0))
        if len(compared):
            # Sorted, the items have the same order whatever their names; those that tie in every list are one.
            kinds, kind, copies = np.unique(positions[:, compared], axis=1, return_inverse=True, return_counts=True)
            if kinds.size * kinds.shape[1] > CELLS:
                raise DataError(
                    f"cp: query {shown(view.id)} has too many items for its tensor ({kinds.shape[1]:,} x "
                    f"{kinds.shape[1]:,} x {len(kinds)} rankers); cut the lists, or use the features 'svd'"
                )
            key = key_of(f"{self.form} {self.rank} {self.restarts} {self.seed} {copies.tolist()}", kinds)
            found[compared] = CACHE.get(key, lambda: self._vectors(kinds, np.sqrt(copies)))[kind.ravel()]
        return found

    def _vectors(self, positions: FloatArray, copies: FloatArray) -> FloatArray:
        """table[item, feature]; equal items are one row times ``copies``, the square root of their number."""
        tensor = pair_tensor(positions, self.form, ABSENT) * copies[:, None] * copies
        norm = float(np.linalg.norm(tensor))
        factors = self._best_fit(tensor / norm)
        lengths = [np.linalg.norm(factor, axis=0) for factor in factors]
        weights = np.prod(lengths, axis=0)
        order = np.argsort(-weights, kind="stable")
        units = [
            _upright(each / np.where(size > 0, size, 1)) for each, size in zip(factors[1:], lengths[1:], strict=True)
        ]
        return np.hstack([norm * (weights * unit)[:, order] for unit in units]) / copies[:, None]

    def _best_fit(self, tensor: FloatArray) -> list[FloatArray]:
        """[W, U, V] for the tensor[ranker, item, item], of norm 1."""
        best, least = [], np.inf
        for start in range(self.restarts):
            rng = np.random.default_rng([self.seed, start])
            n, m = tensor.shape[1], len(tensor)
            left, right = rng.random((2, n, self.rank))
            # Rankers come first: what they start from is never looked at, so their order does not matter.
            factors = _sweeps(tensor, [np.ones((m, self.rank)), left, right], TRIAL)
            residual = _residual(tensor, factors)
            if residual < least - BETTER:
                best, least = factors, residual
        return _sweeps(tensor, best, SWEEPS)


def _speaking(positions: FloatArray) -> FloatArray:
    """The lists that compare some of their items: others say nothing here."""
    floor = np.where(positions == ABSENT, np.inf, positions).min(axis=1, initial=np.inf)
    return positions[positions.max(axis=1, initial=ABSENT) > floor]


def _sweeps(tensor: FloatArray, start: list[FloatArray], limit: int) -> list[FloatArray]:
    """Factors after at most ``limit`` sweeps of alternating least squares."""
    ones = np.ones(start[0].shape[1])
    found = _parafac()(tensor, len(ones), init=(ones, start), n_iter_max=limit, tol=TOLERANCE, l2_reg=RIDGE)
    factors: list[FloatArray] = found.factors
    return factors


def _parafac() -> Any:
    try:
        from tensorly.decomposition import parafac
    except ImportError:
        raise MissingExtra("The features 'cp'", package="tensorly", extra="cp") from None
    return parafac


def _residual(tensor: FloatArray, factors: list[FloatArray]) -> float:
    """‖T - Σ w∘u∘v‖ for a tensor of norm 1."""
    of_rankers, left, right = factors
    inner = (np.einsum("kip,ip->kp", tensor @ right, left) * of_rankers).sum()
    own = np.prod([factor.T @ factor for factor in factors], axis=0).sum()
    return float(np.sqrt(max(1 - 2 * inner + own, 0.0)))


def _upright(vectors: FloatArray) -> FloatArray:
    """Every column with the sign that makes its entry of largest absolute value positive; of equals the first."""
    size = np.abs(vectors)
    first = np.argmax(size >= (1 - 1e-6) * size.max(axis=0), axis=0)
    upright: FloatArray = vectors * np.where(vectors[first, np.arange(vectors.shape[1])] < 0, -1.0, 1.0)
    return upright
