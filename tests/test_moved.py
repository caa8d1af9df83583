"""Old import paths: what stagg 0.2 could import and pickle works, and says where it is now."""

from __future__ import annotations

import base64
import importlib
import json
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from stagg import _moved
from stagg._moved import MODULES, NAMES

FOLDER = Path(__file__).parent / "old_paths"
OLD = {
    module: [name for name in names.split(",") if name]
    for module, _, names in (line.partition(" ") for line in (FOLDER / "names.txt").read_text().splitlines())
}
"""The modules of 0.2 that have moved, with their public names."""
PICKLES = json.loads((FOLDER / "pickles.json").read_text())
"""What 0.2 pickled, by what it is."""


@pytest.mark.parametrize("module", OLD)
def test_every_public_name_of_an_old_module_is_found_where_it_is_now(module: str) -> None:
    old = importlib.import_module(f"stagg.{module}")
    for name in OLD[module]:
        home, _, new = NAMES.get(f"{module}.{name}", f"{MODULES[module]}.{name}").rpartition(".")
        with pytest.warns(DeprecationWarning, match=rf"stagg\.{module}\.{name} is stagg\.{home}\.{new} now"):
            value = getattr(old, name)
        assert value is getattr(importlib.import_module(f"stagg.{home}"), new)


def test_the_table_has_every_module_that_moved_and_no_other() -> None:
    assert set(MODULES) == set(OLD)
    folder = Path(_moved.__file__).parent
    assert [old for old in MODULES if (folder / f"{old.replace('.', '/')}.py").exists()] == []


def test_names_that_were_public_in_a_package_are_found() -> None:
    with pytest.warns(DeprecationWarning, match=r"stagg\.evaluation\.elect is stagg\.elections\.elect now"):
        from stagg.evaluation import elect  # type: ignore[attr-defined]
    with pytest.warns(DeprecationWarning, match=r"stagg\.evaluation\.Election is stagg\.elections\.Election now"):
        from stagg.evaluation import Election  # type: ignore[attr-defined]
    assert type(elect([["a", "b"]])) is Election


def test_a_module_is_taken_from_its_old_package() -> None:
    call = "import warnings; warnings.simplefilter('error'); from stagg.report import plots; plots.__name__"
    assert subprocess.run([sys.executable, "-c", call], check=True, capture_output=True).stderr == b""


@pytest.mark.parametrize("path", ["stagg.kernels.contests.nothing", "stagg.evaluation.nothing"])
def test_names_that_never_were_are_errors_as_ever(path: str) -> None:
    module, _, name = path.rpartition(".")
    with pytest.raises(AttributeError, match=f"module {module!r} has no attribute {name!r}"):
        getattr(importlib.import_module(module), name)
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("stagg.kernels.nothing")


@pytest.mark.parametrize("name", PICKLES)
@pytest.mark.filterwarnings("ignore:stagg:DeprecationWarning")
def test_pickles_of_the_version_before_load(name: str) -> None:
    loaded = pickle.loads(base64.b64decode(PICKLES[name]))
    again = pickle.loads(pickle.dumps(loaded))
    if name != "threads":
        assert repr(again) == repr(loaded)
    assert b"stagg.integrations" not in pickle.dumps(loaded)


def test_a_function_that_shared_its_name_with_a_module_can_be_called_after_the_old_import() -> None:
    code = """
import warnings
warnings.simplefilter("ignore")
import stagg.report.fusion_page
from stagg.report import digest, fusion_page
from stagg.aggregate.plan import prepare
import stagg
print(len(fusion_page(digest(prepare().fuse(stagg.Rankings.from_lists([["a", "b"], ["b", "a"]]))))))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 1000
