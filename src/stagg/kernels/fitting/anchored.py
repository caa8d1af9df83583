"""Prediction-powered Bradley-Terry: few votes to believe, corrected by many votes of another judge."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from stagg.kernels.arrays import FloatArray, IntArray
from stagg.kernels.fitting.davidson import (
    Comparisons,
    DavidsonModel,
    fit_votes,
    information,
    invert_centred,
    product_of,
    residuals,
    scatter,
)

__all__ = ["Anchored", "anchor_votes"]

LIMIT = 50
STEP = 1e-9  # the last step is smaller than this


class Anchored(NamedTuple):
    """Strengths by the believed votes, corrected (``point``, ``covariance``) and alone; ``weight`` is λ."""

    point: FloatArray
    covariance: FloatArray
    alone: FloatArray
    covariance_alone: FloatArray
    weight: float
    settled: bool


def anchor_votes(
    believed: Comparisons,
    model: DavidsonModel,
    others: Comparisons,
    other_model: DavidsonModel,
    theirs: FloatArray,
    pairs: tuple[IntArray, IntArray],
    clusters: tuple[IntArray, IntArray],
    *,
    weight: float | None = None,
    prior: float = 0.0,
) -> Anchored:
    """The minimum of L(believed) + λ·(L(others) - L(others on the believed comparisons)), each a mean over its votes.

    ``pairs``: (believed, other) rows that judged the same comparison; several others share the weight of the believed
    vote. The third mean is over the comparisons that both judged. The believed votes are a random draw of the
    comparisons. λ minimises the trace of the covariance of the strengths, unless ``weight`` gives it; gradients are
    summed by cluster (of believed, of others). β and ν of the others are their own: those of their fit, ``theirs``.

    Reference: Angelopoulos, Duchi & Zrnic, "PPI++: Efficient prediction-powered inference", 2023.
    """
    alone = fit_votes(believed, model, prior=prior)
    whole = _Rectified(believed, model, others, other_model, pairs, theirs[model.contestants :], prior)
    power = whole.influence(alone.point, clusters)
    chosen = power.best_weight() if weight is None else weight
    point, settled = whole.solve(alone.point, chosen)
    final = whole.influence(point, clusters)
    both = alone.settled and settled
    return Anchored(point, final.covariance(chosen), alone.point, power.covariance(0.0), chosen, both)


class _Influence(NamedTuple):
    """H⁻¹ P and H⁻¹ Q by cluster: what moves the strengths by the believed votes, and with them the others' by λ."""

    pp: FloatArray
    pq: FloatArray
    qq: FloatArray
    contestants: int

    def best_weight(self) -> float:
        n = self.contestants
        most = np.trace(self.qq[:n, :n])
        return float(np.clip(-np.trace(self.pq[:n, :n]) / most, 0.0, 1.0)) if most > 0 else 0.0

    def covariance(self, weight: float) -> FloatArray:
        return np.asarray(self.pp + weight * (self.pq + self.pq.T) + weight**2 * self.qq)


class _Rectified:
    """The corrected likelihood of the strengths, and of β and ν of the believed judges."""

    def __init__(
        self,
        believed: Comparisons,
        model: DavidsonModel,
        others: Comparisons,
        other_model: DavidsonModel,
        pairs: tuple[IntArray, IntArray],
        tastes: FloatArray,
        prior: float,
    ) -> None:
        self.believed, self.model, self.others, self.other_model = believed, model, others, other_model
        self.tastes, self.prior = tastes, prior
        self.share = believed.times / believed.times.sum()
        self.other_share = others.times / others.times.sum()
        self.taken = np.zeros(len(others.first))  # what the believed votes take of each of the others
        several = np.bincount(pairs[0], minlength=len(self.share))
        matched = np.where(several > 0, self.share, 0.0) / np.maximum(several, 1)
        np.add.at(self.taken, pairs[1], matched[pairs[0]])
        self.taken /= self.taken.sum()  # a mean, too, where the others judged only some of the believed comparisons

    def _beside(self, point: FloatArray) -> FloatArray:
        """The unknowns of the others at these strengths."""
        return np.concatenate([point[: self.model.contestants], self.tastes])

    def gradient(self, point: FloatArray, weight: float) -> FloatArray:
        n = self.model.contestants
        own = _gradient(point, self.believed, self.model, self.share)
        net = _gradient(self._beside(point), self.others, self.other_model, self.other_share - self.taken)
        own[:n] += weight * net[:n]
        pulled: FloatArray = own - self.prior * point / self.believed.times.sum()
        return pulled

    def curvature(self, point: FloatArray, weight: float) -> FloatArray:
        n = self.model.contestants
        own = information(point, self.believed._replace(times=self.share), self.model)
        net = self.others._replace(times=self.other_share - self.taken)
        own[:n, :n] += weight * information(self._beside(point), net, self.other_model)[:n, :n]
        own[np.diag_indices(len(own))] += self.prior / self.believed.times.sum()
        return own

    def solve(self, point: FloatArray, weight: float) -> tuple[FloatArray, bool]:
        """Where the gradient vanishes, by Newton's steps from the fit of the believed votes alone."""
        for _ in range(LIMIT if weight else 0):
            step = invert_centred(self.curvature(point, weight), self.model.contestants) @ self.gradient(point, weight)
            point = point + step / max(1.0, float(np.abs(step).max()))
            if np.abs(step).max() < STEP:
                return point, True
        return point, weight == 0

    def influence(self, point: FloatArray, clusters: tuple[IntArray, IntArray]) -> _Influence:
        """The gradients of the others are centred: that only some comparisons have both votes is chance."""
        n, size = self.model.contestants, int(max(clusters[0].max(), clusters[1].max())) + 1
        turned = invert_centred(self.curvature(point, 0.0), n)
        one, other = residuals(point, self.believed, self.model)
        p = scatter(self.believed, self.model, (self.share * one, self.share * other), clusters[0], size)
        net, none = self.other_share - self.taken, np.zeros(len(self.taken))
        theirs, _ = residuals(self._beside(point), self.others, self.other_model)
        nobody = np.zeros(len(self.other_model.place), dtype=bool)
        bare = DavidsonModel.of(n, nobody, nobody)
        q = scatter(self.others, bare, (net * theirs, none), clusters[1], size)
        mean = scatter(self.others, bare, (self.other_share * theirs, none), 0 * clusters[1], 1).toarray()[0]
        weights = np.bincount(clusters[1], net, size)
        q.resize((size, self.model.size))
        wide = np.zeros(self.model.size)
        wide[:n] = mean
        pq = product_of(p, q) - np.outer(p.T @ weights, wide)
        drawn = np.outer(q.T @ weights, wide)
        qq = product_of(q, q) - drawn - drawn.T + (weights @ weights) * np.outer(wide, wide)
        pp = product_of(p, p) + self.prior / self.believed.times.sum() ** 2 * np.eye(self.model.size)
        return _Influence(turned @ pp @ turned, turned @ pq @ turned, turned @ qq @ turned, n)


def _gradient(point: FloatArray, votes: Comparisons, model: DavidsonModel, shares: FloatArray) -> FloatArray:
    one, other = residuals(point, votes, model)
    gathered = scatter(votes, model, (shares * one, shares * other), np.zeros(len(one), dtype=np.intp), 1)
    total: FloatArray = gathered.toarray()[0]
    return total
