"""What a small command does not import: its start is most of what it costs."""

from __future__ import annotations

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
    "concurrent.futures", "stagg.formats.runs.letor", "stagg.formats.documents.preflib", "stagg.formats.documents.json",
    "stagg.formats.tables.detect", "stagg.methods.positional.comb", "stagg.methods.stochastic.stagg",
    "stagg.aggregate.spool", "stagg.report", "stagg.evaluation", "stagg.learning",
)  # fmt: skip


@pytest.mark.parametrize("kind", ["csv", "trec"])
def test_a_small_fuse_imports_nothing_that_it_does_not_use(kind: str, tmp_path: Path) -> None:
    files = [tmp_path / f"one.{kind}", tmp_path / f"two.{kind}"]
    stagg.write(stagg.Rankings.from_lists({"bm25": ["a", "b", "c"]}), files[0])
    stagg.write(stagg.Rankings.from_lists({"dense": ["b", "d", "a"]}), files[1])
    call = [sys.executable, "-c", CODE, "fuse", *files, "-o", tmp_path / f"out.{kind}", "-q"]
    imported = subprocess.run(call, check=True, capture_output=True, text=True).stdout.split()
    assert "stagg.formats.parts.csv_in_parts" in imported
    assert [name for name in HEAVY if name in imported] == []


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
