"""Debian's tally sheets: a line for each vote, ``V: 21-3`` and a hash, below the names of the options."""

from __future__ import annotations

from typing import Final

from stagg.data.inputs.construct import from_lists
from stagg.data.parts import declare_items
from stagg.errors import plural, shown
from stagg.formats.format import BY_RANK, Loaded, ReadOnly, Understood
from stagg.formats.patterns import pattern
from stagg.formats.reading import Reading
from stagg.formats.row_checks import refuse_order_by, refuse_values

__all__ = ["DebianTally"]

FIRST_OPTION: Final = pattern(rb"\bOption 1[ \t]?-*>[ \t]*:")
FIRST_VOTE: Final = pattern(rb"\nV:[ \t]*[0-9A-Za-z-]+[ \t]+\S")
OPTION: Final = pattern(r".*?\bOption ([0-9A-Za-z])[ \t]?-*>[ \t]*:[ \t]*(.*)")
VOTE: Final = pattern(r"V:[ \t]*([0-9A-Za-z-]+)(?:[ \t]+\S+)*")
UNRANKED: Final = "-"
DEFAULTS: Final = frozenset(("none of the above", "further discussion"))
Order = list[list[str]]


class DebianTally(ReadOnly):
    """Tally sheet of Debian's votes (``V: 21-3`` below ``Option 1-->: Ann``): one file is one query, one line a ranker.

    The character at the place of an option is the rank that it gets: 1 to 9, then A to Z; equal ranks are ties, and a
    dash is no rank.
    """

    name = "debian"

    @classmethod
    def recognises(cls, first_bytes: bytes) -> bool:
        option = FIRST_OPTION.search(first_bytes)
        return option is not None and FIRST_VOTE.search(first_bytes, option.end()) is not None

    def read(self, reading: Reading) -> Loaded:
        refuse_values(reading, "the votes of this format are ranks")
        refuse_order_by(reading, "the votes of this format are ranks")
        names: list[str] = []
        votes: list[Order] = []
        for number, line in reading.source.lines():
            text = line.strip()
            if text.startswith("V:"):
                vote = _read_vote(text, names, reading, number)
                votes += [] if vote is None else [vote]
            elif (found := OPTION.fullmatch(text)) is not None and not votes:
                names.append(_read_option(found[1], found[2].strip(), names, reading, number))
        reading.log.used(len(votes))
        if names and names[-1].casefold() in DEFAULTS:
            reading.note(
                f"{shown(names[-1])} counts as any other option: Debian's rules of majority and quorum are not applied"
            )
        rankings = declare_items(from_lists(votes, query=reading.stem), names)
        return Loaded(rankings, names_rankers=True, local_rankers=True, understood=Understood("ballots", BY_RANK))


def _read_option(label: str, name: str, known: list[str], reading: Reading, line: int) -> str:
    """The name of an option, which has the number that follows."""
    if int(label, 36) != len(known) + 1:
        raise reading.error(f"option {shown(label)} follows {plural(len(known), 'option')}; is one missing?", line)
    if not name or name in known:
        raise reading.error(f"two options are named {shown(name)}" if name else "an option has no name", line)
    return name


def _read_vote(text: str, names: list[str], reading: Reading, line: int) -> Order | None:
    """The options as a vote ranks them, best first; None where it is wrong, and reading is lenient."""
    match = VOTE.fullmatch(text)
    if match is not None and len(match[1]) == len(names) and "0" not in match[1]:
        groups: dict[int, list[str]] = {}
        for name, rank in zip(names, match[1], strict=True):
            if rank != UNRANKED:
                groups.setdefault(int(rank, 36), []).append(name)
        return [groups[rank] for rank in sorted(groups)]
    if reading.options.lenient:
        reading.drop("bad vote", line)
        return None
    raise reading.error(
        f"expected a vote with a rank, or {UNRANKED}, for each of {plural(len(names), 'option')}, found {shown(text)}",
        line,
    )
