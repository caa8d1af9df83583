"""What a small command does not import: its start is most of what it costs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import stagg

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
    "concurrent.futures", "stagg.formats.letor", "stagg.formats.preflib", "stagg.formats.json_file",
    "stagg.formats.layouts", "stagg.methods.comb", "stagg.methods.stochastic",
    "stagg.aggregate.spool", "stagg.report", "stagg.evaluation", "stagg.learning",
)  # fmt: skip


@pytest.mark.parametrize("kind", ["csv", "trec"])
def test_a_small_fuse_imports_nothing_that_it_does_not_use(kind: str, tmp_path: Path) -> None:
    files = [tmp_path / f"one.{kind}", tmp_path / f"two.{kind}"]
    stagg.write(stagg.Rankings.from_lists({"bm25": ["a", "b", "c"]}), files[0])
    stagg.write(stagg.Rankings.from_lists({"dense": ["b", "d", "a"]}), files[1])
    call = [sys.executable, "-c", CODE, "fuse", *files, "-o", tmp_path / f"out.{kind}", "-q"]
    imported = subprocess.run(call, check=True, capture_output=True, text=True).stdout.split()
    assert "stagg.formats.csv_in_parts" in imported
    assert [name for name in HEAVY if name in imported] == []
