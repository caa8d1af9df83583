"""Choices at the end of a list: a note, unless the parameter can have no value beyond."""

from __future__ import annotations

import pytest

from stagg.evaluation.choices import tell_choices, tell_edges
from stagg.methods import METHODS


@pytest.mark.parametrize(("family", "best"), [("rrf(c=[0, 10, 60])", 0), ("mpm(spread=[0.0, 1.0])", 0)])
def test_no_value_is_advised_that_the_method_refuses(family: str, best: int) -> None:
    assert tell_edges("Tuned", METHODS.family(family), [best, best]) == []


@pytest.mark.parametrize(
    ("family", "best"),
    [("rrf(c=[0, 10, 60])", 2), ("rrf(c=[1, 10])", 0), ("rbc(phi=[0.5, 0.999])", 1), ("rbc(phi=[1e-9, 0.5])", 0)],
)
def test_a_choice_at_the_end_of_a_list_is_told_where_the_method_allows_more(family: str, best: int) -> None:
    assert len(tell_edges("Tuned", METHODS.family(family), [best, best])) == 1


def test_what_all_folds_share_is_said_once() -> None:
    method = "stagg_trust(shape='certain', confidence=True)"
    chosen = [f"{method}, bm25={number} dense=1" for number in range(5)]
    told = tell_choices(chosen)
    assert (told.count(method), told.count("bm25=")) == (1, 5)
    assert tell_choices([method] * 5) == f"{method} (5 folds)"
    nested = ["f(g(c=1), x=1)", "f(g(c=1), x=2)"]
    assert tell_choices(nested) == "; ".join(nested)  # a method is shared whole or not at all
    assert tell_choices(["rrf(c=1)"]) == "rrf(c=1)"
