"""Aggregated Ballot Information Format (.abif): ``27: A>B=C``, a count and a vote; ratings, names of candidates."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator
from typing import Final

from stagg.data.inputs.construct import from_lists
from stagg.data.parts import declare_items
from stagg.errors import shown
from stagg.formats.documents.ballots.blt import keep_first_places
from stagg.formats.format import BY_ORDER, Loaded, ReadOnly, Understood
from stagg.formats.patterns import pattern
from stagg.formats.reading import Reading
from stagg.formats.row_checks import COUNT, parse_count, read_multiplicities, refuse_order_by, refuse_values

__all__ = ["Abif"]

NAMED: Final = pattern(
    r'=\s*+(?:\[([^\[\]]*+)\]\s*+|"([^"]*+)"\s*+|([^:"\[\]]*+)):\s*+(?:\[([^\[\]]*+)\]|"([^"]*+)"|([^\[\]"#]*+))\s*+'
)
"""A candidate: =Ann:[Ann Lee]."""
VOTE: Final = pattern(r"([0-9]++)\s*+[:*]\s*+(.*)")
CHOICE: Final = pattern(
    r'(?:\[([^\[\]]*+)\]|"([^"]*+)"|([^>=,/#:*\[\]"{}]*+))\s*+'
    r"(?:/\s*+([+-]?[0-9]++(?:\.[0-9]++)?)\s*+)?(?:([>=,])\s*+|(:\s*+\{.*)?$)"
)
"""A candidate of a vote, with a rating behind a slash, and the mark behind it; at the end there may be JSON."""
QUOTED: Final = pattern(r'\[[^\[\]]*+\]|"[^"]*+"|#.*')
DECLARED: Final = pattern(rb"(?m)^=[^:\n]+:[ \t]*\[[^\]\n]+\]")
COUNTED: Final = pattern(rb"[0-9]+[ \t]*[:*]")
RATED: Final = pattern(rb"(?m)^[0-9]+[ \t]*:[^\n]*[^\s/:]/[0-9]+[ \t]*(?:[>=,][^\n]*)?\r?$")

Order = list[list[str]]


class Abif(ReadOnly):
    """Votes in the Aggregated Ballot Information Format (.abif): one file is one query, one line a ranker."""

    name = "abif"

    @classmethod
    def recognises(cls, first_bytes: bytes) -> bool:
        """Names of candidates, or votes with ratings; votes such as 3:A>B alone may be lines of a table."""
        return (DECLARED.search(first_bytes) or RATED.search(first_bytes)) is not None and _holds_votes(first_bytes)

    def read(self, reading: Reading) -> Loaded:
        refuse_values(reading, "votes in this format are orders")
        refuse_order_by(reading, "votes in this format are orders")
        names, lines = _read_lines(reading)
        votes = [_read_vote(count, text, names, reading, line) for line, count, text in lines]
        reading.log.used(len(votes))
        rankings = declare_items(from_lists([vote.order for vote in votes], query=reading.stem), list(names.values()))
        counts = read_multiplicities([vote.count for vote in votes], [vote.line for vote in votes], reading)
        rankings = rankings.replace(multiplicities=counts)
        understood = Understood("ballots", BY_ORDER)
        return Loaded(rankings, names_rankers=True, local_rankers=True, understood=understood)


def _holds_votes(first_bytes: bytes) -> bool:
    """Whether all lines are votes, candidates, metadata or comments; the last one may be cut off."""
    lines = first_bytes.split(b"\n")
    told = [line.strip() for line in lines[: max(len(lines) - 1, 1)] if line.strip()]
    return all(line[:1] in b"#={" or COUNTED.match(line) for line in told)


@dataclasses.dataclass(frozen=True)
class _Vote:
    """One line: how many cast this order."""

    line: int
    count: int
    order: Order


def _read_lines(reading: Reading) -> tuple[dict[str, str], list[tuple[int, int, str]]]:
    """({short name: name of the candidate}, the votes as line, count and text); metadata are left out."""
    names: dict[str, str] = {}
    votes = []
    for number, line in reading.source.lines():
        text = _without_comment(line.strip())
        if not text or text.startswith("{"):
            continue
        if text.startswith("="):
            short, name = _read_candidate(text, reading, number)
            if names.setdefault(short, name) != name:
                raise reading.error(f"{shown(short)} is said to be {shown(names[short])}, too", number)
            continue
        match = VOTE.fullmatch(text)
        if match is None:
            raise reading.error(f"expected a vote such as '27: A>B=C', found {shown(text)}", number)
        count = parse_count(match[1])
        if count is None:
            raise reading.error(f"the count {shown(match[1])} is not {COUNT}", number)
        votes.append((number, count, match[2]))
    if len({*names.values()}) < len(names):
        twice = next(name for name in names.values() if list(names.values()).count(name) > 1)
        raise reading.error(f"two candidates have the name {shown(twice)}")
    return names, votes


def _without_comment(line: str) -> str:
    """The line without a # comment; a name in brackets or quotes may hold one.

    >>> _without_comment("3: [Ann #1]>B # the last")
    '3: [Ann #1]>B'
    """
    comment = next((match.start() for match in QUOTED.finditer(line) if match[0].startswith("#")), len(line))
    return line[:comment].rstrip()


def _read_candidate(text: str, reading: Reading, line: int) -> tuple[str, str]:
    """(the short name that votes use, the name) of a candidate."""
    match = NAMED.fullmatch(text)
    short, name = ("", "") if match is None else ("".join(filter(None, match.groups()[at : at + 3])) for at in (0, 3))
    if not short.strip():
        raise reading.error(f"expected a candidate such as '=Ann:[Ann Lee]', found {shown(text)}", line)
    return short.strip(), name.strip() or short.strip()


def _read_vote(count: int, text: str, names: dict[str, str], reading: Reading, line: int) -> _Vote:
    """A vote: by its marks where it has a '>', else by its ratings; candidates with a comma or '=' between them tie."""
    chosen, marks, ratings = [], [], []
    for choice, mark, rating in _find_choices(text, reading, line):
        if names and choice not in names and choice not in names.values():
            raise reading.error(f"{shown(choice)} is not among the candidates that the file names", line)
        chosen.append(names.get(choice, choice))
        marks.append(mark)
        ratings.append(rating)
    known = [rating for rating in ratings if rating is not None]
    if ">" not in marks and len(known) == len(chosen):
        order = [[name for name, at in zip(chosen, known, strict=True) if at == rating] for rating in _falling(known)]
    else:
        order = _follow_marks(chosen, marks)
        _check_ratings(chosen, order, ratings, reading, line)
        if "," in marks:
            reading.note("candidates with a comma between them, and no ratings, were read as a tie, as in this format")
    return _Vote(line, count, keep_first_places(order, reading, line))


def _falling(ratings: list[float]) -> list[float]:
    return sorted({*ratings}, reverse=True)


def _find_choices(text: str, reading: Reading, line: int) -> Iterator[tuple[str, str, float | None]]:
    """(candidate, mark behind it, rating) of a vote, one after the other."""
    at = 0
    while at < len(text):
        match = CHOICE.match(text, at)
        name = "" if match is None else (match[1] or match[2] or match[3] or "").strip()
        if match is None or not name or (match.end() == len(text) and match[5]):
            odd = "weights (A*3) share a vote out, and give no order" if "*" in text else "expected '27: A>B=C'"
            raise reading.error(f"{odd}, found {shown(text)}", line)
        yield name, match[5] or "", None if match[4] is None else float(match[4])
        at = match.end()


def _follow_marks(chosen: list[str], marks: list[str]) -> Order:
    """The order that '>' tells; all other marks tie."""
    groups = itertools.accumulate((mark == ">" for mark in marks[:-1]), initial=0)
    numbered = list(zip(groups, chosen, strict=False))
    return [[name for _, name in group] for _, group in itertools.groupby(numbered, key=lambda pair: pair[0])]


def _check_ratings(chosen: list[str], order: Order, ratings: list[float | None], reading: Reading, line: int) -> None:
    """A rating must not say the opposite of the marks."""
    rated = {name: rating for name, rating in zip(chosen, ratings, strict=True) if rating is not None}
    known = [name for group in order for name in group if name in rated]
    for one, other in itertools.pairwise(known):
        if rated[one] < rated[other]:
            raise reading.error(f"the ratings of {shown(one)} and {shown(other)} contradict their order", line)
