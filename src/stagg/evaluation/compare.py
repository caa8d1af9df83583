"""``compare``: means with intervals, paired tests against a baseline, tuning and learning on folds."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from stagg.aggregate.plan import Progress
from stagg.data.inputs.construct import rankings_of
from stagg.data.inputs.types import RankingsLike
from stagg.data.labels import Labels, labels_of
from stagg.data.rankings import Weights
from stagg.errors import InvalidParameter, UnknownName, shown
from stagg.evaluation.contenders import (
    Contender,
    Found,
    LearnersLike,
    MethodsLike,
    Setting,
    contenders,
    name_methods,
    split_names,
)
from stagg.evaluation.list_lengths import tell_lengths
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
from stagg.measures import DEFAULT_MEASURES, Conventions, MeasuresLike, ask_measures
from stagg.methods import Missing, method_of
from stagg.registry import check_seed, near_names, whole_number
from stagg.threads import map_threads

__all__ = ["Comparison", "compare", "comparison"]

LEVEL = 0.95


@dataclasses.dataclass(frozen=True, eq=False)
class Comparison:
    """``values[method, measure, query]`` and the table made of them; prints as the table.

    ``warnings``: what you should know before you use the figures. The table shows it, too, as a mark or a note.
    """

    methods: tuple[str, ...]
    measures: tuple[str, ...]
    queries: tuple[str, ...]
    values: FloatArray
    baseline: str
    table: Table
    folds: tuple[tuple[str, ...], ...] = ()
    warnings: tuple[str, ...] = ()

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
        notes = ("Means over the test queries of each fold, and over all queries.",)
        return dataclasses.replace(self.table, rows=tuple(rows), notes=notes, index=None, baseline=None, legend=())

    def add_settings(self, **settings: Any) -> Comparison:
        """The same, with more to say on how it was made: see :meth:`Table.add_settings`."""
        return dataclasses.replace(self, table=self.table.add_settings(**settings))

    @property
    def details(self) -> Table:
        """The intervals and tests behind the table, a line for each method and measure; one measure is in the note."""
        rows = [
            {"method": row["method"]}
            | ({} if len(self.measures) == 1 else {"measure": row["measure"]})
            | {
                "mean": row["mean"],
                "95 % interval": f"{row['low']:.4f} to {row['high']:.4f}",
                "p (t)": row["p_t"],
                "p (random)": row["p_random"],
                "p (Holm)": row["p_holm"],
                "effect": row["effect"],
                "won/ tied/ lost": None if row["wins"] is None else f"{row['wins']}/{row['ties']}/{row['losses']}",
            }
            for row in map(self._drop_tests, self.table.rows)
        ]
        what = f"{self.measures[0]}: " if len(self.measures) == 1 else ""
        notes = (f"{what}tests and wins are against {self.baseline}",)
        return Table("compare", tuple(rows), notes=notes, same_queries=self.table.same_queries)

    def can_test(self, method: str) -> bool:
        """Whether a test against the baseline means something: neither was trained on the queries it is tested on."""
        return not {method, self.baseline} & set(self.table.same_queries)

    def _drop_tests(self, row: dict[str, Any]) -> dict[str, Any]:
        """The row without its tests where they mean nothing."""
        tests = ("p_t", "p_random", "p_holm", "effect", "wins")
        return row if self.can_test(row["method"]) else row | dict.fromkeys(tests)

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
    single_precision: bool | None = None,
    grid: str | None = None,
    seed: int = 0,
    threads: int = 1,
    progress: Progress | None = None,
) -> Comparison:
    """Compare methods and learners on one input, and test every difference from the baseline.

    - ``methods``: texts, method objects and trained models. You can name a row: "Our fusion: rrf(c=60)" or
      ``{"Our fusion": method}``. Learners, families and measures are named in the same way.
    - ``inputs``: True adds a row for every ranker of the input on its own. ``single_precision`` holds for these rows,
      and is that of :func:`stagg.evaluate`.
    - ``baseline``: the row that the others are tested against. The default is the first method.
    - ``weights``, ``depth`` and ``missing`` are those of :func:`stagg.fuse`. They hold for all methods and learners.
    - ``folds``: how many parts the queries are split into, by a hash of (seed, id). You can also give the parts
      themselves, as lists of query ids.
    - ``tune``: texts such as "rrf(c=[10, 20, 40])". In each fold, the value that is best by the first measure on all
      queries but those of the test part is reported on the test part.
    - ``learners`` are trained on the training part of each fold, validated on its validation part and reported on its
      test part. Their texts may list values, too:
      "stagg_ndcg(sigma=[1.0, 0.25])". ``grid`` names such lists for all learners ("paper", "small"). A learner whose
      text names no ``measure`` uses the first measure. Without folds, learners are trained and reported on the same
      queries: the table marks their figures with †, and tests nothing against them.
    - ``threads``: how many methods run at once. The result is the same.

    >>> labels = {"1": {"b": 2, "c": 1}}
    >>> found = compare([["a", "b", "c"], ["b", "c", "a"]], labels, "rrf(c=60), votecount", measures="ndcg@5")
    >>> [(row["method"], round(row["mean"], 3)) for row in found.table.rows]
    [('rrf(c=60)', 0.964), ('votecount', 0.797)]
    """
    check_seed(seed)
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
        single_precision=single_precision,
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
    values = np.stack([each.values for each in found])
    named = [each.note for each in asked if each.note is not None]
    alone = sum(line.is_input for line in lines)
    lengths = tell_lengths(setting.rankings, asked, fuses=alone < len(lines)) if alone else []
    notes = (*named, *setting.notes(), *[note for each in found for note in each.notes], *lengths)
    tested = tuple(fold.test for fold in parts or ())
    measured = [each.name for each in asked]
    return comparison(
        names, measured, setting.queries, values, baseline=first, conventions=conventions, seed=seed, notes=notes,
        folds=tested, inputs=alone, legend=_tell_folds(lines, len(tested)),
        same_queries=[line.name for line in lines if line.same_queries],
        warnings=[warning for each in found for warning in each.warnings],
    ).add_settings(
        weights=weights, depth=depth, missing=missing, folds=len(tested) or None, grid=grid, only_common=only_common,
        absent_items=_group_absence(names, found),
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
    inputs: int = 0,
    legend: Sequence[str] = (),
    same_queries: Sequence[str] = (),
    warnings: Sequence[str] = (),
) -> Comparison:
    """Compare by ``values[method, measure, query]``, however they were computed; see ``compare``.

    ``inputs``: so many of the first methods are inputs as they are, not fused. ``legend``, ``same_queries``: see
    :class:`Table`.
    """
    rows = tuple(_rows(list(methods), list(measures), values, baseline, seed, same_queries))
    table = Table(
        "compare",
        rows,
        conventions=conventions,
        seed=seed,
        notes=tuple(notes),
        index="method",
        baseline=baseline,
        inputs=inputs,
        legend=tuple(legend),
        same_queries=tuple(same_queries),
    ).add_settings(baseline=baseline, trained_on_tested_queries=list(same_queries) or None)
    said = (*_warn_of_same_queries(same_queries), *warnings)
    return Comparison(tuple(methods), tuple(measures), tuple(queries), values, baseline, table, tuple(folds), said)


def _tell_folds(lines: Sequence[Contender], folds: int) -> list[str]:
    """Which lines are tested on queries that they did not see, for every caption."""
    names = [f"{_shorten(line.name, lines)} ({line.held_out})" for line in lines if line.held_out]
    return [f"{', '.join(names)}: {folds}-fold cross-validation, tested on held-out queries"] if names else []


def _shorten(name: str, lines: Sequence[Contender]) -> str:
    """The name without its parameters, where no other line begins so: a caption is short."""
    short = name.partition("(")[0]
    return short if sum(line.name.partition("(")[0] == short for line in lines) == 1 else name


def _group_absence(names: Sequence[str], found: Sequence[Found]) -> dict[str, list[str]] | None:
    """{what absence means: the lines that take it so}."""
    groups: dict[str, list[str]] = {}
    for name, each in zip(names, found, strict=True):
        if each.absence is not None:
            groups.setdefault(each.absence, []).append(name)
    return groups or None


def _warn_of_same_queries(names: Sequence[str]) -> list[str]:
    if not names:
        return []
    its, it = ("its", "it is") if len(names) == 1 else ("their", "they are")
    return [
        f"{', '.join(names)}: trained on the queries {it} tested on, so {its} figures are not comparable; "
        "folds=5 tests on held-out queries"
    ]


def _first_fusion(lines: Sequence[Contender]) -> str:
    """The first line that is not an input, if there is one: inputs are not what the others are tested against."""
    return next((line.name for line in lines if not line.is_input), lines[0].name)


def _baseline(names: list[str], baseline: str | None, default: str) -> str:
    if baseline is None:
        return default
    if not isinstance(baseline, str):
        raise InvalidParameter(f"the baseline is the name of a row, not {shown(baseline)}")
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


def _rows(
    names: list[str], measures: list[str], values: FloatArray, baseline: str, seed: int, same_queries: Sequence[str]
) -> list[dict[str, Any]]:
    """One row per method and measure, as DESIGN's tables have them; values[method, measure, query]."""
    columns = values.reshape(-1, values.shape[2]).T
    low, high = (bound.reshape(values.shape[:2]) for bound in bootstrap_means(columns, level=LEVEL, seed=seed))
    base = names.index(baseline)
    skipped = [m for m, name in enumerate(names) if {name, baseline} & set(same_queries) or name == baseline]
    tests = _tests((values - values[base]).reshape(-1, values.shape[2]).T, len(names), skipped, seed)
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


def _tests(differences: FloatArray, methods: int, skipped: list[int], seed: int) -> dict[str, list[list[Any]]]:
    """Every paired test of the differences to the baseline, by method and measure; Holm over those not skipped."""
    p_random = sign_flip(differences, seed=seed)
    by_method = p_random.reshape(methods, -1).copy()
    by_method[skipped] = np.nan  # the baseline is not tested against itself, nor what cannot be compared with it
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
