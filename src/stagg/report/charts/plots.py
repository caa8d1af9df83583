"""Static plots of the reports' figures, for papers and notebooks: matplotlib, SVG, PNG and PDF.

Every function returns a matplotlib Figure; with ``path`` it is also written, in the format of the path's ending. With
``width`` it is made for a page: "one" or "two" columns, or inches. The same input gives the same bytes: no date, no
random ids, no settings of the user's matplotlibrc.
"""

from __future__ import annotations

import contextlib
import functools
import io
import re
import sys
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, ParamSpec

import numpy as np

from stagg.errors import DataError, InvalidParameter, StaggError, UnknownName, need, shown
from stagg.evaluation.compare import Comparison
from stagg.evaluation.significance import TIE
from stagg.evaluation.tables import Table
from stagg.formats.storage.atomic import replacing
from stagg.kernels.arrays import FloatArray
from stagg.registry import near_names
from stagg.report.digest import FusedQuery, Fusion
from stagg.report.markup import clean, shorten, shorten_apart

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = [
    "BLUE",
    "GREY",
    "NARROW",
    "Width",
    "add_legend",
    "agreement",
    "apply_style",
    "bump",
    "comparison_plots",
    "consensus",
    "contributions",
    "fusion_plots",
    "inches",
    "label_rows",
    "label_size",
    "means",
    "rank_heat_map",
    "render",
    "robustness",
    "safe_label",
    "safe_labels",
    "save",
    "win_loss",
    "write_plots",
]

P = ParamSpec("P")

Width = Literal["one", "two"] | float | None
"""How wide a figure is: one or two columns of a page, or inches; None for a screen."""

PALETTE = ("#0072b2", "#e08a00", "#009e73", "#c2559b", "#56a9dd", "#c44e00", "#7a6a00")
GREY, BLUE, ORANGE = "#9aa5b1", "#0062a8", "#c85000"
STYLE_SIZE = 9  # points
STYLE = {
    "axes.prop_cycle": f"cycler('color', {list(PALETTE)!r})",
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlesize": "medium",
    "figure.constrained_layout.use": True,
    "font.size": STYLE_SIZE,
    "pdf.fonttype": 42,  # TrueType: publishers refuse Type 3
    "legend.frameon": False,
    "savefig.dpi": 200,
    "svg.hashsalt": "stagg",  # or the ids inside would be random
}
LONGEST_LABEL, LONGEST_NAME = 36, 20  # characters of an item, of a ranker
SIDE_BY_SIDE = 36  # characters of names that fit below a plot
WIDTH, ROW = 6.0, 0.22  # inches
WIDTHS = {"one": 3.33, "two": 7.0}  # inches: the columns of ACM's and, nearly, IEEE's pages
NARROW = 4.5  # inches below which less stands side by side
ON_PAPER = {"font.size": 7.5, "axes.linewidth": 0.6}  # a figure of this width is not scaled, so its text is as small
DATELESS: dict[str, dict[str, Any]] = {
    "svg": {"Date": None},
    "png": {"Software": None},
    "pdf": {"CreationDate": None, "ModDate": None},
}
FAR = 60  # ranks that no linear axis shows well
PLOTTED_QUERIES = 10


@contextlib.contextmanager
def _style(more: Mapping[str, Any] = MappingProxyType({})) -> Iterator[None]:
    """Our own settings on matplotlib's defaults, and some more, whatever the user's are."""
    need("matplotlib", "plots", extra="plots")
    from matplotlib import style

    with style.context(["default", STYLE | dict(more)]), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph", category=UserWarning)  # a letter that no font here has
        try:
            with _raise_unraisable():
                yield
        except (RuntimeError, _Unread) as error:  # RuntimeError: what FreeType makes of a font that cannot be read
            raise StaggError(f"matplotlib cannot draw the plot: {error}; can its fonts be read?") from error


class _Unread(Exception):
    """A part of a font could not be read, and matplotlib went on without it."""


@contextlib.contextmanager
def _raise_unraisable() -> Iterator[None]:
    """Raise at the end what failed inside FreeType: matplotlib only prints it, and draws without the letter."""
    before, thread, failures = sys.unraisablehook, threading.get_ident(), list[str]()

    def collect(ignored: sys.UnraisableHookArgs) -> None:
        if issubclass(ignored.exc_type, (OSError, MemoryError)) and threading.get_ident() == thread:
            failures.append(str(ignored.exc_value) or ignored.exc_type.__name__)
        else:
            before(ignored)

    sys.unraisablehook = collect
    try:
        yield
    finally:
        sys.unraisablehook = before
    if failures:
        raise _Unread(failures[0])


def apply_style(draw: Callable[P, Figure]) -> Callable[P, Figure]:
    """A plotting function in our style, which writes its figure where its ``path`` says."""

    @functools.wraps(draw)
    def draw_styled(*args: P.args, **kwargs: P.kwargs) -> Figure:
        path: Any = kwargs.get("path")
        with _style({} if kwargs.get("width") is None else ON_PAPER):
            figure = draw(*args, **kwargs)
        if path is not None:
            save(figure, path)
        return figure

    return draw_styled


def save(figure: Figure, path: str | Path) -> None:
    """Write a figure, atomically, in the format of the path's ending: .svg, .png, .pdf."""
    kind = Path(path).suffix.lower().removeprefix(".")
    if kind not in DATELESS:
        raise InvalidParameter(f"{shown(str(path))}: plots are written as .svg, .png or .pdf")
    drawn = render(figure, kind)
    with replacing(path) as stream:
        stream.write(drawn)


def render(figure: Figure, kind: str, **settings: Any) -> bytes:
    """Return a figure as the content of an "svg", "png" or "pdf" file; ``settings`` are matplotlib's, "." as "_"."""
    drawn = io.BytesIO()
    with _style({name.replace("_", "."): value for name, value in settings.items()}):
        figure.savefig(drawn, format=kind, metadata=DATELESS[kind])
    return drawn.getvalue()


# --- one fused query --------------------------------------------------------------------------------------------------


@apply_style
def consensus(query: FusedQuery, *, path: str | Path | None = None, width: Width = None) -> Figure:
    """The items of the consensus at their ranks, with the intervals of the ranks."""
    figure, axes = _axes(len(query.items), 1.0, width)
    places = np.arange(len(query.items))
    if query.intervals is not None:
        axes.hlines(places, query.intervals.low, query.intervals.high, color=BLUE, alpha=0.4, linewidth=5)
    axes.plot(places + 1, places, "o", color=BLUE, markersize=5)
    _item_axis(axes, query, width)
    _rank_axis(axes)
    if query.intervals is not None:
        _add_title(axes, width, f"{safe_label(query.query, width)}: ranks, {100 * query.intervals.level:g} % intervals")
        if int(query.intervals.high.max(initial=1)) > FAR:
            axes.set_xscale("log")
    axes.grid(axis="x", alpha=0.3)
    return figure


@apply_style
def rank_heat_map(query: FusedQuery, *, path: str | Path | None = None, width: Width = None) -> Figure:
    """P(rank) of every item, by contests or by draws of the rankers. What lies beyond the ranks shown is left out."""
    if query.chances is None:
        raise InvalidParameter("there is no rank distribution; stagg_bc, stagg_rrf, stagg and all sums over lists have")
    ranks = min(query.size, query.chances.shape[1] - 1)
    figure, axes = _axes(len(query.items), 1.0, width)
    image = axes.imshow(
        query.chances[:, :ranks],
        aspect="auto",
        cmap="Blues",
        vmin=0,
        extent=(0.5, ranks + 0.5, len(query.items) - 0.5, -0.5),
    )
    _item_axis(axes, query, width)
    _rank_axis(axes)
    _add_title(axes, width, f"{safe_label(query.query, width)}: rank distribution")
    figure.colorbar(image, ax=axes, label="share of the draws" if query.drawn else "probability")
    return figure


@apply_style
def bump(query: FusedQuery, *, path: str | Path | None = None, width: Width = None) -> Figure:
    """The rank of every item in every list, and in the consensus at the right; below the line what is not listed."""
    count = len(query.items)
    names = [*_texts(query.rankers, LONGEST_NAME), "consensus"]
    upright = sum(map(len, names)) > SIDE_BY_SIDE * inches(width) / WIDTH
    figure, axes = _axes(count + 2, 1.2 + upright * 0.09 * max(map(len, names)), width)
    columns = np.arange(len(query.rankers) + 1)
    for i in reversed(range(count)):  # the first items lie on top
        ranks = np.append(query.ranks[:, i], i + 1.0)
        inside = np.where(ranks <= count, ranks, np.nan)
        colour = PALETTE[i] if i < len(PALETTE) else GREY
        axes.plot(columns, inside, "-o", color=colour, markersize=4, linewidth=1.4)
        outside = np.flatnonzero(np.isnan(inside))
        axes.plot(columns[outside], np.full(len(outside), count + 1.5), "o", color=GREY, markersize=3, mfc="white")
    axes.axhline(count + 0.75, color=GREY, linewidth=0.6)
    axes.set_ylim(count + 2, 0.5)
    axes.set_yticks([*range(1, count + 1), count + 1.5], [*map(str, range(1, count + 1)), "later or\nunlisted"])
    axes.set_xticks(columns, names, rotation=90 if upright else 0)
    right = axes.secondary_yaxis("right")
    right.set_yticks(np.arange(count) + 1.0, safe_labels(query.items, width))
    right.spines["right"].set_visible(False)
    right.tick_params(length=0)
    _add_title(axes, width, f"{safe_label(query.query, width)}: from the rankers to the consensus")
    return figure


@apply_style
def contributions(query: FusedQuery, *, path: str | Path | None = None, width: Width = None) -> Figure:
    """Each ranker's contribution to the score of every item, stacked; those that gave little share one colour."""
    if query.parts is None or query.rest is None:
        raise InvalidParameter("the score of this method is not a sum over the rankers, so there are no contributions")
    figure, axes = _axes(len(query.items), 1.3, width)
    places = np.arange(len(query.items))
    ends = np.zeros((2, len(query.items)))  # of what is below 0, and above
    for name, values, colour in _parts(query, query.parts, query.rest):
        start = np.where(values < 0, ends[0], ends[1])
        axes.barh(places, values, left=start, height=0.75, color=colour, edgecolor="white", linewidth=0.5, label=name)
        ends += [np.minimum(values, 0), np.maximum(values, 0)]
    _item_axis(axes, query, width)
    axes.set_xlabel("score")
    _add_title(axes, width, f"{safe_label(query.query, width)}: contributions")
    add_legend(figure, axes)
    return figure


def _parts(query: FusedQuery, parts: FloatArray, rest: FloatArray) -> list[tuple[str, FloatArray, str]]:
    """(ranker, what it gave to each item, colour)."""
    most = np.sort(np.argsort(-np.abs(parts).sum(axis=1), kind="stable")[: len(PALETTE)])
    found = [(_text(query.rankers[k]), parts[k], colour) for k, colour in zip(most, PALETTE, strict=False)]
    others = rest + np.delete(parts, most, axis=0).sum(axis=0)
    return [*found, ("the other rankers", others, GREY)] if others.any() else found


# --- rankers, methods -------------------------------------------------------------------------------------------------


@apply_style
def agreement(fusion: Fusion, *, path: str | Path | None = None, width: Width = None) -> Figure:
    """Kendall's tau between every two rankers, over the pairs of items that both order."""
    from matplotlib.figure import Figure

    count = len(fusion.rankers)
    names = _texts(fusion.rankers, LONGEST_NAME)
    room = 0.09 * max(map(len, names), default=0)  # for the names, beside and below
    wide, high = 2.2 + 0.4 * count + room, 1.4 + 0.4 * count + room
    scale = 1.0 if width is None else min(1.0, inches(width) / wide)
    figure = Figure(figsize=(wide * scale, high * scale))
    axes = figure.subplots()
    values = np.where(np.eye(count, dtype=bool), np.nan, fusion.agreement)
    image = axes.imshow(values, cmap="RdBu", vmin=-1, vmax=1)
    axes.set_xticks(range(count), names, rotation=90)
    axes.set_yticks(range(count), names)
    for (a, b), value in np.ndenumerate(values):
        if count <= 12 and not np.isnan(value):
            colour = "white" if abs(value) > 0.6 else "black"
            axes.text(b, a, f"{value:.2f}", ha="center", va="center", fontsize=8 * scale, color=colour)
    _add_title(axes, width, "agreement of the rankers")
    figure.colorbar(image, ax=axes, label="Kendall's tau")
    return figure


@apply_style
def means(
    found: Comparison, measure: str | None = None, *, path: str | Path | None = None, width: Width = None
) -> Figure:
    """The mean of a measure (the first if not named) for every method, with its 95 % interval and marks."""
    k = _measure_number(found, measure)
    rows = [found.table.rows[m * len(found.measures) + k] for m in range(len(found.methods))]
    figure, axes = _axes(len(rows), 0.9, width)
    values = np.array([row["mean"] for row in rows])
    spread = np.array([[row["mean"] - row["low"], row["high"] - row["mean"]] for row in rows]).T
    places = np.arange(len(rows))
    axes.barh(places, values, height=0.65, xerr=np.maximum(spread, 0.0), color=BLUE, alpha=0.6, capsize=2.5)
    axes.axvline(values[found.methods.index(found.baseline)], color=GREY, linestyle="--", linewidth=0.8)
    grid = found.table.grid()
    for m, row in enumerate(rows):
        axes.annotate(
            f"{row['mean']:.4f}{grid.cells[m][grid.column(found.measures[k])].mark}",
            (row["high"], m),
            (4, 0),
            textcoords="offset points",
            va="center",
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.8},  # or the baseline would cross the digits
        )
    axes.margins(x=0.15 * max(1.0, NARROW / inches(width)))  # for the numbers beside the bars
    label_rows(axes, safe_labels(found.methods, width))
    _add_title(axes, width, f"{found.measures[k]}: means, 95 % intervals")
    if width is not None:
        axes.set_xlabel(found.measures[k])
    return figure


@apply_style
def win_loss(
    found: Comparison, measure: str | None = None, *, path: str | Path | None = None, width: Width = None
) -> Figure:
    """The difference of every method to the baseline, query by query, sorted, for one measure."""
    from matplotlib.figure import Figure

    k = _measure_number(found, measure)
    base = found.methods.index(found.baseline)
    others = [m for m in range(len(found.methods)) if m != base]
    if not others:
        raise InvalidParameter("there is only the baseline: no method to compare with it")
    across = min(3 if inches(width) > NARROW else 2, len(others))
    down = -(-len(others) // across)
    size = (2.4 * across, 1.7 * down) if width is None else (inches(width), 1.3 * down)
    figure = Figure(figsize=size)
    grid = figure.subplots(down, across, sharey=True, squeeze=False)
    laid = found.table.grid()
    for place, axes in enumerate(grid.flat):
        if place >= len(others):
            axes.set_axis_off()
            continue
        differences = np.sort(found.values[others[place], k] - found.values[base, k])[::-1]
        settled = np.where(np.abs(differences) < TIE, 0.0, differences)
        axes.stairs(np.maximum(settled, 0), fill=True, color=BLUE)
        axes.stairs(np.minimum(settled, 0), fill=True, color=ORANGE)
        axes.axhline(0, color=GREY, linewidth=0.6)
        axes.set_xticks([])
        won, lost = int((settled > 0).sum()), int((settled < 0).sum())
        name = (
            safe_label(found.methods[others[place]], width)
            + laid.cells[others[place]][laid.column(found.measures[k])].mark
        )
        axes.set_title(f"{name}\n{won} won, {lost} lost", fontsize=8 if width is None else 7)
    what = f"{found.measures[k]}, difference to {safe_label(found.baseline, width)}"
    if width is None:
        figure.suptitle(what, fontsize=10)
    else:  # on a page the caption is the title; this is the name of the axis
        figure.supxlabel(f"{what}, by query", fontsize=7.5)
    return figure


@apply_style
def robustness(
    table: Table, measure: str | None = None, *, path: str | Path | None = None, width: Width = None
) -> Figure:
    """The mean of a measure over random subsets of the rankers, one standard deviation of the draws up and down."""
    from matplotlib.figure import Figure

    measures = list(dict.fromkeys(row["measure"] for row in table.rows))
    chosen = _known(measure, measures)
    rows = [row for row in table.rows if row["measure"] == chosen]
    figure = Figure(figsize=(inches(width), 3.4 if width is None else 2.4))
    axes = figure.subplots()
    methods = list(dict.fromkeys(row["method"] for row in rows))
    for number, method in enumerate(methods):
        mine = [row for row in rows if row["method"] == method]
        x = np.array([row["rankers"] for row in mine], dtype=float)
        shift = (number - (len(methods) - 1) / 2) * 0.01 * (np.ptp(x) or 1.0)
        dashes = "-" if number < len(PALETTE) else "--"
        y, sd = [row["mean"] for row in mine], [row["sd"] for row in mine]
        axes.errorbar(
            x + shift, y, sd, fmt=f"o{dashes}", label=safe_label(method, width), capsize=2, markersize=4, linewidth=1.2
        )
    axes.set_xticks(sorted({row["rankers"] for row in rows}))
    axes.set_xlabel("rankers")
    axes.set_ylabel(chosen)
    add_legend(figure, axes)
    return figure


def _measure_number(found: Comparison, measure: str | None) -> int:
    return found.measures.index(_known(measure, found.measures))


def _known(measure: str | None, measures: Sequence[str]) -> str:
    if measure is not None and measure not in measures:
        raise UnknownName(f"there is no measure {shown(measure)} here{near_names(measure, measures)}")
    return measures[0] if measure is None else measure


# --- files ------------------------------------------------------------------------------------------------------------


def fusion_plots(
    fusion: Fusion, queries: int = PLOTTED_QUERIES, *, width: Width = None
) -> Iterator[tuple[str, Figure]]:
    """(name, figure) of all plots of a fusion: the agreement of the rankers, and those of the first queries."""
    if len(fusion.rankers) > 1:
        yield "agreement", agreement(fusion, width=width)
    for number, query in enumerate(fusion.queries[:queries], start=1):
        name = f"{number:03}-{_file_name(query.query)}"
        if not query.items:
            continue
        yield f"{name}-consensus", consensus(query, width=width)
        yield f"{name}-bump", bump(query, width=width)
        if query.chances is not None:
            yield f"{name}-ranks", rank_heat_map(query, width=width)
        if query.parts is not None:
            yield f"{name}-contributions", contributions(query, width=width)


def comparison_plots(found: Comparison | Table, *, width: Width = None) -> Iterator[tuple[str, Figure]]:
    """(name, figure) of all plots of a comparison, or of the table of ``robustness``: some of every measure."""
    if isinstance(found, Table):
        for measure in dict.fromkeys(row["measure"] for row in found.rows):
            yield f"robustness-{_file_name(measure)}", robustness(found, measure, width=width)
        return
    for measure in found.measures:
        yield f"means-{_file_name(measure)}", means(found, measure, width=width)
        if len(found.methods) > 1:
            yield f"wins-{_file_name(measure)}", win_loss(found, measure, width=width)


def write_plots(figures: Iterable[tuple[str, Figure]], folder: str | Path) -> int:
    """Every figure as SVG, PNG and PDF in a folder, which is made; how many files were written."""
    target = Path(folder)
    try:
        target.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DataError(f"cannot be made: {error.strerror}", file=str(target)) from None
    count = 0
    for name, figure in figures:
        for ending in (".svg", ".png", ".pdf"):
            save(figure, target / (name + ending))
            count += 1
    return count


def _file_name(text: str) -> str:
    """An id as part of a file's name: letters, digits and a few signs, whatever it holds."""
    return re.sub(r"[^A-Za-z0-9._=-]+", "_", text)[:40].strip("._") or "query"


# --- parts of figures -------------------------------------------------------------------------------------------------


def _axes(rows: int, above: float, width: Width) -> tuple[Figure, Axes]:
    from matplotlib.figure import Figure

    scale = 1.0 if width is None else ON_PAPER["font.size"] / STYLE_SIZE
    figure = Figure(figsize=(inches(width), scale * (above + ROW * max(rows, 3))))
    return figure, figure.subplots()


def inches(width: Width) -> float:
    if width is None:
        return WIDTH
    known = WIDTHS.get(width) if isinstance(width, str) else float(width)
    if known is None or not 1 <= known <= 100:
        raise InvalidParameter(f"width is {shown(width)}; it must be 'one' or 'two' columns, or inches from 1 to 100")
    return known


def _item_axis(axes: Axes, query: FusedQuery, width: Width) -> None:
    names = safe_labels(query.items, width)
    label_rows(axes, [f"{item}  {place}" for place, item in enumerate(names, start=1)])


def _rank_axis(axes: Axes) -> None:
    from matplotlib.ticker import MaxNLocator

    axes.set_xlabel("rank")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))


def _add_title(axes: Axes, width: Width, text: str) -> None:
    """A title on a screen; on a page the caption says it."""
    if width is None:
        axes.set_title(text)


def label_rows(axes: Axes, names: Sequence[str]) -> None:
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.5, -0.5)


def add_legend(figure: Figure, axes: Axes) -> None:
    handles, labels = axes.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=3)


def safe_label(name: str, width: Width) -> str:
    """A label that leaves room for what it labels."""
    return _text(name, label_size(width))


def safe_labels(names: Sequence[str], width: Width) -> list[str]:
    """Labels of one axis, cut where most of them still differ."""
    return _texts(names, label_size(width))


def label_size(width: Width) -> int:
    """The letters of a label that have room."""
    return round(LONGEST_LABEL * min(1.0, inches(width) / WIDTH))


def _texts(names: Sequence[str], longest: int) -> list[str]:
    return [_text(name) for name in shorten_apart(list(map(clean, names)), longest)]


def _text(name: str, longest: int = LONGEST_LABEL) -> str:
    r"""A label that matplotlib takes as it is: a lone \$ would begin a formula."""
    text = shorten(clean(name), longest)
    return text.replace("$", r"\$")
