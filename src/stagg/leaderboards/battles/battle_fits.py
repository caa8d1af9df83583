"""Battles to strengths: who can be compared, the fit, and the anchor of a judge who is believed."""

from __future__ import annotations

import dataclasses
import math
from typing import Final, Literal

import numpy as np

from stagg.data.inputs.battle_rows import BattleRows
from stagg.errors import DataError, InvalidParameter, NotConverged, plural, shown
from stagg.kernels.arrays import BoolArray, FloatArray, IntArray
from stagg.kernels.fitting.anchored import anchor_votes
from stagg.kernels.fitting.davidson import Comparisons, DavidsonModel, covariance, fit_votes
from stagg.kernels.fitting.place_design import find_mixed, leaves_free
from stagg.kernels.pairs.graphs import components
from stagg.leaderboards.strengths import DECIMALS, Strengths, draw_normal
from stagg.registry import near_names
from stagg.say import Say, tell

__all__ = [
    "ELO",
    "START",
    "AnchorGain",
    "BattleFit",
    "Ties",
    "fit_battles",
    "groups_that_met",
    "is_random_draw",
    "tell_held",
    "to_comparisons",
]

ELO: Final = 400 / math.log(10)
"""A strength of 1 on Elo's scale."""
START: Final = 1000.0
"""The mean strength on Elo's scale."""
PRIOR: Final = 0.1
"""The precision that holds strengths which battles alone leave infinite, as in bradley_terry."""
FEW: Final = 3
BY_CHANCE: Final = 1e-4
"""The chance below which the battles of a judge are no random draw."""

Ties = Literal["davidson", "half"]


@dataclasses.dataclass(frozen=True)
class AnchorGain:
    """What the votes of other judges add to those of the judge who is believed.

    ``weight``: λ. ``width``: the mean width of intervals, as a share of that by the believed votes alone. ``votes`` of
    the believed judge, and of the others; ``worth``: how many more believed votes would give the same width.
    """

    judge: str
    weight: float
    width: float
    votes: int
    others: int

    @property
    def worth(self) -> int:
        return max(0, round(self.votes * (1 / self.width**2 - 1)))


@dataclasses.dataclass(frozen=True, eq=False)
class BattleFit:
    """Strengths on Elo's scale; β (``place``) and log ν (``log_ties``) of each judge with standard errors, NaN where a
    judge has none; ``gain`` where a judge is believed; ``held``: who has no finite strength without the prior.
    ``mixed``: judges whose preference for a place cannot be told from the strengths, and is not fitted; ``stuck``:
    whether a prior holds strengths and preferences that no battle bounds."""

    strengths: Strengths
    place: FloatArray
    place_error: FloatArray
    log_ties: FloatArray
    gain: AnchorGain | None
    held: tuple[str, ...]
    mixed: tuple[str, ...] = ()
    stuck: bool = False


def to_comparisons(rows: BattleRows) -> Comparisons:
    """The battles as kernels take them."""
    return Comparisons(rows.first, rows.second, rows.judge, rows.outcome, rows.times)


def groups_that_met(rows: BattleRows) -> IntArray:
    """The number of the group of each contestant: those that battles join."""
    n = len(rows.contestants)
    met = np.zeros((n, n), dtype=bool)
    met[rows.first, rows.second] = True
    return components(met)


def fit_battles(
    rows: BattleRows, *, anchor: str | None = None, ties: Ties = "davidson", place: bool = True, draws: int, seed: int
) -> BattleFit:
    """Strengths by Bradley-Terry with ties and a preference for the first place, for each judge.

    Intervals rest on the sandwich covariance, clustered by question (where no column names the questions, every battle
    is one of its own, however many a row stands for). ``anchor`` names the judge who is believed: the
    votes of the others only make the intervals of that judge narrower.
    """
    _refuse_strangers(rows)
    if ties not in ("davidson", "half"):
        raise InvalidParameter(f"ties must be one of 'davidson', 'half', not {shown(ties)}")
    believed = np.ones(len(rows), dtype=bool) if anchor is None else rows.judge == _find_judge(rows, anchor)
    parts = [rows.take(part) for part in (believed, ~believed) if part.any()]
    model, mixed = _leave_out_mixed(parts, make_model(rows, ties=ties, place=place))
    held = _find_unbounded(parts[0])
    stuck = not held and any(leaves_free(to_comparisons(part), _part_of(model, part)) for part in parts)
    prior = PRIOR if held or stuck else 0.0
    if anchor is None:
        votes = to_comparisons(rows)
        found = fit_votes(votes, model, prior=prior)
        if not found.settled:
            raise NotConverged("the strengths did not settle; some contestants may have won or lost nearly always")
        clusters = rows.question if rows.asked else None
        point, spread = found.point, covariance(found.point, votes, model, clusters, prior=prior)
        gain = None
    else:
        point, spread, gain = _believe(rows, believed, model, anchor, prior)
    fit = _finish(parts[0], model, point, spread, gain, held, draws=draws, seed=seed)
    return dataclasses.replace(fit, mixed=tuple(rows.judges[k] for k in mixed), stuck=stuck)


def make_model(rows: BattleRows, *, ties: Ties = "davidson", place: bool = True) -> DavidsonModel:
    """β for each judge who chose both places, ν for each who has ties and wins; the others have none."""
    judges = len(rows.judges)
    chosen = [np.bincount(rows.judge[rows.outcome == way], minlength=judges) for way in (1, -1, 0)]
    both = (chosen[0] > 0) & (chosen[1] > 0)
    tied = (chosen[2] > 0) & (chosen[0] + chosen[1] > 0)
    nobody = np.zeros(judges, dtype=bool)
    return DavidsonModel.of(
        len(rows.contestants), both if place and rows.placed else nobody, tied if ties == "davidson" else nobody
    )


def _part_of(model: DavidsonModel, part: BattleRows) -> DavidsonModel:
    """The model of the judges of a part of the battles."""
    said = np.isin(np.arange(len(part.judges)), part.judge)
    return DavidsonModel.of(model.contestants, said & (model.place >= 0), said & (model.ties >= 0))


def _leave_out_mixed(parts: list[BattleRows], model: DavidsonModel) -> tuple[DavidsonModel, list[int]]:
    """(the model without preferences that cannot be told from strengths, the judges who have them)."""
    mixed = [k for part in parts for k in find_mixed(to_comparisons(part), _part_of(model, part))]
    stays = ~np.isin(np.arange(len(model.place)), mixed)
    return DavidsonModel.of(model.contestants, stays & (model.place >= 0), model.ties >= 0), sorted(mixed)


def _refuse_strangers(rows: BattleRows) -> None:
    if len(rows.contestants) < 2:
        raise DataError("battles need two contestants or more")
    groups = groups_that_met(rows)
    if groups.max() == 0:
        return
    names = [[shown(rows.contestants[i]) for i in np.flatnonzero(groups == g)] for g in range(int(groups.max()) + 1)]
    some = "; ".join(", ".join(group[:FEW]) + (" and others" if len(group) > FEW else "") for group in names[:FEW])
    raise DataError(
        tell(f"{len(names)} groups of contestants never met, so nothing compares them ({some}); ", Say(apart=True),
             " ranks each group by itself")
    )  # fmt: skip


def _find_judge(rows: BattleRows, name: str) -> int:
    if name not in rows.judges:
        raise InvalidParameter(f"no judge {shown(name)}{near_names(name, rows.judges)}")
    if len(rows.judges) == 1:
        raise InvalidParameter(f"{shown(name)} is the only judge: an anchor corrects the votes of other judges")
    if not rows.asked:
        raise DataError("an anchor needs a column of questions, which tells the battles that both judged")
    return rows.judges.index(name)


def _find_unbounded(rows: BattleRows) -> tuple[str, ...]:
    """Contestants whose strengths battles alone leave infinite: no wins lead there and back from all the others."""
    n = len(rows.contestants)
    won, lost = (
        np.where(rows.outcome >= 0, rows.first, rows.second),
        np.where(rows.outcome >= 0, rows.second, rows.first),
    )
    beats = np.zeros((n, n), dtype=bool)
    beats[won, lost] = True
    tied = rows.outcome == 0
    beats[lost[tied], won[tied]] = True
    parts = components(beats, strong=True)
    largest = np.bincount(parts).argmax()
    return tuple(rows.contestants[i] for i in np.flatnonzero(parts != largest))


def _believe(
    rows: BattleRows, believed: BoolArray, model: DavidsonModel, anchor: str, prior: float
) -> tuple[FloatArray, FloatArray, AnchorGain]:
    """The fit of the believed votes, corrected by the others; unknowns of other judges are left out of it."""
    own, others = rows.take(believed), rows.take(~believed)
    pairs, shares = _match(own, others)
    alone, rest = _part_of(model, own), _part_of(model, others)
    weighted = to_comparisons(others)._replace(times=others.times * shares)
    theirs = fit_votes(weighted, rest, prior=prior).point
    taste = covariance(theirs, weighted, rest, others.question, prior=prior)
    clusters = own.question, others.question
    done = anchor_votes(to_comparisons(own), alone, weighted, rest, theirs, pairs, clusters, prior=prior)
    if not done.settled:
        raise NotConverged(f"the strengths anchored by {shown(anchor)} did not settle; it needs more votes")
    n = model.contestants
    widths = np.sqrt(np.diag(done.covariance)[:n]).mean() / np.sqrt(np.diag(done.covariance_alone)[:n]).mean()
    gain = AnchorGain(anchor, done.weight, float(widths), round(own.times.sum()), round(others.times.sum()))
    point, spread = np.full(model.size, np.nan), np.full((model.size, model.size), np.nan)
    first = np.arange(n)
    known, beyond = (
        np.concatenate([first, model.place[part.place >= 0], model.ties[part.ties >= 0]]) for part in (alone, rest)
    )
    point[beyond], spread[np.ix_(beyond, beyond)] = theirs, taste
    point[known], spread[np.ix_(known, known)] = done.point, done.covariance
    return point, spread, gain


def is_random_draw(rows: BattleRows, judge: int) -> bool:
    """Whether the battles of this judge may be a random draw of all: by the places of the contestants, χ² over them."""
    from scipy.special import chdtrc

    n = len(rows.contestants)
    _, firsts = np.unique(_battle_keys(rows), return_index=True)

    def appearances(some: IntArray | BoolArray) -> FloatArray:
        return np.bincount(np.concatenate([rows.first[some], rows.second[some]]), minlength=n).astype(float)

    every, own = appearances(firsts), appearances(rows.judge == judge)
    expected = every * own.sum() / every.sum()
    distance = float(((own - expected) ** 2 / expected).sum()) * (n - 1) / n
    return float(chdtrc(n - 1, distance)) > BY_CHANCE


def _match(own: BattleRows, others: BattleRows) -> tuple[tuple[IntArray, IntArray], FloatArray]:
    """(own, other) rows of the same battle, and the share of each other row of its battle."""
    keys = [_battle_keys(rows) for rows in (own, others)]
    _, at, counts = np.unique(keys[1], return_inverse=True, return_counts=True)
    order = np.argsort(keys[1], kind="stable")
    low, high = (np.searchsorted(keys[1][order], keys[0], side=side) for side in ("left", "right"))
    mine = np.repeat(np.arange(len(keys[0])), high - low)
    if not len(mine):
        raise DataError("no battle was judged by the anchor and by another judge, too: the same question, the same two")
    offset = np.arange(len(mine)) - np.repeat(np.cumsum(high - low) - (high - low), high - low)
    return (mine, order[np.repeat(low, high - low) + offset]), 1 / counts[at]


def _battle_keys(rows: BattleRows) -> IntArray:
    """A number for each question and pair of contestants, whichever stands first."""
    n = len(rows.contestants)
    return np.asarray(
        (rows.question * n + np.minimum(rows.first, rows.second)) * n + np.maximum(rows.first, rows.second)
    )


def _finish(
    rows: BattleRows, model: DavidsonModel, point: FloatArray, spread: FloatArray, gain: AnchorGain | None,
    held: tuple[str, ...], *, draws: int, seed: int,
) -> BattleFit:  # fmt: skip
    n = model.contestants
    values = START + ELO * point[:n]
    drawn = draw_normal(values, ELO**2 * spread[:n, :n], draws=draws, seed=seed) if draws else np.empty((0, n))
    strengths = Strengths(
        rows.contestants, values.round(DECIMALS), drawn.round(DECIMALS), _count_units(rows), "bradley_terry"
    )
    place, log_ties = (np.where(of >= 0, point[of], np.nan) for of in (model.place, model.ties))
    error = np.where(model.place >= 0, np.sqrt(np.diag(spread))[model.place], np.nan)
    return BattleFit(strengths, place, error, log_ties, gain, held)


def _count_units(rows: BattleRows) -> IntArray:
    """On how many questions each contestant fought; where no column names them, in how many battles."""
    n, sides = len(rows.contestants), np.concatenate([rows.first, rows.second])
    if not rows.asked:
        return np.bincount(sides, np.tile(rows.times, 2), n).astype(np.intp)
    met = np.sort(np.tile(rows.question, 2) * n + sides)
    return np.bincount(met[np.diff(met, prepend=-1) > 0] % n, minlength=n)


def tell_held(held: tuple[str, ...]) -> str:
    """A sentence on contestants whose strengths the prior holds."""
    some = ", ".join(map(shown, held[:FEW])) + (f" and {len(held) - FEW} more" if len(held) > FEW else "")
    return (
        f"{some}: the wins do not lead there and back from all the others, so a prior holds "
        f"{'this strength' if len(held) == 1 else 'these strengths'} ({plural(len(held), 'contestant')})."
    )
