"""``stagg_trust``: whom it trusts, what copies do, when there is nothing to learn, and where it must give the same."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from tests.command_line import runner

from stagg import explain, fuse, rank_distribution, train
from stagg.cli.main import main
from stagg.data.inputs.construct import rankings_of
from stagg.data.rankings import Rankings
from stagg.data.simulation import simulate
from stagg.errors import DataError, DataWarning, InvalidParameter
from stagg.learning import LEARNERS, load_model, model_text
from stagg.methods import method_of
from stagg.methods.stochastic.trust import StaggTrust, Trust, Trusted

ITEMS, LISTED, QUERIES = 50, 20, 100


def scores(seed: int, noise: list[float], queries: int = QUERIES) -> tuple[np.ndarray, np.ndarray]:
    """(truth[query, item], what each ranker says: truth and noise of a given standard deviation)."""
    rng = np.random.default_rng(seed)
    truth = rng.normal(size=(queries, ITEMS))
    return truth, truth[:, None] + rng.normal(size=(queries, len(noise), ITEMS)) * np.array(noise)[:, None]


def lists(said: np.ndarray) -> Rankings:
    """The first of what each ranker says."""
    runs = {}
    for k in range(said.shape[1]):
        runs[f"r{k:02}"] = {
            f"q{q:03}": {f"d{i:02}": float(row[i]) for i in np.argsort(-row)[:LISTED]}
            for q, row in enumerate(said[:, k])
        }
    return rankings_of(runs)


def ndcg(fused: Rankings, truth: np.ndarray) -> float:
    discount, found = 1 / np.log2(np.arange(2, 12)), []
    for q, row in enumerate(truth):
        gain = np.maximum(row, 0)
        first = [int(item[1:]) for item in fused.best_first(f"q{q:03}")[:10]]
        found.append(gain[first] @ discount / (np.sort(gain)[::-1][:10] @ discount))
    return float(np.mean(found))


def trust_of(rankings: Rankings) -> Trust:
    bound, _ = method_of("stagg_trust").bind(rankings)
    assert isinstance(bound, Trusted)
    return bound.trust


def reliabilities(rankings: Rankings) -> list[float]:
    trust = trust_of(rankings)
    return [trust.rankers[name].reliability for name in sorted(rankings.rankers)]


# --- simulations with a known truth -----------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
def test_reliability_follows_the_noise(seed: int) -> None:
    from scipy.stats import spearmanr

    noise = np.exp(np.random.default_rng(seed).uniform(np.log(0.5), np.log(1.5), 8))
    truth, said = scores(seed, noise.tolist())
    assert spearmanr(-noise, reliabilities(lists(said)))[0] >= 0.9
    assert ndcg(fuse(lists(said), "stagg_trust"), truth) > ndcg(fuse(lists(said), "stagg_rrf"), truth)


@pytest.mark.parametrize("blur", [0.0, 0.1])
def test_ten_copies_of_the_worst_ranker_change_little(blur: float) -> None:
    noise = [0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.5]
    truth, said = scores(1, noise)
    copies = np.repeat(said[:, -1:], 10, axis=1)
    copies = copies + np.random.default_rng(2).normal(size=copies.shape) * blur
    alone = fuse(lists(said), "stagg_trust")
    crowded = fuse(lists(np.concatenate([said, copies], axis=1)), "stagg_trust")
    assert abs(ndcg(crowded, truth) - ndcg(alone, truth)) < 0.005
    if not blur:
        assert crowded == alone


@pytest.mark.parametrize("gone", [0.1, 0.2, 0.3])
def test_copies_with_gaps_cost_no_more_than_they_cost_rrf(gone: float) -> None:
    """Each of ten copies of the worst of three rankers lacks some of its items at random: 11 of 13 are one family."""
    truth, said = scores(11, [0.5, 0.6, 1.5])
    given, rng = lists(said), np.random.default_rng(12)
    runs = given.to_runs()
    for copy in range(10):
        runs[f"copy {copy}"] = {
            query: {item: score for item, score in run.items() if rng.random() >= gone}
            for query, run in runs["r02"].items()
        }
    crowded = Rankings.from_runs(runs)
    lost = {
        method: ndcg(fuse(given, method), truth) - ndcg(fuse(crowded, method), truth)
        for method in ("stagg_trust", "rrf(c=60)")
    }
    assert lost["stagg_trust"] < 0.02 < lost["rrf(c=60)"]
    believed = trust_of(crowded).rankers
    family = [believed[name].share for name in believed if name == "r02" or name.startswith("copy")]
    assert sum(family) < 1.5
    assert min(believed["r00"].share, believed["r01"].share) > 0.6


def test_a_pool_that_all_share_is_no_family() -> None:
    """Rerankers of one list of candidates hold the same items, in orders of their own."""
    _, said = scores(13, [0.6, 0.8, 1.0, 1.2])
    whole = rankings_of(
        {
            f"r{k:02}": {
                f"q{q:03}": {f"d{i:02}": float(v) for i, v in enumerate(row)} for q, row in enumerate(said[:, k])
            }
            for k in range(4)
        }
    )
    assert all(each.share > 0.9 for each in trust_of(whole).rankers.values())


def test_equals_are_trusted_alike() -> None:
    truth, said = scores(3, [1.0] * 8)
    plain, trusting = fuse(lists(said), "stagg_rrf"), fuse(lists(said), "stagg_trust")
    assert abs(ndcg(plain, truth) - ndcg(trusting, truth)) < 0.005


def test_three_that_know_among_three_that_guess_are_no_relatives() -> None:
    truth, said = scores(12, [0.5] * 3 + [5.0] * 3, queries=30)
    given = lists(said).cut(10)
    assert ndcg(fuse(given, "stagg_trust"), truth) > ndcg(fuse(given, "stagg_rrf"), truth)
    assert min(reliabilities(given)[:3]) > max(reliabilities(given)[3:])


def test_one_that_knows_among_seven_that_guess() -> None:
    _, said = scores(4, [0.01, *[3.0] * 7])
    found = reliabilities(lists(said))
    assert max(found) == found[0]


# --- the consensus, and confidence in a query -------------------------------------------------------------------------


def test_the_surer_the_consensus_the_more_the_first_ranks_count() -> None:
    sure, unsure = (trust_of(lists(scores(3, [noise] * 4)[1])) for noise in (0.3, 3.0))
    assert sure.consensus > 0.9 > 0.5 > unsure.consensus
    for each in (sure, unsure):
        assert each.c == pytest.approx(60 - 40 * each.consensus, abs=1e-3)


def test_of_two_rankers_none_is_the_better_one_but_their_agreement_counts() -> None:
    found = trust_of(lists(scores(3, [0.3, 0.3])[1]))
    assert found.learned
    assert [each.influence for each in found.rankers.values()] == [1.0, 1.0]
    assert found.c < 50


def swaying(seed: int, queries: int = 80) -> tuple[np.ndarray, np.ndarray]:
    """Rankers that know much in some queries and little in others; the first has scores that spread where it knows."""
    rng = np.random.default_rng(seed)
    truth = rng.normal(size=(queries, ITEMS))
    knows = rng.random((queries, 4, 1)) < 0.5
    said = np.where(
        knows, truth[:, None] + 0.3 * rng.normal(size=(queries, 4, ITEMS)), rng.normal(size=(queries, 4, ITEMS))
    )
    said[:, :1] *= np.where(knows[:, :1], 5.0, 0.5)
    said[:, 1:] *= rng.uniform(0.5, 5.0, size=(queries, 3, 1))
    return truth, said


def test_a_spread_that_agreement_confirms_counts_and_another_does_not() -> None:
    truth, said = swaying(1)
    given = lists(said)
    found = trust_of(given)
    confirmed = [found.rankers[f"r{k:02}"].confirmation for k in range(4)]
    assert confirmed[0] > 0.5 > 0.3 > max(confirmed[1:])
    sure = ndcg(fuse(given, "stagg_trust"), truth)
    assert sure > ndcg(fuse(given, "stagg_trust(confidence=False)"), truth)
    _, weighted = method_of("stagg_trust").bind(given)
    assert weighted.factors is not None
    mine = weighted.factors[weighted.list_rankers == 0]
    assert mine.min() < 0.8 < 1.2 < mine.max()
    assert mine.mean() == pytest.approx(1.0)


def test_without_confidence_or_without_scores_only_the_order_of_the_lists_counts() -> None:
    _, said = swaying(2)
    cubes, plain = lists(said**3), lists(said)
    method = "stagg_trust(confidence=False)"
    assert fuse(cubes, method) == fuse(plain, method)
    assert fuse(plain.replace(scores=None), "stagg_trust").scores.tolist() == fuse(plain, method).scores.tolist()
    assert fuse(cubes, "stagg_trust") != fuse(plain, "stagg_trust")


def test_of_more_queries_than_fit_a_sample_by_their_ids_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    _, said = swaying(3)
    given = lists(said)
    whole = trust_of(given)
    monkeypatch.setattr("stagg.methods.stochastic.agreements.KEPT", 30 * 4**2)
    monkeypatch.setattr("stagg.methods.stochastic.agreements.FEWEST_KEPT", 30)
    some = [trust_of(given.take_queries(order)) for order in (np.arange(80), np.random.default_rng(0).permutation(80))]
    assert some[0] == some[1]
    assert len(some[0].rankers["r00"].spreads) == 30
    assert some[0].rankers["r00"].confirmation == pytest.approx(whole.rankers["r00"].confirmation, abs=0.2)
    assert some[0].rankers["r00"].influence == whole.rankers["r00"].influence
    monkeypatch.setattr("stagg.methods.stochastic.agreements.FEWEST_KEPT", 31)
    assert trust_of(given).rankers["r00"].spreads == ()


def test_explain_shows_the_confidence_of_each_list() -> None:
    given = lists(swaying(1)[1])
    views = explain(given, "stagg_trust", query="q003", item=given.best_first("q003", ranker="r00")[0]).rankers
    _, weighted = method_of("stagg_trust").bind(given)
    assert [each.confidence for each in views] == weighted.factors[weighted.list_queries == 3].tolist()
    plain = explain(given, "stagg_rrf", query="q003", item=given.best_first("q003", ranker="r00")[0])
    assert plain.rankers[0].confidence is None


# --- copies, weights, nothing to learn --------------------------------------------------------------------------------


def test_doubling_all_rankers_changes_nothing_at_all() -> None:
    _, said = scores(5, [0.5, 1.0, 1.5, 2.0], queries=5)
    twice = lists(np.concatenate([said, said], axis=1))
    assert fuse(twice, "stagg_trust") == fuse(lists(said), "stagg_trust")
    trust = trust_of(twice)
    assert [trust.rankers[f"r{k:02}"].copy_of for k in range(4, 8)] == ["r00", "r01", "r02", "r03"]


def test_of_copies_the_largest_weight_counts_and_a_copy_speaks_for_one_that_is_left_out() -> None:
    _, said = scores(5, [0.5, 1.0, 1.5, 2.0], queries=5)
    twice = lists(np.concatenate([said, said[:, :1]], axis=1))
    weighted = fuse(twice, "stagg_trust", weights={"r00": 1, "r04": 3})
    assert weighted == fuse(lists(said), "stagg_trust", weights={"r00": 3})
    without, alone = fuse(twice, "stagg_trust", weights={"r00": 0}), fuse(lists(said), "stagg_trust")
    for query in alone.queries:
        assert without.best_first(query) == alone.best_first(query)


def test_weights_multiply_the_influence() -> None:
    _, said = scores(6, [1.0] * 5, queries=10)
    _, weighted = method_of("stagg_trust").bind(lists(said).with_weights({"r01": 0.5}))
    _, plain = method_of("stagg_trust").bind(lists(said))
    assert (weighted.weights / plain.weights).tolist() == [1.0, 0.5, 1.0, 1.0, 1.0]


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ([["a", "b"], ["b", "a"], ["a"]], "only one query"),
        ([{"1": {"a": 1, "b": 2}, "2": {"c": 2, "d": 1}}] * 3, "2 rankers that differ, and there is one"),
        ([{"1": {"a": 1, "b": 2}, "2": {"c": 2}}, {"1": {"b": 2}}], "share 2 queries"),
        # voters of three elections: no two of them vote twice
        ({f"v{k}": {str(k % 3): {"a": k, "b": 2, "c": 3}} for k in range(1, 9)}, "share 2 queries"),
    ],
)
def test_where_there_is_nothing_to_learn_it_says_so_and_is_plain(given: object, why: str) -> None:
    with pytest.warns(DataWarning, match=f"nothing to learn from.*{why}"):
        fused = fuse(given, "stagg_trust")
    assert fused.with_rankers(["plain"]) == fuse(given, "rrf(c=60)").with_rankers(["plain"])


def test_where_there_is_nothing_to_learn_every_list_is_right_in_the_rank_distribution() -> None:
    with pytest.warns(DataWarning, match="nothing to learn"):
        found = rank_distribution([["a", "b"], ["b", "a"], ["a"]], "stagg_trust")["1"]
    assert found.of("a").tolist() == pytest.approx([2 / 3, 1 / 3])


def test_lists_that_differ_far_down_are_no_copies() -> None:
    """1/(20 + rank) of ranks 4,999 and 5,000 of 5,000 is the same whole number; the lists are looked at."""
    items = [f"d{k:04}" for k in range(5000)]
    swapped = [*items[:-2], items[-1], items[-2]]
    given = {"a": items, "b": swapped, "c": items[::-1], "d": items}
    runs = {name: {q: {item: -float(k) for k, item in enumerate(each)} for q in "12"} for name, each in given.items()}
    assert [each.copy_of for each in trust_of(rankings_of(runs)).rankers.values()] == [None, None, None, "a"]


def test_tied_items_may_stand_in_any_order_in_lists_that_are_the_same() -> None:
    tied, turned = {"a": 2.0, "b": 2.0, "c": 1.0}, {"b": 2.0, "a": 2.0, "c": 1.0}
    others = {"c": 3.0, "a": 2.0, "b": 1.0}, {"b": 3.0, "c": 2.0, "d": 1.0}
    given = {f"r{k}": {"1": each, "2": each} for k, each in enumerate((tied, turned, *others))}
    assert trust_of(rankings_of(given)).rankers["r1"].copy_of == "r0"


def test_of_voters_who_vote_once_no_pair_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """An election of 20,000 voters has 200 million pairs, and nothing is to be learned from them."""
    monkeypatch.setattr("stagg.methods.stochastic.trust.Agreements", None)
    with pytest.warns(DataWarning, match="only one query"):
        fuse([["a", "b"], ["b", "a"], ["a", "b"], ["c"]], "stagg_trust")


@pytest.mark.parametrize("text", ["stagg_trust(excess=-1)", "stagg_trust(ridge=0)", "stagg_trust(shape='no')"])
def test_bad_parameters_are_refused(text: str) -> None:
    with pytest.raises(InvalidParameter):
        method_of(text)


# --- the same from everywhere -----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Four runs as TREC files, the fourth a copy of the third under another name."""
    folder = tmp_path_factory.mktemp("runs")
    _, said = scores(7, [0.5, 1.0, 2.0, 1.0], queries=12)
    given, paths = lists(np.concatenate([said, said[:, 2:3]], axis=1)).to_runs(), []
    for ranker, queries in given.items():
        rows = [
            f"{query} Q0 {item} {rank} {score} x\n"
            for query, items in queries.items()
            for rank, (item, score) in enumerate(items.items(), start=1)
        ]
        paths.append(folder / f"{ranker}.trec")
        paths[-1].write_text("".join(rows))
    return [str(path) for path in paths]


Call = Callable[..., str]


@pytest.fixture
def called(capfdbinary: pytest.CaptureFixture[bytes]) -> Call:
    """The standard output of a command that ends well."""

    run = runner(capfdbinary)

    def call(*arguments: str) -> str:
        outcome = run(*arguments)
        assert outcome.code == 0
        return outcome.out

    return call


@pytest.mark.parametrize(
    "options", [(), ("--depth", "7"), ("--depth", "7", "--order-by", "rank"), ("--weights", "r01=0")]
)
def test_streaming_gives_the_bytes_of_reading_all_first(
    runs: list[str], options: tuple[str, ...], called: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = ["fuse", *runs, "-m", "stagg_trust", "-q", *options]
    monkeypatch.setattr("stagg.formats.parts.in_parts.BUCKET", 4000)  # more parts than one
    monkeypatch.setattr("stagg.formats.parts.chunks.SPACING", 1000)
    streamed = [called(*line, "--threads", str(threads)) for threads in (1, 3)]
    monkeypatch.setattr("stagg.engines.memory.MemoryEngine._run_in_parts", lambda *_: None)
    assert streamed == [called(*line)] * 2


def test_the_order_of_queries_items_and_rankers_does_not_change_a_byte(runs: list[str], called: Call) -> None:
    rng = np.random.default_rng(0)
    expected = None
    for order in itertools.islice(itertools.permutations(runs), 0, 120, 17):
        shuffled = []
        for path in order:
            rows = Path(path).read_text().splitlines(keepends=True)
            rng.shuffle(rows)
            Path(path).write_text("".join(rows))
            shuffled.append(path)
        found = called("fuse", *shuffled, "-m", "stagg_trust", "-q")
        expected = expected or found
        assert found == expected


def test_the_order_of_tied_rows_does_not_change_what_is_learned() -> None:
    rng = np.random.default_rng(3)
    rows = [
        (ranker, f"q{query:02}", f"d{item:02}", float(np.round(3 * rng.normal(item % 7))))
        for ranker in ("a", "b", "c")
        for query in range(30)
        for item in rng.permutation(40)[:25].tolist()
    ]
    found = []
    for _ in range(2):
        runs: dict[str, dict[str, dict[str, float]]] = {}
        for ranker, query, item, score in rows:
            runs.setdefault(ranker, {}).setdefault(query, {})[item] = score
        rankings = Rankings.from_runs(runs)
        assert rankings.has_ties
        found.append(StaggTrust().teach(rankings).trust)
        rows = [rows[place] for place in rng.permutation(len(rows)).tolist()]
    assert all(each.curve for each in found[0].rankers.values())
    assert found[0] == found[1]


def test_a_saved_model_is_the_method_and_fuses_one_query_alone(runs: list[str], called: Call, tmp_path: Path) -> None:
    model = tmp_path / "trust.json"
    called("train", *runs, "-l", "trust", "-o", str(model), "-q")
    whole = called("fuse", *runs, "-m", "stagg_trust", "-q")
    assert called("fuse", *runs, "--model", str(model), "-q").replace("stagg-trust", "stagg-stagg_trust") == whole
    kept = load_model(model)
    assert load_model(model) == kept
    assert model_text(kept) == model.read_text()
    given = rankings_of([{"q1": {"a": 2.0, "b": 1.0}}, {"q1": {"b": 2.0, "a": 1.0}}]).with_rankers(["r00", "r02"])
    with pytest.warns(DataWarning, match="lacks rankers"):
        assert fuse(given, kept).best_first() == ["a", "b"]


def test_it_can_be_compared_as_a_learner_tuned_and_with_its_method() -> None:
    from stagg import Labels, compare

    truth, said = scores(15, [0.5, 1.0, 2.0, 3.0], queries=12)
    labels = {f"q{q:03}": {f"d{i:02}": int(row[i] > 1) for i in range(ITEMS)} for q, row in enumerate(truth)}
    found = compare(
        lists(said),
        Labels(labels),
        methods=["stagg_trust"],
        learners=["trust"],
        tune=["stagg_trust(ridge=[1, 2])"],
        folds=3,
        measures=["ndcg@10"],
    )
    assert any("reliability r00=" in note for note in found.table.notes)


def test_training_without_anything_to_learn_is_an_error_and_labels_are_refused(
    runs: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(DataError, match="no trust to learn"), pytest.warns(DataWarning):
        LEARNERS.parse("trust").fit(rankings_of([["a", "b"], ["b", "a"]]), None)  # type: ignore[arg-type]
    with pytest.raises(SystemExit, match="2"):
        main(["train", *runs, "-l", "trust", "--holdout", "0.5", "-o", str(tmp_path / "m")])
    assert "without labels" in capsys.readouterr().err
    with pytest.raises(InvalidParameter, match="must be a stagg_trust"):
        LEARNERS.parse("trust(method='rrf')")


@pytest.mark.parametrize(
    "damage", [{"influence": 2}, {"reliability": "x"}, {"copy_of": 3, "relatives": 1}, {"spreads": [2.0, 1.0]}]
)
def test_a_damaged_model_is_refused(runs: list[str], called: Call, tmp_path: Path, damage: dict[str, object]) -> None:
    from stagg.learning.model_files import _checksum

    model = tmp_path / "trust.json"
    called("train", *runs, "-l", "trust", "-o", str(model), "-q")
    body = json.loads(model.read_text())
    body.pop("checksum")
    body["content"]["trust"]["rankers"]["r00"] |= damage
    model.write_text(json.dumps(body | {"checksum": _checksum(body)}))
    with pytest.raises(DataError, match="incomplete"):
        load_model(model)


def test_a_model_of_the_older_rule_says_that_it_must_be_trained_again(
    runs: list[str], called: Call, tmp_path: Path
) -> None:
    from stagg.learning.model_files import _checksum

    model = tmp_path / "trust.json"
    called("train", *runs, "-l", "trust", "-o", str(model), "-q")
    body = json.loads(model.read_text())
    body.pop("checksum")
    del body["content"]["trust"]["consensus"], body["content"]["trust"]["c"]
    model.write_text(json.dumps(body | {"checksum": _checksum(body)}))
    with pytest.raises(DataError, match="older rule: train it again"):
        load_model(model)


# --- what it shows ----------------------------------------------------------------------------------------------------


def test_explain_shows_whom_it_trusts_and_the_parts_add_up() -> None:
    _, said = scores(8, [0.5, 1.0, 2.0, 3.0], queries=6)
    given = lists(np.concatenate([said, said[:, 1:2]], axis=1))
    best = fuse(given, "stagg_trust").best_first("q000")[0]
    found = explain(given, "stagg_trust", item=best, query="q000")
    assert found.trust is not None
    assert found.trust.rankers["r04"].copy_of == "r01"
    assert sum(each.contribution or 0.0 for each in found.rankers) == pytest.approx(found.score)
    assert "reliability" in repr(found)
    assert json.loads(json.dumps(found.to_dict()))["trust"]["rankers"]["r00"]["influence"] <= 1


def test_the_command_says_in_how_many_rounds_it_settled(runs: list[str], called: Call) -> None:
    said = called("explain", *runs, "-m", "stagg_trust", "--query", "q001", "--item", "d01", "-q")
    assert re.search(r"Learned from 12 queries in \d+\s+rounds,\s+without", said)


def test_the_score_is_the_expected_utility_of_the_rank_distribution() -> None:
    _, said = scores(9, [0.5, 1.0, 2.0], queries=3)
    given = lists(said)
    bound, weighted = method_of("stagg_trust").bind(given)
    assert isinstance(bound, Trusted)
    distribution = rank_distribution(given, "stagg_trust")["q001"]
    utility = 1 / (bound.trust.c + 1 + np.arange(distribution.probabilities.shape[1]))
    total = weighted.list_weights[weighted.list_queries == 1].sum()
    expected = dict(zip(distribution.items, total * distribution.probabilities @ utility, strict=True))
    (mine,) = fuse(given, "stagg_trust")["q001"].scores.values()
    assert mine == pytest.approx(expected)


def test_curves_need_enough_contests_and_are_shares() -> None:
    _, said = scores(10, [0.3, 1.0, 3.0, 1.0], queries=60)
    trust = trust_of(lists(said))
    good, bad = (dict(trust.rankers[name].curve) for name in ("r00", "r02"))
    assert good.keys() == bad.keys() >= {1, 2, 4}
    assert all(0 <= chance <= 1 for chance in good.values())
    assert good[8] > bad[8] > 0.5
    assert trust_of(lists(said[:3])).rankers["r00"].curve == ()


def test_a_method_that_is_bound_keeps_its_text() -> None:
    _, said = scores(11, [1.0] * 4, queries=3)
    bound, _ = method_of("stagg_trust(ridge=3)").bind(lists(said))
    assert repr(bound) == repr(StaggTrust(ridge=3))


def test_the_report_shows_whom_it_trusts() -> None:
    from stagg.report import fusion_report

    _, said = scores(8, [0.5, 1.0, 2.0, 3.0], queries=6)
    given = lists(np.concatenate([said, said[:, 1:2]], axis=1))
    page = fusion_report(given, "stagg_trust")
    assert "Whom it trusts" in page
    assert "the same lists as" in page
    assert "Whom it trusts" not in fusion_report(given, "stagg_rrf")


def test_a_method_that_learns_trust_speaks_for_itself() -> None:
    lists = {"x": ["a", "b"], "y": ["b", "a"], "z": ["a", "c"]}
    with pytest.warns(DataWarning, match="trust='learned' has nothing to learn from, and believes all rankers alike"):
        fuse(lists, "mc4(trust='learned')")


def test_a_trust_model_shows_the_reliability_of_each_ranker() -> None:
    made = simulate(queries=20, rankers=4, items=10)
    assert re.search(r"reliability \S+=0\.\d\d ", repr(train(made.rankings, "trust")))
