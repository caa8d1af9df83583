"""The pictures of the documentation, drawn by the package itself from its built-in sample and from simulated data.

`python docs/pictures.py` draws them into docs/pictures/; `--screenshot` also takes the pictures of a report and of the
explorer (playwright and chromium). tests/test_docs.py compares what is drawn with what is kept.
"""

from __future__ import annotations

import io
import re
import shutil
import sys
import tempfile
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal, NamedTuple
from urllib.parse import urlencode

import stagg
from stagg.data.simulation import simulate
from stagg.formats.log import ReadLog
from stagg.leaderboards import Board
from stagg.report import fused_queries, fusion_report
from stagg.report.charts import plots
from stagg.report.charts.board_plots import plot_ranks
from stagg.report.pages.seat_election import seat_report

sys.path.insert(0, str(Path(__file__).parent))  # the tests load this file by its path

import design_page

TARGET = Path(__file__).parent / "pictures"
QUERY = "repot-an-orchid"
ITEMS = 7


def drawings() -> dict[str, bytes]:
    """Every drawn picture by its file name, as SVG."""
    runs = sample()
    fused = fused_queries(runs, "stagg_rrf", items=ITEMS, intervals=0.9)[QUERY]
    known = simulate(queries=60, items=30, rankers=5, quality=[0.3, 0.6, 1.0, 1.0, 3.0], depth=15, seed=3)
    methods = ["votecount", "borda", "rrf(c=60)", "stagg_rrf"]
    compared = stagg.compare(known.rankings, known.labels, methods, measures="ndcg@10", learners=["weights"], folds=5)
    readings = ["stagg_rrf(missing='below')", "stagg_rrf(missing='neutral')", "rrf"]
    cut = simulate(queries=60, items=50, rankers=5, depth=15, seed=1)
    seen = simulate(queries=60, items=50, rankers=8, keep=0.3, seed=1)
    return {
        "absence-cut.svg": svg(plots.means, stagg.compare(cut.rankings, cut.labels, readings, measures="kendall_tau")),
        "absence-seen.svg": svg(
            plots.means, stagg.compare(seen.rankings, seen.labels, readings, measures="kendall_tau")
        ),
        "bump.svg": svg(plots.bump, fused),
        "intervals.svg": svg(plots.consensus, fused),
        "distribution.svg": svg(plots.rank_heat_map, fused),
        "contributions.svg": svg(plots.contributions, fused_queries(runs, "rrf(c=60)", items=ITEMS)[QUERY]),
        "comparison.svg": svg(plots.means, compared),
        "leaderboard.svg": svg(plot_ranks, example_board()),
        **design_page.drawings(),
    }


def sample() -> stagg.Rankings:
    folder = files("stagg") / "sample"
    return stagg.read([folder / f"{name}.trec" for name in ("bm25", "dense", "sparse")])


def example_board() -> Board:
    """The leaderboard of the page on leaderboards."""
    with tempfile.TemporaryDirectory() as folder:
        return stagg.leaderboard(example("leaderboard", "scores.csv", folder), log=ReadLog())


def example(page: str, name: str, folder: str) -> Path:
    """A file that a guide writes with `cat > name <<END`, in a folder."""
    text = (TARGET.parent / "howto" / f"{page}.md").read_text(encoding="utf-8")
    [lines] = re.findall(rf"^cat > {re.escape(name)} <<END\n(.*?)^END$", text, re.MULTILINE | re.DOTALL)
    path = Path(folder) / name
    path.write_text(lines, encoding="utf-8")
    return path


def svg(draw: Any, *arguments: Any) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "drawn.svg"
        draw(*arguments, path=path)
        return path.read_bytes()


class Shot(NamedTuple):
    """A picture of a page: its size, light or dark, the setting in its address, a figure or all of it, the query."""

    width: int
    height: int
    scheme: Literal["light", "dark"] = "light"
    setting: str = ""
    figure: str | None = None
    query: str = QUERY


MOVED = "m=rrf&c=20&missing=skip&w=1 2 0.5"
SHOTS = {
    "explorer.png": Shot(1180, 860, setting=MOVED),
    "explorer-dark.png": Shot(1180, 860, "dark", "m=stagg_trust&w=1 1 1"),
    "explorer-first.png": Shot(1180, 860, figure="#first", query="cannot-sleep-before-an-exam"),
    "explorer-score.png": Shot(1180, 860, setting=MOVED, figure="#score"),
    "explorer-queries.png": Shot(1180, 860, "dark", MOVED, "#queries"),
    "explorer-phone.png": Shot(390, 800, "dark", MOVED),
}


def screenshots() -> dict[str, bytes]:
    """Pages of the sample as a browser shows them, in few colours."""
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        report, explorer = Path(folder) / "report.html", Path(folder) / "explorer.html"
        text = fusion_report(sample(), "stagg_rrf", intervals=0.9, title="Three search engines, fused")
        report.write_text(text, encoding="utf-8")
        labels = stagg.read_labels(files("stagg") / "sample" / "qrels.txt")
        stagg.explore(sample(), labels=labels, title="Three search engines").save(explorer)
        count = stagg.read(
            example("club_election", "board.csv", folder),
            same=example("club_election", "same.txt", folder),
            repeat_voters="last",
        )
        election = Path(folder) / "election.html"
        election.write_text(seat_report(stagg.elect(count, "stv", seats=3)), encoding="utf-8")
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        taken = {"report.png": take(browser, report, Shot(1180, 1000))}
        taken["election.png"] = take(browser, election, Shot(1000, 900, figure="figure >> nth=0"))
        taken |= {name: take(browser, explorer, shot) for name, shot in SHOTS.items()}
        browser.close()
    return taken


def take(browser: Any, path: Path, shot: Shot) -> bytes:
    from PIL import Image

    page = browser.new_page(viewport={"width": shot.width, "height": shot.height}, color_scheme=shot.scheme)
    page.goto(f"{path.as_uri()}#{urlencode({'query': shot.query} | ({'s': shot.setting} if shot.setting else {}))}")
    page.wait_for_timeout(800)  # until what follows a setting at leisure is drawn
    taken = page.locator(shot.figure).screenshot() if shot.figure else page.screenshot()
    page.close()
    few, stream = Image.open(io.BytesIO(taken)).convert("P", palette=Image.Palette.ADAPTIVE, colors=128), io.BytesIO()
    few.save(stream, "png", optimize=True)
    return stream.getvalue()


if __name__ == "__main__":
    TARGET.mkdir(exist_ok=True)
    for name, drawn in drawings().items():
        (TARGET / name).write_bytes(drawn)
        print(f"{len(drawn):8,}  {name}")
    if "--screenshot" in sys.argv:
        for name, taken in screenshots().items():
            (TARGET / name).write_bytes(taken)
            print(f"{len(taken):8,}  {name}")
