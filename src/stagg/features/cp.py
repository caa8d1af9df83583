"""Ψ_TF: the tensor of all pairwise matrices of a query, factorised at once."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from stagg.data.query import Query
from stagg.data.rankings import Rankings
from stagg.errors import DataError, shown
from stagg.features.cache import Cache, key_of
from stagg.features.factorised import Factorised
from stagg.features.parafac import best_fit, component_weights, upright
from stagg.kernels.arrays import ABSENT, FloatArray, IntArray
from stagg.kernels.id_order import order_by_id
from stagg.kernels.pairs.pair_matrices import pair_tensor
from stagg.registry import whole_number

__all__ = ["CP"]

CACHE = Cache(64_000_000)
MOST_RESTARTS = 1000
CELLS = 100_000_000  # of a tensor, 0.8 GB: more is refused


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class CP(Factorised):
    """Ψ_TF: vectors of the CP decomposition of a query's item x item x ranker tensor.

    T ≈ Σ λ u∘v∘w of rank ``rank`` gives item i the vector [λU(i,:), λV(i,:)] (the paper, section 4.3.3). T[:,:,k] is
    the pairwise matrix of list k, ``form`` as in ``svd``. u says what an item beats, v what it is beaten by, over all
    rankers at once. An item that no list compares has zeros.

    Columns have norm 1 and are multiplied by λ, so that queries with few and with many items can be compared, as in
    ``svd``. Components come by λ, the largest first; the entry of largest absolute value is positive in u and in v.

    Alternating least squares (tensorly, extra ``cp``) finds local optima: of ``restarts`` seeded random starts, 10
    sweeps each, the best is followed for up to 100 more. With ``rank`` above 1 it may not have settled by then, and the
    vectors need not be unique (Kolda & Bader, "Tensor decompositions and applications", SIAM Review 2009, section 3).
    The order of items and rankers and the names of items do not matter; the last digits may change with the number of
    threads of BLAS. Results are kept in memory, up to 64 MB.

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
        whole_number("cp: restarts", self.restarts, least=1, most=MOST_RESTARTS)
        whole_number("cp: seed", self.seed, least=0)

    def own_columns(self, rankers: Sequence[str]) -> list[str]:
        return [*self.named("u"), *self.named("v")]

    def own(self, rankings: Rankings, numbers: IntArray, count: int) -> FloatArray:
        tables = [self._query_vectors(view) for view in rankings]
        return np.vstack([np.zeros((0, 2 * self.rank)), *tables])

    def _query_vectors(self, view: Query) -> FloatArray:
        """table[item, feature] of one query."""
        by_name = order_by_id(view.rankers)
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
        tensor = pair_tensor(positions, self.form) * copies[:, None] * copies
        norm = float(np.linalg.norm(tensor))
        factors = best_fit(tensor / norm, rank=self.rank, restarts=self.restarts, seed=self.seed)
        weights = norm * component_weights(factors)
        order = np.argsort(-weights, kind="stable")
        _, left, right = factors
        return np.hstack([(weights * upright(each))[:, order] for each in (left, right)]) / copies[:, None]


def _speaking(positions: FloatArray) -> FloatArray:
    """The lists that compare some of their items: others say nothing here."""
    floor = np.where(positions == ABSENT, np.inf, positions).min(axis=1, initial=np.inf)
    speaking: FloatArray = positions[positions.max(axis=1, initial=ABSENT) > floor]
    return speaking
