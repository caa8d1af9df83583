"""How sure the consensus is, and why: intervals by resampling, and explanations."""

from __future__ import annotations

import numpy as np
import pytest

from stagg import InvalidParameter, Rankings, UnknownName, explain, fuse
from stagg.aggregate.resampling import voter_weights
from stagg.data.parts import join_queries
from stagg.data.simulation import simulate
from stagg.methods import METHODS
from tests.strategies import random_rankings

ADDITIVE = [name for name in METHODS.names() if METHODS.parse(name).is_additive()]
OTHERS = [name for name in METHODS.names() if not METHODS.parse(name).is_additive()]


def test_there_are_both_kinds_of_methods() -> None:
    assert {"borda", "rrf", "stagg_rrf", "mean_rank", "combsum"} <= set(ADDITIVE)
    assert {"isr", "log_isr", "combmnz", "median_rank"} <= set(OTHERS)
    assert not METHODS.parse("rrf(compat='qdrant')").is_additive()


@pytest.mark.parametrize("name", METHODS.names())
def test_intervals_hold_the_rank_range_and_stand_beside_the_consensus(name: str) -> None:
    rankings = random_rankings(11, rankers=5)
    plain, sure = fuse(rankings, name), fuse(rankings, name, intervals=0.9, draws=50)
    assert sure == plain
    found = sure.intervals
    assert found is not None
    assert len(found.low) == len(sure.entries)
    assert (found.low >= 1).all()
    assert (found.low <= found.high).all()
    sizes = sure.sizes[sure.item_queries[sure.entries]]
    assert (found.high <= sizes).all()
    assert ((found.top >= 0) & (found.top <= 1)).all()
    starts = sure.entry_offsets[:-1]
    assert (found.group[starts] == 1).all()
    assert (np.diff(found.group)[~np.isin(np.arange(1, len(found.group)), starts)] >= 0).all()


@pytest.mark.parametrize("name", ["rrf", "borda", "combsum", "stagg_rrf", "mean_rank", "votecount", "rbc"])
def test_the_matrix_of_contributions_gives_what_running_the_method_again_gives(name: str) -> None:
    """The fast route for additive methods against the plain one: the same draws, the same intervals."""
    from stagg.aggregate.resampling import _ranks
    from stagg.methods.base import entry_gains

    method = METHODS.parse(name)
    rankings = random_rankings(5, rankers=4, queries=3).with_weights([1, 2, 0.5, 1])
    fused = fuse(rankings, method)
    gains = entry_gains(method, rankings)
    assert gains is not None
    for query in range(3):
        fast = _ranks(fused, rankings, method, query, gains, 40, 7)
        again = _ranks(fused, rankings, method, query, None, 40, 7)
        for mine, theirs in zip(
            fast, again, strict=True
        ):  # what ties in one ties in the other: rounding decides nothing
            assert (mine == theirs).all()


def test_one_ranker_leaves_nothing_to_resample() -> None:
    found = fuse([["a", "b", "c"]], intervals=0.9).intervals
    assert found is not None
    assert found.low.tolist() == found.high.tolist() == [1, 2, 3]
    assert found.group.tolist() == [1, 2, 3]


def test_unanimous_rankers_are_sure_and_split_ones_are_not() -> None:
    sure = fuse([["a", "b"]] * 10, "borda", intervals=0.9).intervals
    split = fuse([["a", "b"]] * 5 + [["b", "a"]] * 5, "borda", intervals=0.9).intervals
    assert sure is not None
    assert split is not None
    assert sure.high.tolist() == [1, 2]
    assert split.low.tolist() == [1, 1]
    assert split.group.tolist() == [1, 1]
    assert split.top.tolist() == [1.0, 1.0]


def test_what_always_ties_has_one_interval_with_all_its_places_and_one_group() -> None:
    found = fuse([["x", {"a", "b", "c"}]] * 3, "borda", intervals=0.9, top=2).intervals
    assert found is not None
    assert (found.low.tolist(), found.high.tolist()) == ([1, 2], [1, 4])
    assert found.group.tolist() == [1, 2]
    assert found.top == pytest.approx([1.0, 1 / 3])


def test_draws_depend_on_seed_query_and_ranker_names_only() -> None:
    rankings = simulate(queries=4, items=12, rankers=6, depth=8, seed=2).rankings
    base = fuse(rankings, "rrf", intervals=0.9, draws=200)
    turned = rankings.take_rankers([5, 3, 1, 0, 2, 4]).take_queries([3, 1, 0, 2])
    again = fuse(turned, "rrf", intervals=0.9, draws=200)
    for query in rankings.queries:
        assert interval_rows(base, query) == interval_rows(again, query)
    other = fuse(rankings, "rrf", intervals=0.9, draws=200, seed=1)
    assert any(interval_rows(base, query) != interval_rows(other, query) for query in rankings.queries)
    alone = fuse(rankings.take_queries([2]), "rrf", intervals=0.9, draws=200)
    assert interval_rows(alone, rankings.queries[2]) == interval_rows(base, rankings.queries[2])


def interval_rows(fused: Rankings, query: str) -> list[tuple[str, int, int, float, int]]:
    number = fused.query_number(query)
    rows = slice(*fused.item_offsets[number : number + 2])
    found = fused.intervals
    assert found is not None
    items = [fused.items[entry] for entry in fused.entries[rows]]
    columns = [getattr(found, name)[rows].tolist() for name in ("low", "high", "top", "group")]
    return list(zip(items, *columns, strict=True))


def test_top_is_the_share_within_the_first_k_and_is_cut_with_the_result() -> None:
    rankings = simulate(queries=2, items=15, rankers=5, seed=4).rankings
    whole = fuse(rankings, "rrf", intervals=0.9)
    first = fuse(rankings, "rrf", intervals=0.9, top=4)
    assert whole.intervals is not None
    assert first.intervals is not None
    assert whole.intervals.k == 10
    assert first.intervals.k == 4
    assert len(first.intervals.low) == len(first.entries) == 8
    assert first.intervals.low.tolist()[:4] == whole.intervals.low.tolist()[:4]


def test_voter_weights_are_a_dirichlet_of_the_stated_alpha() -> None:
    rankings = Rankings.from_lists([["a", "b"]] * 8)
    weights = voter_weights(rankings, 0, 20_000, 0)
    assert weights.sum(axis=1) == pytest.approx(np.full(20_000, 8.0))
    alpha = 6 / 8
    assert weights.mean(axis=0) == pytest.approx(np.ones(8), abs=0.05)
    variance = 64 * (1 / 8) * (7 / 8) / (8 * alpha + 1)
    assert weights.var(axis=0) == pytest.approx(np.full(8, variance), rel=0.08)
    three = voter_weights(Rankings.from_lists([["a"]] * 3), 0, 20_000, 0)
    assert three.var(axis=0) == pytest.approx(np.full(3, 9 * (1 / 3) * (2 / 3) / (3 * (1 / 3) + 1)), rel=0.08)


def test_a_multiplicity_is_that_many_voters_and_a_weight_multiplies() -> None:
    rankings = Rankings.from_lists([["a", "b"], ["b", "a"]]).replace(multiplicities=np.array([30, 10]))
    weights = voter_weights(rankings.with_weights([1, 3]), 0, 20_000, 0)
    assert weights.mean(axis=0) == pytest.approx([30, 30], rel=0.05)
    found = fuse(rankings, "borda", intervals=0.9).intervals
    assert found is not None
    assert found.group.tolist() == [1, 2], "30 voters against 10 are sure"


def test_rankers_without_a_list_for_the_query_are_no_voters() -> None:
    one = Rankings.from_runs({"x": {"q1": {"a": 1}}, "y": {"q1": {"b": 1}}, "z": {"q2": {"a": 1}}})
    assert voter_weights(one, 0, 5, 0).shape == (5, 2)
    joined = join_queries([one.take_queries([0]), one.take_queries([1])])
    assert (voter_weights(joined, 0, 5, 0) == voter_weights(one, 0, 5, 0)).all()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"intervals": 0}, "between 0 and 1"),
        ({"intervals": 1}, "between 0 and 1"),
        ({"intervals": "a"}, "between 0 and 1"),
        ({"intervals": 0.9, "draws": 10**12}, "too many"),
        ({"intervals": 0.9, "draws": 0}, "draws must be a whole number, 1 or more"),
        ({"intervals": 0.9, "seed": -1}, "seed must be a whole number, 0 or more"),
    ],
)
def test_wrong_options_are_refused(options: dict[str, float], message: str) -> None:
    with pytest.raises(InvalidParameter, match=message):
        fuse([["a"]], **options)  # type: ignore[arg-type]


# --- explanations -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*ADDITIVE, "isr", "log_isr", "combmnz", "combanz"])
def test_contributions_add_up_to_the_score(name: str) -> None:
    rankings = random_rankings(21, rankers=4).with_weights([1, 2, 1, 0.5])
    fused = fuse(rankings, name)
    for view in rankings:
        for item in view.items:
            found = explain(rankings, name, query=view.id, item=item)
            assert found.score == fused[view.id].scores[fused.rankers[0]][item]
            assert found.rank == fused.best_first(view.id).index(item) + 1
            parts = [each.contribution for each in found.rankers]
            assert sum(part for part in parts if part is not None) == pytest.approx(found.score, abs=1e-9)


def test_a_contribution_is_the_weight_times_what_the_list_gives() -> None:
    found = explain({"x": ["a", "b"], "y": ["b", "a"]}, "rrf(c=60)", item="a", weights={"x": 3, "y": 0.5})
    assert [each.weight for each in found.rankers] == [3, 0.5]
    assert [each.contribution for each in found.rankers] == pytest.approx([3 / 61, 0.5 / 62])
    assert [each.share for each in found.rankers] == pytest.approx([3 / 61 / found.score, 0.5 / 62 / found.score])


def test_an_explanation_is_of_the_lists_as_deep_as_they_are_fused() -> None:
    found = explain({"x": ["a", "b"], "y": ["b", "a"]}, "rrf(c=60)", item="a", depth=1)
    assert [(each.rank, each.length) for each in found.rankers] == [(1, 1), (None, 1)]


@pytest.mark.parametrize("name", METHODS.names())
def test_without_a_ranker_is_the_consensus_of_the_others_on_the_same_candidates(name: str) -> None:
    rankings = random_rankings(8, rankers=3, queries=1)
    view = next(iter(rankings))
    for item in view.items:
        found = explain(rankings, name, item=item)
        assert found.n == len(view.items)
        for each in found.rankers:
            kept = [number for number, ranker in enumerate(rankings.rankers) if ranker != each.ranker]
            rest = rankings.replace(declared=True).take_rankers(kept)
            assert each.rank_without == fuse(rest, name).best_first().index(item) + 1


def test_an_explanation_says_where_each_ranker_had_the_item() -> None:
    rankings = Rankings.from_lists({"x": ["a", {"b", "c"}], "y": ["c"]})
    found = explain(rankings, "rrf", item="b")
    assert [(each.ranker, each.rank, each.length) for each in found.rankers] == [("x", 2.5, 3), ("y", None, 1)]
    assert found.rankers[1].contribution == 0.0
    assert found.distribution is None
    assert "y: not listed" in repr(found)
    assert found.to_dict()["rankers"][0]["rank"] == 2.5
    assert explain(rankings, "median_rank", item="b").rankers[0].contribution is None


def test_a_st_agg_explanation_has_the_rank_distribution() -> None:
    found = explain([["a", "b"], ["b", "c"], ["c", "d"]], "stagg_bc", item="a", missing="neutral")
    assert found.distribution is not None
    assert found.distribution.sum() == pytest.approx(1.0)
    assert 3 * (4 - found.distribution @ np.arange(4)) == pytest.approx(found.score)


def test_what_is_not_there_is_named() -> None:
    with pytest.raises(UnknownName, match="query '1' has no item 'z'"):
        explain([["a"]], item="z")
    with pytest.raises(UnknownName, match="no query 'q'"):
        explain([["a"]], item="a", query="q")
    with pytest.raises(InvalidParameter, match="2 queries"):
        explain([{"q1": {"a": 1.0}, "q2": {"a": 1.0}}], item="a")
