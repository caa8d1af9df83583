"""JSON: levels of keys, repeated keys with their lines, numbers that are none, and what is no ranking."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from stagg import DataError, Rankings, StaggError, read, write
from stagg.data.inputs.construct import from_lists
from stagg.formats import ReadLog


def read_json(tmp_path: Path, text: str, **options: Any) -> tuple[Rankings, ReadLog]:
    log = ReadLog()
    (tmp_path / "x.json").write_text(text)
    return read(tmp_path / "x.json", log=log, **options), log


@pytest.mark.parametrize(
    ("text", "options", "expected", "understood"),
    [
        ('{"a": 1, "b": 2.5}', {}, {"1": {"x": [["b"], ["a"]]}}, "{item: number}"),
        ('{"a": 1, "b": 2.5}', {"outer": "ranker"}, {"1": {"x": [["b"], ["a"]]}}, "{item: number}"),
        ('{"a": 1, "b": 2}', {"values": "rank"}, {"1": {"x": [["a"], ["b"]]}}, "{item: number}"),
        ('{"q": {"a": 1, "b": 1}}', {}, {"q": {"x": [["a", "b"]]}}, "{query: {item: number}}"),
        ('{"r": {"a": 1, "b": 2}}', {"outer": "ranker"}, {"1": {"r": [["b"], ["a"]]}}, "{ranker: {item: number}}"),
        ('{"q": {"r": {"a": 1}, "s": {"b": 2}}}', {}, {"q": {"r": [["a"]], "s": [["b"]]}},
         "{query: {ranker: {item: number}}}"),
        ('{"r": {"q": {"a": 1}, "p": {"b": 2}}}', {"outer": "ranker"}, {"q": {"r": [["a"]]}, "p": {"r": [["b"]]}},
         "{ranker: {query: {item: number}}}"),
    ],
)  # fmt: skip
def test_the_levels_of_keys_are_queries_rankers_and_items(
    text: str, options: dict[str, Any], expected: dict[str, Any], understood: str, tmp_path: Path
) -> None:
    found, log = read_json(tmp_path, text, **options)
    assert found.to_lists() == expected
    assert log.readings[0].layout == understood


@pytest.mark.parametrize(
    ("text", "line", "told"),
    [
        ('{"q": {"a": 1},\n"p": {"a": 1},\n"q": {"b": 1}}', 3, "the query 'q' appears twice: lines 1 and 3"),
        ('{"q": {"r": {"a": 1}},\n"p": {"r": {"a": 1},\n"s": {"a": 1},\n"r": {"b": 1}}}', 4,
         "the ranker 'r' appears twice: lines 2 and 4; join or rename them"),
        ('{"q": {"a": 1,\n"b": 2},\n"p": {"b": 2,\n"c": "x"}}', 4,
         "expected a finite number for item 'c', found the text 'x'"),
        ('{"q": {"a": 1,\n"b": NaN}}', 2, "nan"),
        ('{"q": {"a": 1},\n"p": 3}', 2, "found 3 for query 'p'"),
        ('{"q": {"r": {"a": 1}},\n"p": {"r": {"a": 1},\n"s": 3}}', 3,
         "expected a ranker's {item: number} for 's', as elsewhere, found 3"),
        ('{"q": {"a": 1,\n"b": 2,\n"a": 3}}', 3, "'a'"),
        ('"text"', 1, "expected {query: {item: number}} or {query: {ranker: {item: number}}}, found the text 'text'"),
        ('{"q": {"a": 1},\n}', 2, "this is not JSON"),
        ('{"query": {"0": "q"}, "item": {"0": "a"}, "score": {"0": 1}}', 1, "write it with orient='records'"),
    ],
)  # fmt: skip
def test_what_is_no_ranking_is_told_with_its_line(text: str, line: int, told: str, tmp_path: Path) -> None:
    with pytest.raises(DataError) as caught:
        read_json(tmp_path, text)
    assert told in str(caught.value)
    assert caught.value.line == line


def test_bad_numbers_and_repeated_items_are_left_out_and_counted(tmp_path: Path) -> None:
    text = '{"q": {"a": 1, "b": "x", "c": 2, "d": null},\n"p": {"a": NaN, "b": 3, "b": 4, "c": 3.5}}'
    found, log = read_json(tmp_path, text, lenient=True)
    assert found.to_lists() == {"q": {"x": [["c"], ["a"]]}, "p": {"x": [["b"], ["c"]]}}
    assert log.rows_dropped + log.rows_used == 8
    assert log.rows_used == 4


def test_keys_and_brackets_inside_texts_do_not_shift_the_lines(tmp_path: Path) -> None:
    text = '{"q\\"{": {"a]": 1,\n"b": 2},\n"p": {"b": 2,\n"c}": "x"}}'
    with pytest.raises(DataError) as caught:
        read_json(tmp_path, text)
    assert caught.value.line == 4


def test_numbers_of_voters_are_refused_before_anything_is_written(tmp_path: Path) -> None:
    with pytest.raises(StaggError):
        write(from_lists([["a", "b"], ["b"]]).replace(multiplicities=[2, 1]), tmp_path / "x.json")
    assert not (tmp_path / "x.json").exists()


def test_what_is_written_comes_back_and_has_a_line_for_each_query(tmp_path: Path) -> None:
    given = {"q": {"r": {"b": 2.5, "a": 1}, "s": {"a": 0.1}}, "p": {"r": {"c": 3}}}
    found, _ = read_json(tmp_path, json.dumps(given))
    write(found, tmp_path / "y.json")
    assert json.loads((tmp_path / "y.json").read_text()) == given
    assert (tmp_path / "y.json").read_text().splitlines()[0] == "{"
    assert len((tmp_path / "y.json").read_text().splitlines()) == 4
    silent = found.take_queries([1])
    write(silent, tmp_path / "z.json")
    assert json.loads((tmp_path / "z.json").read_text()) == {"p": {"r": {"c": 3}, "s": {}}}
    assert read(tmp_path / "z.json") == silent
