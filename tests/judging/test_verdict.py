"""The verdict: no sentence claims more than its interval, and each says what would change it."""

from __future__ import annotations

import dataclasses

import pytest

from stagg.evaluation.significance import Estimate
from stagg.judging.estimate import Difference
from stagg.judging.verdict import ComparisonVerdict, can_decide, decide_levels, stand

OPEN = ComparisonVerdict(
    "rrf", "bm25", "DCG@10", "future", "open", 393, 53, -0.010, -0.027, 0.007, 84, 42, 20, (-0.02, 0.001), 250, 180
)


def difference(*, judgments: int = 84, different: int = 20, exact: bool = False) -> Difference:
    return Difference(Estimate(0.1, 0.02, 40, 53), judgments // 2, different, judgments, exact)


@pytest.mark.parametrize(
    ("found", "p", "decided", "standing"),
    [
        (difference(judgments=15), 0.0, True, "few"),
        (difference(different=9), 0.0, True, "few relevant"),
        (difference(judgments=39), 0.0, True, "open"),
        (difference(judgments=40), 0.0, True, "decided"),
        (difference(), 0.03, False, "leans"),
        (difference(), 0.06, False, "open"),
        (difference(judgments=5, different=0, exact=True), 0.001, True, "decided"),
    ],
)
def test_nothing_is_decided_before_the_first_look_or_without_relevant_documents(
    found: Difference, p: float, decided: bool, standing: str
) -> None:
    assert stand([found], "future", p, decided=decided) == standing


def test_of_just_these_queries_all_judged_is_known() -> None:
    assert stand([difference(exact=True)], "these", 1.0, decided=False) == "known"


def test_one_world_with_too_few_relevant_documents_is_enough_to_wait() -> None:
    assert stand([difference(), difference(different=3)], "future", 0.0, decided=True) == "few relevant"


def test_several_comparisons_are_decided_by_holms_rule() -> None:
    assert decide_levels([0.019]) == [True]
    assert decide_levels([0.019, 0.5]) == [False, False]
    assert decide_levels([0.019, 0.009]) == [True, True]
    assert decide_levels([0.021, 0.0]) == [False, True]


def test_the_sentences_are_those_of_the_plan() -> None:
    decided = dataclasses.replace(OPEN, standing="decided", value=0.12, low=0.05, high=0.19, these=(0.07, 0.17))
    assert decided.text == (
        "rrf is above bm25 by 0.050 to 0.190 of DCG@10 on queries like these, 95 % sure, after 84 judgments "
        "(0.070 to 0.170 on just these 53 queries)."
    )
    below = dataclasses.replace(OPEN, standing="decided", value=-0.12, low=-0.19, high=-0.05, these=None)
    assert below.text.startswith("rrf is below bm25 by 0.050 to 0.190 of")
    assert OPEN.text == (
        "rrf against bm25: -0.010 (-0.027 to +0.007) of DCG@10 on queries like these: not decided after 84 judgments. "
        "About 250 judgments would decide, if the difference is as it looks now; at most 393 matter."
    )
    hopeless = dataclasses.replace(OPEN, needed=None, needed_these=None)
    assert hopeless.text.endswith(
        "Only judging all 393 documents that differ would decide a difference of this size on these 53 queries, and "
        "nothing would for queries like these: take either."
    )
    leans = dataclasses.replace(OPEN, standing="leans", low=-0.02, high=-0.001)
    assert leans.text.startswith("rrf leans towards being below bm25: -0.010 (-0.020 to -0.001) of")
    assert "is below" not in leans.text


def test_more_queries_are_asked_for_where_only_they_help() -> None:
    these_only = dataclasses.replace(OPEN, needed=None)
    assert "about 180 judgments would decide it on these 53 queries (at most 393 matter); only more queries" in (
        these_only.text
    )
    decided_here = dataclasses.replace(OPEN, needed=None, needed_these=84)
    assert "On just these 53 queries it is -0.020 to +0.001; only more queries" in decided_here.text
    census = dataclasses.replace(OPEN, needed=None, needed_these=None, judgments=393)
    assert "All that differs is judged; only more queries" in census.text
    assert all(each.hopeless for each in (these_only, decided_here, census))
    assert not any(each.hopeless for each in (OPEN, dataclasses.replace(census, standing="decided")))


def test_what_is_known_of_these_queries_has_no_interval() -> None:
    known = dataclasses.replace(OPEN, scope="these", standing="known", value=0.031, low=0.031, high=0.031, documents=1)
    assert (
        known.text == "rrf is above bm25 by 0.031 of DCG@10 on these 53 queries: all 1 document that differ is judged."
    )
    none = dataclasses.replace(known, value=0.0, low=0.0, high=0.0)
    assert none.text.startswith("rrf against bm25: no difference of DCG@10")
    bounds = dataclasses.replace(known, low=-0.01, high=0.05)
    assert bounds.text.startswith("rrf against bm25: -0.010 to +0.050 of DCG@10")


def test_too_few_judgments_are_counted() -> None:
    few = dataclasses.replace(OPEN, standing="few", judgments=12)
    assert few.text == "rrf against bm25: after 12 judgments there is no interval yet; it needs 16."
    relevant = dataclasses.replace(OPEN, standing="few relevant", different=4)
    assert relevant.text == (
        "rrf against bm25: too few relevant documents so far. After 84 judgments 4 pairs have two different grades; 10 "
        "are needed."
    )


def test_a_proxy_is_never_called_proof() -> None:
    helped = dataclasses.replace(OPEN, slope=0.52, saved=0.3, alone=-0.02)
    assert helped.proxy_text == (
        "The proxy agrees with you on pairs at slope 0.52: it saves about 30 % of your judgments. On its own it would "
        "have said -0.020 (your estimate -0.010); that alone is no proof."
    )
    assert OPEN.proxy_text == ""


def test_hostile_names_are_escaped() -> None:
    assert "\x1b" not in dataclasses.replace(OPEN, a="a\x1b[31m").text


def test_a_row_is_flat() -> None:
    row = OPEN.to_row()
    assert (row["these_low"], row["these_high"]) == (-0.02, 0.001)
    assert all(not isinstance(value, tuple | dict) for value in row.values())


def test_few_judgments_make_no_room_for_others_in_the_rule_of_holm() -> None:
    assert can_decide([difference()])
    assert not can_decide([])
    assert not can_decide([difference(judgments=15)])
    assert not can_decide([difference(), difference(different=9)])
