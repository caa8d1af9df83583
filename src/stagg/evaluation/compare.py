"""Methods against methods: means with intervals, paired tests against a baseline, tuning and learning on folds."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from stagg.aggregate.plan import Progress
from stagg.data.construct import rankings_of
from stagg.data.given import RankingsLike
from stagg.data.labels import Labels, labels_of
from stagg.data.rankings import Weights
from stagg.errors import InvalidParameter, UnknownName, shown
from stagg.evaluation.contenders import (
    Contender,
    LearnersLike,
    MethodsLike,
    Setting,
    contenders,
    name_methods,
    split_names,
)
from stagg.evaluation.significance import (
    bootstrap_means,
    effect_size,
    holm,
    paired_t,
    sign_flip,
    wins_ties_losses,
)
from stagg.evaluation.tables import Table
from stagg.kernels.arrays import FloatArray
from stagg.kernels.threads import map_threads
from stagg.measures import DEFAULT_MEASURES, Conventions, MeasuresLike, ask_measures
from stagg.methods import Missing, method_of
from stagg.registry import near_names, whole_number

__all__ = ["Comparison", "compare", "comparison"]

LEVEL = 0.95


@dataclasses.dataclass(frozen=True, eq=False)
class Comparison:
    """``values[method, measure, query]`` and the table made of them; prints as the table."""

    methods: tuple[str, ...]
    measures: tuple[str, ...]
    queries: tuple[str, ...]
    values: FloatArray
    baseline: str
    table: Table
    folds: tuple[tuple[str, ...], ...] = ()

    @property
    def by_fold(self) -> Table:
        """The mean over the test queries of each fold, and over all; empty where there are no folds."""
        place = {query: number for number, query in enumerate(self.queries)}
        parts = [[place[query] for query in fold] for fold in self.folds]
        rows = [
            {"method": method, "measure": measure}
            | {f"fold {f}": float(self.values[m, k, part].mean()) for f, part in enumerate(parts, start=1)}
            | {"all": float(self.values[m, k].mean())}
            for m, method in enumerate(self.methods)
            for k, measure in enumerate(self.measures)
            if parts
        ]
        return Table("compare", tuple(rows), conventions=self.table.conventions, seed=self.table.seed)

    @property
    def details(self) -> Table:
        """The intervals and tests behind the table, a line for each method and measure."""
        rows = [
            {
                "method": row["method"],
                "measure": row["measure"],
                "mean": row["mean"],
                "95 %": f"{row['low']:.4f} to {row['high']:.4f}",
                "p (t)": row["p_t"],
                "p (random)": row["p_random"],
                "p (Holm)": row["p_holm"],
                "effect": row["effect"],
                "won / tied / lost": None if row["wins"] is None else f"{row['wins']}/{row['ties']}/{row['losses']}",
            }
            for row in self.table.rows
        ]
        return Table("compare", tuple(rows), notes=(f"tests and wins are against {self.baseline}",))

    def __repr__(self) -> str:
        return repr(self.table)

    def _repr_html_(self) -> str:
        return self.table._repr_html_()


def compare(
    rankings: RankingsLike,
    labels: Labels | Mapping[str, Mapping[str, float]],
    methods: MethodsLike = (),
    *,
    learners: LearnersLike = (),
    tune: str | Sequence[str] | Mapping[str, str] = (),
    inputs: bool = False,
    measures: MeasuresLike = DEFAULT_MEASURES,
    baseline: str | None = None,
    folds: int | Sequence[Sequence[str]] | None = None,
    conventions: Conventions = "standard",
    missing: Missing | None = None,
    weights: Weights | None = None,
    depth: int | None = None,
    only_common: bool = False,
    grid: str | None = None,
    seed: int = 0,
    threads: int = 1,
    progress: Progress | None = None,
) -> Comparison:
    """Compare methods and learners on one input, and test every difference from the baseline.

    - ``methods``: texts, method objects and trained models. You can name a row: "Our fusion: rrf(c=60)" or
      ``{"Our fusion": method}``. Learners, families and measures are named in the same way.
    - ``inputs``: True adds a row for every ranker of the input on its own.
    - ``baseline``: the row that the others are tested against. The default is the first method.
    - ``weights``, ``depth`` and ``missing`` are those of :func:`stagg.fuse`. They hold for all methods and learners.
    - ``folds``: how many parts the queries are split into, by a hash of (seed, id). You can also give the parts
      themselves, as lists of query ids.
    - ``tune``: texts such as "rrf(c=[10, 20, 40])". In each fold, the value that is best by the first measure on the
      validation part is reported on the test part.
    - ``learners`` are trained on the folds in the same way. Their texts may list values, too:
      "stagg_ndcg(sigma=[1.0, 0.25])". ``grid`` names such lists for all learners ("paper", "small"). A learner whose
      text names no ``measure`` uses the first measure. Without folds, learners are trained and reported on the same
      queries, and the table says so.
    - ``threads``: how many methods run at once. The result is the same.

    >>> labels = {"1": {"b": 2, "c": 1}}
    >>> found = compare([["a", "b", "c"], ["b", "c", "a"]], labels, "rrf(c=60), votecount", measures="ndcg@5")
    >>> [(row["method"], round(row["mean"], 3)) for row in found.table.rows]
    [('rrf(c=60)', 0.964), ('votecount', 0.797)]
    """
    whole_number("seed", seed, least=0)
    asked = ask_measures(measures)
    setting = Setting(
        rankings_of(rankings),
        labels_of(labels),
        [each.measure for each in asked],
        conventions=conventions,
        missing=missing,
        weights=weights,
        depth=depth,
        only_common=only_common,
        progress=progress,
    )
    taught = split_names(learners)
    if grid is not None and not taught:
        raise InvalidParameter(f"the grid {shown(grid)} is for learners, and there are none")
    parts = setting.folds(folds, seed)
    lines = contenders(
        setting, name_methods(methods, missing), split_names(tune), taught, parts, grid,
        inputs=inputs, measure=repr(asked[0].measure),
    )  # fmt: skip
    names = [line.name for line in lines]
    first = _baseline(names, baseline, default=_first_fusion(lines))
    setting.steps = sum(line.steps for line in lines)
    found = map_threads(Contender.get, lines, whole_number("threads", threads, least=1), wait=False)
    values = np.stack([each for each, _ in found])
    named = [each.note for each in asked if each.note is not None]
    notes = (*named, *setting.notes(), *[note for _, said in found for note in said])
    tested = tuple(fold.test for fold in parts or ())
    measured = [each.name for each in asked]
    return comparison(
        names, measured, setting.queries, values, baseline=first, conventions=conventions, seed=seed, notes=notes,
        folds=tested,
    )  # fmt: skip


def comparison(
    methods: Sequence[str],
    measures: Sequence[str],
    queries: Sequence[str],
    values: FloatArray,
    *,
    baseline: str,
    conventions: Conventions,
    seed: int,
    notes: Sequence[str] = (),
    folds: Sequence[tuple[str, ...]] = (),
) -> Comparison:
    """What ``compare`` says of ``values[method, measure, query]``, however they were computed."""
    rows = tuple(_rows(list(methods), list(measures), values, baseline, seed))
    table = Table(
        "compare", rows, conventions=conventions, seed=seed, notes=tuple(notes), index="method", baseline=baseline
    )
    return Comparison(tuple(methods), tuple(measures), tuple(queries), values, baseline, table, tuple(folds))


def _first_fusion(lines: Sequence[Contender]) -> str:
    """The first line that is no input, if there is one: inputs are not what the others are tested against."""
    return next((line.name for line in lines if not line.is_input), lines[0].name)


def _baseline(names: list[str], baseline: str | None, default: str) -> str:
    if baseline is None:
        return default
    same = [name for name in names if name == baseline or _same_method(name, baseline)]
    # "rrf" for "rrf(c=10)", if there is but one
    begun = [name for name in names if name.split("(")[0] == baseline.lower()]
    if same or len(begun) == 1:
        return (same or begun)[0]
    raise UnknownName(f"the baseline {shown(baseline)} is not among the methods{near_names(baseline, names)}")


def _same_method(name: str, text: str) -> bool:
    try:
        return method_of(text).label == name
    except (UnknownName, InvalidParameter):
        return False


def _rows(names: list[str], measures: list[str], values: FloatArray, baseline: str, seed: int) -> list[dict[str, Any]]:
    """One row per method and measure, as DESIGN's tables have them; values[method, measure, query]."""
    columns = values.reshape(-1, values.shape[2]).T
    low, high = (bound.reshape(values.shape[:2]) for bound in bootstrap_means(columns, level=LEVEL, seed=seed))
    base = names.index(baseline)
    tests = _tests((values - values[base]).reshape(-1, values.shape[2]).T, len(names), base, seed)
    return [
        {
            "method": name,
            "measure": measure,
            "mean": float(values[m, k].mean()),
            "low": float(low[m, k]),
            "high": float(high[m, k]),
            "queries": values.shape[2],
        }
        | {key: None if m == base else found[m][k] for key, found in tests.items()}
        for m, name in enumerate(names)
        for k, measure in enumerate(measures)
    ]


def _tests(differences: FloatArray, methods: int, base: int, seed: int) -> dict[str, list[list[Any]]]:
    """Every paired test of the differences to the baseline, by method and measure; Holm over the other methods."""
    p_random = sign_flip(differences, seed=seed)
    by_method = p_random.reshape(methods, -1).copy()
    by_method[base] = np.nan  # the baseline is not tested against itself
    wins, ties, losses = wins_ties_losses(differences)
    found = {
        "p_t": paired_t(differences),
        "p_random": p_random,
        "p_holm": np.stack([holm(column) for column in by_method.T], axis=1),
        "effect": effect_size(differences),
        "wins": wins,
        "ties": ties,
        "losses": losses,
    }
    return {key: value.reshape(methods, -1).tolist() for key, value in found.items()}
