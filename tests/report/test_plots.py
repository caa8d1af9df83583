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
from stagg.data.simulation import simulate
from stagg.errors import DataError, InvalidParameter, MissingExtra, StaggError, UnknownName
from stagg.evaluation import Comparison, Table, compare, robustness
from stagg.report import Fusion, fused_queries
from stagg.report.charts import plots as plots_module
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
