"""The explorer in a browser: how long a step of a slider takes, and when the first paint is there.

`python bench/explorer.py` on 200 queries × 10 rankers × 100 items; needs playwright and chromium. The time of a step is
that of the page's own work: fusing all queries, drawing the chosen one. "cpu" is the time that the page's thread had
a core in that step, layout and paint included (Chromium's thread clock): look at it on a machine that others use, too.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import tempfile
from pathlib import Path
from typing import Any

from stagg.data.simulation import simulate
from stagg.report.pages.explorer import explored_of, explorer_page

STEP = """async (value) => {
  const slider = document.getElementById('weight-0');
  slider.value = value;
  slider.dispatchEvent(new Event('input', {bubbles: true}));
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
}"""
WORK = "performance.getEntriesByName('step').map((each) => each.duration)"


def measure(path: Path, steps: int) -> None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.goto(path.as_uri())
        page.wait_for_timeout(1500)
        paints = page.evaluate("performance.getEntriesByType('paint').map((each) => each.startTime)")
        clock = page.context.new_cdp_session(page)
        clock.send("Performance.enable", {"timeDomain": "threadTicks"})
        for method in ("rrf", "stagg_rrf", "combsum", "combmnz"):
            page.select_option("#method", method)
            page.wait_for_timeout(1000)
            page.evaluate("performance.clearMeasures()")
            busy = []
            for k in range(steps):
                before = _task_time(clock)
                page.evaluate(STEP, 0.5 + 0.05 * (k % 40))
                busy.append(1000 * (_task_time(clock) - before))
                page.wait_for_timeout(250)  # what waits for a pause is no part of a step
            work = page.evaluate(WORK)
            print(
                f"{method:>10}: step {statistics.median(work):5.1f} ms (slowest {max(work):5.1f}), "
                f"cpu {statistics.median(busy):5.1f} ms"
            )
        browser.close()
    print(f"first paint {paints[0]:.0f} ms; load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


def _task_time(clock: Any) -> float:
    """Seconds of work of the page's thread so far."""
    found = {each["name"]: each["value"] for each in clock.send("Performance.getMetrics")["metrics"]}
    return float(found["TaskDuration"])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--rankers", type=int, default=10)
    parser.add_argument("--items", type=int, default=100)
    parser.add_argument("--steps", type=int, default=15)
    given = parser.parse_args()
    known = simulate(queries=given.queries, items=3 * given.items, rankers=given.rankers, depth=given.items, seed=1)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "explorer.html"
        path.write_text(explorer_page(explored_of(known.rankings, labels=known.labels)), encoding="utf-8")
        size = f"{given.queries} queries × {given.rankers} rankers × {given.items} items"
        print(f"{size}: {path.stat().st_size / 1e6:.1f} MB")
        measure(path, given.steps)
