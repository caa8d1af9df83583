"""``compare``: means with intervals, paired tests against a baseline, tuning and learning on folds."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, Literal

import numpy as np

from stagg.aggregate.plan import Progress
from stagg.data.inputs.construct import rankings_of
from stagg.data.inputs.types import RankingsLike
from stagg.data.labels import Labels, labels_of
from stagg.data.rankings import Weights
from stagg.errors import InvalidParameter, UnknownName, shown
from stagg.evaluation.choices import count_range, shorten_names
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
from stagg.evaluation.judged_share import Look, tell_bounds, tell_explained, tell_favoured, tell_learners
from stagg.evaluation.list_lengths import tell_lengths
from stagg.evaluation.proxy import TwiceJudged, proxy_tables
from stagg.evaluation.significance import (
    bootstrap_means,
    effect_size,
    find_letters,
    holm,
    paired_t,
    sign_flip,
    tukey_by_permutation,
    wins_ties_losses,
)
from stagg.evaluation.tables import ALPHA, Cell, Grid, Table
from stagg.kernels.arrays import FloatArray
from stagg.measures import DEFAULT_MEASURES, Conventions, MeasuresLike, ask_measures
from stagg.measures.unjudged import Unjudged
from stagg.methods import Missing, method_of
from stagg.registry import check_seed, near_names, whole_number
from stagg.say import Say, tell
from stagg.threads import map_threads

__all__ = ["Comparison", "compare", "comparison"]

LEVEL = 0.95
OVERVIEW: Final[Mapping[str, tuple[str, Callable[[Mapping[str, Any]], str]]]] = {
    "interval": ("95 %", lambda row: f"{row['low']:.3f}\u2013{row['high']:.3f}"),
    "p": ("p", lambda row: "-" if row["p_holm"] is None else f"{row['p_holm']:.4f}"),
    "won": ("w/t/l", lambda row: "-" if row["wins"] is None else f"{row['wins']}/{row['ties']}/{row['losses']}"),
}
"""What may stand beside a mean: its title, and the text of a row."""
DECIDES = "unjudged_decides"
BEST = "best"
"""The baseline that is the best input."""
BEST_INPUT = "best input"
TESTS = ("p_t", "p_random", "p_holm", "effect", "wins", "ties", "losses")


@dataclasses.dataclass(frozen=True, eq=False)
class Comparison:
    """``values[method, measure, query]`` and the table made of them; prints as the table.

    ``more_baselines``: rows that all others are tested against, too; their tests are columns of the table's rows, such
    as "p_holm_vs_NAME". ``asides``: notes that no reader needs beside the figures.
    ``warnings``: what you should know before you use the figures. The table shows it, too, as a
    mark or a note. ``readings``: the values if unjudged items were "relevant", or "irrelevant" where they are skipped.
    """

    methods: tuple[str, ...]
    measures: tuple[str, ...]
    queries: tuple[str, ...]
    values: FloatArray
    baseline: str
    table: Table
    folds: tuple[tuple[str, ...], ...] = ()
    warnings: tuple[str, ...] = ()
    more_baselines: tuple[str, ...] = ()
    readings: Mapping[str, FloatArray] = dataclasses.field(default_factory=dict)
    asides: tuple[str, ...] = ()

    def overview(self, *columns: Literal["interval", "p", "won"]) -> Grid:
        """All in one table: a line for each method, and beside each mean the columns asked for.

        Its notes are those that belong beside the figures: warnings, what the marks mean, queries that count 0.
        """
        wide, rows = self.table.grid(settings=False), list(map(self._drop_tests, self.table.rows))
        header, right, cells = wide.header[:1], wide.right[:1], [line[:1] for line in wide.cells]
        for place, title in enumerate(wide.header[1:], start=1):
            measured = [row for row in rows if row["measure"] == title]
            added = [OVERVIEW[name] for name in columns] if measured else []
            header += [title, *[name for name, _ in added]]
            right += [wide.right[place], *[True for _ in added]]
            for number, line in enumerate(wide.cells):
                cells[number] += [line[place], *[Cell(tell(measured[number])) for _, tell in added]]
        return Grid(header, cells, right, [note for note in wide.notes if note not in self.asides])

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
        return dataclasses.replace(
            self.table, rows=tuple(rows), notes=notes, index=None, baseline=None, legend=(), warnings=(), beside=()
        )

    def add_settings(self, **settings: Any) -> Comparison:
        """The same, with more to say on how it was made: see :meth:`Table.add_settings`."""
        return dataclasses.replace(self, table=self.table.add_settings(**settings))

    def add_warnings(self, warnings: Sequence[str]) -> Comparison:
        """The same, with warnings that every format of the table shows."""
        table = dataclasses.replace(self.table, warnings=(*self.table.warnings, *warnings))
        return dataclasses.replace(self, table=table, warnings=(*self.warnings, *warnings))

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
        times = f"; {_tell_times(len(self.more_baselines) + 1)}" if self.more_baselines else ""
        notes = [f"{what}tests and wins are against {self.baseline}{times}", *self._tell_explained(DECIDES)]
        return Table("compare", tuple(rows), notes=tuple(notes), same_queries=self.table.same_queries)

    def can_test(self, method: str) -> bool:
        """Whether a test against the baseline means something: neither was trained on the queries it is tested on."""
        return not {method, self.baseline} & set(self.table.same_queries)

    def _drop_tests(self, row: dict[str, Any]) -> dict[str, Any]:
        """The row without its tests where they mean nothing."""
        tests = ("p_t", "p_random", "p_holm", "effect", "wins")
        return row if self.can_test(row["method"]) else row | dict.fromkeys(tests)

    def add_baselines(self, baselines: Sequence[str]) -> Comparison:
        """The same, tested against more baselines; Bonferroni's correction over them makes all claims hold together."""
        if not baselines:
            return self
        times = 1 + len(baselines)
        rows = [dict(row, p_holm=_multiply(row["p_holm"], times)) for row in self.table.rows]
        for name in baselines:
            tested = _rows(
                list(self.methods), list(self.measures), self.values, name, self.table.seed or 0,
                self.table.same_queries,
            )  # fmt: skip
            skipped = _skipped(self.methods, name, self.table.same_queries)
            _add_readings(tested, self.readings, self.methods.index(name), skipped, self.table.seed or 0, times)
            for row, other in zip(rows, tested, strict=True):
                row |= {f"{key}_vs_{name}": other[key] for key in (*TESTS, *[DECIDES] * bool(self.readings))}
                row[f"p_holm_vs_{name}"] = _multiply(other["p_holm"], times)
        legend = (*self.table.legend, _tell_times(times))
        table = dataclasses.replace(self.table, rows=tuple(rows), legend=legend)
        table = table.add_settings(baseline=[self.baseline, *baselines])
        return dataclasses.replace(self, table=table, more_baselines=tuple(baselines))

    def add_letters(self) -> Comparison:
        """The same, with all pairs compared: each row has ``letters`` (randomised Tukey HSD); see :attr:`letters`."""
        kept = [m for m, name in enumerate(self.methods) if name not in self.table.same_queries]
        rows = [dict(row, letters=None) for row in self.table.rows]
        for k in range(len(self.measures)):
            different = np.ones((len(kept), len(kept)), dtype=bool)
            for values in (self.values, *self.readings.values()):  # what unjudged items could explain is no difference
                p = tukey_by_permutation(values[kept, k], seed=self.table.seed or 0)
                different &= (p < ALPHA) & (_signs(values[kept, k]) == _signs(self.values[kept, k]))
            for m, letters in zip(kept, find_letters(self.values[kept, k].mean(axis=1), different), strict=True):
                rows[m * len(self.measures) + k]["letters"] = letters
        return dataclasses.replace(self, table=dataclasses.replace(self.table, rows=tuple(rows)))

    @property
    def letters(self) -> Table:
        """All pairs in letters: methods that share a letter, by a measure, are not significantly different."""
        known = self if "letters" in self.table.rows[0] else self.add_letters()
        lines: dict[str, dict[str, Any]] = {method: {"method": method} for method in self.methods}
        for row in known.table.rows:
            lines[row["method"]][row["measure"]] = f"{row['mean']:.4f} {row['letters'] or '-'}"
        note = (
            "Methods that share a letter are not significantly different: randomised Tukey HSD over all pairs, p < "
            f"{ALPHA:g}, {count_range([len(self.queries)])}."
        ) + " Pairs whose difference unjudged items could explain share a letter." * bool(self.readings)
        return dataclasses.replace(
            self.table, rows=tuple(lines.values()), notes=(note,), index=None, baseline=None, legend=(),
            conventions=None, seed=None, settings={}, warnings=(), beside=(),
        )  # fmt: skip

    def tests_against(self, baseline: str) -> Table:
        """The tests against one of ``more_baselines``, a line for each method and measure."""
        keys = {"p (t)": "p_t", "p (random)": "p_random", "p (Holm)": "p_holm", "effect": "effect"}
        untested = {name for name in self.methods if {name, baseline} & set(self.table.same_queries)}
        rows = [
            {"method": row["method"], "measure": row["measure"], "mean": row["mean"]}
            | {title: None if row["method"] in untested else row[f"{key}_vs_{baseline}"] for title, key in keys.items()}
            for row in self.table.rows
            if row["method"] != baseline
        ]
        notes = [f"tests are against {baseline}; {_tell_times(len(self.more_baselines) + 1)}"]
        notes += self._tell_explained(f"{DECIDES}_vs_{baseline}")
        return Table("compare", tuple(rows), notes=tuple(notes), same_queries=self.table.same_queries)

    def _tell_explained(self, key: str) -> list[str]:
        """Whose differences are significant by what counts for unjudged items alone."""
        methods = dict.fromkeys(row["method"] for row in self.table.rows if row.get(key))
        return [f"unjudged items could explain the differences of {', '.join(methods)}"] * bool(methods)

    @property
    def further(self) -> dict[str, Table]:
        """Tables besides the first and its details, by a short name: tests against more baselines, and letters."""
        tests = {f"baseline-{n}": self.tests_against(name) for n, name in enumerate(self.more_baselines, start=2)}
        return tests | ({"letters": self.letters} if "letters" in self.table.rows[0] else {})

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
    baseline: str | Sequence[str] | None = None,
    folds: int | Sequence[Sequence[str]] | None = None,
    conventions: Conventions = "standard",
    missing: Missing | None = None,
    weights: Weights | None = None,
    depth: int | None = None,
    only_common: bool = False,
    single_precision: bool | None = None,
    unjudged: Unjudged = "irrelevant",
    proxy: Labels | Mapping[str, Mapping[str, float]] | None = None,
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
    - ``baseline``: the row that the others are tested against. The default is the first method. "best" is the best
      input by the first measure: with folds, the one that is best on the other folds (a row of its own, "best input");
      without, the one that is best on these queries, which is said. With several baselines the marks are those of the
      first, and all corrected p are multiplied by the number of baselines. All pairs are in ``.letters`` of the
      result.
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
    - ``unjudged``: what becomes of items without a judgment. "irrelevant" is the usual rule; "skip" leaves them out, so
      that the items below move up (condensed lists); "bounds" also shows the lowest and the highest mean that their
      grades could give.
    - ``proxy``: labels by an LLM, say, also of queries that people did not judge. A second table has the differences
      from the baseline by people alone and corrected by the proxy, each with its 95 % interval
      (:mod:`stagg.evaluation.proxy`). Not for learners and families, which have no values for these queries.
    - ``threads``: how many methods run at once. The result is the same.

    Where items are not judged, the table says how many are. A difference that is no longer significant, or turns round,
    if all of them are relevant is not marked, and a warning names it.

    >>> labels = {"1": {"b": 2, "c": 1}}
    >>> found = compare([["a", "b", "c"], ["b", "c", "a"]], labels, "rrf(c=60), votecount", measures="ndcg@5")
    >>> [(row["method"], round(row["mean"], 3)) for row in found.table.rows]
    [('rrf(c=60)', 0.964), ('votecount', 0.797)]
    """
    check_seed(seed)
    asked = ask_measures(measures)
    make_setting = functools.partial(
        Setting,
        rankings_of(rankings),
        measures=[each.measure for each in asked],
        conventions=conventions,
        missing=missing,
        weights=weights,
        depth=depth,
        only_common=only_common,
        single_precision=single_precision,
        unjudged=unjudged,
    )
    setting = make_setting(labels_of(labels), progress=progress)
    taught = split_names(learners)
    if grid is not None and not taught:
        raise InvalidParameter(f"the grid {shown(grid)} is for learners, and there are none")
    parts = setting.folds(folds, seed)
    bases, fixed = _list_baselines(baseline), name_methods(methods, missing)
    best = BEST in bases and BEST not in (*fixed, *setting.rankings.rankers)
    if best:  # its row: a learner where there are folds, else one of the inputs
        inputs, taught = inputs or not parts, [*taught, *[(BEST_INPUT, "best_input")] * bool(parts)]
    if proxy is not None and (taught or split_names(tune)):
        raise InvalidParameter(
            "a proxy helps with methods and inputs: what learns on folds has no values for queries without labels of "
            "people. Train it first, and compare the model"
        )
    lines = contenders(
        setting, fixed, split_names(tune), taught, parts, grid, inputs=inputs, measure=repr(asked[0].measure),
    )  # fmt: skip
    names = [line.name for line in lines]
    bases = [each if best and each == BEST else _baseline(names, each) for each in bases] or [_first_fusion(lines)]
    setting.steps = sum(line.steps for line in lines)
    found = map_threads(Contender.get, lines, whole_number("threads", threads, least=1), wait=False)
    values = np.stack([each.values for each in found])
    chosen = _best(lines, values) if best else ""
    first, *others = dict.fromkeys(chosen if best and each == BEST else each for each in bases)
    named = [each.note for each in asked if each.note is not None]
    told_best = [_tell_best(chosen, [each.name for each in asked], by_folds=bool(parts))] * best
    advice = ["with folds, the best input is chosen on other queries"] * (best and not parts)
    alone = sum(line.is_input for line in lines)
    lengths = tell_lengths(setting.rankings, asked, fuses=alone < len(lines)) if alone else []
    asides = (*named, *[note for each in found for note in each.notes if note not in each.warnings])
    notes = (*named, *advice, *setting.notes(), *[note for each in found for note in each.notes], *lengths)
    tested = tuple(fold.test for fold in parts or ())
    result = comparison(
        names, [each.name for each in asked], setting.queries, values, baseline=first, conventions=conventions,
        seed=seed, notes=notes, folds=tested, inputs=alone, legend=[*told_best, *_tell_folds(lines, len(tested))],
        same_queries=[line.name for line in lines if line.same_queries],
        warnings=[warning for each in found for warning in each.warnings],
        readings=_arrange(setting, found, setting.pool.suppose), shares=_share(setting, found),
        baselines=1 + len(others),
    )  # fmt: skip
    bounds = tell_bounds(result.table.rows, asked, unjudged)
    result = dataclasses.replace(result, table=dataclasses.replace(result.table, notes=(*result.table.notes, *bounds)))
    learned = [shorten_names(names)[line.name] for line in lines if line.learns]
    pools = [
        *tell_favoured(result.table.rows, "method", unjudged),
        *tell_explained(result.table.rows, asked, first),
        *tell_learners(learned, setting.rankings, setting.labels),
    ]
    if proxy is not None:
        second = make_setting(labels_of(proxy))
        again = contenders(second, fixed, (), (), None, inputs=inputs)
        beside = _compare_by_proxy(result, setting, second, [line.get().values for line in again])
        result = dataclasses.replace(result, table=dataclasses.replace(result.table, beside=beside))
    result = dataclasses.replace(result, asides=asides)
    return result.add_warnings(pools).add_settings(
        unjudged=None if unjudged == "irrelevant" else unjudged,
        weights=weights, depth=depth, missing=missing, folds=len(tested) or None, grid=grid, only_common=only_common,
        absent_items=_group_absence(names, found),
    ).add_baselines(others)  # fmt: skip


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
    readings: Mapping[str, FloatArray] = MappingProxyType({}),
    shares: Sequence[Sequence[Mapping[str, Any]]] = (),
    baselines: int = 1,
) -> Comparison:
    """Compare by ``values[method, measure, query]``, however they were computed; see ``compare``.

    ``inputs``: so many of the first methods are inputs as they are, not fused. ``legend``, ``same_queries``: see
    :class:`Table`. ``readings``: the same values if unjudged items were something else; ``shares[method][measure]``:
    columns that say how much is judged; ``baselines``: how many there will be, which all claims are corrected for.
    """
    rows = _rows(list(methods), list(measures), values, baseline, seed, same_queries)
    skipped = _skipped(methods, baseline, same_queries)
    _add_readings(rows, readings, list(methods).index(baseline), skipped, seed, baselines)
    for row, share in zip(rows, (each for method in shares for each in method), strict=False):
        row |= share
    table = Table(
        "compare",
        tuple(rows),
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
    return Comparison(
        tuple(methods), tuple(measures), tuple(queries), values, baseline, table, tuple(folds), said, readings=readings
    )


def _tell_folds(lines: Sequence[Contender], folds: int) -> list[str]:
    """Which lines are tested on queries that they did not see, for every caption."""
    short = shorten_names([line.name for line in lines])
    names = [f"{short[line.name]} ({line.held_out})" for line in lines if line.held_out]
    return [f"{', '.join(names)}: {folds}-fold cross-validation, tested on held-out queries"] if names else []


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
    same = f"{', '.join(names)}: trained on the queries {it} tested on, so {its} figures are not comparable; "
    return [tell(same, Say(folds=5), " tests on held-out queries")]


def _first_fusion(lines: Sequence[Contender]) -> str:
    """The first line that is not an input, if there is one: inputs are not what the others are tested against."""
    return next((line.name for line in lines if not line.is_input), lines[0].name)


def _list_baselines(baseline: str | Sequence[str] | None) -> list[str]:
    """The baselines that were asked for, each once; none is the default."""
    if baseline is None:
        return []
    given = [baseline] if isinstance(baseline, str) or not isinstance(baseline, Sequence) else list(baseline)
    for each in given:
        if not isinstance(each, str):
            raise InvalidParameter(f"the baseline is the name of a row, not {shown(each)}")
    return list(dict.fromkeys(given))


def _multiply(p: float | None, times: int) -> float | None:
    return None if p is None else min(1.0, times * p) if p == p else p


def _tell_times(count: int) -> str:
    return f"p (Holm) is multiplied by {count}, the number of baselines"


def _best(lines: Sequence[Contender], values: FloatArray) -> str:
    """The row that chooses the best input by folds, else the input that is best by the first measure."""
    if any(line.name == BEST_INPUT for line in lines):
        return BEST_INPUT
    means = [values[number, 0].mean() if line.is_input else -np.inf for number, line in enumerate(lines)]
    return lines[int(np.argmax(means))].name


def _tell_best(name: str, measures: Sequence[str], *, by_folds: bool) -> str:
    """How the best input was chosen, for every caption: it is the baseline of all measures, chosen by the first."""
    others = f"; it is the baseline of {', '.join(measures[1:])}, too" if len(measures) > 1 else ""
    if by_folds:
        return (
            f"{name}: in each fold, the input that is best by {measures[0]} on the queries of the other parts{others}"
        )
    return f"the baseline {name} is the best input by {measures[0]} on the queries it is tested on{others}"


def _baseline(names: list[str], baseline: str) -> str:
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
    skipped = _skipped(names, baseline, same_queries)
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


def _skipped(names: Sequence[str], baseline: str, same_queries: Sequence[str]) -> list[int]:
    """The methods that are not tested: the baseline, and what cannot be compared with it."""
    return [m for m, name in enumerate(names) if {name, baseline} & set(same_queries) or name == baseline]


def _arrange(
    setting: Setting, found: Sequence[Found], find: Callable[[list[Sequence[Look]]], dict[str, list[list[FloatArray]]]]
) -> dict[str, FloatArray]:
    """values[method, measure, query] if unjudged items were something else; nothing where all are judged."""
    return {
        name: np.stack([setting.arrange(part, each.looks) for part, each in zip(values, found, strict=True)])
        for name, values in find([each.looks for each in found]).items()
    }


def _share(setting: Setting, found: Sequence[Found]) -> list[list[dict[str, Any]]]:
    """Columns of each method and measure on how much is judged, and on what the mean could be if all were."""
    ends = _arrange(setting, found, setting.pool.bound)
    return [
        [share | {name: float(of[m, k].mean()) for name, of in ends.items()} for k, share in enumerate(shares)]
        for m, shares in enumerate(setting.pool.shares(each.looks) for each in found)
    ]


def _compare_by_proxy(
    found: Comparison, setting: Setting, second: Setting, values: Sequence[FloatArray]
) -> tuple[Table, ...]:
    """Differences from the baseline by people, and corrected by a proxy, whose ``values`` are of the same methods."""
    base = found.methods.index(found.baseline)
    lines = [
        TwiceJudged(
            name, setting.queries, found.values[m] - found.values[base], second.queries, values[m] - values[base]
        )
        for m, name in enumerate(found.methods)
        if m != base
    ]
    if not lines:
        raise InvalidParameter("there is only the baseline: a proxy is for differences; compare at least two")
    return proxy_tables(
        lines, found.measures, setting.labels, second.labels, known=frozenset(setting.rankings.queries),
        index="method", what=f"Differences from {found.baseline}",
    )  # fmt: skip


def _add_readings(
    rows: Sequence[dict[str, Any]],
    readings: Mapping[str, FloatArray],
    base: int,
    skipped: list[int],
    seed: int,
    baselines: int,
) -> None:
    """Add the means of other readings, and whether a significant difference is so by the reading of the table alone."""
    level = ALPHA / baselines
    for name, values in readings.items():
        differences = (values - values[base]).reshape(-1, values.shape[2]).T
        p = np.array(_tests(differences, len(values), skipped, seed)["p_holm"]).ravel()
        means = values.mean(axis=2)
        signs = np.sign(means - means[base]).ravel() * (p < level)
        shown = np.array([row["mean"] for row in rows]).reshape(means.shape)
        own = np.sign(shown - shown[base]).ravel()
        for number, row in enumerate(rows):
            row[f"mean_if_{name}"] = float(means.ravel()[number])
            marked = row["p_holm"] is not None and row["p_holm"] < level
            row[DECIDES] = row.get(DECIDES, False) or bool(marked and signs[number] != own[number])


def _signs(values: FloatArray) -> FloatArray:
    """The sign of the difference of the means of every pair of rows; values[row, query]."""
    means = values.mean(axis=1)
    signs: FloatArray = np.sign(means[:, None] - means)
    return signs


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
