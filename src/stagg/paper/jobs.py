"""Tasks: the pieces that experiments are made of, each computed, kept and looked up by itself."""

from __future__ import annotations

import abc
import dataclasses
import functools
import itertools
import json
import time
import warnings
from typing import Any, ClassVar

from stagg.aggregate import method_of
from stagg.errors import DataError, DataWarning
from stagg.evaluation.contenders import Setting, contenders
from stagg.evaluation.folds import folds_of_parts
from stagg.evaluation.robustness import drawn_means, drawn_rankers
from stagg.learning import LEARNERS
from stagg.learning.best_input import OneRanker
from stagg.learning.grids import family
from stagg.measures import parse_measures
from stagg.paper.printed import MEASURES
from stagg.paper.views import View, opened

__all__ = ["Alone", "Answer", "Drawn", "Fused", "Learned", "Task"]

CONVENTIONS = "letor4"

Answer = dict[str, Any]
"""What a task found, as JSON values; ``seconds`` are those of the processor."""


@dataclasses.dataclass(frozen=True)
class Task(abc.ABC):
    """One thing to compute on one view of the data; its fields say all that the answer depends on."""

    kind: ClassVar[str]

    view: View

    @property
    def name(self) -> str:
        """What is being computed, for people."""
        return f"{self.view.name}, {self.what}"

    @property
    @abc.abstractmethod
    def what(self) -> str:
        """The method or learner, and what is done with it."""

    @property
    @abc.abstractmethod
    def cost(self) -> float:
        """About how many seconds it takes on all of MQ2007-agg; a guess, for the order of work and the estimate."""

    @property
    def group(self) -> tuple[str, ...]:
        """Tasks of one group share what a worker keeps: the files it has read, features it has computed."""
        return self.view.name, self.view.values

    @property
    def weight(self) -> float:
        """The cost on this view."""
        return self.cost * (1.0 if self.view.name == "MQ2007-agg" else 0.5) / self.view.every + 0.05

    def text(self) -> str:
        """All that the answer depends on but the content of the files, as one line."""
        fields = dataclasses.asdict(self)
        del fields["view"]["folder"]
        return json.dumps({"kind": self.kind, "in full": self.in_full()} | fields, sort_keys=True)

    @abc.abstractmethod
    def in_full(self) -> list[str]:
        """The method, or the learners to choose from, with all their parameters: a default may change."""

    def answer(self) -> Answer:
        """The answer, with what was said on the way and the time it took."""
        start = time.process_time()
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always", DataWarning)
            found = self.compute()
        notes = [*found.get("said", []), *dict.fromkeys(str(each.message) for each in said)]
        return found | {"said": notes, "seconds": time.process_time() - start}

    @abc.abstractmethod
    def compute(self) -> Answer: ...


@dataclasses.dataclass(frozen=True)
class Fused(Task):
    """A method on all queries: a value for each measure and query."""

    kind = "fused"

    method: str
    measures: tuple[str, ...] = MEASURES

    @property
    def what(self) -> str:
        return self.method

    @property
    def cost(self) -> float:
        return _cost(self.method)

    def in_full(self) -> list[str]:
        return [repr(method_of(self.method))]

    def compute(self) -> Answer:
        setting = _setting(self.view, self.measures)
        return _by_query(setting, setting.of(method_of(self.method)))


@dataclasses.dataclass(frozen=True)
class Learned(Task):
    """A learner on one fold: trained, chosen on the validation part by the first measure, and measured on the test
    part. Without a fold it is trained and measured on all queries, as the paper takes the best input."""

    kind = "learned"

    learner: str
    measures: tuple[str, ...] = MEASURES
    fold: int | None = None
    grid: str | None = None

    @property
    def what(self) -> str:
        return self.learner if self.fold is None else f"{self.learner}, fold {self.fold + 1}"

    @property
    def cost(self) -> float:
        return _cost(self.learner) * {None: 1, "small": 3, "paper": 40}.get(self.grid, 1)

    @property
    def group(self) -> tuple[str, ...]:
        return (*super().group, "cp" if "(features='cp" in self.learner else "")  # these features take a minute

    def in_full(self) -> list[str]:
        return [repr(member) for member in family(LEARNERS, self.learner, self.grid)]

    def compute(self) -> Answer:
        setting = _setting(self.view, self.measures)
        folds = None if self.fold is None else [folds_of_parts(opened(self.view).parts)[self.fold]]
        [contender] = contenders(setting, [], [], [self.learner], folds, self.grid)
        values, said = contender.get()
        found = _by_query(setting, values)
        if folds is not None:
            tested = setting.columns(sorted(folds[0].test))
            found["queries"] = [setting.queries[column] for column in tested]
            found["values"] = {name: [row[column] for column in tested] for name, row in found["values"].items()}
        return found | {"said": said}


@dataclasses.dataclass(frozen=True)
class Drawn(Task):
    """A method on one random subset of the rankers: the mean of each measure."""

    kind = "drawn"

    method: str
    size: int
    draw: int
    seed: int
    measures: tuple[str, ...] = ("ndcg@5",)

    @property
    def what(self) -> str:
        return f"{self.method}, {self.size} rankers, draw {self.draw + 1}"

    @property
    def cost(self) -> float:
        return _cost(self.method)

    def in_full(self) -> list[str]:
        return [repr(method_of(self.method))]

    def compute(self) -> Answer:
        given, measures = opened(self.view), parse_measures(self.measures)
        if self.size > len(given.rankings.rankers):
            raise DataError(f"{self.view.name} has {len(given.rankings.rankers)} rankers; {self.size} cannot be drawn")
        subset = drawn_rankers(given.rankings, self.size, self.draw, self.seed)
        means = drawn_means(given.rankings, given.labels, [method_of(self.method)], measures, CONVENTIONS, subset)
        return {"means": dict(zip(self.measures, means[0].tolist(), strict=True))}


@dataclasses.dataclass(frozen=True)
class Alone(Task):
    """Every ranker alone, which shows what the numbers mean: the mean of a measure for each; and of all pairs of
    documents with different grades in one list, how many have the better one above."""

    kind = "alone"

    measure: str = "ndcg@5"

    @property
    def what(self) -> str:
        return "every ranker alone"

    @property
    def cost(self) -> float:
        return 4.0

    def in_full(self) -> list[str]:
        return []

    def compute(self) -> Answer:
        setting = _setting(self.view, (self.measure,))
        rankers = setting.rankings.rankers
        models = {name: OneRanker(learner="one ranker", rankers=rankers, ranker=name) for name in rankers}
        above, pairs = _pairs_in_order(setting)
        means = {name: float(setting.of(model).mean()) for name, model in models.items()}
        return {"means": means, "above": above, "pairs": pairs}


def _pairs_in_order(setting: Setting) -> tuple[int, int]:
    """(pairs whose better document stands above the other, all pairs of different grades and places) over all lists."""
    given = setting.rankings
    above = pairs = 0
    for low, high in itertools.pairwise(given.entry_offsets.tolist()):
        grades, places = setting.aligned[given.entries[low:high]], given.mean_positions[low:high]
        better = (grades[:, None] > grades) & (places[:, None] != places)
        above += int((better & (places[:, None] < places)).sum())
        pairs += int(better.sum())
    return above, pairs


SECONDS = {
    "plackett_luce": 3.5,
    "svp": 2.0,
    "mpm": 1.5,
    "mclk": 1.5,
    "best_input": 2.0,
    "stagg_ndcg": 6.0,
    "stagg_err": 6.0,
    "stagg_rbp": 4.0,
    "rankagg_ndcg": 8.0,
    "rankagg_err": 10.0,
    "rankagg_rbp": 8.0,
    "cps": 8.0,
    "theta_mpm": 10.0,
}


def _cost(text: str) -> float:
    return SECONDS.get(text.partition("(")[0], 0.3)


@functools.lru_cache(maxsize=8)
def _setting(view: View, measures: tuple[str, ...]) -> Setting:
    given = opened(view)
    return Setting(
        given.rankings,
        given.labels,
        parse_measures(measures),
        conventions=CONVENTIONS,
        missing=None,
        only_common=False,
        progress=None,
    )


def _by_query(setting: Setting, values: Any) -> Answer:
    names = [repr(measure) for measure in setting.measures]
    return {
        "queries": list(setting.queries),
        "values": {name: row.tolist() for name, row in zip(names, values, strict=True)},
    }
