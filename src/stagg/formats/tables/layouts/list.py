"""List: one id per line, best first."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from stagg.errors import shown
from stagg.formats.format import BY_ORDER, ONE_QUERY, Loaded
from stagg.formats.reading import Reading
from stagg.formats.row_checks import refuse_order_by, refuse_values
from stagg.formats.tables.cells import is_number_cell
from stagg.formats.tables.layouts.base import Layout, Sheet
from stagg.formats.tables.layouts.shared.written_ties import split_equals
from stagg.formats.tables.profile import Profile, shape
from stagg.formats.tables.row_builder import RowBuilder
from stagg.formats.tables.vocabulary import ITEM_WORDS, LIST_HEADERS, LIST_NAMES, VOTER_WORDS, plain_name
from stagg.say import Say, tell

__all__ = ["OneList"]

BULLET: Final = re.compile(r"[-*•–]\s+(?=\S)")
NUMBERED: Final = re.compile(r"([0-9]{1,6})[.)]\s+(?=\S)")
SPREADSHEETS: Final = (".csv", ".tsv", ".xlsx", ".xlsm")
VOTES: Final = (Say(layout="ballots", header=False), Say(layout="list", header=False))


class OneList(Layout):
    """List: one best-first list; the file is the ranker."""

    name = "list"
    meaning = "one id per line, best first"
    example = "no header, one id per line"

    def holds_ballots(self, profile: Profile) -> bool:
        return False

    def fits(self, profile: Profile) -> bool:
        told = profile.choices and any(map(str.isalpha, profile.first[0]))
        if profile.width != 1 or told:
            return False
        _refuse_no_list([row[0] for row in profile.table.rows[profile.header is True :]], profile)
        return True

    def has_header(self, profile: Profile) -> bool:
        """Lists in text files have no header, as a rule; in spreadsheets they have one, as a rule: ask if in doubt."""
        name = profile.plain[0]
        if name in LIST_HEADERS:
            say = Say(layout="list", header=False)
            what = f"the first line, {shown(profile.first[0])}, was read as a header; "
            profile.reading.note(tell(what, say, " reads it as an id"), public="the first line was read as a header")
            return True
        shapes = {shape(row[0]) for row in profile.body}
        odd = len(profile.body) > 1 and len(shapes) == 1 and shape(profile.first[0]) not in shapes
        if name in (*ITEM_WORDS, *VOTER_WORDS, *LIST_NAMES) or odd or _is_spreadsheet(profile.reading):
            raise profile.reading.ask(
                f"is {shown(profile.first[0])} in the first line a header or an id?",
                (Say(layout="list", header=True), "a header"),
                (Say(layout="list", header=False), "an id"),
                (Say(layout="columns", header=True), "the ranker's name"),
                line=profile.table.lines[0],
            )
        return False

    def check(self, sheet: Sheet, reading: Reading, line: int) -> None:
        refuse_order_by(reading, "this is a best-first list of ids")

    def read(self, sheet: Sheet, reading: Reading) -> tuple[Loaded, str]:
        refuse_values(reading, "this is a best-first list of ids")
        if len(sheet.roles) > 1:
            message = tell(f"a list has one column, this table has {len(sheet.roles)}; say ", Say(layout="columns"))
            raise reading.error(message, sheet.first_line)
        rows = RowBuilder()
        cells = _without_marks([row[0] for row in sheet.rows], reading)
        ties = reading.options.layout is None and not all(len(split_equals(cell)) > 1 for cell in cells)
        for place, (line, cell) in enumerate(zip(sheet.lines, cells, strict=True)):
            for item in _split_line(cell, reading, line) if ties else [cell]:
                if item:
                    rows.add(ONE_QUERY, reading.stem, item, place, line)
        rankings = rows.assemble(reading, [ONE_QUERY] if rows.items else [], [reading.stem])
        return Loaded(rankings), BY_ORDER


def _refuse_no_list(cells: list[str], profile: Profile) -> None:
    """Lines that may be something else than the ids of one list are asked about."""
    ask, line = profile.reading.ask, profile.table.lines[0]
    if all(map(is_number_cell, cells)):
        raise ask("the lines are numbers; are they ids, best first?", Say(layout="list"), line=line)
    words = {plain_name(word) for word in profile.first[0].split()}
    if "item" in words and words & {"rank", "score"}:
        raise ask("are the cells of this table separated by blanks?", Say(delimiter=" "), line=line)
    votes, ids = VOTES
    if any(">" in cell.strip("<>") for cell in cells):
        raise ask("are these lines votes such as A>B>C?", (votes, "votes"), (ids, "ids, best first"), line=line)
    twice, times = Counter(cells).most_common(1)[0] if cells else ("", 0)
    if times > 1:
        what = f"{shown(twice)} is in several lines; is every line a vote?"
        raise ask(what, (votes, "votes"), (ids, "ids, best first"), line=line)
    mark = next((mark for mark in ",;\t|" if any(mark in cell for cell in cells)), None)
    if mark is not None:
        between = shown(mark)
        split = [] if profile.table.delimiter == mark else [(Say(delimiter=mark), f"{between} separates cells")]
        ways = (
            (Say(layout="list"), "every line is one id"),
            (Say(layout="ballots"), f"every line is a vote, {between} separates its choices"),
        )
        raise ask(f"what does {between} in the lines separate?", *ways, *split, line=line)


def _is_spreadsheet(reading: Reading) -> bool:
    return reading.plain_name.lower().endswith(SPREADSHEETS) and reading.options.layout is None


def _without_marks(cells: list[str], reading: Reading) -> list[str]:
    """The lines without what makes a list of them for the eye: dashes, or numbers that count from 1."""
    bullets, numbers = [BULLET.match(cell) for cell in cells], [NUMBERED.match(cell) for cell in cells]
    counted = [int(match[1]) for match in numbers if match] == list(range(1, len(cells) + 1))
    marks = bullets if all(bullets) else numbers if counted else []
    if len(cells) < 2 or not marks:
        return cells
    plain = [cell[match.end() :] for cell, match in zip(cells, marks, strict=True) if match]
    reading.note(f"the marks before the ids were left out: {shown(cells[0])} is {shown(plain[0])}")
    return plain


def _split_line(cell: str, reading: Reading, line: int) -> list[str]:
    """The ids of a line: ``A=B`` is a tie, which a note tells."""
    pieces = split_equals(cell)
    if len(pieces) < 2 or not all(pieces):
        return [cell]
    both = Say(layout="list", header=True), Say(layout="list", header=False)
    reading.note(tell(f"{shown(cell)} was read as a tie; ", both[0], " or ", both[1], " reads it as one id"), line=line)
    return pieces
