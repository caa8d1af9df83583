"""Scores, masses, order and ties of the positional and Comb methods in exact arithmetic: an oracle for tests.

Written from METHODS.md section 3, DESIGN.md section 2 (rule 3) and the text of `stagg methods NAME` by someone who has
not read the kernels. Every input is a float and is taken as the fraction that it is. Square roots, logarithms, N^γ and
powers of φ are carried to about 90 digits; all the rest is exact.

The mass of an item is the sum of the absolute values of its own weighted terms, with the factor of its method. Two
neighbours in the order of scores tie when their difference is at most 1e-10 times the larger of their masses, or when
both are below 1e-308; groups are runs of such neighbours, ordered by id, descending.
"""

from __future__ import annotations

import decimal
import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import pairwise
from math import isqrt, lcm
from typing import Any

BITS = 300  # of what is not rational, and of powers that grow too long
TIE = Fraction(1, 10**10)
TINY = Fraction(1, 10**308)
NOISE = Fraction(1, 10**13)  # more than rounding to 53 bits can do to a sum, relative to its mass
DECIMALS = decimal.Context(prec=100, Emax=decimal.MAX_EMAX, Emin=decimal.MIN_EMIN)

NORMS = ("min-max", "max", "sum", "z-score", "dbsf", "l2", "rank", "borda", "none")
COMBS = ("combsum", "combmnz", "combmax", "combmin", "combmed", "combanz", "wmnz", "gmnz")

Entry = Any  # an id, a group of tied ids, or a tuple (id, score)
Terms = dict[str, list[tuple["Fraction", "Value"]]]  # for each item the weights and terms of the lists that hold it


class Borderline(Exception):
    """The definition itself hangs on a difference that floats cannot hold (half of the weight, a weight of 1)."""


@dataclass(frozen=True)
class Value:
    """A number and its mass: a term that one list gives, or the score of an item."""

    value: Fraction
    mass: Fraction

    def times(self, factor: Fraction) -> Value:
        return Value(self.value * factor, self.mass * abs(factor))


@dataclass(frozen=True)
class Ballot:
    """One list: groups of tied items, best first; the scores where it has them; its weight."""

    groups: list[list[str]]
    scores: dict[str, Fraction] | None
    weight: Fraction

    @cached_property
    def items(self) -> list[str]:
        return [item for group in self.groups for item in group]


class Query:
    """The lists of one query that have a weight and an item, and what their norms give."""

    def __init__(self, lists: Sequence[Sequence[Entry]], weights: Sequence[float] | None = None) -> None:
        given = [1.0] * len(lists) if weights is None else weights
        ballots = [read(one, Fraction(weight)) for one, weight in zip(lists, given, strict=True) if weight > 0]
        self.ballots = [one for one in ballots if one.groups]
        self.items = sorted({item for ballot in self.ballots for item in ballot.items})
        self.weight = sum((ballot.weight for ballot in self.ballots), Fraction(0))
        self.normalised: dict[str, Terms] = {}

    def terms(self, norm: str) -> Terms:
        """For each item the (weight, normalised score) of the lists that hold it."""
        if norm not in self.normalised:
            self.normalised[norm] = by_item(
                (ballot.weight, normalise(ballot, norm, len(self.items))) for ballot in self.ballots
            )
        return self.normalised[norm]


@dataclass(frozen=True)
class Expected:
    """What a method must give for one query; `borderline` where rounding in the last bits of a float may change it."""

    scores: dict[str, Value]
    groups: list[list[str]]
    borderline: bool

    def shown(self) -> dict[str, Value]:
        """The score that a result shows for each item: tied items show the largest of their group."""
        shown = {}
        for group in self.groups:
            tied = [self.scores[item] for item in group]
            together = Value(max(one.value for one in tied), max(one.mass for one in tied)) if tied[1:] else tied[0]
            shown |= dict.fromkeys(group, together)
        return shown


def expect(name: str, query: Query, **options: Any) -> Expected:
    """What `stagg.fuse(lists, "name(options)", weights=weights)` must give."""
    scores = comb(name, query, **options) if name in COMBS else POSITIONAL[name](query, **options)
    whole = Whole.of(scores)
    groups, close = tied_groups(whole)
    return Expected(scores, groups, close or noise_bridges(whole, groups))


def read(entries: Sequence[Entry], weight: Fraction) -> Ballot:
    """A list of (id, score) tuples in any order, or a best-first list of ids and groups of ids."""
    if not all(isinstance(entry, tuple) for entry in entries):
        return Ballot([[entry] if isinstance(entry, str) else sorted(entry) for entry in entries], None, weight)
    scores = {item: Fraction(score) for item, score in entries}
    groups = defaultdict(list)
    for item, score in scores.items():
        groups[score].append(item)
    return Ballot([groups[score] for score in sorted(groups, reverse=True)], scores, weight)


@dataclass(frozen=True)
class Whole:
    """Scores and masses over one denominator, as whole numbers: (value, mass) of each item."""

    numbers: dict[str, tuple[int, int]]
    denominator: int

    @classmethod
    def of(cls, scores: Mapping[str, Value]) -> Whole:
        bottom = lcm(*{part.denominator for one in scores.values() for part in (one.value, one.mass)})
        return cls({item: (over(one.value, bottom), over(one.mass, bottom)) for item, one in scores.items()}, bottom)

    def moved(self, chance: random.Random) -> Whole:
        """The same with every value moved by at most NOISE times its mass."""
        moved = {
            item: (value + mass * chance.randint(-1000, 1000) // (1000 * NOISE.denominator), mass)
            for item, (value, mass) in self.numbers.items()
        }
        return Whole(moved, self.denominator)


def over(number: Fraction, denominator: int) -> int:
    return number.numerator * (denominator // number.denominator)


def tied_groups(scores: Whole) -> tuple[list[list[str]], bool]:
    """Runs of neighbours that tie, best first, inside a run by id, descending; and whether one was a close call."""
    best_first = sorted(scores.numbers, key=lambda item: scores.numbers[item][0], reverse=True)
    groups, close = [best_first[:1]], False
    for before, item in pairwise(best_first):
        ties, is_close = compare(scores.numbers[before], scores.numbers[item], scores.denominator)
        close = close or is_close
        if ties:
            groups[-1].append(item)
        else:
            groups.append([item])
    return [sorted(group, key=lambda item: item.encode(), reverse=True) for group in groups], close


def compare(better: tuple[int, int], worse: tuple[int, int], denominator: int) -> tuple[bool, bool]:
    """Whether two neighbours tie, and whether the last bits, or the reading of "below 1e-308", decide that."""
    difference = (better[0] - worse[0]) * TIE.denominator
    limit = max(better[1], worse[1])
    small = [abs(number) * TINY.denominator < denominator for number in (better[0], worse[0])]
    apart = (better[0] - worse[0]) * TINY.denominator > denominator
    close = limit < 2 * difference <= 4 * limit or (2 * difference > limit and apart == all(small))
    return difference <= limit or all(small), close


def noise_bridges(scores: Whole, groups: list[list[str]]) -> bool:
    """Whether an item of large mass, moved by its rounding, would tie with others than it does."""
    masses = [[scores.numbers[item][1] for item in group] for group in groups if len(group) > 1]
    if all(max(one) <= 4 * min(one) for one in masses):
        return False
    chance = random.Random(1)
    return any(tied_groups(scores.moved(chance))[0] != groups for _ in range(4))


# -- Positional methods: what a list gives depends on the places of the item ------------------------------------------

Gain = Callable[[int], Fraction]  # what rank r gives, r from 1


def gains(ballot: Ballot, gain: Gain) -> dict[str, Fraction]:
    """What the list gives each of its items: tied items get the mean over the places that their group occupies."""
    given, first = {}, 1
    for group in ballot.groups:
        places = [gain(rank) for rank in range(first, first + len(group))]
        given |= dict.fromkeys(group, sum(places, Fraction(0)) / len(group) if places[1:] else places[0])
        first += len(group)
    return given


def by_item(lists: Iterable[tuple[Fraction, Mapping[str, Value]]]) -> Terms:
    """For each item the (weight, term) of the lists that give it something."""
    terms = defaultdict(list)
    for weight, given in lists:
        for item, term in given.items():
            terms[item].append((weight, term))
    return terms


def total(terms: list[tuple[Fraction, Value]]) -> Value:
    """Σ w·term, and its mass Σ |w·term|."""
    value = sum((weight * term.value for weight, term in terms), Fraction(0))
    if all(term.mass == term.value for _, term in terms):
        return Value(value, value)
    return Value(value, sum((weight * term.mass for weight, term in terms), Fraction(0)))


def plain(values: Mapping[str, Fraction]) -> dict[str, Value]:
    return {item: Value(value, abs(value)) for item, value in values.items()}


def terms_of(query: Query, gain: Gain) -> Terms:
    return by_item((ballot.weight, plain(gains(ballot, gain))) for ballot in query.ballots)


def add_up(query: Query, gain: Gain) -> dict[str, Value]:
    return {item: total(terms) for item, terms in terms_of(query, gain).items()}


def with_leftover(query: Query, gain: Gain) -> Terms:
    """As `terms_of`, and the items that a list does not hold share the places that it left over."""
    return by_item((ballot.weight, plain(gains(completed(ballot, query), gain))) for ballot in query.ballots)


def completed(ballot: Ballot, query: Query) -> Ballot:
    listed = set(ballot.items)
    unlisted = [item for item in query.items if item not in listed]
    return Ballot([*ballot.groups, unlisted], None, ballot.weight) if unlisted else ballot


def borda(query: Query, missing: str = "skip") -> dict[str, Value]:
    n = len(query.items)
    spread = with_leftover if missing == "below" else terms_of
    return {item: total(terms) for item, terms in spread(query, lambda rank: Fraction(n - rank + 1)).items()}


def mean_rank(query: Query) -> dict[str, Value]:
    terms = with_leftover(query, lambda rank: Fraction(-rank))
    return {item: total(one).times(1 / query.weight) for item, one in terms.items()}


def median_rank(query: Query) -> dict[str, Value]:
    terms = with_leftover(query, lambda rank: Fraction(-rank))
    return {item: weighted_median(one) for item, one in terms.items()}


def weighted_median(terms: list[tuple[Fraction, Value]]) -> Value:
    """Weights act as copies; two middle values give their mean."""
    ordered = sorted(terms, key=lambda term: term[1].value)
    whole, below = weight_of(terms), Fraction(0)
    for place, (weight, term) in enumerate(ordered):
        below += weight
        if abs(below - whole / 2) < whole / 10**9 and not below == whole / 2 == Fraction(float(below)):
            raise Borderline("half of the weight, up to rounding")
        if below == whole / 2:
            one, other = taken(term, terms), taken(ordered[place + 1][1], terms)
            return Value((one.value + other.value) / 2, (one.mass + other.mass) / 2)
        if below > whole / 2:
            return taken(term, terms)
    raise AssertionError("a list of terms has a middle")


def taken(term: Value, terms: list[tuple[Fraction, Value]]) -> Value:
    """The term, with the largest mass among those that rounding cannot tell from it: floats may take any of them."""
    alike = [one.mass for _, one in terms if abs(one.value - term.value) <= NOISE * max(one.mass, term.mass)]
    return Value(term.value, max(alike))


def weight_of(terms: list[tuple[Fraction, Value]]) -> Fraction:
    return sum((weight for weight, _ in terms), Fraction(0))


def rrf(query: Query, c: float | None = None, compat: str | None = None) -> dict[str, Value]:
    constant = Fraction((2 if compat == "qdrant" else 60) if c is None else c)
    match compat:
        case "qdrant":
            return rrf_of_qdrant(query, constant)
        case "haystack":
            scores = add_up(query, lambda rank: (constant + 1) / (constant + rank))
            return {item: score.times(1 / query.weight) for item, score in scores.items()}
        case "llamaindex" | "pyterrier":
            return add_up(query, lambda rank: 1 / (constant + rank - 1))
    return add_up(query, lambda rank: 1 / (constant + rank))


def rrf_of_qdrant(query: Query, constant: Fraction) -> dict[str, Value]:
    """Σ 1 / (rank / w + c - 1): the weight divides the rank."""

    def given(ballot: Ballot) -> dict[str, Value]:
        return plain(gains(ballot, lambda rank: 1 / (rank / ballot.weight + constant - 1)))

    terms = by_item((Fraction(1), given(ballot)) for ballot in query.ballots)
    return {item: total(one) for item, one in terms.items()}


def inverse_squares(query: Query, factor: Callable[[Fraction], Fraction]) -> dict[str, Value]:
    """factor(N) · Σ w / rank², N the total weight of the lists that hold the item."""
    factor = lru_cache(factor)
    terms = terms_of(query, lambda rank: Fraction(1, rank * rank))
    return {item: total(one).times(factor(weight_of(one))) for item, one in terms.items()}


def isr(query: Query) -> dict[str, Value]:
    return inverse_squares(query, lambda number: number)


def log_isr(query: Query) -> dict[str, Value]:
    return inverse_squares(query, logarithm)


def logn_isr(query: Query, sigma: float = 0.01) -> dict[str, Value]:
    return inverse_squares(query, lambda number: logarithm(number + Fraction(sigma)))


def rbc(query: Query, phi: float = 0.9) -> dict[str, Value]:
    exact = Fraction(phi)
    powers = [Fraction(1)]

    def gain(rank: int) -> Fraction:
        while len(powers) < rank:
            powers.append(cut(powers[-1] * exact))
        return (1 - exact) * powers[rank - 1]

    return add_up(query, gain)


def votecount(query: Query) -> dict[str, Value]:
    return add_up(query, lambda rank: Fraction(1))


POSITIONAL: dict[str, Callable[..., dict[str, Value]]] = {
    "borda": borda,
    "mean_rank": mean_rank,
    "median_rank": median_rank,
    "rrf": rrf,
    "isr": isr,
    "log_isr": log_isr,
    "logn_isr": logn_isr,
    "rbc": rbc,
    "votecount": votecount,
}


# -- Comb methods: normalised scores ----------------------------------------------------------------------------------


def comb(name: str, query: Query, norm: str = "min-max", gamma: float = 0.5) -> dict[str, Value]:
    return {item: combine(name, terms, gamma) for item, terms in query.terms(norm).items()}


def combine(name: str, terms: list[tuple[Fraction, Value]], gamma: float) -> Value:
    number = weight_of(terms)
    match name:
        case "combsum":
            return total(terms)
        case "combmnz":
            return total(terms).times(number)
        case "combanz":
            return total(terms).times(1 / number)
        case "wmnz":
            return total(terms).times(Fraction(len(terms)))
        case "gmnz":
            return total(terms).times(power(number, gamma))
        case "combmax":
            return taken(max((term for _, term in terms), key=lambda term: term.value), terms)
        case "combmin":
            return taken(min((term for _, term in terms), key=lambda term: term.value), terms)
        case "combmed":
            return weighted_median(terms)
    raise AssertionError(name)


def normalise(ballot: Ballot, norm: str, n: int) -> dict[str, Value]:
    """The normalised scores of one list. What is centred on a mean has the mass of the largest in its list."""
    if norm in ("rank", "borda"):
        size = len(ballot.items) if norm == "rank" else n
        return plain(gains(ballot, lambda rank: 1 - Fraction(rank - 1, size)))
    assert ballot.scores is not None, "only scored lists have norms other than rank and borda"
    items, scores = list(ballot.scores), list(ballot.scores.values())
    values = NORMALISE[norm](scores)
    if norm in ("z-score", "dbsf"):
        largest = max(map(abs, values))
        return {item: Value(value, largest) for item, value in zip(items, values, strict=True)}
    return plain(dict(zip(items, values, strict=True)))


def even(scores: list[Fraction]) -> bool:
    return max(scores) == min(scores)


def halves(scores: list[Fraction]) -> list[Fraction]:
    return [Fraction(1, 2)] * len(scores)


def min_max(scores: list[Fraction]) -> list[Fraction]:
    low, high = min(scores), max(scores)
    return halves(scores) if even(scores) else [(score - low) / (high - low) for score in scores]


def by_max(scores: list[Fraction]) -> list[Fraction]:
    """s / max; a list without a positive score has no such scale and is normalised by min-max."""
    high = max(scores)
    if even(scores) or high <= 0:
        return min_max(scores)
    return [score / high for score in scores]


def by_sum(scores: list[Fraction]) -> list[Fraction]:
    low = min(scores)
    whole = sum(scores, Fraction(0)) - low * len(scores)
    return halves(scores) if even(scores) else [(score - low) / whole for score in scores]


def z_score(scores: list[Fraction]) -> list[Fraction]:
    if even(scores):
        return [Fraction(0)] * len(scores)
    mean = sum(scores, Fraction(0)) / len(scores)
    variance = sum(((score - mean) ** 2 for score in scores), Fraction(0)) / len(scores)
    inverse = root(1 / variance)
    return [cut((score - mean) * inverse) for score in scores]


def dbsf(scores: list[Fraction]) -> list[Fraction]:
    """Mean ± 3 standard deviations become 0 and 1; what lies beyond is cut."""
    if even(scores):
        return halves(scores)
    return [min(Fraction(1), max(Fraction(0), Fraction(1, 2) + z / 6)) for z in z_score(scores)]


def l2(scores: list[Fraction]) -> list[Fraction]:
    squares = sum((score * score for score in scores), Fraction(0))
    if squares == 0:
        return halves(scores)
    inverse = root(1 / squares)
    return [cut(score * inverse) for score in scores]


NORMALISE: dict[str, Callable[[list[Fraction]], list[Fraction]]] = {
    "min-max": min_max,
    "max": by_max,
    "sum": by_sum,
    "z-score": z_score,
    "dbsf": dbsf,
    "l2": l2,
    "none": list,
}


# -- Numbers that are not rational, or too long -----------------------------------------------------------------------


def cut(number: Fraction) -> Fraction:
    """The number to BITS bits."""
    top, bottom = number.numerator, number.denominator
    shift = BITS + bottom.bit_length() - top.bit_length()
    if top.bit_length() <= BITS and bottom.bit_length() <= BITS:
        return number
    return (
        Fraction((top << shift) // bottom, 1 << shift) if shift > 0 else Fraction(top // (bottom << -shift) << -shift)
    )


def root(number: Fraction) -> Fraction:
    """The square root to at least BITS bits."""
    top, bottom = number.numerator, number.denominator
    shift = max(0, BITS + (bottom.bit_length() - top.bit_length()) // 2)
    return Fraction(isqrt((top << 2 * shift) // bottom), 1 << shift)


@lru_cache
def logarithm(number: Fraction) -> Fraction:
    """The natural logarithm of a number that counts as at least 1."""
    if number != 1 and abs(number - 1) < Fraction(1, 10**9):
        raise Borderline("a weight of 1, up to rounding")
    return cut(Fraction(DECIMALS.ln(as_decimal(number)))) if number > 1 else Fraction(0)


@lru_cache
def power(number: Fraction, exponent: float) -> Fraction:
    """number ** exponent, of a number above 0."""
    logarithm_of_it = DECIMALS.multiply(decimal.Decimal(exponent), DECIMALS.ln(as_decimal(number)))
    return cut(Fraction(DECIMALS.exp(logarithm_of_it)))


def as_decimal(number: Fraction) -> decimal.Decimal:
    return DECIMALS.divide(decimal.Decimal(number.numerator), decimal.Decimal(number.denominator))
