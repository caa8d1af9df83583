"""The documentation is true: generated pages are up to date, code blocks of README and docs run."""

from __future__ import annotations

import importlib.util
import os
import re
import shlex
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


EXTRAS = {
    "ranx": "ranx",
    "pyterrier": "pyterrier",
    "langchain": "langchain_core",
    "llamaindex": "llama_index",
    "ir-measures": "ir_measures",
}
"""Extras whose packages live in an environment of their own: their blocks are run there, by ``make integrations``."""


def runs_here(block: str) -> bool:
    """Whether the package is here that the first line of a block says to install."""
    needed = re.match(r'# pip install "stagg\[([\w-]+)\]"', block)
    if needed is None or needed[1] not in EXTRAS or os.environ.get("STAGG_INTEGRATIONS") == "all":
        return True
    return importlib.util.find_spec(EXTRAS[needed[1]]) is not None


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python_blocks_run_and_print_what_their_comments_say(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for block in filter(runs_here, blocks(page, "python")):
        exec(compile(block, str(page), "exec"), {})
        promised = [c for c in re.findall(r"print\(.*\)\s+# (.*)$", block, re.MULTILINE) if "..." not in c]
        printed = capsys.readouterr().out.splitlines()
        assert all(promise in printed for promise in promised), (promised, printed)


def test_the_commands_of_the_readme_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    from stagg.cli.main import main

    monkeypatch.chdir(tmp_path)
    lines = [line for block in blocks(ROOT / "README.md", "sh") for line in block.splitlines()]
    commands = [shlex.split(line, comments=True) for line in lines if line.startswith("stagg ")]
    assert len(commands) >= 6
    for command in commands:
        arguments = [
            str(path) for word in command[1:] for path in (sorted(Path().glob(word)) if "*" in word else [word])
        ]
        with pytest.raises(SystemExit) as ended:
            main(arguments)
        assert ended.value.code == 0, (command, capfdbinary.readouterr().err)


def test_the_methods_page_is_up_to_date() -> None:
    spec = importlib.util.spec_from_file_location("generate", ROOT / "docs" / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    generate = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generate)
    assert generate.TARGET.read_text(encoding="utf-8") == generate.page(), "run: make docs"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), f"{page.name} links to {target}"
