"""The paper's experiments on made-up data, computed once for all tests that look at them."""

from __future__ import annotations

import csv
import dataclasses
import functools
import tempfile
from pathlib import Path

import pytest
from tests.paper.letor_like import write_letor

from stagg.paper import Reproduction, Setup, reproduce
from stagg.paper.output.folder import write_tables

FEW = 2  # folds: every task is a fit


@functools.cache
def few_fused() -> Reproduction:
    """Table 1 and Figure 4, on few queries and draws."""
    return _reproduced(["table1", "figure4"], queries=2, draws=2)


@functools.cache
def few_learned() -> Reproduction:
    """Figures 1 to 3, on few queries and folds, small = top."""
    pytest.importorskip("matplotlib", reason='matplotlib is not installed: pip install "stagg[plots]"')
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("stagg.paper.experiments.trained.FOLDS", FEW)
        return _reproduced(["figure1", "figure2", "figure3"], queries=2, values=("rank",))


def all_parts() -> Reproduction:
    """All of them in one, in the order of the paper."""
    (table1, figure4), learned = few_fused().parts, few_learned()
    return dataclasses.replace(learned, parts=(table1, *learned.parts, figure4))


def _reproduced(only: list[str], *, queries: int, **setup: object) -> Reproduction:
    with tempfile.TemporaryDirectory() as folder:
        data = write_letor(Path(folder) / "data", queries=queries)
        return reproduce(Setup(str(data), **setup), Path(folder) / "cache", only=only, threads=0)  # type: ignore[arg-type]


def write_all_tables(folder: Path, found: Reproduction) -> Path:
    """Write every table, as a run does; its report, which takes seconds to draw, is left out."""
    for part in found.parts:
        write_tables(folder, part)
    return folder


def rows_of(folder: Path, stem: str, **values: str) -> list[dict[str, str]]:
    """The rows of a CSV file that have these values."""
    with (folder / f"{stem}.csv").open(encoding="utf-8", newline="") as stream:
        return [row for row in csv.DictReader(stream) if all(row[key] == value for key, value in values.items())]
