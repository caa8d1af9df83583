"""Long tables: one row per listed item."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from stagg.errors import shown
from stagg.formats.format import Loaded
from stagg.formats.options import ROLES
from stagg.formats.reading import Reading
from stagg.formats.tables.cells import DecimalCommas, read_number
from stagg.formats.tables.layouts.base import Layout, Sheet
from stagg.formats.tables.named_columns import Cells, check_header, loaded
from stagg.formats.tables.profile import CellColumn, Profile
from stagg.formats.tables.roles import (
    check_ignored,
    find_run_columns,
    is_long,
    is_measure,
    may_name_ranker,
    name_statistic,
    names_other_role,
    propose_results,
    propose_roles,
    told_by,
)
from stagg.formats.tables.vocabulary import (
    GUESSES,
    ITEM_WORDS,
    NO_NUMBERS,
    PERSONS,
    SURE_VOTERS,
    VOTER_WORDS,
    plain_name,
)
from stagg.say import Say

__all__ = ["Long"]

MOST_WAYS: Final = 8  # of reading one statistic of a table, that a question offers


class Long(Layout):
    """Long: one row per listed item.

    Needs `item` and `score` or `rank`; without `query` the file is one query (named `1`), without `ranker` it is one
    ranker.
    """

    name = "long"
    meaning = "one row per listed item"
    example = "`query,ranker,item,score`"

    def fits(self, profile: Profile) -> bool:
        return is_long(profile.roles) or bool(_find_tested(profile) or _find_ratings(profile))

    def find_roles(self, profile: Profile) -> dict[str, str]:
        if is_long(profile.roles):
            return {}
        tested = _find_tested(profile)
        if tested:
            others = ", ".join(shown(profile.first[number]) for number in profile.statistics)
            profile.reading.note(
                f"the rows are in the order of {shown(tested['rank'])}, which was read as the rank, small = top; the "
                f"numbers are {others}"
            )
            return tested
        found = _find_ratings(profile)
        told = ", ".join(f"{role} = {shown(name)}" for role, name in found.items())
        profile.reading.note(f"read as one row per listed item: {told}")
        return found

    def ways(self, profile: Profile) -> list[Say]:
        if not profile.body or _lacks_numbers(profile):
            return []
        if profile.statistics and profile.header is not False:
            return _list_tested(profile)
        if results := _name_results(profile):
            return results
        named = profile.header is not False and not profile.first_has_numbers
        body = profile.body if named else profile.table.rows
        names = _name_given(profile) if named else [""] * profile.width
        roles = _name_run(profile) or propose_roles(names, body)
        if not roles or (named and _are_rankers(profile, roles)) or _lacks_voters(profile, roles, named=named):
            return []
        header = {} if named or profile.header is False else {"header": False}
        query = roles.get("query")
        turned = {"ranker" if role == "query" else role: name for role, name in roles.items()}
        unnamed = not named or may_name_ranker(query or "") or plain_name(query or "") not in GUESSES["query"]
        either = query is not None and "ranker" not in roles and unnamed
        whole = [Say(columns=_without_query(roles))] if named and _is_one_query(profile, roles) else []
        return [*whole, Say(**header, columns=roles), *([Say(**header, columns=turned)] if either else [])]

    def advise(self, profile: Profile) -> str:
        return "add a column rank, 1 for the first of every list" if _lacks_numbers(profile) else ""

    def has_header(self, profile: Profile) -> bool:
        return True

    def check(self, sheet: Sheet, reading: Reading, line: int) -> None:
        check_ignored(sheet.roles, reading, line)

    def read(self, sheet: Sheet, reading: Reading) -> tuple[Loaded, str]:
        line = sheet.lines[0] - (sheet.names is not None) if sheet.lines else None
        known = check_header(sheet.roles, reading, line, own=sheet.names, body=sheet.rows)
        sheet = _without_untested(sheet, reading)
        columns = {role: [row[sheet.roles.index(role)] for row in sheet.rows] for role in known}
        commas = DecimalCommas(reading, sheet.delimiter)
        for role in {"rank", "score"}.intersection(columns):
            columns[role] = [commas.plain(cell, line) for cell, line in zip(columns[role], sheet.lines, strict=True)]
        commas.tell()
        content = loaded(Cells(columns, np.array(sheet.lines, dtype=np.intp)), reading, delimiter=sheet.delimiter)
        assert content.understood is not None
        return content, content.understood.direction


def _without_query(roles: Mapping[str, str]) -> dict[str, str]:
    return {role: name for role, name in roles.items() if role != "query"}


def _is_one_query(profile: Profile, roles: Mapping[str, str]) -> bool:
    """Whether a column that no name calls a query may as well describe the rows: no ranker has an item twice."""
    query, names = roles.get("query", ""), profile.first
    if not query or plain_name(query) in GUESSES["query"] or not {roles.get("ranker"), roles.get("item")} <= {*names}:
        return False
    if not may_name_ranker(roles["ranker"]):
        return False
    ranker, item = names.index(roles["ranker"]), names.index(roles["item"])
    return len({(row[ranker], row[item]) for row in profile.body}) == len(profile.body)


def _lacks_voters(profile: Profile, roles: Mapping[str, str], *, named: bool) -> bool:
    """Whether these are ballots, and nothing tells who cast them."""
    voters = roles.get("ranker", "")
    told = may_name_ranker(voters) or plain_name(voters) in VOTER_WORDS or not named
    return profile.reading.ballots and "ranker" not in profile.roles and not (voters and told)


def _find_ratings(profile: Profile) -> dict[str, str]:
    """{role: column} of ratings: who judges, what is judged, and a rank or score by its name; none for other tables.

    No judge has an item twice, and both come again, but for items that are judged once.
    """
    given = {*(profile.reading.options.columns or ())}
    if profile.header is False or not profile.body or given & {"query", "ranker", "item"}:
        return {}
    found = _find_judgments(profile)
    if found is None or "query" in profile.roles:
        return {}
    judge, item, number = found
    pairs = {(row[judge.number], row[item.number]) for row in profile.body}
    if len(pairs) < len(profile.body) or not (item.repeats or item.plain in ITEM_WORDS):
        return {}
    return {"ranker": judge.name, "item": item.name, _tell_number(profile, number.number): number.name}


def _find_judgments(profile: Profile) -> tuple[CellColumn, CellColumn, CellColumn] | None:
    """The only columns of judges, of items and of numbers, where there are no others."""
    columns = [column for column in profile.columns if column.cells]
    judges = [c for c in columns if c.plain in PERSONS and c.repeats and len(c.cells) == len(profile.body)]
    numbers = [c for c in columns if c.is_numbers and _tell_number(profile, c.number)]
    items = [c for c in columns if c not in judges and not c.is_mostly_numbers and c.plain not in VOTER_WORDS]
    alone = len(judges) == len(numbers) == len(items) == 1 and len(columns) < 4
    return (judges[0], items[0], numbers[0]) if alone else None


def _tell_number(profile: Profile, column: int) -> str:
    """ "rank" or "score" where the caller, or the name of a column, says it; else nothing."""
    told = profile.roles[column] if profile.roles[column] in ("rank", "score") else told_by(profile.first[column])
    return told if told in ("rank", "score") else ""


def _name_given(profile: Profile) -> list[str]:
    """The names of the columns, with the roles that the caller gives to some."""
    given = {plain_name(name) for name in (profile.reading.options.columns or {}).values()}
    pairs = zip(profile.columns, profile.roles, strict=True)
    return [role if column.plain in given else column.name for column, role in pairs]


def _name_run(profile: Profile) -> dict[str, str] | None:
    """The columns of a run without a header, or of a TREC run with commas; the score decides."""
    if profile.header or not profile.first_has_numbers:
        return None
    roles = find_run_columns(profile.table.rows)
    if roles is None and profile.width == 6 and profile.first[1].upper() == "Q0":
        return {"query": "1", "item": "3", "score": "5"}
    return None if roles is None else {role: roles[role] for role in roles if role != "rank" or "score" not in roles}


def _name_results(profile: Profile) -> list[Say]:
    """The ways to read a table of results (model, task, metric, value), where its names and cells show that it is one.

    The models are items, the tasks are rankers; the small numbers of errors and latencies are top.
    """
    roles = propose_results(profile.first, profile.body) if profile.header is not False else None
    if roles is None:
        return []
    ranker, about = profile.first.index(roles["ranker"]), [c.number for c in profile.columns if is_measure(c.name)]
    told = {row[ranker]: any(told_by(row[column]) == "small" for column in about) for row in profile.body}
    lower = [name for name, small in told.items() if small]
    return [*([Say(columns=roles, lower=lower)] if lower else []), Say(columns=roles)]


def _are_rankers(profile: Profile, roles: dict[str, str]) -> bool:
    """Whether the numbers are rather those of several rankers, of which none is named as a rank or score."""
    free = [c for c in profile.columns if profile.roles[c.number] not in ROLES and c.name not in roles.values()]
    others = any(column.is_numbers for column in free)
    return others and not names_other_role(roles.get("score", roles.get("rank", "")))


# --- results of tests -------------------------------------------------------------------------------------------------


def _find_tested(profile: Profile) -> dict[str, str]:
    """The items and the p-values of a table of statistics, where its rows are in the order of the p-values.

    limma, DESeq2 and edgeR write such tables: a gene is in one row, and one file is one ranker. None where two columns
    hold p-values, as for genes that are enriched and genes that are depleted, or where lists could be in one table.
    """
    options, kinds = profile.reading.options, profile.statistics
    texts = [column for column in profile.columns if not column.is_numbers and column.cells]
    if not kinds or profile.header is False or options.layout is not None or options.columns or options.values:
        return {}
    kind = "p" if "p" in kinds.values() else "adjusted"
    tests = [number for number in kinds if kinds[number] == kind]
    known = all((column.is_numbers and column.number in kinds) or column in texts for column in profile.columns)
    if len(tests) != 1 or not known or not _is_one_list(texts, profile):
        return {}
    if not _is_sorted([row[tests[0]] for row in profile.body]):
        return {}
    return {"item": texts[0].name or str(texts[0].number + 1), "rank": profile.first[tests[0]]}


def _is_one_list(texts: Sequence[CellColumn], profile: Profile) -> bool:
    """Whether the first column of texts holds the items of one list, and no other one tells several lists apart."""
    again = any(column.repeats and may_name_ranker(column.name) for column in texts[1:])
    return bool(texts) and not again and _are_items(texts[0], profile)


def _are_items(column: CellColumn, profile: Profile) -> bool:
    """Whether a column names what each row is about: it has no name, or one of items, and no cell comes again."""
    named = not column.name or column.plain in GUESSES["item"] or column.plain == "item"
    return named and len(column.distinct) == len(profile.body)


def _is_sorted(cells: Sequence[str]) -> bool:
    """Whether numbers rise from the first row to the last that has one."""
    numbers = [number for cell in cells if (number := read_number(cell)) is not None]
    return len(numbers) > 2 and numbers == sorted(numbers) and numbers[0] < numbers[-1]


def _list_tested(profile: Profile) -> list[Say]:
    """The options that read one statistic of a table, the likelier first."""
    item = _find_tested_item(profile)
    if item is None:
        return []
    base, given = {"item": item.name or str(item.number + 1)}, profile.reading.options.columns or {}
    lists = _list_owners(profile, item)
    if {"rank", "score"} & {*given}:
        return [Say(columns={**lists[0], **base})]
    ways = [
        {**roles, **base, "rank" if told in ("rank", "p", "adjusted") else "score": name}
        for told, name in _list_statistics(profile)
        for roles in lists
    ]
    return [Say(columns=roles) for roles in ways[:MOST_WAYS]]


def _find_tested_item(profile: Profile) -> CellColumn | None:
    """The column of texts that tells most rows apart, those with a name of items before others."""
    texts = [column for column in profile.columns if not column.is_numbers and column.cells]
    named = [column for column in texts if column.plain in (*ITEM_WORDS, "id")] or texts
    return max(named, key=lambda column: (len(column.distinct), -column.number), default=None)


def _list_owners(profile: Profile, item: CellColumn) -> list[dict[str, str]]:
    """{role: column} of what may own the lists of a table of statistics; nothing where it is one list."""
    others = [
        c for c in profile.columns if c.name and c is not item and c.repeats and c.number not in profile.statistics
    ]
    owners = [c.name for c in others if not c.is_numbers or may_name_ranker(c.name)][:1]
    return [{role: owner} for owner in owners for role in ("ranker", "query")] or [{}]


def _list_statistics(profile: Profile) -> list[tuple[str, str]]:
    """(what it is, name) of the columns that are named as statistics, the likelier first."""
    numbers = [column for column in profile.columns if column.is_numbers and column.name]
    found = [(told, column.name) for column in numbers if (told := _point(column.name)) is not None]
    return sorted(found, key=lambda pair: ("rank", "p", "adjusted", "score", "effect").index(pair[0]))


def _point(name: str) -> str | None:
    """Whether a column is named as a rank, a p-value, a score or an effect."""
    told, kind = told_by(name), name_statistic(name)
    return "p" if kind is None and told == "small" else kind or told


def _without_untested(sheet: Sheet, reading: Reading) -> Sheet:
    """The table without rows whose number says that there is none: such a row is not ranked."""
    number = next((sheet.column(role) for role in ("score", "rank") if role in sheet.roles), None)
    if number is None or sheet.names is None or name_statistic(sheet.names[number]) is None:
        return sheet
    empty = [row[number].casefold() in (*NO_NUMBERS, "nan") for row in sheet.rows]
    for line in (line for line, gap in zip(sheet.lines, empty, strict=True) if gap):
        reading.drop(f"no {shown(sheet.names[number])}", line)
    rows = [row for row, gap in zip(sheet.rows, empty, strict=True) if not gap]
    lines = [line for line, gap in zip(sheet.lines, empty, strict=True) if not gap]
    return dataclasses.replace(sheet, rows=rows, lines=lines)


def _lacks_numbers(profile: Profile) -> bool:
    """Whether the names are those of a ranker and an item, ranker by ranker, without a rank."""
    rankers = [c for c in profile.columns if c.plain == "ranker" or c.plain in SURE_VOTERS]
    items = [name for name in profile.plain if name in ITEM_WORDS]
    numbered = {"rank", "score"} & {*profile.plain} or profile.guess
    again = any(column.repeats for column in rankers)
    return bool(items) and again and not numbered and profile.header is not False
