"""Headers of several lines, as surveys write them: one line of names is made of them, "question [option]"."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Sequence
from typing import Final

from stagg.formats.patterns import pattern
from stagg.formats.reading import Reading
from stagg.formats.tables.cells import CellTable, is_number_cell
from stagg.formats.tables.profile import is_about_answer
from stagg.formats.tables.vocabulary import NO_NUMBERS, RESPONSE_WORDS

__all__ = ["join_headers"]

CODE: Final = pattern(r"([^\W\d_].*?)(?:_[0-9]+){1,2}(?:_RANK)?")
"""The code of a question's part, Q2_1 or RA01_03, and the question's in it."""
IMPORT: Final = ('{"ImportId"', "{'ImportId'")
DOMINION: Final = ("CvrNumber", "TabulatorNum")
MOST_LINES: Final = 6  # of a header
ENDS: Final = (" - ", " – ", ": ", ":")


def join_headers(table: CellTable, reading: Reading) -> CellTable:
    """The table with one line of names, where Qualtrics wrote three, SurveyMonkey two, or SoSci Survey two."""
    if reading.options.header is False or len(table.rows) < 3:
        return table
    for find in (_read_qualtrics, _read_survey_monkey, _read_labelled):
        found = find(table.rows)
        if found is not None:
            whose, lines, names = found
            reading.note(
                f"the first {lines} lines are the header of {whose}; the columns are named by the questions and options"
            )
            rows, at = [_tell_apart(names, table.rows[0]), *table.rows[lines:]], [table.lines[0], *table.lines[lines:]]
            return dataclasses.replace(table, rows=rows, lines=at, header=True)
    _refuse_dominion(table, reading)
    return table


def _refuse_dominion(table: CellTable, reading: Reading) -> None:
    """A cast vote record of Dominion: contests, candidates with their ranks, then CvrNumber; 1 is a mark."""
    at = next((at for at, row in enumerate(table.rows[:MOST_LINES]) if {*DOMINION} <= {*row}), 0)
    if at > 1:
        raise reading.error(
            "this is a cast vote record of Dominion, whose columns are pairs of a candidate and a rank; write a file "
            f"for each contest, a row for each ballot under the header {DOMINION[0]},1st,2nd,3rd, with candidates",
            table.lines[at],
        )


Header = tuple[str, int, list[str]]
"""Whose header it is, how many lines it takes, and the names that it gives."""


def _read_qualtrics(rows: Sequence[Sequence[str]]) -> Header | None:
    """Codes, then questions, then ids of an import: Q2_1 / Rank them. - Tea / {"ImportId":"QID2_1"}."""
    at = next((at for at in (1, 2) if any(cell.startswith(IMPORT) for cell in rows[at])), None)
    if at is None:
        return None
    return "an export of Qualtrics", at + 1, _name_by_label(rows[0], rows[1] if at == 2 else rows[0])


def _read_survey_monkey(rows: Sequence[Sequence[str]]) -> Header | None:
    """Questions, each above its first option, then options: Rank them,,,Age / Tea,Milk,Water,Response."""
    first, second = _without_repeats(*rows[:2]), rows[1]
    gaps = [column for column, cell in enumerate(first) if not cell]
    responses = not gaps and all(cell in RESPONSE_WORDS for cell in map(str.casefold, second) if cell) and any(second)
    if second[0] or not first[0] or not (responses or (gaps and all(second[column] for column in gaps))):
        return None
    names, question = [], ""
    for text, option in zip(first, second, strict=True):
        question = text or question
        names.append(question if option.casefold() in ("", *RESPONSE_WORDS) else _bracket(question, option))
    return "a survey (questions, and options below them)", 2, names


def _without_repeats(questions: Sequence[str], options: Sequence[str]) -> list[str]:
    """Questions above their first option alone, where a survey repeats them above each: Rank them,Rank them."""
    again = [
        bool(text) and text in (*questions[c - 1 : c], *questions[c + 1 : c + 2]) for c, text in enumerate(questions)
    ]
    if [bool(option) for option in options] != again:
        return list(questions)
    return ["" if column and text == questions[column - 1] else text for column, text in enumerate(questions)]


def _read_labelled(rows: Sequence[Sequence[str]]) -> Header | None:
    """Codes, then labels: RA01_01 / Order: Price. The columns of such codes hold numbers below."""
    codes, labels, body = rows[0], rows[1], rows[2:]
    parts = [column for column, code in enumerate(codes) if CODE.fullmatch(code)]
    numbered = [column for column in parts if all(is_number_cell(row[column]) for row in body if row[column])]
    texts = {labels[column] for column in numbered if not is_number_cell(labels[column])} - {"", *NO_NUMBERS}
    if len(numbered) < 2 or len(texts) < len(numbered) or not all(labels[c] for c, code in enumerate(codes) if code):
        return None
    return "a survey (codes, and labels below them)", 2, _name_by_label(codes, labels)


def _name_by_label(codes: Sequence[str], labels: Sequence[str]) -> list[str]:
    """Names by the labels, those of one question as "question [option]"; columns about the answer keep their codes."""
    names = [code if not label or is_about_answer(code) else label for code, label in zip(codes, labels, strict=True)]
    groups: dict[str, list[int]] = {}
    for column, code in enumerate(codes):
        if not is_about_answer(code) and (match := CODE.fullmatch(code)):
            groups.setdefault(match[1], []).append(column)
    for columns in groups.values():
        ending = _find_end([labels[column] for column in columns])
        shared = _find_start([labels[column] for column in columns])
        end = max((shared.rfind(mark) + len(mark) for mark in ENDS if mark in shared), default=0)
        if len(columns) > 1 and end:
            question = shared[:end].strip(" -–:")
            for column in columns:
                names[column] = _bracket(question, labels[column][end:].removesuffix(ending).strip())
    return names


def _find_start(texts: Sequence[str]) -> str:
    """The text that all of these begin with."""
    alike = (len({*letters}) == 1 for letters in zip(*texts, strict=False))
    return texts[0][: sum(1 for _ in itertools.takewhile(bool, alike))]


def _find_end(texts: Sequence[str]) -> str:
    """The last part that all of these have: " - Rank"."""
    last = {text.rpartition(ENDS[0]) for text in texts}
    ends = {between + after for _, between, after in last}
    return ends.pop() if len(ends) == 1 and len(last) > 1 else ""


def _bracket(question: str, option: str) -> str:
    """The name of a column as Google writes it."""
    plain = option.replace("[", "(").replace("]", ")")
    return f"{question} [{plain}]" if plain else question


def _tell_apart(names: Sequence[str], codes: Sequence[str]) -> list[str]:
    """The names, those that come twice with their codes behind them."""
    return [
        f"{name} ({code})" if names.count(name) > 1 and code and code != name else name
        for name, code in zip(names, codes, strict=True)
    ]
