"""Packages that add methods: the one of the documentation, installed as written, and broken ones."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from stagg.errors import DataWarning, UnknownName
from stagg.methods import METHODS, Method
from stagg.registry import Registry
from tests.command_line import runner

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "howto" / "extend.md"
SAMPLE = ROOT / "src" / "stagg" / "sample"

Install = Callable[..., None]


def block(language: str, holding: str) -> str:
    """The code block of the page in a language that holds a text."""
    found = re.findall(rf"^```{language}\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    [code] = [each for each in found if holding in each]
    return str(code)


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The variables of a process that has the package of the page, built and installed by pip."""
    folder = tmp_path_factory.mktemp("written") / "stagg-shout"
    folder.mkdir()
    (folder / "pyproject.toml").write_text(block("toml", "entry-points"), encoding="utf-8")
    (folder / "stagg_shout.py").write_text(block("python", "class Shout"), encoding="utf-8")
    target = tmp_path_factory.mktemp("installed")
    options = [
        "--quiet",
        "--no-index",
        "--no-deps",
        "--no-build-isolation",
        "--disable-pip-version-check",
        "--no-input",
    ]
    command = [sys.executable, "-m", "pip", "install", *options, "--target", str(target), str(folder)]
    ended = subprocess.run(command, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    paths = [str(target), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}


def run_stagg(environment: dict[str, str], folder: Path, *arguments: str) -> str:
    command = [sys.executable, "-m", "stagg", *arguments]
    ended = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def test_the_package_of_the_page_is_found_by_the_command_line(environment: dict[str, str], tmp_path: Path) -> None:
    listed = json.loads(run_stagg(environment, tmp_path, "methods", "--json"))["rows"]
    [row] = [row for row in listed if row["method"] == "shout"]
    assert row["usage"] == "shout(loud=3)"
    assert row["summary"] == "Every list shouts its first items, and whispers the others."
    assert listed.index(row) >= len(METHODS)  # ours first


def test_the_commands_of_the_page_work(environment: dict[str, str], tmp_path: Path) -> None:
    for path in SAMPLE.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    lines = [line for line in block("sh", "pip install ./stagg-shout").splitlines() if line.startswith("stagg ")]
    said = [run_stagg(environment, tmp_path, *shlex.split(line)[1:]) for line in lines]
    assert said[0].startswith("shout(loud=3)\n\nEvery list shouts")
    fused = (tmp_path / "fused.trec").read_text(encoding="utf-8").splitlines()
    assert fused
    assert {line.split()[5] for line in fused} == {"stagg-shout"}
    assert "shout(loud=2)" in said[2]


def test_the_library_finds_it_too(environment: dict[str, str]) -> None:
    code = "import stagg; print(stagg.fuse([['a', 'b', 'c'], ['c', 'a']], 'SHOUT(1)').best_first())"
    ended = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
    assert ended.stdout == "['c', 'a', 'b']\n", ended.stderr


# --- what another package can get wrong -------------------------------------------------------------------------------


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Make a package with entry points as pip would leave it, on the path of this process."""
    monkeypatch.syspath_prepend(tmp_path)

    def put(package: str, points: str, module: str, code: str = "") -> None:
        (tmp_path / f"{module}.py").write_text(textwrap.dedent(code), encoding="utf-8")
        info = tmp_path / f"{package.replace('-', '_')}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n", encoding="utf-8")
        (info / "entry_points.txt").write_text(f"[stagg.methods]\n{points}\n", encoding="utf-8")

    return put


GOOD = """
from stagg.methods import Positional

class Good(Positional):
    '''A good one.'''
    name = "good"
    def gains(self, rankings):
        return -rankings.positions.astype(float)
"""
PARAMETER_WITHOUT_DEFAULT = """
import dataclasses
from stagg.methods import Positional

@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class Bad(Positional):
    name = "bad"
    size: int
    def gains(self, rankings):
        return rankings.positions
"""
BROKEN = {
    "an import that fails": ("import no_such_module", "ModuleNotFoundError: No module named 'no_such_module'"),
    "a module that raises": ("1 / 0", "ZeroDivisionError"),
    "code that is none": ("class Bad(", "SyntaxError"),
    "no such class": ("Good = 1", "AttributeError: .*'Bad'"),
    "no class": ("Bad = 'a text'", "is not a class that derives from Method"),
    "a class of another kind": ("class Bad: name = 'bad'", "is not a class that derives from Method"),
    "another name": (GOOD.replace("Good", "Bad"), "the entry point is named 'bad', its class 'good'"),
    "a method without a score": (
        "from stagg.methods import Positional\nclass Bad(Positional): name = 'bad'",
        "TypeError: Can't instantiate abstract class Bad",
    ),
    "no name": (
        "from stagg.methods import Positional\nclass Bad(Positional):\n    def gains(self, r): return r.positions",
        "AttributeError: .*'name'",
    ),
    "a parameter without default": (PARAMETER_WITHOUT_DEFAULT, "TypeError: .*'size'"),
}


@pytest.mark.parametrize("fault", BROKEN)
def test_a_broken_package_harms_no_other_and_is_named(install: Install, fault: str) -> None:
    code, message = BROKEN[fault]
    module = f"broken_{list(BROKEN).index(fault)}"
    install("stagg-broken", f"bad = {module}:Bad", module, code)
    install("stagg-good", f"good = good_{module}:Good", f"good_{module}", GOOD)
    registry = Registry("method", list(METHODS), plugins=Method)
    assert registry.parse("rrf(60)") == METHODS.parse("rrf(c=60)")
    assert registry.parse("good").summary() == "A good one."
    with pytest.raises(UnknownName, match=f"cannot use the method 'bad' of stagg-broken: .*{message}"):
        registry.parse("bad")
    with pytest.warns(DataWarning, match=f"cannot use the method 'bad' of stagg-broken: .*{message}"):
        installed = registry.list_installed()
    assert [cls.name for cls in installed if cls.name in ("borda", "bad", "good")] == ["borda", "good"]
    assert "good" not in registry.names()  # laws and pages are about our own


def test_the_command_line_lists_the_others_and_warns(
    install: Install, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    install("stagg-broken", "bad = broken_listed:Bad", "broken_listed", "1 / 0")
    run = runner(capfdbinary)
    listed = run("methods", "--json")
    assert listed.code == 0
    assert len(json.loads(listed.out)["rows"]) >= len(METHODS)
    assert "stagg: warning: cannot use the method 'bad' of stagg-broken: ZeroDivisionError" in listed.err
    asked = run("methods", "bad")
    assert asked.code == 2
    assert "stagg: error: cannot use the method 'bad' of stagg-broken: ZeroDivisionError" in asked.err


def test_our_own_name_stays_ours(install: Install) -> None:
    install("stagg-clash", "rrf = clash:Good", "clash", GOOD.replace("good", "rrf"))
    registry = Registry("method", list(METHODS), plugins=Method)
    assert registry["rrf"] is METHODS["rrf"]
    with pytest.warns(DataWarning, match="cannot use the method 'rrf' of stagg-clash: stagg has a method of that name"):
        assert [cls for cls in registry.list_installed() if cls.name == "rrf"] == [METHODS["rrf"]]


def test_a_name_of_two_packages_is_nobodys(install: Install) -> None:
    install("stagg-one", "good = one_good:Good", "one_good", GOOD)
    install("stagg-two", "good = two_good:Good", "two_good", GOOD)
    registry = Registry("method", list(METHODS), plugins=Method)
    with pytest.raises(
        UnknownName, match="'good' of stagg-one and stagg-two: several packages add it; uninstall all but one"
    ):
        registry.parse("good")


def test_a_name_must_be_lower_case_and_near_names_include_what_is_installed(install: Install) -> None:
    install("stagg-loud", "Good = loud_good:Good", "loud_good", GOOD.replace('"good"', '"Good"'))
    registry = Registry("method", list(METHODS), plugins=Method)
    with pytest.raises(UnknownName, match="'good' of stagg-loud: the name 'Good' must be made of lower-case"):
        registry.parse("good")
    with pytest.raises(UnknownName, match="unknown method 'godo'; did you mean 'good'"):
        registry.parse("godo")


def test_a_registry_that_takes_no_plugins_reads_none(install: Install) -> None:
    install("stagg-good", "good = closed_good:Good", "closed_good", GOOD)
    registry = Registry("method", list(METHODS))
    assert registry.list_installed() == list(METHODS)
    with pytest.raises(UnknownName, match="unknown method 'good'"):
        registry.parse("good")
