"""PrefLib elections: a header of ``# KEY: value`` lines, then ``count: 3,1,{2,5},4``, best first, braces for ties."""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import IO, Final

import numpy as np

from stagg.data.columns import Columns, from_columns
from stagg.data.inputs.construct import from_lists
from stagg.data.labels import Labels
from stagg.data.parts import declare_items
from stagg.data.rankings import Rankings
from stagg.errors import InvalidParameter, shown
from stagg.formats.format import BY_ORDER, Format, Loaded, Understood
from stagg.formats.patterns import pattern
from stagg.formats.reading import Reading
from stagg.formats.row_checks import (
    COUNT,
    Problem,
    hints,
    parse_count,
    read_multiplicities,
    refuse_order_by,
    refuse_values,
)
from stagg.say import Say, tell

__all__ = ["PrefLib"]

KINDS: Final = ("soc", "soi", "toc", "toi")
KEY: Final = pattern(r"[A-Z][A-Z0-9 ]*")
BLANKS: Final = pattern(r"[ \t]+")
OTHER_KINDS: Final = {
    "wmd": "a weighted majority graph, which has no votes: download the votes of this election",
    "cat": "votes by category; if the categories go from best to worst, write DATA TYPE: toi and name it .toi",
    "dat": "data that PrefLib has no votes for",
    "csv": "a table; name it .csv",
}
"""Contents of PrefLib's other kinds, and what to do."""
VOTE: Final = pattern(r"([0-9]+(?:\.[0-9]*)?)[ \t]*:[ \t]*(.*)", re.DOTALL)
WHOLE: Final = pattern(r"([0-9]+)(?:\.0*)?")
GROUP: Final = r"(?:[0-9]+|\{(?:[0-9]+(?:,[0-9]+)*)?\})"
ORDER: Final = pattern(rf"(?:{GROUP}(?:,{GROUP})*)?")
GROUPS: Final = pattern(r"\{([0-9,]+)\}|([0-9]+)")
NUMBER: Final = pattern(r"[1-9][0-9]{0,11}")
OLD_NAME: Final = pattern(r"([0-9]+)[ \t]*,[ \t]*(.*)")
OLD_VOTE: Final = pattern(r"([0-9]+)[ \t]*,[ \t]*([0-9{].*)")
NAME: Final = pattern(r"[^ \t\r\n\0](?:[^\r\n\0]*[^ \t\r\n\0])?")
BEGINNING: Final = pattern(
    rb"#[ \t]*(?:FILE NAME|TITLE|DATA TYPE|NUMBER|ALTERNATIVE)[A-Z0-9 ]*:|[0-9]+[ \t]*:[ \t]*[0-9{]"
)

MOST_ALTERNATIVES: Final = 10**12
MOST_NAMED: Final = 20

Order = list[list[str]]
"""A vote: tied groups of alternatives, best first."""


@dataclasses.dataclass(frozen=True, repr=False, kw_only=True)
class PrefLib(Format):
    """PrefLib votes: count: 3,1,{2,5},4; one file is one query, one line a ranker with that multiplicity.

    ``kind``: soc (strict, complete), soi (strict, incomplete), toc (ties, complete), toi (ties, incomplete). Not
    given, the header says it when reading, and the votes when writing.
    """

    name = "preflib"

    kind: str | None = None

    def __post_init__(self) -> None:
        if self.kind not in (None, *KINDS):
            raise InvalidParameter(f"kind is one of {', '.join(KINDS)}, not {shown(self.kind)}")

    @classmethod
    def for_name(cls, name: str) -> PrefLib:
        ending = name.rpartition(".")[2]
        return cls(kind=ending if ending in KINDS else None)

    @classmethod
    def recognises(cls, first_bytes: bytes) -> bool:
        return BEGINNING.match(first_bytes.lstrip(b" \t\r\n")) is not None

    def read(self, reading: Reading) -> Loaded:
        refuse_values(reading, "PrefLib votes are orders")
        refuse_order_by(reading, "PrefLib votes are orders")
        election = _Election(reading)
        kind = self.kind or election.kind()
        votes = election.votes(kind)
        reading.log.used(len(votes))
        election.say(votes)
        if not votes:
            return Loaded(from_columns(Columns([], [], np.zeros(0)))[0], names_rankers=True, local_rankers=True)
        rankings = from_lists([election.named(vote.order) for vote in votes], query=reading.stem)
        rankings = declare_items(rankings, election.candidates())
        counts = read_multiplicities([vote.count for vote in votes], [vote.line for vote in votes], reading)
        return Loaded(
            rankings.replace(multiplicities=counts),
            names_rankers=True,
            local_rankers=True,
            understood=Understood("ballots", BY_ORDER),
        )

    def refusal(self, rankings: Rankings, labels: Labels | None) -> str | None:
        if len(rankings) != 1:
            return f"{len(rankings)} queries: one file is one election; write one file for each"
        if rankings.scores is not None:
            return "scores; write rankings.replace(scores=None)"
        if not rankings.rankers or set(rankings.rankers) != {str(n) for n in range(1, len(rankings.rankers) + 1)}:
            return 'ranker names: voters are numbered; write rankings.with_rankers(["1", "2", ...])'
        return self._kind_refusal(rankings) or _name_refusal(rankings) or super().refusal(rankings, labels)

    def _kind_refusal(self, rankings: Rankings) -> str | None:
        kind = self.kind or "toi"
        if kind[0] == "s" and rankings.has_ties:
            return f"ties in .{kind}; write .t{kind[1:]}"
        if kind[-1] == "c" and not _complete(rankings):
            return f"incomplete votes in .{kind}; write .{kind[:-1]}i"
        return None

    def write(self, rankings: Rankings, stream: IO[bytes], labels: Labels | None = None) -> None:
        numbers = _alternative_numbers(rankings.items)
        lists = next(iter(rankings)).lists
        counts = dict(zip(rankings.rankers, rankings.multiplicities.tolist(), strict=True))
        header = {
            "TITLE": "",
            "DATA TYPE": self.kind or _tightest_kind(rankings),
            "NUMBER ALTERNATIVES": str(len(numbers)),
            "NUMBER VOTERS": str(sum(counts.values())),
            "NUMBER UNIQUE ORDERS": str(_distinct([lists.get(ranker, []) for ranker in counts])),
            **{f"ALTERNATIVE NAME {number}": item for item, number in numbers.items()},
        }
        lines = [f"# {key}: {value}" for key, value in header.items()]
        voters = sorted(counts, key=int)
        lines += [f"{counts[voter]}: {_order_text(lists.get(voter, []), numbers)}" for voter in voters]
        stream.write(("\n".join(lines) + "\n").encode())


# --- writing ----------------------------------------------------------------------------------------------------------


def _complete(rankings: Rankings) -> bool:
    """Whether every ranker lists every item."""
    lengths = rankings.list_lengths
    return len(lengths) == len(rankings.rankers) and bool((lengths == len(rankings.items)).all())


def _tightest_kind(rankings: Rankings) -> str:
    return ("to" if rankings.has_ties else "so") + ("c" if _complete(rankings) else "i")


def _alternative_numbers(items: Sequence[str]) -> dict[str, int]:
    """Each item's number: its own where the ids are 1..n, else the place of its id in bytewise order."""
    if _numerals(items):
        return {str(number): number for number in range(1, len(items) + 1)}
    return {item: number for number, item in enumerate(sorted(items), start=1)}


def _numerals(items: Sequence[str]) -> bool:
    return set(items) == {str(number) for number in range(1, len(items) + 1)}


def _name_refusal(rankings: Rankings) -> str | None:
    for item in rankings.items:
        if not NAME.fullmatch(item):
            return f"the item id {shown(item)}: a name ends with its line and has no blanks around it"
    return None


def _order_text(order: Order, numbers: dict[str, int]) -> str:
    groups = [",".join(str(numbers[item]) for item in group) for group in order]
    return ",".join(f"{{{text}}}" if "," in text else text for text in groups)


# --- reading ----------------------------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class _Vote:
    """One line of votes: how many voters gave this order."""

    line: int
    count: int
    order: Order


class _Election:
    """A file taken apart: header values by key, and the vote lines as they stand."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.header: dict[str, str] = {}
        self.lines: list[tuple[int, str]] = []
        self.repeated: list[int] = []
        for number, line in reading.source.lines():
            line = line.strip(" \t")
            if line.startswith("#"):
                self._take_header(number, line)
            elif not (reading.options.header and number == 1):
                self.lines.append((number, line))
        if not self.header:
            self._take_old_form()
        kind = self.header.get("DATA TYPE", "").lower()
        if kind in OTHER_KINDS:
            raise reading.error(f"DATA TYPE {kind} is {OTHER_KINDS[kind]}")
        self.alternatives = self._whole_number("NUMBER ALTERNATIVES")
        self.header_names = self._header_names()
        self.names = self._distinct_names() if reading.options.names else {}

    def kind(self) -> str | None:
        kind = self.header.get("DATA TYPE", "").lower()
        return kind if kind in KINDS else None

    def votes(self, kind: str | None) -> list[_Vote]:
        """The vote lines; a wrong one is an error, or dropped and counted when reading leniently."""
        votes = self._check([self._vote(number, line) for number, line in self.lines])
        if kind is None:
            return votes
        listed = {item for vote in votes for group in vote.order for item in group}
        complete = self.alternatives or len(listed)
        return self._check([_of_kind(vote, kind, complete) for vote in votes])

    def named(self, order: Order) -> Order:
        return [[self.names[item] for item in group] for group in order] if self.reading.options.names else order

    def candidates(self) -> list[str]:
        """The alternatives that the header names, as votes call them; those too that nobody ranks are candidates."""
        last = self.alternatives or MOST_ALTERNATIVES
        known = [number for number in self.header_names if NUMBER.fullmatch(number) and int(number) <= last]
        if self.reading.options.names:
            return [self.names[number] for number in known if self.names[number]]
        return known

    def say(self, votes: list[_Vote]) -> None:
        """Note alternatives that stood twice, whom no vote ranks, and where header and votes disagree on numbers."""
        if self.repeated:
            note = f"an alternative appears twice in a vote ({len(self.repeated):,} votes); its better place was kept"
            self.reading.log.note(f"{self.reading.name}:{self.repeated[0]}: {note}")
        ranked = {item for vote in votes for group in self.named(vote.order) for item in group}
        others = [name for name in self.candidates() if name not in ranked]
        if others:
            self.reading.note(f"no vote ranks {', '.join(map(shown, others[:MOST_NAMED]))}")
        cast = _distinct([vote.order for vote in votes if vote.count])
        listed = _distinct([vote.order for vote in votes])  # also those that nobody cast
        voters = sum(vote.count for vote in votes)
        for key, found in (("NUMBER VOTERS", (voters,)), ("NUMBER UNIQUE ORDERS", (cast, listed))):
            said = self._whole_number(key)
            if said is not None and said not in found:
                self.reading.note(f"{key} is {said:,} in the header, {found[0]:,} in the votes")

    def _take_header(self, number: int, line: str) -> None:
        key, colon, value = line[1:].partition(":")
        key = BLANKS.sub(" ", key).strip(" ")
        if colon and KEY.fullmatch(key):
            self.header[key] = value.strip(" \t")
        elif not self.reading.options.comments:
            hint = hints(self.reading, number, line)
            what = f"expected a header line '# KEY: value', found {shown(line)}"
            raise self.reading.error(tell(what, hint), number)

    def _take_old_form(self) -> None:
        """PrefLib's files of before 2022: number of alternatives, their names, "voters,sum,orders", "count,order"."""
        first = self.lines[0][1] if self.lines else ""
        n = int(first) if re.fullmatch("[0-9]{1,9}", first) else len(self.lines)
        names = [OLD_NAME.fullmatch(line) for _, line in self.lines[1 : n + 1]]
        votes = [(number, OLD_VOTE.fullmatch(line)) for number, line in self.lines[n + 2 :]]
        if n + 2 >= len(self.lines) or not all(names) or not all(match for _, match in votes):
            return
        self.header = {f"ALTERNATIVE NAME {name[1]}": name[2] for name in names if name}
        self.header["NUMBER ALTERNATIVES"] = first
        self.lines = [(number, f"{match[1]}: {match[2]}") for number, match in votes if match]
        self.reading.note("read as a PrefLib file of before 2022")

    def _whole_number(self, key: str) -> int | None:
        text = self.header.get(key)
        if text is None:
            return None
        if not re.fullmatch("[0-9]{1,20}", text):
            raise self.reading.error(f"{key} is {shown(text)} in the header; expected a whole number")
        return int(text)

    def _header_names(self) -> dict[str, str]:
        prefix = "ALTERNATIVE NAME "
        return {key.removeprefix(prefix): name for key, name in self.header.items() if key.startswith(prefix)}

    def _distinct_names(self) -> dict[str, str]:
        """{number: name} of the alternatives, which must tell them apart."""
        names = self.header_names
        for number in range(1, (self.alternatives or 0) + 1):
            if not names.get(str(number)):
                raise self.reading.error(f"'# ALTERNATIVE NAME {number}: ...' is missing or empty; read without names")
        twice = _first_repeated(names.values())
        if twice is not None:
            raise self.reading.error(f"two alternatives are named {shown(twice)}; read without names")
        return names

    def _check(self, found: list[_Vote | tuple[int, Problem]]) -> list[_Vote]:
        votes = []
        for each in found:
            if isinstance(each, _Vote):
                votes.append(each)
            elif self.reading.options.lenient:
                self.reading.drop(each[1][0], each[0])
            else:
                raise self.reading.error(each[1][1], each[0])
        return votes

    def _vote(self, number: int, line: str) -> _Vote | tuple[int, Problem]:
        """One line taken apart, or what is wrong with it."""
        match = VOTE.fullmatch(line)
        text = BLANKS.sub("", match[2]) if match else ""
        if match is None or not ORDER.fullmatch(text):
            message = f"expected votes such as '12: 3,1,{{2,5}},4', found {shown(line)}"
            return number, ("no vote", message + hints(self.reading, number, line))
        whole = WHOLE.fullmatch(match[1])
        count = None if whole is None else parse_count(whole[1])
        if count is None:
            return number, ("bad count", f"the count {shown(match[1])} is not {COUNT}; it counts voters")
        order = [[_plain(item) for item in (tied or one).split(",")] for tied, one in GROUPS.findall(text)]
        problem = self._unknown(order) or self._repeated(order, number)
        return (number, problem) if problem else _Vote(number, count, _first_places(order))

    def _unknown(self, order: Order) -> Problem | None:
        for item in (item for group in order for item in group):
            if len(item) > 12 or not 1 <= int(item) <= (self.alternatives or MOST_ALTERNATIVES):
                known = "numbered from 1" if self.alternatives is None else f"1 to {self.alternatives}"
                return "unknown alternative", f"there is no alternative {shown(item)}; they are {known}"
            if self.reading.options.names and not self.names.get(item):
                return "unknown alternative", f"the alternative {item} has no name in the header; read without names"
        return None

    def _repeated(self, order: Order, number: int) -> Problem | None:
        """An alternative that appears twice is an error, or keeps its better place, which a note tells."""
        twice = _first_repeated([item for group in order for item in group])
        if twice is None:
            return None
        if self.reading.options.lenient or self.reading.options.duplicates != "error":
            self.repeated.append(number)
            return None
        message = f"the alternative {twice} appears twice in this vote (line {number}); remove one, or say "
        return "duplicate item", tell(message, Say(duplicates="best"), " to keep the better place")


def _first_repeated(names: Iterable[str]) -> str | None:
    return next((name for name, times in Counter(names).items() if times > 1), None)


def _distinct(orders: list[Order]) -> int:
    """How many orders there are, the order within a tied group being none."""
    return len({str([sorted(group) for group in order]) for order in orders})


def _plain(number: str) -> str:
    """Alternatives are numbers: 007 is 7."""
    return number.lstrip("0") or "0"


def _first_places(order: Order) -> Order:
    """The order with every item at its first place only."""
    seen: set[str] = set()
    groups = []
    for group in order:
        groups.append([item for item in dict.fromkeys(group) if item not in seen])
        seen.update(group)
    return [group for group in groups if group]


def _of_kind(vote: _Vote, kind: str, alternatives: int) -> _Vote | tuple[int, Problem]:
    """The vote, or how it breaks the rules of its kind of file."""
    if kind[0] == "s" and any(len(group) > 1 for group in vote.order):
        return vote.line, ("tie", f".{kind} votes have no ties; expected .t{kind[1:]} for such votes")
    length = sum(map(len, vote.order))
    if kind[-1] == "c" and length != alternatives:
        message = f".{kind} votes list all {alternatives} alternatives, this one {length}; expected .{kind[:-1]}i"
        return vote.line, ("incomplete vote", message)
    return vote
