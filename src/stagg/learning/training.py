"""``train``: rankings and labels in, a finished model out; part of the queries may be held out to choose by."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence

from stagg.data.inputs.construct import rankings_of
from stagg.data.inputs.types import RankingsLike
from stagg.data.labels import Labels, labels_of
from stagg.data.rankings import Rankings
from stagg.errors import DataWarning, InvalidParameter, shown
from stagg.kernels.streams import hash_name
from stagg.learning.base import Learner, Model, Watch
from stagg.measures import Conventions
from stagg.measures.unjudged import tell_uneven
from stagg.registry import check_seed
from stagg.say import Either, tell

__all__ = ["hold_out", "learner_of", "train"]

Grades = Labels | Mapping[str, Mapping[str, float]]


def train(
    rankings: RankingsLike,
    learner: str | Learner = "few_labels",
    labels: Grades | None = None,
    *,
    validation: tuple[RankingsLike, Grades] | None = None,
    holdout: float | None = None,
    seed: int = 0,
    conventions: Conventions = "standard",
    watch: Watch | None = None,
) -> Model:
    """Train a learner. The result is a method that goes wherever a method goes, and that you can save.

    - ``learner``: text such as "stagg_ndcg(features='ranks')", or a learner object. The default, ``few_labels``, starts
      at the weights that ``stagg_trust`` finds without labels, and moves them as far as the labels ask.
    - ``labels``: ``{query: {item: grade}}``. All learners need them, except ``trust``.
    - ``validation``: other rankings with their labels, for learners that stop or choose by queries on which they were
      not trained. The rankers must be the same. ``holdout`` sets aside a share of the queries for this instead, by a
      hash of (seed, id).
    - ``watch``: a function that is called after every iteration. If it returns True, training stops and the best model
      so far is kept.

    A warning tells you if the labels cover the rankers unevenly: the model may only have learned who was judged.
    ``few_labels`` leaves out what is not judged, so it comes without this warning.

    >>> runs = {"x": {"q": {"a": 2.0, "b": 1.0}}, "y": {"q": {"b": 2.0, "a": 1.0}}}
    >>> train(runs, "best_input", {"q": {"b": 1}})
    best_input(measure='ndcg@5'): y
    """
    chosen = learner_of(learner)
    check_seed(seed)
    given = rankings_of(rankings)
    if not chosen.needs_labels:
        if labels is not None or validation is not None or holdout is not None:
            raise InvalidParameter(f"{chosen.name} learns without labels: labels, validation and holdout have no use")
        return chosen.fit(given, Labels({}), watch=watch)
    if labels is None:
        given_as = Either("labels={query: {item: grade}}", "--qrels")
        raise InvalidParameter(tell(f"{chosen.name} learns from labels: give them as ", given_as))
    if validation is not None and holdout is not None:
        raise InvalidParameter("validation and holdout exclude each other")
    if validation is not None and not (isinstance(validation, tuple | list) and len(validation) == 2):
        raise InvalidParameter(f"validation is a pair of rankings and labels, not {shown(validation)}")
    grades = labels_of(labels)
    part = None if validation is None else (rankings_of(validation[0]), labels_of(validation[1]))
    uneven = tell_uneven(given, grades) if chosen.unjudged_counts else None
    if uneven is not None:
        warnings.warn(f"{uneven}: {chosen.name} may only learn which rankers were judged", DataWarning, stacklevel=2)
    if holdout is not None:
        given, held = _split(given, grades, holdout, seed)
        part = held, grades
    return chosen.fit(given, grades, validation=part, conventions=conventions, watch=watch)


def learner_of(learner: str | Learner) -> Learner:
    """The learner that a text spells, or the learner itself."""
    from stagg.learning import LEARNERS

    return LEARNERS.of(learner, "best_input")


def _split(rankings: Rankings, labels: Labels, share: float, seed: int) -> tuple[Rankings, Rankings]:
    """(rankings to train on, rankings held out), of the queries that have labels."""
    train, held = hold_out([query for query in rankings.queries if query in labels], share, seed)
    number = rankings.query_number
    return rankings.take_queries(list(map(number, train))), rankings.take_queries(list(map(number, held)))


def hold_out(queries: Sequence[str], share: float, seed: int) -> tuple[list[str], list[str]]:
    """(train, held out): a share of the queries by hash of (seed, id)."""
    if not isinstance(share, int | float) or not 0 < share < 1:
        raise InvalidParameter(f"holdout must be a share between 0 and 1, not {shown(share)}")
    ordered = sorted(queries, key=lambda query: hash_name(seed, query))
    kept = len(ordered) - max(1, round(share * len(ordered)))
    if kept < 1:
        raise InvalidParameter(f"holding out {share:g} of {len(ordered)} queries leaves none to train on")
    return ordered[:kept], ordered[kept:]
