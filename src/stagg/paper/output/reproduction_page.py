"""Page of a reproduction: HTML, the same as Markdown, and a summary for the terminal."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterator, Mapping, Sequence

from stagg.errors import printable
from stagg.evaluation.tables import Grid, as_markdown
from stagg.paper.experiments.base import Claim, Result
from stagg.paper.output.embedding import embed
from stagg.paper.output.figures import Drawing, draw_figures
from stagg.paper.output.printed_tables import lay_out_table
from stagg.paper.reproduction import Reproduction
from stagg.report.charts.plots import WIDTH
from stagg.report.charts.svg import grid_table
from stagg.report.markup import Html, escaped, joined
from stagg.report.shell import Section, page

__all__ = ["make_markdown", "make_page", "summarise_reproduction"]

TITLE = "Stochastic Rank Aggregation, reproduced"
WHY = "Why they differ"
HEADS = Html('<div class="claim heads"><p>The paper says</p><p>Here</p></div>')


def make_page(reproduction: Reproduction, facts: Mapping[str, str]) -> str:
    """Make a page of HTML that holds everything it shows; ``facts`` say how it was made."""
    notes = [f"{name}: {value}" for name, value in facts.items()]
    head = [(name, facts[name]) for name in ("Data", "Queries", "Seed", "Wall time") if name in facts]
    sections = [_make_overview(reproduction), *[_make_section(part.result) for part in reproduction.parts]]
    return page(TITLE, sections, facts=head, notes=notes)


def make_markdown(reproduction: Reproduction, facts: Mapping[str, str]) -> str:
    """Make the same as Markdown, without the figures."""
    short = [f"- {title}. {claim.paper} **{claim.verdict}.**" for title, claim in _list_judged(reproduction)]
    blocks = [f"# {TITLE}", *_list_warnings(reproduction), "## In short", "\n".join(short)]
    for result in (part.result for part in reproduction.parts):
        blocks.append(f"## {result.title}")
        blocks += [
            "\n".join([f"**The paper:** {c.paper} **Here:** {c.verdict}".strip() + "\n", *[f"- {h}" for h in c.here]])
            for c in result.claims
        ]
        blocks.append("\n".join([f"**{WHY}**\n", *[f"- {reason}" for reason in result.why]]))
        for caption, grid in lay_out_table(result):
            blocks += [f"### {caption}", as_markdown(grid)]
        blocks += _list_notes(result)
    blocks += ["## How this was made", "\n".join(f"- {name}: {_quote(value)}" for name, value in facts.items())]
    return "\n\n".join(blocks) + "\n"


def summarise_reproduction(result: Result) -> Iterator[str | Grid]:
    """Yield what a terminal shows of an experiment: lines of text, and its short tables."""
    yield f"{result.title}\n"
    for claim in result.claims:
        yield f"The paper: {claim.paper} {claim.verdict}{'.' * bool(claim.verdict)}"
        yield from (f"  here: {line}" for line in claim.here)
    yield from (f"Why: {reason}" for reason in result.why)
    for caption, grid in lay_out_table(result, short=True):
        yield f"\n{caption}"
        yield grid
    yield from _list_notes(result)
    yield ""


def _list_judged(reproduction: Reproduction) -> list[tuple[str, Claim]]:
    """List every claim that can be judged, with the table or figure that it is about."""
    parts = [(part.result.title.partition(":")[0], part.result.claims) for part in reproduction.parts]
    return [(title, claim) for title, claims in parts for claim in claims if claim.verdict]


def _list_warnings(reproduction: Reproduction) -> list[str]:
    """List what a reader must know before anything else."""
    every = reproduction.setup.every
    return [] if every == 1 else [f"Every {every}th query only: a first look, not comparable with the paper."]


def _list_notes(result: Result) -> list[str]:
    notes = dict.fromkeys(note for table in result.tables.values() for note in table.notes)
    return [*notes, f"The numbers: {', '.join(f'{stem}.csv' for stem in result.tables)}."]


def _quote(value: str) -> str:
    """Quote foreign text in Markdown: nothing in it is markup, and it stays on its line."""
    text = printable(value)
    fence = "`" * (1 + max(map(len, re.findall("`+", text)), default=0))
    return f"{fence} {text} {fence}" if len(fence) > 1 else f"`{text}`"


def _make_overview(reproduction: Reproduction) -> Section:
    """Make a list of all claims with their verdicts."""
    rows = [_show_claim(f"{title}. {claim.paper}", claim) for title, claim in _list_judged(reproduction)]
    said = [
        *_list_warnings(reproduction),
        "What the paper says, and whether its own data say so. The reasons stand below.",
    ]
    return Section("In short", _make_card([HEADS, *rows], "claims brief"), " ".join(said))


def _make_section(result: Result) -> Section:
    tables = [_show_table(caption, grid, unfolded=" nearest" in caption) for caption, grid in lay_out_table(result)]
    figures = _show_figures(result)
    blocks = [*tables, *figures] if result.name == "table1" else [*figures, *tables]
    body = [
        _show_claims(result),
        Html(f'<div class="figures">{joined(blocks)}</div>'),
        _show_notes(_list_notes(result)),
    ]
    return Section(result.title, joined(body))


def _show_figures(result: Result) -> list[Html]:
    """Embed the figures; where matplotlib is missing there is only Table 1, which can do without."""
    return list(map(_show_figure, draw_figures(result))) if importlib.util.find_spec("matplotlib") else []


def _show_figure(drawing: Drawing) -> Html:
    wide = ' class="wide"' if drawing.figure.get_figwidth() > WIDTH else ""
    caption = f"<h3>{escaped(drawing.title)}</h3><p>{escaped(drawing.caption)}</p>"
    return Html(f"<figure{wide}><figcaption>{caption}</figcaption>{embed(drawing)}</figure>")


def _show_claims(result: Result) -> Html:
    """Show what the paper says, beside it what comes out here; and at the end why."""
    rows = [HEADS, *[_show_claim(claim.paper, claim, _show_list(claim.here)) for claim in result.claims]]
    why = Html(f'<div class="claim"><p><b>{WHY}</b></p>{_show_list(result.why)}</div>')
    return _make_card([*rows, why], "claims")


def _make_card(rows: Sequence[Html], kind: str) -> Html:
    return Html(f'<figure class="{kind}">{joined(rows)}</figure>')


def _show_claim(paper: str, claim: Claim, here: str = "") -> Html:
    kind = "partly" if any(claim.holds) and not all(claim.holds) else "yes" if all(claim.holds) else "no"
    verdict = f'<p class="verdict {kind}">{escaped(claim.verdict)}</p>' if claim.verdict else ""
    return Html(f'<div class="claim"><p>{escaped(paper)}</p><div>{verdict}{here}</div></div>')


def _show_list(lines: Sequence[str]) -> str:
    return f"<ul>{''.join(f'<li>{escaped(line)}</li>' for line in lines)}</ul>" if lines else ""


def _show_table(caption: str, grid: Grid, *, unfolded: bool) -> Html:
    head = f"<details{' open' * unfolded}><summary>{escaped(caption)}</summary>"
    return Html(f'<figure class="wide">{head}\n{grid_table(grid)}{_show_notes(grid.notes)}</details></figure>')


def _show_notes(notes: Sequence[str]) -> Html:
    return Html("".join(f'<p class="intro">{escaped(note)}</p>' for note in notes))
