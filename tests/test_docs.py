"""The documentation is true: code blocks and commands run, links lead somewhere, the tutorial says what it said."""

from __future__ import annotations

import doctest
import functools
import importlib.util
import inspect
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import click
import numpy as np
import pytest
from click.testing import CliRunner

import stagg
from stagg.cli.main import COMMANDS, cli

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"


def loaded(name: str) -> ModuleType:
    """A module of docs/, which is no package."""
    spec = importlib.util.spec_from_file_location(name, DOCS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@functools.cache
def pages() -> dict[str, str]:
    """Every page by its path: the README, what stands in docs/, and what is made from the registries."""
    written = {path: (ROOT / path).read_text(encoding="utf-8") for path in ("README.md", *WRITTEN)}
    made = {f"docs/{path}": text for path, text in loaded("generate").pages().items()}
    return {**written, **made}


WRITTEN = [path.relative_to(ROOT).as_posix() for path in DOCS.rglob("*.md")]
PAGES = sorted(["README.md", *WRITTEN, *[f"docs/{path}" for path in loaded("generate").paths()]])
each_page = pytest.mark.parametrize("page", PAGES)


def blocks(page: str, language: str) -> list[str]:
    """The code of all blocks of a page in a language; "" is a block that names none."""
    fences = re.findall(r"^( *)```(\w*)\n(.*?)^ *```$", pages()[page], re.MULTILINE | re.DOTALL)
    return [re.sub(f"^{indent}", "", code, flags=re.MULTILINE) for indent, found, code in fences if found == language]


# --- Python -----------------------------------------------------------------------------------------------------------

EXTRAS = {
    "ranx": "ranx",
    "pyterrier": "pyterrier",
    "langchain": "langchain_core",
    "llamaindex": "llama_index",
    "ir-measures": "ir_measures",
    "spark": "pyspark",
    "haystack": "haystack",
    "lancedb": "lancedb",
    "mteb": "mteb",
}
"""Extras whose packages live in an environment of their own: their blocks are run there, by ``make integrations``."""

MODULES = {"psycopg[binary]": "psycopg"}
"""What is imported under another name than it is installed; a hyphen is an underscore."""


def runs_here(block: str) -> bool:
    """Whether the packages are here that the first line of a block says to install.

    ``make integrations`` has all of them in its first environment but MTEB, which has the second for itself.
    """
    environment = os.environ.get("STAGG_INTEGRATIONS")
    needed = re.match(r'# pip install "stagg\[([\w-]+)\]"', block)
    if needed is not None and needed[1] in EXTRAS:
        return importlib.util.find_spec(EXTRAS[needed[1]]) is not None or (environment == "all" and needed[1] != "mteb")
    others = re.match(r"# pip install ([^\"\n]+)\n", block)
    if others is None:
        return environment != "mteb"
    modules = [MODULES.get(name, name).replace("-", "_") for name in others[1].split()]
    return environment == "all" or all(importlib.util.find_spec(name) is not None for name in modules)


@each_page
def test_python_blocks_run_and_print_what_their_comments_say(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if page == "docs/tutorial.md":
        return  # its blocks follow on each other: see the test of the notebook
    monkeypatch.chdir(tmp_path)
    for block in filter(runs_here, blocks(page, "python")):
        exec(compile(block, page, "exec"), {})
        promised = [c for c in re.findall(r"print\(.*\)\s+# (.*)$", block, re.MULTILINE) if "..." not in c]
        printed = capsys.readouterr().out.splitlines()
        assert all(promise in printed for promise in promised), (promised, printed)


def test_the_readme_shows_what_its_code_and_its_command_print(
    workshop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    by_code, by_command, by_comparison = blocks("README.md", "text")
    exec(compile(blocks("README.md", "python")[0], "README.md", "exec"), {})
    assert capsys.readouterr().out == by_code
    [command] = [block for block in blocks("README.md", "sh") if block.startswith("stagg fuse")]
    ended = CliRunner().invoke(cli, [*shlex.split(command)[1:], "--quiet", "--format", "table"])
    assert ended.stdout.split() == by_command.split()
    [command] = [block for block in blocks("README.md", "sh") if block.startswith("stagg compare")]
    words = CliRunner().invoke(cli, [*shlex.split(command)[1:], "--quiet"]).stdout.split()
    assert words[: len(by_comparison.split())] == by_comparison.split()


@each_page
def test_examples_print_what_is_shown(page: str) -> None:
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    for block in blocks(page, "pycon"):
        runner.run(doctest.DocTestParser().get_doctest(block, {}, page, page, 0))
    assert runner.failures == 0


def test_the_tutorial_says_what_it_said() -> None:
    """Its cells run in order, without Jupyter, which breaks long lines elsewhere; pictures are drawn, not compared."""
    pytest.importorskip("matplotlib")
    notebook = loaded("notebook")
    book = notebook.load(notebook.TUTORIAL)

    def texts(outputs: list[dict[str, Any]]) -> list[list[str]]:
        return [["image"] if "image/png" in each.get("data", {}) else notebook.said(each).split() for each in outputs]

    kept = [texts(cell["outputs"]) for cell in book["cells"] if cell["cell_type"] == "code"]
    assert kept == [texts(outputs) for outputs in notebook.run(book)], "run: python docs/notebook.py"
    assert [["image"]] in kept


# --- the reference ----------------------------------------------------------------------------------------------------


def test_the_reference_describes_every_public_name_of_the_package() -> None:
    page = pages()["docs/reference/python.md"]
    public = [f"{cls.__name__}.{name}" for cls in (stagg.Rankings, stagg.Hit, stagg.Labels) for name in methods_of(cls)]
    for name in [*stagg.__all__, *public]:
        own = name.rpartition(".")[2]
        assert re.search(rf"^##+ {re.escape(name)}$|^\| `{own}(\(\))?` \| \w|`stagg.{own}`", page, re.MULTILINE), name


def methods_of(cls: type) -> list[str]:
    return [
        name for name, each in vars(cls).items() if not name.startswith("_") and not inspect.ismemberdescriptor(each)
    ]


def test_every_command_has_a_page_with_all_of_its_options() -> None:
    for name in COMMANDS:
        page = pages()[f"docs/reference/commands/{name}.md"]
        command = cli.get_command(click.Context(cli), name)
        assert command is not None
        shown = [each for each in command.params if isinstance(each, click.Option) and not each.hidden]
        assert all(re.search(rf"^\| `[^`]*{each.opts[0]}\b.* \| \S", page, re.MULTILINE) for each in shown), name


# --- commands ---------------------------------------------------------------------------------------------------------

NOT_RUN = "# not run by the tests: "
"""How a block of commands begins that cannot be tried here; the rest of the line says why."""


@pytest.fixture
def workshop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with what the pages speak of: three runs with qrels, and five LETOR parts in a folder for each set."""
    for name in ("bm25.trec", "dense.trec", "sparse.trec", "qrels.txt"):
        shutil.copy(ROOT / "src" / "stagg" / "sample" / name, tmp_path / name)
    for folder in ("MQ2007-agg", "MQ2008-agg"):
        (tmp_path / folder).mkdir()
        for part in range(1, 6):
            (tmp_path / folder / f"A{part}.txt").write_text(letor_part(part), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def letor_part(part: int, items: int = 8, rankers: int = 21) -> str:
    """Three queries whose rankers see half of the items each; grades go down with the numbers of the items."""
    rng = np.random.default_rng(part)
    lines = []
    for query in range(3):
        noisy = np.argsort(np.argsort(np.arange(items) + 3 * rng.random((rankers, items)), axis=1), axis=1) + 1
        seen = rng.random((rankers, items)) < 0.5
        for item in range(items):
            cells = [f"{k + 1}:{noisy[k, item] if seen[k, item] else 'NULL'}" for k in range(rankers)]
            lines.append(f"{max(0, 2 - item)} qid:{part}{query} {' '.join(cells)} #docid = D{item}\n")
    return "".join(lines)


@each_page
def test_commands_work(page: str, workshop: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    """All of a page in one folder, in the order of the page."""
    for block in blocks(page, "sh"):
        if not block.startswith((NOT_RUN, "git clone", "make ")):
            for command in commands(block):
                status, said = by_stagg(command, capfdbinary) if plain(command) else by_shell(command)
                assert status == 0, f"{command}\n{said.decode()}"


def commands(block: str) -> list[str]:
    """The commands of a block; one that needs more of a shell than patterns of file names is one whole script."""
    lines = [line for line in block.replace("\\\n", " ").splitlines() if line.strip() and not line.startswith("#")]
    return lines if all(plain(line) or "<<" not in block for line in lines) else [block]


def plain(line: str) -> bool:
    """Whether a line is one command of stagg, without pipes and the like: it can do without a process of its own."""
    return line.startswith("stagg ") and not re.search(r"[|<>&$]", line.partition(" #")[0]) and "\n" not in line


def by_stagg(line: str, captured: pytest.CaptureFixture[bytes]) -> tuple[object, bytes]:
    from stagg.cli.main import main

    words = shlex.split(line, comments=True)[1:]
    arguments = [str(path) for word in words for path in globbed(word)]
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    return ended.value.code, captured.readouterr().err


def globbed(word: str) -> list[str]:
    found = sorted(str(path) for path in Path().glob(word)) if re.search(r"[*?]", word) and " " not in word else []
    return found or [word]


def by_shell(line: str) -> tuple[object, bytes]:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    ended = subprocess.run(["sh", "-euc", line], env={**os.environ, "PATH": path}, capture_output=True, timeout=120)
    return ended.returncode, ended.stderr


def test_the_workflow_of_the_page_on_pipelines_works(workshop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every command of the workflow file but the installation, in its order."""
    [workflow] = blocks("docs/howto/ci.md", "yaml")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(workshop / "step.md"))
    install, *steps = re.findall(r"run: (.*)$", workflow, re.MULTILINE)
    assert (install, len(steps)) == ("pip install git+REPOSITORY", 3)
    for command in steps:
        status, said = by_shell(command)
        assert status == 0, f"{command}\n{said.decode()}"
    assert (workshop / "step.md").read_text(encoding="utf-8").startswith("## stagg gate: PASS\n")
    (workshop / "new.trec").write_text("repot-an-orchid Q0 new-document 1 1 new\n", encoding="utf-8")
    assert [by_shell(command)[0] for command in steps[1:]] == [1, 0], "what stopped the gate is shown, too"
    assert "new-document" in (workshop / "step.md").read_text(encoding="utf-8")


def test_the_page_on_pipelines_shows_what_the_gate_prints(workshop: Path) -> None:
    [shown] = blocks("docs/howto/ci.md", "text")
    [block] = [block for block in blocks("docs/howto/ci.md", "sh") if "stagg gate" in block]
    for command in block.splitlines():
        printed = CliRunner().invoke(cli, [*shlex.split(command)[1:], "--quiet"]).stdout.split()
    assert printed[: len(shown.split())] == shown.split()


def test_the_page_on_judging_shows_what_each_step_of_the_loop_prints(workshop: Path) -> None:
    texts = iter(blocks("docs/howto/judging.md", "text"))
    for block in blocks("docs/howto/judging.md", "sh"):
        if "<<" in block:
            assert by_shell(block)[0] == 0
        else:
            printed = CliRunner().invoke(cli, [*shlex.split(block)[1:], "--quiet"]).stdout.split()
            assert printed == next(texts).split()
    assert next(texts, None) is None


def test_the_page_on_leaderboards_shows_what_is_printed(workshop: Path) -> None:
    [shown] = blocks("docs/howto/leaderboard.md", "text")
    table, _, command = blocks("docs/howto/leaderboard.md", "sh")[0].strip().rpartition("\n")
    assert by_shell(table)[0] == 0
    printed = CliRunner().invoke(cli, [*shlex.split(command)[1:], "--quiet"]).stdout.split()
    assert printed[: len(shown.split())] == shown.split()


def walk() -> list[str]:
    """The newcomer's walk, of "start in five minutes"."""
    [found] = [block.splitlines() for block in blocks("docs/start.md", "sh") if block.startswith("git clone")]
    return found


def test_the_newcomers_walk_works_on_what_is_installed_here(workshop: Path) -> None:
    """All but the clone and its installation, in whose place this environment stands."""
    (workshop / "stagg" / ".venv").mkdir(parents=True)
    (workshop / "stagg" / ".venv" / "bin").symlink_to(Path(sys.executable).parent)
    clone, install, *rest = walk()
    assert (clone, install, len(rest)) == ("git clone REPOSITORY stagg", "make -C stagg install", 3)
    for command in rest:
        status, said = by_shell(command)
        assert status == 0, f"{command}\n{said.decode()}"
    assert (workshop / "fused.trec").exists()
    assert "<html" in (workshop / "fused.html").read_text(encoding="utf-8")


@pytest.mark.skipif("STAGG_WALK" not in os.environ, reason="set STAGG_WALK to clone and install as a newcomer would")
def test_the_newcomers_walk_works_as_written(workshop: Path) -> None:
    """Nothing of this environment: a clone in an empty folder, no variables but HOME and the system's PATH."""
    script = "\n".join(walk()).replace("REPOSITORY", shlex.quote(str(ROOT)))
    bare = {"HOME": str(workshop), "PATH": "/usr/local/bin:/usr/bin:/bin"}
    ended = subprocess.run(["sh", "-eux"], input=script, text=True, env=bare, capture_output=True, timeout=1800)
    assert ended.returncode == 0, ended.stderr
    assert (workshop / "fused.html").exists()


@each_page
def test_targets_of_make_exist(page: str) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for block in blocks(page, "sh"):
        for target in re.findall(r"^make (?:-C \S+ )?([\w-]+)", block, re.MULTILINE):
            assert re.search(rf"^{target}:", makefile, re.MULTILINE), f"{page}: make {target}"


@each_page
def test_commands_that_are_only_shown_are_spelled_right(page: str) -> None:
    """Blocks without a language, and those marked as not run: their commands and options exist."""
    shown = [line for block in blocks(page, "") for line in block.replace("\\\n", " ").splitlines()]
    shown += [line for block in blocks(page, "sh") if block.startswith(NOT_RUN) for line in block.splitlines()]
    for words in (shlex.split(line, comments=True) for line in shown if line.startswith("stagg ")):
        command = cli.get_command(click.Context(cli), words[1])
        assert command is not None, words
        known = {option for each in command.params for option in each.opts}
        unknown = {word.partition("=")[0] for word in words if re.match(r"--?[a-z]", word)} - known
        assert not unknown, (words, unknown)


def test_few_blocks_are_not_run() -> None:
    marked = [page for page in PAGES for block in blocks(page, "sh") if block.startswith(NOT_RUN)]
    assert len(marked) <= 6, marked


def test_figures_of_the_advice_stand_in_the_pages_of_evidence() -> None:
    """A figure of three digits or more on "which method" was measured, and is still what the evidence says."""
    evidence = ["letor", "defaults", "supervised", "performance", "reproduction", "collections", "trees"]
    measured = {each.lstrip("0") for name in evidence for each in figures(f"docs/{name}.md")}
    assert {each.lstrip("0") for each in figures("docs/which_method.md")} <= measured


def figures(page: str) -> list[str]:
    tables = "\n".join(line for line in pages()[page].splitlines() if line.startswith("|"))
    return re.findall(r"\d?\.\d{3,}", tables)


# --- links ------------------------------------------------------------------------------------------------------------


def links(page: str) -> Iterator[tuple[str, str]]:
    """Where the links of a page lead within the documentation: path and anchor."""
    text = re.sub(r"^( *)```.*?^ *```$|`[^`\n]*`", "", pages()[page], flags=re.MULTILINE | re.DOTALL)
    for target, anchor in re.findall(r"\]\(([^)#:\s]*)(?:#([^)\s]*))?\)", text):
        yield os.path.normpath(Path(page).parent / target) if target else page, anchor


def anchors(page: str) -> set[str]:
    """What the headlines of a page are called, as mkdocs and GitHub make them."""
    heads = re.findall(r"^#+ (.*)$", pages()[page], re.MULTILINE)
    return {re.sub(r"[\s-]+", "-", re.sub(r"[^\w\s-]", "", head).strip().lower()) for head in heads}


@each_page
def test_links_between_pages_lead_somewhere(page: str) -> None:
    for target, anchor in links(page):
        assert target in pages() or (ROOT / target).exists(), f"{page} links to {target}"
        assert not anchor or anchor in anchors(target), f"{page} links to {target}#{anchor}"


def test_the_readme_links_only_to_what_a_clone_has() -> None:
    assert [target for target, _ in links("README.md") if not (ROOT / target).exists()] == []


# --- pictures ---------------------------------------------------------------------------------------------------------


def test_pictures_are_what_the_package_draws_today() -> None:
    pytest.importorskip("matplotlib")
    for name, drawn in loaded("pictures").drawings().items():
        assert (DOCS / "pictures" / name).read_bytes() == drawn, f"{name}: run python docs/pictures.py"


def test_pictures_are_small() -> None:
    assert max(path.stat().st_size for path in (DOCS / "pictures").iterdir()) < 150_000
