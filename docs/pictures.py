"""The pictures of the documentation, drawn by the package itself from its built-in sample and from simulated data.

`python docs/pictures.py` draws them into docs/pictures/; `--screenshot` also takes the picture of a report in the
README (playwright and chromium). tests/test_docs.py compares what is drawn with what is kept.
"""

from __future__ import annotations

import contextlib
import io
import shutil
import sys
import tempfile
from importlib.resources import files
from pathlib import Path
from typing import Any

import stagg
from stagg.data.simulation import simulate
from stagg.report import fused_queries, fusion_report, plots

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
    }


def sample() -> stagg.Rankings:
    folder = files("stagg") / "sample"
    return stagg.read([folder / f"{name}.trec" for name in ("bm25", "dense", "sparse")])


def svg(draw: Any, *arguments: Any) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "drawn.svg"
        draw(*arguments, path=path)
        return path.read_bytes()


def screenshot(path: Path) -> None:
    """The first screen of a report, as a browser shows it, in few colours."""
    from PIL import Image
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        page_file = Path(folder) / "report.html"
        text = fusion_report(sample(), "stagg_rrf", intervals=0.9, title="Three search engines, fused")
        page_file.write_text(text, encoding="utf-8")
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1040, "height": 1300})
        page.goto(page_file.as_uri())
        with contextlib.suppress(Exception):
            page.select_option("select", label=QUERY)
        taken = page.screenshot()
        browser.close()
    Image.open(io.BytesIO(taken)).convert("P", palette=Image.Palette.ADAPTIVE, colors=64).save(path, optimize=True)


if __name__ == "__main__":
    TARGET.mkdir(exist_ok=True)
    for name, drawn in drawings().items():
        (TARGET / name).write_bytes(drawn)
        print(f"{len(drawn):8,}  {name}")
    if "--screenshot" in sys.argv:
        screenshot(TARGET / "report.png")
        print(f"{(TARGET / 'report.png').stat().st_size:8,}  report.png")
