"""The rules of the house: small folders, one name for one thing, true maps, compiled code called from beside it."""

from __future__ import annotations

import ast
import importlib.util
import sys
from collections import defaultdict
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "stagg"

MOST = 14
MANY = {"", "cli/commands"}
"""Folders that may have more than MOST entries: stagg itself, and the commands."""

SHARED_NAMES = {
    "command": "every command has one",
    "consensus": "a plot is named after what it shows",
    "contributions": "a plot is named after what it shows",
    "robustness": "a plot is named after what it shows",
    "fuse": "adapters and engines have the verb of the library",
    "fuse_documents": "an adapter has the verb of the library",
    "open_in_chunks": "every format that is read in chunks opens its files",
    "refusal": "every format that is read in chunks says which options forbid it",
    "judge": "the verb of judging, and that which lays a run beside its labels",
    "Row": "a row of a sheet to judge, and of an adapter",
    "Sheet": "a sheet to judge, and one of a workbook",
    "has_twin": "every module beside a compiled twin says whether it was built",
}
"""Public functions and classes that share a name, and why."""

SHARED_MODULES = {
    "base": "the base class of a family",
    "compare": "a command and its verb",
    "gate": "a command and its verb",
    "elect": "a command and its verb",
    "judge": "a command and its verb",
    "leaderboard": "a command, its verb, and its page",
    "evaluate": "a command and its verb",
    "judging": "options of the command line, and the page on which people judge",
    "robustness": "a command and its verb",
    "columns": "Columns, and the kernel that puts them together",
    "ids": "ids, and the kernel that reads them",
    "kemeny": "a kernel and its method",
    "local_kemeny": "a kernel and its method",
    "majority": "a kernel and its method",
    "mallows": "a kernel and its method",
    "markov": "a kernel and its method",
    "pair_models": "a kernel and its method",
    "plackett_luce": "a kernel and its method",
    "frames": "frames as inputs, as Spark's, and as an adapter",
    "fusion": "the verb, and its page",
    "tables": "tables of results, and of an election",
    "reading": "Reading, options of reading, and Spark's reading",
    "trec": "the format, and how Spark reads it",
}
"""Modules that share a name where their packages make the meaning plain, and why."""


def load_house() -> ModuleType:
    spec = importlib.util.spec_from_file_location("house", ROOT / "docs" / "house.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["house"] = module
    spec.loader.exec_module(module)
    return module


house = load_house()


def modules(source: Path) -> dict[str, ast.Module]:
    """The modules below a folder, parsed, by path."""
    paths = sorted(source.rglob("*.py"))
    return {path.relative_to(source).as_posix(): ast.parse(path.read_text(encoding="utf-8")) for path in paths}


def find_large_folders(source: Path) -> list[str]:
    """Rule 1: folders with more modules and packages than one can take in."""
    folders = [source, *(path.parent for path in source.rglob("__init__.py") if path.parent != source)]
    counted = {
        folder.relative_to(source).as_posix().removeprefix("."): len(house.members(folder)) for folder in folders
    }
    return sorted(f"{name}: {count}" for name, count in counted.items() if count > MOST and name not in MANY)


def find_shared_names(source: Path) -> list[str]:
    """Rule 2: public classes and functions, and modules, that share a name without a reason."""
    names, stems = defaultdict(set), defaultdict(set)
    for path, tree in modules(source).items():
        stem = path.rpartition("/")[2].removesuffix(".py")
        if not stem.startswith("_"):
            stems[stem].add(path)
        for node in tree.body:
            if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and node.name[0] != "_":
                names[node.name].add(path)
    shared = [f"{name}: {', '.join(sorted(places))}" for name, places in names.items()
              if len(places) > 1 and name not in SHARED_NAMES]  # fmt: skip
    alike = [f"{stem}.py: {', '.join(sorted(places))}" for stem, places in stems.items()
             if len(places) > 1 and stem not in SHARED_MODULES]  # fmt: skip
    return sorted([*shared, *alike])


def find_calls_from_elsewhere(source: Path) -> list[str]:
    """Rule 6: modules that call a compiled twin which does not lie beside them."""
    found = []
    for path, tree in modules(source).items():
        folder = path.rpartition("/")[0].removeprefix("kernels").removeprefix("/").replace("/", ".")
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "twin" and node.args:
                name = getattr(node.args[0], "value", "?")
                beside = path.startswith("kernels/") and str(name).rpartition(".")[0] == folder
                if isinstance(name, str) and not beside:
                    found.append(f"{path}: {name}")
    return sorted(set(found))


def test_folders_are_small() -> None:
    assert find_large_folders(SOURCE) == []


def test_one_name_is_one_thing() -> None:
    assert find_shared_names(SOURCE) == []


def test_every_reason_is_needed() -> None:
    names = [node.name for tree in modules(SOURCE).values() for node in tree.body if hasattr(node, "name")]
    stems = [path.rpartition("/")[2].removesuffix(".py") for path in modules(SOURCE)]
    assert [name for name in SHARED_NAMES if names.count(name) < 2] == []
    assert [stem for stem in SHARED_MODULES if stems.count(stem) < 2] == []


def test_compiled_code_is_called_from_beside_it() -> None:
    assert find_calls_from_elsewhere(SOURCE) == []


@pytest.mark.parametrize("package", [path.relative_to(SOURCE).as_posix() for path in house.packages()])
def test_the_docstring_of_a_package_is_its_map(package: str) -> None:
    text = house.docstring(SOURCE / package)
    assert sorted(house.mapped(text)) == house.members(SOURCE / package), "run python docs/house.py"
    assert text.strip() == house.map_of(SOURCE / package).strip(), "run python docs/house.py"


def test_the_table_of_rooms_is_that_of_the_maps() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    table = house.TABLE.search(text)
    assert table is not None
    assert table.group(0) == house.rooms_table(), "run python docs/house.py"


def test_the_documented_layouts_are_those_that_there_are() -> None:
    table = house.LAYOUT_TABLE.search((ROOT / "docs" / "formats.md").read_text(encoding="utf-8"))
    assert table is not None
    assert table.group(0) == house.layouts_table(), "run python docs/house.py"


def test_broken_rules_are_found(tmp_path: Path) -> None:
    for number in range(MOST + 1):
        path = tmp_path / "crowded" / f"m{number}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text("def read(): ...\n" if number < 2 else "")
    (tmp_path / "crowded" / "__init__.py").write_text('"""Rooms.\n\n- ``m0``: x\n"""\n')
    (tmp_path / "kernels" / "text").mkdir(parents=True)
    (tmp_path / "kernels" / "text" / "m0.py").write_text('twin("text._rows")\ntwin("pairs._rows")\n')
    assert find_large_folders(tmp_path) == [f"crowded: {MOST + 1}"]
    assert find_shared_names(tmp_path) == [
        "m0.py: crowded/m0.py, kernels/text/m0.py",
        "read: crowded/m0.py, crowded/m1.py",
    ]
    assert find_calls_from_elsewhere(tmp_path) == ["kernels/text/m0.py: pairs._rows"]
    assert "- ``m3``" in house.map_of(tmp_path / "crowded")
