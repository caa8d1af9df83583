"""Learner and Model, the base classes: labels in, a finished method out."""

from __future__ import annotations

import abc
import dataclasses
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np

from stagg.data.labels import Labels
from stagg.data.rankings import Rankings
from stagg.errors import DataError, DataWarning, InvalidParameter, shown
from stagg.kernels.arrays import FloatArray
from stagg.kernels.id_order import order_by_id
from stagg.measures import Conventions, Measure, judge
from stagg.methods import METHODS
from stagg.methods.base import Method, Missing
from stagg.methods.consensus import consensus
from stagg.registry import Parametrised, real_number

__all__ = [
    "Learner", "Lesson", "Model", "Step", "Watch", "mean_measure", "one_measure", "restore_numbers", "restore_rows",
    "take_labelled",
]  # fmt: skip


class Step(NamedTuple):
    """Report of a learner after each iteration; ``objective`` and ``validation`` are better when higher.

    ``validation`` is the mean of the learner's measure on the validation part, None where there is none.
    """

    iteration: int
    iterations: int
    objective: float
    validation: float | None = None


Watch = Callable[[Step], bool]
"""Called after every iteration; True asks the learner to stop there and return the best model so far."""


class Lesson(NamedTuple):
    """Input of a learner: rankings and their labels, a part to choose by, the conventions, who watches."""

    rankings: Rankings
    labels: Labels
    validation: tuple[Rankings, Labels] | None = None
    conventions: Conventions = "standard"
    watch: Watch | None = None


FACTS = {"mean": "mean over the training queries", "validation": "mean over the validation queries"}
"""Words for the names of facts that would leave a question."""
LONGEST_LEARNED = 200  # characters of what a model says of itself


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class Learner(Parametrised, abc.ABC):
    """Parameters of a way to learn; :meth:`fit` returns a finished, immutable method, so "not fitted" cannot happen."""

    needs_labels: ClassVar[bool] = True
    unjudged_counts: ClassVar[bool] = True
    """Whether an item without a label teaches that it is irrelevant; then uneven labels teach who was judged."""
    model_class: ClassVar[type[Model] | None] = None
    """The class of its models, for a learner of another package: so that `load_model` can restore what it saved."""

    def with_missing(self, missing: Missing | None) -> Learner:
        """The learner with another meaning of absence, where its method has one."""
        return self

    def fit(
        self,
        rankings: Rankings,
        labels: Labels | None = None,
        *,
        validation: tuple[Rankings, Labels] | None = None,
        conventions: Conventions = "standard",
        watch: Watch | None = None,
    ) -> Model:
        """Learn from the queries that have labels; ``validation`` is a part to stop or choose by."""
        return self.learn(Lesson(rankings, labels or Labels({}), validation, conventions, watch))

    @abc.abstractmethod
    def learn(self, lesson: Lesson) -> Model:
        """Learn a model from a lesson.

        A learner that iterates calls ``lesson.watch`` after every iteration and stops, with the best model so far, when
        it returns True.
        """


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class Model(Method):
    """A finished method: it goes wherever a method goes, knows the rankers it was trained on, and can be saved.

    Rankers that it does not know are refused; those that it knows and the input lacks count as empty, with a warning.
    """

    kind: ClassVar[str]

    learner: str
    rankers: tuple[str, ...]
    training: tuple[tuple[str, Any], ...] = ()

    @abc.abstractmethod
    def content(self) -> dict[str, Any]:
        """The learned content, as JSON values."""

    @classmethod
    @abc.abstractmethod
    def restore(cls, common: dict[str, Any], content: dict[str, Any]) -> Model:
        """The model that :meth:`content` described; ``common`` holds learner, rankers and training."""

    @property
    def told_absence(self) -> Missing | None:
        """That of the method it puts weights on; None where it has learned from absence what it means."""
        inner: str | None = getattr(self, "method", None)
        return None if inner is None else METHODS.parse(inner).told_absence

    @property
    def label(self) -> str:
        """The learner that made it."""
        return self.learner

    @property
    def tag(self) -> str:
        """The name of the learner that made it."""
        return self.learner.partition("(")[0]

    def check_rankers(self, rankings: Rankings) -> None:
        """Refuse rankers that the model does not know, and warn of those that the input lacks."""
        self.refuse_unknown(rankings)
        if not self.weighs and len(set(rankings.weights.tolist()) - {0.0}) > 1:
            said = f"{self.tag} has learned how far to believe each ranker: weights have no effect, but for 0"
            warnings.warn(said, DataWarning, stacklevel=3)
        absent = [name for name in self.rankers if name not in rankings.rankers]
        if absent:
            names = ", ".join(map(shown, absent))
            warnings.warn(f"the input lacks rankers that the model knows: {names}", DataWarning, stacklevel=3)

    def refuse_unknown(self, rankings: Rankings) -> None:
        unknown = [name for name in rankings.rankers if name not in self.rankers]
        if unknown:
            known = ", ".join(map(shown, self.rankers))
            raise DataError(f"the model does not know the ranker {shown(unknown[0])}; it was trained on {known}")

    @property
    def learned(self) -> str:
        """Summary of what was learned: the content where it is short, else what the training came to."""
        text = ", ".join(_shorten(value) for key, value in self.content().items() if key != "lengths")
        if len(text) <= LONGEST_LEARNED:
            return text
        facts = [(key, value) for key, value in self.training if key not in ("queries", "measure")]
        return ", ".join(f"{key} {value:.4g}" if isinstance(value, float) else f"{key} {value}" for key, value in facts)

    def tell_training(self) -> str:
        """Summary of the training, for people: "queries 50, ..., mean over the training queries 0.7445"."""
        texts = ((key, f"{value:.4f}" if isinstance(value, float) else value) for key, value in self.training)
        return ", ".join(f"{FACTS.get(key, key)} {text}" for key, text in texts)

    def tell_rankers(self) -> list[str]:
        """Lines for people on what was learned of the rankers; none for a model that learns something else."""
        return []

    def save(self, path: str | Path) -> None:
        """Write the model as JSON, atomically; :func:`stagg.load_model` reads it."""
        from stagg.formats.storage.atomic import replacing
        from stagg.learning.model_files import model_text

        text = model_text(self).encode()
        with replacing(path) as stream:
            stream.write(text)

    def __repr__(self) -> str:
        return f"{self.learner}: {self.learned}"


def restore_numbers(content: dict[str, Any], name: str, rankers: tuple[str, ...], least: float = -np.inf) -> Any:
    """The numbers that a model file has for its rankers, without texts and truth values."""
    return tuple(real_number(f"{name} of {shown(ranker)}", content[name][ranker], least=least) for ranker in rankers)


def restore_rows(content: dict[str, Any], name: str, rankers: tuple[str, ...]) -> tuple[tuple[float, ...], ...]:
    """The same, several for each ranker."""
    return tuple(
        tuple(real_number(f"{name} of {shown(ranker)}", value) for value in content[name][ranker]) for ranker in rankers
    )


def _shorten(value: Any) -> str:
    if not isinstance(value, dict):
        return str(value)
    return " ".join(
        f"{name}={each:g}" if isinstance(each, int | float) else f"{name}={each}" for name, each in value.items()
    )


def take_labelled(rankings: Rankings, labels: Labels, part: str = "rankings") -> Rankings:
    """The queries that have labels, with at least one item to rank; there must be some.

    Rankers and queries come in the order of their names, so that what is learned does not depend on the order of the
    files.
    """
    known = sorted((v.number for v in rankings if v.id in labels and len(v)), key=rankings.queries.__getitem__)
    if not known:
        raise DataError(f"no query of the {part} has a label; are the query ids of the labels the same?")
    return rankings.take_queries(known).take_rankers(order_by_id(rankings.rankers))


def mean_measure(
    method: Method, rankings: Rankings, labels: Labels, measure: Measure, conventions: Conventions, aligned: FloatArray
) -> float:
    """The mean of a measure over the queries of some rankings."""
    bound, weighted = method.bind(rankings)
    active = weighted.active()
    aligned = aligned if active.items is rankings.items else labels.aligned(active)
    judged = judge(consensus(active, bound), labels, conventions=conventions, only_common=True, aligned=aligned)
    return float(np.mean(measure.value(judged)))


def one_measure(learner: Parametrised, text: str) -> Measure:
    """The measure that a learner goes by."""
    from stagg.measures import MEASURES

    if not isinstance(text, str):
        raise InvalidParameter(f"{learner.name}: measure is {shown(text)}; it must be a text such as 'ndcg@10'")
    return MEASURES.parse(text)
