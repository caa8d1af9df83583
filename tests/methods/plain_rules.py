"""The rules of elections from their definitions, in plain Python with whole numbers and fractions: slow and exact.

A ballot is (how many voters cast it, its tied groups, best first). Every rule returns the candidates in tied groups,
best first. What a ballot does not list stands below all that it lists. Nothing here knows of the package.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

Ballot = tuple[int, list[list[str]]]
Groups = list[set[str]]
Rule = Callable[[list[Ballot]], Groups]


def candidates(ballots: list[Ballot]) -> list[str]:
    """Whoever a ballot lists; one that nobody cast says who the candidates are."""
    return sorted({name for _, groups in ballots for group in groups for name in group})


def place(groups: list[list[str]], name: str) -> int:
    return next((number for number, group in enumerate(groups) if name in group), len(groups))


def votes_for(ballots: list[Ballot], one: str, other: str) -> int:
    """How many voters put one above the other."""
    return sum(count for count, groups in ballots if place(groups, one) < place(groups, other))


def margin(ballots: list[Ballot], one: str, other: str) -> int:
    return votes_for(ballots, one, other) - votes_for(ballots, other, one)


def rank(names: Sequence[str], key: Callable[[str], Any]) -> Groups:
    """The candidates by key, the largest first; equal ones together."""
    return [{name for name in names if key(name) == value} for value in sorted({key(n) for n in names}, reverse=True)]


# --- points -----------------------------------------------------------------------------------------------------------


def plurality_votes(ballots: list[Ballot], name: str) -> Fraction:
    return sum((Fraction(n, len(groups[0])) for n, groups in ballots if groups and name in groups[0]), Fraction(0))


def plurality(ballots: list[Ballot]) -> Groups:
    return rank(candidates(ballots), lambda name: plurality_votes(ballots, name))


def borda_points(ballots: list[Ballot], name: str) -> Fraction:
    """n points for the first place, n - 1 for the second; equals share, and the unlisted are equals in the end."""
    everybody, points = candidates(ballots), Fraction(0)
    for count, groups in ballots:
        before = 0
        for group in [*groups, [each for each in everybody if place(groups, each) == len(groups)]]:
            if name in group:
                held = range(len(everybody) - before - len(group) + 1, len(everybody) - before + 1)
                points += Fraction(count * sum(held), len(group))
            before += len(group)
    return points


def borda(ballots: list[Ballot]) -> Groups:
    return rank(candidates(ballots), lambda name: borda_points(ballots, name))


def median_rank(ballots: list[Ballot]) -> Groups:
    everybody = candidates(ballots)

    def median(name: str) -> Fraction:
        ranks = []
        for count, groups in ballots:
            above = sum(place(groups, each) < place(groups, name) for each in everybody)
            equal = sum(place(groups, each) == place(groups, name) for each in everybody)
            ranks.append((above + Fraction(equal + 1, 2), count))
        ranks.sort()
        total = sum(count for _, count in ranks)
        middle = []
        for target in ((total + 1) // 2, total // 2 + 1):  # counted from 1, as if every voter stood in the row
            seen = 0
            for each, count in ranks:
                seen += count
                if seen >= target:
                    middle.append(each)
                    break
        return -sum(middle, Fraction(0)) / 2

    return rank(everybody, median)


# --- pairs ------------------------------------------------------------------------------------------------------------


def copeland(ballots: list[Ballot]) -> Groups:
    everybody = candidates(ballots)

    def points(name: str) -> Fraction:
        leads = [margin(ballots, name, other) for other in everybody if other != name]
        return sum((Fraction(1 if lead > 0 else 0) + Fraction(lead == 0, 2) for lead in leads), Fraction(0))

    return rank(everybody, points)


def totals(ballots: list[Ballot], name: str) -> int:
    return sum(margin(ballots, name, other) for other in candidates(ballots))


def condorcet(ballots: list[Ballot]) -> Groups:
    """The Smith set first, by the sums of margins; then the Smith set of the rest, and so on."""
    left, found = candidates(ballots), []
    while left:
        smith = next(
            set(some)
            for size in range(1, len(left) + 1)
            for some in itertools.combinations(left, size)
            if all(margin(ballots, one, other) > 0 for one in some for other in left if other not in some)
        )
        found += rank(sorted(smith), lambda name: totals(ballots, name))
        left = [name for name in left if name not in smith]
    return found


def black(ballots: list[Ballot]) -> Groups:
    everybody = candidates(ballots)

    def wins(name: str) -> bool:
        return all(margin(ballots, name, other) > 0 for other in everybody if other != name)

    return rank(everybody, lambda name: (wins(name), totals(ballots, name)))


def strength(ballots: list[Ballot], one: str, other: str, by: str) -> int:
    lead = margin(ballots, one, other)
    return 0 if lead <= 0 else lead if by == "margins" else votes_for(ballots, one, other)


def minimax(ballots: list[Ballot], by: str = "margins") -> Groups:
    everybody = candidates(ballots)

    def worst(name: str) -> int:
        others = [other for other in everybody if other != name]
        if by == "margins":
            return max((margin(ballots, other, name) for other in others), default=0)
        return max((strength(ballots, other, name, by) for other in others), default=0)

    return rank(everybody, lambda name: -worst(name))


def schulze(ballots: list[Ballot], by: str = "margins") -> Groups:
    everybody = candidates(ballots)
    path = {(one, other): strength(ballots, one, other, by) for one in everybody for other in everybody}
    for between in everybody:
        for one in everybody:
            for other in everybody:
                path[one, other] = max(path[one, other], min(path[one, between], path[between, other]))
    return rank(everybody, lambda name: -sum(path[each, name] > path[name, each] for each in everybody))


def twins(ballots: list[Ballot]) -> list[list[str]]:
    """Candidates whom no ballot tells apart, together; the groups and their members by the greatest id."""
    found: dict[tuple[int, ...], list[str]] = {}
    for name in sorted(candidates(ballots), reverse=True):
        found.setdefault(tuple(place(groups, name) for _, groups in ballots), []).append(name)
    return list(found.values())


def ranked_pairs(ballots: list[Ballot]) -> Groups:
    """Victories are locked, the strongest first; equal ones by the place in Borda's order, then by the greatest id."""
    groups = {each[0]: each for each in twins(ballots)}
    preferred = sorted(sorted(groups, reverse=True), key=lambda name: -borda_points(ballots, name))
    pairs = [
        (one, other) for one in preferred for other in preferred if one != other and margin(ballots, one, other) >= 0
    ]
    pairs.sort(key=lambda pair: -margin(ballots, *pair))  # equal ones stay as they are: by winner, then by loser
    above: set[tuple[str, str]] = set()
    for one, other in pairs:
        if (other, one) not in above:
            higher = {one} | {x for x in groups if (x, one) in above}
            lower = {other} | {x for x in groups if (other, x) in above}
            above |= {(x, y) for x in higher for y in lower}
    order = sorted(groups, key=lambda name: sum(pair[1] == name for pair in above))
    return [set(groups[name]) for name in order]


def kemeny(ballots: list[Ballot]) -> Groups:
    """The order that turns the fewest votes; then the nearest to Borda's; then the one with the greatest ids first."""
    groups = twins(ballots)

    def cost(order: tuple[list[str], ...]) -> tuple[int, int]:
        pairs = [(one, other) for upper, lower in itertools.combinations(order, 2) for one in upper for other in lower]
        turned = sum(max(0, margin(ballots, other, one)) for one, other in pairs)
        return turned, sum(borda_points(ballots, other) > borda_points(ballots, one) for one, other in pairs)

    return [set(group) for group in min(itertools.permutations(groups), key=cost)]  # the first of equal ones


# --- eliminations -----------------------------------------------------------------------------------------------------


def shares(ballots: list[Ballot], standing: set[str], *, last: bool = False) -> dict[str, Fraction]:
    """First, or last, choices among those who stand; what is not listed is the last choice together."""
    votes = dict.fromkeys(standing, Fraction(0))
    for count, groups in ballots:
        listed = {name for group in groups for name in group}
        ordered = [*groups, sorted(standing - listed)] if last else groups
        left = [kept for kept in ([name for name in group if name in standing] for group in ordered) if kept]
        for name in left[-1 if last else 0] if left else []:
            votes[name] += Fraction(count, len(left[-1 if last else 0]))
    return votes


def eliminate(ballots: list[Ballot], score: Callable[[set[str]], dict[str, Any]]) -> Groups:
    """Whoever has the least goes, equals together, and the last to go is the first."""
    standing, found = set(candidates(ballots)), []
    while standing:
        scores = score(standing)
        gone = {name for name in standing if scores[name] == min(scores.values())}
        found.append(gone)
        standing = standing - gone
    return found[::-1]


def irv(ballots: list[Ballot]) -> Groups:
    return eliminate(ballots, lambda standing: shares(ballots, standing))


def coombs(ballots: list[Ballot]) -> Groups:
    everybody = sum(count for count, _ in ballots)

    def score(standing: set[str]) -> dict[str, Fraction]:
        first, against = shares(ballots, standing), shares(ballots, standing, last=True)
        return {name: Fraction(1) if 2 * first[name] > everybody else -against[name] for name in standing}

    return eliminate(ballots, score)


def sums_among(ballots: list[Ballot], standing: set[str]) -> dict[str, int]:
    return {name: sum(margin(ballots, name, other) for other in standing) for name in standing}


def baldwin(ballots: list[Ballot]) -> Groups:
    return eliminate(ballots, lambda standing: sums_among(ballots, standing))


def nanson(ballots: list[Ballot]) -> Groups:
    standing, found = set(candidates(ballots)), []
    while standing:
        sums = sums_among(ballots, standing)
        gone = {name for name in standing if sums[name] < 0} or standing
        found = [*rank(sorted(gone), lambda name, sums=sums: sums[name]), *found]  # type: ignore[misc]
        standing = standing - gone
    return found


def bucklin(ballots: list[Ballot]) -> Groups:
    everybody, voters = candidates(ballots), sum(count for count, _ in ballots)

    def support(name: str, depth: int) -> Fraction:
        """Votes from the first places down to a depth; a tied group shares each of its places."""
        votes = Fraction(0)
        for count, groups in ballots:
            before = 0
            for group in groups:
                if name in group:
                    votes += Fraction(count * min(max(depth - before, 0), len(group)), len(group))
                before += len(group)
        return votes

    def key(name: str) -> tuple[int, Fraction]:
        depth = next((d for d in range(1, len(everybody) + 1) if 2 * support(name, d) > voters), len(everybody) + 1)
        return -depth, support(name, min(depth, len(everybody)))

    return rank(everybody, key)


RULES: dict[str, Rule] = {
    "plurality": plurality,
    "irv": irv,
    "coombs": coombs,
    "bucklin": bucklin,
    "borda": borda,
    "black": black,
    "nanson": nanson,
    "baldwin": baldwin,
    "copeland": copeland,
    "condorcet": condorcet,
    "minimax": minimax,
    "minimax(strength='winning_votes')": lambda ballots: minimax(ballots, "winning_votes"),
    "schulze": schulze,
    "schulze(strength='winning_votes')": lambda ballots: schulze(ballots, "winning_votes"),
    "ranked_pairs": ranked_pairs,
    "kemeny": kemeny,
    "median_rank": median_rank,
}
"""Every rule by the text that the package has for it."""
