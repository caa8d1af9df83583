"""Dialects of text tables: the character, the bars or the runs of blanks between cells, found in the first lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from stagg.formats.numbers import parse_number
from stagg.formats.patterns import pattern
from stagg.formats.tables.cells import COMMA_DECIMALS, BrokenRecord, is_number_cell, read_record
from stagg.formats.tables.ordinals import choice_columns
from stagg.formats.tables.vocabulary import ITEM_WORDS, NO_NUMBERS, plain_name

__all__ = [
    "BAR", "ODD_MARKS", "find_delimiter", "has_row_names", "looks_like_table", "named_delimiter", "sample_lines",
    "unframe",
]  # fmt: skip

DELIMITERS: Final = ("\t", ";", ",")
BAR: Final = "|"
ODD_MARKS: Final = "^~¦§¬\x01\x1f"
"""Marks that some databases write between cells; they are believed where all lines have several, and equally many."""
BLANKS: Final = "  "
"""Two blanks or more between cells, which may hold single ones: as tables are printed."""

SAMPLE: Final = 50  # lines that are looked at to find the separator
FEWEST: Final = 2  # rows below a header, to show that blanks line up by intention
QUOTED: Final = pattern(r'"[^"]*"')
DECIMAL: Final = pattern(r"(?<![0-9.,])[+-]?[0-9]*,[0-9]+(?:[eE][+-]?[0-9]+)?(?![0-9.,])")
COUNTED_VOTE: Final = pattern(r"\s*[0-9]+\s*[:*x×]\s*[^\s,;>0-9][^,;>]*[,;>]|\s*[0-9]+\s*[:*x×]\s*[^\W\d_][^,;>]*$")
VOTE: Final = pattern(r"\s*[^\s<>][^<>]*>\s*[^\s<>]")
NAMED_DELIMITER: Final = pattern(r"sep=(.)[ \t\r]*", re.IGNORECASE)
RULE: Final = pattern(r"[ \t|+:]*[-=]{2}[-=| \t+:]*\r?\n?")
"""A line that is drawn between rows: |---|---:|, -----+-----, =====  ===."""


def sample_lines(head: bytes) -> list[str]:
    """The first lines that are not blank; one that the sample cuts off is left out."""
    lines = head.decode(errors="replace").split("\n")
    whole = lines[:-1] if len(lines) > 1 and len(head) >= 1 << 16 else lines
    return [line for line in whole if line.strip(" \t\r")][:SAMPLE]


def named_delimiter(line: str) -> str | None:
    """The separator that Excel's first line ``sep=;`` names."""
    match = NAMED_DELIMITER.fullmatch(line.strip("\n"))
    return match[1] if match else None


def find_delimiter(lines: Sequence[str]) -> str | None:
    """Tab, semicolon, comma, bar or blanks: what separates the cells of these lines; None where it could be two.

    Bars and blanks are believed only where a header and the rows below it agree.

    >>> find_delimiter(["item;score", "a;0,5"]), find_delimiter(["a,b;c", "b,a;c"]), find_delimiter(["a|b", "x|1"])
    (';', None, '|')
    """
    plain = [QUOTED.sub("", line) for line in lines]
    if not plain:
        return ","
    if not any(each in plain[0] for each in DELIMITERS):
        rare = (None if all(map(VOTE.match, plain)) else _find_printed(lines)) or _find_odd_mark(plain)
        if rare is not None:
            return rare
    telling = next((line for line in plain if any(each in line for each in DELIMITERS)), plain[0])
    present = [each for each in DELIMITERS if each in telling]
    return _choose_steady(present, plain, plain.index(telling)) if len(present) > 1 else next(iter(present), ",")


def _find_odd_mark(lines: Sequence[str]) -> str | None:
    """A mark that all lines have several times, and equally often."""
    odd = next((mark for mark in ODD_MARKS if lines[0].count(mark) > 1), None)
    return odd if odd is not None and len(lines) > FEWEST and _is_steady(odd, lines) else None


def _choose_steady(marks: list[str], lines: Sequence[str], first: int) -> str | None:
    """The only mark that is no decimal comma, or that all lines from the first on have equally often."""
    without = [DECIMAL.sub("0", line) for line in lines]  # a comma between digits may be a decimal comma
    if any(each in marks for each in COMMA_DECIMALS) and not any("," in line for line in without):
        marks = [each for each in marks if each != ","]
    choice = marks if len(marks) == 1 else [each for each in marks if _is_steady(each, lines[first:])]
    return choice[0] if len(choice) == 1 else None


def _is_steady(mark: str, lines: Sequence[str]) -> bool:
    return len({line.count(mark) for line in lines}) == 1


def looks_like_table(head: bytes) -> bool:
    """Whether a file without a telling name is a table of cells, or a list of ids, rather than a TREC run or qrels."""
    lines = sample_lines(head)
    if lines and named_delimiter(lines[0]) is not None:
        return True
    if not lines or lines[0].lstrip()[:1] in ("{", "[") or _looks_like_run(lines):
        return False
    if all(map(COUNTED_VOTE.match, lines)):
        return True
    if all(not re.search(r"[ \t]", line.strip(" \t\r")) or VOTE.match(line) for line in lines):
        return True
    delimiter = find_delimiter(lines)
    return delimiter in (None, BAR, " ", BLANKS) or all(str(delimiter) in line for line in lines)


def _looks_like_run(lines: Sequence[str]) -> bool:
    """Whether the first line is a row of a run or of qrels: the column that nobody reads (Q0, 0) never changes."""
    rows = [line.split() for line in lines]
    first = rows[0]
    if len(first) > 6 and first[1] == "Q0":
        return True
    if len(first) not in (4, 6) or ("\t" in lines[0] and len(lines[0].strip().split("\t")) != len(first)):
        return False
    number = parse_number(first[-1 if len(first) == 4 else 4])
    alike = all(len(row) == len(first) for row in rows)
    marks = {row[1] for row in rows} if alike else {first[1]}
    between = any(mark in lines[0] for mark in ",;\t")
    steady = marks in ({"Q0"}, {"0"}, {"q0"}) or (alike and len(marks) == 1 and len(rows) > 1)
    return number is not None and (steady or not between)


# --- tables as they are printed ---------------------------------------------------------------------------------------


def _find_printed(lines: Sequence[str]) -> str | None:
    """The bars, two blanks or single blanks by which a header and all rows below it have the same cells."""
    for delimiter in (BAR, BLANKS, " "):
        kept = list(unframe(lines, delimiter, lines))
        if (delimiter == BAR or len(kept) > FEWEST) and _agree(_cut(kept, delimiter)):
            return delimiter
    return None


def _cut(lines: Iterable[str], delimiter: str) -> list[list[str]]:
    """The cells of lines without quotes across lines; nothing where there are."""
    try:
        return [read_record(line, iter(()), delimiter) for line in lines]
    except BrokenRecord:
        return []


def _agree(rows: Sequence[list[str]]) -> bool:
    """Whether the first row is a header by which the others have the same cells: names above numbers, or choices."""
    if len(rows) < 2 or not {len(row) for row in rows[1:]} <= {len(rows[0])}:
        return _is_short(rows, all_numbers=True)
    first, body = rows[0], rows[1:]
    if len(first) < 2 or any(map(is_number_cell, first)) or not all(first[1:]):
        return False
    named = any(_are_numbers([row[column] for row in body]) for column in range(1, len(first)))
    return named or (bool(choice_columns(first)) and first[0] not in {row[0] for row in body})


def has_row_names(lines: Sequence[str], delimiter: str) -> bool:
    """Whether every row has one cell more than the header: R writes the names of rows without a name above them.

    >>> has_row_names(["logFC;p", "TP53;2.5;0.01", "MYC;1.5;0.02"], ";"), has_row_names(["item,score", "a,0,5"], ",")
    (True, False)
    """
    rows = _cut(unframe(lines, delimiter, lines), delimiter)
    numbered = [row[0] for row in rows[1:]] == [str(number) for number in range(1, len(rows))]
    sure = delimiter != "," or numbered or all(line.lstrip().startswith('"') for line in lines)
    pointed = any("." in cell and is_number_cell(cell) for row in rows[1:] for cell in row[1:])
    return _is_short(rows, all_numbers=delimiter in (" ", BLANKS) and not numbered) and (sure or pointed)


def _is_short(rows: Sequence[list[str]], *, all_numbers: bool) -> bool:
    """Whether the first row is a header without a name for the first column, whose cells are names, or count."""
    if len(rows) <= FEWEST or any(len(row) != len(rows[0]) + 1 for row in rows[1:]):
        return False
    first, body = rows[0], rows[1:]
    keys = [row[0] for row in body]
    counted = keys in ([str(number + start) for number in range(len(keys))] for start in (0, 1))
    kinds = [_are_numbers([row[column + 1] for row in body]) for column in range(len(first))]
    if (
        not all(first)
        or any(map(is_number_cell, first))
        or len(set(keys)) < len(keys)
        or not (any(kinds) or choice_columns(first))
    ):
        return False
    named = {*map(plain_name, first)} & {*ITEM_WORDS}
    return counted or (not named and not any(map(is_number_cell, keys)) and (all(kinds) or not all_numbers))


def _are_numbers(cells: Sequence[str]) -> bool:
    """Whether the cells are numbers, or say that there is none."""
    numbers = [cell for cell in cells if cell and cell.casefold() not in (*NO_NUMBERS, "nan")]
    return bool(numbers) and all(map(is_number_cell, numbers))


def unframe(lines: Iterable[str], delimiter: str, sample: Sequence[str]) -> Iterator[str]:
    """The lines without rules between rows, and without bars around a row where the sample has them in every line."""
    inner = [line for line in sample if not RULE.fullmatch(line)]
    framed = delimiter == BAR and all(line.strip().startswith(BAR) and line.strip().endswith(BAR) for line in inner)
    for line in lines:
        if not RULE.fullmatch(line):
            yield line.strip()[1:-1] + "\n" if framed else line
