"""Static plots: every figure as SVG and PNG, the same bytes twice, any id as text."""

from __future__ import annotations

import contextlib
import dataclasses
import io
import sys
import warnings
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from stagg.data import Rankings
from stagg.data.intervals import Intervals
from stagg.data.simulation import simulate
from stagg.errors import DataError, InvalidParameter, MissingExtra, StaggError, UnknownName
from stagg.evaluation import Comparison, Table, compare, robustness
from stagg.evaluation.compare import comparison
from stagg.leaderboards.board import Board
from stagg.leaderboards.strengths import Strengths
from stagg.report import FusedQuery, Fusion, fused_queries
from stagg.report.charts import plots as plots_module
from stagg.report.charts.board_plots import board_plots, plot_beats, plot_groups, plot_ranks
from tests.checks import some
from tests.report.hostile import hostile_rankings

pytest.importorskip("matplotlib", reason='matplotlib is not installed: pip install "stagg[plots]"')

MADE = simulate(queries=6, items=9, rankers=4, depth=6, seed=1)
METHODS = ["borda", "rrf(c=60)", "stagg_rrf"]


@pytest.fixture(scope="module")
def fusion() -> Fusion:
    return fused_queries(MADE.rankings, "stagg_rrf")


@pytest.fixture(scope="module")
def found() -> Comparison:
    return compare(MADE.rankings, MADE.labels, METHODS, measures="ndcg@5,err")


@pytest.fixture(scope="module")
def drawn() -> Table:
    return robustness(MADE.rankings, MADE.labels, METHODS, rankers=[2, 3], draws=2, measures="err")


def test_all_figures_are_written_and_the_same_bytes_come_twice(
    tmp_path: Path, fusion: Fusion, found: Comparison, drawn: Table
) -> None:
    for folder in ("a", "b"):
        count = plots_module.write_plots(plots_module.fusion_plots(fusion, 1), tmp_path / folder)
        count += plots_module.write_plots(plots_module.comparison_plots(found), tmp_path / folder)
        count += plots_module.write_plots(plots_module.comparison_plots(drawn), tmp_path / folder)
    names = sorted(path.name for path in (tmp_path / "a").iterdir())
    assert len(names) == count == 3 * (5 + 4 + 1)
    assert {"agreement.svg", "001-q001-bump.png", "means-ndcg_5.svg", "wins-err.png", "robustness-err.svg"} <= set(
        names
    )
    for name in names:
        content = (tmp_path / "a" / name).read_bytes()
        assert content == (tmp_path / "b" / name).read_bytes()
        assert content.startswith({"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}[name[-3:]])
        if name.endswith("svg"):
            ElementTree.fromstring(content)
            assert b"<dc:date>" not in content


def test_a_plot_shows_the_numbers_of_the_fusion(fusion: Fusion) -> None:
    query = fusion.queries[0]
    assert query.parts is not None
    assert query.chances is not None
    heat = plots_module.rank_heat_map(query).axes[0].images[0].get_array()
    np.testing.assert_array_equal(np.asarray(heat), query.chances[:, : query.size])
    widths = [
        [bar.get_width() for bar in container] for container in plots_module.contributions(query).axes[0].containers
    ]
    np.testing.assert_allclose(widths, query.parts, rtol=1e-12)
    labels = [label.get_text() for label in plots_module.consensus(query).axes[0].get_yticklabels()]
    assert labels == [f"{item}  {place}" for place, item in enumerate(query.items, start=1)]


@pytest.mark.parametrize("known", [3, None])
def test_every_cell_of_the_rank_distribution_lies_at_its_rank_beside_its_item(
    known: int | None, fusion: Fusion
) -> None:
    from matplotlib.backend_bases import MouseEvent

    query = fusion.queries[0]
    assert query.chances is not None
    if known:  # the last column is everything beyond the ranks that are known
        query = dataclasses.replace(query, chances=query.chances[:, : known + 1])
    figure = plots_module.rank_heat_map(query)
    axes, ranks = figure.axes[0], known or query.size
    assert [text.get_position()[1] for text in axes.get_yticklabels()] == [*range(len(query.items))]
    for (item, column), chance in np.ndenumerate(query.chances[:, :ranks]):
        for x, y in ((-0.45, -0.45), (0.45, 0.45)):  # two corners of the cell
            at = axes.transData.transform((column + 1 + x, item + y))
            event = MouseEvent("motion_notify_event", figure.canvas, *at)
            assert axes.images[0].get_cursor_data(event) == chance
    assert axes.get_xlim() == (0.5, ranks + 0.5)


def test_the_lines_of_the_bump_chart_pass_through_the_ranks_and_the_first_is_on_top(fusion: Fusion) -> None:
    query = fusion.queries[0]
    count = len(query.items)
    assert (query.ranks > count).any() or np.isnan(query.ranks).any()  # something is not listed
    figure = plots_module.bump(query)
    axes = figure.axes[0]
    *pairs, divider = axes.lines
    for number, (line, marks) in enumerate(zip(pairs[::2], pairs[1::2], strict=True)):
        item = count - 1 - number
        ranks = np.append(query.ranks[:, item], item + 1.0)
        outside = np.flatnonzero(~(ranks <= count))
        np.testing.assert_array_equal(line.get_ydata(), np.where(ranks <= count, ranks, np.nan))
        np.testing.assert_array_equal(marks.get_xdata(), outside)
        assert set(marks.get_ydata()) <= {axes.get_yticks()[-1]}
    assert [text.get_text() for text in axes.get_yticklabels()] == [
        *map(str, range(1, count + 1)),
        "later or\nunlisted",
    ]
    assert [text.get_text() for text in axes.get_xticklabels()] == [*query.rankers, "consensus"]
    assert axes.get_xticks().tolist() == [*range(len(query.rankers) + 1)]
    right = axes.child_axes[0]
    assert [text.get_text() for text in right.get_yticklabels()] == list(query.items)
    assert right.get_yticks().tolist() == axes.get_yticks()[:-1].tolist() == [*range(1, count + 1)]
    bottom, top = axes.get_ylim()
    below = [top, *axes.get_yticks()[:-1], divider.get_ydata()[0], axes.get_yticks()[-1], bottom]
    assert below == sorted(set(below))  # from top to bottom: the ranks, the line, what is not listed
    assert max(np.diff(below)) <= 1  # and no room is left


def test_nothing_is_drawn_outside_its_axes(fusion: Fusion, found: Comparison, drawn: Table) -> None:
    figures = dict(plots_module.fusion_plots(fusion, 2))
    figures |= dict(plots_module.comparison_plots(found))
    figures |= dict(plots_module.comparison_plots(drawn))
    for name, figure in some(figures.items()):
        for axes in some(figure.axes):
            ends = [end for end in (axes.dataLim.min, axes.dataLim.max) if np.isfinite(end).all()]
            assert [end for end in ends if not axes.viewLim.contains(*end)] == [], name


def test_a_plot_shows_the_numbers_of_the_comparison(found: Comparison, drawn: Table) -> None:
    bars = plots_module.means(found, "err").axes[0].patches
    means = [row["mean"] for row in found.table.rows if row["measure"] == "err"]
    assert [bar.get_width() for bar in bars] == means
    lines = plots_module.robustness(drawn).axes[0].containers
    for method, line in zip(METHODS, lines, strict=True):
        rows = [row for row in drawn.rows if row["method"].startswith(method.split("(")[0])]
        assert line[0].get_ydata().tolist() == [row["mean"] for row in rows]


def test_the_line_of_the_baseline_does_not_cross_the_numbers(found: Comparison) -> None:
    for label in some(plots_module.means(found, "err").axes[0].texts):
        assert label.get_bbox_patch().get_facecolor() == (1.0, 1.0, 1.0, 1.0)


def test_figures_for_a_page_have_no_title(found: Comparison) -> None:
    for width in ("one", 7.0):
        figure = plots_module.win_loss(found, width=width)
        assert not figure.get_suptitle()
        assert f"difference to {found.baseline}" in figure.get_supxlabel()
        assert not plots_module.means(found, width=width).axes[0].get_title(loc="left")
    assert plots_module.win_loss(found).get_suptitle()


def test_figures_mark_what_was_trained_on_the_tested_queries(found: Comparison) -> None:
    seen = found.methods[-1]
    spoiled = dataclasses.replace(found, table=dataclasses.replace(found.table, same_queries=(seen,)))
    assert plots_module.means(spoiled).axes[0].texts[-1].get_text().endswith("†")
    assert "†" in plots_module.win_loss(spoiled).axes[len(found.methods) - 2].get_title(loc="left")


def test_hostile_ids_are_drawn_as_text_under_harmless_names(tmp_path: Path) -> None:
    shown = fused_queries(hostile_rankings(), "stagg_rrf")
    count = plots_module.write_plots(plots_module.fusion_plots(shown, 1), tmp_path / "plots")
    assert len(list((tmp_path / "plots").iterdir())) == count == 3 * (1 + 4)
    assert [path.name for path in tmp_path.iterdir()] == ["plots"]


@pytest.mark.parametrize(("width", "inches"), [("one", 3.33), ("two", 7.0), (4.8, 4.8)])
def test_figures_for_a_page_have_its_width_and_small_type(
    width: Any, inches: float, fusion: Fusion, found: Comparison, drawn: Table
) -> None:
    figures = dict(plots_module.fusion_plots(fusion, 1, width=width))
    figures |= dict(plots_module.comparison_plots(found, width=width))
    figures |= dict(plots_module.comparison_plots(drawn, width=width))
    for name, figure in some(figures.items()):
        narrower = name == "agreement" and figure.get_figwidth() < inches  # a matrix is as large as it needs
        assert narrower or figure.get_figwidth() == pytest.approx(inches)
        assert all(label.get_fontsize() <= 7.5 for label in figure.axes[0].get_yticklabels()), name
    pdf = plots_module.render(figures["means-err"], "pdf")
    assert b"/Type3" not in pdf  # publishers refuse such fonts


def test_long_ids_leave_room_in_one_column(tmp_path: Path) -> None:
    long = fused_queries(Rankings.from_lists([["x" * 60, "y" * 60], ["y" * 60, "z" * 60]], query="q" * 60), "stagg_rrf")
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # matplotlib warns where the axes have no room
        plots_module.write_plots(plots_module.fusion_plots(long, 1, width="one"), tmp_path)


def test_a_width_that_is_none_is_refused(found: Comparison) -> None:
    for width in ("three", 0.1):
        with pytest.raises(InvalidParameter, match="'one' or 'two' columns, or inches"):
            plots_module.means(found, width=width)  # type: ignore[arg-type]


def test_the_path_picks_the_format(tmp_path: Path, fusion: Fusion) -> None:
    target = tmp_path / "ranks.pdf"
    plots_module.consensus(fusion.queries[0], path=target)
    assert target.read_bytes().startswith(b"%PDF")
    with pytest.raises(InvalidParameter, match=r"\.svg, \.png or \.pdf"):
        plots_module.consensus(fusion.queries[0], path=tmp_path / "ranks.docx")
    with pytest.raises(UnknownName, match="no measure"):
        plots_module.robustness(robustness(MADE.rankings, MADE.labels, METHODS, rankers=[2], draws=1), "ndgc@5")


def test_every_item_of_a_consensus_has_a_row_of_the_same_height() -> None:
    lists = [[f"item {n}" for n in range(count)] for count in (4, 8, 12)]
    drawn = [plots_module.consensus(fused_queries([each], "borda").queries[0]) for each in lists]
    low, middle, high = (figure.get_figheight() for figure in drawn)
    assert high - middle == pytest.approx(middle - low)
    assert middle - low == pytest.approx(4 * plots_module.ROW)


def test_a_folder_that_cannot_be_made_is_an_error_before_anything_is_drawn(tmp_path: Path) -> None:
    (tmp_path / "taken").touch()
    with pytest.raises(DataError, match=r"taken: cannot be made: "):
        plots_module.write_plots([], tmp_path / "taken")


def test_plots_that_a_method_has_not_are_refused() -> None:
    bare = fused_queries(MADE.rankings, "mc4").queries[0]
    with pytest.raises(InvalidParameter, match="no rank distribution"):
        plots_module.rank_heat_map(bare)
    with pytest.raises(InvalidParameter, match="no contributions"):
        plots_module.contributions(bare)


def test_without_matplotlib_the_remedy_is_named(fusion: Fusion, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtra, match=r'plots need matplotlib: pip install "stagg\[plots\]"'):
        plots_module.consensus(fusion.queries[0])


def test_a_font_that_cannot_be_read_is_one_error(monkeypatch: pytest.MonkeyPatch) -> None:
    from matplotlib.figure import Figure

    def fail(*_: Any, **__: Any) -> None:
        raise RuntimeError("failed to load glyph")

    monkeypatch.setattr(Figure, "savefig", fail)
    with pytest.raises(StaggError, match="cannot draw the plot: failed to load glyph; can its fonts be read"):
        plots_module.render(Figure(), "svg")


def test_a_part_of_a_font_that_cannot_be_read_is_an_error_though_matplotlib_goes_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from matplotlib.figure import Figure
    from matplotlib.font_manager import findfont
    from matplotlib.ft2font import FT2Font

    class Failing(io.BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            if size == 0:  # how matplotlib asks whether this is a file
                return b""
            raise OSError(5, "Input/output error")

    def go_on(*_: Any, **__: Any) -> None:
        with contextlib.suppress(RuntimeError):
            FT2Font(Failing(Path(findfont("DejaVu Sans")).read_bytes()))

    monkeypatch.setattr(Figure, "savefig", go_on)
    hook = sys.unraisablehook
    with pytest.raises(StaggError, match=r"cannot draw the plot: .*Input/output error; can its fonts be read"):
        plots_module.render(Figure(), "svg")
    assert sys.unraisablehook is hook
    assert "Traceback" not in capsys.readouterr().err


def test_one_method_alone_has_no_wins_and_losses_to_draw() -> None:
    alone = compare(MADE.rankings, MADE.labels, ["borda"], measures="err")
    assert [name for name, _ in plots_module.comparison_plots(alone)] == ["means-err"]


def test_the_numbers_beside_the_bars_take_no_more_room_than_they_need(found: Comparison) -> None:
    assert plots_module.means(found).axes[0].margins()[0] == 0.15


def test_a_plot_says_what_it_shows_on_its_axes_and_above(fusion: Fusion, found: Comparison, drawn: Table) -> None:
    axes = plots_module.robustness(drawn).axes[0]
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("rankers", "err")
    titles = [figure.axes[0].get_title(loc="left") for _, figure in plots_module.fusion_plots(fusion, 1)]
    assert any("contributions" in title for title in titles)
    assert plots_module.means(found, "err").axes[0].get_title(loc="left") == "err: means, 95 % intervals"


def test_ranks_that_go_far_are_drawn_on_a_logarithmic_axis(fusion: Fusion) -> None:
    near = plots_module.consensus(fused_queries(MADE.rankings, "rrf", intervals=0.9).queries[0])
    assert near.axes[0].get_xscale() == "linear"
    rng = np.random.default_rng(3)
    runs = {f"r{k}": {"q": {f"d{i}": float(rng.random()) for i in range(400)}} for k in range(4)}
    far = plots_module.consensus(fused_queries(Rankings.from_runs(runs), "rrf", intervals=0.9).queries[0])
    assert far.axes[0].get_xscale() == "log"


# --- where things lie -------------------------------------------------------------------------------------------------


def fused(groups: int = 5, **more: Any) -> FusedQuery:
    """A query with parts below and above 0, and intervals."""
    n, rng = groups, np.random.default_rng(2)
    parts = rng.normal(0.2, 1, (9, n))
    sure = Intervals(np.arange(1, n + 1), np.arange(2, n + 2), np.ones(n), np.ones(n, int), 0.8, 10, 10, 0)
    query = FusedQuery(
        "q", 2 * n, tuple(f"i{k}" for k in range(n)), parts.sum(axis=0), tuple(f"r{k}" for k in range(9)),
        np.full(9, n),
        np.tile(np.arange(1.0, n + 1), (9, 1)), intervals=sure, parts=parts, rest=np.zeros(n),
    )  # fmt: skip
    return dataclasses.replace(query, **more)


def test_a_consensus_is_drawn_at_its_ranks_with_its_intervals() -> None:
    axes = plots_module.consensus(fused()).axes[0]
    [dots] = axes.lines
    assert dots.get_xdata().tolist() == [1, 2, 3, 4, 5]
    assert dots.get_ydata().tolist() == [0, 1, 2, 3, 4]
    [bars] = axes.collections
    assert [segment.tolist() for segment in bars.get_segments()] == [[[k + 1, k], [k + 2, k]] for k in range(5)]
    assert axes.get_title(loc="left") == "q: ranks, 80 % intervals"
    assert axes.get_xlabel() == "rank"
    assert axes.get_ylim() == (4.5, -0.5)
    assert axes.xaxis.get_gridlines()[0].get_visible()
    assert not plots_module.consensus(fused(intervals=None)).axes[0].get_title(loc="left")
    for high, scale in ((60, "linear"), (61, "log")):
        sure = dataclasses.replace(some_intervals(fused()), high=np.array([2, 3, 4, 5, high]))
        assert plots_module.consensus(fused(intervals=sure)).axes[0].get_xscale() == scale


def some_intervals(query: FusedQuery) -> Intervals:
    assert query.intervals is not None
    return query.intervals


def test_contributions_below_nought_stand_at_the_left_and_small_ones_share_a_colour() -> None:
    query = fused()
    assert query.parts is not None
    figure = plots_module.contributions(query)
    containers = figure.axes[0].containers
    shown = np.sort(np.argsort(-np.abs(query.parts).sum(axis=1))[:7])
    assert [each.get_label() for each in containers] == [*[f"r{k}" for k in shown], "the other rankers"]
    values = [*query.parts[shown], np.delete(query.parts, shown, axis=0).sum(axis=0)]
    ends = np.zeros((2, 5))
    for container, each in zip(containers, values, strict=True):
        for item, bar in enumerate(container):
            left, right = sorted((bar.get_x(), bar.get_x() + bar.get_width()))
            assert bar.get_y() + bar.get_height() / 2 == pytest.approx(item)
            side = int(each[item] > 0)
            assert (left if side else right) == pytest.approx(ends[side, item])
            ends[side, item] += each[item]
            assert (right if side else left) == pytest.approx(ends[side, item])
    few = fused(parts=query.parts[:3], rankers=("a", "b", "c"), lengths=np.full(3, 5), ranks=query.ranks[:3])
    assert [each.get_label() for each in plots_module.contributions(few).axes[0].containers] == ["a", "b", "c"]
    rest = plots_module.contributions(dataclasses.replace(few, rest=np.array([0, 0, 1.0, 0, 0]))).axes[0].containers
    assert rest[-1].get_label() == "the other rankers"
    assert [bar.get_width() for bar in rest[-1]] == [0, 0, 1, 0, 0]


def test_the_heat_map_of_draws_is_one_of_shares() -> None:
    chances = np.random.default_rng(0).random((5, 4))
    for drawn, label in ((True, "share of the draws"), (False, "probability")):
        figure = plots_module.rank_heat_map(fused(chances=chances, drawn=drawn))
        assert figure.axes[1].get_ylabel() == label
        assert figure.axes[0].get_title(loc="left") == "q: rank distribution"
        assert figure.axes[0].images[0].get_array().shape == (5, 3)
        assert figure.axes[0].images[0].norm.vmin == 0
    short = plots_module.rank_heat_map(fused(size=2, chances=chances))
    assert short.axes[0].images[0].get_array().shape == (5, 2)


@pytest.mark.parametrize(("count", "told"), [(12, True), (13, False)])
def test_the_agreement_of_few_rankers_is_told_in_numbers(count: int, told: bool) -> None:
    values = np.full((count, count), 0.5)
    values[0, 1:3] = (-0.61, np.nan)
    fusion = Fusion("m", tuple(f"r{k:02}" for k in range(count)), (), values, values, (), "")
    figure = plots_module.agreement(fusion)
    axes = figure.axes[0]
    texts = {tuple(map(round, each.get_position())): each for each in axes.texts}
    assert len(texts) == (count * (count - 1) - 1) * told
    assert np.isnan(np.ma.filled(axes.images[0].get_array(), np.nan)).sum() == count + 1  # no agreement with oneself
    assert axes.images[0].get_clim() == (-1, 1)
    assert figure.axes[1].get_ylabel() == "Kendall's tau"
    assert [each.get_text() for each in axes.get_yticklabels()] == list(fusion.rankers)
    if told:
        assert (texts[1, 0].get_text(), texts[1, 0].get_color()) == ("-0.61", "white")
        assert (texts[0, 1].get_text(), texts[0, 1].get_color()) == ("0.50", "black")
    wide, high = figure.get_size_inches()
    assert wide - high == pytest.approx(0.8)  # for the legend of the colours
    more = dataclasses.replace(fusion, rankers=tuple(f"r{k:012}" for k in range(count)))
    assert plots_module.agreement(more).get_figwidth() - wide == pytest.approx(0.09 * 10)  # for longer names
    assert plots_module.agreement(fusion, width="one").get_figwidth() == pytest.approx(min(3.33, wide))


def means_of(values: list[list[float]], queries: int = 8) -> Comparison:
    """A comparison with these means: values[method][measure]."""
    spread = np.linspace(-0.05, 0.05, queries)
    cells = np.array(values)[:, :, None] + spread * np.array([1, -1, 1, -1, 1, -1])[: len(values), None, None]
    names = [f"m{k}" for k in range(len(values))]
    measures = ["err", "p@5"][: len(values[0])]
    return comparison(
        names, measures, [f"q{k}" for k in range(queries)], cells, baseline="m0", conventions="standard", seed=0
    )


def test_bars_of_means_have_their_intervals_numbers_and_the_line_of_the_baseline() -> None:
    found = means_of([[0.3, 0.6], [0.5, 0.4]])
    axes = plots_module.means(found, "p@5").axes[0]
    rows = [row for row in found.table.rows if row["measure"] == "p@5"]
    assert [bar.get_y() + bar.get_height() / 2 for bar in axes.patches] == pytest.approx([0, 1])
    bars = axes.containers[0].lines[2][0].get_segments()
    for number, (segment, row) in enumerate(zip(bars, rows, strict=True)):
        assert segment == pytest.approx(np.array([[row["low"], number], [row["high"], number]]))
    lines = [line.get_xdata() for line in axes.lines]
    assert [rows[0]["mean"]] * 2 in [list(each) for each in lines]
    assert [each.get_text().rstrip("▲▼") for each in axes.texts] == [f"{row['mean']:.4f}" for row in rows]
    assert [each.xy for each in axes.texts] == [(row["high"], number) for number, row in enumerate(rows)]
    assert [each.get_text() for each in axes.get_yticklabels()] == ["m0", "m1"]
    paper = plots_module.means(found, "p@5", width="one")
    assert paper.axes[0].get_xlabel() == "p@5"
    assert paper.axes[0].margins()[0] == pytest.approx(0.15 * 4.5 / 3.33)  # the numbers take more of a narrow figure
    assert not axes.get_xlabel()


@pytest.mark.parametrize(
    ("methods", "width", "across", "down"),
    [
        (2, None, 1, 1), (3, None, 2, 1), (4, None, 3, 1), (5, None, 3, 2), (5, "one", 2, 2), (5, 4.5, 2, 2),
        (5, 4.6, 3, 2),
    ],
)  # fmt: skip
def test_wins_and_losses_stand_side_by_side_as_there_is_room(methods: int, width: Any, across: int, down: int) -> None:
    found = means_of([[0.5]] + [[0.5 + 0.02 * k] for k in range(1, methods)])
    figure = plots_module.win_loss(found, width=width)
    grid = figure.axes[0].get_gridspec()
    assert (grid.ncols, grid.nrows) == (across, down)
    assert figure.get_figwidth() == pytest.approx(2.4 * across if width is None else plots_module.inches(width))
    assert figure.get_figheight() == pytest.approx((1.7 if width is None else 1.3) * down)
    assert [axes.axison for axes in figure.axes] == [k < methods - 1 for k in range(across * down)]
    for number, axes in enumerate(figure.axes[: methods - 1], start=1):
        differences = found.values[number, 0] - found.values[0, 0]
        settled = np.where(np.abs(differences) < 1e-9, 0, differences)
        up, down_ = (np.asarray(each.get_data().values) for each in axes.patches)
        assert up == pytest.approx(np.maximum(np.sort(settled)[::-1], 0))
        assert down_ == pytest.approx(np.minimum(np.sort(settled)[::-1], 0))
        won, lost = (settled > 0).sum(), (settled < 0).sum()
        assert axes.get_title(loc="left").split("\n")[1] == f"{won} won, {lost} lost"
        assert axes.get_title(loc="left").startswith(f"m{number}")


def test_curves_of_robustness_stand_a_little_apart_and_later_ones_are_dashed() -> None:
    rows = [
        {"method": f"m{m}", "measure": measure, "rankers": n, "mean": n / 10 + m / 100, "sd": 0.1}
        for measure in ("err", "p@5") for m in range(8) for n in (2, 4)
    ]  # fmt: skip
    axes = plots_module.robustness(Table("robustness", tuple(rows)), "p@5").axes[0]
    assert len(axes.containers) == 8
    for number, container in enumerate(axes.containers):
        line, caps, [bars] = container
        assert line.get_xdata().tolist() == pytest.approx([n + (number - 3.5) * 0.02 for n in (2, 4)])
        assert line.get_linestyle() == ("-" if number < 7 else "--")
        middle = [n / 10 + number / 100 for n in (2, 4)]
        assert [np.ptp(segment[:, 1]) for segment in bars.get_segments()] == pytest.approx([0.2, 0.2])
        assert line.get_ydata().tolist() == pytest.approx(middle)
        assert caps
    assert axes.get_xticks().tolist() == [2, 4]
    assert axes.get_ylabel() == "p@5"
    one = [row for row in rows if row["rankers"] == 2 and row["measure"] == "err"]
    alone = plots_module.robustness(Table("robustness", tuple(one))).axes[0].containers
    assert np.diff([each[0].get_xdata()[0] for each in alone]) == pytest.approx(0.01)


def test_labels_take_as_many_letters_as_there_is_room_for() -> None:
    assert [plots_module.label_size(width) for width in (None, "two", "one", 3.0)] == [36, 36, 20, 18]
    assert plots_module.safe_label("a$b", None) == r"a\$b"
    assert len(plots_module.safe_label("x" * 99, "one")) == 20
    assert [plots_module.inches(width) for width in (None, "one", "two", 1, 100)] == [6.0, 3.33, 7.0, 1.0, 100.0]
    for width in (0.99, 100.1):
        with pytest.raises(InvalidParameter, match="inches from 1 to 100"):
            plots_module.inches(width)


def test_long_names_below_a_bump_chart_stand_upright() -> None:
    short = fused(rankers=tuple("abcdefghi"))
    long = fused(rankers=tuple(f"ranker-{k}" for k in range(9)))
    turned = [plots_module.bump(each).axes[0].get_xticklabels()[0].get_rotation() for each in (short, long)]
    assert turned == [0, 90]
    high = [plots_module.bump(each).get_figheight() for each in (short, long)]
    assert high[1] - high[0] == pytest.approx(0.09 * 9)  # room for nine letters of "consensus"


def board_of(n: int) -> Board:
    values = -np.arange(n) / 2
    draws = values + np.random.default_rng(1).normal(0, 0.5, (60, n))
    return Board.make(Strengths(tuple(f"m{k:02}" for k in range(n)), values, draws, np.ones(n, int), "x"))


@pytest.mark.parametrize("n", [5, 25, 41])
def test_plots_of_a_board_show_its_ranks_groups_and_probabilities(n: int) -> None:
    board = board_of(n)
    hits = board.hits()
    ranks = plot_ranks(board)
    axes, shown = ranks.axes[0], min(n, 40)
    assert axes.lines[0].get_xdata().tolist() == [hit.rank for hit in hits[:shown]]
    assert axes.lines[0].get_ydata().tolist() == list(range(shown))
    together, alone = (each.get_segments() for each in axes.collections)
    assert [segment.tolist() for segment in together] == [[[h.low, k], [h.high, k]] for k, h in enumerate(hits[:shown])]
    assert [segment.tolist() for segment in alone] == [
        [[h.alone_low, k], [h.alone_high, k]] for k, h in enumerate(hits[:shown])
    ]
    assert ranks.get_figheight() == pytest.approx(0.9 + 0.2 * shown)
    assert axes.get_xlabel() == "rank, 95 % intervals"
    assert [each.get_text() for each in ranks.legends[0].get_texts()] == ["all at once", "alone"]
    assert [each.get_text() for each in axes.get_yticklabels()] == list(board.names[:shown])
    groups, drawn = plot_groups(board).axes[0], min(n, 24)
    names = [each for each in groups.texts if each.get_text().startswith("m")]
    assert [each.get_text() for each in names] == list(board.names[:drawn])
    assert [each.get_ha() for each in names] == ["right"] * -(-drawn // 2) + ["left"] * (drawn // 2)
    places = [line.get_xdata()[0] for line in groups.lines]
    assert places == sorted(places)
    for line, name in zip(groups.lines, names, strict=True):
        assert line.get_ydata().tolist() == [24, name.get_position()[1], name.get_position()[1]]
        outside = line.get_xdata()[2] - name.get_position()[0]
        assert outside == (5 if name.get_ha() == "right" else -5)
    joined = [each for each in groups.collections if each.get_linewidths()[0] == 2.5]
    assert len(joined) == sum(last > first for first, last in ((a, min(b, drawn - 1)) for a, b in board.groups))
    better = plot_beats(board).axes[0]
    np.testing.assert_array_equal(better.images[0].get_array(), board.beats[:30, :30])
    assert better.images[0].get_clim() == (0, 1)
    narrow = plot_beats(board, width="one")
    assert len(narrow.axes[0].get_yticklabels()) == min(n, 20)
    assert narrow.get_figheight() == pytest.approx(0.9 * 3.33)
    assert narrow.axes[1].get_ylabel() == "P(row is better than column)"


def test_a_board_without_draws_has_its_ranks_alone() -> None:
    values = np.array([1.0, 0.5])
    bare = Board.make(Strengths(("a", "b"), values, np.zeros((0, 2)), np.ones(2, int), "x"))
    assert [name for name, _ in board_plots(bare)] == ["ranks"]
    figure = plot_ranks(bare)
    assert figure.axes[0].get_xlabel() == "rank"
    assert not figure.legends
    assert not figure.axes[0].collections
