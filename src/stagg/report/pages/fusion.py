"""Report of a fusion: the consensus of each query, how sure it is, and where it comes from.

The charts of a query are drawn by the page's script from one block of JSON, when the query is chosen. Drawn here
instead, 200 queries of 20 items would take 4 MB of SVG, and every item would stand in it six times; as numbers they
take 0.6 to 1.7 MB. What is there once for all queries is drawn here (:mod:`stagg.report.charts.svg`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from stagg.aggregate import DEFAULT_METHOD
from stagg.data.inputs.types import RankingsLike
from stagg.evaluation.tables import Cell, Grid
from stagg.formats.documents.texts import UNTITLED, TextsLike, Titles, check_texts
from stagg.methods import Method
from stagg.methods.stochastic.trust import Trust
from stagg.report.charts.svg import grid_table, matrix
from stagg.report.digest import FusedQuery, Fusion, fused_queries
from stagg.report.markup import Html, clean, joined, titles_data
from stagg.report.pages.explorer import SCRIPTS, STYLES, controls_section, draw_figure, first_figure
from stagg.report.pages.explorer_data import explorer_data
from stagg.report.shell import Section, figure, page

__all__ = ["fusion_page", "fusion_report", "fusion_sections", "list_shown"]

UNITS = 9999  # of the largest contribution: four digits in few letters


def fusion_report(
    rankings: RankingsLike,
    method: str | Method = DEFAULT_METHOD,
    *,
    title: str = "Consensus of rankings",
    texts: TextsLike | None = None,
    query_texts: TextsLike | None = None,
    **options: Any,
) -> str:
    """A page of HTML on the fusion of ``rankings`` by ``method``; the options are those of ``fused_queries``.

    ``texts`` are titles of items, by id, and ``query_texts`` texts of queries, as :func:`stagg.read_texts` reads them.

    >>> "<h1>Consensus of rankings</h1>" in fusion_report([["a", "b"], ["b", "c"]])
    True
    """
    titles = Titles(check_texts("texts", texts), check_texts("query_texts", query_texts))
    return fusion_page(fused_queries(rankings, method, **options), title=title, titles=titles)


def fusion_page(fusion: Fusion, *, title: str = "Consensus of rankings", titles: Titles = UNTITLED) -> str:
    """The page of a fusion that was made before."""
    settings = [(name.capitalize(), value) for name, value in fusion.settings]
    facts = [("Method", fusion.method), ("Input", fusion.summary), *settings]
    data = {"fusion": fusion_data(fusion)} | titles_data(titles, *list_shown(fusion))
    if fusion.explored is None:
        return page(title, fusion_sections(fusion), lead=fusion.finding, facts=facts, notes=fusion.notes, data=data)
    data |= {"explorer": explorer_data(fusion.explored)}
    notes = [*fusion.notes, f"Once a control is moved: {fusion.explored.notes[-1]}"]
    sections = [controls_section(opened=False), *fusion_sections(fusion)]
    return page(
        title, sections, lead=fusion.finding, facts=facts, notes=notes, data=data, scripts=SCRIPTS, styles=STYLES
    )


def list_shown(fusion: Fusion) -> tuple[list[str], list[str]]:
    """(items, queries) of the page, those that its controls can bring up among them; the first items come first."""
    first = [item for each in fusion.queries for item in each.items]
    behind = [] if fusion.explored is None else list(map(str, fusion.explored.rankings.items))
    return list(dict.fromkeys([*first, *behind])), [each.query for each in fusion.queries]


def fusion_sections(fusion: Fusion) -> list[Section]:
    """The charts of the chosen query, and how far the rankers agree."""
    return [Section("The consensus", _query_figures(fusion)), *_trust(fusion.trust), *_agreement(fusion)]


def fusion_data(fusion: Fusion) -> dict[str, Any]:
    """Data that the script draws from: short names, few digits, no number twice."""
    sure = next((each.intervals for each in fusion.queries if each.intervals is not None), None)
    places = {name: number for number, name in enumerate(fusion.rankers)}
    return {
        "rankers": [clean(name) for name in fusion.rankers],
        "level": None if sure is None else sure.level,
        "top": None if sure is None else sure.k,
        "strengths": fusion.strengths,
        "queries": [_query_data(each, places) for each in fusion.queries],
    }


def _query_data(query: FusedQuery, places: dict[str, int]) -> dict[str, Any]:
    data: dict[str, Any] = {
        "id": clean(query.query),
        "size": query.size,
        "items": [clean(item) for item in query.items],
        "scores": _short(query.scores, 5),
        "lists": [places[name] for name in query.rankers],
        "lengths": query.lengths.tolist(),
        "ranks": [_short(row, 6) for row in np.nan_to_num(query.ranks)],  # 0 is none
    }
    if query.apart == query.apart:
        data["apart"] = query.apart
    if query.best is not None:
        data["best"] = query.best
    if query.wins is not None:
        data["wins"] = [_short(row, 9) for row in query.wins]
    if query.confidence is not None:
        data["confidence"] = _short(query.confidence, 3)
    if query.intervals is not None:
        data |= {name: getattr(query.intervals, name).tolist() for name in ("low", "high", "group")}
        data["often"] = _short(query.intervals.top, 3)
    if query.parts is not None and query.rest is not None:
        unit = max(np.abs(query.parts).max(initial=0.0), np.abs(query.rest).max(initial=0.0)) / UNITS or 1.0
        data |= {"unit": float(f"{unit:.6g}"), "parts": _whole(query.parts / unit), "rest": _whole(query.rest / unit)}
    if query.chances is not None:
        data["chances"] = _whole(query.chances * 1000)
    return data


def _short(values: np.ndarray, digits: int) -> list[float | int]:
    """Numbers of so many digits, whole ones without a point."""
    numbers = [float(f"{value:.{digits}g}") for value in values.tolist()]
    return [int(number) if number == int(number) else number for number in numbers]


def _whole(values: np.ndarray) -> Any:
    return np.rint(values).astype(int).tolist()


def _query_figures(fusion: Fusion) -> Html:
    if not fusion.queries:
        return Html("<p>There are no queries.</p>")
    return joined(
        [
            Html('<div id="picker" class="picker"></div>'),
            Html("<noscript><p>The charts are drawn by a script inside this file: allow it to run.</p></noscript>"),
            Html('<div id="query" class="figures" data-kin>'),
            *_per_query(fusion),
            Html("</div>"),
        ]
    )


CONTESTED = "How likely each item has each rank, averaged over the rankers by weight."
DRAWN = "In how many of the draws of the rankers each item has each rank: how far the consensus hangs on their choice."


def _per_query(fusion: Fusion) -> list[Html]:
    some, live = fusion.queries, fusion.explored is not None  # with controls every chart may be needed
    first = [
        draw_figure("consensus", "Ranks", "The consensus, best first." + _interval_words(fusion)),
        *_list_figures(fusion),
    ]
    if fusion.of_pairs and not live:
        return first
    return [
        *first,
        draw_figure("chances", "Rank distribution", DRAWN if any(each.drawn for each in some) else CONTESTED)
        if live or any(each.chances is not None for each in some)
        else _absent("Rank distribution", "This method has no rank distribution; stagg_bc, stagg_rrf and stagg have."),
        draw_figure("parts", "Contributions", "What each ranker gave to the score of each item.")
        if live or any(each.parts is not None for each in some)
        else _absent(
            "Contributions", "The score of this method is not a sum over the rankers, so there are no contributions."
        ),
        *([first_figure()] if live else []),
    ]


BUMP = "The rank that each ranker gave the items of the consensus. Point at one to follow it."
STRENGTHS = "The strength of each item, on the scale of the model: only differences mean something."
SCORES = "The score of each item. For strengths of a model, fuse with --method bradley_terry."
WINS = "How often the row was above the column. Blue: more often than not; orange: less often."


def _list_figures(fusion: Fusion) -> list[Html]:
    """What the lists say: ranks, or, where each compares two items, strengths and wins."""
    if not fusion.of_pairs:
        return [draw_figure("bump", "From the rankers to the consensus", BUMP)]
    title, caption = ("Strengths", STRENGTHS) if fusion.strengths else ("Scores", SCORES)
    return [draw_figure("strengths", title, caption), draw_figure("wins", "Wins", WINS)]


def _interval_words(fusion: Fusion) -> str:
    if all(each.intervals is None for each in fusion.queries):
        return ""
    return " The bar is the interval of the rank; a dashed line parts groups that the draws of the rankers tell apart."


def _absent(title: str, reason: str) -> Html:
    return figure(title, Html(""), caption=reason)


TRUST_WORDS = (
    "Trust in each ranker, learned from agreement, without labels. Reliability: its estimated correlation with what is"
    " true. Share: its part of the vote that it has together with its relatives, which agree with it beyond what"
    " quality explains. Influence: both together, relative to the most influential ranker. Spread confirmed: how far"
    " the others agree more in those queries in which its scores spread more. Where that is above 0, its confidence in"
    " a query raises or lowers its vote there; the chart of ranks shows it."
)


def _consensus_words(trust: Trust) -> str:
    return (
        f" Consensus reliability λ = {trust.consensus:.2f}: all rankers together correlate with what is true by about"
        f" {trust.consensus**0.5:.2f}. The surer the consensus, the more the first ranks count: an item gets"
        f" 1 / ({trust.c:.3g} + rank)."
    )


def _trust(trust: Trust | None) -> list[Section]:
    """Beliefs about each ranker, the most influential first."""
    if trust is None:
        return []
    order = sorted(trust.rankers.items(), key=lambda pair: (pair[1].copy_of is not None, -pair[1].influence, pair[0]))
    cells = []
    for name, each in order:
        numbers = [f"{value:.3f}" for value in (each.reliability, each.share, each.influence)]
        numbers.append(f"{each.confirmation:.2f}" if each.spreads else "no scores")
        near = ", ".join(f"{other} ({by:.2f})" for other, by in each.relatives)
        if each.copy_of is not None:
            numbers, near = [numbers[0], "", "", ""], f"the same lists as {each.copy_of}, counted once"
        cells.append([Cell(text) for text in (name, *numbers, near)])
    header = ["ranker", "reliability", "share", "influence", "spread confirmed", "relatives"]
    table = grid_table(Grid(header, cells, [False, True, True, True, True, False]))
    body = figure("Trust", table, caption=TRUST_WORDS + _consensus_words(trust))
    return [Section("Whom it trusts", body)]


def _agreement(fusion: Fusion) -> list[Section]:
    if len(fusion.rankers) < 2 or fusion.of_pairs:
        return []
    charts = [
        figure(
            "Order",
            matrix(fusion.rankers, fusion.agreement, label="Kendall's tau"),
            caption="Kendall's tau over the pairs of items that two rankers both order: 1 the same order, -1 reversed.",
        ),
        figure(
            "Overlap",
            matrix(fusion.rankers, fusion.overlap, label="Overlap"),
            caption="The share of the items of two lists that both hold, averaged over the queries.",
        ),
    ]
    body = Html(f'<div class="figures">{joined(charts)}</div>')
    return [Section("How far the rankers agree", body, "On the first 50 of every list, over the queries shown.")]
