"""The axioms of voting rules: those that a rule keeps hold on random elections, the others have a counterexample."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from stagg.evaluation.axioms import (
    AXIOMS,
    COUNTEREXAMPLES,
    KNOWN,
    _random_elections,
    axiom_table,
    counterexample_table,
    find_counterexample,
    parse_votes,
    show_votes,
    violation,
)
from stagg.evaluation.elections import RULES
from stagg.methods import METHODS, Method

PAGE = Path(__file__).parents[2] / "docs" / "voting_rules.md"
ELECTIONS = {"participation": 25, "monotonicity": 40}
"""Random elections tried for axioms that look at many changes; of the others 100."""


def rule_of(name: str) -> Method:
    return METHODS.parse(name).with_missing("below")


@pytest.mark.parametrize(("rule", "axiom"), [(r, a) for r, broken in COUNTEREXAMPLES.items() for a in broken])
def test_the_counterexample_breaks_the_axiom(rule: str, axiom: str) -> None:
    assert violation(rule_of(rule), parse_votes(COUNTEREXAMPLES[rule][axiom]), axiom) is not None


@pytest.mark.parametrize(
    ("rule", "axiom"),
    [(r, a) for r in RULES for a in AXIOMS if a not in COUNTEREXAMPLES[r] and a not in KNOWN.get(r, {})],
)
def test_the_axiom_holds_on_random_elections(rule: str, axiom: str) -> None:
    for votes in _random_elections(np.random.default_rng(11), ELECTIONS.get(axiom, 100)):
        assert violation(rule_of(rule), votes, axiom) is None, show_votes(votes)


def test_every_rule_and_only_known_axioms_are_declared() -> None:
    assert set(COUNTEREXAMPLES) == set(RULES)
    assert {axiom for broken in (*COUNTEREXAMPLES.values(), *KNOWN.values()) for axiom in broken} <= set(AXIOMS)


def test_the_search_finds_a_smallest_election_of_three() -> None:
    votes = find_counterexample(rule_of("borda"), "majority", largest=3, tries=0)
    assert votes is not None
    assert show_votes(votes) == "2 abc, 1 bca"
    assert find_counterexample(rule_of("schulze"), "majority", largest=3, tries=0) is None


def test_clones_are_no_harm_to_runoffs_in_parallel() -> None:
    for votes in _random_elections(np.random.default_rng(3), 60):
        assert violation(rule_of("irv(ties='parallel')"), votes, "clones") is None


def test_the_page_shows_the_tables_of_today() -> None:
    text = PAGE.read_text()
    assert axiom_table() in text
    assert counterexample_table() in text
