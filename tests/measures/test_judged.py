"""Laying runs beside labels: which queries, which order of ties, which blocks."""

from __future__ import annotations

import numpy as np
import pytest
from tests.measures.slow import VARIANTS, as_rankings, random_labels, random_run

import stagg
from stagg.data import Labels, Rankings
from stagg.errors import InvalidParameter
from stagg.measures import CONVENTIONS, Judged, judge, parse_measures
from stagg.measures import judged as module

LABELS = Labels({"b": {"x": 2, "y": 0}, "a": {"x": 1}, "zero": {"x": 0}})
RUN = as_rankings({"b": {"x": 1.0, "new": 2.0}, "other": {"x": 1.0}, "also": {"x": 1.0}})


def grades(judged: Judged) -> dict[str, list[float]]:
    """The grades of each query's list, without padding."""
    found = {}
    for block in judged.blocks:
        for row, values, size in zip(block.rows, block.grades, block.sizes, strict=True):
            assert (values[size:] == module.PAD).all()
            found[judged.queries[row]] = values[:size].tolist()
    return found


def test_every_query_of_the_labels_is_evaluated_in_order_of_id() -> None:
    judged = judge(RUN, LABELS)
    assert judged.queries == ("a", "b", "zero")
    assert judged.sizes.tolist() == [0, 2, 0]
    assert judged.missing == ("a", "zero")
    assert judged.unjudged == ("also", "other")
    assert judged.without_relevant == 1
    assert judged.largest == 2
    assert grades(judged) == {"a": [], "b": [-1, 2], "zero": []}


def test_only_common_leaves_out_what_the_run_lacks_and_still_names_it() -> None:
    judged = judge(RUN, LABELS, only_common=True)
    assert judged.queries == ("b",)
    assert judged.missing == ("a", "zero")
    assert judged.without_relevant == 0


def test_the_largest_label_is_that_of_all_queries_whatever_is_evaluated() -> None:
    judged = judge(as_rankings({"a": {"x": 1.0}}), LABELS, only_common=True)
    assert judged.largest == judged.blocks[0].largest == 2


def test_ideal_grades_are_all_that_were_given_in_descending_order() -> None:
    judged = judge(as_rankings({"q": {"c": 1.0}}), Labels({"q": {"a": 0, "b": 2, "c": 1, "d": -1, "e": 2}}))
    assert judged.blocks[0].ideal.tolist() == [[2, 2, 1, 0]]


def test_candidates_in_no_list_do_not_appear() -> None:
    declared = as_rankings({"q": {"a": 2.0, "b": 1.0}}).replace(entries=np.array([0]), entry_offsets=np.array([0, 1]))
    declared = declared.replace(tied=np.array([False]), scores=np.array([2.0]), declared=True)
    judged = judge(declared, Labels({"q": {"a": 1, "b": 2}}))
    assert grades(judged) == {"q": [1]}


TIED = {"q": {"b": 1.0, "é": 1.0, "a": 1.0, "Z": 1.0, "top": 2.0}}
TIED_LABELS = Labels({"q": {"b": 1, "é": 2, "a": 3, "Z": 4, "top": 5}})


def test_tied_items_go_by_id_descending_bytewise_as_in_trec_eval() -> None:
    assert grades(judge(as_rankings(TIED), TIED_LABELS)) == {"q": [5, 2, 1, 3, 4]}


def test_under_letor4_tied_items_keep_the_order_of_the_file() -> None:
    assert grades(judge(as_rankings(TIED), TIED_LABELS, conventions="letor4")) == {"q": [5, 1, 2, 3, 4]}


def test_a_fused_run_whose_ties_are_by_id_still_goes_by_file_under_letor4() -> None:
    fused = stagg.fuse([["b"], ["a"], ["c"]], "votecount")
    labels = Labels({"1": {"b": 1, "a": 2, "c": 3}})
    assert grades(judge(fused, labels)) == {"1": [3, 1, 2]}
    assert grades(judge(fused, labels, conventions="letor4")) == {"1": [1, 2, 3]}


def test_single_precision_ties_within_a_list_and_never_across_queries() -> None:
    run = as_rankings({"p": {"a": 1.0 + 1e-9, "b": 1.0}, "q": {"c": 1.0, "b": 0.5}, "r": {"b": 1e300, "c": 1e200}})
    labels = Labels({query: {"a": 1, "b": 2, "c": 3} for query in "pqr"})
    assert grades(judge(run, labels)) == {"p": [1, 2], "q": [3, 2], "r": [2, 3]}
    assert grades(judge(run, labels, single_precision=True)) == {"p": [2, 1], "q": [3, 2], "r": [3, 2]}


def test_single_precision_does_not_matter_to_lists_without_scores() -> None:
    run = Rankings.from_lists([["a", "b"]], query="q")
    assert grades(judge(run, Labels({"q": {"a": 1, "b": 2}}), single_precision=True)) == {"q": [1, 2]}


def test_aligned_grades_are_made_once_and_serve_every_run_over_the_same_items() -> None:
    rng = np.random.default_rng(3)
    rankings = Rankings.from_runs({f"r{number}": random_run(rng) for number in range(4)})
    labels = Labels(random_labels(rng))
    aligned = labels.aligned(rankings)
    for method in ("borda", "rrf(c=60)", "votecount"):
        run = stagg.fuse(rankings, method)
        for conventions in CONVENTIONS:
            one = judge(run, labels, conventions=conventions)
            assert grades(one) == grades(judge(run, labels, conventions=conventions, aligned=aligned))


def test_aligned_grades_of_other_items_are_refused() -> None:
    with pytest.raises(InvalidParameter, match="aligned has 1 grades for a run of 4 items"):
        judge(RUN, LABELS, aligned=np.zeros(1))


def test_a_run_of_several_rankers_is_refused_by_name() -> None:
    with pytest.raises(InvalidParameter, match="has one ranker; this one has 2: 'bm25', 'dense'"):
        judge(Rankings.from_lists({"bm25": ["a"], "dense": ["b"]}), LABELS)


def test_unknown_conventions_are_refused_with_the_near_name() -> None:
    with pytest.raises(InvalidParameter, match="unknown conventions 'letor'; did you mean 'letor4'"):
        judge(RUN, LABELS, conventions="letor")


@pytest.mark.parametrize("cells", [1, 7, 20])
def test_blocks_of_any_size_give_the_same_bytes(cells: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(cells)
    run, labels = as_rankings(random_run(rng, 20)), Labels(random_labels(rng, 20))
    whole = judge(run, labels)
    monkeypatch.setattr(module, "CELLS", cells)
    split = judge(run, labels)
    assert len(whole.blocks) == 1 < len(split.blocks)
    assert all(len(block.rows) == 1 or max(block.grades.size, block.ideal.size) <= cells for block in split.blocks)
    assert np.sort(np.concatenate([block.rows for block in split.blocks])).tolist() == list(range(len(split)))
    for measure in parse_measures(VARIANTS):
        assert measure.value(whole).tobytes() == measure.value(split).tobytes(), measure


def test_one_long_list_among_thousands_of_short_ones_does_not_blow_up_memory() -> None:
    run = {f"q{number}": {"a": 1.0} for number in range(3000)}
    run["long"] = {f"d{number}": float(-number) for number in range(30_000)}
    judged = judge(as_rankings(run), Labels({query: {"a": 1} for query in run}))
    assert sum(block.grades.size + block.ideal.size for block in judged.blocks) < 100_000


def test_there_may_be_nothing_to_evaluate() -> None:
    for labels in (Labels({}), Labels({"other": {"a": 1}}), Labels({"q": {"a": -1}})):
        judged = judge(as_rankings({"q": {"a": 1.0}}), labels, only_common=True)
        for measure in parse_measures(VARIANTS):
            assert not measure.value(judged).any()
