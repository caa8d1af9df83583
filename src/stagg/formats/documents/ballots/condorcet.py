"""Condorcet Election Format (.cvotes): ``A > B = C * 6``, a vote and how many cast it, below ``#/`` parameters."""

from __future__ import annotations

import dataclasses
from typing import Final

from stagg.data.inputs.construct import from_lists
from stagg.data.parts import declare_items
from stagg.errors import shown
from stagg.formats.documents.ballots.blt import keep_first_places
from stagg.formats.format import BY_ORDER, Loaded, ReadOnly, Understood
from stagg.formats.patterns import pattern
from stagg.formats.reading import Reading
from stagg.formats.row_checks import COUNT, parse_count, read_multiplicities, refuse_order_by, refuse_values

__all__ = ["CondorcetVotes"]

BEGINNING: Final = pattern(rb"(?s)(?:\s*#[^\n]*\n)*?\s*#/[ \t]*(?:Candidates|Number of Seats|Implicit Ranking)[ \t]*:")
VOTE: Final = pattern(rb"[^,;\t|>=*#]+(?:[>=][^,;\t|>=*#]+)*(?:[*][ \t]*[0-9]+\s*)?")
PARAMETER: Final = pattern(r"#/\s*([^:]+?)\s*:\s*(.*)")
NUMBER: Final = pattern(r"([*^])\s*([^*^\s]*)\s*$")
EMPTY: Final = "/EMPTY_RANKING/"

Order = list[list[str]]


class CondorcetVotes(ReadOnly):
    """Votes in the Condorcet Election Format (.cvotes): one file is one query, one line a ranker with its count."""

    name = "cvotes"

    @classmethod
    def recognises(cls, first_bytes: bytes) -> bool:
        return BEGINNING.match(first_bytes) is not None or _holds_votes(first_bytes)

    def read(self, reading: Reading) -> Loaded:
        refuse_values(reading, "votes in this format are orders")
        refuse_order_by(reading, "votes in this format are orders")
        parameters, votes = _read_lines(reading)
        known = [name.strip() for name in parameters.get("candidates", "").split(";") if name.strip()]
        votes = _complete(votes, known, parameters, reading)
        _note_candidates(votes, known, reading)
        reading.log.used(len(votes))
        rankings = declare_items(from_lists([vote.order for vote in votes], query=reading.stem), known)
        counts = read_multiplicities([vote.count for vote in votes], [vote.line for vote in votes], reading)
        seats = parse_count(parameters.get("number of seats", ""))
        understood = Understood("ballots", BY_ORDER, seats=seats)
        rankings = rankings.replace(multiplicities=counts)
        return Loaded(rankings, names_rankers=True, local_rankers=True, understood=understood)


def _holds_votes(first_bytes: bytes) -> bool:
    """Whether all lines without a # are votes, of which one has an order and a count; the last line may be cut off."""
    if b">" not in first_bytes or b"*" not in first_bytes:
        return False
    lines = first_bytes.split(b"\n")
    votes = [line for line in lines[: max(len(lines) - 1, 1)] if line.strip() and not line.lstrip().startswith(b"#")]
    return any(b">" in line and b"*" in line for line in votes) and all(map(VOTE.fullmatch, votes))


@dataclasses.dataclass(frozen=True)
class _Vote:
    """One line: how many cast this order."""

    line: int
    count: int
    order: Order


def _read_lines(reading: Reading) -> tuple[dict[str, str], list[_Vote]]:
    """({parameter: value}, the votes); other lines that begin with # are comments."""
    parameters: dict[str, str] = {}
    votes: list[_Vote] = []
    for number, line in reading.source.lines():
        text = line.strip()
        if (match := PARAMETER.match(text)) is not None:
            parameters[match[1].casefold()] = match[2].strip()
        elif text and not text.startswith("#"):
            weighted = parameters.get("weight allowed", "").casefold() == "true"
            votes.append(_read_vote(text.partition("#")[0].strip(), weighted, reading, number))
    return parameters, votes


def _read_vote(text: str, weighted: bool, reading: Reading, line: int) -> _Vote:
    """A vote: tags || A > B = C ^weight * count. A weight counts only where a parameter allows it."""
    text = text.rpartition("||")[2].strip()
    count = 1
    while (match := NUMBER.search(text)) is not None:
        number = parse_count(match[2])
        if number is None:
            raise reading.error(f"the number {shown(match[2])} behind {match[1]} is not {COUNT}", line)
        if match[1] == "*" or weighted:
            count *= number
        else:
            reading.note("a weight (^) was left out: the file does not say '#/Weight Allowed: true'", line=line)
        text = text[: match.start()].strip()
    if not text or text == EMPTY:
        return _Vote(line, count, [])
    order = [[name.strip() for name in group.split("=")] for group in text.split(">")]
    if ";" in text or not all(name for group in order for name in group):  # candidates have ; between them
        raise reading.error(f"expected a vote such as 'A > B = C * 6', found {shown(text)}", line)
    return _Vote(line, count, keep_first_places(order, reading, line))


def _complete(votes: list[_Vote], known: list[str], parameters: dict[str, str], reading: Reading) -> list[_Vote]:
    """The votes; where rankings are implicit, as the format has it unless told, the others come last in each, tied."""
    if parameters.get("implicit ranking", "true").casefold() != "true" or not known:
        return votes
    whole, added = [], 0
    for vote in votes:
        listed = {item for group in vote.order for item in group}
        rest = [name for name in known if name not in listed]
        added += bool(rest and vote.order)
        whole.append(dataclasses.replace(vote, order=[*vote.order, rest]) if rest and vote.order else vote)
    if added:
        reading.note("candidates whom a vote does not name come last in it, tied, as this format has it by default")
    return whole


def _note_candidates(votes: list[_Vote], known: list[str], reading: Reading) -> None:
    """Say whom no vote names; somebody who is not among the candidates is an error."""
    ranked: set[str] = set()
    for vote in votes:
        names = {item for group in vote.order for item in group}
        stranger = next((item for item in sorted(names) if known and item not in known), None)
        if stranger is not None:
            raise reading.error(f"{shown(stranger)} is not among the candidates that the file names", vote.line)
        ranked |= names
    others = [name for name in known if name not in ranked]
    if others:
        reading.note(f"no vote names {', '.join(map(shown, others[:20]))}")
