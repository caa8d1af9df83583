"""Words of an election: what each rule does, and what the numbers of a result mean."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

__all__ = [
    "LAST_SEAT", "MARGIN", "REDRAWS", "SEAT_SHARES", "count_rules", "explain_borda", "plain_number", "summarise_rule",
    "tell_votes",
]  # fmt: skip

SUMMARIES: Final = {
    "plurality": "Plurality: whoever is the first choice on the most ballots wins; equal first choices share the vote.",
    "borda": "Borda count: n points for the first of n candidates on a ballot, n - 1 for the second, and so on.",
    "copeland": "Copeland's rule: one point for each candidate beaten head to head, half a point for a tie.",
    "minimax": "Minimax (Simpson-Kramer): whoever has the smallest worst defeat head to head wins.",
    "schulze": "Schulze's rule (beatpath): A beats B if the strongest chain of victories from A to B is stronger than "
    "the one back.",
}
"""Rules that methods describe with lists and items, in the words of an election."""

REDRAWS: Final = (
    "how often the winner wins when voters like these are drawn again; those who tie in a draw share it. This is not a "
    "share of the votes. In an election in which everybody voted, the count is final."
)
MARGIN: Final = (
    'how many ballots would have to change for another winner or a tie; "≤ 4 (≥ 3)" means that four are enough and '
    "fewer than three never are"
)


SEAT_SHARES: Final = (
    "the share of redraws in which a candidate gets a seat, when voters like these are drawn again. In an election in "
    "which everybody voted, the count is final."
)
LAST_SEAT: Final = (
    'how many changed ballots give somebody else a seat: "≤ 4 (Ada)" means that a search found four that seat Ada; '
    "fewer may be enough."
)


def summarise_rule(name: str, otherwise: str) -> str:
    """Describe a rule in one sentence of the words of elections; ``otherwise`` if there is none here.

    >>> summarise_rule("irv", "Instant runoff: ...")
    'Instant runoff: ...'
    """
    return SUMMARIES.get(name, otherwise)


def count_rules(number: int) -> str:
    """All rules, where there are two or more.

    >>> count_rules(2), count_rules(12)
    ('both rules', 'all 12 rules')
    """
    return "both rules" if number == 2 else f"all {number:,} rules"


def plain_number(votes: Fraction | float) -> int | float:
    """A number of votes: an integer where an exact one is whole, else a float.

    >>> plain_number(Fraction(2**63 - 1)), plain_number(Fraction(1, 2)), plain_number(0.3)
    (9223372036854775807, 0.5, 0.3)
    """
    return int(votes) if isinstance(votes, Fraction) and votes.denominator == 1 else float(votes)


def tell_votes(votes: float) -> str:
    """A number of votes in words: whole numbers to the last digit, others to six digits or to a hundredth.

    >>> tell_votes(9007199254740993), tell_votes(1e6), tell_votes(1 / 3), tell_votes(1234567.5)
    ('9,007,199,254,740,993', '1,000,000', '0.333333', '1,234,567.5')
    """
    if votes == int(votes):
        return f"{int(votes):,}"
    return f"{votes:,.6g}" if abs(votes) < 10_000 else f"{votes:,.2f}".rstrip("0").rstrip(".")


def explain_borda(candidates: int, *, missing: str | None) -> str:
    """How the Borda points are made; ``missing``: what it means to be left out, None if no ballot leaves out anybody.

    >>> explain_borda(3, missing=None)
    'Borda points: 3 for the first of a ballot, one less for each place below.'
    """
    points = f"Borda points: {candidates:,} for the first of a ballot, one less for each place below."
    if missing is None:
        return points
    left_out = "no points" if missing == "skip" else "equal shares of the points left over"
    return f"{points} Candidates that a ballot leaves out get {left_out}."
