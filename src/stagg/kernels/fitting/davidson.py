"""Bradley-Terry with ties and a preference for the first place, for each judge; with its sandwich covariance."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from stagg.kernels.arrays import BoolArray, FloatArray, IntArray
from stagg.kernels.fitting.newton import Local, Solution, newton

__all__ = [
    "Comparisons",
    "DavidsonModel",
    "covariance",
    "fit_votes",
    "information",
    "invert_centred",
    "merge_votes",
    "product_of",
    "residuals",
    "scatter",
]  # fmt: skip


class Comparisons(NamedTuple):
    """Comparisons: who stood first and second, who judged, and how it ended: 1 first, -1 second, 0 tie.

    ``times`` says how many comparisons a row stands for.
    """

    first: IntArray
    second: IntArray
    judge: IntArray
    outcome: IntArray
    times: FloatArray

    def take(self, rows: IntArray | BoolArray) -> Comparisons:
        first, second, judge, outcome, times = self
        return Comparisons(first[rows], second[rows], judge[rows], outcome[rows], times[rows])


class DavidsonModel(NamedTuple):
    """What the unknowns are: θ of each contestant, then β and log ν of the judges for which they are fitted.

    P(first) ∝ e^(d/2), P(second) ∝ e^(-d/2), P(tie) ∝ ν_k, d = θ_i - θ_j + β_k, with a ν for every judge
    (Davidson 1970). ``place[k]``, ``ties[k]``: the unknown of judge k, -1 where there is none: then β_k = 0, ν_k = 0,
    and a tie counts as half a win for each.
    """

    contestants: int
    place: IntArray
    ties: IntArray

    @property
    def size(self) -> int:
        return self.contestants + int((self.place >= 0).sum() + (self.ties >= 0).sum())

    @staticmethod
    def of(contestants: int, place: BoolArray, ties: BoolArray) -> DavidsonModel:
        """The model with β for the judges of ``place`` and ν for those of ``ties``.

        >>> DavidsonModel.of(3, np.array([True, False]), np.array([True, True]))
        DavidsonModel(contestants=3, place=array([ 3, -1]), ties=array([4, 5]))
        """
        first = contestants + np.cumsum(place) - 1
        second = contestants + int(place.sum()) + np.cumsum(ties) - 1
        return DavidsonModel(contestants, np.where(place, first, -1), np.where(ties, second, -1))


class _At(NamedTuple):
    """Moments of one comparison: s = 1/2, -1/2, 0 for first, second, tie; t = 1 for a tie."""

    log_likelihood: FloatArray
    mean: FloatArray
    ties: FloatArray
    ss: FloatArray
    st: FloatArray
    tt: FloatArray


def fit_votes(
    votes: Comparisons, model: DavidsonModel, *, prior: float = 0.0, start: FloatArray | None = None
) -> Solution:
    """The unknowns of largest likelihood, Σ θ = 0; ``prior`` is the precision of a normal prior on each of them."""
    cells = merge_votes(votes)
    return newton(lambda v: _local(v, cells, model), np.zeros(model.size), prior=prior, moved=model.contestants)


def merge_votes(votes: Comparisons) -> Comparisons:
    """Equal comparisons as one row with their count."""
    n = int(max(votes.first.max(), votes.second.max())) + 1
    keys = ((votes.judge * n + votes.first) * n + votes.second) * 3 + votes.outcome + 1
    _, at, group = np.unique(keys, return_index=True, return_inverse=True)
    return votes.take(at)._replace(times=np.bincount(group, votes.times).astype(float))


def _moments(v: FloatArray, votes: Comparisons, model: DavidsonModel) -> _At:
    gap = v[votes.first] - v[votes.second] + np.where(model.place >= 0, v[model.place], 0.0)[votes.judge]
    log_nu = np.where(model.ties >= 0, v[model.ties], -np.inf)[votes.judge]
    total = np.logaddexp(np.abs(gap) / 2, log_nu)
    total += np.log1p(np.exp(-np.abs(gap) / 2 - total))  # e^(d/2) + e^(-d/2) + ν
    first, second, tie = np.exp(gap / 2 - total), np.exp(-gap / 2 - total), np.exp(log_nu - total)
    mean = (first - second) / 2
    tied = (votes.outcome == 0) & np.isfinite(log_nu)
    likelihood = votes.outcome * gap / 2 - total + np.where(tied, log_nu, 0.0)
    return _At(likelihood, mean, tie, (first + second) / 4 - mean**2, -mean * tie, tie * (1 - tie))


def residuals(v: FloatArray, votes: Comparisons, model: DavidsonModel) -> tuple[FloatArray, FloatArray]:
    """(s - E s, t - E t) of every row: the gradient of its log-likelihood in d and in log ν."""
    at = _moments(v, votes, model)
    tied = np.where(model.ties >= 0, 1.0, 0.0)[votes.judge]
    return votes.outcome / 2 - at.mean, tied * ((votes.outcome == 0) - at.ties)


def _local(v: FloatArray, cells: Comparisons, model: DavidsonModel) -> Local:
    at = _moments(v, cells, model)
    one, other = residuals(v, cells, model)
    unknowns, pulls = _spread(cells, model, cells.times * one, cells.times * other)
    gradient = -np.bincount(unknowns, pulls, model.size + 1).astype(float)

    def hessian() -> FloatArray:
        return information(v, cells, model)

    return Local(-float(cells.times @ at.log_likelihood), gradient[: model.size], hessian, lambda d: hessian() @ d)


def _spread(
    votes: Comparisons, model: DavidsonModel, one: FloatArray, other: FloatArray
) -> tuple[IntArray, FloatArray]:
    """(unknown, value) of the gradients of all rows, four to a row; what has no unknown goes behind the last."""
    beyond = model.size
    place = np.where(model.place >= 0, model.place, beyond)[votes.judge]
    ties = np.where(model.ties >= 0, model.ties, beyond)[votes.judge]
    return np.concatenate([votes.first, votes.second, place, ties]), np.concatenate([one, -one, one, other])


def information(v: FloatArray, votes: Comparisons, model: DavidsonModel) -> FloatArray:
    """The Hessian of the negative log-likelihood: J[u, w] summed over the rows."""
    at, n = _moments(v, votes, model), model.size + 1
    of, sign = _spread(votes, model, np.ones(len(votes.first)), np.ones(len(votes.first)))
    place, signs = of.reshape(4, -1), sign.reshape(4, -1)
    total = np.zeros(n * n)
    for i in range(4):
        for j in range(4):
            weight = at.tt if i == j == 3 else at.st if 3 in (i, j) else at.ss
            total += np.bincount(place[i] * n + place[j], votes.times * weight * signs[i] * signs[j], n * n)
    return np.asarray(total.reshape(n, n)[:-1, :-1])


def scatter(
    votes: Comparisons, model: DavidsonModel, values: tuple[FloatArray, FloatArray], clusters: IntArray, count: int
) -> Any:
    """S[c, u]: gradients (``residuals`` times a weight) summed over the rows of each cluster, as a sparse matrix."""
    from scipy.sparse import csr_array

    unknown, value = _spread(votes, model, *values)
    return csr_array((value, (np.tile(clusters, 4), unknown)), shape=(count, model.size + 1))[:, : model.size]


def product_of(one: Any, other: Any) -> FloatArray:
    """Σ over clusters of one[c] other[c]ᵀ, for what :func:`scatter` gives."""
    return np.asarray((one.T @ other).toarray())


def invert_centred(curvature: FloatArray, contestants: int) -> FloatArray:
    """The inverse of a Hessian on the unknowns with Σ θ = 0."""
    n = contestants
    bent = curvature.copy()
    bent[:n, :n] += np.trace(curvature) / len(curvature) / n
    found = np.linalg.inv(bent)
    centre = np.eye(len(curvature))
    centre[:n, :n] -= 1 / n
    return np.asarray(centre @ found @ centre)


def covariance(
    v: FloatArray, votes: Comparisons, model: DavidsonModel, clusters: IntArray | None = None, *, prior: float = 0.0
) -> FloatArray:
    """The sandwich H⁻¹ G H⁻¹, G summed by cluster; without clusters every comparison is one of its own.

    The prior counts in G as votes of this precision would: what it alone holds has the variance 1 / prior.
    """
    curvature = information(v, votes, model)
    curvature[np.diag_indices(model.size)] += prior
    one, other = residuals(v, votes, model)
    if clusters is None:
        rows, weight = np.arange(len(one)), np.sqrt(votes.times)
    else:
        rows, weight = clusters, votes.times
    gradients = scatter(votes, model, (weight * one, weight * other), rows, int(rows.max()) + 1)
    turned = invert_centred(curvature, model.contestants)
    meat = product_of(gradients, gradients) + prior * np.eye(model.size)
    return np.asarray(turned @ meat @ turned)
