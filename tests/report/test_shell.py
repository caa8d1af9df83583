"""The shell of a page: its policy, its bytes, and how it is written."""

from __future__ import annotations

import base64
import hashlib
import re
from pathlib import Path

import pytest

from stagg.errors import DataError
from stagg.report import Section, figure, page, write_page
from stagg.report.markup import Html
from tests.report.hostile import HOSTILE, SCRIPT


def digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def test_only_the_pages_own_style_and_script_may_run() -> None:
    text = page(SCRIPT, [], data={"data": list(HOSTILE)})
    policy = re.findall(r'Content-Security-Policy" content="([^"]*)"', text)[0]
    scripts = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    styles = re.findall(r"<style>(.*?)</style>", text, re.DOTALL)
    assert len(scripts) == len(styles) == 1
    assert policy.split("; ") == [
        "default-src 'none'",
        f"script-src '{digest(scripts[0])}'",
        f"style-src '{digest(styles[0])}'",
        "img-src data:",
        "base-uri 'none'",
        "form-action 'none'",
    ]


def test_titles_facts_and_notes_are_text() -> None:
    section = Section(SCRIPT, figure(SCRIPT, Html(""), caption=SCRIPT), SCRIPT)
    text = page(SCRIPT, [section, section], facts=[(SCRIPT, SCRIPT)], notes=[SCRIPT], data={"data": SCRIPT})
    assert SCRIPT not in text
    assert text.count("&lt;script&gt;alert(1)&lt;/script&gt;") == 15


def test_a_page_asks_for_nothing_from_elsewhere() -> None:
    text = page("A page", [Section("One", Html("<p>x</p>")), Section("Two", Html(""))])
    assert set(re.findall(r"""(?:src|href)\s*=\s*(\S{6})""", text)) == {'"data:', '"#s1">', '"#s2">'}
    assert not re.findall(r"url\(|@import|fetch\(|XMLHttpRequest|innerHTML|\bon\w+=", text)


def test_a_page_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    target = tmp_path / "page.html"
    write_page(target, "old")
    with pytest.raises(UnicodeEncodeError):
        write_page(target, "\ud800")
    assert target.read_text() == "old"
    write_page(target, "new")
    assert target.read_text() == "new"
    assert [path.name for path in tmp_path.iterdir()] == ["page.html"]
    with pytest.raises(DataError, match="cannot be written"):
        write_page(tmp_path / "no" / "page.html", "x")
