"""STV and Meek's equations written from their definitions, paper by paper, in fractions: slow, and easy to check."""

from __future__ import annotations

from fractions import Fraction

FIVE = 10**5

Paper = list[int]


def plain_stv(papers: list[Paper], n: int, seats: int, lot: list[int]) -> list[int]:
    """Who is elected, in order: every voter's paper is handled by itself."""
    value = [Fraction(1) for _ in papers]
    holder: list[int | None] = [paper[0] for paper in papers]
    quota = len(papers) // (seats + 1) + 1
    standing, elected, done = set(range(n)), list[int](), set[int]()
    history: list[list[Fraction]] = []

    def tally() -> list[Fraction]:
        return [sum((v for v, h in zip(value, holder, strict=True) if h == c), Fraction(0)) for c in range(n)]

    def close(votes: list[Fraction]) -> None:
        history.append(votes)
        reached = sorted((c for c in standing if votes[c] >= quota), key=lambda c: -votes[c])
        elected.extend(reached)
        standing.difference_update(reached)

    def choose(candidates: set[int], sign: int) -> int:
        left = candidates
        for votes in reversed(history):
            best = max(sign * votes[c] for c in left)
            left = {c for c in left if sign * votes[c] == best}
        return min(left, key=lambda c: sign * lot[c])

    def pass_on(c: int) -> None:
        for k, paper in enumerate(papers):
            if holder[k] == c:
                holder[k] = next((each for each in paper if each in standing), None)

    close(tally())
    while len(elected) < seats:
        if len(standing) <= seats - len(elected):
            return [*elected, *sorted(standing, key=lambda c: -history[-1][c])]
        surpluses = {c for c in elected if c not in done and history[-1][c] > quota}
        if surpluses:
            c = choose(surpluses, 1)
            done.add(c)
            votes = history[-1][c]
            for k in range(len(papers)):
                if holder[k] == c:
                    value[k] = Fraction(int((votes - quota) / votes * value[k] * FIVE), FIVE)
            pass_on(c)
        else:
            c = choose(standing, -1)
            standing.remove(c)
            if len(standing) <= seats - len(elected):
                continue
            pass_on(c)
        close([Fraction(quota) if each in done else votes for each, votes in enumerate(tally())])
    return elected


def meek_tally(papers: list[Paper], keep: list[float]) -> tuple[list[float], float]:
    """(the votes of each candidate, the votes that nobody keeps) for these keep factors."""
    votes, spent = [0.0] * len(keep), 0.0
    for paper in papers:
        left = 1.0
        for c in paper:
            votes[c] += left * keep[c]
            left -= left * keep[c]
        spent += left
    return votes, spent
