"""Cost against rows, rankers, queries and list length, drawn to docs/pictures/scaling.svg. Part of ``make bench``."""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from measuring import environment, least
from throughput import FLOOR, Shape, compiled_floor, floor_command, fuse_command

PICTURE = Path(__file__).parent.parent / "docs" / "pictures" / "scaling.svg"


class Sweep(NamedTuple):
    """What grows, and the shapes that it goes through."""

    what: str
    shapes: dict[int, Shape]


def sweeps(quick: bool) -> list[Sweep]:
    sizes = (1, 10, 100) if quick else (1, 3, 10, 30, 100, 300)
    return [
        Sweep("rows (10 runs, lists of 1,000)", {10_000 * k: Shape(10, k, 1000) for k in sizes}),
        Sweep("runs (10 queries, lists of 1,000)", {k: Shape(k, 10, 1000) for k in sizes}),
        Sweep("queries (5 runs, lists of 100)", {20 * k: Shape(5, 20 * k, 100) for k in sizes}),
        Sweep("list length (5 runs, one query)", {2000 * k: Shape(5, 1, 2000 * k) for k in sizes}),
    ]


def measured(quick: bool, rounds: int, folder: Path) -> list[dict[str, Any]]:
    """CPU seconds of each contender at each point of each sweep."""
    env, floor, out = environment(folder), compiled_floor(folder), folder / "out.trec"
    found = []
    for sweep in sweeps(quick):
        points: dict[str, list[float]] = {}
        for shape in sweep.shapes.values():
            files = shape.written(folder / "runs", env)
            commands = {
                FLOOR: ["sh", "-c", 'exec "$0" "$@" > /dev/null', *floor_command(floor, files)],
                "stagg rrf": fuse_command(files, out, "--threads", "1", "-m", "rrf"),
                "stagg stagg_rrf": fuse_command(files, out, "--threads", "1", "-m", "stagg_rrf"),
            }
            for name, costs in least(commands, rounds, env).items():
                points.setdefault(name, []).append(min(cost.cpu for cost in costs))
            shutil.rmtree(folder / "runs")
        found.append({"what": sweep.what, "at": list(sweep.shapes), "cpu": points})
        print(found[-1], flush=True)
    return found


def drawn(found: list[dict[str, Any]], path: Path) -> None:
    """Four panels, both axes logarithmic: a cost in proportion is a line that rises by one decade in one."""
    from matplotlib import style
    from matplotlib.figure import Figure

    from stagg.report.charts.plots import STYLE, save

    with style.context(["default", STYLE]):
        figure = Figure(figsize=(7.2, 5.2))
        for panel, sweep in zip(figure.subplots(2, 2).ravel(), found, strict=True):
            for (name, cpu), mark in zip(sweep["cpu"].items(), "sov", strict=True):
                panel.loglog(sweep["at"], cpu, marker=mark, markersize=4, label=name)
            panel.set_xlabel(sweep["what"])
            panel.set_ylabel("CPU s")
        figure.axes[0].legend(frameon=False)
        save(figure, path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="without the largest size")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", type=Path, help="write the points as JSON")
    parser.add_argument("--picture", type=Path, default=PICTURE)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        found = measured(given.quick, given.rounds, Path(name))
    if given.json:
        given.json.write_text(json.dumps(found, indent=1) + "\n")
    drawn(found, given.picture)


if __name__ == "__main__":
    main()
