"""Pages that are made: the manual, the design, the Markdown for programs; the checks of links and words find faults."""

from __future__ import annotations

import functools
import importlib.util
import re
import shutil
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from stagg.cli.main import COMMANDS

DOCS = Path(__file__).resolve().parent.parent / "docs"


@functools.cache
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


def test_a_broken_link_of_the_markdown_and_of_llms_txt_is_found(tmp_path: Path) -> None:
    links = load("links")
    (tmp_path / "a.html").write_text('<h2 id="here">x</h2><a href="a.md">Markdown</a>')
    (tmp_path / "a.md").write_text("## x\n\n[b](#here), [c](a.md#here), `[not](code)`\n\n```\n[nor](here)\n```\n")
    (tmp_path / "llms.txt").write_text("- [a](a.md): a page\n")
    assert links.main(tmp_path) == 0
    for name in ("a.md", "llms.txt"):
        right = (tmp_path / name).read_text()
        for wrong in ("gone.md", "a.md#gone", "pictures/gone.svg"):
            links.load.cache_clear()
            (tmp_path / name).write_text(f"{right}[d]({wrong})\n")
            assert links.main(tmp_path) == 1, (name, wrong)
        (tmp_path / name).write_text(right)


# --- what programs read -----------------------------------------------------------------------------------------------


def navigation() -> list[Any]:
    """The navigation of the site, with the pages that are made."""
    yaml = pytest.importorskip("yaml")
    settings = yaml.safe_load((DOCS.parent / "mkdocs.yml").read_text(encoding="utf-8"))
    config = load("generate").on_config(SimpleNamespace(nav=settings["nav"]))
    return list(config.nav)


def paths_of(nav: Any) -> set[str]:
    """Every path that a navigation names, however deep."""
    if isinstance(nav, str):
        return {nav}
    return set().union(*map(paths_of, nav.values() if isinstance(nav, dict) else nav))


def test_every_page_of_the_navigation_is_listed_for_programs_and_what_is_listed_exists(tmp_path: Path) -> None:
    nav, pages = navigation(), load("generate").all_pages()
    load("llms").write(tmp_path, nav, pages, "stagg")
    text = (tmp_path / "llms.txt").read_text(encoding="utf-8")
    title, empty, summary, *_ = text.splitlines()
    assert (title, empty, summary[:2]) == ("# stagg", "", "> ")
    listed = re.findall(r"^- \[[^\]]+\]\(([^)]+)\): \S.*[^:]$", text, re.MULTILINE)
    assert len(listed) == len(set(listed)) == text.count("\n- ")
    assert set(listed) == paths_of(nav)
    assert [path for path in listed if not (tmp_path / path).is_file()] == []
    assert re.findall(r"^## (.*)$", text, re.MULTILINE) == [*[next(iter(entry)) for entry in nav], "Optional"]


def test_the_markdown_for_programs_is_the_text_of_the_page_and_its_links_hold(tmp_path: Path) -> None:
    pages = load("generate").all_pages()
    shutil.copytree(DOCS / "pictures", tmp_path / "pictures")
    load("llms").write(tmp_path, navigation(), pages, "stagg", "https://example.org/stagg/")
    assert "](https://example.org/stagg/howto/judging.md): " in (tmp_path / "llms.txt").read_text(encoding="utf-8")
    judging = (tmp_path / "howto" / "judging.md").read_text(encoding="utf-8")
    assert judging == (DOCS / "howto" / "judging.md").read_text(encoding="utf-8")
    assert "base64" not in (tmp_path / "tutorial.md").read_text(encoding="utf-8")
    links = load("links")
    for path in tmp_path.rglob("*.md"):
        targets = [target.partition("#")[0] for target in links.load(path).targets if ":" not in target]
        assert [target for target in targets if not (path.parent / target).exists()] == [], path


def test_the_head_of_a_page_names_its_markdown() -> None:
    page = SimpleNamespace(file=SimpleNamespace(src_uri="howto/judging.md"))
    head = load("generate").on_post_page("<head><title>x</title></head><body></head>", page, None)
    assert 'type="text/markdown" title="Markdown" href="judging.md"></head><body></head>' in head


def test_the_line_about_a_page_is_its_first_prose() -> None:
    first = load("llms").first_paragraph
    assert (
        first("# A\n\n`rrf(c=60)`\n\nIt **adds** up [ranks](x.md).\nSo do: this.\n\nMore.")
        == "It adds up ranks. So do: this."
    )
    assert first("# A\n\n![b](c.svg)\n\n```sh\nstagg\n\nfuse\n```\n\nTwo ways. You see:\n\n| a |") == "Two ways."
    assert first("# A\n\n| a |") == ""


@pytest.mark.skipif(
    not shutil.which("proselint", path=str(Path(sys.executable).parent)), reason="proselint is not here: make prose"
)
def test_words_to_avoid_are_found_outside_of_code() -> None:
    prose = load("prose")
    text = prose.prose("Numpy is fine\n\n```python\nNumpy Numpy\n```\n\nuse `Numpy` at this point in time")
    assert [fault.line for fault in prose.by_house("page", text)] == [1]
    assert {fault.line for fault in prose.by_proselint({"page": text})} == {7}
