"""A plugin of pytest for bench/mutants.py: what became of each test, as JSON in $STAGG_MUTANT_RECORD."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

record: dict[str, Any] = {"passed": 0, "failed": [], "ran": []}


def pytest_runtest_logreport(report: Any) -> None:
    if report.when == "setup":
        record["ran"].append(report.nodeid)
    if report.when == "call" and report.passed:
        record["passed"] += 1
    pytest_collectreport(report)


def pytest_collectreport(report: Any) -> None:
    if report.failed:
        record["failed"].append(report.nodeid)


def pytest_sessionfinish() -> None:
    Path(os.environ["STAGG_MUTANT_RECORD"]).write_text(json.dumps(record))
