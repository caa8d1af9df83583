"""What a small command does not import: its start is most of what it costs."""

from __future__ import annotations

import gc
import importlib
import subprocess
import sys
from pathlib import Path

import pytest

import stagg
import stagg_start

CODE = """
import sys
from stagg.cli.main import main
try:
    main(sys.argv[1:])
finally:
    print(*sys.modules)
"""
HEAVY = (
    "scipy", "pyarrow", "pandas", "rich", "numpy.ma", "numpy.typing", "tempfile", "zipfile", "json.encoder", "logging",
    "concurrent.futures", "fractions", "decimal", "stagg.formats.runs.letor", "stagg.formats.documents.ballots.preflib",
    "stagg.formats.documents.json",
    "stagg.formats.tables.detect", "stagg.methods.positional.comb", "stagg.methods.stochastic.stagg",
    "stagg.report", "stagg.evaluation", "stagg.learning",
)  # fmt: skip
MOST_FOR_IMPORT, MOST_FOR_TREC, MOST_FOR_CSV = 56, 119, 126
"""Modules of ours, at about .2 ms each; lower them when you can. ``make bench`` measures the time, against numpy's."""


@pytest.mark.parametrize(("kind", "most"), [("csv", MOST_FOR_CSV), ("trec", MOST_FOR_TREC)])
def test_a_small_fuse_imports_nothing_that_it_does_not_use(kind: str, most: int, tmp_path: Path) -> None:
    files = [tmp_path / f"one.{kind}", tmp_path / f"two.{kind}"]
    stagg.write(stagg.Rankings.from_lists({"bm25": ["a", "b", "c"]}), files[0])
    stagg.write(stagg.Rankings.from_lists({"dense": ["b", "d", "a"]}), files[1])
    call = [sys.executable, "-c", CODE, "fuse", *files, "-o", tmp_path / f"out.{kind}", "-q"]
    imported = subprocess.run(call, check=True, capture_output=True, text=True).stdout.split()
    assert ("stagg.formats.parts.csv_chunks" in imported) == (kind == "csv")
    assert [name for name in HEAVY if name in imported] == []
    assert len(_ours(imported)) <= most


def test_import_stagg_loads_few_modules() -> None:
    call = [sys.executable, "-c", "import sys, stagg; print(*sys.modules)"]
    imported = subprocess.run(call, check=True, capture_output=True, text=True).stdout.split()
    assert [name for name in ("click", *HEAVY) if name in imported] == []
    assert len(_ours(imported)) <= MOST_FOR_IMPORT


def _ours(modules: list[str]) -> list[str]:
    return [name for name in modules if name.startswith("stagg")]


def test_garbage_is_not_searched_for_while_modules_are_loaded() -> None:
    with stagg_start.loading():
        assert not gc.isenabled()
        with stagg_start.loading():
            pass
        assert not gc.isenabled()
    assert gc.isenabled()


def test_ctrl_c_is_an_exception_except_while_a_module_is_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def leave() -> None:
        raise SystemExit

    monkeypatch.setattr(stagg_start, "_leave", leave)
    with pytest.raises(KeyboardInterrupt):
        stagg_start._interrupt(2, sys._getframe())
    call = "import stagg_start, sys; stagg_start._interrupt(2, sys._getframe())"
    (tmp_path / "interrupted_module.py").write_text(call)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(SystemExit):
        importlib.import_module("interrupted_module")


def test_ctrl_c_while_a_module_is_loaded_ends_the_process() -> None:
    call = [sys.executable, "-c", "import stagg_start; stagg_start._leave(); print('went on')"]
    ended = subprocess.run(call, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "stagg: interrupted\n")
