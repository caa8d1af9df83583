"""Contenders: the lines of a comparison, each a way to get a value per measure and query, held out where it learns."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence
from numbers import Integral
from typing import Any

import numpy as np

from stagg.aggregate import prepare
from stagg.aggregate.plan import Progress
from stagg.data.labels import Labels
from stagg.data.rankings import Rankings, Weights
from stagg.errors import DataError, InvalidParameter, shown
from stagg.evaluation.choices import count_range, tell_choices, tell_edges
from stagg.evaluation.evaluate import order_run
from stagg.evaluation.folds import Fold, check_parts, folds_of_parts, hash_parts
from stagg.evaluation.judged_share import Look, Pool
from stagg.kernels.arrays import FloatArray
from stagg.learning import LEARNERS, Learner, Model
from stagg.learning.grids import family
from stagg.learning.training import learner_of
from stagg.measures import Conventions, Measure
from stagg.measures.unjudged import Unjudged
from stagg.methods import METHODS, Method, Missing, method_of
from stagg.methods.base import MISSING
from stagg.registry import list_given, split_name
from stagg.say import Say, tell

__all__ = ["Contender", "Found", "LearnersLike", "MethodsLike", "Setting", "contenders", "name_methods", "split_names"]

MethodsLike = str | Method | Iterable[str | Method] | Mapping[str, str | Method]
LearnersLike = str | Learner | Iterable[str | Learner] | Mapping[str, str | Learner]
"""One or several, by texts or as objects; "Ours: rrf(c=60)" and ``{"Ours": ...}`` name their rows."""


@dataclasses.dataclass(frozen=True)
class Found:
    """``values[measure, query]``, and what must be said of them.

    ``warnings`` are for the person who runs the comparison; ``absence`` is what absence from a list means to the line.
    ``looks``: the lists behind the values beside their labels, one for each fold.
    """

    values: FloatArray
    notes: Sequence[str] = ()
    warnings: Sequence[str] = ()
    absence: str | None = None
    looks: Sequence[Look] = ()


@dataclasses.dataclass(frozen=True)
class Contender:
    """One line of the table: a name, how to get its values, and how many steps that takes.

    ``held_out`` is "tuned" or "learned" for a line that is tested on queries that it did not see. ``same_queries``:
    it learns from the labels of the very queries that it is tested on. ``learns``: it learns from labels, and takes an
    item without one for irrelevant.
    """

    name: str
    values: Callable[[], Found]
    steps: int = 1
    is_input: bool = False
    held_out: str | None = None
    same_queries: bool = False
    learns: bool = False

    def get(self) -> Found:
        return self.values()


class Setting:
    """Setting of all contenders: the input, the labels of its items, the measures."""

    def __init__(
        self,
        rankings: Rankings,
        labels: Labels,
        measures: list[Measure],
        *,
        conventions: Conventions,
        missing: Missing | None = None,
        weights: Weights | None = None,
        depth: int | None = None,
        only_common: bool = False,
        single_precision: bool | None = None,
        unjudged: Unjudged = "irrelevant",
        progress: Progress | None = None,
    ) -> None:
        if missing is not None and not (isinstance(missing, str) and missing in MISSING):  # learners do not look at it
            choices = ", ".join(map(repr, MISSING))
            raise InvalidParameter(f"missing is {shown(missing)}; it must be one of {choices}")
        rankings = prepare(weights=weights, depth=depth).weigh(rankings).active()
        self.rankings = rankings
        self.labels = labels.take(q for q in labels if q in rankings) if only_common else labels
        self.largest = labels.largest
        self.measures = measures
        self.pool = Pool(measures, unjudged)
        self.conventions = conventions
        self.missing = missing
        self.single_precision = single_precision
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

    def folds(self, given: int | Sequence[Sequence[str]] | None, seed: int) -> list[Fold] | None:
        if given is None:
            return None
        if isinstance(given, int | Integral):
            return folds_of_parts(hash_parts(self.queries, int(given), seed))
        return folds_of_parts(check_parts(given, self.queries))

    def of(self, method: Method) -> tuple[FloatArray, Look]:
        """values[measure, query] of a method on the whole input, and how they were judged."""
        self.step(method.label)
        fused = prepare(method).fuse(self.rankings).consensus
        aligned = self.aligned if fused.items is self.rankings.items else None
        return self.judged(fused, self.labels, aligned)

    def judged(self, fused: Rankings, labels: Labels, aligned: FloatArray | None = None) -> tuple[FloatArray, Look]:
        """values[measure, query] and the look; the largest grade is that of all labels, whatever part is judged."""
        look = self.pool.look(fused, labels, conventions=self.conventions, aligned=aligned, largest=self.largest)
        return self.pool.values(look), look

    def arrange(self, values: Sequence[FloatArray], looks: Sequence[Look]) -> FloatArray:
        """values[measure, query] of all queries, from those of each look."""
        whole = np.zeros((len(self.measures), len(self.queries)))
        for part, look in zip(values, looks, strict=True):
            whole[:, self.columns(look.judged.queries)] = part
        return whole

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
            (
                missing,
                "query with labels is not in the input and counts 0",
                "queries with labels are not in the input and count 0",
            ),
            (
                unlabelled,
                "query of the input has no labels and is left out",
                "queries of the input have no labels and are left out",
            ),
            (empty, "query has no relevant item and counts 0", "queries have no relevant item and count 0"),
        )
        return [f"{count} {one if count == 1 else many}" for count, one, many in counts if count]


def contenders(
    setting: Setting,
    methods: Mapping[str, Method],
    tune: Sequence[tuple[str | None, str]],
    learners: Sequence[tuple[str | None, str | Learner]],
    folds: list[Fold] | None,
    grid: str | None = None,
    *,
    inputs: bool = False,
    measure: str | None = None,
) -> list[Contender]:
    """All lines of a comparison, each named once; learners and families come with their display names, or None.

    ``measure`` is what learners go by whose text does not say it, where that is not to be their own default.
    """
    found = [
        *[_input(setting, number) for number in range(len(setting.rankings.rankers)) if inputs],
        *[_fix(setting, name, method) for name, method in methods.items()],
        *[_family(setting, name, text, folds) for name, text in tune],
        *[_learner(setting, name, each, folds, grid, measure) for name, each in learners],
    ]
    if not found:
        raise InvalidParameter(
            tell("nothing to compare: name methods or learners; ", Say(inputs=True), " compares the inputs themselves")
        )
    names = [contender.name for contender in found]
    for name in names:
        if names.count(name) > 1:
            raise InvalidParameter(f"{name} is named twice")
    return found


def split_names(given: Any) -> list[tuple[str | None, Any]]:
    """(display name or None, text or object) of one thing or of several."""
    if isinstance(given, Mapping):
        return [(name if isinstance(name, str) else shown(name), each) for name, each in given.items()]
    if isinstance(given, Method | Learner):
        return [(None, given)]
    several = list_given(given, "methods and learners")
    return [split_name(each) if isinstance(each, str) else (None, each) for each in several]


def name_methods(methods: MethodsLike, missing: Missing | None) -> dict[str, Method]:
    """Methods by the name of their row: the one given, or their own."""
    named: dict[str, Method] = {}
    for name, given in split_names(methods):
        method = method_of(given).with_missing(missing)
        row = method.label if name is None else name
        if row in named:
            raise InvalidParameter(f"{row} is named twice")
        named[row] = method
    return named


def _input(setting: Setting, number: int) -> Contender:
    """One ranker of the input as it is: what it does not list, it does not have."""

    def judge() -> Found:
        setting.step(name)
        run = order_run(setting.rankings.take_rankers([number]), setting.conventions, setting.single_precision)
        values, look = setting.judged(run, setting.labels)
        return Found(values, looks=[look])

    name = setting.rankings.rankers[number]
    return Contender(name, judge, is_input=True)


def _fix(setting: Setting, name: str, method: Method) -> Contender:
    said = [] if name == method.label else [f"{name}: {method.label}"]
    if isinstance(method, Model):
        said = [f"{name}: a trained model; its figures are held out only if it did not see these queries in training"]

    def judge() -> Found:
        values, look = setting.of(method)
        return Found(values, said, absence=_absence(method), looks=[look])

    return Contender(name, judge)


def _family(setting: Setting, name: str | None, text: str, folds: list[Fold] | None) -> Contender:
    if folds is None:
        raise InvalidParameter(
            "tuning needs folds: a figure that is tuned on the queries it is reported for means nothing"
        )
    if not isinstance(text, str):
        raise InvalidParameter(f"tune takes texts such as 'rrf(c=[10, 60])', not {shown(text)}")
    members = [method.with_missing(setting.missing) for method in METHODS.family(text)]
    row = text if name is None else name
    said = "" if name is None else f"{text}, "
    return Contender(row, lambda: _tune(setting, row, said, members, folds), len(members), held_out="tuned")


def _learner(
    setting: Setting,
    name: str | None,
    given: str | Learner,
    folds: list[Fold] | None,
    grid: str | None,
    measure: str | None,
) -> Contender:
    several = family(LEARNERS, given, grid, measure) if isinstance(given, str) else [learner_of(given)]
    members = [member.with_missing(setting.missing) for member in several]
    if len(members) > 1 and folds is None:
        raise InvalidParameter(f"{given}: choosing among {len(members)} settings needs folds")
    steps = len(folds) * len(members) if folds else 2
    own = repr(members[0]) if len(members) == 1 else f"{given}" + (f" [{grid} grid]" if grid else "")
    row, said = (own, "") if name is None else (name, f"{own}, ")
    seen = folds is None and members[0].needs_labels
    held_out = "learned" if folds else None
    return Contender(
        row, lambda: _learn(setting, row, said, members, folds), steps,
        held_out=held_out, same_queries=seen, learns=members[0].needs_labels and members[0].unjudged_counts,
    )  # fmt: skip


def _absence(*methods: Method) -> str | None:
    """Meaning of absence from a list to a method, or to each of a family; None to a model that has no method."""
    return " or ".join(dict.fromkeys(each.told_absence for each in methods if each.told_absence is not None)) or None


def _tune(setting: Setting, name: str, said: str, members: list[Method], folds: list[Fold]) -> Found:
    """Per fold, the member that is best by the first measure on all queries but those of the test part.

    A method has nothing to train, so the training part can help to choose. The values are those of the test part.
    """
    tried = [setting.of(method) for method in members]
    values = np.stack([each for each, _ in tried])
    found, best, looks = np.zeros(values.shape[1:]), [], []
    for fold in folds:
        best.append(int(np.argmax(values[:, 0, setting.columns(fold.known)].mean(axis=1))))
        test = setting.columns(fold.test)
        found[:, test] = values[best[-1]][:, test]
        looks.append(tried[best[-1]][1].take(fold.test))
    chosen = tell_choices([repr(members[number]) for number in best])
    counts = count_range(len(fold.known) for fold in folds)
    edges = tell_edges(name, members, best)
    notes = [f"{name}: {said}chosen by fold: {chosen} (each on {counts})", *edges]
    return Found(found, notes, edges, _absence(*members), looks)


def _learn(setting: Setting, name: str, said: str, members: list[Learner], folds: list[Fold] | None) -> Found:
    """A learner's values: trained and tested on folds, or, without folds, on the same queries.

    ``said`` is what its name stands for, where that is not its own text.
    """
    if folds is None:
        setting.step(f"fitting {name}")
        model = members[0].fit(setting.rankings, setting.labels, conventions=setting.conventions)
        notes = [f"{name}: {said}chosen on the same queries: {model.learned}"]
        values, look = setting.of(model)
        return Found(values, notes, absence=_absence(model), looks=[look])
    parts, best, models = list[tuple[FloatArray, Look]](), [], list[Model]()
    for number, fold in enumerate(folds, start=1):
        try:
            place, model = _choose(setting, members, fold, f"fitting {name}, fold {number} of {len(folds)}")
        except DataError as error:
            raise DataError(tell(f"{name}, fold {number} of {len(folds)}: ", error)) from error
        rankings, labels = setting.part(fold.test)
        parts.append(setting.judged(prepare(model).fuse(rankings).consensus, labels))
        best.append(place)
        models.append(model)
    chosen = [model.learned if len(members) == 1 else repr(model) for model in models]
    trained = count_range(len(fold.train) for fold in folds)
    validated = count_range(len(fold.validation) for fold in folds)
    counts = f"each trained on {trained}, validated on {validated}"
    edges = tell_edges(name, members, best)
    notes = [f"{name}: {said}chosen by fold: {tell_choices(chosen)} ({counts})", *edges]
    looks = [look for _, look in parts]
    found = setting.arrange([values for values, _ in parts], looks)
    return Found(found, notes, edges, _absence(*models), looks)


def _choose(setting: Setting, members: list[Learner], fold: Fold, what: str) -> tuple[int, Model]:
    """The member that, trained on the fold's training part, is best on its validation part by the first measure.

    Its number, and the model.
    """
    train, validation = setting.part(fold.train), setting.part(fold.validation)
    models = []
    for number, learner in enumerate(members, start=1):
        setting.step(f"{what}, setting {number} of {len(members)}" if len(members) > 1 else what)
        models.append(learner.fit(*train, validation=validation, conventions=setting.conventions))
    if len(models) == 1:
        return 0, models[0]
    fused = [prepare(model).fuse(validation[0]).consensus for model in models]
    means = [setting.judged(each, validation[1])[0][0].mean() for each in fused]
    best = int(np.argmax(means))
    return best, models[best]
