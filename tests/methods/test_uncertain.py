"""The pairwise methods over uncertain votes, with trust, and contests that are learned."""

from __future__ import annotations

import itertools
import warnings
from pathlib import Path

import numpy as np
import pytest
from tests.command_line import runner
from tests.laws.laws import scores_of, written
from tests.strategies import random_rankings

from stagg import DataWarning, InvalidParameter, Rankings, UnknownName, compare, explain, fuse, rank_distribution, write
from stagg.data.simulation import simulate
from stagg.kernels.pairs.expected_wins import expected_margins
from stagg.kernels.stochastic.contests import harmonic
from stagg.methods import METHODS
from stagg.methods.stochastic.trust import StaggTrust

METHOD_NAMES = ["mc4", "copeland", "condorcet", "local_kemeny", "kemeny", "bradley_terry", "svp", "mpm"]
FORMS = [
    *METHOD_NAMES,
    "svp(form='geometric')",
    "svp(form='binary')",
    "svp(form='logodds')",
    "mpm(counts='binary')",
    "copeland(missing='skip')",
    "mpm(missing='skip')",
]


def with_options(text: str, options: str) -> str:
    return f"{text[:-1]}, {options})" if text.endswith(")") else f"{text}({options})"


@pytest.fixture(scope="module")
def many() -> Rankings:
    """Six rankers, twelve queries: enough to learn from."""
    return simulate(queries=12, items=30, rankers=6, depth=15, seed=4).rankings


@pytest.mark.parametrize("text", FORMS)
def test_certain_contests_give_the_result_of_votes_as_they_are(text: str) -> None:
    for seed in range(40):
        given = random_rankings(seed)
        votes, certain = (scores_of(fuse(given, each)) for each in (text, with_options(text, "shape='certain'")))
        for query, scores in votes.items():
            np.testing.assert_allclose(list(scores.values()), [certain[query][item] for item in scores], atol=1e-7)


def test_uncertain_bradley_terry_has_the_order_of_uncertain_borda() -> None:
    """Where every pair is compared, strengths go by the sums of the votes: those are the expected Borda points."""
    for seed in range(40):
        given = random_rankings(seed, items=5)
        one, other = fuse(given, "bradley_terry(shape=harmonic(3))"), fuse(given, "stagg_bc(shape=harmonic(3))")
        assert one.to_lists() == {q: {"stagg-bradley_terry": r["stagg-stagg_bc"]} for q, r in other.to_lists().items()}


def test_uncertain_kemeny_turns_the_least_expected_votes_of_all_orders() -> None:
    for seed in range(25):
        given = random_rankings(seed, queries=1, items=5)
        if not given.items or not len(given.list_rankers):
            continue
        [view] = given
        margin = expected_margins(view.positions, view.weights, "below", [harmonic(5)] * len(view.rankers))
        costs = {
            order: sum(max(int(margin[b, a]), 0) for a, b in itertools.combinations(order, 2))
            for order in itertools.permutations(range(len(view)))
        }
        best = fuse(given, "kemeny(shape=harmonic(5))").best_first()
        assert costs[tuple(view.items.index(item) for item in best)] == min(costs.values())


def test_uncertain_copeland_and_mc4_follow_the_expected_majorities() -> None:
    for seed in range(25):
        given = random_rankings(seed, queries=1)
        if not len(given.list_rankers):
            continue
        [view] = given
        margin = expected_margins(view.positions, view.weights, "below", [harmonic(5)] * len(view.rankers))
        points = ((margin > 0).sum(axis=1) + ((margin == 0).sum(axis=1) - 1) / 2).tolist()
        assert scores_of(fuse(given, "copeland(shape=harmonic(5))"))["q0"] == pytest.approx(
            dict(zip(view.items, points, strict=True))
        )
        first = fuse(given, "mc4(shape=harmonic(5))").best_first()[0]
        winners = [item for item, row in zip(view.items, margin, strict=True) if (row > 0).sum() == len(view) - 1]
        assert winners in ([], [first])


def test_a_near_tie_of_few_places_yields_to_a_clear_gap() -> None:
    """Two lists have b just before a, one has a far ahead of b: votes say b, expectations a."""
    lists = [["b", "a", "c", "d", "e"], ["b", "a", "c", "d", "e"], ["a", "c", "d", "e", "b"]]
    assert fuse(lists, "copeland").best_first()[0] == "b"
    assert fuse(lists, "copeland(shape=linear)").best_first()[0] == "a"


@pytest.mark.parametrize("name", METHOD_NAMES)
def test_trust_by_name_is_a_factor_of_the_weights(name: str) -> None:
    for seed in range(10):
        given = random_rankings(seed)
        trusted = fuse(given, with_options(name, "trust={'r0': 3, 'r1': 0}"), weights={"r0": 2})
        assert written(trusted) == written(fuse(given, name, weights={"r0": 6, "r1": 0}))


@pytest.mark.parametrize("name", METHOD_NAMES)
def test_learned_trust_is_the_influence_that_stagg_trust_finds(name: str, many: Rankings) -> None:
    believed = StaggTrust().teach(many).trust.rankers
    influences = {ranker: believed[ranker].influence for ranker in many.rankers}
    assert written(fuse(many, with_options(name, "trust=learned"))) == written(fuse(many, name, weights=influences))


def test_an_exact_copy_has_no_vote_under_learned_trust(many: Rankings) -> None:
    from stagg.data.parts import join_rankers

    copy = many.take_rankers([2]).with_rankers(["zz copy"])
    doubled = join_rankers([many, copy])
    assert scores_of(fuse(doubled, "copeland(trust=learned)")) == scores_of(fuse(many, "copeland(trust=learned)"))
    heavy = {"zz copy": 3.0, many.rankers[2]: 1.0}  # the largest weight of the copies counts
    assert scores_of(fuse(doubled, "copeland(trust=learned)", weights=heavy)) == scores_of(
        fuse(many, "copeland(trust=learned)", weights={many.rankers[2]: 3.0})
    )


@pytest.mark.parametrize(
    "text", ["mc4(shape=learned, trust=learned)", "stagg_rrf(shape=learned)", "svp(shape=learned)"]
)
def test_no_order_of_queries_or_rankers_changes_a_byte_of_what_is_learned(text: str, many: Rankings) -> None:
    rng = np.random.default_rng(2)
    mixed = many.take_rankers(rng.permutation(len(many.rankers))).take_queries(rng.permutation(len(many)))
    assert written(fuse(many, text)) == written(fuse(mixed, text))


@pytest.mark.parametrize("text", ["mc4(shape=learned, trust=learned)", "stagg_rrf(shape=learned)"])
def test_what_is_learned_in_parts_gives_the_bytes_of_memory(
    text: str,
    many: Rankings,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfdbinary: pytest.CaptureFixture[bytes],
) -> None:
    monkeypatch.setattr("stagg.formats.parts.in_parts.BUCKET", 2_000)  # a query or two at a time
    files = []
    for number, name in enumerate(many.rankers):
        files.append(tmp_path / f"{name}.trec")
        write(many.take_rankers([number]), files[-1])
    out = tmp_path / "out.trec"
    assert runner(capfdbinary)("fuse", *map(str, files), "-m", text, "-o", str(out)).code == 0
    from stagg import read

    assert out.read_bytes() == written(fuse(read(files), text))


def test_learned_contests_differ_from_harmonic_ones_and_make_a_distribution(many: Rankings) -> None:
    text = "stagg_rrf(c=10, shape=learned)"
    learned = scores_of(fuse(many, text))
    assert learned != scores_of(fuse(many, "stagg_rrf(c=10, shape='harmonic(1)')"))
    query = many.queries[0]
    found = rank_distribution(many, text)[query]
    np.testing.assert_allclose(found.probabilities.sum(axis=1), 1.0)
    for item, score in learned[query].items():
        utility = 1 / (11 + np.arange(len(found.items)))
        assert len(many.rankers) * float(found.of(item) @ utility) == pytest.approx(score)


def test_explain_and_compare_take_what_is_learned(many: Rankings) -> None:
    query = many.queries[0]
    item = fuse(many, "stagg_bc(shape=learned)").best_first(query)[0]
    found = explain(many, "stagg_bc(shape=learned)", query=query, item=item)
    assert sum(each.contribution or 0.0 for each in found.rankers) == pytest.approx(found.score)
    assert explain(many, "kemeny(shape=learned, trust=learned)", query=query, item=item).n == len(many[query].items)
    labels = {query: {item: 1} for query in many.queries}
    methods = ["mc4", "mc4(shape=harmonic(5))", "mc4(shape=learned)"]
    assert compare(many, labels, methods=methods, measures=["mrr"]).values.shape == (3, 1, len(many))


@pytest.mark.parametrize("text", ["stagg_rrf({})", "copeland({})"])
def test_with_three_rankers_or_one_query_there_is_nothing_to_learn(text: str, many: Rankings) -> None:
    for few in (many.take_rankers([0, 1, 2]), many.take_queries([0])):
        with pytest.warns(DataWarning, match=r"shape='learned' has nothing to learn from, and is harmonic\(1\)"):
            learned = fuse(few, text.format("shape=learned"))
        assert written(learned) == written(fuse(few, text.format("shape='harmonic(1)'")))


def test_a_start_with_trust_starts_from_the_trusted_order() -> None:
    lists = {"x": ["a", "b"], "y": ["b", "a"], "z": ["b", "a"]}
    one = fuse(lists, "local_kemeny(start=\"copeland(trust={'y': 0, 'z': 0})\", shape=harmonic(1))")
    assert one.best_first() == ["b", "a"]  # the majority moves b up again
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fuse(lists, "local_kemeny(start=\"copeland(trust={'y': 0})\")")


@pytest.mark.parametrize(
    ("text", "error", "words"),
    [
        ("mc4(shape='harmonc(5)')", InvalidParameter, "certain, learned"),
        ("mc4(trust='lerned')", InvalidParameter, "trust is 'lerned'; it must be 'learned' or the influence"),
        ("mc4(trust={'q': 2})", UnknownName, "trust names the ranker 'q', which the input does not have"),
        ("mc4(trust={'1': -1})", InvalidParameter, "the trust in ranker '1' is -1; it must be a finite number"),
        ("mc4(trust={'1': True})", InvalidParameter, "it must be a finite number, 0 or more"),
        ("stagg_trust(shape=learned)", InvalidParameter, "shape is 'learned'"),
        ("local_kemeny(start=stagg_trust)", InvalidParameter, "learns from all queries, which a start cannot"),
        ("local_kemeny(start='mc4(shape=learned)')", InvalidParameter, "learns from all queries"),
    ],
)
def test_wrong_shapes_and_trust_are_refused(text: str, error: type[Exception], words: str) -> None:
    with pytest.raises(error) as caught:
        fuse([["a", "b"], ["b", "a"]], text)
    assert words in str(caught.value)


@pytest.mark.parametrize("name", METHOD_NAMES)
def test_the_text_shows_what_is_learned_before_and_after(name: str, many: Rankings) -> None:
    method = METHODS.parse(with_options(name, "shape=learned, trust=learned"))
    taught = method.learn_from([many])
    assert METHODS.parse(repr(method)) == method
    assert repr(taught) == repr(method)
    assert method.needs_all_queries()
    assert not taught.needs_all_queries()
    assert "query_independence" in method.broken_laws()
    assert "query_independence" not in taught.broken_laws()
    hash(taught)


def test_spark_says_that_it_cannot_learn() -> None:
    from stagg.aggregate.plan import prepare

    assert not prepare("mc4(shape=learned)").is_independent
    assert not prepare("stagg_bc(shape=learned)").is_independent
    assert prepare("mc4(shape=harmonic(5), trust={'a': 2})").is_independent
