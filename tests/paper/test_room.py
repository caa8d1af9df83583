"""The package of the reproduction is a room of its own: take it away, and the rest of stagg still stands."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import stagg

SOURCE = Path(stagg.__file__).parent

WITHOUT = """
import importlib.abc, pkgutil, sys

class Gone(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name == "stagg.paper" or name.startswith("stagg.paper."):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Gone())
import importlib, stagg
from stagg.cli.main import main
for module in pkgutil.walk_packages(stagg.__path__, "stagg."):
    if module.name not in ("stagg.__main__", "stagg.paper") and not module.name.startswith("stagg.integrations."):
        importlib.import_module(module.name)
main(sys.argv[1:])
"""


def test_only_the_command_imports_it() -> None:
    importers = {
        path.relative_to(SOURCE).as_posix()
        for path in SOURCE.rglob("*.py")
        if re.search(r"stagg\.paper|stagg import paper", path.read_text(encoding="utf-8"))
    }
    assert {path for path in importers if not path.startswith("paper/")} == {"cli/commands/reproduce.py"}


def test_without_it_every_other_module_and_command_still_works() -> None:
    for arguments in (["--help"], ["methods"], ["demo", "--help"]):
        done = subprocess.run([sys.executable, "-c", WITHOUT, *arguments], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")
