"""Ballots: every row is a voter, the cells are choices from first to last."""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from collections.abc import Collection, Sequence
from typing import Final

from stagg.errors import DataError, plural, shown
from stagg.formats.format import BY_ORDER, Loaded
from stagg.formats.reading import Reading
from stagg.formats.row_checks import refuse_values
from stagg.formats.tables.cells import is_number_cell
from stagg.formats.tables.layouts.base import Layout, Sheet, call_column, refuse_long_rows
from stagg.formats.tables.layouts.shared.one_order import note_one_order, note_separator
from stagg.formats.tables.layouts.shared.voters import (
    about_voters,
    count_column,
    is_count_name,
    note_taken,
    refuse_counts,
    settle_repeats,
    voter_column,
    voter_names,
    with_multiplicities,
)
from stagg.formats.tables.layouts.shared.written_ties import refuse_dash, refuse_odd_ties, split_equals
from stagg.formats.tables.ordinals import choice_columns, clashing_choices, cut_places, read_ordinal
from stagg.formats.tables.profile import (
    Profile,
    address_columns,
    describe_leaving_out,
    describe_unplaced,
    is_about_answer,
    is_choice,
    time_columns,
)
from stagg.formats.tables.roles import may_name_ranker, say_columns
from stagg.formats.tables.row_builder import (
    RowBuilder,
    describe_no_answer,
    is_no_answer,
    leave_out_marks,
    note_ignored,
    note_no_answers,
    note_summaries,
    read_queries,
)
from stagg.formats.tables.vocabulary import (
    COUNT_WORDS,
    ITEM_WORDS,
    ORDER_MARKS,
    SURE_VOTERS,
    VOTE_MARKS,
    VOTER_WORDS,
)
from stagg.say import Say, tell

__all__ = ["BallotRows", "has_header_of_choices"]

COUNTED: Final = re.compile(r"([0-9]+)\s*[:*x×]\s*(\S.*)")
COUNTED_BY_BLANK: Final = re.compile(r"([0-9]+)\s+(\S.*>.*)")
CANDIDATES: Final = re.compile(r"[>=]")
UNKNOWN_MARK: Final = re.compile(r"\S\s*[<≺/]\s*\S")
MAYBE_MARK: Final = re.compile(r"\S[\s-]+\S")
FEWEST_ROWS: Final = 4  # that count up, for their numbers to be no counts
OPENING: Final = "([{"
CLOSING: Final = ")]}"


class BallotRows(Layout):
    """Ballots: every row is a voter; the cells are the choices from first to last."""

    name = "ballots"
    meaning = "every row is a voter, the cells are choices from first to last"
    example = "`Voter,1st choice,2nd choice`"

    def fits(self, profile: Profile) -> bool:
        if profile.header is False:
            return False
        if _is_column_of_votes(profile):
            return True
        choices = profile.choices
        named = any(any(map(str.isalpha, profile.first[column])) for column in choices)
        if 1 not in choices.values() or (len(choices) < 2 and not named):
            return False
        if not named and {*ITEM_WORDS} & {*profile.plain}:
            return False  # item,1,2,3: the numbers are those of the rankers
        if any(profile.columns[column].is_numbers for column in choices):
            ways = [(Say(layout="ballots"), "they are ids"), (Say(layout="grid"), "they are ranks")]
            if {*ITEM_WORDS} & {*profile.plain}:  # gene,KO1_rank,KO2_rank
                ways.append((Say(layout="wide"), "every column ranks the items of the rows"))
            question = "the cells below the choices are numbers; what are they?"
            raise profile.reading.ask(question, *ways, line=profile.table.lines[0])
        _refuse_unnamed_choices(profile)
        return True

    def ways(self, profile: Profile) -> list[Say]:
        if not profile.may_hold_ids:
            return []
        if profile.body and profile.plain[0] in SURE_VOTERS and profile.repeats_after(1):
            return []  # yes and no, or grades: no choices, for they come again
        if profile.is_ticked:
            return []
        if profile.header is not None:
            return [Say(layout="ballots")]
        likely = not profile.first_in_body
        if likely and profile.persons:
            return [Say(layout="ballots", header=True, columns=profile.persons)]
        both = [Say(layout="ballots", header=likely), Say(layout="ballots", header=not likely)]
        return both[:1] if likely and {*VOTER_WORDS} & {*profile.plain} else both

    def has_header(self, profile: Profile) -> bool:
        return has_header_of_choices(profile, "ballots", {*VOTER_WORDS, *COUNT_WORDS})

    def check(self, sheet: Sheet, reading: Reading, line: int) -> None:
        if choice_columns(sheet.names or []):
            refuse_long_rows(sheet, reading)
        super().check(sheet, reading, line)

    def read(self, sheet: Sheet, reading: Reading) -> tuple[Loaded, str]:
        """(the rankings of the voters, which way their cells point)."""
        refuse_values(reading, "the cells of ballots are choices from first to last")
        voters, count, query = (
            voter_column(sheet, reading.options),
            count_column(sheet, reading.options),
            sheet.column("query"),
        )
        sheet = settle_repeats(sheet, voters, reading)
        about = about_voters(sheet)
        note_ignored([sheet.names[c] for c in about if sheet.names and c != voters], reading)
        choices = _choice_order(sheet, {voters, count, query, *about}, reading)
        if not choices:
            raise reading.error("there is no column of choices; the columns only say who votes", sheet.first_line)
        places: dict[int | None, str] = {column: f"choice {place}" for place, column in enumerate(choices, start=1)}
        note_taken(sheet, reading, {voters: "voter", count: "number of voters", query: "election", **places})
        _refuse_persons(sheet, choices, reading)
        _refuse_votes_among_choices(sheet, choices, reading)
        sheet = _without_places(sheet, choices, reading)
        if count is None:
            sheet, count = _split_counts(sheet, choices, reading)
        queries = read_queries(sheet, reading)
        nobody = voters is None and count is None  # nobody says who ranked, nor how many did
        alone = nobody and query is not None and len({*queries}) == len(queries) > 1  # a list for each query
        named = voters is not None or alone or "ranker" in (reading.options.columns or {})
        if not named and choices[0] not in choice_columns(sheet.names or []):
            _refuse_names(sheet, choices, reading)
        marks = _find_marks(sheet, choices, reading)
        names = [reading.stem] * len(queries) if alone else voter_names(sheet, voters, queries, reading)
        refuse_odd_ties(sheet, choices if marks is None else [], reading)
        rows = _add_ballots(sheet, choices, marks, list(zip(queries, names, strict=True)), reading)
        rows.merge_spellings(reading)
        note_no_answers(rows.items, reading, lenient=True)
        note_summaries([*names, *[row[column] for row in sheet.rows for column in about]], reading)
        try:
            rankings = rows.assemble(reading, queries, names)
        except DataError as error:
            told = _describe_spoilt_ballot(
                rows, reading, voters is not None, _explain_repeats(sheet, choices, rows.items)
            )
            raise (told or error) from None
        rankings = with_multiplicities(rankings, sheet, count, names, reading)
        return Loaded(rankings, names_rankers=not alone, local_rankers=voters is None and not alone), BY_ORDER


def _add_ballots(
    sheet: Sheet, choices: Sequence[int], mark: str | None, owners: Sequence[tuple[str, str]], reading: Reading
) -> RowBuilder:
    """The choices of all ballots; in a cast vote record a candidate who is marked again counts once."""
    rows, again = RowBuilder(), []
    ballots, is_record = leave_out_marks(sheet, choices, reading)
    for ballot, line, (query, name) in zip(ballots, sheet.lines, owners, strict=True):
        cells = _split_vote(ballot[0], mark, reading, line) if mark else ballot
        seen: set[str] = set()
        for place, cell in enumerate(cells):
            for item in _split_tie(cell.strip(" \t"), reading, line):
                if reading.options.lenient and is_no_answer(item):
                    reading.drop("no choice", line)
                elif is_record and item in seen:
                    again.append(line)
                else:
                    rows.add(query, name, item, place, line)
                seen.add(item)
    if again:
        ballots_told = plural(len(set(again)), "ballot marks a candidate", "ballots mark a candidate")
        reading.note(f"{ballots_told} again, which counts once, at the first mark", line=again[0])
    return rows


def has_header_of_choices(profile: Profile, layout: str, words: set[str]) -> bool:
    """Whether the first row of a table of choices is a header: by its words, or by ids that are in other rows, too."""
    if words & {*profile.plain} or "query" in profile.plain or profile.choices:
        return True
    if profile.first_in_body or not profile.body:
        return False
    raise profile.ask_header(layout=layout)


def _is_column_of_votes(profile: Profile) -> bool:
    """Whether one column holds whole votes, A>B>C, and all others tell who gave them, or how many."""
    votes = [column.number for column in profile.columns if column.holds_votes]
    others = [column.plain for column in profile.columns if column.number not in votes]
    return len(votes) == 1 and bool(others) and {*others} <= {*VOTER_WORDS, *COUNT_WORDS, "query"}


def _refuse_unnamed_choices(profile: Profile) -> None:
    """A column that holds candidates too, and does not say which choice it is, is not ignored."""
    pool = {cell for column in profile.choices for cell in profile.columns[column].cells}
    for column in profile.columns:
        if column.number not in profile.choices and is_choice(column.name, column.cells, pool):
            raise profile.reading.ask(
                describe_unplaced(call_column(profile.first, column.number)),
                (Say(layout="ballots"), "the columns are in order, first to last"),
                (say_columns(ignore=call_column(profile.first, column.number)), "it is left out"),
                line=profile.table.lines[0],
            )


def _choice_order(sheet: Sheet, others: set[int | None], reading: Reading) -> list[int]:
    """The columns of the choices, first to last: as their names tell it, else as they stand."""
    names = sheet.names or [""] * len(sheet.roles)
    _refuse_clash([name for column, name in enumerate(names) if column not in others], sheet, reading)
    told = {column: choice for column, choice in choice_columns(names).items() if column not in others}
    rest = [column for column in range(len(names)) if column not in others]
    rest = _without_answers_about(sheet, rest, set(told), reading)
    if not told:
        return _without_numbers(sheet, rest, names, reading)
    unnamed = _find_unnamed(sheet, rest, told, names)
    if unnamed:  # who says layout="ballots" says that the columns stand in order
        return [column for column in rest if column in told or column in unnamed]
    _ignore_others(sheet, [column for column in rest if column not in told and names[column]], names, reading)
    return sorted(told, key=told.__getitem__)


def _refuse_clash(names: Sequence[str], sheet: Sheet, reading: Reading) -> None:
    """Two columns of one choice may belong to two questions."""
    clash = clashing_choices(names)
    if clash is not None:
        both = f"{shown(clash[0])} and {shown(clash[1])} seem to be the same choice"
        form = (Say(layout="form"), "they belong to two questions, each of which is a query")
        told = [(column, read_ordinal(name)) for column, name in enumerate(sheet.names or []) if name in names]
        later = [column for column, choice in told if choice and choice in [one for c, one in told if c < column]]
        beside = say_columns(ignore="+".join(map(sheet.call, later))), "the later ones tell more of the choice"
        raise reading.ask(f"{both}; rename one of them", form, beside, line=sheet.first_line, before=", or say")


def _without_numbers(sheet: Sheet, rest: Sequence[int], names: Sequence[str], reading: Reading) -> list[int]:
    """The columns but those of numbers that may count the voters of a row, which must not be ignored unsaid."""
    counts = [column for column in rest if is_count_name(names[column]) or _is_odd_number(sheet, column, rest)]
    refuse_counts(sheet, counts, reading)
    note_ignored([names[column] for column in counts], reading)
    return [column for column in rest if column not in counts]


def _find_unnamed(sheet: Sheet, rest: Sequence[int], told: Collection[int], names: Sequence[str]) -> list[int]:
    """The columns that hold candidates, and do not say which choice they are."""
    pool = {row[column] for row in sheet.rows for column in told if row[column]}
    named = (column for column in rest if column not in told and names[column])
    return [c for c in named if is_choice(names[c], [row[c] for row in sheet.rows if row[c]], pool)]


def _ignore_others(sheet: Sheet, others: Sequence[int], names: Sequence[str], reading: Reading) -> None:
    """Leave out columns beside the choices, with a note; one that may count the voters must be said."""
    counted = count_column(sheet, reading.options) is not None
    serial = [column for column in others if _numbers_rows(sheet, column)]
    maybe = [column for column in others if is_count_name(names[column]) or not (counted or column in serial)]
    refuse_counts(sheet, maybe, reading)
    note_ignored([names[column] for column in others], reading)


def _without_answers_about(sheet: Sheet, rest: list[int], told: set[int], reading: Reading) -> list[int]:
    """The columns but those that services write about an answer, such as the last page, which share no choice."""
    pool = {row[column] for row in sheet.rows for column in told if row[column]}
    about = [
        column
        for column in rest
        if column not in told
        and sheet.names
        and is_about_answer(sheet.names[column])
        and pool.isdisjoint(row[column] for row in sheet.rows)
    ]
    if not told and len(about) == len(rest):
        return rest
    note_ignored([sheet.names[column] for column in about if sheet.names], reading)
    return [column for column in rest if column not in about]


def _numbers_rows(sheet: Sheet, column: int) -> bool:
    """Whether the first column counts the rows from 0 or 1, as no numbers of voters would."""
    cells = [row[column] for row in sheet.rows]
    counted = cells in ([str(number + least) for number in range(len(cells))] for least in (0, 1))
    return column == 0 and len(cells) >= FEWEST_ROWS and counted


def _is_odd_number(sheet: Sheet, column: int, rest: Sequence[int]) -> bool:
    """Whether a named column holds whole numbers where the others hold none: it may count the voters."""
    if sheet.names is None or not sheet.rows:
        return False
    numbers = {c for c in rest if all(row[c].isdigit() for row in sheet.rows)}
    others = {row[c] for row in sheet.rows for c in rest if c not in numbers}
    return column in numbers and len(numbers) < len(rest) and not any(map(is_number_cell, others))


def _refuse_persons(sheet: Sheet, choices: Sequence[int], reading: Reading) -> None:
    """Columns of addresses or times are not taken for choices, unless their names or the other columns say so."""
    told = choice_columns(sheet.names or [])
    addresses, times = (
        [column for column in columns if column not in told]
        for columns in (address_columns(sheet.rows, choices), time_columns(sheet.rows, choices))
    )
    if not addresses and not times:
        return
    names = sheet.names or [str(column + 1) for column in range(len(sheet.roles))]
    columns = sorted([*addresses, *times])
    odd = " and ".join(f"{shown(names[column])} ({shown(sheet.rows[-1][column])}, …)" for column in columns)
    what = "the column" if len(columns) == 1 else "the columns"
    ignore = say_columns(ignore="+".join(map(sheet.call, columns)))
    voters = say_columns(**describe_leaving_out(names, addresses, times))
    persons = [(voters, "the addresses are the voters")] if addresses else []
    raise reading.ask(
        f"{what} {odd} cannot be choices: the cells look like addresses or times, which the other columns do not hold; "
        "if these are choices, name the columns of choices 1st, 2nd, …; if not",
        *persons,
        (ignore, f"leaves {'it' if len(columns) == 1 else 'them'} out"),
        line=sheet.first_line,
    )


def _find_marks(sheet: Sheet, choices: Sequence[int], reading: Reading) -> str | None:
    """The separator of choices where a single column holds them all: A>B>C, or A;B;C as forms export a ranking."""
    cells = [row[choices[0]] for row in sheet.rows if row[choices[0]]] if len(choices) == 1 else []
    for mark in VOTE_MARKS:
        if cells and 2 * sum(mark in cell for cell in cells) >= len(cells):
            note_separator(mark, reading)
            note_one_order(cells, mark, reading)
            return mark
    _check_unsplit(cells, reading, sheet.first_line or 1)
    return None


def _refuse_votes_among_choices(sheet: Sheet, choices: Sequence[int], reading: Reading) -> None:
    """A column of whole votes, A>B>C, stands alone: the others must say who votes, or how many do."""
    votes = [c for c in choices if _is_split([row[c] for row in sheet.rows if row[c]])]
    if not votes or len(choices) == 1:
        return
    other = next(c for c in choices if c != votes[0] or len(votes) > 1)
    name = sheet.call(other)
    raise reading.ask(
        f"column {votes[0] + 1} holds whole votes ({shown(sheet.rows[0][votes[0]])}, …); what is column {other + 1}?",
        (say_columns(ranker=name), "it names the voters"),
        (say_columns(multiplicity=name), "it counts them"),
        (say_columns(ignore=name), "it is left out"),
        line=sheet.first_line,
    )


def _is_split(cells: Sequence[str]) -> bool:
    """Whether most cells hold several choices, by a mark that names hardly have."""
    return any(
        cells and 2 * sum(mark in cell.strip("<>") for cell in cells) > len(cells) for mark in (*ORDER_MARKS, ";", "|")
    )


def _check_unsplit(cells: Sequence[str], reading: Reading, line: int) -> None:
    """Choices that were not separated: an error where it is plain, else a note."""
    if cells and all(UNKNOWN_MARK.search(cell) for cell in cells):
        raise reading.error(f"the vote {shown(cells[0])} cannot be separated; write it as A>B=C, best first", line)
    if cells and all(MAYBE_MARK.search(cell) for cell in cells):
        reading.note(f"{shown(cells[0])} was read as one choice; write votes as A>B=C, best first")


def _split_vote(cell: str, mark: str, reading: Reading, line: int) -> list[str]:
    """The choices of a vote in one cell; brackets around several of them are a tie that is written otherwise."""
    pieces = cell.split(mark)
    if COUNTED.match(cell):
        raise reading.error(
            f"the vote {shown(cell)} begins with a count, and not all votes do; write one before every vote, or write "
            "the counts in a column of their own, under the header line count,ballot",
            line,
        )
    for piece in pieces:
        if any(piece.count(one) != piece.count(other) for one, other in zip(OPENING, CLOSING, strict=True)):
            raise reading.error(f"the vote {shown(cell)} has brackets; leave them out, and write a tie as A=B", line)
    return pieces


def _split_counts(sheet: Sheet, choices: Sequence[int], reading: Reading) -> tuple[Sheet, int | None]:
    """(the sheet with a last column of counts, which it is) where every vote begins with one, as in 3: A>B>C."""
    column = choices[0]
    matches = [COUNTED.fullmatch(row[column]) for row in sheet.rows]
    if any(COUNTED.fullmatch(row[other]) for row in sheet.rows for other in choices[1:]):
        return sheet, None  # the names begin with numbers
    if not all(matches):
        matches = [COUNTED_BY_BLANK.fullmatch(row[column]) for row in sheet.rows]
        later = {name.strip() for row in sheet.rows for name in CANDIDATES.split(row[column])[1:]}
        if not all(match and CANDIDATES.split(match[2])[0].strip() in later for match in matches):
            return sheet, None
    if not matches:
        return sheet, None
    reading.note("the number before a vote was read as the number of its voters")
    votes = [(match[2], match[1]) for match in matches if match]
    rows = [
        [*row[:column], vote, *row[column + 1 :], count] for row, (vote, count) in zip(sheet.rows, votes, strict=True)
    ]
    return dataclasses.replace(sheet, rows=rows), len(sheet.roles)


def _without_places(sheet: Sheet, choices: Sequence[int], reading: Reading) -> Sheet:
    """The sheet without the numbers of the places in votes that one cell holds: 1. Ada; 2. Ben."""
    for mark in VOTE_MARKS if len(choices) == 1 else ():
        lists = [[piece.strip() for piece in row[choices[0]].split(mark) if piece.strip()] for row in sheet.rows]
        plain = cut_places(lists) if any(len(pieces) > 1 for pieces in lists) else None
        if plain is not None:
            reading.note("the numbers before the choices were read as their places")
            rows = [list(row) for row in sheet.rows]
            for row, pieces in zip(rows, plain, strict=True):
                row[choices[0]] = mark.join(pieces)
            return dataclasses.replace(sheet, rows=rows)
    return sheet


def _describe_spoilt_ballot(rows: RowBuilder, reading: Reading, named: bool, hint: str) -> DataError | None:
    """The error for the first ballot that names a candidate twice; None if there is no such ballot."""
    seen: set[tuple[str, str, str]] = set()
    for query, voter, item, line in zip(rows.queries, rows.rankers, rows.items, rows.lines, strict=True):
        if (query, voter, item) in seen:
            whose = f"the ballot of {shown(voter)}" if named else "the ballot"
            keep = tell("; correct it, or keep the first mention: ", Say(duplicates="first"), hint)
            return reading.error(tell(f"{whose} names {shown(item)} twice", keep), line)
        seen.add((query, voter, item))
    return None


def _explain_repeats(sheet: Sheet, choices: Sequence[int], items: Sequence[str]) -> str:
    """Likely cause of a candidate that appears twice in a row, to append to the error."""
    empty = describe_no_answer(items)
    if empty:
        return empty
    columns = ([row[column] for row in sheet.rows if row[column]] for column in choices)
    lists = all(len(set(cells)) == len(cells) for cells in columns)
    other = tell("; or every column is a ranker's list: ", Say(layout="columns"))
    return other if lists and len(sheet.rows) > 1 else ""


def _refuse_names(sheet: Sheet, choices: list[int], reading: Reading) -> None:
    """A first column in which nobody appears elsewhere looks like voters' names: nobody is in it twice, or it is
    named after rankers.
    """
    first = [row[choices[0]] for row in sheet.rows]
    named = sheet.call(choices[0])
    others = Counter(row[column] for row in sheet.rows for column in choices[1:] if row[column])
    told = len(set(first)) == len(first) or (sheet.names is not None and may_name_ranker(sheet.names[choices[0]]))
    if len(first) > 1 and told and others and not others.keys() & set(first):
        counts = [(say_columns(multiplicity=named), "it counts them")] if all(map(str.isdecimal, first)) else []
        raise reading.ask(
            f"the first column ({shown(first[0])}, {shown(first[1])}, …) looks like names of voters",
            *counts,
            (say_columns(ranker=named), "it names them"),
            (say_columns(ranker=""), "it holds first choices"),
            line=sheet.first_line,
        )


def _split_tie(cell: str, reading: Reading, line: int) -> list[str]:
    if not cell:
        return []
    refuse_dash(cell, reading, line)
    pieces = split_equals(cell)
    if not all(pieces):
        raise reading.error(f"{shown(cell)}: expected an id on both sides of '=', which writes a tie (A=B)", line)
    return pieces
