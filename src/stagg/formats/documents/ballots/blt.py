"""BLT elections (OpaVote, OpenSTV): numbers of candidates and seats, ballots such as ``3 2 1=4 0``, a 0, then names."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from stagg.data.inputs.construct import from_lists
from stagg.data.parts import declare_items
from stagg.errors import shown
from stagg.formats.format import BY_ORDER, Loaded, ReadOnly, Understood
from stagg.formats.patterns import pattern
from stagg.formats.reading import Reading
from stagg.formats.row_checks import COUNT, parse_count, read_multiplicities, refuse_order_by, refuse_values
from stagg.say import Say, tell

__all__ = ["Blt"]

FIRST: Final = pattern(rb"\s*[0-9]+[ \t]+[0-9]+[ \t,]*(?:#[^\n]*)?\r?\n")
END: Final = pattern(rb'\n[ \t]*0[ \t,]*(?:#[^\n]*)?\r?\n\s*"')
QUOTED: Final = pattern(r'"([^"]*)"')
LINE: Final = pattern(r'((?:"[^"]*"[ \t]*)+)(?:#.*)?')
PIECES: Final = pattern(r'"([^"]*)"|([^"]+)')
COMMENTED: Final = pattern(r"#\s*ALTERNATIVE NAME [0-9]+:\s*(\S.*)")
BALLOT_ID: Final = pattern(r"\([^)]*\)\s*")
ESCAPED: Final = "\ufdd0"  # no character: stands for \" where names are split at their quotes
LONGEST: Final = 10  # digits of a number
FULL: Final = 60_000  # first bytes of a table whose names are further below
Order = list[list[str]]
Sizes = tuple[int, int]
Lines = Iterator[tuple[int, str]]


class Blt(ReadOnly):
    """BLT ballots (.blt) of OpaVote and OpenSTV: one file is one query, one line a ranker with that multiplicity."""

    name = "blt"

    @classmethod
    def recognises(cls, first_bytes: bytes) -> bool:
        if FIRST.match(first_bytes) is not None and END.search(first_bytes) is not None:
            return True
        return _is_council_table(first_bytes)

    def read(self, reading: Reading) -> Loaded:
        refuse_values(reading, "BLT ballots are orders")
        refuse_order_by(reading, "BLT ballots are orders")
        lines: Lines = ((number, line.strip()) for number, line in reading.source.lines())
        if _is_council_table(reading.source.head()):
            lines = _rewrite_council_table(lines)
        filled = iter([(number, text) for number, line in lines if (text := _without_comment(_hide_escaped(line)))])
        (size, seats), withdrawn, ballots = _read_ballots(filled, reading)
        names = _read_names(filled, size, reading)
        votes = []
        for line, count, numbers in ballots:
            order = [[names[int(number) - 1] for number in group if number not in withdrawn] for group in numbers]
            votes.append((line, count, keep_first_places([group for group in order if group], reading, line)))
        _note_left_out(names, withdrawn, votes, reading)
        reading.log.used(len(votes))
        rankings = from_lists([order for _, _, order in votes], query=reading.stem)
        standing = [name for number, name in enumerate(names, start=1) if str(number) not in withdrawn]
        rankings = declare_items(rankings, standing)
        counts = read_multiplicities([count for _, count, _ in votes], [line for line, _, _ in votes], reading)
        understood = Understood("ballots", BY_ORDER, seats=seats)
        rankings = rankings.replace(multiplicities=counts)
        return Loaded(rankings, names_rankers=True, local_rankers=True, understood=understood)


def _is_council_table(first_bytes: bytes) -> bool:
    """Whether it is such an election as a table (the files that VoteKit reads): 4,2 then 9,1,2 and Candidate 1,Ada.

    >>> _is_council_table(b"4,2,,\\n9,1,2,\\n5,2,,\\nCandidate 1,Ada,Whigs\\n")
    True
    """
    size, seats, ballots = 0, 0, 0
    for line in first_bytes.split(b"\n")[:-1]:
        cells = [cell.strip(b' "\r') for cell in line.split(b",")]
        while cells and not cells[-1]:
            cells.pop()
        if not cells:
            continue
        if not all(cell.isdigit() and len(cell) < LONGEST for cell in cells):
            return ballots > 0 and cells[0] == b"Candidate 1"
        numbers = list(map(int, cells))
        if not size:
            size, seats = numbers if len(numbers) == 2 else (0, 0)
            if not 1 <= seats <= size:
                return False
        elif len(set(numbers[1:])) < len(numbers) - 1 or not all(1 <= number <= size for number in numbers[1:]):
            return False
        else:
            ballots += len(numbers) > 1
    return ballots > 0 and len(first_bytes) >= FULL


def _rewrite_council_table(lines: Lines) -> Lines:
    """The lines of such a table as those of a BLT file: a 0 behind every ballot and before the names."""
    below = False
    for place, (number, line) in enumerate(lines):
        cells = [cell.strip() for cell in next(csv.reader([line]), []) if cell.strip()]
        if not cells:
            continue
        if all(map(str.isdigit, cells)):
            yield number, " ".join(cells if place == 0 else [*cells, "0"])
            continue
        if not below:
            yield number, "0"
        below = True
        named = cells[1:] if cells[0].startswith("Candidate ") and len(cells) > 1 else cells
        yield number, " ".join(f'"{cell}"' for cell in (each.replace('"', "'") for each in named))


def _hide_escaped(line: str) -> str:
    """The line of a name with a mark for every quote that a backslash escapes, if the others still come in pairs."""
    hidden = line.replace('\\"', ESCAPED)
    return hidden if line.startswith('"') and hidden.count('"') % 2 == 0 else line


def _without_comment(line: str) -> str:
    """The line without a # comment, unless it holds a name, and without the empty cells of a spreadsheet behind it."""
    named = COMMENTED.fullmatch(line)
    if named:
        return f'"{named[1]}"'
    quoted = LINE.fullmatch(line)
    if quoted:
        return quoted[1].strip()
    return line if line.startswith('"') else line.partition("#")[0].strip().rstrip(", \t")


def _read_ballots(lines: Lines, reading: Reading) -> tuple[Sizes, set[str], list[tuple[int, int, Order]]]:
    """(how many candidates and seats, the numbers of those withdrawn, the ballots) up to the line 0."""
    number, first = next(lines, (1, ""))
    sizes = [parse_count(word) for word in first.split()]
    if len(sizes) != 2 or sizes[0] is None or sizes[1] is None:
        raise reading.error(f"expected the numbers of candidates and of seats, '4 2', found {shown(first)}", number)
    size, seats, withdrawn = sizes[0], sizes[1], set[str]()
    ballots: list[tuple[int, int, Order]] = []
    for number, line in lines:
        if line == "0":
            return (size, seats), withdrawn, ballots
        ballot_id = BALLOT_ID.match(line)
        words = line[ballot_id.end() if ballot_id else 0 :].split()
        if not ballots and all(word.startswith("-") and word[1:].isdecimal() and word.isascii() for word in words):
            withdrawn.update(_read_candidate(word[1:], size, reading, number) for word in words)
        else:
            ballots.append((number, *_read_ballot(words, size, reading, number)))
            if ballot_id:
                _check_id(ballot_id[0].strip(), ballots[-1][1], reading, number)
    raise reading.error("the line 0, which ends the ballots, is missing; is the file truncated?", number)


def _read_ballot(words: list[str], size: int, reading: Reading, line: int) -> tuple[int, Order]:
    """(the number of voters, the candidates by number) of a ballot: 3 2 1=4 0; a dash skips a place."""
    count = parse_count(words[0]) if words else None
    if count is None:
        raise reading.error(f"the count {shown(words[0] if words else '')} is not {COUNT}", line)
    if len(words) < 2 or words[-1] != "0":
        raise reading.error("expected a ballot that ends with 0, such as '3 2 1=4 0'", line)
    order = [group.split("=") for group in words[1:-1] if group != "-"]
    return count, [[_read_candidate(number, size, reading, line) for number in group] for group in order]


def _check_id(ballot_id: str, count: int, reading: Reading, line: int) -> None:
    """A ballot with an id is one ballot, as OpenSTV has it: in (A-7) 2 1 0 the count may be missing, and 2 a choice."""
    if count == 1:
        return
    what = f"the ballot {shown(ballot_id)} counts {count:,} times"
    if not reading.options.lenient:
        told = f"{what}, but an id names one ballot: is the count, 1, missing before the candidates? "
        raise reading.error(tell(told, Say(lenient=True), " reads the first number as the count"), line)
    reading.note(f"{what}, as its first number says", line=line)


def _read_candidate(text: str, size: int, reading: Reading, line: int) -> str:
    """The number of a candidate, without zeros before it."""
    number = text.lstrip("0") or "0"
    if not (number.isascii() and number.isdigit()) or len(number) > 9 or not 1 <= int(number) <= size:
        raise reading.error(f"there is no candidate {shown(text)}; they are 1 to {size}", line)
    return number


def keep_first_places(order: Order, reading: Reading, line: int) -> Order:
    """The order; a candidate who is in it twice is an error, or stays at the first place where the caller says so."""
    times = Counter(item for group in order for item in group)
    twice = next((item for item, count in times.items() if count > 1), None)
    if twice is None:
        return order
    if reading.options.duplicates == "error" and not reading.options.lenient:
        keep = tell("; correct it, or keep the first mention: ", Say(duplicates="first"))
        raise reading.error(tell(f"the ballot names {shown(twice)} twice", keep), line)
    reading.note(f"the ballot names {shown(twice)} twice; the first place was kept", line=line)
    first = {item: place for place, group in reversed([*enumerate(order)]) for item in group}
    kept = [[item for item in dict.fromkeys(group) if first[item] == place] for place, group in enumerate(order)]
    return [group for group in kept if group]


def _read_names(lines: Lines, size: int, reading: Reading) -> list[str]:
    """The names of the candidates, which stand below the ballots, before the title: one on a line, or several."""
    rest = [line for _, line in lines]
    alone = len(rest) >= size
    names = list(map(_read_name, rest)) if alone else [name for line in rest for name in QUOTED.findall(line) or [line]]
    if len(names) < size:
        raise reading.error(f"expected the names of {size} candidates below the ballots, found {len(names)}")
    names = [name.replace(ESCAPED, '"').strip() for name in names[:size]]
    twice = _first_repeated(names)
    if twice is not None or "" in names:
        raise reading.error(f"two candidates are named {shown(twice)}" if twice else "a candidate has no name")
    return names


def _read_name(line: str) -> str:
    """The candidate of a line; a party behind the name stands in brackets, however councils quote the two.

    >>> [_read_name(line) for line in ('"Ada"', '"Ada" "Whigs"', '"Ada ""Whigs"" "', 'Ada (Whigs)')]
    ['Ada', 'Ada (Whigs)', 'Ada (Whigs)', 'Ada (Whigs)']
    """
    if line.startswith('"') and line.endswith('"') and '""' in line:  # quoted once more, as a cell of a table
        line = line[1:-1].replace('""', '"')
    pieces = [text for quoted, plain in PIECES.findall(line) if (text := (quoted or plain).strip())]
    return f"{pieces[0]} ({' '.join(pieces[1:])})" if len(pieces) > 1 else "".join(pieces)


def _first_repeated(names: Iterable[str]) -> str | None:
    return next((name for name, times in Counter(names).items() if times > 1), None)


def _note_left_out(
    names: list[str], withdrawn: set[str], votes: list[tuple[int, int, Order]], reading: Reading
) -> None:
    """Say which candidates have withdrawn, and whom no ballot ranks."""
    gone = [names[int(number) - 1] for number in sorted(withdrawn, key=int)]
    if gone:
        reading.note(f"withdrawn, and left out of the ballots: {', '.join(map(shown, gone[:20]))}")
    ranked = {item for _, _, order in votes for group in order for item in group}
    others = [name for name in names if name not in ranked and name not in gone]
    if others:
        reading.note(f"no ballot ranks {', '.join(map(shown, others[:20]))}")
