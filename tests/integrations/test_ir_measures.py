"""ir_measures: its providers say what our measures say; run by ``make integrations``."""

from __future__ import annotations

import shutil
from typing import Any

import numpy as np
import pytest

from stagg import DataError, InvalidParameter, Labels, Rankings, UnknownName
from stagg.measures import MEASURES

pytest.importorskip("ir_measures", reason="ir_measures is not installed: run make integrations")

from stagg.integrations.ir_measures import check, translate

MEANINGS = {
    "nDCG@10": "ndcg(gain='linear')@10",
    "nDCG": "ndcg(gain='linear')",
    "nDCG(dcg='exp-log2')@10": "ndcg@10",
    "ERR@20": "err(ymax=4)@20",
    "AP": "map",
    "AP(rel=2)@5": "map(rel=2)@5",
    "P@5": "p@5",
    "P(rel=3)@10": "p(rel=3)@10",
    "R@10": "recall@10",
    "RR": "mrr",
    "RR(rel=2)@10": "mrr(rel=2)@10",
    "Success@3": "success@3",
    "Judged@10": "judged@10",
    "RBP(rel=1, p=0.95)": "rbp(p=0.95, rel=1)",
    "RBP(rel=2)": "rbp(p=0.8, rel=2)",
    "Bpref": "bpref",
    "Bpref(rel=2)": "bpref(rel=2)",
    "Rprec": "rprec",
    "Rprec(rel=2)": "rprec(rel=2)",
    "SDCG(max_rel=3)@10": "sdcg(ymax=3)@10",
    "NDCG@5": "ndcg(gain='linear')@5",
    "MAP@20": "map@20",
    "Precision@7": "p@7",
    "Recall@7": "recall@7",
    "MRR@7": "mrr@7",
}
NEEDS_PERL, NEEDS_CWL = ("ERR", "exp-log2"), ("RBP", "SDCG")


def provided(theirs: str) -> None:
    if any(part in theirs for part in NEEDS_PERL) and shutil.which("perl") is None:
        pytest.skip("gdeval needs perl, which is not installed")
    if any(part in theirs for part in NEEDS_CWL):
        pytest.importorskip("cwl", reason="cwl-eval is not installed: run make integrations")


def random_run(seed: int, ties: bool) -> tuple[Rankings, Labels]:
    """Ids with blanks; queries that only the run has, or only the labels; items without a judgment, and unlisted."""
    rng = np.random.default_rng(seed)
    scores = rng.integers(0, 8 if ties else 100_000, (15, 40))
    run = {
        f"q {query}": {f"d {item}": float(scores[query, item]) for item in rng.permutation(40)[: rng.integers(1, 40)]}
        for query in range(12)
    }
    grades = {
        f"q {query}": {f"d {item}": int(rng.choice([0, 0, 1, 2, 3])) for item in rng.permutation(40)[:20]}
        for query in range(3, 15)
    }
    return Rankings.from_runs({"run": run}), Labels(grades)


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("theirs", MEANINGS)
def test_both_agree(theirs: str, ties: bool) -> None:
    provided(theirs)
    for seed in range(3):
        (row,) = check(*random_run(seed, ties), [theirs]).rows
        assert row["here"] == MEANINGS[theirs]
        assert row["queries"] == 9
        assert row["agrees"], row
        assert row["ours"] > 0


@pytest.mark.parametrize(("theirs", "ours"), MEANINGS.items())
def test_every_measure_has_its_name_here(theirs: str, ours: str) -> None:
    assert translate(theirs) == MEASURES.parse(ours) == MEASURES.parse(theirs)


def test_a_measure_that_is_wrong_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    from stagg.measures.binary import MRR

    right = MRR.of_block
    monkeypatch.setattr(MRR, "of_block", lambda self, block: right(self, block) / 2)
    (row,) = check(*random_run(0, False), "RR").rows
    assert not row["agrees"]
    assert row["ours"] == pytest.approx(row["theirs"] / 2)


def test_several_runs_and_measures_are_rows() -> None:
    runs = Rankings.from_runs({name: {"q": {"a": 2, "b": 1}} for name in ("x", "y")})
    rows = check(runs, {"q": {"b": 1}}, "RR, P@1").rows
    assert [(row["run"], row["measure"], row["ours"]) for row in rows] == [
        ("x", "RR", 0.5), ("x", "P@1", 0.0), ("y", "RR", 0.5), ("y", "P@1", 0.0)
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("measure", "error", "message"),
    [
        ("nDGC@10", UnknownName, "ir_measures knows no measure 'nDGC@10'"),
        ("nDCG@", InvalidParameter, "cannot read the measure"),
        ("infAP", UnknownName, "stagg has no measure for infAP"),
        ("P(judged_only=True)@5", InvalidParameter, "p has no parameter 'judged_only'"),
        ("RBP(p=0.8)", InvalidParameter, "no value of RBP without rel"),
        ("P", InvalidParameter, "p needs a cutoff"),
    ],
)
def test_what_cannot_be_compared_is_said(measure: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        check(*random_run(0, False), measure)


def test_broken_grades_are_refused() -> None:
    run: Any = [{"q": {"a": 1.0}}]
    with pytest.raises(DataError, match=r"whole grades only, not 0\.5"):
        check(run, {"q": {"a": 0.5}}, "AP")


def test_a_grade_that_gdeval_refuses_is_an_error() -> None:
    provided("ERR")
    run: Any = [{"q": {"a": 1.0}}]
    with pytest.raises(InvalidParameter, match=r"err\(ymax=4\)@5: a label is 9, above ymax"):
        check(run, {"q": {"a": 9}}, "ERR@5")
