"""Methods against methods: means with intervals, paired tests against a baseline, tuning and learning on folds."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from stagg.aggregate import fuse, method_of
from stagg.data.construct import rankings_of
from stagg.data.labels import Labels
from stagg.data.rankings import FloatArray, Rankings
from stagg.errors import DataError, InvalidParameter, UnknownName, shown
from stagg.evaluation.evaluate import measured
from stagg.evaluation.folds import Fold, folds_of_parts, hashed_parts
from stagg.evaluation.significance import (
    bootstrap_means,
    effect_size,
    holm,
    paired_t,
    sign_flip,
    wins_ties_losses,
)
from stagg.evaluation.tables import Table
from stagg.learning import LEARNERS, Learner
from stagg.measures import DEFAULT_MEASURES, Measure, parse_measures
from stagg.methods import Method
from stagg.registry import near_names, split_call

__all__ = ["Comparison", "compare", "grid"]

LEVEL = 0.95
LARGEST_GRID = 10_000

Progress = Callable[[str, int, int], None]
"""Called with (what is being done, steps done, steps in all)."""


@dataclasses.dataclass(frozen=True, eq=False)
class Comparison:
    """``values[method, measure, query]`` and the table made of them; prints as the table."""

    methods: tuple[str, ...]
    measures: tuple[str, ...]
    queries: tuple[str, ...]
    values: FloatArray
    baseline: str
    table: Table

    def __repr__(self) -> str:
        return repr(self.table)

    def _repr_html_(self) -> str:
        return self.table._repr_html_()


def compare(
    rankings: Any,
    labels: Labels,
    methods: Sequence[str | Method] = (),
    *,
    learners: Sequence[str | Learner] = (),
    tune: Sequence[str] = (),
    measures: str | Sequence[str | Measure] = DEFAULT_MEASURES,
    baseline: str | None = None,
    folds: int | Sequence[Sequence[str]] | None = None,
    conventions: str = "standard",
    missing: str | None = None,
    only_common: bool = False,
    seed: int = 0,
    threads: int = 1,
    progress: Progress | None = None,
) -> Comparison:
    """Compare methods and learners on one input, every difference tested against the baseline (the first method).

    ``folds``: a number of parts by hash of (seed, id), or the parts themselves as lists of query ids. ``tune``: texts
    such as "rrf(c=[10, 20, 40])", each a family whose member is chosen, by the first measure, on the validation part of
    each fold and reported on its test part. Learners are trained on folds likewise; without folds they are trained and
    reported on the same queries, and the table says so.
    """
    work = _Work(
        rankings_of(rankings), labels, parse_measures(measures), conventions, missing, only_common, seed, progress
    )
    contenders = _contenders(work, methods, tune, learners, work.folds(folds))
    if not contenders:
        raise InvalidParameter("nothing to compare: name methods or learners")
    names = [contender.name for contender in contenders]
    first = _baseline(names, baseline)
    work.steps = sum(contender.steps for contender in contenders)
    with ThreadPoolExecutor(max(1, threads)) as pool:
        values = np.stack(list(pool.map(lambda contender: contender.values(), contenders)))
    rows = _rows(names, [repr(m) for m in work.measures], values, first, seed)
    notes = (*work.notes(), *[note for contender in contenders for note in contender.notes])
    table = Table(
        "compare", tuple(rows), conventions=conventions, seed=seed, notes=notes, index="method", baseline=first
    )
    return Comparison(tuple(names), tuple(map(repr, work.measures)), work.queries, values, first, table)


class _Work:
    """What all contenders share: the input, the labels of its items, the measures."""

    def __init__(
        self,
        rankings: Rankings,
        labels: Labels,
        measures: list[Measure],
        conventions: str,
        missing: str | None,
        only_common: bool,
        seed: int,
        progress: Progress | None,
    ) -> None:
        self.rankings = rankings
        self.labels = labels.take(q for q in labels if q in rankings) if only_common else labels
        self.measures = measures
        self.conventions = conventions
        self.missing = missing
        self.seed = seed
        self.steps, self.done, self._progress = 0, 0, progress
        self.aligned = labels.aligned(rankings)
        self.queries = tuple(sorted(self.labels))
        if not any(query in rankings for query in self.queries):
            raise DataError("no query of the rankings has a label; are the query ids of the labels the same?")

    def step(self, what: str) -> None:
        """One more step is being done."""
        if self._progress is not None:
            self._progress(what, self.done, self.steps)
        self.done += 1

    def folds(self, given: int | Sequence[Sequence[str]] | None) -> list[Fold] | None:
        if given is None:
            return None
        if isinstance(given, int):
            return folds_of_parts(hashed_parts(self.queries, given, self.seed))
        return folds_of_parts([[query for query in part if query in self.labels] for part in given])

    def of(self, method: Method) -> FloatArray:
        """values[measure, query] of a method on the whole input."""
        self.step(repr(method))
        fused = fuse(self.rankings, method.with_missing(self.missing) if self.missing else method)
        aligned = self.aligned if fused.items is self.rankings.items else None
        _, values = measured(fused, self.labels, self.measures, conventions=self.conventions, aligned=aligned)
        return values

    def part(self, queries: Sequence[str]) -> tuple[Rankings, Labels]:
        """The rankings and labels of some queries."""
        numbers = [self.rankings.query_number(query) for query in queries if query in self.rankings]
        return self.rankings.take_queries(numbers), self.labels.take(queries)

    def columns(self, queries: Sequence[str]) -> list[int]:
        place = {query: number for number, query in enumerate(self.queries)}
        return [place[query] for query in queries]

    def notes(self) -> list[str]:
        missing = sum(query not in self.rankings for query in self.queries)
        unlabelled = sum(query not in self.labels for query in self.rankings.queries)
        empty = sum(not any(grade > 0 for grade in self.labels[query].values()) for query in self.queries)
        counts = (
            (missing, "queries with labels are not in the input and count 0"),
            (unlabelled, "queries of the input have no labels and are left out"),
            (empty, "queries have no relevant item and count 0"),
        )
        return [f"{count} {text}" for count, text in counts if count]


@dataclasses.dataclass(frozen=True)
class _Contender:
    """One line of the table: a name, how to get its values, and what must be said of it."""

    name: str
    values: Callable[[], FloatArray]
    steps: int = 1
    notes: tuple[str, ...] = ()


def _contenders(
    work: _Work,
    methods: Sequence[str | Method],
    tune: Sequence[str],
    learners: Sequence[str | Learner],
    folds: list[Fold] | None,
) -> list[_Contender]:
    found = []
    for text in methods:
        method = method_of(text)
        found.append(_Contender(repr(method), lambda method=method: work.of(method)))  # type: ignore[misc]
    for family in tune:
        if folds is None:
            raise InvalidParameter(
                "tuning needs folds: a parameter chosen on the queries it is reported on is no result"
            )
        members = grid(family)
        found.append(_Contender(family, lambda members=members: _tuned(work, members, folds), len(members)))  # type: ignore[misc]
    for each in learners:
        learner = LEARNERS.parse(each) if isinstance(each, str) else each
        notes = () if folds else (f"{learner!r}: chosen on the same queries",)
        steps = len(folds) if folds else 2
        found.append(_Contender(repr(learner), lambda learner=learner: _learned(work, learner, folds), steps, notes))  # type: ignore[misc]
    names = [contender.name for contender in found]
    for name in names:
        if names.count(name) > 1:
            raise InvalidParameter(f"{name} is named twice")
    return found


def grid(text: str) -> list[Method]:
    """The members of a family: every combination of the listed values, in order.

    >>> [repr(method) for method in grid("rrf(c=[10, 20])")]
    ['rrf(c=10)', 'rrf(c=20)']
    """
    name, values = split_call("family", text)
    lists = {key: list(v) if isinstance(v, list | tuple) else [v] for key, v in values.items()}
    combinations = list(itertools.islice(itertools.product(*lists.values()), LARGEST_GRID + 1))
    if len(combinations) > LARGEST_GRID:
        raise InvalidParameter(f"{shown(text)} has more than {LARGEST_GRID:,} members")
    texts = [", ".join(f"{k}={v!r}" for k, v in zip(lists, values, strict=True)) for values in combinations]
    return [method_of(f"{name}({arguments})" if arguments else name) for arguments in texts]


def _tuned(work: _Work, members: list[Method], folds: list[Fold]) -> FloatArray:
    """Per fold, the member that is best on the validation part by the first measure; its values on the test part."""
    values = np.stack([work.of(method) for method in members])
    chosen = np.zeros(values.shape[1:])
    for fold in folds:
        means = values[:, 0, work.columns(fold.validation)].mean(axis=1)
        test = work.columns(fold.test)
        chosen[:, test] = values[int(np.argmax(means))][:, test]
    return chosen


def _learned(work: _Work, learner: Learner, folds: list[Fold] | None) -> FloatArray:
    """A learner's values: trained and tested on folds, or, without folds, on the same queries."""
    if folds is None:
        work.step(f"fitting {learner!r}")
        return work.of(learner.fit(work.rankings, work.labels, conventions=work.conventions))
    values = np.zeros((len(work.measures), len(work.queries)))
    for number, fold in enumerate(folds, start=1):
        work.step(f"fitting {learner!r}, fold {number} of {len(folds)}")
        model = learner.fit(*work.part(fold.train), validation=work.part(fold.validation), conventions=work.conventions)
        rankings, labels = work.part(fold.test)
        judged, found = measured(fuse(rankings, model), labels, work.measures, conventions=work.conventions)
        values[:, work.columns(judged.queries)] = found
    return values


def _baseline(names: list[str], baseline: str | None) -> str:
    if baseline is None:
        return names[0]
    if baseline in names:
        return baseline
    for name in names:  # "borda" for "borda", "rrf" for "rrf(c=60)"
        if name.split("(")[0] == baseline or _same_method(name, baseline):
            return name
    raise UnknownName(f"the baseline {shown(baseline)} is not among the methods{near_names(baseline, names)}")


def _same_method(name: str, text: str) -> bool:
    try:
        return repr(method_of(text)) == name
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
