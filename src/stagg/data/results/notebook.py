"""HTML tables for notebooks: ids are hostile text, so everything is escaped here, in one place."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

from stagg.data.ids import own_ids
from stagg.data.results.beside import BESIDE
from stagg.data.results.hits import Hit, hits_of
from stagg.errors import printable

if TYPE_CHECKING:
    from stagg.data.rankings import Rankings

__all__ = ["cell_number", "html_page", "html_table", "html_text", "rankings_html"]

ROWS: Final = 20  # of one query
QUERIES: Final = 3
RANKERS: Final = 12
LONGEST: Final = 80


def html_text(value: object) -> str:
    """Any text as markup: control characters visible, long text cut, every sign of markup escaped.

    >>> html_text("<b>\\x1b")
    '&lt;b&gt;\\\\x1b'
    """
    return html.escape(printable(str(value), longest=LONGEST))


def cell_number(value: Any) -> str:
    """A number as people read it; nothing where there is none."""
    if value is None:
        return ""
    return f"{value:,}" if isinstance(value, int) else f"{value:.6g}"


def html_table(header: Sequence[str], rows: Iterable[Sequence[Any]], *, caption: str = "") -> str:
    """A table: text to the left, numbers and what is missing to the right."""
    title = f'<caption style="text-align: left">{html_text(caption)}</caption>' if caption else ""
    rows = list(rows)
    sides = ["right" if rows and all(_is_number(row[k]) for row in rows) else "left" for k in range(len(header))]
    head = "".join(
        f'<th style="text-align: {side}">{html_text(name)}</th>' for side, name in zip(sides, header, strict=True)
    )
    body = "\n".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows)
    return f"<table>{title}\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>"


def html_page(parts: Iterable[str], notes: Iterable[str] = ()) -> str:
    """Tables one after another, and what must be read with them."""
    below = [f"<p>{html_text(note)}</p>" for note in notes]
    return "\n".join(["<div>", *parts, *below, "</div>"])


def _cell(value: Any) -> str:
    number = _is_number(value)
    text = cell_number(value) if number else f"<bdi>{html_text(value)}</bdi>"
    return f'<td style="text-align: {"right" if number else "left"}">{text}</td>'


def _is_number(value: Any) -> bool:
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool))


# --- rankings ---------------------------------------------------------------------------------------------------------


def rankings_html(rankings: Rankings) -> str:
    """The first items of the first queries: a consensus with scores and intervals, several rankers side by side."""
    parts = [_query_table(rankings, number) for number in range(min(len(rankings), QUERIES))]
    notes = [rankings.summary()]
    if len(rankings) > QUERIES:
        notes.append(f"The first {QUERIES} of {len(rankings):,} queries are shown.")
    if rankings.absent:
        notes.append(f"Absent: {', '.join(rankings.absent)}")
    return html_page(parts, notes)


def _query_table(rankings: Rankings, number: int) -> str:
    query = rankings.queries[number]
    caption = f"query {own_ids(rankings.queries)[number]}"
    if len(rankings.rankers) == 1:
        return _consensus_table(hits_of(rankings, query, rankings.rankers[0]), caption)
    shown = rankings.rankers[:RANKERS]
    given = rankings[query].lists
    lists = [_list_cells(given.get(name, [])) for name in shown]
    longest = max(map(len, lists), default=0)
    rows = [[place + 1, *(_at(each, place) for each in lists)] for place in range(min(longest, ROWS))]
    return html_table(["rank", *shown], rows, caption=caption + _more(longest) + _more_rankers(rankings))


def _list_cells(groups: Sequence[Sequence[str]]) -> list[str]:
    """The items of a list, best first; those that tie with the one above begin with an equals sign.

    >>> _list_cells([["a"], ["b", "c"]])
    ['a', 'b', '= c']
    """
    return [item if not place else f"= {item}" for group in groups for place, item in enumerate(group)]


def _consensus_table(hits: list[Hit], caption: str) -> str:
    beside = [name for name in BESIDE if hits and getattr(hits[0], name) is not None]
    header = ["rank", "item", "score", *beside]
    rankers = list(dict.fromkeys(name for hit in hits[:ROWS] for name in hit.ranks or ()))[:RANKERS]
    rows = [_row(hit, header, rankers) for hit in hits[:ROWS]]
    return html_table([*header, *(f"rank in {name}" for name in rankers)], rows, caption=caption + _more(len(hits)))


def _row(hit: Hit, header: Sequence[str], rankers: Sequence[str]) -> list[Any]:
    ranks = hit.ranks or {}
    fields = [str(hit.item) if name == "item" else getattr(hit, name) for name in header]
    return [*fields, *(ranks.get(name) for name in rankers)]


def _at(items: Sequence[Any], place: int) -> str:
    return str(items[place]) if place < len(items) else ""


def _more(count: int) -> str:
    return f", the first {ROWS} of {count:,}" if count > ROWS else ""


def _more_rankers(rankings: Rankings) -> str:
    count = len(rankings.rankers)
    return f", the first {RANKERS} of {count:,} rankers" if count > RANKERS else ""
