"""Folder of a reproduction: the report, its tables as CSV and JSON, and how it was made."""

from __future__ import annotations

import json
import platform
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from stagg._version import __version__
from stagg.evaluation.tables import Table
from stagg.formats.storage.atomic import replacing
from stagg.kernels.compiled import TWINS, built
from stagg.paper.output.figures import draw_figures
from stagg.paper.output.reproduction_page import make_markdown, make_page
from stagg.paper.reproduction import Finished, Reproduction

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["list_plots", "state_facts", "write_reproduction", "write_tables"]

REPORT = "report.html"


def write_tables(folder: str | Path, part: Finished) -> None:
    """Write the tables of one experiment, as CSV and as JSON."""
    for stem, table in part.result.tables.items():
        _write(Path(folder) / f"{stem}.csv", table.to_csv())
        _write(Path(folder) / f"{stem}.json", table.to_json())


def write_reproduction(folder: str | Path, reproduction: Reproduction, command: str) -> Path:
    """Write everything and return the path of the report. ``command`` is the command line that was used."""
    for part in reproduction.parts:
        write_tables(folder, part)
    facts = state_facts(reproduction, command)
    _write(Path(folder) / "times.csv", _list_times(reproduction).to_csv())
    _write(Path(folder) / "run.json", json.dumps(_describe(reproduction, command), indent=1, ensure_ascii=False) + "\n")
    _write(Path(folder) / "report.md", make_markdown(reproduction, facts))
    _write(Path(folder) / REPORT, make_page(reproduction, facts))
    return Path(folder) / REPORT


def list_plots(reproduction: Reproduction) -> Iterator[tuple[str, Figure]]:
    """Yield (name, figure) of every figure, with its title above it."""
    for part in reproduction.parts:
        for drawing in draw_figures(part.result):
            drawing.figure.suptitle(drawing.title, fontsize=10)
            yield drawing.name, drawing.figure


def state_facts(reproduction: Reproduction, command: str) -> dict[str, str]:
    """State in words how a reproduction was made."""
    setup, computed = reproduction.setup, sum(part.computed for part in reproduction.parts)
    seconds = {job: float(answer["seconds"]) for part in reproduction.parts for job, answer in part.jobs}
    return {
        "Command": command,
        "Data": setup.folder,
        "Queries": "all" if setup.every == 1 else f"every {setup.every}th",
        "Seed": str(setup.seed),
        "Draws of rankers": str(setup.draws),
        "Grid of the learners": setup.grid or "none: the defaults",
        "Versions": ", ".join(f"{name} {version}" for name, version in _list_versions().items()),
        "Wall time": ", ".join(f"{part.result.name} {part.seconds:.0f} s" for part in reproduction.parts),
        "Tasks": f"{sum(len(part.jobs) for part in reproduction.parts)}, {computed} of them computed in this run",
        "CPU time of all jobs, whenever computed": f"{sum(seconds.values()):.0f} s",
        **{f"Files of {name}": f"SHA-256 {digest}" for name, digest in reproduction.digests.items()},
    }


def _list_versions() -> dict[str, str]:
    kernels = {0: "pure Python", len(TWINS): "compiled"}.get(len(built()), f"compiled: {', '.join(built())}")
    return {"stagg": f"{__version__} ({kernels} kernels)", "numpy": np.__version__, "Python": platform.python_version()}


def _describe(reproduction: Reproduction, command: str) -> dict[str, Any]:
    """Describe the run for a program to read."""
    setup = reproduction.setup
    return {
        "command": command,
        "versions": _list_versions(),
        "data": {"folder": setup.folder, "sha256": reproduction.digests, "every": setup.every},
        **{name: getattr(setup, name) for name in ("seed", "draws", "grid", "values")},
        "experiments": {part.result.name: _describe_part(part) for part in reproduction.parts},
    }


def _describe_part(part: Finished) -> dict[str, Any]:
    claims = [{"paper": c.paper, "verdict": c.verdict, "here": list(c.here)} for c in part.result.claims]
    counts = {"seconds": part.seconds, "tasks": len(part.jobs), "computed": part.computed}
    return counts | {"claims": claims, "why": list(part.result.why)}


def _list_times(reproduction: Reproduction) -> Table:
    """List what each job took, whenever it was computed."""
    rows = [
        {"experiment": part.result.name, "set": job.view.name, "values": job.view.values, "task": job.what}
        | {"seconds": answer["seconds"], "said": "; ".join(answer["said"])}
        for part in reproduction.parts
        for job, answer in part.jobs
    ]
    return Table("reproduce", tuple(rows))


def _write(path: Path, text: str) -> None:
    with replacing(path) as stream:
        stream.write(text.encode("utf-8", "surrogateescape"))
