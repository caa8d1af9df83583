"""Axioms of voting rules: what each demands, and whether a rule keeps it in an election of complete ballots.

``violation(method, votes, axiom)`` says what is wrong, or nothing; ``find_counterexample`` searches for a small
election in which a rule breaks an axiom. All axioms are about the set of winners, tied ones included.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np

from stagg.elections.ballot_table import ballots_from_places
from stagg.elections.victory import first_group
from stagg.methods import METHODS, Method

__all__ = [
    "AXIOMS", "COUNTEREXAMPLES", "IN_TIES", "Fault", "Votes", "axiom_table", "counterexample_table",
    "find_counterexample", "parse_votes", "show_votes", "violation", "winners_of",
]  # fmt: skip

Votes = Mapping[str, int]
"""How many voters cast each ballot; a ballot is its candidates, one letter each, best first."""

AXIOMS: Final[Mapping[str, str]] = {
    "majority": "whoever is first on more than half of the ballots wins alone",
    "condorcet winner": "whoever beats each other candidate by majority wins alone",
    "condorcet loser": "whoever loses to each other candidate by majority does not win",
    "monotonicity": "a winner who is raised on some ballots still wins",
    "reversal symmetry": "who wins alone does not win when all ballots are turned around",
    "clones": "of candidates who are next to each other on all ballots all but one can leave, and the same side wins",
    "participation": "voters who come with the same ballot do not turn the only winner into one whom they like less",
}

COME: Final = (1, 2, 4, 6, 8)
"""How many voters come together, when participation is checked."""


MOULIN: Final = "5 dbca, 4 bcad, 3 adbc, 3 adcb"
"""The election with which Moulin proves that rules which elect Condorcet winners break participation."""

COUNTEREXAMPLES: Final[Mapping[str, Mapping[str, str]]] = {
    "plurality": {
        "condorcet winner": "3 abc, 2 bac, 2 cba",
        "condorcet loser": "3 abc, 2 bca, 2 cba",
        "reversal symmetry": "1 abc, 1 acb, 1 bca, 1 cba",
        "clones": "3 abc, 2 bca, 2 cba",
    },
    "irv": {
        "condorcet winner": "2 abc, 2 cba, 1 bac",
        "condorcet loser": "3 abc, 2 bca, 2 cba",
        "monotonicity": "6 abc, 5 cab, 4 bca, 2 bac",
        "reversal symmetry": "1 abc, 1 acb, 1 bca, 1 cba",
        "clones": "3 abc, 2 bca, 2 cba",
        "participation": "5 dabc, 4 bcda, 4 cadb, 2 badc",
    },
    "coombs": {
        "condorcet winner": "4 cdab, 3 bcad, 2 bcda, 1 adbc, 1 cbad",
        "condorcet loser": "6 badc, 4 cadb, 4 cbda, 2 acdb, 2 dcab",
        "monotonicity": "3 abc, 3 bca, 1 acb, 1 cab",
        "reversal symmetry": "1 abc, 1 cba",
        "clones": "3 adcb, 2 badc, 1 abcd, 1 bacd, 1 bdca, 1 dcba",
        "participation": "3 bdac, 3 cbad, 2 cadb, 1 badc",
    },
    "bucklin": {
        "condorcet winner": "3 abc, 2 bca, 1 bac, 1 cab",
        "condorcet loser": "3 abc, 3 cba, 1 acb, 1 cab",
        "reversal symmetry": "1 abc, 1 cba",
        "clones": "3 dabc, 2 bcda, 1 cadb, 1 cbad, 1 cdab",
        "participation": "3 abc, 2 bca",
    },
    "borda": {
        "majority": "3 abc, 2 bca",
        "condorcet winner": "3 abc, 2 bca",
        "clones": "3 abc, 2 bca",
    },
    "black": {
        "clones": "3 dcba, 2 badc, 1 bacd",
        "participation": "3 bdac, 3 cbad, 2 cadb, 1 badc",
    },
    "nanson": {
        "monotonicity": "4 badc, 3 cadb, 3 dabc, 2 cbad, 2 dbac, 1 cbda",
        "clones": "6 cdab, 5 bcda, 1 bdac, 1 dabc",
        "participation": "4 cadb, 4 dabc, 3 bcda, 1 badc",
    },
    "baldwin": {
        "monotonicity": "7 abdce, 4 ecbad, 2 becad, 1 ecabd, 1 edbac",
        "reversal symmetry": "2 abc, 2 bca, 1 cab",
        "clones": "7 cdab, 7 dabc, 3 bcda, 2 badc",
        "participation": "5 dbac, 4 cdab, 2 acdb",
    },
    "copeland": {
        "clones": "4 bdcae, 3 deacb, 1 caebd",
        "participation": "4 adbce, 3 ecadb, 2 eacdb",
    },
    "minimax": {
        "condorcet loser": "6 acdb, 6 bcda, 4 adbc, 4 dcba, 2 bdca, 1 abcd",
        "reversal symmetry": "2 bcad, 2 bdac, 2 cdab, 2 dacb, 1 acdb, 1 bacd",
        "clones": "2 adcb, 2 badc, 2 bcad, 2 cadb, 2 dcab, 1 bdca",
        "participation": MOULIN,
    },
    "schulze": {"participation": MOULIN},
    "ranked_pairs": {
        "reversal symmetry": "1 abc, 1 cba",
        "clones": "1 abc, 1 cab",
        "participation": MOULIN,
    },
}
"""Elections in which a rule, with its default parameters, breaks an axiom: a search found them; one is Moulin's.

Nobody ties for the win, before or after, but in those that need a tie.
"""

IN_TIES: Final[Mapping[str, tuple[str, ...]]] = {
    "irv": ("condorcet loser", "clones"),
    "coombs": ("condorcet loser",),
    "ranked_pairs": ("reversal symmetry", "clones"),
}
"""Axioms that a rule breaks only where candidates tie for elimination, or victories are equally strong.

The literature says that the rule keeps them; with ``ties="parallel"`` it does where nobody ties for the win.
"""


def axiom_table() -> str:
    """Which rule keeps which axiom, as a table of Markdown.

    >>> axiom_table().splitlines()[2]
    '| `plurality` | yes | no | no | yes | no | no | yes |'
    """
    head = "| rule | " + " | ".join(AXIOMS) + " |"
    return "\n".join([head, "|---" * (len(AXIOMS) + 1) + "|", *map(_row, COUNTEREXAMPLES)])


def _row(rule: str) -> str:
    return f"| `{rule}` | " + " | ".join(_mark(rule, axiom) for axiom in AXIOMS) + " |"


def _mark(rule: str, axiom: str) -> str:
    if axiom in IN_TIES.get(rule, ()):
        return "but for ties"
    return "no" if axiom in COUNTEREXAMPLES[rule] else "yes"


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
    cast = ballots_from_places(places, np.array(list(votes.values())), items)
    return frozenset(items[i] for i in first_group(method.scored(cast)).tolist())


class Fault(NamedTuple):
    """A fault of the winners of some votes; ``sets``: the winners before and, if anything changes, after."""

    text: str
    sets: tuple[frozenset[str], ...]

    @property
    def clear(self) -> bool:
        """Whether nobody ties for the win."""
        return all(len(each) == 1 for each in self.sets)


Faults = Iterator[Fault]


def violation(method: Method, votes: Votes, axiom: str, *, clear: bool = False) -> str | None:
    """The fault of the winners of these votes, if the axiom is broken; None if it is not.

    ``clear``: only if nobody ties for the win, before and after.

    >>> tennessee = parse_votes("42 MNCK, 26 NCKM, 15 CKNM, 17 KCNM")
    >>> violation(METHODS.parse("irv"), tennessee, "condorcet winner")
    'N beats all others; K wins'
    """
    cast = {ballot: count for ballot, count in votes.items() if count}
    return next((each.text for each in _CHECKS[axiom](method, cast) if each.clear or not clear), None)


def _majority(method: Method, votes: Votes) -> Faults:
    for item in sorted(next(iter(votes))):
        first = sum(count for ballot, count in votes.items() if ballot[0] == item)
        if 2 * first > sum(votes.values()) and (won := winners_of(method, votes)) != {item}:
            yield Fault(f"{item} has {first} of {sum(votes.values())} first votes; {_said(won)}", (won,))


def _margin(votes: Votes, one: str, other: str) -> int:
    return sum(count if b.index(one) < b.index(other) else -count for b, count in votes.items())


def _condorcet(method: Method, votes: Votes, sign: int) -> Faults:
    items = sorted(next(iter(votes)))
    for item in items:
        if all(sign * _margin(votes, item, other) > 0 for other in items if other != item):
            won = winners_of(method, votes)
            if sign > 0 and won != {item}:
                yield Fault(f"{item} beats all others; {_said(won)}", (won,))
            if sign < 0 and item in won:
                yield Fault(f"{item} loses to all others; {_said(won)}", (won,))


def _monotonicity(method: Method, votes: Votes) -> Faults:
    won = winners_of(method, votes)
    for ballot, item in itertools.product(votes, sorted(won)):
        place = ballot.index(item)
        if place:
            raised = ballot[: place - 1] + item + ballot[place - 1] + ballot[place + 1 :]
            for voters in _numbers(votes[ballot]):
                after = winners_of(method, _move(votes, ballot, raised, voters))
                if item not in after:
                    change = f"{_voters(voters)} {'changes' if voters == 1 else 'change'} {ballot} to {raised}"
                    yield Fault(f"{_said(won)}; {change}: {_said(after)}", (won, after))


def _numbers(most: int) -> list[int]:
    """How many voters do the same: 1, 2, 4, ... and all of them."""
    return sorted({*(2**k for k in range(most.bit_length())), most} - {0})


def _voters(number: int) -> str:
    return "one voter" if number == 1 else f"{number} voters"


def _move(votes: Votes, gone: str | None, come: str, voters: int) -> dict[str, int]:
    """Some voters cast another ballot, or come."""
    moved = dict(votes)
    if gone is not None:
        moved[gone] -= voters
    moved[come] = moved.get(come, 0) + voters
    return {ballot: count for ballot, count in moved.items() if count}


def _reversal(method: Method, votes: Votes) -> Faults:
    won = winners_of(method, votes)
    after = winners_of(method, {ballot[::-1]: count for ballot, count in votes.items()})
    if len(won) == 1 and won <= after:
        yield Fault(f"{_said(won)}; turned around, {_said(after)}", (won, after))


def _clones(method: Method, votes: Votes) -> Faults:
    items = sorted(next(iter(votes)))
    won = winners_of(method, votes)
    for size in range(2, len(items)):
        for group in itertools.combinations(items, size):
            if all(_together(ballot, group) for ballot in votes):
                yield from _without_clones(method, votes, won, group)


def _together(ballot: str, group: Sequence[str]) -> bool:
    """Whether nobody else stands between the members of a group."""
    places = [ballot.index(item) for item in group]
    return max(places) - min(places) == len(group) - 1


def _without_clones(method: Method, votes: Votes, won: frozenset[str], group: Sequence[str]) -> Faults:
    """The axiom for one set of clones: any of them can stand for all."""
    for kept in group:
        gone = [item for item in group if item != kept]
        fewer: dict[str, int] = {}
        for ballot, count in votes.items():
            left = "".join(item for item in ballot if item not in gone)
            fewer[left] = fewer.get(left, 0) + count
        after = winners_of(method, fewer)
        if {kept if item in group else item for item in won} != after:
            yield Fault(f"{_said(won)}; without {' and '.join(gone)}, {_said(after)}", (won, after))


def _participation(method: Method, votes: Votes) -> Faults:
    won = winners_of(method, votes)
    if len(won) > 1:
        return
    (winner,) = won
    for ballot, voters in itertools.product(map("".join, itertools.permutations(sorted(next(iter(votes))))), COME):
        after = winners_of(method, _move(votes, None, ballot, voters))
        if len(after) == 1 and ballot.index(winner) < ballot.index(next(iter(after))):
            more = f"{'one more voter' if voters == 1 else f'{voters} more voters'}, with {ballot}"
            yield Fault(f"{_said(won)}; {more}: {_said(after)}", (won, after))


def _said(won: frozenset[str]) -> str:
    return f"{' and '.join(sorted(won))} {'wins' if len(won) == 1 else 'win'}"


_CHECKS: Final[Mapping[str, Callable[[Method, Votes], Faults]]] = {
    "majority": _majority,
    "condorcet winner": lambda method, votes: _condorcet(method, votes, 1),
    "condorcet loser": lambda method, votes: _condorcet(method, votes, -1),
    "monotonicity": _monotonicity,
    "reversal symmetry": _reversal,
    "clones": _clones,
    "participation": _participation,
}


def find_counterexample(
    method: Method, axiom: str, *, largest: int = 9, tries: int = 2000, seed: int = 0, clear: bool = False
) -> dict[str, int] | None:
    """An election in which the rule breaks the axiom: of three candidates the smallest, if it has few voters.

    All elections of three candidates and up to ``largest`` voters are tried, then ``tries`` random ones of four and
    five; a random one is made smaller as long as the axiom stays broken. ``clear``: nobody may tie for the win. None if
    nothing was found.
    """

    def is_broken(votes: Votes) -> bool:
        return violation(method, votes, axiom, clear=clear) is not None

    small = next(filter(is_broken, _small_elections(largest)), None)
    if small is not None:
        return small
    large = next(filter(is_broken, _random_elections(np.random.default_rng(seed), tries)), None)
    return None if large is None else _shrink(is_broken, large)


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
        yield _with_clones(ballots, 2 + number // 2 % 2, rng) if number % 2 else ballots


def _with_clones(votes: dict[str, int], size: int, rng: np.random.Generator) -> dict[str, int]:
    """The last candidates moved next to the first one on each ballot, in any order."""
    clones = ["a", *sorted(max(votes))[1 - size :]]
    moved: dict[str, int] = {}
    for ballot, count in votes.items():
        rest = "".join(item for item in ballot if item not in clones[1:])
        made = rest.replace("a", "".join(rng.permutation(clones)))
        moved[made] = moved.get(made, 0) + count
    return moved


def _shrink(is_broken: Callable[[Votes], bool], votes: dict[str, int]) -> dict[str, int]:
    """The same with as few voters as taking away one by one, or one kind of ballot, leaves."""
    smaller = True
    while smaller:
        smaller = False
        for ballot in sorted(votes, key=lambda each: -votes[each]):
            for fewer in (0, votes[ballot] // 2, votes[ballot] - 1):
                less = {b: fewer if b == ballot else n for b, n in votes.items() if b != ballot or fewer}
                if less and fewer < votes[ballot] and is_broken(less):
                    votes, smaller = less, True
                    break
            if smaller:
                break
    return votes
