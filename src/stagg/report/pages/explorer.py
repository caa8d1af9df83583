"""Explorer: a page with sliders for the weights; the ranking changes with them.

The page fuses by itself (fusion.js, which has the arithmetic, and explorer.js, which has the controls); its charts are
those of the report of a fusion. Python gives it the lists (:mod:`stagg.report.pages.explorer_data`).
"""

from __future__ import annotations

import dataclasses
import html
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from stagg.aggregate import DEFAULT_METHOD
from stagg.aggregate.fusion import rankings_of_request
from stagg.aggregate.leaving_out import LeavingOut, leave_each_out
from stagg.data.inputs.types import RankingsLike
from stagg.data.labels import Labels, labels_of
from stagg.data.rankings import Rankings, Weights
from stagg.errors import DataError, InvalidParameter, plural, shown
from stagg.evaluation.inspection import inspect
from stagg.evaluation.tables import Cell, Grid
from stagg.formats.documents.texts import UNTITLED, TextsLike, Titles, check_texts
from stagg.judging.without_labels import tell_without_labels
from stagg.kernels.id_order import order_by_id
from stagg.learning.base import Model
from stagg.learning.single.taught_weights import TaughtWeights
from stagg.learning.single.trust_learner import TrustModel
from stagg.learning.single.weighted_method import WeightedMethod
from stagg.measures import MeasuresLike, ask_measures
from stagg.measures.unjudged import tell_uneven
from stagg.methods import Method, method_of
from stagg.methods.stochastic.trust import StaggTrust
from stagg.report.charts.svg import grid_table
from stagg.report.findings import tell_left_out
from stagg.report.markup import Html, joined, titles_data
from stagg.report.pages.explorer_data import (
    LARGEST,
    OF_ONE_QUERY,
    Draws,
    Explored,
    PageSource,
    count_draws,
    explorer_data,
    fit_input,
    learn_trust,
)
from stagg.report.pages.explorer_settings import describe_measure
from stagg.report.shell import Section, figure, page, write_page

__all__ = [
    "SCRIPTS",
    "STYLES",
    "Explorer",
    "controls_section",
    "draw_figure",
    "explore",
    "explored_of",
    "explorer_page",
    "first_figure",
    "list_by_rank",
]

SCRIPTS = ("fusion.js", "explorer.js")
MEASURE = "ndcg@10"
MOST_QUERIES, MOST_COMPARED, DEPTH = 200, 30, 50  # of what the first sentence looks at
STYLES = ("explorer.css",)


@dataclasses.dataclass(frozen=True)
class Explorer:
    """The page of the explorer: a notebook shows it in a frame, :meth:`save` writes it as a file."""

    html: str = dataclasses.field(repr=False)

    def save(self, path: str | Path) -> None:
        """Write the page, whole or not at all; open the file in any browser."""
        write_page(path, self.html)

    def _repr_html_(self) -> str:
        return (
            f'<iframe srcdoc="{html.escape(self.html)}" title="stagg explorer" '
            'style="width: 100%; height: 900px; border: 0"></iframe>'
        )


def explore(
    rankings: RankingsLike,
    method: str | Method = DEFAULT_METHOD,
    *,
    labels: Labels | Mapping[str, Mapping[str, float]] | None = None,
    measures: MeasuresLike = MEASURE,
    model: Model | None = None,
    weights: Weights | None = None,
    texts: TextsLike | None = None,
    query_texts: TextsLike | None = None,
    title: str = "Fusion explorer",
) -> Explorer:
    """A page with a slider for every ranker: move the weights and see the fused ranking change.

    In a notebook the result shows itself. Elsewhere call ``save("explorer.html")`` and open the file in a browser; it
    needs no network. ``method`` and ``weights`` are where the page starts.

    - ``labels``: ``{query: {item: grade}}``. The page then shows the mean of a measure for every setting.
    - ``measures``: the measures to choose from, such as "ndcg@10, p@5": ndcg, p, recall, success, mrr and map.
    - ``model``: a model of the learner ``weights``, whose weights become a preset, or of the learner ``trust``, which
      is used in place of the trust that these rankings teach.
    - ``texts``: titles of items, by id, ``query_texts``: texts of queries; :func:`stagg.read_texts` reads them.

    >>> page = explore({"bm25": ["a", "b"], "dense": ["b", "c"]})
    >>> page.html.startswith("<!doctype html>")
    True
    """
    if not isinstance(title, str):
        raise InvalidParameter(f"title is a text, not {shown(title)}")
    titles = Titles(check_texts("texts", texts), check_texts("query_texts", query_texts))
    grades = None if labels is None else labels_of(labels)
    given = explored_of(rankings, method, labels=grades, measures=measures, model=model, weights=weights)
    return Explorer(explorer_page(given, title=title, titles=titles))


def explored_of(
    rankings: RankingsLike,
    method: str | Method = DEFAULT_METHOD,
    *,
    labels: Labels | None = None,
    measures: MeasuresLike = MEASURE,
    model: Model | None = None,
    weights: Weights | None = None,
    depth: int | None = None,
    source: PageSource | None = None,
    limit: int = LARGEST,
) -> Explored:
    """The input of a page: as much of it as fits, with the trust that all of it teaches."""
    whole = rankings_of_request(rankings)
    whole = whole if weights is None else whole.with_weights(weights)
    chosen: Method = method_of(method)
    trust = learn_trust(whole.replace(weights=np.ones(len(whole.rankers))))
    learned = None
    if isinstance(model, TaughtWeights):
        model = model.simplified() or model
    if isinstance(model, TrustModel):
        trust, chosen = model, method_of(model.method)
    elif isinstance(model, WeightedMethod):
        learned = model
        model.refuse_unknown(whole)
    elif model is not None:
        what = getattr(model, "learner", None) or shown(model)
        raise InvalidParameter(f"the explorer takes models of the learners weights, trust and few_labels, not {what}")
    if trust is not None and trust.trust.of_items:
        if isinstance(chosen, StaggTrust):
            raise InvalidParameter(f"the explorer cannot move stagg_trust here: {OF_ONE_QUERY}; choose another method")
        trust = None
    if isinstance(chosen, StaggTrust) and trust is None:
        chosen = method_of(DEFAULT_METHOD)  # as fuse does where there is nothing to learn
    asked = [describe_measure(each.name, each.measure) for each in ask_measures(measures)]
    if labels is not None and not any(query in labels for query in whole.queries):
        raise DataError("no query of the rankings has a label; are the query ids of the labels the same?")
    uneven = None if labels is None else tell_uneven(whole, labels)
    kept, cut = fit_input(whole, limit)
    first = depth if depth is None or cut is None else min(depth, cut)
    return Explored(
        rankings=kept, method=chosen, weights=whole.weights, depth=cut, first_depth=first, labels=labels,
        measures=asked, model=learned, trust=trust, left_out=len(whole) - len(kept),
        draws=Draws(count_draws(kept, limit)), source=source or PageSource(),
        warnings=() if uneven is None else (f"{uneven}: the measures on this page favour rankers that were judged",),
    )  # fmt: skip


def explorer_page(explored: Explored, *, title: str = "Fusion explorer", titles: Titles = UNTITLED) -> str:
    """The page as text."""
    left = leave_each_out(explored.rankings)
    sections = [controls_section(), *_sections(explored), *_left_out(explored, left)]
    facts = [("Input", explored.rankings.summary())]
    rankings = explored.rankings
    data = {"explorer": explorer_data(explored)} | titles_data(titles, list_by_rank(rankings), rankings.queries)
    return page(
        title, sections, lead=_lead(explored, left), facts=facts, notes=explored.notes, warnings=explored.warnings,
        data=data, scripts=SCRIPTS, styles=STYLES,
    )  # fmt: skip


def _lead(explored: Explored, left: LeavingOut | None) -> str:
    """Which rankers disagree, and on whom the first item hangs."""
    rankings = explored.rankings
    if len(rankings.rankers) > MOST_COMPARED:
        return ""
    some = rankings.take_queries(order_by_id(rankings.queries)[:MOST_QUERIES])
    return tell_left_out(rankings.rankers, inspect(some.cut(DEPTH)).agreement, left)


def list_by_rank(rankings: Rankings) -> list[str]:
    """All items, each once, those that some list has at its top first."""
    order = rankings.entries[np.argsort(rankings.positions, kind="stable")]
    return list(dict.fromkeys(map(str, np.asarray(rankings.items, dtype=object)[order])))


def controls_section(*, opened: bool = True) -> Section:
    """The place of the controls; the script fills it. A report has them folded: its ranking comes first."""
    said = "Settings: method, weights, depth"
    state = " open" if opened else ""
    fold = f'<details id="settings"{state}><summary>{said}</summary><div id="controls"></div></details>'
    return Section("Settings", Html(fold))


def _sections(explored: Explored) -> list[Section]:
    return [
        Section("The fused list", _query_figures()),
        Section("Across the queries", _query_table(labelled=explored.labels is not None)),
        Section("The rankers", _map()),
    ]


def _left_out(explored: Explored, left: LeavingOut | None) -> list[Section]:
    """What each ranker changes in the fusion; without labels, that nobody can tell more."""
    if left is None:
        return []
    unknown = "" if explored.labels is not None else tell_without_labels(explored.rankings).replace("`", "")
    made = f"Fused by {left.method} with and without each ranker, all weights 1"
    intro = f"{made}, {plural(left.queries, 'query', 'queries')}."
    header = ["Without", "Other first item", "Of the first 10 leave", "Relatives"]
    cells = [
        [Cell(row.ranker), Cell(_share(row.first)), Cell(_share(row.moved)), Cell(", ".join(row.relatives))]
        for row in left.rankers
    ]
    table = grid_table(Grid(header, cells, [False, True, True, False]))
    return [Section("Does fusion help?", table, " ".join(filter(None, [intro, *left.sentences, unknown])))]


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.0%}"


def draw_figure(name: str, title: str, caption: str) -> Html:
    """A figure that the script fills: its chart, and its numbers."""
    return figure(title, Html('<div class="chart"></div>'), caption=caption, name=name, table=Html("<div></div>"))


def _query_figures() -> Html:
    return joined(
        [
            Html('<div id="picker" class="picker"></div>'),
            Html("<noscript><p>The page is drawn by a script inside this file: allow it to run.</p></noscript>"),
            Html('<div id="query" class="figures" data-kin>'),
            draw_figure("consensus", "Ranks", CONSENSUS),
            draw_figure("parts", "Contributions", "What each ranker gives to the score of each item."),
            draw_figure("bump", "From the rankers to the fused list", BUMP),
            draw_figure("chances", "Rank distribution", CHANCES),
            first_figure(),
            Html("</div>"),
        ]
    )


CONSENSUS = "The fused list, best first. Arrows: places gained or lost against the reference that you pinned."
BUMP = "The rank that each ranker gave the items of the fused list. Point at one to follow it."
CHANCES = "In how many of the draws of the rankers each item has each rank."
FIRST = "Choose an item: the smallest change of the weights that puts it first in this query."
QUERIES = "How far the first ten items of each query have moved from the reference: 0 not at all, 1 all replaced."
MAP = (
    "Rankers that agree stand close together: rank-biased overlap of their first ten items. The ring is the fused list."
)


def first_figure() -> Html:
    """Where the script answers "what would put this item first?"."""
    return figure("What would put this item first?", Html('<div class="chart"></div>'), caption=FIRST, name="first")


def _query_table(*, labelled: bool) -> Html:
    score = figure("Score", Html('<div class="chart"></div>'), caption=SCORE, name="score")
    table = figure("Queries", Html('<div class="chart"></div>'), caption=QUERIES, name="queries")
    return joined([score, table] if labelled else [table])


SCORE = (
    "The mean over all queries with labels, its difference to the pinned reference query by query, and the 95 %"
    " interval of that difference (1,000 draws of the queries)."
)


def _map() -> Html:
    return draw_figure("map", "Map", MAP)
