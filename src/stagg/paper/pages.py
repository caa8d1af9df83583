"""The report of a reproduction: every table and figure of the paper beside what its data say."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from stagg.evaluation.tables import as_markdown
from stagg.paper import Claim, Reproduction, Result
from stagg.paper.layouts import grids
from stagg.paper.svg_figures import figures_of
from stagg.report.charts import grid_table
from stagg.report.markup import Html, escaped, joined
from stagg.report.shell import Section, page

__all__ = ["reproduction_markdown", "reproduction_report"]

TITLE = "Stochastic Rank Aggregation, reproduced"
WHY = "Why they differ"
HEADS = Html('<div class="claim heads"><p>The paper says</p><p>Here</p></div>')


def reproduction_report(found: Reproduction, facts: Mapping[str, str]) -> str:
    """A page of HTML; ``facts`` say how it was made."""
    notes = [f"{name}: {value}" for name, value in facts.items()]
    head = [(name, facts[name]) for name in ("Data", "Queries", "Seed", "Wall time") if name in facts]
    sections = [_in_short(found), *[_section(part.result) for part in found.parts]]
    return page(TITLE, sections, facts=head, notes=notes)


def reproduction_markdown(found: Reproduction, facts: Mapping[str, str]) -> str:
    """The same without the charts, as Markdown."""
    short = [f"- {title}. {claim.paper} **{claim.verdict}.**" for title, claim in _judged(found)]
    blocks = [f"# {TITLE}", *_warnings(found), "## In short", "\n".join(short)]
    for part in found.parts:
        blocks.append(f"## {part.result.title}")
        blocks += [
            "\n".join([f"**The paper:** {c.paper} **Here:** {c.verdict}".strip() + "\n", *[f"- {h}" for h in c.here]])
            for c in part.result.claims
        ]
        if part.result.why:
            blocks.append("\n".join([f"**{WHY}**\n", *[f"- {reason}" for reason in part.result.why]]))
        for caption, grid in grids(part.result):
            blocks += [f"### {caption}", as_markdown(grid)]
        blocks += [*_notes(part.result), f"The numbers: {_files(part.result)}."]
    blocks += ["## How this was made", "\n".join(f"- {name}: {_code(value)}" for name, value in facts.items())]
    return "\n\n".join(blocks) + "\n"


def _judged(found: Reproduction) -> list[tuple[str, Claim]]:
    """Every claim that can be judged, with the table or figure that it is about."""
    parts = [(part.result.title.partition(":")[0], part.result.claims) for part in found.parts]
    return [(title, claim) for title, claims in parts for claim in claims if claim.verdict]


def _warnings(found: Reproduction) -> list[str]:
    """What a reader must know before anything else."""
    every = found.setup.every
    return [] if every == 1 else [f"Every {every}th query only: a look, not comparable with the paper."]


def _files(result: Result) -> str:
    return ", ".join(f"{stem}.csv" for stem in result.tables)


def _code(value: str) -> str:
    """Foreign text in Markdown: nothing in it is markup, and it stays on its line."""
    text = "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in value)
    fence = "`" * (1 + max(map(len, re.findall("`+", text)), default=0))
    return f"{fence} {text} {fence}" if len(fence) > 1 else f"`{text}`"


def _notes(result: Result) -> list[str]:
    return list(dict.fromkeys(note for table in result.tables.values() for note in table.notes))


def _in_short(found: Reproduction) -> Section:
    """What came of every claim."""
    rows = [_claim(f"{title}. {claim.paper}", claim) for title, claim in _judged(found)]
    said = [*_warnings(found), "What the paper says, and whether it comes out so on its own data. Reasons stand below."]
    return Section("In short", _card([HEADS, *rows], "claims brief"), " ".join(said))


def _section(result: Result) -> Section:
    tables = [_table(caption, grid_table(grid), grid.notes) for caption, grid in grids(result)]
    charts = Html(f'<div class="figures">{joined([*figures_of(result), *tables])}</div>')
    body = [_claims(result), charts, _below([*_notes(result), f"The numbers: {_files(result)}."])]
    return Section(result.title, joined(body))


def _claims(result: Result) -> Html:
    """What the paper says, beside it what comes out here; and at the end why."""
    rows = [HEADS, *[_claim(claim.paper, claim, _list(claim.here)) for claim in result.claims]]
    if result.why:
        rows.append(Html(f'<div class="claim"><p><b>{WHY}</b></p>{_list(result.why)}</div>'))
    return _card(rows, "claims")


def _card(rows: Sequence[Html], kind: str) -> Html:
    return Html(f'<figure class="{kind}">{joined(rows)}</figure>')


def _claim(paper: str, claim: Claim, here: str = "") -> Html:
    kind = "partly" if any(claim.holds) and not all(claim.holds) else "yes" if all(claim.holds) else "no"
    judged = f'<p class="verdict {kind}">{escaped(claim.verdict)}</p>' if claim.verdict else ""
    return Html(f'<div class="claim"><p>{escaped(paper)}</p><div>{judged}{here}</div></div>')


def _list(lines: Sequence[str]) -> str:
    return f"<ul>{''.join(f'<li>{escaped(line)}</li>' for line in lines)}</ul>" if lines else ""


def _table(caption: str, table: Html, notes: Sequence[str]) -> Html:
    inside = f"<details><summary>{escaped(caption)}</summary>\n{table}{_below(notes)}</details>"
    return Html(f'<figure class="wide">{inside}</figure>')


def _below(notes: Sequence[str]) -> Html:
    return Html("".join(f'<p class="intro">{escaped(note)}</p>' for note in notes))
