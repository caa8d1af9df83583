"""Why a candidate lost: first choices, the winner head to head, the runoff, the rules, the missing ballots."""

from __future__ import annotations

from collections.abc import Iterator

from stagg.data.inputs.construct import rankings_of
from stagg.data.inputs.types import RankingsLike
from stagg.data.rankings import Weights
from stagg.elections.ballot_table import merge_ballots
from stagg.elections.elect import Election, one_election, rules_of
from stagg.elections.runoff import join_names, runoff_winners
from stagg.elections.victory import changes_to_win
from stagg.elections.words import tell_votes
from stagg.errors import UnknownName, plural, shown
from stagg.registry import near_names

__all__ = ["explain_candidate"]

TELLING = ("plurality", "irv", "borda", "schulze")
"""Rules for which the ballots are counted that a candidate lacked: one of each kind."""
MOST_EQUALS = 5  # candidates that are named where they tie


def explain_candidate(
    found: Election, candidate: str, ballots: RankingsLike, *, weights: Weights | None = None
) -> list[str]:
    """Sentences on the place of a candidate; ``ballots`` and ``weights`` are those of the election.

    >>> from stagg import elect
    >>> votes = [list(vote) for vote in ("abc", "abc", "bca", "cba", "cba")]
    >>> for line in explain_candidate(elect(votes, "plurality,irv", draws=0), "b", votes): print(line)
    'b' is the first choice of 1 of 5 voters.
    Head to head with 'c': 3 voters prefer 'b', 2 prefer 'c'.
    Head to head with 'a': 3 voters prefer 'b', 2 prefer 'a'.
    In the instant runoff, 'b' is struck out in round 1, with 1 of 5 votes.
    By plurality and irv, 'b' comes third.
    1 ballot changed in favour of 'b' would be enough to win or tie by plurality.
    1 ballot changed in favour of 'b' would be enough to win or tie by irv.
    """
    if candidate not in found.candidates:
        raise UnknownName(f"no candidate {shown(candidate)}{near_names(candidate, found.candidates)}")
    return [
        _first_choices(found, candidate),
        *_head_to_head(found, candidate),
        _in_the_runoff(found, candidate),
        *_by_the_rules(found, candidate),
        *_ballots_lacking(found, candidate, ballots, weights),
    ]


def _first_choices(found: Election, candidate: str) -> str:
    votes = found.rounds[0].votes.get(candidate, 0.0)
    return f"{shown(candidate)} is the first choice of {tell_votes(votes)} of {_voters(found, found.weight)}."


def _voters(found: Election, number: float) -> str:
    """A number of voters, or of votes where the voters have weights."""
    noun = "voter" if found.weight == found.voters else "vote"
    return f"{tell_votes(number)} {noun if number == 1 else noun + 's'}"


def _prefer(number: float) -> str:
    return "prefers" if number == 1 else "prefer"


def _head_to_head(found: Election, candidate: str) -> Iterator[str]:
    """How many prefer whom, the candidate or a winner; against a Condorcet winner first."""
    me = found.candidates.index(candidate)
    winners = dict.fromkeys(name for each in found.results for name in each.winners)
    for name in sorted(winners, key=found.candidates.index):
        other = found.candidates.index(name)
        mine, theirs = found.wins[me, other], found.wins[other, me]
        if other != me:
            yield (
                f"Head to head with {shown(name)}: {_voters(found, mine)} {_prefer(mine)} {shown(candidate)}, "
                f"{tell_votes(theirs)} {_prefer(theirs)} {shown(name)}."
            )


def _in_the_runoff(found: Election, candidate: str) -> str:
    winners = runoff_winners(found.rounds)
    goes = (k for k, each in enumerate(found.rounds, start=1) if candidate in each.out)
    number = next(goes, len(found.rounds))
    if candidate in winners:
        what = "wins the last round" if len(winners) == 1 else "ties in the last round"
    else:
        what = "loses the last round" if number == len(found.rounds) else f"is struck out in round {number}"
    votes = found.rounds[number - 1].votes
    told = f"{tell_votes(votes[candidate])} of {tell_votes(sum(votes.values()))} votes"
    return f"In the instant runoff, {shown(candidate)} {what}, with {told}."


def _by_the_rules(found: Election, candidate: str) -> Iterator[str]:
    """Which place it has by which rules, the best place first."""
    places: dict[tuple[int, tuple[str, ...]], list[str]] = {}
    for each in found.results:
        place = each.ranks[candidate]
        equals = tuple(name for name, rank in each.ranks.items() if rank == place and name != candidate)
        places.setdefault((place, equals), []).append(each.rule)
    for (place, equals), rules in sorted(places.items()):
        listed = f"{', '.join(rules[:-1])} and {rules[-1]}" if len(rules) > 1 else rules[0]
        yield f"By {listed}, {shown(candidate)} {_describe_place(place, equals)}."


def _describe_place(place: int, equals: tuple[str, ...]) -> str:
    """A place as a verb; ``equals`` are the others who have it, too."""
    if equals:
        named = join_names(equals, "and") if len(equals) <= MOST_EQUALS else f"{len(equals):,} others"
        return f"ties for {_ordinal(place)} with {named}"
    return "wins" if place == 1 else f"comes {_ordinal(place)}"


def _ordinal(place: int) -> str:
    """
    >>> _ordinal(2), _ordinal(11), _ordinal(22)
    ('second', '11th', '22nd')
    """
    words = {1: "first", 2: "second", 3: "third", 4: "fourth", 5: "fifth", 6: "sixth"}
    ending = {1: "st", 2: "nd", 3: "rd"}.get(place % 10 if place // 10 % 10 != 1 else 0, "th")
    return words.get(place, f"{place}{ending}")


def _ballots_lacking(found: Election, candidate: str, ballots: RankingsLike, weights: Weights | None) -> Iterator[str]:
    given = rankings_of(ballots)
    merged = merge_ballots(one_election(given if weights is None else given.with_weights(weights), found.query))
    asked = [each.rule for each in found.results if each.kind in TELLING and candidate not in each.winners]
    for text, method in rules_of(asked, found.missing).items() if asked else ():
        bound, weighed = method.bind(merged)
        enough = changes_to_win(weighed, bound, bound.scored(weighed), weighed.items.index(candidate))
        what = plural(enough, "ballot")
        yield f"{what} changed in favour of {shown(candidate)} would be enough to win or tie by {text}."
