"""What all tests share: where foreign data lies, and how much fuzzing is done."""

from __future__ import annotations

import os
import signal
import tempfile
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from _pytest.doctest import DoctestModule
from hypothesis.configuration import set_hypothesis_home_dir

from tests.browser import blank_pages, browser, open_report

__all__ = ["blank_pages", "browser", "open_report", "shared_data"]

# pytest would stumble over a .hypothesis folder in the tree, since the project sets norecursedirs itself
set_hypothesis_home_dir(Path(tempfile.gettempdir()) / f"stagg-hypothesis-{os.getuid()}")

ROOT = Path(__file__).resolve().parent.parent


if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # a shell makes what it starts in the background deaf to Ctrl-C, and the commands under test inherit that
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--fuzz-cases", type=int, default=2000, help="how many damaged files the readers are given")


HEAVY = ("report", "learning", "laws", "test_trusted.py", "test_docs.py", "paper", "formats", "evaluation", "aggregate")
"""Where most of the time goes: begun first, so that no worker is left alone with a long file at the end."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Heavy folders first; inside them the order stays."""

    def weight(item: pytest.Item) -> int:
        parts = item.path.relative_to(ROOT).parts
        return next((place for place, name in enumerate(HEAVY) if name in parts[1:]), len(HEAVY))

    items.sort(key=weight)


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real data (STAGG_DATA, else ../shared/data); tests that need it skip where it is absent."""
    folder = Path(os.environ.get("STAGG_DATA", ROOT.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"no data at {folder}; set STAGG_DATA")
    return folder


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path) -> Generator[None, list[Any], list[Any]]:
    """No doctests from tests: their import, if it fails, is skipped, and hides that the tests cannot be imported."""
    return [each for each in (yield) if not isinstance(each, DoctestModule)]
