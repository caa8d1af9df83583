"""Texts of measures: they read back as themselves, and wrong ones are told why."""

from __future__ import annotations

import dataclasses
import pickle

import numpy as np
import pytest
from tests.measures.slow import VARIANTS

from stagg.errors import InvalidParameter, StaggError, UnknownName
from stagg.measures import DEFAULT_MEASURES, MEASURES, Measure, parse_measures
from stagg.measures.binary import MAP, P
from stagg.measures.ndcg import NDCG
from stagg.measures.rbp import RBP


@pytest.mark.parametrize("text", VARIANTS)
def test_the_text_of_a_measure_is_the_measure(text: str) -> None:
    measure = MEASURES.parse(text)
    assert repr(measure) == text
    assert MEASURES.parse(repr(measure)) == measure
    assert pickle.loads(pickle.dumps(measure)) == measure


@pytest.mark.parametrize(
    ("written", "text"),
    [
        (" ndcg @ 10 ", "ndcg@10"),
        ("ndcg(gain='exp')@10", "ndcg@10"),
        ("ndcg(cutoff=10)", "ndcg@10"),
        ("rbp", "rbp(p=0.95)"),
        ('ndcg(gain="linear")', "ndcg(gain='linear')"),
        ("map(rel=1)", "map"),
        ("p@007", "p@7"),
    ],
)
def test_defaults_blanks_and_quotes_do_not_matter(written: str, text: str) -> None:
    assert repr(MEASURES.parse(written)) == text


def test_code_and_text_agree() -> None:
    assert NDCG(gain="linear", cutoff=10) == MEASURES.parse("ndcg(gain='linear')@10")
    assert repr(RBP(p=np.float64(0.8))) == "rbp(p=0.8)"
    assert repr(MAP(rel=np.float64(2.5))) == "map(rel=2.5)"
    assert repr(P(cutoff=np.int64(3))) == "p@3"
    assert MEASURES.parse(repr(MAP(rel=2.5))) == MAP(rel=2.5)
    assert len({P(cutoff=5), P(cutoff=5), P(cutoff=6)}) == 2


@pytest.mark.parametrize("name", ["p", "recall", "success", "judged"])
def test_a_measure_that_needs_a_cutoff_says_so(name: str) -> None:
    with pytest.raises(InvalidParameter, match=f"{name} needs a cutoff: write {name}@10"):
        MEASURES.parse(name)


@pytest.mark.parametrize("name", ["kendall_tau", "footrule"])
def test_a_measure_of_the_whole_order_takes_no_cutoff(name: str) -> None:
    with pytest.raises(InvalidParameter, match=f"{name} takes no cutoff"):
        MEASURES.parse(f"{name}@10")


@pytest.mark.parametrize("cutoff", ["0", "-1", "1.5", "", "ten", "1e3", "١", "9" * 5000])
def test_a_cutoff_is_a_whole_number_from_one(cutoff: str) -> None:
    with pytest.raises(InvalidParameter, match="must be a whole number, 1 or more"):
        MEASURES.parse(f"ndcg@{cutoff}")


@pytest.mark.parametrize("cutoff", [0, -3, 2.0, True, "5"])
def test_a_cutoff_given_in_code_is_checked_too(cutoff: object) -> None:
    with pytest.raises(InvalidParameter, match=r"the cutoff is .* must be a whole number, 1 or more"):
        NDCG(cutoff=cutoff)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rbp(p=1)", "p is 1; it must be a number above 0 and below 1"),
        ("rbp(p=0)", "p is 0; it must be"),
        ("rbp(p='x')", "p is 'x'; it must be a number"),
        ("rbp(p=True)", "p is True; it must be a number"),
        ("ndcg(gain='log')@5", "gain is 'log'; it must be 'exp' or 'linear'"),
        ("ndcg(gain=['exp'])@5", "gain is"),
        ("map(rel=0)", "rel is 0; it must be a number above 0"),
        ("ndcg(k=10)", "ndcg has no parameter 'k'; stagg calls it 'cutoff': ndcg@10"),
        ("ndcg(cutoff=5)@10", "gives cutoff twice"),
        ("ndcg(10)", "gain is 10; it must be 'exp' or 'linear'"),
        ("ndcg@5@10", "cannot read the measure"),
        ("@10", "cannot read the measure"),
        ("ndcg(@10", "cannot read the measure"),
        ("ndcg(gain='a@b')", "gain is 'a@b'"),
        ("", "cannot read the measure"),
    ],
)
def test_a_wrong_parameter_is_named_with_what_is_allowed(text: str, message: str) -> None:
    with pytest.raises(InvalidParameter, match=message):
        MEASURES.parse(text)


@pytest.mark.parametrize(
    ("text", "near"), [("ncdg@10", "ndcg@10"), ("recal@5", "recall@5"), ("kendal_tau", "kendall_tau")]
)
def test_an_unknown_measure_suggests_near_names(text: str, near: str) -> None:
    with pytest.raises(UnknownName, match=f"unknown measure .*did you mean .*'{near}'"):
        MEASURES.parse(text)


def test_an_unknown_measure_like_no_other_is_shown_all_there_are() -> None:
    with pytest.raises(UnknownName, match="there are ndcg, err, rbp"):
        MEASURES.parse("xyzzy@3")


def test_lists_split_at_commas_outside_brackets_and_quotes() -> None:
    read = parse_measures("ndcg@10,err , rbp(p=0.95),ndcg(gain='linear', cutoff=3)")
    assert list(map(repr, read)) == ["ndcg@10", "err", "rbp(p=0.95)", "ndcg(gain='linear')@3"]


def test_lists_may_be_texts_and_measures_and_hold_each_once() -> None:
    assert parse_measures(["ndcg@10", NDCG(cutoff=10), RBP()]) == [NDCG(cutoff=10), RBP()]
    assert parse_measures(RBP()) == [RBP()]
    assert parse_measures() == parse_measures(DEFAULT_MEASURES)


@pytest.mark.parametrize("nothing", ["", " , ", []])
def test_an_empty_list_is_refused(nothing: str | list[str]) -> None:
    with pytest.raises(InvalidParameter, match="no measures given"):
        parse_measures(nothing)


def test_what_is_no_measure_is_refused() -> None:
    with pytest.raises(InvalidParameter, match="a measure is a text"):
        parse_measures([7])  # type: ignore[list-item]


@pytest.mark.parametrize("cls", list(MEASURES), ids=lambda cls: cls.name)
def test_every_measure_is_frozen_and_says_what_it_is(cls: type[Measure]) -> None:
    needed = {"cutoff": 3} if cls.cutoffs == "needed" else {}
    measure = cls(**needed)
    assert cls.summary().endswith(".")
    with pytest.raises(dataclasses.FrozenInstanceError):
        measure.cutoff = 4  # type: ignore[misc]


def test_no_text_ends_in_anything_but_a_measure_or_an_error_of_ours() -> None:
    rng = np.random.default_rng(0)
    pieces = ["ndcg", "rbp", "p", "@", "(", ")", "'", '"', ",", "=", "gain", "p=.5", "10", " ", "\x00", "é", "lambda:0"]
    for _ in range(3000):
        text = "".join(rng.choice(pieces, rng.integers(0, 8)))
        try:
            read = parse_measures(text)
        except StaggError:
            continue
        assert parse_measures(",".join(map(repr, read))) == read


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("nDGC@10", r"unknown measure 'nDGC@10'; did you mean 'nDCG@10' \(gain y\) or 'ndcg@10' \(gain 2\^y-1\)"),
        ("nDCG10", r"did you mean 'nDCG@10' \(gain y\)\?"),
        ("ndcg10", r"did you mean 'ndcg@10' \(gain 2\^y-1\)\?"),
        ("P5", r"did you mean 'p@5'\?"),
    ],
)
def test_a_misspelt_measure_is_told_both_gains_and_its_cutoff(text: str, hint: str) -> None:
    with pytest.raises(UnknownName, match=hint):
        MEASURES.parse(text)
