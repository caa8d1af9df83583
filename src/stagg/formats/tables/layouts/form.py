"""Forms: every row is one answer; a ranking question takes several columns, or one cell that lists the choices."""

from __future__ import annotations

import dataclasses
import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, Literal

from stagg.data.rankings import Values
from stagg.errors import DataError, shown
from stagg.formats.format import BY_ORDER, BY_RANK, BY_SCORE, ONE_QUERY, Loaded
from stagg.formats.options import IGNORE
from stagg.formats.patterns import pattern
from stagg.formats.reading import Reading
from stagg.formats.tables.cells import is_number_cell, read_number
from stagg.formats.tables.layouts.base import Layout, Sheet, refuse_long_rows
from stagg.formats.tables.layouts.shared.direction import find_grid_direction
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
from stagg.formats.tables.layouts.shared.written_ties import split_equals
from stagg.formats.tables.ordinals import cut_places, fold, place_groups, read_ordinal, read_place, split_bracket
from stagg.formats.tables.profile import Profile, describe_unplaced, is_about_answer, is_choice
from stagg.formats.tables.roles import may_name_ranker, say_columns
from stagg.formats.tables.row_builder import RowBuilder, leave_out_marks, note_ignored, note_summaries
from stagg.formats.tables.vocabulary import (
    ABOUT_ANSWERS,
    BEST_WORDS,
    LAST_CELLS,
    NO_PLACES,
    ORDER_MARKS,
    ORDER_WORDS,
    RANKING_WORDS,
    SURE_VOTERS,
    TOP_CELLS,
    WORST_WORDS,
    plain_name,
)
from stagg.formats.tables.written_numbers import find_scale
from stagg.say import Say, tell

__all__ = ["Form"]

ARROWED: Final = pattern(r"(?s)(.*\S)\s*>>\s*(\S.*)")
BETWEEN: Final = (" - ", " – ", " — ", ": ", ":", " | ", "|", "/", "? ", "_")
"""Marks between a question and an option in the name of a column, where the service has no brackets."""
LONGEST_NAME: Final = 1000  # of a question; CODED takes quadratic time on long names
CODED: Final = pattern(r"(.*[^\W\d_].*?)[_. ]?[0-9]+")
MEANING: Final = pattern(
    r"([0-9]+)(?:st)?\s*(?:=|is|being|:|-|–|means|for|ist|est|es|è|\()\s*(?=((?:[^\s0-9]+\s*){1,3}))"
)
MEANT: Final = pattern(r"([^\W\d_]+)\s*\(\s*([0-9]+)\s*\)")
"""What a number means, before or behind it: 1 = best, best (5)."""
NUMBERED_NAME: Final = pattern(r"(.*[^\W\d_])[_. #-]*([0-9]{1,2})")
WORD: Final = pattern(r"[^\W\d_]+")
WEAK_PLACE: Final = pattern(r"([0-9]{1,2})(?:e|re|de|a|o)")
FIRST: Final = frozenset(("1er", "1re", "1ère", "1ere"))
LIST_MARKS: Final = (";", *ORDER_MARKS, "|", "\n", ",", " ")
TICK_MARKS: Final = (";", "|", "\n", ",")
MOSTLY: Final = 0.8
FEW_WORDS: Final = 3
MOST_GRADES: Final = 11  # words of a scale
FEW_GRADES: Final = 3  # yes and no are answers to any question
Kind = Literal["options", "places", "cell"]


@dataclasses.dataclass(frozen=True)
class Question:
    """A question of a form that asks for a ranking.

    ``kind``: "options" (a column for each option, cells are places), "places" (a column for each place, cells are
    options) or "cell" (one cell lists the options, with ``mark`` between them, perhaps ``numbered``).

    ``labels`` are the options, or nothing. ``in_words``: its cells are grades such as "agree", whose numbers
    somebody must say.
    """

    text: str
    columns: list[int]
    kind: Kind
    labels: list[str]
    mark: str = ""
    sure: bool = True
    numbered: bool = False
    in_words: bool = False


class Form(Layout):
    """Form: every row is one answer; a ranking question takes several columns, or one cell such as A;B;C."""

    name = "form"
    meaning = "every row is an answer to a form, whose questions ask for rankings: each is a query"
    example = "`Timestamp,Rank them [Ada],Rank them [Ben]`"

    def fits(self, profile: Profile) -> bool:
        if profile.header is False or not profile.body or {"query", "item"} & {*profile.roles} or profile.names_item:
            return False
        questions = [question for question in find_questions(profile.first, profile.body) if question.sure]
        if not any(_is_asked(question, profile) for question in questions):
            return False
        if len(questions) == 1 and questions[0].kind == "cell":
            return not profile.columns[questions[0].columns[0]].holds_votes  # A>B>C are ballots
        return len(questions) > 1 or any(question.kind == "options" for question in questions)

    def ways(self, profile: Profile) -> list[Say]:
        if profile.header is False or not profile.body or profile.width < 2 or "query" in profile.roles:
            return []
        questions = find_questions(profile.first, profile.body)
        graded = [question for question in questions if question.in_words]
        if not questions or len(graded) < len(questions):
            if questions:
                return [Say(layout="form")]
            return [Say(layout="form", values="score")] if find_ticks(profile.first, profile.body) else []
        scale = find_scale({cell for row in profile.body for cell in _answers(graded, row)})
        return [Say(layout="form") if scale is None else Say(layout="form", grades=scale)]

    def has_header(self, profile: Profile) -> bool:
        return True

    def check(self, sheet: Sheet, reading: Reading, line: int) -> None:
        super().check(sheet, reading, line)
        refuse_long_rows(sheet, reading)

    def read(self, sheet: Sheet, reading: Reading) -> tuple[Loaded, str]:
        """(the rankings of those who answered, which way their cells point)."""
        if sheet.names is None:
            raise reading.error("a form needs a header line that holds its questions", sheet.first_line)
        found = [
            each for each in find_questions(sheet.names, sheet.rows) if not each.in_words or reading.options.grades
        ]
        if not found and reading.options.values == "score":
            found = find_ticks(sheet.names, sheet.rows)
        if not found:
            _ask_for_grades(sheet, reading)
        questions = _without_repeats([question for question in found if question.sure] or found, sheet, reading)
        if not questions:
            raise reading.error("no question of this form asks for a ranking", sheet.first_line)
        voters, count = _find_voters(sheet, questions, reading), count_column(sheet, reading.options)
        sheet = settle_repeats(sheet, voters, reading)
        _note_others(sheet, questions, {voters, count}, reading)
        ticks = reading.options.values == "score"
        asked = (pair for question in questions for pair in _tell_columns(question, ticks=ticks))
        note_taken(sheet, reading, {voters: "voter", count: "number of voters"} | dict(asked))
        names = voter_names(sheet, voters, [ONE_QUERY] * len(sheet.rows), reading)
        rows = RowBuilder()
        queries = _name_queries(questions)
        directions = [
            _add_answers(rows, sheet, question, (query, names), len(questions) > 1, reading)
            for query, question in zip(queries, questions, strict=True)
        ]
        if len(questions) > 1:
            listed = ", ".join(map(shown, queries[:8]))
            reading.note(f"this form asks for {len(questions)} rankings, each of which is a query: {listed}")
        rows.merge_spellings(reading)
        note_summaries([row[column] for row in sheet.rows for column in about_voters(sheet)], reading)
        by_score = {*directions} == {BY_SCORE}
        if BY_SCORE in directions and not by_score:
            raise _ask_for_kind(sheet, questions, directions, reading)
        rankings = rows.assemble(reading, queries, names, by_score=by_score)
        rankings = with_multiplicities(rankings, sheet, count, names, reading)
        local = voters is None
        return Loaded(rankings, names_rankers=True, local_rankers=local), min(directions)


def _tell_columns(question: Question, *, ticks: bool) -> Iterator[tuple[int | None, str]]:
    """What each column of a question was taken for."""
    for place, column in enumerate(question.columns, start=1):
        if question.kind == "options":
            yield column, f"place of {shown(question.labels[place - 1])}"
        else:
            listed = "all ticks" if ticks else "all choices, best first"
            yield column, f"choice {place}" if question.kind == "places" else listed


def _is_asked(question: Question, profile: Profile) -> bool:
    """Whether a form asked the question: its cells are choices, or 1st and 2nd, or it says rank; or voters are named.

    Else its columns may be those of a table of numbers: accuracy [dev], accuracy [test].
    """
    numbers = any(is_number_cell(cell) for column in question.columns for cell in profile.columns[column].cells)
    words = WORD.findall(fold(question.text))
    asks = len(words) >= FEW_WORDS and not RANKING_WORDS.isdisjoint(words)
    return (
        question.kind != "options"
        or not numbers
        or asks
        or not {*SURE_VOTERS, *ABOUT_ANSWERS}.isdisjoint(profile.plain)
    )


# --- questions --------------------------------------------------------------------------------------------------------


def find_questions(names: Sequence[str], body: Sequence[Sequence[str]]) -> list[Question]:
    """The questions of a form that ask for rankings, in their order; those that only may do so are not ``sure``."""
    columns = [[row[number] for row in body if row[number]] for number in range(len(names))]
    free = [number for number, name in enumerate(names) if name and columns[number]]
    found: list[Question] = []
    for groups in (_marked_groups, _place_groups, _weak_groups, _numbered_groups):
        judge = JUDGES.get(groups, _judge)
        judged = (judge(text, labels, columns) for text, labels in groups(names, _left(free, found), columns))
        found += filter(None, judged)
    left = [number for number in _left(free, found) if not is_about_answer(names[number])]
    found += filter(None, (_judge_list(names[number], number, columns[number]) for number in left))
    found = found or list(_find_opinions(names, left, columns))
    return sorted(found, key=lambda question: question.columns[0])


def _find_opinions(names: Sequence[str], free: Sequence[int], columns: Sequence[Sequence[str]]) -> Iterator[Question]:
    """The one question of a table whose columns share nothing but a known scale of words: agree, disagree."""
    told = {number: names[number] for number in free if find_scale({*columns[number]}) is not None}
    if len(told) > 1 and len({cell for number in told for cell in columns[number]}) >= FEW_GRADES:
        question = _judge_words("", told, columns)
        if question is not None:
            yield question


def find_ticks(names: Sequence[str], body: Sequence[Sequence[str]]) -> list[Question]:
    """The questions whose cells list what a voter ticks, one choice or several; most of these come again in others."""
    found = []
    for number, name in enumerate(names):
        cells = [row[number] for row in body if row[number]]
        marks = [mark for mark in TICK_MARKS if any(mark in cell.strip(f"{mark} ") for cell in cells)]
        if name and marks and not is_about_answer(name):
            times = Counter(piece for cell in cells for piece in set(_split(cell, marks[0])))
            if 2 * sum(count for count in times.values() if count > 1) >= times.total():
                found.append(Question(name, [number], "cell", [], marks[0], sure=False))
    return found


def _left(free: Sequence[int], found: Sequence[Question]) -> list[int]:
    """The columns that belong to none of these questions."""
    taken = {number for question in found for number in question.columns}
    return [number for number in free if number not in taken]


Groups = Iterator[tuple[str, dict[int, str]]]
"""The text of each question, and {column: option or place}."""


def _marked_groups(names: Sequence[str], free: Sequence[int], columns: Sequence[Sequence[str]]) -> Groups:
    """Columns that share a question, with an option in brackets or behind an arrow."""
    groups: dict[str, dict[int, str]] = {}
    for number in free:
        found = split_bracket(names[number]) or _split_arrow(names[number])
        if found is not None:
            text, option = (" ".join(each.split()) for each in found)
            groups.setdefault(text, {})[number] = option
    return ((text, labels) for text, labels in groups.items() if len(labels) > 1)


def _split_arrow(name: str) -> tuple[str, str] | None:
    parts = [part.strip() for part in name.split(">>")]
    if len(parts) == 3 and all(parts):  # a table in a form: question >> row >> column
        return f"{parts[0]} >> {parts[2]}", parts[1]
    match = ARROWED.fullmatch(name)
    return (match[1], match[2]) if match else None


def _place_groups(names: Sequence[str], free: Sequence[int], columns: Sequence[Sequence[str]]) -> Groups:
    """Columns whose names differ in the place alone: Mayor 1st choice, Mayor 2nd choice."""
    groups = place_groups([name if number in free else "" for number, name in enumerate(names)])
    spans = [(min(group.places), max(group.places)) for group in groups]
    mixed = any(one[1] > other[0] for one, other in itertools.pairwise(spans))
    if len(groups) > 1 and (mixed or not all(group.question for group in groups)):
        return  # 1st choice, its party, 2nd choice, its party: the party is no question
    for group in groups:
        yield group.question, {number: str(place) for number, place in group.places.items()}


def _weak_groups(names: Sequence[str], free: Sequence[int], columns: Sequence[Sequence[str]]) -> Groups:
    """Columns of places whose names share the text before a mark, or behind it; or codes such as Q2_1 and Q5_1."""
    short = [n for n in free if len(names[n]) <= LONGEST_NAME]
    named = [n for n in short if any(mark in names[n] for mark in BETWEEN) or CODED.fullmatch(names[n])]
    numbered = [n for n in named if not is_about_answer(names[n]) and _share_of_places(columns[n]) >= MOSTLY]
    taken: set[int] = set()
    for mark in BETWEEN:
        for text, labels in _group_by_mark(names, numbered, mark):
            if len(labels) > 1 and _is_question(text) and taken.isdisjoint(labels):
                taken |= labels.keys()
                yield text, labels
    codes = _group_by_code(names, [number for number in numbered if number not in taken])
    if len(codes) > 1 and all(_are_distinct(labels, columns) for labels in codes.values()):
        yield from codes.items()


def _group_by_mark(names: Sequence[str], numbers: Sequence[int], mark: str) -> list[tuple[str, dict[int, str]]]:
    """(the text before the last mark, or behind the first, the rest of each name that has it), the largest first."""
    groups: dict[tuple[str, bool], dict[int, str]] = {}
    for number in numbers:
        before, between, behind = (part.strip() for part in names[number].rpartition(mark))
        if between.strip() != mark.strip() or not before or not behind or mark not in names[number]:
            continue
        groups.setdefault((before, True), {})[number] = behind
        first, _, rest = names[number].partition(mark)
        groups.setdefault((rest.strip(), False), {})[number] = first.strip()
    ordered = sorted(groups.items(), key=lambda group: (-len(group[1]), min(group[1])))
    return [(text, labels) for (text, _), labels in ordered]


def _group_by_code(names: Sequence[str], numbers: Sequence[int]) -> dict[str, dict[int, str]]:
    """The columns whose codes differ in a number alone: {Q2: {3: Q2_1, 4: Q2_2}}."""
    codes: dict[str, dict[int, str]] = {}
    for number in numbers:
        if (match := CODED.fullmatch(names[number])) is not None:
            codes.setdefault(match[1], {})[number] = names[number]
    return {text: labels for text, labels in codes.items() if len(labels) > 1}


def _numbered_groups(names: Sequence[str], free: Sequence[int], columns: Sequence[Sequence[str]]) -> Groups:
    """Columns that differ in a number behind their names, where several such names do: Mayor 1, Mayor 2, Clerk 1."""
    groups: dict[str, dict[int, str]] = {}
    for number in free:
        if len(names[number]) <= LONGEST_NAME and (match := NUMBERED_NAME.fullmatch(names[number])):
            groups.setdefault(match[1], {})[number] = match[2]
    counted = {text: labels for text, labels in groups.items() if len(labels) > 1}
    return iter(counted.items() if len(counted) > 1 else ())


def _is_question(text: str) -> bool:
    """Whether a text that several columns share may be a question: it has several words, or asks for an order."""
    words = WORD.findall(fold(text))
    return len(words) >= FEW_WORDS or not RANKING_WORDS.isdisjoint(words)


def _are_distinct(labels: dict[int, str], columns: Sequence[Sequence[str]]) -> bool:
    """Whether the places of every answer differ, as far as whole columns show it."""
    cells = [columns[number] for number in labels]
    whole = len({len(column) for column in cells}) == 1
    return whole and all(len(set(row)) == len(row) for row in zip(*cells, strict=True))


def _judge(text: str, labels: dict[int, str], columns: Sequence[Sequence[str]]) -> Question | None:
    """The question of these columns; None where its cells are no places, and its columns are none."""
    cells = [cell for number in labels for cell in columns[number]]
    places = [_read_label(label) for label in labels.values()]
    are_places = None not in places and sorted(filter(None, places)) == list(range(1, len(places) + 1))
    share = _share_of_places(cells)
    if any(map(WEAK_PLACE.fullmatch, cells)) and not ({*cells} & FIRST or _are_distinct(labels, columns)):
        return None  # 1a, 2a may be classes as well
    numbers = list(labels)
    if are_places and share < 1 - MOSTLY:
        order = sorted(labels, key=lambda number: places[numbers.index(number)] or 0)
        return Question(text, order, "places", [])
    if not are_places and share >= MOSTLY and any(map(_may_be_place, cells)):
        return Question(text, numbers, "options", list(labels.values()))
    return None


def _judge_words(text: str, labels: dict[int, str], columns: Sequence[Sequence[str]]) -> Question | None:
    """The question of these columns, where their cells are few words that come again and again: grades, or opinions."""
    cells = [cell for number in labels for cell in columns[number]]
    words = {*cells}
    if any(map(is_number_cell, words)) or not 1 < len(words) <= MOST_GRADES:
        return None
    if words & {*labels.values()} or (2 * len(words) > len(cells) and find_scale(words) is None):
        return None
    return Question(text, list(labels), "options", list(labels.values()), sure=False, in_words=True)


def _judge_marked(text: str, labels: dict[int, str], columns: Sequence[Sequence[str]]) -> Question | None:
    cells = {cell for number in labels for cell in columns[number] if cell.casefold() not in NO_PLACES}
    numbered = all(map(str.isdecimal, labels.values())) and not any(map(is_number_cell, cells))
    if numbered and all(map(read_ordinal, cells)):  # logo 3: 1st
        return Question(text, list(labels), "options", list(labels.values()))
    return _judge(text, labels, columns) or _judge_words(text, labels, columns)


def _judge_numbered(text: str, labels: dict[int, str], columns: Sequence[Sequence[str]]) -> Question | None:
    question = _judge(text, labels, columns)
    return None if question is None else dataclasses.replace(question, sure=False)


JUDGES: Final = {_marked_groups: _judge_marked, _numbered_groups: _judge_numbered}
"""{how columns were grouped: what tells whether they are a question}; all others are judged by their cells."""


def _answers(questions: Sequence[Question], row: Sequence[str]) -> Iterator[str]:
    """The answers of one row to these questions."""
    return (row[number] for question in questions for number in question.columns if row[number])


def _ask_for_grades(sheet: Sheet, reading: Reading) -> None:
    """The question which numbers the grades of a form are; nothing where it has none."""
    graded = [question for question in find_questions(sheet.names or [], sheet.rows) if question.in_words]
    words = list(dict.fromkeys(cell for row in sheet.rows for cell in _answers(graded, row)))
    if not words:
        return
    what, scale = f"the answers are words: {', '.join(map(shown, words))}; say ", find_scale(words)
    which = "" if scale else "which number each of them is, such as "
    example = scale or {word: len(words) - place for place, word in enumerate(words, start=1)}
    raise reading.error(tell(what, which, Say(grades=example)), sheet.first_line)


def _read_label(label: str) -> int | None:
    return int(label) if label.isdecimal() and len(label) < 4 else read_ordinal(label)


def _share_of_places(cells: Sequence[str]) -> float:
    """The share of the cells that are places, or that say that there is none."""
    times = Counter(cells)
    told = sum(count for cell, count in times.items() if _may_be_place(cell) or cell.casefold() in NO_PLACES)
    return told / len(cells) if cells else 0.0


def _may_be_place(cell: str) -> bool:
    return is_number_cell(cell) or _read_place(cell) is not None


def _read_place(cell: str, last: int = 1) -> float | None:
    """The place that an answer names, ``last`` of all; 2e and 3a are among them, which elsewhere may be ids."""
    match = WEAK_PLACE.fullmatch(cell)
    if match:
        return float(match[1])
    words = " ".join(WORD.findall(fold(cell)))
    if words in (*TOP_CELLS, *LAST_CELLS) and not any(map(str.isdigit, cell)):
        return 1.0 if words in TOP_CELLS else float(last)
    return read_place(cell)


def _judge_list(name: str, number: int, cells: Sequence[str]) -> Question | None:
    """The question whose cells list choices: permutations of one pool, or lists that share most of their choices."""
    marks = (mark for mark in LIST_MARKS if not (mark in ORDER_MARKS and mark in name))
    for mark in marks:
        if sum(mark in cell.strip() for cell in cells) < MOSTLY * len(cells):
            continue
        lists = [_split(cell, mark) for cell in cells]
        plain = cut_places(lists)
        sure = _hold_choices(name, plain or lists, mark, numbered=plain is not None)
        if sure is not None:
            return Question(name, [number], "cell", [], mark, sure, plain is not None)
    return None


def _hold_choices(name: str, lists: Sequence[Sequence[str]], mark: str, *, numbered: bool) -> bool | None:
    """Whether lists in the cells of a column are surely choices in order; None where they are none."""
    if any(len(set(pieces)) < len(pieces) for pieces in lists) or max(map(len, lists)) < 2:
        return None
    words = {*WORD.findall(fold(name.replace("_", " ")))}
    pools, orders = {frozenset(pieces) for pieces in lists}, {tuple(pieces) for pieces in lists}
    if len(pools) > 1:
        asks = numbered or not words.isdisjoint(RANKING_WORDS - ORDER_WORDS)
        return asks if mark != " " and _share_choices(lists) else None
    wordy = mark == " " and (len(lists) < 2 or len(next(iter(pools))) < FEW_WORDS)
    sure = (not words.isdisjoint(RANKING_WORDS) or len(orders) > 1) and not wordy
    return sure if sure or mark != " " else None


def _split(cell: str, mark: str) -> list[str]:
    return [piece.strip() for piece in cell.split(mark) if piece.strip()]


def _share_choices(lists: Sequence[Sequence[str]]) -> bool:
    """Whether choices come again in other lists, as those of a form do and the words of comments do not."""
    times = Counter(piece for pieces in lists for piece in pieces)
    return len(lists) > 1 and sum(count > 1 for count in times.values()) >= MOSTLY * len(times)


def _name_queries(questions: Sequence[Question]) -> list[str]:
    """The text of each question; a single question has no name, and one without a text its number."""
    if len(questions) == 1:
        return [ONE_QUERY]
    texts = [question.text or f"question {number}" for number, question in enumerate(questions, start=1)]
    times = Counter(texts)
    return [text if times[text] == 1 else f"{text} ({number})" for number, text in enumerate(texts, start=1)]


# --- answers ----------------------------------------------------------------------------------------------------------


def _note_others(sheet: Sheet, questions: Sequence[Question], used: set[int | None], reading: Reading) -> None:
    """Say which columns are left out; one that may hold choices, or count the voters, is asked about."""
    names = sheet.names or []
    asked = {number for question in questions for number in question.columns}
    others = [c for c in range(len(names)) if c not in asked | used and any(row[c] for row in sheet.rows)]
    refuse_counts(sheet, [column for column in others if is_count_name(names[column])], reading)
    about = set(about_voters(sheet))
    unknown = [column for column in others if column not in about and not is_about_answer(names[column])]
    for question in questions:
        if question.kind == "places":
            _refuse_choices(sheet, question, unknown, reading)
    note_ignored([names[column] for column in others], reading)


def _refuse_choices(sheet: Sheet, question: Question, others: Sequence[int], reading: Reading) -> None:
    """Ask about a column that holds choices of this question, and does not say which."""
    pool = {row[column] for row in sheet.rows for column in question.columns if row[column]}
    for column in others:
        name, cells = sheet.name_of(column), {row[column] for row in sheet.rows if row[column]}
        if is_choice(name, list(cells), pool) and not pool.isdisjoint(cells):
            raise reading.ask(
                describe_unplaced(name),
                (say_columns(ignore=sheet.call(column)), "it is left out"),
                line=sheet.first_line,
            )


def _without_repeats(questions: Sequence[Question], sheet: Sheet, reading: Reading) -> list[Question]:
    """The questions but those whose answers another one of the same text holds as well: in a cell, and by place."""
    kept: dict[tuple[str, tuple[tuple[str, ...], ...]], Question] = {}
    for question in questions:
        cells = [[row[column] for column in question.columns] for row in sheet.rows]
        answers = tuple(tuple(filter(None, choices)) for choices in _list_choices(cells, question))
        first = kept.setdefault((plain_name(question.text), answers), question)
        if first is not question:
            reading.note(f"{shown(question.text)} is in the table twice, with the same answers; it counts once")
    return list(kept.values())


def _find_voters(sheet: Sheet, questions: Sequence[Question], reading: Reading) -> int | None:
    """The column that names who answered; if none says so, the only one that may name rankers, such as model."""
    found = voter_column(sheet, reading.options)
    if found is not None or "ranker" in (reading.options.columns or {}):
        return found
    asked = {number for question in questions for number in question.columns}
    named = [c for c, name in enumerate(sheet.names or []) if c not in asked and may_name_ranker(name)]
    return named[0] if len(named) == 1 else None


def _add_answers(
    rows: RowBuilder, sheet: Sheet, question: Question, owners: tuple[str, list[str]], several: bool, reading: Reading
) -> str:
    """Add the answers to a question; returns which way its cells point."""
    query, names = owners
    if question.kind == "options":
        numbers = _read_places(sheet, question, reading)
        values = _find_direction(sheet, question, numbers, several, reading)
        for place, (name, line) in enumerate(zip(names, sheet.lines, strict=True)):
            for column, item in zip(question.columns, question.labels, strict=True):
                if (place, column) in numbers:
                    rows.add(query, name, item, numbers[place, column], line)
        return BY_SCORE if values == "score" else BY_RANK
    ticks = question.kind == "cell" and reading.options.values == "score"
    if question.kind == "cell":
        note_separator(question.mark, reading)
        if not ticks:
            note_one_order((row[question.columns[0]] for row in sheet.rows), question.mark, reading)
    cells, once = leave_out_marks(sheet, question.columns, reading)
    answers = _list_choices(cells, question)
    for choices, name, line in zip(answers, names, sheet.lines, strict=True):
        seen: set[str] = set()
        for place, cell in enumerate(choices):
            for item in filter(None, split_equals(cell.strip(" \t"))):
                if not once or item not in seen:
                    rows.add(query, name, item, 1 if ticks else place, line)
                seen.add(item)
    return BY_SCORE if ticks else BY_ORDER


def _list_choices(cells: list[list[str]], question: Question) -> list[list[str]]:
    """The choices of every answer, best first."""
    if question.kind != "cell":
        return cells
    lists = [_split(answer[0], question.mark) for answer in cells]
    return (cut_places(lists) or lists) if question.numbered else lists


def _read_places(sheet: Sheet, question: Question, reading: Reading) -> dict[tuple[int, int], float]:
    """{(row, column): the number of the place}; cells that say that there is none are left out with a note."""
    numbers: dict[tuple[int, int], float] = {}
    missing: Counter[str] = Counter()
    grades = {word.casefold(): grade for word, grade in (reading.options.grades or {}).items()}
    for place, (row, line) in enumerate(zip(sheet.rows, sheet.lines, strict=True)):
        for column in question.columns:
            cell = row[column]
            number = grades.get(cell.casefold()) if question.in_words else read_number(cell)
            number = _read_place(cell, len(question.columns)) if number is None and not question.in_words else number
            if not cell:
                continue
            if cell.casefold() in NO_PLACES:
                missing[cell] += 1
            elif number is not None:
                numbers[place, column] = float(number)
            elif reading.options.lenient:
                reading.drop("bad place", line)
            else:
                raise reading.error(_describe_no_place(cell, sheet.name_of(column)), line)
    for cell, times in missing.items():
        cells = "1 cell" if times == 1 else f"{times:,} cells"
        reading.note(f"{shown(cell)} ({cells}) was read as no answer")
    return numbers


def _describe_no_place(cell: str, name: str) -> str:
    message = f"expected a place in the column {shown(name)}, found {shown(cell)}; empty the cell if there is none"
    return tell(message, ", or say ", Say(lenient=True), " to leave out every such cell")


def _find_direction(
    sheet: Sheet, question: Question, numbers: dict[tuple[int, int], float], several: bool, reading: Reading
) -> Values:
    """Ranks or ratings: as the caller, the cells (1st) or the question (1 = best) say, else as the numbers show."""
    said = reading.options.values
    if question.in_words:
        return "score"
    cells = [row[column] for row in sheet.rows for column in question.columns if row[column]]
    ordinal = not any(map(is_number_cell, (cell for cell in cells if cell.casefold() not in NO_PLACES)))
    told: Values | None = "rank" if ordinal else _read_direction(question.text)
    if said is None and told is not None:
        if not ordinal:
            what = "ranks, small = top" if told == "rank" else "ratings, large = top"
            reading.note(f"the cells were read as {what}, as the question says: {shown(question.text)}")
        return told
    if ordinal:
        return said or "rank"
    plain = dataclasses.replace(sheet, names=[question.text])
    try:
        return find_grid_direction(question.columns, numbers, plain, reading)
    except DataError:
        if not several or said is not None:
            raise
        names = "+".join(_call(sheet, column) for column in question.columns)
        raise reading.ask(
            f"the answers to {shown(question.text)} could be ranks or ratings",
            (Say(layout="form", columns={IGNORE: names}), "leaves this question out"),
            (Say(values="rank"), "small = top"),
            (Say(values="score"), "large = top"),
            line=sheet.first_line,
        ) from None


def _ask_for_kind(sheet: Sheet, questions: Sequence[Question], directions: list[str], reading: Reading) -> DataError:
    """The question which columns to leave out, where some hold ratings and others an order."""
    kinds = list(zip(questions, [direction == BY_SCORE for direction in directions], strict=True))
    rated, ranked = ("+".join(_call(sheet, c) for q, is_rated in kinds for c in q.columns if is_rated is kind)
                     for kind in (True, False))  # fmt: skip
    return reading.ask(
        "some questions hold ratings, and others an order",
        (Say(layout="form", columns={IGNORE: rated}), "leaves out the ratings"),
        (Say(layout="form", columns={IGNORE: ranked}), "leaves out the others"),
        line=sheet.first_line,
    )


def _call(sheet: Sheet, column: int) -> str:
    """How a caller names a column among others with + between them."""
    name = sheet.name_of(column)
    return str(column + 1) if "+" in name else name


def _read_direction(text: str) -> Values | None:
    """ "rank" where a question says that 1 is best, "score" where it says that 1 is worst, or a larger number best.

    >>> [_read_direction(text) for text in ("Rank them (1 = favourite)", "Rate them, 5 = best", "Rank them")]
    ['rank', 'score', None]
    >>> [_read_direction(text) for text in ("from worst (1) to best (3)", "from 1 (bad) to 5 (good)", "1 to 5")]
    ['score', 'score', None]
    """
    found: set[Values] = set()
    folded = fold(text)
    behind = [(number, word) for word, number in MEANT.findall(folded)]
    for number, words in (*MEANING.findall(folded), *behind):
        near = WORD.findall(words)[:FEW_WORDS]
        best, worst = not BEST_WORDS.isdisjoint(near), not WORST_WORDS.isdisjoint(near)
        if best != worst:
            found.add("rank" if best == (int(number) == 1) else "score")
    return found.pop() if len(found) == 1 else None
