"""Tables of an election for the terminal and the page: facts, wins in redraws, margins, rounds of the runoff."""

from __future__ import annotations

from stagg.elections.elect import Election, RuleResult
from stagg.elections.runoff import order_by_rounds
from stagg.elections.words import tell_votes

__all__ = ["EXHAUSTED", "list_facts", "list_rounds", "tell_cycle", "tell_margin", "tell_next", "tell_share"]

EXHAUSTED = "exhausted"


def list_facts(found: Election) -> list[tuple[str, str]]:
    """How many voters, ballots and candidates there are."""
    return [
        ("voters", f"{found.voters:,}"),
        *([("their weight", tell_votes(found.weight))] if found.weight != found.voters else []),
        ("different ballots", f"{found.ballots:,}"),
        ("candidates", f"{len(found.candidates):,}"),
    ]


def tell_cycle(found: Election) -> str:
    """The cycle at the top, closed: ``a > b > c > a``."""
    return " > ".join([*found.cycle, *found.cycle[:1]]) or "none"


def tell_share(result: RuleResult) -> str:
    """How often the winners win in redraws; of the first three if many tie."""
    shares = result.shares
    return "-" if shares is None else ", ".join(f"{100 * shares[winner]:.0f} %" for winner in result.winners[:3])


def tell_margin(result: RuleResult) -> str:
    """The margin of victory in ballots, as a bound where it is not known exactly."""
    victory = result.victory
    if victory is None:
        return "-"
    if victory.challenger is not None and victory.ballots == 0:
        return "tie"
    return f"{victory.ballots:,}" if victory.exact else f"≤ {victory.ballots:,} (≥ {victory.least:,})"


def tell_next(result: RuleResult) -> str:
    """The candidate who needs the fewest changed ballots to win or tie."""
    victory = result.victory
    return (victory.challenger or "-") if victory is not None and victory.ballots else "-"


def list_rounds(found: Election) -> list[tuple[str, list[float | None]]]:
    """The votes of each candidate in each round, None once a candidate is out; last, the exhausted ballots."""
    rows: list[tuple[str, list[float | None]]] = [
        (name, [each.votes.get(name) for each in found.rounds]) for name in order_by_rounds(found.rounds)
    ]
    if found.exhausted:
        rows.append((EXHAUSTED, [*found.exhausted]))
    return rows
