"""Jobs: the pieces that experiments are made of, each computed, stored and looked up on its own."""

from __future__ import annotations

import abc
import dataclasses
import functools
import itertools
import json
import time
import warnings
from typing import Any, Final

from stagg.errors import DataError, DataWarning
from stagg.evaluation.contenders import Setting, contenders
from stagg.evaluation.folds import folds_of_parts
from stagg.evaluation.robustness import draw_rankers, measure_draw
from stagg.kernels.arrays import FloatArray
from stagg.learning import LEARNERS
from stagg.learning.grids import family
from stagg.learning.single.best_input import OneRanker
from stagg.measures import parse_measures
from stagg.methods import method_of
from stagg.paper.experiments.printed import MEASURES
from stagg.paper.views import View, open_view

__all__ = ["CONVENTIONS", "Answer", "DrawJob", "FoldJob", "FusionJob", "Job", "RankersJob"]

CONVENTIONS: Final = "letor4"

SECONDS = {
    "plackett_luce": 3.5, "svp": 2.0, "mpm": 1.5, "mclk": 1.5, "best_input": 2.0, "every ranker alone": 4.0,
    "stagg_ndcg": 6.0, "stagg_err": 6.0, "stagg_rbp": 4.0, "rankagg_ndcg": 8.0, "rankagg_err": 10.0, "rankagg_rbp": 8.0,
    "cps": 8.0, "theta_mpm": 10.0,
}  # fmt: skip
"""About how long a method takes on all of MQ2007-agg: a guess, for the order of work and the progress bar."""

Answer = dict[str, Any]
"""Findings of a job, as JSON values; ``seconds`` are those of the processor."""


@dataclasses.dataclass(frozen=True)
class Job(abc.ABC):
    """One thing to compute on one view of the data; its fields say everything that the answer depends on."""

    view: View
    method: str

    @property
    def what(self) -> str:
        """The computation: the method or learner, and what is done with it."""
        return self.method

    @property
    def name(self) -> str:
        return f"{self.view.name}, {self.what}"

    @property
    def cost(self) -> float:
        """About how many seconds it takes on all of MQ2007-agg."""
        return SECONDS.get(self.method.partition("(")[0], 0.3)

    @property
    def weight(self) -> float:
        """About how many seconds it takes on this view."""
        return self.cost * (1.0 if self.view.name == "MQ2007-agg" else 0.5) / self.view.every + 0.05

    @property
    def group(self) -> tuple[str, ...]:
        """Jobs of one group share what a process keeps: files that it has read, features that it has computed."""
        return self.view.name, self.view.values, "cp" if "(features='cp" in self.method else ""  # cp takes a minute

    def make_key(self) -> str:
        """Return everything but the files that the answer depends on, as one line."""
        fields = dataclasses.asdict(self)
        del fields["view"]["folder"]
        return json.dumps({"kind": type(self).__name__, "in full": self.list_settings()} | fields, sort_keys=True)

    def list_settings(self) -> list[str]:
        """List the method, or the learners to choose from, with all parameters: a default may change."""
        return [repr(method_of(self.method))]

    def answer(self) -> Answer:
        """Compute the answer; add the warnings that came up and the time it took."""
        start = time.process_time()
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", DataWarning)
            answer = self.compute()
        said = [*answer.get("said", []), *dict.fromkeys(str(each.message) for each in caught)]
        return answer | {"said": said, "seconds": time.process_time() - start}

    @abc.abstractmethod
    def compute(self) -> Answer: ...


@dataclasses.dataclass(frozen=True)
class FusionJob(Job):
    """A method on all queries: a value for each measure and query."""

    measures: tuple[str, ...] = MEASURES

    def compute(self) -> Answer:
        setting = _make_setting(self.view, self.measures)
        values, _ = setting.of(method_of(self.method))
        return _list_by_query(setting, values)


@dataclasses.dataclass(frozen=True)
class FoldJob(Job):
    """A learner on one fold: trained, its settings chosen on the validation part by the first measure, and measured on
    the test part. Without a fold it is trained and measured on all queries, as the paper takes the best input."""

    measures: tuple[str, ...] = MEASURES
    fold: int | None = None
    grid: str | None = None

    @property
    def what(self) -> str:
        return self.method if self.fold is None else f"{self.method}, fold {self.fold + 1}"

    @property
    def cost(self) -> float:
        return super().cost * {None: 1, "small": 3, "paper": 40}.get(self.grid, 1)

    def list_settings(self) -> list[str]:
        return [repr(member) for member in family(LEARNERS, self.method, self.grid)]

    def compute(self) -> Answer:
        setting = _make_setting(self.view, self.measures)
        folds = None if self.fold is None else [folds_of_parts(open_view(self.view).parts)[self.fold]]
        [contender] = contenders(setting, {}, [], [(None, self.method)], folds, self.grid)
        found = contender.get()
        answer = _list_by_query(setting, found.values)
        if folds is not None:
            tested = setting.columns(sorted(folds[0].test))
            answer["queries"] = [setting.queries[column] for column in tested]
            answer["values"] = {name: [row[column] for column in tested] for name, row in answer["values"].items()}
        return answer | {"said": list(found.notes)}


@dataclasses.dataclass(frozen=True)
class DrawJob(Job):
    """A method on one random subset of the rankers: the mean of each measure."""

    size: int
    draw: int
    seed: int
    measures: tuple[str, ...] = ("ndcg@5",)

    @property
    def what(self) -> str:
        return f"{self.method}, {self.size} rankers, draw {self.draw + 1}"

    def compute(self) -> Answer:
        given, measures = open_view(self.view), parse_measures(self.measures)
        if self.size > len(given.rankings.rankers):
            raise DataError(f"{self.view.name} has {len(given.rankings.rankers)} rankers; {self.size} cannot be drawn")
        subset = draw_rankers(given.rankings, self.size, self.draw, self.seed)
        means = measure_draw(given.rankings, given.labels, [method_of(self.method)], measures, CONVENTIONS, subset)
        return {"means": dict(zip(self.measures, means[0].tolist(), strict=True))}


@dataclasses.dataclass(frozen=True)
class RankersJob(Job):
    """Every ranker alone, which shows what the numbers mean: the mean of a measure for each; and of all pairs of
    documents with different grades in one list, how many have the better one above."""

    method: str = "every ranker alone"
    measure: str = "ndcg@5"

    def list_settings(self) -> list[str]:
        return []

    def compute(self) -> Answer:
        setting = _make_setting(self.view, (self.measure,))
        rankers = setting.rankings.rankers
        models = {name: OneRanker(learner="one ranker", rankers=rankers, ranker=name) for name in rankers}
        above, pairs = _count_pairs(setting)
        means = {name: float(setting.of(model)[0].mean()) for name, model in models.items()}
        return {"means": means, "above": above, "pairs": pairs}


def _count_pairs(setting: Setting) -> tuple[int, int]:
    """Count (pairs whose better document stands above the other, all pairs of different grades and places)."""
    given = setting.rankings
    above = pairs = 0
    for low, high in itertools.pairwise(given.entry_offsets.tolist()):
        grades, places = setting.aligned[given.entries[low:high]], given.mean_positions[low:high]
        better = (grades[:, None] > grades) & (places[:, None] != places)
        above += int((better & (places[:, None] < places)).sum())
        pairs += int(better.sum())
    return above, pairs


@functools.lru_cache(maxsize=8)
def _make_setting(view: View, measures: tuple[str, ...]) -> Setting:
    given = open_view(view)
    options: dict[str, Any] = {"conventions": CONVENTIONS, "missing": None, "only_common": False, "progress": None}
    return Setting(given.rankings, given.labels, parse_measures(measures), **options)


def _list_by_query(setting: Setting, values: FloatArray) -> Answer:
    names = [repr(measure) for measure in setting.measures]
    by_measure = {name: row.tolist() for name, row in zip(names, values, strict=True)}
    return {"queries": list(setting.queries), "values": by_measure}
