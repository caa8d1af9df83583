"""What is not installed is named with its extra, and nothing is imported before it is asked for."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
EXTRAS = {
    "frames": ("pandas", "pandas"),
    "sklearn": ("sklearn", "sklearn"),
    "ranx": ("ranx", "ranx"),
    "pyterrier": ("pyterrier", "pyterrier"),
    "langchain": ("langchain_core", "langchain"),
    "llamaindex": ("llama_index", "llamaindex"),
    "ir_measures": ("ir_measures", "ir-measures"),
    "haystack": ("haystack", "haystack"),
    "lancedb": ("lancedb", "lancedb"),
    "mteb": ("mteb", "mteb"),
}
"""Module -> (the package that it needs, the extra that brings it)."""


def modules() -> list[str]:
    return [path.stem for path in (ROOT / "src/stagg/integrations").glob("*.py") if path.stem != "__init__"]


def test_every_adapter_is_listed_and_documented() -> None:
    page = (ROOT / "docs/integrations.md").read_text(encoding="utf-8")
    assert set(modules()) - {"documents", "fields", "legs", "threads"} == set(
        EXTRAS
    )  # these are what several of them share
    for module, (_, extra) in EXTRAS.items():
        assert f"`stagg.integrations.{module}`" in page
        assert f'# pip install "stagg[{extra}]"' in page


USES = {
    "frames": "to_frame(stagg.Rankings.from_lists([['a']]))",
    "ranx": "to_run(stagg.Rankings.from_lists([['a']]))",
    "ir_measures": "check([{'q': {'a': 1.0}}], {'q': {'a': 1}})",
    "mteb": "hybrid_search([])",
}
"""What needs the package in modules that can be imported without it."""


@pytest.mark.parametrize("module", EXTRAS)
def test_the_error_names_an_extra_that_there_is(module: str) -> None:
    package, extra = EXTRAS[module]
    use = f"stagg.integrations.{module}.{USES[module]}" if module in USES else ""
    code = f"import sys, stagg; sys.modules[{package!r}] = None; import stagg.integrations.{module}; {use}"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=120)
    assert ended.returncode == 1
    assert re.match(r"stagg\.errors\.MissingExtra: .* need ", ended.stderr.splitlines()[-1])
    assert ended.stderr.endswith(f'pip install "stagg[{extra}]"\n')
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    assert extra in extras


def test_importing_stagg_imports_none_of_them() -> None:
    packages = sorted({package for package, _ in EXTRAS.values()} | {"polars", "scipy"})
    code = f"import sys, stagg, stagg.integrations; print([p for p in {packages} if p in sys.modules])"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120)
    assert found.stdout.strip() == "[]"


@pytest.mark.skipif(os.environ.get("STAGG_INTEGRATIONS") != "all", reason="only make integrations has all packages")
@pytest.mark.parametrize("package", sorted({package for package, _ in EXTRAS.values()} - {"mteb"} | {"polars"}))
def test_make_integrations_skips_no_package(package: str) -> None:
    assert importlib.util.find_spec(package) is not None
