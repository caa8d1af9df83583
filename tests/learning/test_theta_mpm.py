"""θ-MPM: worked numbers, the expertise that labels give, and the model without it as a special case."""

from __future__ import annotations

import numpy as np
import pytest
from tests.methods.toys import TOY_F, TOY_P, positions_of

from stagg import DataError, InvalidParameter, Labels, Rankings, fuse
from stagg.data.simulation import simulate
from stagg.evaluation.evaluate import evaluate
from stagg.kernels.fitting.expertise import expert_multinomial
from stagg.kernels.fitting.pair_models import difference_counts, net_counts
from stagg.learning.single.theta_mpm import ExpertMPM, ThetaMPM

THETA = (1.0, 0.7, 1.3)
WORKED = [  # METHODS.md, section 4.1
    (TOY_F, [0.66470897, 0.21342846, -0.45965048, -0.41848695], 67.09296776),
    (TOY_P, [-0.08808618, 0.34502992, -0.03712243, -0.51717657, 0.29735527], 69.00701623),
]


def world(seed: int = 0) -> tuple[Rankings, Labels]:
    made = simulate(queries=30, items=15, rankers=4, quality=[0.2, 3.0, 0.2, 0.8], depth=9, seed=seed)
    return made.rankings, made.labels


def toy(lists: list[str]) -> Rankings:
    return Rankings.from_lists([list(each) for each in lists])


@pytest.mark.parametrize(("lists", "strengths", "likelihood"), WORKED)
def test_the_worked_numbers_come_out(lists: list[str], strengths: list[float], likelihood: float) -> None:
    model = ExpertMPM(learner="theta_mpm", rankers=("1", "2", "3"), theta=THETA, missing="skip", prior=0)
    found = fuse(toy(lists), model).to_runs()["stagg-theta_mpm"]["1"]
    assert [found[item] for item in sorted(found)] == pytest.approx(strengths, abs=1e-8)
    ranks = np.where((positions := positions_of(lists)) < 0, np.nan, positions)
    counts = [net_counts(difference_counts(ranks[[k]], np.ones(1))) for k in range(3)]
    net, total = (np.array(part) for part in zip(*counts, strict=True))
    at = expert_multinomial(np.array(strengths), np.array(THETA), net, total)
    assert at.value == pytest.approx(likelihood, abs=1e-8)


@pytest.mark.parametrize("counts", ["difference", "binary"])
@pytest.mark.parametrize("missing", ["below", "skip"])
def test_equal_expertise_is_mpm(counts: str, missing: str) -> None:
    rankings, _ = world()
    model = ExpertMPM(learner="theta_mpm", rankers=rankings.rankers, theta=(1.0,) * 4, counts=counts, missing=missing)
    found, plain = fuse(rankings, model), fuse(rankings, f"mpm(counts='{counts}', missing='{missing}')")
    for mine, theirs in zip(found, plain, strict=True):
        assert mine.scores["stagg-theta_mpm"] == pytest.approx(theirs.scores["stagg-mpm"], abs=1e-9)


def test_expertise_is_the_mean_measure_rescaled() -> None:
    rankings, labels = world()
    model = ThetaMPM(measure="ndcg@5").fit(rankings, labels)
    means = np.array([row["mean"] for row in evaluate(rankings, labels, "ndcg@5").rows])
    assert model.theta == pytest.approx((means / means.mean()).tolist(), abs=1e-12)
    assert int(np.argmax(model.theta)) == 1
    by_tau = ThetaMPM(similarity="tau").fit(rankings, labels)
    taus = np.array([(row["mean"] + 1) / 2 for row in evaluate(rankings, labels, "kendall_tau").rows])
    assert by_tau.theta == pytest.approx((taus / taus.mean()).tolist(), abs=1e-12)


def test_only_lists_of_two_items_or_more_show_expertise() -> None:
    runs = {
        "x": {"1": {"a": 2.0, "b": 1.0}, "2": {"a": 1.0}},
        "y": {"1": {"b": 2.0, "a": 1.0}, "2": {"a": 2.0, "b": 1.0}},
        "z": {"1": {"a": 1.0}, "2": {"b": 1.0}},
    }
    labels = Labels({"1": {"a": 1}, "2": {"a": 1}})
    half = 1 / np.log2(3)
    similar = np.array([1.0, (1 + half) / 2])
    model = ThetaMPM().fit(Rankings.from_runs(runs), labels)
    assert model.theta == pytest.approx([*(similar / similar.mean()), 1.0], abs=1e-12)


def test_a_measure_of_zero_everywhere_leaves_all_alike() -> None:
    rankings = toy(TOY_F)
    labels = Labels({"1": dict.fromkeys("ABCD", 0) | {"A": 1}})
    model = ThetaMPM(measure="ndcg@10").fit(rankings, labels, conventions="letor4")  # 4 items: ndcg@10 is 0
    assert model.theta == (1.0, 1.0, 1.0)


def test_facts_say_what_the_model_reaches() -> None:
    (rankings, labels), (other, other_labels) = world(), world(3)
    model = ThetaMPM().fit(rankings, labels, validation=(other, other_labels))
    facts = dict(model.training)
    assert facts["mean"] == pytest.approx(evaluate(fuse(rankings, model), labels, "ndcg@10").rows[0]["mean"])
    assert facts["validation"] == pytest.approx(evaluate(fuse(other, model), other_labels, "ndcg@10").rows[0]["mean"])
    assert "validation" not in dict(ThetaMPM().fit(rankings, labels).training)


def test_a_weight_is_that_many_copies_and_not_more_expertise() -> None:
    rankings, _ = world()
    model = ExpertMPM(learner="theta_mpm", rankers=rankings.rankers, theta=(0.5, 2.0, 1.0, 1.0))
    copies = fuse(rankings.replace(multiplicities=np.array([1, 3, 1, 1])), model)
    assert fuse(rankings, model, weights=[1, 3, 1, 1]) == copies
    keen = ExpertMPM(learner="theta_mpm", rankers=rankings.rankers, theta=(0.5, 6.0, 1.0, 1.0))
    assert fuse(rankings, keen) != copies


def test_the_order_of_rankers_in_the_input_does_not_matter_nor_does_one_without_expertise() -> None:
    rankings, labels = world()
    model = ThetaMPM().fit(rankings, labels)
    assert fuse(rankings.take_rankers([2, 0, 3, 1]), model) == fuse(rankings, model)
    none = ExpertMPM(learner="theta_mpm", rankers=rankings.rankers, theta=(1.0, 2.0, 1.0, 0.0))
    kept = rankings.take_rankers([0, 1, 2])
    with pytest.warns(match="lacks rankers"):
        expected = fuse(kept, none).to_runs()["stagg-theta_mpm"]
    found = fuse(rankings, none).to_runs()["stagg-theta_mpm"]
    same = [query for query in expected if set(expected[query]) == set(found[query])]
    assert same
    assert all(found[query] == expected[query] for query in same)


def test_absence_is_that_of_mpm_and_may_be_said_once() -> None:
    assert ThetaMPM().with_missing("skip").missing == "skip"
    with pytest.raises(InvalidParameter, match="says missing='below'"):
        ThetaMPM(missing="below").with_missing("skip")
    rankings, labels = world()
    plain = ThetaMPM().fit(rankings, labels)
    assert fuse(rankings, plain, missing="skip") == fuse(rankings, ThetaMPM(missing="skip").fit(rankings, labels))
    assert fuse(rankings, plain, missing="skip") != fuse(rankings, plain)


def test_one_ranker_queries_of_one_item_and_unlabelled_queries_are_no_obstacle() -> None:
    runs = Rankings.from_runs({"x": {"1": {"a": 2.0, "b": 1.0}, "2": {"a": 1.0}, "3": {"a": 2.0, "b": 1.0}}})
    model = ThetaMPM().fit(runs, Labels({"1": {"b": 1}, "2": {"a": 1}}))
    assert model.theta == (1.0,)
    assert dict(model.training)["queries"] == 2
    assert fuse(runs, model).best_first("3") == ["a", "b"]


def test_what_cannot_be_is_refused() -> None:
    rankings = toy(["AB"])
    with pytest.raises(DataError, match="no relevant item"):
        ThetaMPM().fit(rankings, Labels({"1": {"A": 0}}))
    with pytest.raises(DataError, match="no best strengths"):
        fuse(rankings, ExpertMPM(learner="theta_mpm", rankers=("1",), theta=(1.0,), prior=0))
    for wrong in ({"counts": "log"}, {"missing": "never"}, {"similarity": "cosine"}, {"prior": -1}, {"measure": 3}):
        with pytest.raises(InvalidParameter, match=next(iter(wrong))):
            ThetaMPM(**wrong)
