"""Estimators of strengths from a table of scores, each with the draws that say how sure it is."""

from __future__ import annotations

import abc
import dataclasses
from collections.abc import Callable
from typing import ClassVar, Final

import numpy as np

from stagg.data.parts import repeat_query
from stagg.data.rankings import Rankings
from stagg.errors import InvalidParameter, UnknownName
from stagg.kernels.arrays import BoolArray, FloatArray
from stagg.kernels.fitting.cholesky import solve_positive
from stagg.kernels.fitting.newton import newton
from stagg.kernels.fitting.pair_models import sigmoid
from stagg.leaderboards.scores import MissingScores
from stagg.methods import Method, Missing, method_of
from stagg.methods.models.pair_models import BradleyTerry

__all__ = [
    "BORDA", "MEAN", "MEAN_RANK", "WIN_RATE", "ByMethod", "Estimator", "Points", "WinsPerTask", "estimator_of",
]  # fmt: skip

SMALL: Final = 100  # models for which many equations are solved at once
CELLS: Final = 1_000_000  # numbers of such equations held at once
REPEATED: Final = 2_000_000  # entries, repeated for draws, that a method is run on at once

Progress = Callable[[int], None]


def _ignore(_: int) -> None:
    """Nobody watches."""


class Estimator(abc.ABC):
    """A rule that makes strengths of X[i, t], the scores of model i on task t (NaN: not run), and weights of tasks.

    ``missing``: what it takes a missing score to mean. ``lost``: what such a score does if it does not mean nothing.
    """

    name: ClassVar[str]
    missing: MissingScores
    lost: str = "counts as lost"

    @abc.abstractmethod
    def fit(self, cells: FloatArray, weights: FloatArray) -> FloatArray:
        """The strengths, larger is better."""

    @abc.abstractmethod
    def redraw(
        self,
        cells: FloatArray,
        values: FloatArray,
        weights: FloatArray,
        progress: Progress = _ignore,
    ) -> FloatArray:
        """The strengths for each row of ``weights``[draw, task]; ``values`` are those of the full fit."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class WinsPerTask(Estimator):
    """Bradley-Terry on wins per task: P(i beats j) = 1 / (1 + e^(v_j - v_i)), ties half a win for each.

    The strengths maximise Σ_t w_t Σ_pairs log P - ½ ``prior`` ‖v‖². Under ``missing="skip"`` a task compares the models
    that were run on it; under "below" the others lose to these, and tie with one another. A draw takes one Newton step
    from the full fit.
    """

    prior: float = 0.1
    missing: MissingScores = "skip"

    name: ClassVar[str] = "bradley_terry"

    def fit(self, cells: FloatArray, weights: FloatArray) -> FloatArray:
        wins = _count_wins(self._filled(cells), weights)
        found = newton(lambda v: sigmoid(v, wins), np.zeros(len(wins)), prior=self.prior)
        return found.point

    def redraw(
        self, cells: FloatArray, values: FloatArray, weights: FloatArray, progress: Progress = _ignore
    ) -> FloatArray:
        filled = self._filled(cells)
        chances = _win_chances(values)
        slopes = weights @ _task_slopes(filled, chances) - self.prior * values
        bends = chances * (1 - chances)
        ran = ~np.isnan(filled)
        if ran.all():  # every task compares all models: draws scale one Hessian
            return values + _scaled_steps(bends, weights.sum(axis=1), slopes, self.prior)
        return values + _own_steps(bends, ran, weights, slopes, self.prior, progress)

    def _filled(self, cells: FloatArray) -> FloatArray:
        return np.where(np.isnan(cells), -np.inf, cells) if self.missing == "below" else cells


@dataclasses.dataclass(frozen=True, kw_only=True)
class Points(Estimator):
    """Points per task, added up or averaged over the tasks that a model was run on.

    ``give`` makes points of the scores of one task, NaN left out; ``total``: a task without a score adds 0, as Borda
    counts are added up. Under ``missing="below"`` a model without a score shares the last place of the task.
    """

    title: str
    give: Callable[[FloatArray], FloatArray]
    total: bool = False
    lost: str = "counts as lost"
    missing: MissingScores = "skip"

    @property
    def name(self) -> str:  # type: ignore[override]
        return self.title

    def fit(self, cells: FloatArray, weights: FloatArray) -> FloatArray:
        return np.asarray(self._add(self._points(cells), weights[None])[0])

    def redraw(
        self, cells: FloatArray, values: FloatArray, weights: FloatArray, progress: Progress = _ignore
    ) -> FloatArray:
        return self._add(self._points(cells), weights)

    def _points(self, cells: FloatArray) -> FloatArray:
        points = np.full(cells.shape, np.nan)
        for t in range(cells.shape[1]):
            column = cells[:, t]
            ran = ~np.isnan(column)
            if self.missing == "below" and ran.any():
                column, ran = np.where(ran, column, -np.inf), np.ones(len(ran), dtype=bool)
            points[ran, t] = self.give(column[ran])
        return points

    def _add(self, points: FloatArray, weights: FloatArray) -> FloatArray:
        """S[draw, i]; a draw without any task of a model gives it the mean of the others."""
        ran = ~np.isnan(points)
        sums = weights @ np.where(ran, points, 0.0).T
        if self.total:
            return np.asarray(sums)
        held = weights @ ran.T.astype(float)
        means = np.divide(sums, held, out=np.full(sums.shape, np.nan), where=held > 0)
        rest = np.nanmean(means, axis=1, keepdims=True)
        return np.asarray(np.where(np.isnan(means), rest, means))


def _scores(column: FloatArray) -> FloatArray:
    """The scores themselves; a model that counts as last has the lowest score of the others."""
    lost = np.isneginf(column)
    return np.where(lost, column[~lost].min(), column) if lost.any() else column


def _mean_ranks(column: FloatArray) -> FloatArray:
    """Minus the ranks, from 1, ties sharing the mean."""
    from scipy.stats import rankdata

    return -np.asarray(rankdata(-column), dtype=float)


def _borda(column: FloatArray) -> FloatArray:
    """The number of models at or below, ties half: 1 for the last."""
    from scipy.stats import rankdata

    return np.asarray(rankdata(column), dtype=float)


def _win_rates(column: FloatArray) -> FloatArray:
    """The share of the others that a model beats, ties half."""
    return (_borda(column) - 1) / (len(column) - 1) if len(column) > 1 else np.full(len(column), 0.5)


MEAN: Final = Points(title="mean", give=_scores, lost="counts as the lowest of its task")
MEAN_RANK: Final = Points(title="mean_rank", give=_mean_ranks)
BORDA: Final = Points(title="borda", give=_borda, total=True)
WIN_RATE: Final = Points(title="win_rate", give=_win_rates)


# --- Bradley-Terry ----------------------------------------------------------------------------------------------------


def _count_wins(cells: FloatArray, weights: FloatArray) -> FloatArray:
    """W[i, j]: how often i beats j, by the weights of the tasks."""
    n = len(cells)
    wins = np.zeros((n, n))
    for column, weight in zip(cells.T, weights.tolist(), strict=True):
        if weight:
            wins += weight * (column[:, None] > column)
            wins += (0.5 * weight) * (column[:, None] == column)
    wins[np.diag_indices(n)] = 0.0
    return wins


def _win_chances(values: FloatArray) -> FloatArray:
    """P[i, j] = P(i beats j)."""
    from scipy.special import expit

    return np.asarray(expit(values[:, None] - values))


def _task_slopes(cells: FloatArray, chances: FloatArray) -> FloatArray:
    """S[t, i]: how many more models i beats on task t than its strength lets expect."""
    from scipy.stats import rankdata

    slopes = np.zeros(cells.shape[::-1])
    for t, column in enumerate(cells.T):
        ran = np.flatnonzero(~np.isnan(column))
        expected = chances[np.ix_(ran, ran)].sum(axis=1) - 0.5
        slopes[t, ran] = rankdata(column[ran]) - 1 - expected
    return slopes


def _scaled_steps(bends: FloatArray, scales: FloatArray, slopes: FloatArray, prior: float) -> FloatArray:
    """Newton steps where all tasks compare all models, so that draws scale one Hessian: (s L + prior I)⁻¹ g."""
    sizes, axes = np.linalg.eigh(_laplacian(bends))
    sizes = np.maximum(sizes, 0.0)
    shares = (slopes @ axes) / (scales[:, None] * sizes + prior)
    return _centred(np.asarray(shares @ axes.T))


def _own_steps(
    bends: FloatArray, ran: BoolArray, weights: FloatArray, slopes: FloatArray, prior: float, progress: Progress
) -> FloatArray:
    """Newton steps, each by the Hessian of its own draw."""
    held = ran.astype(float)
    steps = np.empty_like(slopes)
    if len(bends) <= SMALL:
        block = CELLS // len(bends) ** 2
        for first in range(0, len(weights), block):
            part = slice(first, first + block)
            steps[part] = _steps_together(bends, held, weights[part], slopes[part], prior)
            progress(min(first + block, len(weights)))
        return _centred(steps)
    diagonal = np.diag_indices(len(bends))
    for b, (weight, slope) in enumerate(zip(weights, slopes, strict=True)):
        hessian = _laplacian(((held * weight) @ held.T) * bends)
        hessian[diagonal] += prior
        step = solve_positive(hessian, slope)
        steps[b] = slope / (hessian[diagonal]) if step is None else step
        progress(b + 1)
    return _centred(steps)


def _steps_together(
    bends: FloatArray, held: FloatArray, weights: FloatArray, slopes: FloatArray, prior: float
) -> FloatArray:
    """The steps of some draws of few models."""
    hessians = -((held * weights[:, None, :]) @ held.T) * bends
    places = np.arange(len(bends))
    hessians[:, places, places] = 0.0
    hessians[:, places, places] = prior - hessians.sum(axis=2)
    return np.asarray(np.linalg.solve(hessians, slopes[:, :, None])[:, :, 0])


def _laplacian(bends: FloatArray) -> FloatArray:
    """The Hessian of -log-likelihood, for the second derivatives of all pairs."""
    laplacian = -bends
    laplacian[np.diag_indices(len(bends))] = 0.0
    laplacian[np.diag_indices(len(bends))] = -laplacian.sum(axis=1)
    return laplacian


def _centred(steps: FloatArray) -> FloatArray:
    return np.asarray(steps - steps.mean(axis=1, keepdims=True))


# --- any registered method --------------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class ByMethod(Estimator):
    """A registered method, for which every task is a ranker; it is run again for each draw."""

    method: Method

    @property
    def name(self) -> str:  # type: ignore[override]
        return repr(self.method)

    @property
    def missing(self) -> MissingScores:  # type: ignore[override]
        return "below" if self.method.absence == "below" else "skip"

    def fit(self, cells: FloatArray, weights: FloatArray) -> FloatArray:
        return np.asarray(self._score(self._rankings(cells), weights[None])[0])

    def redraw(
        self, cells: FloatArray, values: FloatArray, weights: FloatArray, progress: Progress = _ignore
    ) -> FloatArray:
        rankings = self._rankings(cells)
        step = max(1, REPEATED // max(1, len(rankings.entries)))
        blocks = []
        for first in range(0, len(weights), step):
            blocks.append(self._score(rankings, weights[first : first + step]))
            progress(first + len(blocks[-1]))
        return np.concatenate(blocks)

    def _rankings(self, cells: FloatArray) -> Rankings:
        """One query: models as items, by number, and every task as a list of the models that were run on it."""
        names = [f"{i:09}" for i in range(len(cells))]
        lists = {
            f"{t:09}": {name: score for name, score in zip(names, column, strict=True) if score == score}
            for t, column in enumerate(cells.T.tolist())
        }
        return Rankings.from_scores(lists)

    def _score(self, rankings: Rankings, weights: FloatArray) -> FloatArray:
        """S[draw, i]: the scores, one number where the method's own rule says that they are equal."""
        method, bound = self.method.bind(rankings)
        if method.needs_all_queries():
            method = method.learn_from([bound])
        scores = method.scored(repeat_query(bound, 0, weights)).scores.reshape(len(weights), -1)
        order = np.argsort([int(item) for item in rankings.items])
        return np.asarray(scores[:, order])


def estimator_of(method: str | Method | Estimator, missing: MissingScores) -> Estimator:
    """The estimator of this name; a registered method by its text, with its parameters.

    >>> estimator_of("bradley_terry", "skip"), estimator_of("mean", "below").name
    (WinsPerTask(prior=0.1, missing='skip'), 'mean')
    """
    if isinstance(method, Estimator):
        return method
    plain = method.strip().lower().replace(" ", "_").replace("-", "_") if isinstance(method, str) else None
    own = next((each for each in (MEAN, MEAN_RANK, BORDA, WIN_RATE) if each.title == plain), None)
    if own is not None:
        return dataclasses.replace(own, missing=missing)
    found = _parse(method)
    if isinstance(found, BradleyTerry) and _is_plain(found):
        _check_prior(found.prior)
        return WinsPerTask(prior=found.prior, missing=_agree(found.missing, missing))
    if not found.weighs:
        raise InvalidParameter(f"{found!r} does not look at weights, so its tasks cannot be resampled")
    return ByMethod(found if found.missing else found.with_missing(missing))


def _parse(method: str | Method) -> Method:
    try:
        return method_of(method)
    except UnknownName as error:
        raise UnknownName(f"{error}; of a table of scores also mean, mean_rank, borda and win_rate") from None


def _is_plain(method: BradleyTerry) -> bool:
    """Whether it is the model of wins per task: an absent model is not half a winner there."""
    return method.missing != "neutral" and method == BradleyTerry(prior=method.prior, missing=method.missing)


def _agree(given: Missing | None, missing: MissingScores) -> MissingScores:
    """What a missing score means, by the method and by the call."""
    return missing if given is None else "below" if given == "below" else "skip"


def _check_prior(prior: float) -> None:
    """Refuse a prior that cannot hold an unbeaten model."""
    if prior <= 0:
        raise InvalidParameter("bradley_terry: an unbeaten model needs a prior above 0, which holds it")
