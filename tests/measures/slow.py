"""Every measure written out for one query, slowly and on its own: the oracle, and the random data it is tried on."""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from stagg.data import Rankings
from stagg.measures import Measure

VARIANTS = [
    "ndcg",
    "ndcg@1",
    "ndcg@5",
    "ndcg@1000",
    "ndcg(gain='linear')@3",
    "sdcg@5",
    "sdcg(gain='exp')@3",
    "sdcg(ymax=4)@10",
    "err",
    "err@3",
    "err(ymax=4)@3",
    "rbp(p=0.95)",
    "rbp(p=0.5)@4",
    "rbp(p=0.5, rel=2)",
    "map",
    "map@3",
    "map(rel=2)",
    "p@1",
    "p@5",
    "p(rel=2)@3",
    "recall@4",
    "recall(rel=1.5)@100",
    "rprec",
    "rprec(rel=2)",
    "mrr",
    "mrr@2",
    "mrr(rel=2)",
    "success@1",
    "success(rel=2)@3",
    "judged@3",
    "judged@100",
    "bpref",
    "bpref(rel=2)",
    "kendall_tau",
    "footrule",
]


class Case(NamedTuple):
    """One query: the grades in ranked order (None where not judged), and all grades given for it."""

    ranked: Sequence[float | None]
    given: Sequence[float]
    largest: float
    conventions: str


def slow_value(measure: Measure, case: Case) -> float:
    """The value of a measure by the function of its name below."""
    values = {field.name: getattr(measure, field.name) for field in dataclasses.fields(measure)}
    cutoff = values.pop("cutoff") or 10**9
    return float(SLOW[measure.name](case, cutoff, **values))


def ndcg(case: Case, cutoff: int, gain: str) -> float:
    def dcg(grades: Sequence[float | None]) -> float:
        total = 0.0
        for rank, grade in enumerate(grades[:cutoff], start=1):
            worth = 0.0 if grade is None else (2**grade - 1 if gain == "exp" else grade)
            if case.conventions == "standard":
                total += worth / math.log2(1 + rank)
            else:
                total += worth if rank <= 2 else worth / math.log2(rank)
        return total

    listed = sum(grade is not None for grade in case.ranked)
    documents = len(case.ranked) + len(case.given) - listed
    best = dcg(sorted(case.given, reverse=True))
    if best == 0 or (case.conventions == "letor4" and documents < cutoff < 10**9):
        return 0.0
    return dcg(case.ranked) / best


def sdcg(case: Case, cutoff: int, gain: str, ymax: float | None) -> float:
    def worth(grade: float | None) -> float:
        return 0.0 if grade is None else 2**grade - 1 if gain == "exp" else grade

    def discount(rank: int) -> float:
        if case.conventions == "standard":
            return 1 / math.log2(1 + rank)
        return 1.0 if rank <= 2 else 1 / math.log2(rank)

    most = worth(ymax or case.largest) * sum(discount(rank) for rank in range(1, cutoff + 1))
    total = sum(worth(grade) * discount(rank) for rank, grade in enumerate(case.ranked[:cutoff], start=1))
    return total / most if most else 0.0


def err(case: Case, cutoff: int, ymax: float | None) -> float:
    total, still_reading = 0.0, 1.0
    for rank, grade in enumerate(case.ranked[:cutoff], start=1):
        stop = (2 ** (grade or 0) - 1) / 2 ** (ymax or case.largest)
        total += still_reading * stop / rank
        still_reading *= 1 - stop
    return total


def rbp(case: Case, cutoff: int, p: float, rel: float | None) -> float:
    unit = 1.0 if case.conventions == "letor4" else case.largest or 1.0
    worth = [(grade or 0) / unit if rel is None else (grade or 0) >= rel for grade in case.ranked[:cutoff]]
    return (1 - p) * sum(each * p**position for position, each in enumerate(worth))


def relevant_ranks(case: Case, cutoff: int, rel: float) -> list[int]:
    ranks = enumerate(case.ranked[:cutoff], start=1)
    return [rank for rank, grade in ranks if grade is not None and grade >= rel]


def relevant_given(case: Case, rel: float) -> int:
    return sum(grade >= rel for grade in case.given)


def average_precision(case: Case, cutoff: int, rel: float) -> float:
    found = relevant_ranks(case, cutoff, rel)
    return sum(count / rank for count, rank in enumerate(found, start=1)) / max(1, relevant_given(case, rel))


def bpref(case: Case, cutoff: int, rel: float) -> float:
    """Buckley & Voorhees: over the listed relevant items, the share of the bounded others that stand below."""
    judged = [grade >= rel for grade in case.ranked if grade is not None]
    relevant = relevant_given(case, rel)
    others = len(case.given) - relevant
    total = 0.0
    for place, good in enumerate(judged):
        above = min(sum(not each for each in judged[:place]), relevant)
        total += good and (1 - above / min(relevant, others) if above else 1.0)
    return total / max(1, relevant)


def kendall_tau(case: Case, cutoff: int) -> float:
    judged = [grade for grade in case.ranked if grade is not None]
    signs = [(one > two) - (one < two) for one, two in itertools.combinations(judged, 2)]
    pairs = sum(map(abs, signs))
    return sum(signs) / pairs if pairs else 0.0


def footrule(case: Case, cutoff: int) -> float:
    """The nearest and the farthest order are found by trying all orders."""
    judged = [grade for grade in case.ranked if grade is not None]
    best = sorted(judged, reverse=True)
    ideal = {g: np.mean([rank for rank, other in enumerate(best, start=1) if other == g]) for g in judged}

    def distance(order: Sequence[float]) -> float:
        return float(sum(abs(rank - ideal[grade]) for rank, grade in enumerate(order, start=1)))

    distances = [distance(order) for order in set(itertools.permutations(judged))]
    span = max(distances) - min(distances)
    return (max(distances) - distance(judged)) / span if span else 0.0


SLOW: dict[str, Callable[..., Any]] = {
    "ndcg": ndcg,
    "sdcg": sdcg,
    "err": err,
    "rbp": rbp,
    "map": average_precision,
    "p": lambda case, cutoff, rel: len(relevant_ranks(case, cutoff, rel)) / cutoff,
    "recall": lambda case, cutoff, rel: len(relevant_ranks(case, cutoff, rel)) / max(1, relevant_given(case, rel)),
    "rprec": lambda case, cutoff, rel: (
        len(relevant_ranks(case, relevant_given(case, rel), rel)) / max(1, relevant_given(case, rel))
    ),
    "mrr": lambda case, cutoff, rel: 1 / min(relevant_ranks(case, cutoff, rel), default=math.inf),
    "success": lambda case, cutoff, rel: bool(relevant_ranks(case, cutoff, rel)),
    "judged": lambda case, cutoff: (
        sum(g is not None for g in case.ranked[:cutoff]) / max(1, min(cutoff, len(case.ranked)))
    ),
    "bpref": bpref,
    "kendall_tau": kendall_tau,
    "footrule": footrule,
}


Grades = dict[str, dict[str, float]]


def random_labels(rng: np.random.Generator, queries: int = 6, *, grades: Sequence[float] = (0, 0, 1, 2)) -> Grades:
    """Labels of up to nine items per query; one query has no relevant item."""
    names = [f"d{number}" for number in range(9)]
    chosen = {f"q{q}": rng.permutation(names)[: rng.integers(1, 10)].tolist() for q in range(queries)}
    labels = {query: {item: float(rng.choice(grades)) for item in items} for query, items in chosen.items()}
    return labels | {"none": dict.fromkeys(names[:3], 0.0)}


def random_run(rng: np.random.Generator, queries: int = 6, *, ties: bool = True) -> Grades:
    """Lists of up to seven items, some of them not judged; now and then a query is lacking, and one is not judged."""
    names = [f"d{number}" for number in range(12)]
    run = {}
    for query in [*(f"q{q}" for q in range(queries)), "none", "unknown"]:
        if rng.random() < 0.85:
            items = rng.permutation(names)[: rng.integers(1, 8)].tolist()
            scores = rng.integers(0, 4, len(items)) if ties else rng.permutation(len(items))
            run[query] = {item: float(score) for item, score in zip(items, scores, strict=True)}
    return run


def as_rankings(run: Grades) -> Rankings:
    return Rankings.from_runs({"run": run})


def cases(run: Grades, labels: Grades, conventions: str) -> dict[str, Case]:
    """The case of every query of the labels: ties by id descending, or under letor4 as they stand in the run.

    Items are numbered by first appearance in the run, so the order of each dict is the order of the file.
    """
    largest = max(grade for of in labels.values() for grade in of.values())
    found = {}
    for query, given in labels.items():
        listed = run.get(query, {})
        by_id = listed if conventions == "letor4" else sorted(listed, reverse=True)
        ranked = sorted(by_id, key=lambda item: -listed[item])
        found[query] = Case([given.get(item) for item in ranked], list(given.values()), largest, conventions)
    return found
