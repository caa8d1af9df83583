"""The axioms of voting rules: those that a rule keeps hold on random elections, the others have a counterexample."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.checks import some

from stagg.elections.axioms import (
    AXIOMS,
    COUNTEREXAMPLES,
    IN_TIES,
    _random_elections,
    axiom_table,
    counterexample_table,
    find_counterexample,
    parse_votes,
    show_votes,
    violation,
    winners_of,
)
from stagg.elections.elect import RULES
from stagg.methods import METHODS, Method

DOCS = Path(__file__).parents[2] / "docs"
ELECTIONS = {"participation": 12, "monotonicity": 30}
"""Random elections tried for axioms that look at many changes; of the others 100."""

LITERATURE = {
    "plurality": "yes no no yes no no yes",
    "irv": "yes no yes no no yes no",
    "coombs": "yes no yes no no no no",
    "bucklin": "yes no no yes no no no",
    "borda": "no no yes yes yes no yes",
    "black": "yes yes yes yes yes no no",
    "nanson": "yes yes yes no yes no no",
    "baldwin": "yes yes yes no no no no",
    "copeland": "yes yes yes yes yes no no",
    "minimax": "yes yes no yes no no no",
    "schulze": "yes yes yes yes yes yes no",
    "ranked_pairs": "yes yes yes yes yes yes no",
}
"""What is known of each rule, in the order of AXIOMS, where ties are broken by nobody's name.

Tideman, "Collective decisions and voting", 2006, ch. 13; Schulze 2011, table 2; Felsenthal & Tideman, "Varieties of
failure of monotonicity and participation under five voting methods", 2013; Moulin 1988; Zavist & Tideman 1989.
"""


def rule_of(name: str) -> Method:
    return METHODS.parse(name).with_missing("below")


@pytest.mark.parametrize(("rule", "axiom"), [(r, a) for r, broken in COUNTEREXAMPLES.items() for a in broken])
def test_the_counterexample_breaks_the_axiom(rule: str, axiom: str) -> None:
    votes, in_ties = parse_votes(COUNTEREXAMPLES[rule][axiom]), axiom in IN_TIES.get(rule, ())
    assert violation(rule_of(rule), votes, axiom, clear=not in_ties) is not None


@pytest.mark.parametrize(
    ("rule", "axiom"),
    [(r, a) for r in RULES for a in AXIOMS if a not in COUNTEREXAMPLES[r]],
)
def test_the_axiom_holds_on_random_elections(rule: str, axiom: str) -> None:
    for votes in some(_random_elections(np.random.default_rng(11), ELECTIONS.get(axiom, 100))):
        assert violation(rule_of(rule), votes, axiom) is None, show_votes(votes)


@pytest.mark.parametrize(
    ("rule", "axiom"),
    [(r, a) for r in RULES for a in AXIOMS if a not in COUNTEREXAMPLES[r] and a != "participation"],
)
def test_the_axiom_holds_where_a_few_of_billions_of_voters_decide(rule: str, axiom: str) -> None:
    for size in (2**31, 2**53, 2**59):
        for votes in some(_random_elections(np.random.default_rng(size), 3 if axiom == "monotonicity" else 12)):
            many = {ballot: size + count for ballot, count in votes.items()}
            assert violation(rule_of(rule), many, axiom) is None, show_votes(many)


def test_every_rule_and_only_known_axioms_are_declared() -> None:
    assert set(COUNTEREXAMPLES) == set(RULES)
    assert {axiom for broken in (*COUNTEREXAMPLES.values(), *IN_TIES.values()) for axiom in broken} <= set(AXIOMS)


def test_the_search_finds_a_smallest_election_of_three() -> None:
    votes = find_counterexample(rule_of("borda"), "majority", largest=3, tries=0)
    assert votes is not None
    assert show_votes(votes) == "2 abc, 1 bca"
    assert find_counterexample(rule_of("schulze"), "majority", largest=3, tries=0) is None


@pytest.mark.parametrize("rule", RULES)
def test_the_table_says_what_the_literature_says_but_for_ties(rule: str) -> None:
    broken = set(COUNTEREXAMPLES[rule]) - set(IN_TIES.get(rule, ()))
    assert LITERATURE[rule].split() == ["no" if axiom in broken else "yes" for axiom in AXIOMS]


@pytest.mark.parametrize(("rule", "axiom"), [(rule, axiom) for rule, axioms in IN_TIES.items() for axiom in axioms])
def test_axioms_that_break_in_ties_hold_where_all_orders_count_and_one_wins(rule: str, axiom: str) -> None:
    for votes in some(_random_elections(np.random.default_rng(3), 80)):
        assert violation(rule_of(f"{rule}(ties='parallel')"), votes, axiom, clear=True) is None, show_votes(votes)


def test_random_elections_leave_nobody_out_and_every_second_one_has_clones() -> None:
    for number, votes in some(enumerate(_random_elections(np.random.default_rng(5), 24))):
        candidates = "abcd" if number % 3 else "abcde"
        assert {"".join(sorted(ballot)) for ballot in votes} == {candidates}
        if number % 2:
            assert any(_together(votes, ["a", *candidates[-more:]]) for more in (1, 2))


def _together(votes: dict[str, int], clones: list[str]) -> bool:
    """Whether some candidates are next to each other on all ballots."""
    return all("".join(sorted(clones)) in {"".join(sorted(b[k : k + len(clones)])) for k in range(4)} for b in votes)


def test_clones_are_no_harm_to_runoffs_in_parallel() -> None:
    for votes in some(_random_elections(np.random.default_rng(3), 60)):
        assert violation(rule_of("irv(ties='parallel')"), votes, "clones") is None


def test_two_voters_who_come_together_can_hurt_themselves_where_one_or_four_cannot() -> None:
    fault = violation(rule_of("irv"), parse_votes("5 abc, 4 cba, 2 bca"), "participation")
    assert fault == "c wins; 2 more voters, with bca: a wins"


def test_more_voters_can_hurt_themselves_under_ranked_pairs() -> None:
    """Schulze on the election-methods list, 10 June 1998: six voters who prefer c to a come, and a wins."""
    votes = parse_votes("37 cabd, 20 bdac, 18 adcb, 15 bdca, 7 dacb, 3 cbad")
    rule = rule_of("ranked_pairs")
    assert winners_of(rule, votes) == {"c"}
    assert winners_of(rule, {**votes, "bdca": 21}) == {"a"}


def test_the_pages_show_the_tables_of_today() -> None:
    assert axiom_table() in (DOCS / "voting_rules.md").read_text()
    assert counterexample_table() in (DOCS / "counterexamples.md").read_text()


@pytest.mark.parametrize("seed", range(5))
def test_a_random_election_is_made_smaller_until_no_voter_can_be_left_out(seed: int) -> None:
    votes = find_counterexample(rule_of("borda"), "majority", largest=0, tries=100, seed=seed)
    assert votes is not None
    for ballot in votes:
        fewer = {each: count - (each == ballot) for each, count in votes.items() if count > (each == ballot)}
        assert violation(rule_of("borda"), fewer, "majority") is None
