"""Pages that are made: the manual, the design; and the checks of the site's links and words find what is wrong."""

from __future__ import annotations

import importlib.util
import shutil
import sys
from pathlib import Path
from types import ModuleType

import pytest

from stagg.cli.main import COMMANDS

DOCS = Path(__file__).resolve().parent.parent / "docs"


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"docs_{name}", DOCS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_every_command_has_a_manual_page_with_its_options() -> None:
    made = load("man_pages").pages()
    assert set(made) == {"stagg.1", *[f"stagg-{name}.1" for name in COMMANDS]}
    for name, text in made.items():
        assert text.startswith('.TH "STAGG'), name
        assert text.isprintable() or set(text) - set("\n") == {c for c in text if c.isprintable()}, name
        assert "\\-\\-help" in text, name
    assert "\\fB\\-m, \\-\\-method TEXT\\fR" in made["stagg-fuse.1"]


def test_every_shell_has_its_completions() -> None:
    made = load("man_pages").completions()
    assert set(made) == {"stagg.bash", "_stagg", "stagg.fish"}
    assert all("_STAGG_COMPLETE" in text for text in made.values())


def test_the_design_names_every_layer_and_follows_a_row_to_the_first_rank() -> None:
    design = load("design_page")
    names = [name for layer in design.layers() for name in layer]
    assert names[0] == "cli"
    assert names[-1] == "threads"
    page = design.page()
    assert all(f"| `{name}` | " in page for name in names)
    stations = {name: text for name, text, _ in design.walk()}
    assert stations["consensus"].endswith("rank 1 of 13")
    assert stations["output"].split()[3] == "1"


def test_a_broken_link_of_the_site_is_found(tmp_path: Path) -> None:
    links = load("links")
    page = tmp_path / "index.html"
    page.write_text(
        '<h2 id="here">x</h2><a href="#here">a</a><a href="index.html#here">b</a><a href="https://x.y">c</a>'
    )
    assert links.main(tmp_path) == 0
    for wrong in ("gone.html", "#gone", "index.html#gone"):
        links.load.cache_clear()
        page.write_text(f'<h2 id="here">x</h2><a href="{wrong}">a</a>')
        assert links.main(tmp_path) == 1, wrong


@pytest.mark.skipif(
    not shutil.which("proselint", path=str(Path(sys.executable).parent)), reason="proselint is not here: make prose"
)
def test_words_to_avoid_are_found_outside_of_code() -> None:
    prose = load("prose")
    text = prose.prose("Numpy is fine\n\n```python\nNumpy Numpy\n```\n\nuse `Numpy` at this point in time")
    assert [fault.line for fault in prose.by_house("page", text)] == [1]
    assert {fault.line for fault in prose.by_proselint({"page": text})} == {7}
