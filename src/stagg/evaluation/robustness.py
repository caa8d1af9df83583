"""Robustness (section 5.3 of the paper): how methods fare with fewer rankers, drawn at random."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from stagg.aggregate import prepare
from stagg.aggregate.plan import Progress
from stagg.data.inputs.construct import rankings_of
from stagg.data.inputs.types import RankingsLike
from stagg.data.labels import Labels, labels_of
from stagg.data.rankings import Rankings, Weights
from stagg.errors import DataWarning, InvalidParameter
from stagg.evaluation.contenders import MethodsLike, name_methods
from stagg.evaluation.evaluate import measured
from stagg.evaluation.tables import Table
from stagg.kernels.id_order import order_by_id
from stagg.measures import DEFAULT_MEASURES, Asked, Conventions, Measure, MeasuresLike, ask_measures
from stagg.methods import Method, Missing
from stagg.registry import check_seed, whole_number
from stagg.say import Say, tell

__all__ = ["draw_rankers", "measure_draw", "robustness"]


def robustness(
    rankings: RankingsLike,
    labels: Labels | Mapping[str, Mapping[str, float]],
    methods: MethodsLike,
    *,
    rankers: Sequence[int],
    draws: int = 20,
    measures: MeasuresLike = DEFAULT_MEASURES,
    conventions: Conventions = "standard",
    missing: Missing | None = None,
    weights: Weights | None = None,
    depth: int | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> Table:
    """The mean of each measure over ``draws`` random subsets of so many rankers, and its spread.

    All methods see the same subsets, which depend on the seed, the size, the number of the draw and the names of the
    rankers only. Rows: method, measure, rankers, mean, sd (over the draws), low, high (smallest, largest), draws.
    """
    asked, grades, parsed = ask_measures(measures), labels_of(labels), name_methods(methods, missing)
    chosen = [each.measure for each in asked]
    given = prepare(weights=weights, depth=depth).weigh(rankings_of(rankings)).active()
    if not parsed:
        none = "there are no methods to compare: name one or more, such as "
        raise InvalidParameter(tell(none, Say(methods="borda, rrf")))
    if not rankers or len(set(rankers)) < len(rankers):
        raise InvalidParameter("name one or more numbers of rankers, each once")
    whole_number("draws", draws, least=1)
    check_seed(seed)
    rows = []
    for number, size in enumerate(rankers):
        _check(size, given)
        means = []
        for draw in range(draws):
            if progress is not None:
                progress(f"{size} rankers, draw {draw + 1}", number * draws + draw, len(rankers) * draws)
            subset = draw_rankers(given, size, draw, seed)
            with warnings.catch_warnings():
                warnings.filterwarnings("ignore", "the input lacks rankers", DataWarning)  # that is what is drawn
                means.append(measure_draw(given, grades, list(parsed.values()), chosen, conventions, subset))
        rows += _rows(list(parsed), asked, size, np.stack(means))
    notes = (f"{draws} draws of rankers", *[each.note for each in asked if each.note is not None])
    table = Table("robustness", tuple(rows), conventions=conventions, seed=seed, notes=notes)
    return table.add_settings(weights=weights, depth=depth, missing=missing)


def _check(size: int, rankings: Rankings) -> None:
    if not 1 <= size <= len(rankings.rankers):
        raise InvalidParameter(f"there are {len(rankings.rankers)} rankers; {size} of them cannot be drawn")


def draw_rankers(rankings: Rankings, size: int, draw: int, seed: int) -> np.ndarray:
    """Numbers of some rankers, drawn from their names in order."""
    by_name = order_by_id(rankings.rankers)
    rng = np.random.default_rng([seed, size, draw])
    return np.sort(by_name[rng.permutation(len(by_name))[:size]])


def measure_draw(
    rankings: Rankings,
    labels: Labels,
    methods: Sequence[Method],
    measures: Sequence[Measure],
    conventions: Conventions,
    subset: np.ndarray,
) -> np.ndarray:
    """means[method, measure] of one draw."""
    part = rankings.take_rankers(subset)
    aligned = labels.aligned(part)
    found = []
    for method in methods:
        fused = prepare(method).fuse(part).consensus
        reuse = aligned if fused.items is part.items else None
        found.append(measured(fused, labels, measures, conventions=conventions, aligned=reuse)[1].mean(axis=1))
    return np.stack(found)


def _rows(methods: Sequence[str], measures: Sequence[Asked], size: int, means: np.ndarray) -> list[dict[str, Any]]:
    rows = []
    for m, method in enumerate(methods):
        for k, measure in enumerate(measures):
            values = means[:, m, k]
            rows.append(
                {
                    "method": method,
                    "measure": measure.name,
                    "rankers": size,
                    "mean": float(values.mean()),
                    "sd": float(values.std(ddof=1)) if len(values) > 1 else 0.0,
                    "low": float(values.min()),
                    "high": float(values.max()),
                    "draws": len(values),
                }
            )
    return rows
