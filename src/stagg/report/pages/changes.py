"""Report of a diff: how far each query changed, and which items moved into the first places and out of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from stagg.evaluation.overlap import DiffResult, Move, QueryDiff
from stagg.report.charts.svg import Bar, bars
from stagg.report.markup import Html, escaped, isolate, joined, quoted
from stagg.report.shell import Section, figure, page

__all__ = ["diff_report"]

MOST = 200  # queries in the table; the page stays small
STEPS = 10  # bars of the distribution


def diff_report(found: DiffResult, *, title: str | None = None) -> str:
    """A page of HTML on what ``diff`` found."""
    changed = [each for each in found.queries if not each.same]
    facts = [(name.capitalize(), str(value)) for name, value in found.settings.items()]
    facts += [("Queries", f"{len(found.queries):,}"), ("Changed", f"{len(changed):,}")]
    sections = [Section("How far the queries changed", _draw_overlaps(found))]
    if changed:
        intro = f"The {MOST} that changed most." if len(changed) > MOST else ""
        sections.append(Section("The queries that changed", _list_queries(changed[:MOST], found.top), intro))
    return page(title or "What changed", sections, lead=found.summary, facts=facts, notes=found.notes)


def _draw_overlaps(found: DiffResult) -> Html:
    """How many queries have which overlap, as shares."""
    overlaps = np.array([each.overlap for each in found.queries])
    same = np.array([each.same for each in found.queries])
    counts, edges = np.histogram(overlaps[~same], bins=STEPS, range=(0.0, 1.0))
    rows = [("the same order", int(same.sum()))]
    rows += [(f"{low:.1f} to {high:.1f}", int(n)) for low, high, n in zip(edges, edges[1:], counts, strict=False)][::-1]
    drawn = [
        Bar(name, count / len(same), 0.0, 0.0, f"{name}: {count:,} of {len(same):,} queries") for name, count in rows
    ]
    chart = bars(drawn, label="Share of queries by overlap", shares=True)
    return figure("Rank-biased overlap", chart, caption="Share of the queries by the overlap of their two lists.")


def _list_queries(queries: Sequence[QueryDiff], top: int) -> Html:
    names = ("query", "overlap", f"into the first {top}", f"out of the first {top}")
    head = "".join(f'<th scope="col">{escaped(name)}</th>' for name in names)
    lines = [
        f'<tr><td>{_name(each)}</td><td class="number">{each.overlap:.3f}</td>'
        f"<td>{_list_moves(each.moved_in)}</td><td>{_list_moves(each.moved_out)}</td></tr>"
        for each in queries
    ]
    body = joined(map(Html, lines))
    box = '<div class="scroll card" tabindex="0" role="region" aria-label="Queries that changed">'
    return Html(f"{box}<table><thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table></div>")


def _name(each: QueryDiff) -> Html:
    text = f'<br><span class="title">{isolate(each.text)}</span>' if each.text else ""
    return Html(f"{isolate(each.query)}{text}")


def _list_moves(moves: Sequence[Move]) -> Html:
    return Html(
        "<br>".join(f"{isolate(quoted(move.item))} {escaped(_tell_ranks(move))}{_title(move)}" for move in moves)
    )


def _title(move: Move) -> Html:
    return Html(f' <span class="title">{isolate(move.title)}</span>' if move.title else "")


def _tell_ranks(move: Move) -> str:
    old, new = ("not listed" if rank is None else f"rank {rank}" for rank in (move.old_rank, move.new_rank))
    return f"({old} → {new})"
