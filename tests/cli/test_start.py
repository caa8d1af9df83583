"""What a small command does not import: its start is most of what it costs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

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
    "stagg.formats.layouts", "stagg.aggregate.spool", "stagg.report", "stagg.evaluation", "stagg.learning",
)  # fmt: skip


def test_a_small_fuse_imports_nothing_that_it_does_not_use(tmp_path: Path) -> None:
    rows = "".join(f"q,r{number % 2},d{number},{number}\n" for number in range(6))
    (tmp_path / "six.csv").write_text("query,ranker,item,score\n" + rows)
    call = [
        sys.executable,
        "-c",
        CODE,
        "fuse",
        tmp_path / "six.csv",
        "-o",
        tmp_path / "out.csv",
        "-q",
        "--threads",
        "1",
    ]
    imported = subprocess.run(call, check=True, capture_output=True, text=True).stdout.split()
    assert "stagg.formats.csv_in_parts" in imported
    assert [name for name in HEAVY if name in imported] == []
