"""Headline of an election's report: who is elected and by how much, or that the rules disagree."""

from __future__ import annotations

from stagg.elections.elect import COUNTED, Election, RuleResult
from stagg.elections.runoff import join_names, runoff_winners
from stagg.elections.words import count_rules, tell_votes

__all__ = ["headline"]


def headline(found: Election) -> str:
    """Who is elected, where all rules agree; else that they do not, and who wins by which.

    >>> from stagg import elect
    >>> votes = [list(vote) for vote in ("abc", "abc", "bca", "cba", "cba")]
    >>> headline(elect(votes, "irv", draws=0))
    'Elected by irv: c, 3 to 2 in the last round.'
    >>> headline(elect(votes, "irv,schulze", draws=0))
    "The rules disagree; your statutes decide which one counts. 'c' wins by irv; 'b' wins by schulze."
    """
    if not found.agrees:
        return f"The rules disagree; your statutes decide which one counts. {found.verdict}"
    first = found.results[0]
    return " ".join([_name_elected(found, first), *filter(None, [each.doubt for each in found.results])])


def _name_elected(found: Election, first: RuleResult) -> str:
    rules = first.rule if len(found.results) == 1 else count_rules(len(found.results))
    if len(first.winners) > 1:
        return f"Tie by {rules}: {join_names(first.winners, 'and')}. Your statutes decide who is elected."
    lead = _by_how_much(found, first) if len(found.results) == 1 else ""
    return f"Elected by {rules}: {first.winners[0]}{lead}."


def _by_how_much(found: Election, only: RuleResult) -> str:
    """The last round of a runoff, or the points of the winner and of the next one; else nothing."""
    if only.kind == "irv":
        return _describe_last_round(found, only)
    if only.points is None or len(only.order) < 2:
        return ""
    winner, following = only.winners[0], only.order[1]
    told = f"{tell_votes(only.points[following[0]])} for {join_names(following, 'and')}"
    return f", with {tell_votes(only.points[winner])} {COUNTED[only.kind]} to {told}"


def _describe_last_round(found: Election, only: RuleResult) -> str:
    votes, winners = found.rounds[-1].votes, runoff_winners(found.rounds)
    others = [tell_votes(each) for name, each in votes.items() if name not in winners]
    if not others or winners != [*only.winners]:
        return ""
    return f", {tell_votes(votes[winners[0]])} to {' and '.join(others)} in the last round"
