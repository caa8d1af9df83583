"""Axioms of voting rules: what each asks, and whether a rule keeps to it on an election of complete ballots.

``violation(method, votes, axiom)`` says what is wrong, or nothing; ``find_counterexample`` searches for a small
election in which a rule breaks an axiom. All axioms are about the set of winners, tied ones included.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from typing import Final

import numpy as np

from stagg.data.ballots import ballots_from_places
from stagg.evaluation.victory import first_group
from stagg.methods import METHODS, Method

__all__ = [
    "AXIOMS", "COUNTEREXAMPLES", "KNOWN", "Votes", "axiom_table", "counterexample_table", "find_counterexample",
    "parse_votes", "show_votes", "violation", "winners_of",
]  # fmt: skip

Votes = Mapping[str, int]
"""How many voters cast each ballot; a ballot is its candidates, one letter each, best first."""

AXIOMS: Final[Mapping[str, str]] = {
    "majority": "whoever is first on more than half of the ballots wins alone",
    "condorcet winner": "whoever beats each other candidate by majority wins alone",
    "condorcet loser": "whoever loses to each other candidate by majority does not win",
    "monotonicity": "a winner who is raised on a ballot, by one place, still wins",
    "reversal symmetry": "who wins alone does not win when all ballots are turned around",
    "clones": "a candidate who is next to another one on all ballots can be left out, and the same side wins",
    "participation": "a voter who comes does not turn the only winner into one whom that voter likes less",
}


COUNTEREXAMPLES: Final[Mapping[str, Mapping[str, str]]] = {
    "plurality": {
        "condorcet winner": "1 abc, 1 bac, 1 cab",
        "condorcet loser": "1 abc, 1 bac, 1 cab",
        "reversal symmetry": "1 abc, 1 acb, 1 bca",
        "clones": "1 abc, 1 bac, 1 cab",
    },
    "irv": {
        "condorcet winner": "1 abc, 1 bac, 1 cab",
        "monotonicity": "7 dcabe, 4 badce, 4 bcdea, 3 cdbae, 3 ceadb, 2 acdeb, 1 aedbc",
        "reversal symmetry": "1 abc, 1 acb, 1 bca",
        "clones": "1 abc, 1 bac, 1 cab",
        "participation": "5 dabc, 4 bcda, 4 cadb, 2 badc",
    },
    "coombs": {
        "condorcet winner": "4 cdab, 3 bcad, 2 bcda, 1 adbc, 1 cbad",
        "monotonicity": "2 abc, 2 bca, 1 acb, 1 cab",
        "reversal symmetry": "1 abc, 1 cba",
        "clones": "1 abc, 1 bca",
        "participation": "3 bdac, 3 cbad, 2 cadb, 1 badc",
    },
    "bucklin": {
        "condorcet winner": "2 abc, 1 bac, 1 bca, 1 cab",
        "condorcet loser": "2 abc, 2 cba, 1 acb, 1 cab",
        "reversal symmetry": "1 abc, 1 cba",
        "clones": "1 abc, 1 bca",
        "participation": "3 abc, 2 bca",
    },
    "borda": {
        "majority": "2 abc, 1 bca",
        "condorcet winner": "2 abc, 1 bca",
        "clones": "1 abc, 1 bca",
    },
    "black": {
        "clones": "1 abc, 1 bca",
        "participation": "3 bdac, 3 cbad, 2 cadb, 1 badc",
    },
    "nanson": {
        "monotonicity": "2 abc, 1 bca, 1 cab, 1 cba",
        "clones": "6 cdab, 5 bcda, 1 bdac, 1 dabc",
        "participation": "4 cadb, 4 dabc, 3 bcda, 1 badc",
    },
    "baldwin": {
        "monotonicity": "2 abc, 1 bca, 1 cab, 1 cba",
        "reversal symmetry": "2 abc, 2 bca, 1 cab",
        "clones": "3 badc, 3 cbad, 3 dacb",
        "participation": "5 dbac, 4 cdab, 2 acdb",
    },
    "copeland": {
        "clones": "1 abc, 1 bca",
    },
    "minimax": {
        "condorcet loser": "4 abecd, 4 dcabe, 1 bdeac",
        "reversal symmetry": "1 adbc, 1 bcda, 1 cabd, 1 dabc, 1 dcab",
    },
    "schulze": {},
    "ranked_pairs": {
        "reversal symmetry": "1 abc, 1 cba",
        "clones": "1 abc, 1 cab",
        "participation": "2 abc, 2 bca, 1 cab",
    },
}
"""Elections in which a rule, with its default parameters, breaks an axiom: small ones that a search found."""

KNOWN: Final[Mapping[str, Mapping[str, str]]] = {
    "minimax": {
        "clones": "Tideman 1987; three clones are needed",
        "participation": "Moulin 1988; four candidates and twelve voters are needed",
    },
    "schulze": {"participation": "Moulin 1988; four candidates and twelve voters are needed"},
    "copeland": {"participation": "Moulin 1988; four candidates and twelve voters are needed"},
}
"""Axioms that the literature says a rule breaks, and for which the search found no election."""


def axiom_table() -> str:
    """Which rule keeps which axiom, as a table of Markdown.

    >>> axiom_table().splitlines()[2]
    '| `plurality` | yes | no | no | yes | no | no | yes |'
    """
    head = "| rule | " + " | ".join(AXIOMS) + " |"
    return "\n".join([head, "|---" * (len(AXIOMS) + 1) + "|", *map(_row, COUNTEREXAMPLES)])


def _row(rule: str) -> str:
    marks = [
        "no" if axiom in COUNTEREXAMPLES[rule] else "no*" if axiom in KNOWN.get(rule, {}) else "yes" for axiom in AXIOMS
    ]
    return f"| `{rule}` | " + " | ".join(marks) + " |"


def counterexample_table() -> str:
    """The counterexamples and what happens in each, as a table of Markdown."""
    rows = [
        f"| `{rule}` | {axiom} | {text} | {violation(_default(rule), parse_votes(text), axiom)} |"
        for rule, broken in COUNTEREXAMPLES.items()
        for axiom, text in broken.items()
    ]
    return "\n".join(["| rule | axiom | votes | what happens |", "|---|---|---|---|", *rows])


def _default(rule: str) -> Method:
    """The rule as ``elect`` runs it."""
    return METHODS.parse(rule).with_missing("below")


def parse_votes(text: str) -> dict[str, int]:
    """Votes from "4 abc, 3 bca": counts and ballots.

    >>> parse_votes("4 abc, 3 bca")
    {'abc': 4, 'bca': 3}
    """
    pairs = (part.split() for part in text.split(","))
    return {ballot: int(count) for count, ballot in pairs}


def show_votes(votes: Votes) -> str:
    """The text of votes, most frequent ballots first."""
    return ", ".join(f"{n} {ballot}" for ballot, n in sorted(votes.items(), key=lambda pair: (-pair[1], pair[0])))


def winners_of(method: Method, votes: Votes) -> frozenset[str]:
    """The candidates that come first, tied ones together."""
    items = sorted(next(iter(votes)))
    places = np.array([[ballot.index(item) for item in items] for ballot in votes], dtype=float)
    scores = method.score(ballots_from_places(places, np.array(list(votes.values())), items))
    return frozenset(items[i] for i in first_group(scores).tolist())


def violation(method: Method, votes: Votes, axiom: str) -> str | None:
    """What is wrong with the winners of these votes, if the axiom is broken; None if it is not.

    >>> tennessee = parse_votes("42 MNCK, 26 NCKM, 15 CKNM, 17 KCNM")
    >>> violation(METHODS.parse("irv"), tennessee, "condorcet winner")
    'N beats all others; K wins'
    """
    return _CHECKS[axiom](method, {ballot: count for ballot, count in votes.items() if count})


def _majority(method: Method, votes: Votes) -> str | None:
    for item in sorted(next(iter(votes))):
        first = sum(count for ballot, count in votes.items() if ballot[0] == item)
        if 2 * first > sum(votes.values()) and (won := winners_of(method, votes)) != {item}:
            return f"{item} has {first} of {sum(votes.values())} first votes; {_said(won)}"
    return None


def _margin(votes: Votes, one: str, other: str) -> int:
    return sum(count if b.index(one) < b.index(other) else -count for b, count in votes.items())


def _condorcet(method: Method, votes: Votes, sign: int) -> str | None:
    items = sorted(next(iter(votes)))
    for item in items:
        if all(sign * _margin(votes, item, other) > 0 for other in items if other != item):
            won = winners_of(method, votes)
            if sign > 0 and won != {item}:
                return f"{item} beats all others; {_said(won)}"
            if sign < 0 and item in won:
                return f"{item} loses to all others; {_said(won)}"
    return None


def _monotonicity(method: Method, votes: Votes) -> str | None:
    won = winners_of(method, votes)
    for ballot, item in itertools.product(votes, sorted(won)):
        place = ballot.index(item)
        if place:
            raised = ballot[: place - 1] + item + ballot[place - 1] + ballot[place + 1 :]
            after = winners_of(method, _move(votes, ballot, raised))
            if item not in after:
                return f"{_said(won)}; one voter changes {ballot} to {raised}: {_said(after)}"
    return None


def _move(votes: Votes, gone: str | None, come: str) -> dict[str, int]:
    """One voter casts another ballot, or comes."""
    moved = dict(votes)
    if gone is not None:
        moved[gone] -= 1
    moved[come] = moved.get(come, 0) + 1
    return {ballot: count for ballot, count in moved.items() if count}


def _reversal(method: Method, votes: Votes) -> str | None:
    won = winners_of(method, votes)
    after = winners_of(method, {ballot[::-1]: count for ballot, count in votes.items()})
    return f"{_said(won)}; turned around, {_said(after)}" if len(won) == 1 and won <= after else None


def _clones(method: Method, votes: Votes) -> str | None:
    items = sorted(next(iter(votes)))
    for kept, twin in itertools.permutations(items, 2):
        if len(items) > 2 and all(abs(b.index(kept) - b.index(twin)) == 1 for b in votes):
            fewer: dict[str, int] = {}
            for ballot, count in votes.items():
                fewer[ballot.replace(twin, "")] = fewer.get(ballot.replace(twin, ""), 0) + count
            won, after = winners_of(method, votes), winners_of(method, fewer)
            if {kept if item == twin else item for item in won} != after:
                return f"{_said(won)}; without {twin}, {_said(after)}"
    return None


def _participation(method: Method, votes: Votes) -> str | None:
    won = winners_of(method, votes)
    if len(won) > 1:
        return None
    (winner,) = won
    for ballot in map("".join, itertools.permutations(sorted(next(iter(votes))))):
        after = winners_of(method, _move(votes, None, ballot))
        if len(after) == 1 and ballot.index(winner) < ballot.index(next(iter(after))):
            return f"{_said(won)}; one more voter, with {ballot}: {_said(after)}"
    return None


def _said(won: frozenset[str]) -> str:
    return f"{' and '.join(sorted(won))} {'wins' if len(won) == 1 else 'win'}"


_CHECKS: Final[Mapping[str, Callable[[Method, Votes], str | None]]] = {
    "majority": _majority,
    "condorcet winner": lambda method, votes: _condorcet(method, votes, 1),
    "condorcet loser": lambda method, votes: _condorcet(method, votes, -1),
    "monotonicity": _monotonicity,
    "reversal symmetry": _reversal,
    "clones": _clones,
    "participation": _participation,
}


def find_counterexample(
    method: Method, axiom: str, *, largest: int = 9, tries: int = 2000, seed: int = 0
) -> dict[str, int] | None:
    """An election in which the rule breaks the axiom: of three candidates the smallest, if it has few voters.

    All elections of three candidates and up to ``largest`` voters are tried, then ``tries`` random ones of four and
    five; a random one is made smaller as long as the axiom stays broken. None if nothing was found.
    """
    for votes in _small_elections(largest):
        if violation(method, votes, axiom) is not None:
            return votes
    rng = np.random.default_rng(seed)
    found = (votes for votes in _random_elections(rng, tries) if violation(method, votes, axiom) is not None)
    votes_found = next(found, None)
    return None if votes_found is None else _shrink(method, axiom, votes_found)


def _small_elections(largest: int) -> Iterator[dict[str, int]]:
    """All elections of the candidates a, b and c, the fewest voters first."""
    orders = list(map("".join, itertools.permutations("abc")))
    for voters in range(1, largest + 1):
        for cast in itertools.combinations_with_replacement(orders, voters):
            if cast[0] == "abc":  # the names do not matter
                yield {ballot: cast.count(ballot) for ballot in dict.fromkeys(cast)}


def _random_elections(rng: np.random.Generator, tries: int) -> Iterator[dict[str, int]]:
    for number in range(tries):
        names = list("abcd" if number % 3 else "abcde")
        ballots = {"".join(rng.permutation(names)): int(rng.integers(1, 8)) for _ in range(int(rng.integers(3, 8)))}
        yield _with_clone(ballots, rng) if number % 2 else ballots


def _with_clone(votes: dict[str, int], rng: np.random.Generator) -> dict[str, int]:
    """The last candidate moved next to the first one on each ballot, before or after it."""
    last, moved = max(max(votes)), {}
    for ballot, count in votes.items():
        rest = ballot.replace(last, "")
        place = rest.index("a") + int(rng.integers(2))
        moved[rest[:place] + last + rest[place:]] = count
    return moved


def _shrink(method: Method, axiom: str, votes: dict[str, int]) -> dict[str, int]:
    """The same with as few voters as taking away one by one, or one kind of ballot, leaves."""
    smaller = True
    while smaller:
        smaller = False
        for ballot in sorted(votes, key=lambda each: -votes[each]):
            for fewer in (0, votes[ballot] // 2, votes[ballot] - 1):
                less = {b: fewer if b == ballot else n for b, n in votes.items() if b != ballot or fewer}
                if less and fewer < votes[ballot] and violation(method, less, axiom) is not None:
                    votes, smaller = less, True
                    break
            if smaller:
                break
    return votes
