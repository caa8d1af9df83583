"""Hostile text in markup, attributes and scripts."""

from __future__ import annotations

import html
import json
import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stagg.report.markup import LONGEST, clean, escaped, isolate, json_text, quoted, shorten, shorten_apart
from tests.report.hostile import HOSTILE


class Tags(HTMLParser):
    """What a parser of HTML sees: the tags, and the text between them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.text = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.text += data


@given(st.text() | st.sampled_from(HOSTILE))
def test_markup_of_a_text_is_that_text_and_no_tag(text: str) -> None:
    seen = Tags(isolate(text))
    assert seen.tags == ["bdi"]
    assert seen.text == clean(text)
    assert not re.search("[<>\"']", escaped(text))


@given(st.recursive(st.text() | st.sampled_from(HOSTILE) | st.integers(), lambda inner: st.lists(inner, max_size=4)))
def test_json_in_a_script_reads_back_and_cannot_end_the_script(value: object) -> None:
    text = json_text(value)
    assert json.loads(text) == value
    assert not re.search("[<>&\u2028\u2029]", text)


@given(st.text())
def test_what_is_clean_can_be_written_and_has_no_control_characters(text: str) -> None:
    shown = clean(text)
    shown.encode("utf-8")
    assert not re.search("[\x00-\x1f\x7f-\x9f\u2028\u2029]", shown)


def test_a_monstrous_id_is_cut_and_says_so() -> None:
    text = clean("x" * 1_000_000)
    assert len(text) < LONGEST + 50
    assert text.endswith("… (1,000,000 characters)")
    assert clean("x" * LONGEST) == "x" * LONGEST


def test_direction_is_isolated_in_markup_and_in_plain_text() -> None:
    assert isolate("\u202eabc") == "<bdi>\u202eabc</bdi>"
    assert quoted("\u202eabc") == "\u2068\u202eabc\u2069"


@pytest.mark.parametrize("text", HOSTILE[:6])
def test_escaping_is_that_of_the_standard_library(text: str) -> None:
    assert html.unescape(escaped(text)) == text


@given(st.lists(st.text(max_size=30), min_size=1, max_size=6), st.integers(1, 12))
def test_names_that_are_cut_fit_and_differ_where_some_cut_lets_them(names: list[str], most: int) -> None:
    cut = shorten_apart(names, most)
    assert all(len(text) <= most for text in cut)
    assert all(text == name for text, name in zip(cut, names, strict=True) if len(name) <= most)
    ways = [[shorten(name, most, front) for name in names] for front in range(most)]
    assert len(set(cut)) == max(len(set(way)) for way in ways)
