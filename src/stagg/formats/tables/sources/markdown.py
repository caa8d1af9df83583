"""Markdown tables, read and never written: cells between bars, a line of dashes below the header."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from stagg.errors import shown
from stagg.formats.format import Loaded, ReadOnly
from stagg.formats.numbers import parse_whole
from stagg.formats.patterns import pattern
from stagg.formats.reading import Reading
from stagg.formats.tables.cells import CellTable
from stagg.say import Say

__all__ = ["Markdown"]

RULE_MARKS: Final = frozenset(" \t|+:-\r")
LONGEST: Final = 5000  # characters of a cell or heading that has marks
BAR: Final = pattern(r"(?<!\\)\|")
HEADING: Final = pattern(r"#{1,6}[ \t]+(.*?)[ \t#]*|\*\*(.+)\*\*:?")
LINK: Final = pattern(r"!?\[([^\[\]]*)\]\([^()]*\)")
BOLD: Final = pattern(r"(\*\*|__|~~|`)(?=\S)(.+?)(?<=\S)\1")
ITALIC: Final = pattern(r"(?<![\w*\\])([*_])(?=[^\s*_])([^*_]+)(?<=\S)\1(?![\w*])")
RAISED: Final = pattern(r"<sup>([^<>]{1,4})</sup>")
TAG: Final = pattern(r"</?(?:b|i|u|em|strong|span|sub|sup|code|a|br|font)\b[^<>]*>")
ESCAPED: Final = pattern(r"\\([!-/:-@\[-`{-~])")


@dataclasses.dataclass
class _Table:
    """One table of a text: the heading above it, and its records with their lines."""

    heading: str
    records: list[tuple[int, list[str]]]


class Markdown(ReadOnly):
    """Markdown table (``| a | b |`` with a line of dashes below the header), in any layout; read only.

    Text around the table is left out. Bold type, links and code marks are no part of a cell.
    """

    name = "markdown"

    @classmethod
    def recognises(cls, first_bytes: bytes) -> bool:
        if b"|" not in first_bytes:
            return False
        lines = first_bytes.decode("latin-1").split("\n")
        return any("|" in line and not _is_rule(line) and _is_rule(rule) for line, rule in itertools.pairwise(lines))

    def read(self, reading: Reading) -> Loaded:
        cells = self.cells(reading)
        from stagg.formats.tables.stages import (
            read_table,  # here: other files are looked at, whether they are of this kind
        )

        return read_table(cells, reading)

    def cells(self, reading: Reading) -> CellTable:
        """All cells of the table, whatever they mean."""
        lines = list(_all_lines(reading))
        tables = list(_find_tables(lines))
        if not tables:
            raise reading.error("there is no table: expected cells between bars (|), and dashes below the header")
        table = _pick(tables, reading)
        if any(line.strip(" \t") and "|" not in line and not _is_rule(line) for _, line in lines):
            first, last = table.records[0][0], table.records[-1][0]
            reading.note(f"read the table in lines {first} to {last}; the text around it was left out", minor=True)
        names = table.records[0]
        if any(names[1]):
            return CellTable.of(table.records, "|", header=True)
        return CellTable.of(table.records[1:], "|", header=False)  # Markdown wants a header, people leave it empty


def _all_lines(reading: Reading) -> Iterator[tuple[int, str]]:
    """(number, line) of all lines, blank ones too: these end a table."""
    for first, text in reading.source.chunks():
        yield from enumerate((line.removesuffix("\r") for line in text.split("\n")), start=first)


def _find_tables(lines: Iterable[tuple[int, str]]) -> Iterator[_Table]:
    """The tables of a text: lines with bars in a row, with dashes below the first of them."""
    heading, block = "", []
    for number, line in (*lines, (0, "")):
        if "|" in line or (_is_rule(line) and "--" in line):
            block.append((number, line))
            continue
        rows = _without_rules(block)
        if len(rows) > 1:
            yield _Table(heading, [(at, _split(text)) for at, text in rows])
        block = []
        found = HEADING.fullmatch(line.strip(" \t")) if len(line) < LONGEST else None
        heading = _plain(found[1] or found[2] or "") if found else heading


def _without_rules(block: Sequence[tuple[int, str]]) -> list[tuple[int, str]]:
    """The rows of a table without its lines of dashes; none where there is no such line below the header."""
    header = 1 if block and _is_rule(block[0][1]) else 0  # some draw a line above the header, too
    if len(block) < header + 2 or not _is_rule(block[header + 1][1]):
        return []
    rows = [pair for pair in block[header + 2 :] if not (_is_rule(pair[1]) and "--" in pair[1])]
    return [block[header], *rows]


def _is_rule(line: str) -> bool:
    """Whether a line has dashes between bars, and nothing else."""
    return "-" in line and ("|" in line or "+" in line) and RULE_MARKS.issuperset(line)


def _split(line: str) -> list[str]:
    """The cells of a line."""
    text = line.strip(" \t")
    text = text.removeprefix("|")
    if text.endswith("|") and not text.endswith("\\|"):
        text = text[:-1]
    return [_plain(cell) for cell in BAR.split(text)]


def _plain(cell: str) -> str:
    r"""The text of a cell without bold type, links and other marks.

    >>> _plain(" **[Mistral](https://mistral.ai)** "), _plain("`a b`"), _plain("85.3*")
    ('Mistral', 'a b', '85.3*')
    """
    if len(cell) > LONGEST or cell.isalnum():
        return cell.strip(" \t")
    import html

    text = RAISED.sub(r"^\1", cell)
    text = html.unescape(TAG.sub("", text)).strip(" \t")
    for mark, kept in ((LINK, r"\1"), (BOLD, r"\2"), (ITALIC, r"\2"), (ESCAPED, r"\1")):
        text = mark.sub(kept, text)
    return text.strip(" \t")


def _pick(tables: Sequence[_Table], reading: Reading) -> _Table:
    """The table that is asked for by the heading above it or by its number, or the only one."""
    asked = reading.options.sheet
    names = [table.heading for table in tables]
    names = [name if name and names.count(name) == 1 else str(number) for number, name in enumerate(names, start=1)]
    if asked is None and len(tables) == 1:
        return tables[0]
    if asked is None:
        calls = [
            (Say(sheet=name), f"from line {table.records[0][0]}") for name, table in zip(names, tables, strict=True)
        ]
        raise reading.ask(f"there are {len(tables)} tables; which is to be read?", *calls)
    number = parse_whole(asked) or 0
    if asked in names or 1 <= number <= len(tables):
        return tables[names.index(asked) if asked in names else number - 1]
    raise reading.error(f"there is no table {shown(asked)}; the tables are {', '.join(map(shown, names))}")
