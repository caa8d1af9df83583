"""All that a reproduction leaves in its folder: the report, its tables as CSV and JSON, and how it was made."""

from __future__ import annotations

import json
import platform
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from stagg._version import __version__
from stagg.evaluation.tables import Table
from stagg.formats.output import replacing
from stagg.kernels.compiled import TWINS, built
from stagg.paper import Part, Reproduction
from stagg.paper.pages import reproduction_markdown, reproduction_report
from stagg.report.shell import write_page

__all__ = ["facts_of", "write_part", "write_reproduction"]

REPORT = "report.html"


def write_part(folder: str | Path, part: Part) -> None:
    """The tables of one experiment, as CSV and as JSON."""
    for stem, table in part.result.tables.items():
        _write(Path(folder) / f"{stem}.csv", table.to_csv())
        _write(Path(folder) / f"{stem}.json", table.to_json())


def write_reproduction(folder: str | Path, found: Reproduction, command: str) -> Path:
    """Everything; the path of the report. ``command``: the command line that it was made by."""
    for part in found.parts:
        write_part(folder, part)
    facts = facts_of(found, command)
    _write(Path(folder) / "times.csv", _times(found).to_csv())
    _write(Path(folder) / "run.json", json.dumps(_run(found, command), indent=1, ensure_ascii=False) + "\n")
    _write(Path(folder) / "report.md", reproduction_markdown(found, facts))
    target = Path(folder) / REPORT
    write_page(target, reproduction_report(found, facts))
    return target


def facts_of(found: Reproduction, command: str) -> dict[str, str]:
    """How it was made, in words."""
    setup, computed = found.setup, sum(part.computed for part in found.parts)
    tasks = sum(len(part.tasks) for part in found.parts)
    return {
        "Command": command,
        "Data": setup.folder,
        "Queries": "all" if setup.every == 1 else f"every {setup.every}th",
        "Seed": str(setup.seed),
        "Draws of rankers": str(setup.draws),
        "Grid of the learners": setup.grid or "none: the defaults",
        "Versions": ", ".join(f"{name} {version}" for name, version in _versions().items()),
        "Wall time": ", ".join(f"{part.result.name} {part.seconds:.0f} s" for part in found.parts),
        "Tasks": f"{tasks}, {computed} of them computed in this run, the others kept from before",
        "CPU time of all tasks, whenever computed": f"{_cpu(found):.0f} s",
        **{f"Files of {name}": f"SHA-256 {digest}" for name, digest in found.digests.items()},
    }


def _versions() -> dict[str, str]:
    kernels = {0: "pure Python", len(TWINS): "compiled"}.get(len(built()), f"compiled: {', '.join(built())}")
    return {"stagg": f"{__version__} ({kernels} kernels)", "numpy": np.__version__, "Python": platform.python_version()}


def _cpu(found: Reproduction) -> float:
    seconds = {task: float(answer["seconds"]) for part in found.parts for task, answer in part.tasks}
    return sum(seconds.values())


def _run(found: Reproduction, command: str) -> dict[str, Any]:
    """The facts for a program to read."""
    parts = {
        part.result.name: {
            "seconds": part.seconds,
            "tasks": len(part.tasks),
            "computed": part.computed,
            "claims": [
                {"paper": claim.paper, "verdict": claim.verdict, "here": list(claim.here)}
                for claim in part.result.claims
            ],
            "why": list(part.result.why),
        }
        for part in found.parts
    }
    setup = found.setup
    return {
        "command": command,
        "versions": _versions(),
        "data": {"folder": setup.folder, "sha256": found.digests, "every": setup.every},
        "seed": setup.seed,
        "draws": setup.draws,
        "grid": setup.grid,
        "values": setup.values,
        "experiments": parts,
    }


def _times(found: Reproduction) -> Table:
    """What each task took, whenever it was computed."""
    rows: list[Mapping[str, Any]] = [
        {
            "experiment": part.result.name,
            "set": task.view.name,
            "values": task.view.values,
            "task": task.what,
            "seconds": answer["seconds"],
            "said": "; ".join(answer["said"]),
        }
        for part in found.parts
        for task, answer in part.tasks
    ]
    return Table("reproduce", tuple(map(dict, rows)))


def _write(path: Path, text: str) -> None:
    with replacing(path) as stream:
        stream.write(text.encode("utf-8", "surrogateescape"))
