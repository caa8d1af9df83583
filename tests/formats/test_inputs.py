"""One test per row of INPUTS: what every kind of input gets, word for word where an error names its place."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import os
import re
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard

from stagg import DataError, InvalidParameter, Labels, MissingExtra, Rankings, fuse, read, read_labels, write
from stagg.cli.main import main
from stagg.formats import FORMATS, ReadLog, ReadOptions, load
from stagg.formats.inputs import Inputs, open_reading
from stagg.formats.parts.chunks import Whole
from stagg.formats.storage.source import BLOCK
from stagg.formats.tables.sources.csv import Csv
from stagg.kernels.text import records
from stagg.say import Say

# The same two queries in every format of text: q1 is a > b, q2 is b.
PLAIN = {
    "x.trec": "q1 Q0 a 1 2.5 tag\nq1 Q0 b 2 1 tag\nq2 Q0 b 1 3 tag\n",
    "x.letor": "1 qid:q1 1:1 #docid = a\n0 qid:q1 1:2 #docid = b\n0 qid:q2 1:1 #docid = b\n",
    "x.csv": "query,item,rank,score\nq1,a,1,2.5\nq1,b,2,1\nq2,b,1,3\n",
    "x.tsv": "query\titem\trank\tscore\nq1\ta\t1\t2.5\nq1\tb\t2\t1\nq2\tb\t1\t3\n",
    "x.json": '{"q1": {"a": 2.5, "b": 1},\n "q2": {"b": 3}}\n',
    "x.soc": "# NUMBER ALTERNATIVES: 2\n# NUMBER VOTERS: 4\n3: 1,2\n1: 2,1\n",
}
BY_LINES = [name for name in PLAIN if name != "x.json"]
GOOD_NUMBERS = ["12.5", "-3e-2", "+1", ".5", "5.", "1E3", "0007"]
BAD_NUMBERS = ["nan", "inf", "-Infinity", "1e400", "abc", "5;50", "0x10", "1_0", "١٢", "１", "--1", "1e", "."]


@pytest.fixture
def put(tmp_path: Path) -> Callable[[str, str | bytes], Path]:
    """Writes a file and gives its path."""

    def written(name: str, content: str | bytes) -> Path:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return written


Put = Callable[[str, str | bytes], Path]


def failure(path: Path, **options: Any) -> str:
    """What the reader says, without the path of the test's folder."""
    with pytest.raises(DataError) as caught:
        read(path, log=ReadLog(), **options)
    return str(caught.value).replace(f"{path.parent}/", "")


def noticed(path: Path | list[Path], **options: Any) -> tuple[Rankings, ReadLog]:
    log = ReadLog()
    return read(path, log=log, **options), log


def plain(put: Put, name: str) -> Rankings:
    return read(put(name, PLAIN[name]))


# --- harmless ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PLAIN)
@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.removesuffix("\n"),
        lambda text: text.replace("\n", "\n \t\r\n\n"),
        lambda text: "\n\n" + text,
    ],
    ids=["crlf", "no final newline", "blank lines", "blank first lines"],
)
def test_line_ends_and_blank_lines_are_accepted(put: Put, name: str, change: Callable[[str], str]) -> None:
    expected = plain(put, name)
    found, log = noticed(put(name, change(PLAIN[name])))
    assert found == expected
    assert not log.notes
    assert not log.rows_dropped


@pytest.mark.parametrize("name", ["x.trec", "x.letor", "x.soc"])
@pytest.mark.parametrize("blanks", ["\t", "   ", " \t "])
def test_tabs_and_runs_of_blanks_are_accepted(put: Put, name: str, blanks: str) -> None:
    expected = plain(put, name)
    assert read(put(name, blanks + PLAIN[name].replace(" ", blanks).replace("\n", f"{blanks}\n"))) == expected


@pytest.mark.parametrize("name", ["x.trec", "x.letor", "x.csv", "x.tsv"])
def test_unsorted_rows_and_interleaved_queries_are_accepted(put: Put, name: str) -> None:
    expected = plain(put, name)
    *header, one, two, three = PLAIN[name].splitlines(keepends=True)
    assert read(put(name, "".join([*header, two, three, one]))) == expected


@pytest.mark.parametrize("name", PLAIN)
def test_a_byte_order_mark_is_left_out_and_said_once(put: Put, name: str) -> None:
    expected = plain(put, name)
    found, log = noticed(put(name, b"\xef\xbb\xbf" + PLAIN[name].encode()))
    assert found == expected
    assert [note.partition("/" + name)[2] for note in log.notes] == [": a byte-order mark (UTF-8) was left out"]


@pytest.mark.parametrize("name", PLAIN)
@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_is_an_error_that_says_so_and_is_read_when_named(put: Put, name: str, encoding: str) -> None:
    expected = plain(put, name)
    path = put(name, ("\ufeff" + PLAIN[name]).encode(encoding))
    message = "the file is UTF-16; convert it to UTF-8, or say encoding='utf-16'"
    assert failure(path) == f"{name}:1: {message}"
    assert read(path, encoding="utf-16") == expected
    found, log = noticed(path, encoding=encoding)
    assert found == expected
    assert len(log.notes) == 1


def test_other_encodings_are_read_when_named_and_unknown_ones_refused(put: Put) -> None:
    path = put("x.trec", "q1 Q0 é 1 2 t\n".encode("latin-1"))
    assert read(path, encoding="latin-1").items == ("é",)
    with pytest.raises(InvalidParameter, match="no text encoding 'klingon'"):
        read(path, encoding="klingon")


# --- lines that are no rows -------------------------------------------------------------------------------------------

GARBAGE = {
    "x.trec": "expected 6 columns (query Q0 item rank score tag), found 2: 'some garbage'",
    "x.letor": "expected label qid:Q 1:v ... m:v #docid = D, found no qid:Q in the second column: 'some garbage'",
    "x.csv": "expected the 4 columns of the header, found 1: 'some garbage'",
    "x.tsv": "expected the 4 columns of the header, found 1: 'some garbage'",
    "x.soc": "expected votes such as '12: 3,1,{2,5},4', found 'some garbage'",
}


@pytest.mark.parametrize("name", GARBAGE)
def test_a_line_that_is_no_row_is_an_error_and_dropped_when_lenient(put: Put, name: str) -> None:
    expected, clean = noticed(put(name, PLAIN[name]))
    lines = PLAIN[name].splitlines(keepends=True)
    path = put(name, "".join([*lines[:2], "some garbage\n", *lines[2:]]))
    assert failure(path) == f"{name}:3: {GARBAGE[name]}"
    found, log = noticed(path, lenient=True)
    assert found == expected
    assert (log.rows_read, log.rows_used, log.rows_dropped) == (clean.rows_used + 1, clean.rows_used, 1)
    assert f"{name}:3" in log.summary()


@pytest.mark.parametrize("name", GARBAGE)
def test_a_last_line_without_newline_looks_truncated(put: Put, name: str) -> None:
    path = put(name, PLAIN[name] + "some garbage")
    line = PLAIN[name].count("\n") + 1
    assert failure(path) == f"{name}:{line}: {GARBAGE[name]}; the file looks truncated"


@pytest.mark.parametrize("name", [*PLAIN])
def test_lines_may_end_with_a_carriage_return_alone(put: Put, name: str) -> None:
    expected = plain(put, name)
    old = PLAIN[name].replace("\n", "\r")
    assert read(put(name, old)) == expected
    assert read(put(f"{name}.gz", gzip.compress(old.encode()))) == expected
    fused = []
    for text in (old, PLAIN[name]):
        path, into = put(name, text), put("fused", "")
        with pytest.raises(SystemExit):
            main(["fuse", str(path), "-o", str(into.with_suffix(".csv")), "--quiet"])
        fused.append(into.with_suffix(".csv").read_text())
    assert fused[0] == fused[1] != ""


def test_lines_with_ends_of_both_kinds_are_named(tmp_path: Path) -> None:
    path = tmp_path / "old.trec"
    path.write_bytes(b"q Q0 a 1 2.0 t\rq Q0 b 2 1.0 t\n")
    hint = "its lines seem to end with a carriage return (\\r) alone; convert them to line feeds (\\n)"
    assert failure(path).endswith(f"; {hint}")


@pytest.mark.parametrize("name", ["x.trec", "x.letor", "x.soc"])
def test_a_first_line_that_is_no_row_mentions_header(put: Put, name: str) -> None:
    expected = plain(put, name)
    path = put(name, "some garbage\n" + PLAIN[name])
    assert failure(path) == f"{name}:1: {GARBAGE[name]}; if the first line is a header, say header=True"
    assert read(path, header=True) == expected


def test_a_header_of_six_columns_mentions_header(put: Put) -> None:
    path = put("x.trec", "query Q0 item rank score tag\n" + PLAIN["x.trec"])
    assert failure(path) == (
        "x.trec:1: the score 'score' is not a finite number such as 12.5 or -3e-2; "
        "if the first line is a header, say header=True"
    )


@pytest.mark.parametrize("name", BY_LINES)
def test_hash_lines_mention_comments_and_are_skipped_with_it(put: Put, name: str) -> None:
    expected = plain(put, name)
    lines = PLAIN[name].splitlines(keepends=True)
    path = put(name, "".join([lines[0], "#said nobody\n", *lines[1:]]))
    assert re.match(rf"{name}:2: .*; if '#' lines are comments, say comments=True$", failure(path))
    assert read(path, comments=True) == expected


def test_an_id_may_begin_with_a_hash(put: Put) -> None:
    assert read(put("x.trec", "#q Q0 #a 1 1 t\n")).queries == ("#q",)
    assert read(put("x.csv", 'query,item,score\n"#q",#a,1\n'), comments=True).items == ("#a",)
    assert read(put("x.csv", 'query,item,score\nq,"a\n#b",1\n'), comments=True).items == ("a\n#b",)


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ('["q1"]', "JSON"),
        ("q1 0 d1 2", "qrels"),
        ("0 qid:1", "LETOR"),
    ],
)
def test_what_is_no_run_at_all_is_told_what_it_may_be(put: Put, line: str, hint: str) -> None:
    assert f"; or this is {hint}" in failure(put("x.txt", line + "\n"))


# --- numbers ----------------------------------------------------------------------------------------------------------


def with_number(name: str, number: str) -> str:
    """The file with this number in its second row."""
    return {
        "x.trec": f"q1 Q0 a 1 1 t\nq1 Q0 b 2 {number} t\nq2 Q0 c 1 1 t\n",
        "x.letor": f"0 qid:q1 1:1 #docid = a\n0 qid:q1 1:{number} #docid = b\n0 qid:q2 1:1 #docid = c\n",
        "x.csv": f"query,item,score\nq1,a,1\nq1,b,{number}\nq2,c,1\n",
        "x.json": f'{{"q1": {{"a": 1,\n"b": {number}}},\n"q2": {{"c": 1}}}}\n',
    }[name]


EXPECTED_NUMBER = {
    "x.trec": "x.trec:2: the score {} is not a finite number such as 12.5 or -3e-2",
    "x.letor": "x.letor:2: the value of {} is not a finite number or NULL",
    "x.csv": "x.csv:3: the score {} is not a finite number such as 12.5 or -3e-2",
}


@pytest.mark.parametrize("name", EXPECTED_NUMBER)
@pytest.mark.parametrize("number", BAD_NUMBERS)
def test_what_is_no_finite_number_is_an_error_and_dropped_when_lenient(put: Put, name: str, number: str) -> None:
    options = {"values": "score"} if name == "x.letor" else {}
    path = put(name, with_number(name, number))
    cell = repr(f"1:{number}" if name == "x.letor" else number)
    assert failure(path, **options) == EXPECTED_NUMBER[name].format(cell)
    found, log = noticed(path, lenient=True, **options)
    assert found.items == ("a", "c")
    assert (log.rows_read, log.rows_used, log.rows_dropped) == (3, 2, 1)


@pytest.mark.parametrize("name", EXPECTED_NUMBER)
@pytest.mark.parametrize("number", GOOD_NUMBERS)
def test_numbers_follow_one_grammar_in_every_text_format(put: Put, name: str, number: str) -> None:
    options = {"values": "score"} if name == "x.letor" else {}
    found, _ = noticed(put(name, with_number(name, number)), **options)
    assert found["q1"].scores[found.rankers[0]]["b"] == float(number)


@pytest.mark.parametrize(
    ("number", "found"),
    [
        ("NaN", "nan"),
        ("-Infinity", "-inf"),
        ("1e400", "inf"),
        ("9" * 5000, "inf"),
        ("null", "null"),
        ("true", "true"),
        ('"1"', "the text '1'"),
        ("[1]", "an array"),
    ],
)
def test_json_numbers_are_finite_numbers(put: Put, number: str, found: str) -> None:
    path = put("x.json", with_number("x.json", number))
    assert failure(path) == f"x.json:2: expected a finite number for item 'b', found {found}"
    kept, log = noticed(path, lenient=True)
    assert kept.items == ("a", "c")
    assert (log.rows_read, log.rows_used, log.rows_dropped) == (3, 2, 1)
    assert "x.json:2" in log.summary()


@pytest.mark.parametrize("name", ["x.trec", "x.csv", "x.json"])
def test_minus_zero_equals_zero(put: Put, name: str) -> None:
    text = (
        with_number(name, "-0.0").replace("q1 Q0 a 1 1", "q1 Q0 a 1 0").replace("a,1", "a,0").replace('a": 1', 'a": 0')
    )
    assert list(read(put(name, text))["q1"].lists.values()) == [[["a", "b"]]]


# --- ranks and scores -------------------------------------------------------------------------------------------------

BOTH = {
    "x.trec": "q Q0 a {0} 1 t\nq Q0 b {1} 2 t\nq Q0 c {2} 3 t\n",
    "x.csv": "query,item,rank,score\nq,a,{0},1\nq,b,{1},2\nq,c,{2},3\n",
}


@pytest.mark.parametrize("name", BOTH)
def test_where_rank_contradicts_score_the_score_decides_with_a_note(put: Put, name: str) -> None:
    path = put(name, BOTH[name].format(1, 2, 3))
    found, log = noticed(path)
    assert found.best_first() == ["c", "b", "a"]
    line = 1 + (name == "x.csv")
    assert [note.partition(f"/{name}:")[2] for note in log.notes] == [
        f"{line}: the rank column contradicts the scores (2 rows); the score decides; "
        "order_by='rank' takes the rank column"
    ]
    assert read(path, order_by="rank").best_first() == ["a", "b", "c"]
    assert not noticed(put(name, BOTH[name].format(3, 2, 1)))[1].notes


def test_a_rank_that_contradicts_a_tied_group_is_noticed(put: Put) -> None:
    _, log = noticed(put("x.trec", "q Q0 a 5 2 t\nq Q0 b 1 2 t\nq Q0 c 3 1 t\n"))
    assert "x.trec:3: the rank column contradicts" in log.notes[0]


@pytest.mark.parametrize("name", BOTH)
@pytest.mark.parametrize("rank", ["-1", "x", "nan", "1_0", "٣"])
def test_a_rank_that_is_none_is_noted_and_an_error_when_it_decides(put: Put, name: str, rank: str) -> None:
    path = put(name, BOTH[name].format(3, rank, 1))
    line = 2 + (name == "x.csv")
    found, log = noticed(path)
    assert found.best_first() == ["c", "b", "a"]
    assert any(f"{name}:{line}: the rank {rank!r} is not a number from 0 on" in note for note in log.notes)
    assert failure(path, order_by="rank").startswith(f"{name}:{line}: the rank {rank!r} is not a number from 0 on; ")


@pytest.mark.parametrize("name", [*BOTH, "x.parquet", "x.soc"])
def test_values_is_refused_where_columns_have_names(put: Put, name: str) -> None:
    content = _parquet({"query": ["q"], "item": ["a"], "score": [1.0]}) if name == "x.parquet" else PLAIN[name]
    assert "the option 'values' is for numbers without a name" in failure(put(name, content), values="rank")


@pytest.mark.parametrize("name", ["x.letor", "x.json", "x.soc"])
def test_order_by_is_refused_where_there_is_no_choice(put: Put, name: str) -> None:
    message = failure(put(name, PLAIN[name]), order_by="rank")
    assert message.startswith(f"{name}: the option 'order_by' chooses between a rank and a score column; ")


def test_values_say_the_direction_of_nameless_numbers(put: Put) -> None:
    path = put("x.letor", PLAIN["x.letor"])
    assert read(path)["q1"].lists == {"1": [["a"], ["b"]]}
    assert read(path).scores is None
    assert read(path, values="score")["q1"].scores == {"1": {"b": 2.0, "a": 1.0}}
    path = put("x.json", PLAIN["x.json"])
    assert read(path)["q1"].scores == {"x": {"a": 2.5, "b": 1.0}}
    assert read(path, values="rank")["q1"].lists == {"x": [["b"], ["a"]]}
    assert "x.json:1: expected a rank from 0 on" in failure(put("x.json", '{"q": {"a": -1}}'), values="rank")


# --- duplicates -------------------------------------------------------------------------------------------------------

TWICE = {
    "x.trec": ("q Q0 a 1 1 t\nq Q0 b 2 2 t\nq Q0 a 3 3 t\n", 1, 3),
    "x.csv": ('query,item,score\nq,a,1\n"q",b,2\nq,a,3\n', 2, 4),
    "x.tsv": ("query\tranker\titem\tscore\nq\tr\ta\t1\nq\tr\tb\t2\nq\tr\ta\t3\n", 2, 4),
    "x.json": ('{"q": {"a": 1,\n"b": 2,\n\n"a": 3}}', 1, 4),
}


@pytest.mark.parametrize("name", TWICE)
def test_an_item_twice_in_a_list_is_an_error_with_both_lines(put: Put, name: str) -> None:
    content, one, other = TWICE[name]
    path = put(name, content)
    assert failure(path) == (
        f"{name}:{other}: the item 'a' of query 'q' appears twice in one list: lines {one} and {other}; "
        "remove one of them, or keep one: duplicates='best' (the better) or duplicates='first'"
    )
    found, log = noticed(path, lenient=True)
    assert list(found["q"].scores.values()) == [{"a": 3.0, "b": 2.0}]
    assert (log.rows_read, log.rows_used, log.rows_dropped) == (3, 2, 1)
    assert f"{name}:{one}" in log.summary()


def test_a_document_twice_in_a_letor_query_is_an_error_with_both_lines(put: Put) -> None:
    path = put("x.letor", "0 qid:q 1:1 #docid = a\n1 qid:q 1:2 #docid = b\n1 qid:q 1:3 #docid = a\n")
    assert "x.letor:3: the document 'a' of query 'q' appears twice: lines 1 and 3; " in failure(path)
    found, log = noticed(path, lenient=True)
    assert found["q"].lists == {"1": [["a"], ["b"]]}
    assert (log.rows_read, log.rows_dropped) == (3, 1)


def test_an_alternative_twice_in_a_vote_is_an_error(put: Put) -> None:
    path = put("x.toi", "2: 1,{2,1}\n")
    assert failure(path).startswith("x.toi:1: the alternative 1 appears twice in this vote (line 1); ")
    found, log = noticed(path, lenient=True)
    assert found.best_first(ranker="1") == ["1", "2"]
    assert "an alternative appears twice in a vote (1 votes)" in log.notes[0]


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ('{"q": {"a": 1},\n"q": {"b": 1}}', 2, "the query 'q' appears twice: lines 1 and 2"),
        ('{"q": {"r": {"a": 1},\n"s": {},\n"r": {}}}', 3, "the ranker 'r' appears twice: lines 1 and 3"),
    ],
)
def test_json_keys_stand_once_even_when_lenient(put: Put, text: str, line: int, what: str) -> None:
    for lenient in (False, True):
        assert failure(put("x.json", text), lenient=lenient).startswith(f"x.json:{line}: {what}")


# --- bytes ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*PLAIN, "x.parquet"])
@pytest.mark.parametrize("content", [b"", b"\n \t\r\n\n", b"\xef\xbb\xbf"])
def test_an_empty_file_alone_is_an_error(put: Put, name: str, content: bytes) -> None:
    if name == "x.parquet":
        content = b""
    assert failure(put(name, content)) == f"{name}: 0 rows: there is nothing to read"


@pytest.mark.parametrize("name", ["x.trec", "x.csv", "x.json"])
def test_an_empty_file_beside_others_adds_nothing_and_is_noted(put: Put, name: str) -> None:
    empty = put(f"empty{name}", "")
    found, log = noticed([put(name, PLAIN[name]), empty])
    assert found.rankers == ("x",)
    assert log.notes == [f"{empty}: 0 rows: it adds nothing"]


@pytest.mark.parametrize("name", PLAIN)
def test_a_byte_that_is_not_utf_8_is_named_with_line_and_offset(put: Put, name: str) -> None:
    first, _, rest = PLAIN[name].encode().partition(b"\n")
    message = failure(put(name, first + b"\n" + rest[:3] + b"\xe9" + rest[3:]))
    assert message.startswith(
        rf"{name}:2: byte 4 of the line, b'\xe9', is not UTF-8; name the file's encoding, such as "
    )
    assert re.search("encoding='latin-1', which reads '.*é", message)


@pytest.mark.parametrize("name", PLAIN)
def test_a_nul_byte_is_an_error(put: Put, name: str) -> None:
    first, _, rest = PLAIN[name].encode().partition(b"\n")
    message = failure(put(name, first + b"\n" + rest[:3] + b"\0" + rest[3:]))
    assert message == f"{name}:2: a NUL byte; this is not a text file, or it is damaged"


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_nul_byte_in_a_last_line_without_its_end_comes_before_what_is_wrong_in_a_row(
    put: Put, pack: Callable[[bytes], bytes]
) -> None:
    """Compiled readers of archives look at all bytes before they read a row."""
    message = failure(put("x.trec", pack(b"q Q0 a 1 2 t more\nq Q0 b \x003")))
    assert message == "x.trec:2: a NUL byte; this is not a text file, or it is damaged"


@pytest.mark.parametrize("name", BY_LINES)
@pytest.mark.parametrize("length", [(1 << 20) + 1, 3 * BLOCK])
def test_a_line_over_one_mebibyte_is_an_error(put: Put, name: str, length: int) -> None:
    first, _, rest = PLAIN[name].partition("\n")
    message = failure(put(name, f"{first}\n{' ' * length}\n{rest}"))
    assert message == f"{name}:2: a line of more than 1 MiB; is this a text file of the expected format?"
    read(put(name, f"{first}\n{' ' * (1 << 20)}\n{rest}"))


def test_json_may_stand_on_one_long_line(put: Put) -> None:
    items = ", ".join(f'"item number {number}": {number}' for number in range(60_000))
    assert len(read(put("x.json", f'{{"q": {{{items}}}}}')).items) == 60_000


@pytest.mark.parametrize("name", ["x.trec", "x.letor", "x.soc"])
def test_a_long_run_of_blanks_does_not_keep_the_reader_busy(put: Put, name: str) -> None:
    for odd in ("#" + " " * 1_000_000 + "x", "1" + " " * 1_000_000 + "x", "#A" + " " * 1_000_000):
        assert failure(put(name, f"{PLAIN[name]}{odd}\n"))


PACKERS = {
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "xz": lzma.compress,
    "zst": zstandard.ZstdCompressor().compress,
}


@pytest.mark.parametrize("packer", PACKERS)
@pytest.mark.parametrize("name", PLAIN)
def test_archives_are_known_by_their_first_bytes_whatever_the_name(put: Put, name: str, packer: str) -> None:
    expected = plain(put, name)
    packed = PACKERS[packer](PLAIN[name].encode())
    assert read(put(f"{name}.{packer}", packed)) == expected
    assert read(put(name, packed)) == expected
    halves = [PACKERS[packer](part) for part in (PLAIN[name].encode()[:20], PLAIN[name].encode()[20:])]
    assert read(put(name, b"".join(halves))) == expected


@pytest.mark.parametrize("packer", PACKERS)
def test_a_truncated_archive_is_an_error(put: Put, packer: str) -> None:
    rng = np.random.default_rng(1)
    text = "".join(f"q Q0 d{number} 1 {rng.random()} t\n" for number in range(20_000))
    packed = PACKERS[packer](text.encode())
    for length in (7, len(packed) // 2, len(packed) - 1):
        message = failure(put("x.trec", packed[:length]))
        assert "the archive is truncated or damaged" in message
        assert message.startswith("x.trec: ")


def test_zstandard_without_its_package_says_what_to_install(put: Put, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "zstandard", None)
    with pytest.raises(MissingExtra, match=re.escape('pip install "stagg[zstd]"')):
        read(put("x.trec.zst", PACKERS["zst"](b"q Q0 a 1 1 t\n")))


def test_a_large_file_is_read_in_blocks_with_right_line_numbers(put: Put) -> None:
    rows = [f"q{number % 7} Q0 document-{number} {number} {-number} t\n" for number in range(60_000)]
    assert sum(map(len, rows)) > 2 * BLOCK
    assert len(read(put("x.trec", "".join(rows))).items) == 60_000
    rows[50_000] = "oops\n"
    assert failure(put("x.trec", "".join(rows))).startswith("x.trec:50001: ")


@pytest.mark.parametrize("name", PLAIN)
def test_standard_input_is_read_like_a_file_and_left_open(put: Put, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for data in (PLAIN[name].encode(), gzip.compress(PLAIN[name].encode())):
        stdin = io.TextIOWrapper(io.BytesIO(data))
        monkeypatch.setattr(sys, "stdin", stdin)
        found = read("-")
        assert len(found.entries) == len(plain(put, name).entries)
        assert not stdin.closed
        assert not stdin.buffer.closed
    with pytest.raises(InvalidParameter, match="once only"):
        read(["-", "-"])


def test_no_standard_input_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(DataError, match="<stdin>: cannot be read: there is no standard input"):
        read("-")


@pytest.mark.parametrize("packed", [False, True])
def test_a_slow_pipe_is_recognised_and_read_whole(tmp_path: Path, packed: bool) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    data = gzip.compress(PLAIN["x.letor"].encode()) if packed else PLAIN["x.letor"].encode()

    def drip() -> None:
        with open(pipe, "wb", buffering=0) as stream:
            for byte in data:
                stream.write(bytes([byte]))

    writer = threading.Thread(target=drip)
    writer.start()
    found = read(pipe)
    writer.join()
    assert found.to_lists() == {"q1": {"1": [["a"], ["b"]]}, "q2": {"1": [["b"]]}}


def test_a_file_that_is_not_there_and_a_folder_are_named(tmp_path: Path) -> None:
    assert failure(tmp_path / "no.trec") == "no.trec: cannot be read: No such file or directory"
    assert failure(tmp_path).endswith(": there is no file in this folder")


@pytest.mark.parametrize("name", PLAIN)
def test_formats_are_recognised_without_an_ending(put: Put, name: str) -> None:
    expected = plain(put, name)
    assert read(put("x", PLAIN[name])) == expected
    assert read(put("x", b"\xef\xbb\xbf" + PLAIN[name].encode()), log=ReadLog()) == expected
    assert read(put("x", PLAIN[name].encode("utf-16")), encoding="utf-16") == expected


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ('{"q": {"a": 1, "b": 2 }}\n', ("a", "b")),  # six columns, the fifth a number, and yet no run
        ("0 qid:1 1:5 #docid = a\n", ("a",)),
        ("query\tQ0\titem\trank\tscore\ttag\nq\tQ0\ta\t1\t2\tt\n", ("a",)),
        ("{q} Q0 a 1 2 t\n", ("a",)),
        ("1 Q0 a 1 2 t\n", ("a",)),
    ],
)
def test_lines_that_look_like_two_formats_are_taken_for_the_right_one(
    put: Put, text: str, items: tuple[str, ...]
) -> None:
    assert noticed(put("x", text))[0].items == items


# --- several files, several rankers -----------------------------------------------------------------------------------


def test_several_tags_in_a_run_are_one_run_with_a_note(put: Put) -> None:
    path = put("x.trec", "q Q0 a 1 2 s\nq Q0 b 1 3 t\n")
    found, log = noticed(path)
    assert found.rankers == ("x",)
    assert log.notes == [f"{path}: 2 run tags taken as one run; split_by_tag=True makes them rankers"]
    assert read(path, split_by_tag=True)["q"].lists == {"s": [["a"]], "t": [["b"]]}


def test_queries_in_some_runs_only_are_fused_and_counted(put: Put) -> None:
    one, other = put("one.trec", "q1 Q0 a 1 2 s\nq2 Q0 b 1 3 s\n"), put("two.csv", "query,item,score\nq1,c,1\n")
    found, log = noticed([one, other])
    assert found.to_lists() == {"q1": {"one": [["a"]], "two": [["c"]]}, "q2": {"one": [["b"]]}}
    assert log.notes == ["1 of 2 queries is in only some of the inputs; each is fused from those that contain it"]


def test_a_query_with_little_or_nothing_is_a_ranking(put: Put) -> None:
    found = read(put("x.json", '{"q1": {}, "q2": {"a": 1}}'))
    assert (found.queries, found.to_lists()) == (("q1", "q2"), {"q1": {}, "q2": {"x": [["a"]]}})
    nested = read(put("x.json", '{"q1": {}, "q2": {"r": {}, "s": {"a": 1}}}'))
    assert (nested.queries, nested.rankers) == (("q1", "q2"), ("r", "s"))


def test_parts_join_by_query_and_match_rankers_by_name(put: Put) -> None:
    one, two = put("A1.txt", "1 qid:1 1:1 2:NULL #docid = a\n"), put("A2.txt", "0 qid:2 1:2 2:1 #docid = a\n")
    loaded = load([one, two], options=ReadOptions(), log=ReadLog())
    assert loaded.rankings.rankers == ("1", "2")
    assert loaded.labels == Labels({"1": {"a": 1}, "2": {"a": 0}})
    with pytest.raises(DataError, match=r"A1.txt: the query '1' is also in .*A1.txt"):
        load([one, one], options=ReadOptions(), log=ReadLog())


def test_voters_of_different_elections_are_different_rankers(put: Put) -> None:
    found = read([put("one.soi", "3: 1,2\n1: 2\n"), put("two.soi", "5: 2,1\n")])
    assert found.rankers == ("one:1", "one:2", "two:1")
    assert found.multiplicities.tolist() == [3, 1, 5]


def test_a_ranker_with_two_multiplicities_cannot_be_joined(put: Put) -> None:
    header = "query,ranker,item,score,multiplicity\n"
    one, two = put("one.csv", f"{header}q1,r,a,1,2\n"), put("two.csv", f"{header}q2,r,a,1,3\n")
    with pytest.raises(DataError, match="ranker 'r'"):
        read([one, two])


def test_files_that_name_rankers_and_files_that_are_one_do_not_mix(put: Put) -> None:
    with pytest.raises(DataError, match="names its rankers itself"):
        read([put("x.letor", PLAIN["x.letor"]), put("x.trec", PLAIN["x.trec"])])


# --- qrels ------------------------------------------------------------------------------------------------------------


def qrels_failure(path: Path, **options: Any) -> str:
    with pytest.raises(DataError) as caught:
        read_labels(path, log=ReadLog(), **options)
    return str(caught.value).replace(f"{path.parent}/", "")


def test_qrels_below_zero_are_unjudged(put: Put) -> None:
    assert read_labels(put("qrels", "q 0 a -1\nq 0 b 2\n")) == Labels({"q": {"b": 2}})


def test_qrels_twice_are_an_error_always_when_they_conflict(put: Put) -> None:
    path = put("qrels", "q 0 a 1\n\nq 0 a 1\n")
    message = "qrels:3: item 'a' of query 'q' is judged twice, in lines 1 and 3"
    assert qrels_failure(path) == f"{message}; remove one of them"
    log = ReadLog()
    assert read_labels(path, lenient=True, log=log) == Labels({"q": {"a": 1}})
    assert (log.rows_read, log.rows_used, log.rows_dropped) == (2, 1, 1)
    path = put("qrels", "q 0 a 1\n\nq 0 a 2\n")
    for lenient in (False, True):
        assert qrels_failure(path, lenient=lenient) == f"{message}, differently: 1 and 2"


def test_qrels_labels_are_whole_numbers_unless_fractions_are_asked_for(put: Put) -> None:
    path = put("qrels", "q 0 a 1\nq 0 b 1.5\n")
    hint = "is not a whole number; float_labels=True allows fractions"
    assert qrels_failure(path) == f"qrels:2: the label '1.5' {hint}"
    assert read_labels(path, float_labels=True)["q"]["b"] == 1.5
    path = put("qrels", "q 0 a 1\nq 0 b rel\n")
    assert qrels_failure(path) == f"qrels:2: the label 'rel' {hint}"
    assert qrels_failure(path, float_labels=True) == "qrels:2: the label 'rel' is not a number"
    log = ReadLog()
    read_labels(path, lenient=True, log=log)
    assert (log.rows_read, log.rows_dropped) == (2, 1)


def test_qrels_labels_over_1000_are_an_error(put: Put) -> None:
    assert qrels_failure(put("qrels", "q 0 a 1001\n")).startswith("qrels:1: the label '1001' is over 1000")


def test_qrels_lines_that_are_none_are_named(put: Put) -> None:
    expected = "expected 4 columns (query 0 item label), found"
    assert qrels_failure(put("qrels", "q 0 a 1\nq 0 a")) == (
        f"qrels:2: {expected} 3: 'q 0 a'; the file looks truncated"
    )
    assert qrels_failure(put("qrels", PLAIN["x.trec"])).endswith("; or this is a run, not qrels")
    assert qrels_failure(put("qrels", "\n")) == "qrels: 0 rows: there is nothing to read"
    assert "comments=True" in qrels_failure(put("qrels", "q 0 a 1\n# b\n"))
    assert read_labels(put("qrels", "q i d l\n# b\nq 0 a 1\n"), comments=True, header=True) == Labels({"q": {"a": 1}})


def test_a_header_of_a_run_is_left_out_though_it_looks_like_a_row(put: Put) -> None:
    path = put("run.trec", "query Q0 item 0 0 x\nq Q0 b 1 2.5 x\nq Q0 a 2 1.5 x\n")
    assert read(path, header=True).queries == ("q",)
    assert read(path).queries == ("query", "q")


def test_a_header_of_qrels_is_to_be_removed_since_the_option_is_about_runs(put: Put) -> None:
    told = qrels_failure(put("qrels", "query 0 item label\nq 0 a 1\n"))
    assert told.endswith("if the first line is a header, remove it")


@pytest.mark.parametrize("label", ["1" + "0" * 400, "1001", '"x"', "true", "null", "1e400", "0.5"])
def test_labels_in_json_follow_the_rules_of_qrels(put: Put, label: str) -> None:
    assert "x.json:1: the label" in qrels_failure(put("x.json", f'{{"q": {{"a": {label}}}}}'))


def _label_table(path: Path, **columns: Any) -> Path:
    pq.write_table(pa.table({"query": ["q"], "item": ["a"], "label": [1]} | columns), path)
    return path


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"query": [None]}, "x.parquet:1: the query is empty"),
        ({"item": [["a"]]}, "ids are text or whole numbers"),
        ({"label": [[1]]}, "expected numbers"),
        ({"label": ["x"]}, "x.parquet:1: the grades are words: 'x'"),
        ({"item": pa.array(["a"]).cast(pa.binary())}, "ids are text"),
        (
            {"item": pa.StringArray.from_buffers(1, pa.py_buffer(bytes(4) + b"\x01\0\0\0"), pa.py_buffer(b"\xc3"))},
            "damaged",
        ),
    ],
)
def test_labels_in_parquet_follow_the_rules_of_qrels(columns: dict[str, Any], message: str, tmp_path: Path) -> None:
    assert message in qrels_failure(_label_table(tmp_path / "x.parquet", **columns))


def test_bytes_that_are_no_text_beside_a_count_are_an_error(tmp_path: Path) -> None:
    """A table with counts is read cell by cell, and pyarrow decodes each where it stands."""
    broken = pa.StringArray.from_buffers(1, pa.py_buffer(bytes(4) + b"\x01\0\0\0"), pa.py_buffer(b"\xe3"))
    pq.write_table(pa.table({"item": broken, "rank": [1], "multiplicity": [2]}), tmp_path / "x.parquet")
    with pytest.raises(DataError, match="damaged"):
        read(tmp_path / "x.parquet")


def test_labels_in_parquet_that_claim_too_many_rows_are_refused(tmp_path: Path) -> None:
    rows = 10_000_000
    one = pa.array([0], pa.int8())
    columns = {
        "query": pa.DictionaryArray.from_arrays(pa.array(np.zeros(rows, dtype=np.int8)), pa.array(["q"])),
        "item": pa.DictionaryArray.from_arrays(pa.array(np.zeros(rows, dtype=np.int8)), pa.array(["a"])),
        "label": pa.DictionaryArray.from_arrays(pa.array(np.zeros(rows, dtype=np.int8)), one),
    }
    assert "unpacks to more than" in qrels_failure(_label_table(tmp_path / "x.parquet", **columns))


def test_labels_come_from_letor_files_too(put: Put) -> None:
    assert read_labels(put("x.letor", PLAIN["x.letor"])) == Labels({"q1": {"a": 1, "b": 0}, "q2": {"b": 0}})
    assert "this is a run" in qrels_failure(put("x.csv", PLAIN["x.csv"]), format="csv")
    assert "a trec file carries no labels" in qrels_failure(put("x.trec", PLAIN["x.trec"]), format="trec")


# --- LETOR ------------------------------------------------------------------------------------------------------------


def test_letor_null_is_absent_and_every_row_a_candidate(put: Put) -> None:
    found = read(put("x", "0 qid:1 1:NULL 2:NULL #docid = z\n0 qid:1 1:4 2:NULL #docid = y inc = 1 prob = 0.2\n"))
    assert found.items == ("z", "y")
    assert found.to_lists() == {"1": {"1": [["y"]]}}
    assert found.rankers == ("1", "2")
    assert found.declared


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("0 1:1 2:1 #docid = a", "found no qid:Q in the second column: '0 1:1 2:1 #docid = a'"),
        ("0 qid: 1:1 2:1 #docid = a", "found no qid:Q in the second column"),
        ("0 qid:1 1:1 3:1 #docid = a", "expected the cell 2:v (features are numbered 1, 2, ... in order), found '3:1'"),
        ("0 qid:1 2:1 1:1 #docid = a", "expected the cell 1:v"),
        ("0 qid:1 1:1 2:1 3:1 #docid = a", "expected #docid after the 2 cells of the first row, found '3:1'"),
        ("0 qid:1 1:1 #docid = a", "expected the 2 cells of the first row, found 1"),
        ("x qid:1 1:1 2:1 #docid = a", "the label 'x' is not a whole number"),
        ("0.5 qid:1 1:1 2:1 #docid = a", "the label '0.5' is not a whole number; float_labels=True allows fractions"),
        ("2000 qid:1 1:1 2:1 #docid = a", "the label '2000' is over 1000"),
        ("0 qid:1 1:1 2:1", "expected '#docid = D' at the end of the row"),
        ("0 qid:1 1:1 2:1 # inc = 1", "expected '#docid = D' at the end of the row"),
        ("0 qid:1 1:1 2:-1 #docid = a", "the value of '2:-1' is not a rank from 0 on or NULL"),
        ("0 qid:1 1:null 2:1 #docid = a", "the value of '1:null' is not a rank from 0 on or NULL"),
        ("0 qid:1 1:1e400 2:1 #docid = a", "the value of '1:1e400' is not a rank from 0 on or NULL"),
    ],
)
def test_a_letor_row_that_is_none_is_named_and_dropped_when_lenient(put: Put, row: str, message: str) -> None:
    good = "1 qid:0 1:1 2:2 #docid = a\n"
    path = put("x.letor", f"{good}{row}\n{good.replace('qid:0', 'qid:9')}")
    assert failure(path).startswith("x.letor:2: ")
    assert message in failure(path)
    found, log = noticed(path, lenient=True)
    assert found.queries == ("0", "9")
    assert (log.rows_read, log.rows_used, log.rows_dropped) == (3, 2, 1)


def test_letor_fractional_labels_when_asked_for(put: Put) -> None:
    path = put("x.letor", "0.5 qid:1 1:1 #docid = a\n1 qid:1 1:2 #docid = b\n")
    assert read_labels(path, float_labels=True) == Labels({"1": {"a": 0.5, "b": 1}})


# --- tables -----------------------------------------------------------------------------------------------------------


def _parquet(columns: dict[str, Any]) -> bytes:
    stream = io.BytesIO()
    pq.write_table(pa.table(columns), stream)
    return stream.getvalue()


def _table(name: str, columns: dict[str, list[Any]]) -> bytes:
    if name == "x.parquet":
        return _parquet(columns)
    separator = "\t" if name == "x.tsv" else ","
    lines = [list(columns), *([str(cell) for cell in row] for row in zip(*columns.values(), strict=True))]
    return "".join(separator.join(line) + "\n" for line in lines).encode()


TABLES = ["x.csv", "x.tsv", "x.parquet"]


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize(
    ("columns", "missing"),
    [
        ({"query": ["q"], "score": [1]}, "missing: item; found: 'query', 'score'"),
        ({"query": ["q"], "item": ["a"]}, "missing: score or rank; found: 'query', 'item'"),
        ({"query": ["q"], "itme": ["a"], "score": [1]}, "missing: item; found: 'query', 'itme', 'score'; did you mean"),
    ],
)
def test_missing_columns_are_named(put: Put, name: str, columns: dict[str, list[Any]], missing: str) -> None:
    message = failure(put(name, _table(name, columns)))
    place = name if name == "x.parquet" else f"{name}:1"
    line = "" if name == "x.parquet" else "a header line with "
    expected = f"expected {line}the columns item and score or rank (and query, ranker)"
    assert message.startswith(f"{place}: {expected}; {missing}")


@pytest.mark.parametrize("name", TABLES)
def test_unknown_columns_are_ignored_with_a_note(put: Put, name: str) -> None:
    columns = {"query": ["q"], "item": ["a"], "rank": [1], "score": [2.5], "low": [1], "title": ["x"], "url": ["y"]}
    path = put(name, _table(name, columns))
    found, log = noticed(path)
    assert found["q"].scores == {"x": {"a": 2.5}}
    assert log.notes == [f"{path}: ignored columns: 'title', 'url'"]  # low belongs to a consensus with intervals


@pytest.mark.parametrize("name", TABLES)
def test_a_ranker_column_names_the_rankers(put: Put, name: str) -> None:
    path = put(name, _table(name, {"query": ["q", "q"], "ranker": ["r", "s"], "item": ["a", "a"], "rank": [1, 1]}))
    loaded = load(path, options=ReadOptions(), log=ReadLog())
    assert loaded.rankings.rankers == ("r", "s")
    assert loaded.names_rankers
    assert loaded.rankings.scores is None


@pytest.mark.parametrize("name", TABLES)
def test_multiplicities_are_whole_and_the_same_for_all_rows_of_a_ranker(put: Put, name: str) -> None:
    def table(one: Any, two: Any) -> Path:
        columns = {"query": ["q", "q"], "ranker": ["r", "r"], "item": ["a", "b"], "rank": [1, 2]}
        return put(name, _table(name, {**columns, "multiplicity": [one, two]}))

    assert read(table(3, 3)).multiplicities.tolist() == [3]
    assert "ranker 'r' has multiplicity 3 in line" in failure(table(3, 4))
    for right in (10**12, 2**53 + 1, 2**63 - 1):
        assert read(table(right, right)).multiplicities.tolist() == [right]
    for wrong in (-1, 1.5, 2**63 if name != "x.parquet" else 1e19):
        assert f"is not a whole number from 0 to {2**63 - 1}" in failure(table(wrong, wrong))
    found, log = noticed(table(0, 0))
    assert found.multiplicities.tolist() == [0]
    assert "1 ballot has the count 0; nobody cast it" in log.notes[0]


@pytest.mark.parametrize("name", TABLES)
def test_a_list_without_scores_goes_by_rank_beside_lists_with_scores(put: Put, name: str) -> None:
    none = None if name == "x.parquet" else ""
    columns = {
        "query": ["q"] * 4,
        "ranker": ["r", "r", "s", "s"],
        "item": ["a", "b", "a", "b"],
        "rank": [2, 1, 2, 1],
        "score": [0.5, 1.0, none, none],
    }
    path = put(name, _table(name, columns))
    assert read(path)["q"].lists == {"r": [["b"], ["a"]], "s": [["b"], ["a"]]}
    columns["ranker"] = ["r"] * 4
    columns["item"] = ["a", "b", "c", "d"]
    path = put(name, _table(name, columns))
    line = 3 if name == "x.parquet" else 4
    assert failure(path).startswith(f"{name}:{line}: the score is empty; expected a finite number")
    found, log = noticed(path, lenient=True)
    assert found.items == ("a", "b")
    assert (log.rows_read, log.rows_dropped) == (4, 2)


def test_an_order_by_a_column_that_is_not_there_is_an_error(put: Put) -> None:
    path = put("x.csv", "query,item,score\nq,a,1\n")
    assert failure(path, order_by="rank") == "x.csv: there is no column 'rank' to order by; found: query, item, score"


def test_csv_quotes_must_pair(put: Put) -> None:
    path = put("x.csv", 'query,item,score\nq,a,3\nq,"b"x,2\nq,c,1\n')
    assert failure(path).startswith("x.csv:3: the quotes of this row do not match: ")
    found, log = noticed(path, lenient=True)
    assert found.best_first() == ["a", "c"]
    assert (log.rows_read, log.rows_dropped) == (3, 1)
    open_quote = put("x.csv", 'query,item,score\nq,a,3\nq,"b,2\nq,c,1\n')
    assert failure(open_quote).startswith("x.csv:3: the quotes of this row do not match")
    assert noticed(open_quote, lenient=True)[1].rows_dropped == 2


def test_csv_line_numbers_count_newlines_within_quotes(put: Put) -> None:
    path = put("x.csv", 'query,item,score\nq,"a\n\n#b",3\nq,c,oops\n')
    assert failure(path).startswith("x.csv:5: the score 'oops'")


@pytest.mark.parametrize("name", TABLES)
def test_empty_ids_are_refused(put: Put, name: str) -> None:
    path = put(name, _table(name, {"query": ["q", "q"], "item": ["a", ""], "score": [1, 2]}))
    line = 2 if name == "x.parquet" else 3
    assert failure(path) == f"{name}:{line}: the item '' is not an id: ids are text or whole numbers, not empty"


def test_parquet_ids_are_text_or_whole_numbers(put: Put) -> None:
    whole = put("x.parquet", _parquet({"query": [1, 2], "item": [10, 2**62], "score": [1.0, 2]}))
    assert (read(whole).queries, read(whole).items) == (("1", "2"), ("10", str(2**62)))
    words = put("x.parquet", _parquet({"query": pa.array(["q"]).dictionary_encode(), "item": ["a"], "score": [1.0]}))
    assert read(words).queries == ("q",)
    fraction = put("x.parquet", _parquet({"query": [1.0], "item": ["a"], "score": [1.0]}))
    expected = "the column 'query' is of type double; ids are text or whole numbers: convert it first"
    assert failure(fraction) == f"x.parquet: {expected}"
    gap = put("x.parquet", _parquet({"query": ["q", None], "item": ["a", "b"], "score": [1.0, 2]}))
    assert failure(gap).startswith("x.parquet:2: the query None is not an id")


@pytest.mark.parametrize("score", [float("nan"), float("inf")])
def test_parquet_scores_are_finite(put: Put, score: float) -> None:
    path = put("x.parquet", _parquet({"query": ["q", "q"], "item": ["a", "b"], "score": [1.0, score]}))
    assert failure(path).startswith(f"x.parquet:2: the score {score} is not a finite number")
    assert noticed(path, lenient=True)[1].rows_dropped == 1


def test_a_damaged_parquet_file_is_an_error(put: Put) -> None:
    data = _parquet({"query": ["q"], "item": ["a"], "score": [1.0]})
    for broken in (data[:-5], data[:30], b"PAR1", data[:40] + b"\xff" * 40 + data[80:]):
        assert failure(put("x.parquet", broken)).startswith("x.parquet: the Parquet file is truncated or damaged: ")


def test_parquet_is_recognised_packed_and_from_standard_input(put: Put, monkeypatch: pytest.MonkeyPatch) -> None:
    data = _parquet({"query": ["q"], "item": ["a"], "score": [1.0]})
    assert read(put("x", data)).items == ("a",)
    assert read(put("x.parquet.gz", gzip.compress(data))).items == ("a",)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    assert read("-").items == ("a",)


def test_parquet_without_pyarrow_says_what_to_install(put: Put, monkeypatch: pytest.MonkeyPatch) -> None:
    path = put("x.parquet", _parquet({"query": ["q"], "item": ["a"], "score": [1.0]}))
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtra, match=re.escape('pip install "stagg[parquet]"')):
        read(path)


# --- JSON -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"q": {"a": 1}', "x.json:1: this is not JSON: "),
        ('{"q": {"a": 1,\n}}', "x.json:2: this is not JSON: "),
        ("[]", "x.json:1: expected {query: {item: number}} or {query: {ranker: {item: number}}}, found an array"),
        ('{"q": {},\n"p": 1}', "x.json:2: expected {query: {item: number}}"),
        ('{"q": {"a": 1},\n"p": {"r": {"a": 1}}}', "x.json:1: expected a ranker's {item: number} for 'a'"),
        (
            '{"q": {"r": {"a": 1},\n"b": 2}}',
            "x.json:2: expected a ranker's {item: number} for 'b', as elsewhere, found 2",
        ),
        ('{"q": {"r": {"a":\n {"b": 1}}}}', "x.json:1: expected a finite number for item 'a', found an object"),
        ("[" * 100_000, "x.json: this JSON is nested too deep; expected "),
        ('{"a":' * 100_000, "x.json: this JSON is nested too deep; expected "),
        ('{"q": {"\\ud800": 1}}', "x.json: the id '\\ud800' holds half a surrogate pair"),
    ],
)
def test_json_of_another_shape_is_named_with_its_line(put: Put, text: str, message: str) -> None:
    assert failure(put("x.json", text)).startswith(message)


# --- PrefLib ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("x.soc", "1: 1,{2,3}\n", "x.soc:1: .soc votes have no ties; expected .toc for such votes"),
        ("x.soi", "1: 1,2\n2: {1,3}\n", "x.soi:2: .soi votes have no ties"),
        ("x.soc", "1: 1,2\n2: 1\n", "x.soc:2: .soc votes list all 2 alternatives, this one 1; expected .soi"),
        ("x.toc", "# NUMBER ALTERNATIVES: 3\n1: {1,2}\n", "x.toc:2: .toc votes list all 3 alternatives, this one 2"),
        ("x.txt", "# DATA TYPE: soc\n1: {1,2}\n", "x.txt:2: .soc votes have no ties"),
        ("x.toi", "# NUMBER ALTERNATIVES: 2\n1: 1\n1: 3\n", "x.toi:3: there is no alternative '3'; they are 1 to 2"),
        ("x.toi", "1: 1,0\n", "x.toi:1: there is no alternative '0'; they are numbered from 1"),
        ("x.toi", "-1: 1\n", "x.toi:1: expected votes such as"),
        ("x.toi", "1: 2\n1.5: 1\n", "x.toi:2: the count '1.5' is not a whole number from 0 to 9223372036854775807"),
        ("x.toi", "9223372036854775808: 1\n", "x.toi:1: the count '9223372036854775808' is not a whole number from 0"),
        ("x.toi", f"{2**62}: 1\n{2**62}: 2\n", "x.toi: the counts add up to 9,223,372,036,854,775,808 voters; up to"),
        ("x.toi", "1: 1,,2\n", "x.toi:1: expected votes such as"),
        ("x.toi", "1: {1,{2}}\n", "x.toi:1: expected votes such as"),
        ("x.toi", "1: {1,}\n", "x.toi:1: expected votes such as"),
        ("x.toi", "# NUMBER ALTERNATIVES: many\n1: 1\n", "x.toi: NUMBER ALTERNATIVES is 'many' in the header"),
    ],
)
def test_preflib_votes_must_be_what_the_file_says(put: Put, name: str, text: str, message: str) -> None:
    assert failure(put(name, text)).startswith(message)


def test_preflib_counts_are_read_to_the_last_digit(put: Put) -> None:
    header = f"# NUMBER VOTERS: {2**63 - 1}\n# NUMBER UNIQUE ORDERS: 2\n"
    found, log = noticed(put("x.soc", f"{header}{2**53 + 1}: 1,2\n{2**63 - 2**53 - 2}.0: 2,1\n"))
    assert found.multiplicities.tolist() == [2**53 + 1, 2**63 - 2**53 - 2]
    assert log.notes == []


@pytest.mark.parametrize("orders", [1, 2])
def test_preflib_ballots_that_nobody_cast_are_read_with_a_note(put: Put, orders: int) -> None:
    """As in the Netflix data of PrefLib, which lists every order of its films."""
    path = put("x.soc", f"# NUMBER VOTERS: 7\n# NUMBER UNIQUE ORDERS: {orders}\n7: 1,2\n0: 2,1\n0: 1,2\n")
    found, log = noticed(path)
    assert found.multiplicities.tolist() == [7, 0, 0]
    assert [note.rpartition("x.soc")[2] for note in log.notes] == [":4: 2 ballots have the count 0; nobody cast them"]
    assert fuse(found, "schulze").best_first("x") == ["1", "2"]


def test_ballots_with_a_count_of_0_are_noted_in_tables(put: Put) -> None:
    found, log = noticed(put("x.csv", "voter,1st choice,2nd choice,count\nA,x,y,0\nB,y,x,9007199254740993\n"))
    assert found.multiplicities.tolist() == [0, 2**53 + 1]
    assert any("x.csv:2: 1 ballot has the count 0; nobody cast it" in note for note in log.notes)


def test_preflib_counts_that_disagree_with_the_header_are_noted(put: Put) -> None:
    path = put("x.soi", "# NUMBER VOTERS: 9\n# NUMBER UNIQUE ORDERS: 9\n3: 1,2\n1: 2,1\n")
    found, log = noticed(path)
    assert found.multiplicities.tolist() == [3, 1]
    assert [note.rpartition("x.soi: ")[2] for note in log.notes] == [
        "NUMBER VOTERS is 9 in the header, 4 in the votes",
        "NUMBER UNIQUE ORDERS is 9 in the header, 2 in the votes",
    ]


def test_preflib_votes_that_differ_within_braces_only_are_one_order(put: Put) -> None:
    text = "# NUMBER UNIQUE ORDERS: 2\n3: 3,{1,2}\n1: 3,{2,1}\n1: {1,3},2\n"
    assert not noticed(put("x.toi", text))[1].notes


def test_preflib_names_must_be_there_and_differ(put: Put) -> None:
    header = "# NUMBER ALTERNATIVES: 2\n# ALTERNATIVE NAME 1: Ann Lee\n"
    assert read(put("x.soi", header + "# ALTERNATIVE NAME 2: Bob\n1: 2,1\n"), names=True).items == ("Bob", "Ann Lee")
    assert "'# ALTERNATIVE NAME 2: ...' is missing" in failure(put("x.soi", header + "1: 1\n"), names=True)
    same = put("same.soi", header + "# ALTERNATIVE NAME 2: Ann Lee\n1: 2,1\n")
    assert "two alternatives are named 'Ann Lee'" in failure(same, names=True)
    assert "has no name in the header" in failure(put("x.soi", "1: 1\n"), names=True)
    assert read(same).items == ("2", "1")


# --- real files -------------------------------------------------------------------------------------------------------


def test_the_real_letor_files_are_read_as_documented(shared_data: Path) -> None:
    folder = shared_data / "letor" / "MQ2008-agg"
    loaded = load([folder / f"A{part}.txt" for part in range(1, 6)], options=ReadOptions(), log=ReadLog())
    assert (len(loaded.rankings), len(loaded.rankings.items), len(loaded.rankings.rankers)) == (784, 15211, 25)
    assert not loaded.rankings.has_ties
    assert loaded.labels is not None
    assert sum(max(loaded.labels[query].values()) == 0 for query in loaded.labels) == 220


def test_the_real_elections_are_read_without_a_note(shared_data: Path) -> None:
    paths = sorted((shared_data / "preflib").glob("*/*.[st]o[ci]"))
    assert len(paths) > 40
    for path in paths:
        found, log = noticed(path)
        assert not log.notes
        assert found.multiplicities.sum() > 0


def test_the_real_runs_are_read_with_the_traps_that_they_are_known_for(shared_data: Path) -> None:
    paths = sorted((shared_data / "trec-dl-hybrid" / "dl19").glob("*.trec"))
    found, _ = noticed(paths)
    assert (len(found), len(found.rankers)) == (43, 6)
    llama = found.take_rankers([found.rankers.index("REP_LLAMA")])
    assert llama.has_ties
    assert not read([path for path in paths if path.stem == "REP_LLAMA"], order_by="rank").has_ties


@pytest.mark.parametrize("name", ["x.trec", "x.csv", "x.json"])
@pytest.mark.parametrize("change", ["grow", "replace", "touch"])
def test_a_file_that_changes_while_it_is_read_is_an_error(
    put: Put, name: str, change: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = put(name, PLAIN[name].encode())

    def note(log: ReadLog, *rest: Any) -> None:  # what every reader does at its end
        if change == "grow":
            path.write_bytes(path.read_bytes() + b"\n")
        elif change == "replace":
            path.with_name("other").write_bytes(path.read_bytes())
            path.with_name("other").replace(path)
        else:
            os.utime(path, ns=(1, 1))

    monkeypatch.setattr(ReadLog, "used", note)
    assert "the file changed while it was read" in failure(path)


LONG_IDS = {
    "x.trec": "q Q0 d 1 2 t\nq Q0 {} 1 1 t\n",
    "x.csv": "query,item,score\nq,{},1\n",
    "x.json": '{{"q": {{"{}": 1}}}}',
    "x.jsonl": '{{"query": "q", "item": "d", "score": 2}}\n{{"query": "q", "item": "{}", "score": 1}}\n',
    "x.txt": "0 qid:1 1:1 #docid = {}\n",
}


@pytest.mark.parametrize("name", LONG_IDS)
@pytest.mark.parametrize("letter", ["x", "é"])
def test_an_id_of_65536_bytes_is_read_and_a_longer_one_refused_by_reader_and_writer(
    put: Put, tmp_path: Path, name: str, letter: str
) -> None:
    longest = letter * (65536 // len(letter.encode()))
    rankings = read(put(name, LONG_IDS[name].format(longest).encode()))
    write(rankings, tmp_path / "copy.csv")
    message = failure(put(name, LONG_IDS[name].format(longest + letter).encode()))
    assert "the item id" in message
    assert "has more than 65,536 bytes" in message
    with pytest.raises(DataError, match="more than 65,536 bytes"):
        write(Rankings.from_lists([[longest + letter]]), tmp_path / "copy.csv")


@pytest.mark.parametrize("delimiter", [1, "", "ab", "\n", '"', "\0"])
def test_what_cannot_stand_between_cells_is_refused(delimiter: Any) -> None:
    with pytest.raises(InvalidParameter, match="delimiter is one character such as ';'"):
        Csv(delimiter=delimiter)
    with pytest.raises(InvalidParameter, match="delimiter is one character such as ';'"):
        ReadOptions(delimiter=delimiter)
    with pytest.raises(InvalidParameter, match="delimiter is one character such as ';'"):
        FORMATS.parse(f"csv(delimiter={delimiter!r})")


@pytest.mark.parametrize(
    ("table", "columns"),
    [
        (
            "TopicNr;Dokument;Punkte\n40;xfjexm5b;3.2\n40;28utunid;2.5\n",
            {"query": "TopicNr", "item": "Dokument", "score": "Punkte"},
        ),
        ("foo,bar,baz\n40,xfjexm5b,3.2\n", {"query": "foo", "item": "bar", "score": "baz"}),
        ("Nr,DocNr,Platz\n40,7,1\n40,8,2\n", {"query": "Nr", "item": "DocNr", "rank": "Platz"}),
        (
            "TopicNr;System;Dokument;Platz;Punkte\n40;A;x1;1;3.2\n40;A;x2;2;3.1\n40;B;x2;1;3.1\n",
            {"query": "TopicNr", "ranker": "System", "item": "Dokument", "rank": "Platz", "score": "Punkte"},
        ),
        ("dok,topic,punkte\nb,1,3\nc,1,2\nb,2,2\n", {"query": "topic", "item": "dok", "score": "punkte"}),
    ],
)
def test_a_long_table_with_numbered_queries_is_offered_by_its_own_names(
    put: Put, table: str, columns: dict[str, str]
) -> None:
    path = put("odd.csv", table)
    assert f"columns={columns}" in failure(path)
    assert list(read(path, columns=columns, log=ReadLog()).queries) in (["40"], ["1", "2"])


@pytest.mark.parametrize(
    ("header", "columns"),
    [
        ("query;Dokument;Wert", {"item": "Dokument", "score": "Wert"}),
        ("TopicNr;Dokument;score", {"query": "TopicNr", "item": "Dokument"}),
        ("query;item;Wert", {"score": "Wert"}),
    ],
)
def test_columns_beside_those_with_the_names_of_roles_are_offered_by_their_cells(
    put: Put, header: str, columns: dict[str, str]
) -> None:
    path = put("odd.csv", f"{header}\n40;xfjexm5b;3.2\n40;28utunid;2.5\n")
    assert f"columns={columns}" in failure(path)
    assert read(path, columns=columns, log=ReadLog()).queries == ("40",)


def test_layouts_that_the_first_rows_refute_are_not_offered(put: Put) -> None:
    ids = failure(put("odd.csv", "TopicNr;Dokument;Punkte\n40;xfjexm5b;3.2\n"))
    assert "not clear what the columns of this table hold" in ids
    assert "layout=" not in ids  # ids are no numbers
    again = failure(put("odd.csv", "topic,dok,punkte\n40,x,3\n40,y,2\n"))
    assert "layout='wide'" not in again  # items come again
    open_question = failure(put("odd.csv", "id,bm25,dense\na1,1.25,2.5\nb2,2.5,1.25\n"))
    assert "layout='wide'" in open_question
    assert "layout='grid'" in open_question


def test_a_file_of_records_under_other_names_is_told_the_option_that_names_them(put: Put) -> None:
    path = put("odd.jsonl", '{"TopicNr": "40", "Dokument": "x5", "Punkte": 3.2}\n')
    columns = {"query": "TopicNr", "item": "Dokument", "score": "Punkte"}
    assert f"its columns are 'TopicNr', 'Dokument', 'Punkte'. Say what it is: columns={columns}" in failure(path)
    assert read(path, columns=columns, log=ReadLog()).queries == ("40",)


LONG_ROWS = [
    {"query": "q", "item": "a", "title": "Alpha", "bm25": 1.5},
    {"query": "q", "item": "b", "title": "Beta", "bm25": 2.5},
]
RATED_ROWS = [{"item": "a", "verdict": "good"}, {"item": "b", "verdict": "bad"}]


def _write_rows(path: Path, rows: list[dict[str, Any]]) -> Path:
    """The same rows in the format that the name says."""
    texts = {
        ".csv": lambda: "\n".join([",".join(rows[0]), *(",".join(map(str, row.values())) for row in rows)]),
        ".json": lambda: json.dumps(rows),
        ".jsonl": lambda: "\n".join(map(json.dumps, rows)),
    }
    if path.suffix == ".parquet":
        pq.write_table(pa.Table.from_pylist(rows), path)
    else:
        path.write_text(texts[path.suffix]())
    return path


@pytest.mark.parametrize("layout", [None, "long"])
@pytest.mark.parametrize("name", ["x.csv", "x.json", "x.jsonl", "x.parquet"])
def test_a_column_of_texts_is_never_proposed_as_a_score(name: str, layout: str | None, tmp_path: Path) -> None:
    told = failure(_write_rows(tmp_path / name, LONG_ROWS), layout=layout)
    assert "columns under other names: columns={'score': 'bm25'}" in told
    assert read(tmp_path / name, columns={"score": "bm25"}, log=ReadLog()).best_first() == ["b", "a"]
    told = failure(_write_rows(tmp_path / name, RATED_ROWS), layout=layout)
    assert "no column holds numbers" in told
    assert "'score': " not in told
    assert "did you mean" not in told


def test_an_array_of_objects_is_a_long_table_whose_columns_can_be_named(tmp_path: Path) -> None:
    rows = [{"query": "q", "system": "x", "item": 7, "score": 1}, {"query": "q", "system": "y", "item": 8, "score": 2}]
    path = _write_rows(tmp_path / "x.json", rows)
    assert read(path, columns={"ranker": "system"}).rankers == ("x", "y")
    (tmp_path / "o.json").write_text('{"q": {"a": 1}}')
    with pytest.raises(DataError, match="the option 'columns' is for a table, in JSON an array of objects"):
        read(tmp_path / "o.json", columns={"item": "id"})


def test_a_column_that_the_caller_leaves_out_is_not_warned_of(tmp_path: Path) -> None:
    (tmp_path / "long.csv").write_text("query,item,score,note\nq,a,1,x\n")
    (tmp_path / "long.jsonl").write_text('{"query": "q", "item": "a", "score": 1, "note": "x"}\n')
    for name in ("long.csv", "long.jsonl"):
        log = ReadLog()
        read(tmp_path / name, columns={"ignore": "note"}, log=log)
        assert log.notes == []


def test_a_missing_column_is_told_beside_the_names_that_the_file_has(tmp_path: Path) -> None:
    path = tmp_path / "long.csv"
    path.write_text("qid,pid,rank\nq,a,1\n")
    assert "found: 'qid', 'pid', 'rank'; " in failure(path, layout="long")


def test_an_option_that_no_input_can_use_is_told_of_the_first_and_its_format(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"query": "q", "item": "a", "score": 1}\n')
    (tmp_path / "b.trec").write_text("q Q0 a 1 2 t\n")
    with pytest.raises(DataError, match=r"a\.jsonl: .* this is read as jsonl"):
        read([tmp_path / "a.jsonl", tmp_path / "b.trec"], delimiter=";")


class Named:
    """A path of somebody else's."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __fspath__(self) -> str:
        return str(self.path)


def test_a_path_is_whatever_says_one(tmp_path: Path) -> None:
    path = Named(tmp_path / "a.csv")
    write(fuse([["a", "b"]]), path)  # type: ignore[arg-type]
    assert read(path).items  # type: ignore[arg-type]
    (tmp_path / "a.csv").write_text("")
    with pytest.raises(DataError, match=r"a\.csv"):
        read(path)  # type: ignore[arg-type]


@pytest.mark.parametrize("score", ["1" + "0" * 400, "NaN", '"1,5"'])
def test_a_score_of_a_response_is_a_finite_number(tmp_path: Path, score: str) -> None:
    path = tmp_path / "found.jsonl"
    path.write_text('{"query": "q", "hits": {"hits": [{"_id": "a", "_score": 7}]}}\n'.replace("7", score))
    assert failure(path)


def test_failed_shards_that_are_no_number_are_no_failure(tmp_path: Path) -> None:
    path = tmp_path / "found.json"
    path.write_text('{"_shards": {"failed": "no"}, "hits": {"hits": [{"_id": "a", "_score": 1}]}}')
    assert noticed(path)[1].notes == []


@pytest.mark.parametrize("layout", ["wide", "grid", "ballots", "pairs"])
def test_a_table_of_queries_alone_is_refused_in_every_layout(tmp_path: Path, layout: str) -> None:
    for text in ("query", "query,", "query\n", "query\nq\n"):
        path = tmp_path / "x.tsv"
        path.write_text(text)
        assert failure(path, layout=layout, header=True)


LONG = "1" * 5000  # more digits than Python makes a number of
ODD_DIGITS = [LONG, "0" * 5000 + "1", "²", "①", "٣"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('[{"item": "x", "score": %s}, {"item": "y", "score": 2}]', "inf"),
        ('{"q": {"r": ["a", %s]}}', "inf"),
        ('[["a", %s], ["b"]]', "inf"),
    ],
)
def test_json_takes_numbers_of_any_length(put: Put, text: str, found: str) -> None:
    assert found in failure(put("x.json", text % LONG))
    assert failure(put("x.json", text % LONG)).startswith("x.json")


@pytest.mark.parametrize("digits", ODD_DIGITS)
@pytest.mark.parametrize("layout", [None, "columns", "wide", "grid", "ballots", "list", "pairs"])
@pytest.mark.parametrize(
    "text",
    ["rank,a,b\n%s,x,y\n2,y,x\n", "v,1,%s\nx,1,2\ny,2,1\n", "a,b,%s\nx,1,2\n", "x,y,1\nx,z,%s\n", "%s,a\nx,1\n"],
)
def test_cells_of_digits_that_are_no_numbers_are_read_or_refused(
    put: Put, text: str, layout: str | None, digits: str
) -> None:
    assert _refusal(put("x.csv", text % digits), layout=layout).isprintable()


@pytest.mark.parametrize("digits", [*ODD_DIGITS[2:], LONG])
def test_a_count_is_a_whole_number(put: Put, digits: str) -> None:
    message = failure(put("x.csv", f"voter,1st choice,2nd choice,count\nA,x,y,{digits}\n"))
    assert "is not a whole number from 0 to" in message


def test_a_column_has_a_number_that_a_table_can_have(put: Put) -> None:
    path = put("x.csv", PLAIN["x.csv"])
    with pytest.raises(InvalidParameter, match="the column for item is a name, a number from 1"):
        read(path, columns={"item": 10**5000})
    assert "there is no column '1111" in failure(path, columns={"item": LONG, "ignore": "rank"})


def test_the_hint_for_pairs_shows_no_raw_id(put: Put) -> None:
    message = failure(put("x.json", '{"r": ["a", ["\\u001b[31m", 3]]}'), outer="ranker")
    assert message.isprintable()
    assert '{"\\x1b[31m": 3}' in message


@pytest.mark.parametrize("layout", ["columns", "wide", "grid", "ballots", "list", "pairs"])
def test_a_workbook_with_a_header_alone_is_read_or_refused(put: Put, layout: str) -> None:
    stream, book = io.BytesIO(), openpyxl.Workbook()
    book.active.append(["name", "second", "third"])
    book.save(stream)
    assert _refusal(put("x.xlsx", stream.getvalue()), layout=layout, header=True).isprintable()


def _refusal(path: Path, **options: Any) -> str:
    """What the reader says against a file, nothing if it takes it; any other exception is the test's failure."""
    try:
        read(path, log=ReadLog(), **options)
    except DataError as error:
        return str(error)
    return ""


def test_of_many_missing_files_five_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(DataError) as refused:
        read([f"{number}.trec" for number in range(7)])
    assert str(refused.value).endswith("'3.trec', '4.trec' and 2 more")


def test_more_files_are_read_than_may_be_open_at_once(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource", reason="limits of a process are a thing of Unix")
    files = [tmp_path / f"r{number:03}.json" for number in range(400)]
    for file in files:
        file.write_text('{"q": {"a": 2, "b": 1}}')
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (300, before[1]))
    try:
        assert len(read(files).rankers) == 400
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


def test_whole_labels_may_be_written_as_fractions_in_json(tmp_path: Path) -> None:
    (tmp_path / "qrels.json").write_text('{"q": {"a": 2.0, "b": 0.0}}')
    assert read_labels(tmp_path / "qrels.json") == Labels({"q": {"a": 2, "b": 0}})


@pytest.mark.parametrize("answer", ["None", "Total"])
def test_a_choice_that_may_mean_none_is_noted(answer: str, tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text(f"voter,First choice,Second choice\nann,a,b\nbob,b,{answer}\n")
    log = ReadLog()
    read(tmp_path / "x.csv", log=log)
    assert any(f"'{answer}' (1 cell) was read as an id" in note for note in log.notes)


@pytest.mark.skipif(not records.has_twin(), reason="there is no compiled twin here")
def test_a_plain_table_can_be_read_in_parts(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text(PLAIN["x.csv"])
    with Inputs([tmp_path / "x.csv"], options=ReadOptions(), log=ReadLog()) as inputs:
        assert not isinstance(inputs.in_parts(), Whole)


# --- columns of one file ----------------------------------------------------------------------------------------------

BM25 = "qid,docno,score\n1,a,3\n1,b,2\n"
DENSE = "question,id,distance\n1,b,0.1\n1,c,0.3\n"


@pytest.mark.parametrize("name", ["dense", "dense.csv"])
def test_the_columns_of_one_file_go_by_its_name(put: Put, name: str) -> None:
    files = [put("bm25.csv", BM25), put("dense.csv", DENSE)]
    own = {"query": "question", "item": "id", "rank": "distance"}
    rankings = read(files, columns={name: own})
    assert rankings.best_first("1", ranker="dense") == ["b", "c"]
    assert rankings.best_first("1", ranker="bm25") == ["a", "b"]
    assert read(files, columns={name: own, "item": "docno"}) == rankings
    with pytest.raises(InvalidParameter, match="no input has this name; did you mean 'dense'"):
        read(files, columns={"dens": own})
    with pytest.raises(InvalidParameter, match="there is no 'itme'"):
        read(files, columns={"dense": {"itme": "id"}})


def test_a_remedy_for_one_of_several_files_names_the_file(put: Put) -> None:
    files = [put("bm25.csv", BM25), put("dense.csv", DENSE)]
    with pytest.raises(DataError) as asked:
        read(files)
    say = asked.value.message.says[0]  # type: ignore[attr-defined]
    assert say.options == {"columns": {"dense": {"query": "question", "item": "id", "rank": "distance"}}}
    assert say.flags() == "--columns dense:query=question,item=id,rank=distance"
    assert read(files, **say.options).rankers == ("bm25", "dense")
    alike = [put("x.csv", DENSE), put("y.csv", DENSE)]
    with pytest.raises(DataError, match=r"columns={'query': 'question', 'item': 'id', 'rank': 'distance'}"):
        read(alike)


@pytest.mark.parametrize(
    ("content", "layout"),
    [
        ('{"x": 3, "y": 1}', "{item: number}"),
        ('{"a": {"x": 3, "y": 1}, "b": {"x": 1}}', "{query: {item: number}}"),
        ('{"r": {"q": {"x": 3, "y": 1}}}', "{query: {ranker: {item: number}}}"),
    ],
)
def test_the_levels_of_a_json_object_are_told(put: Put, content: str, layout: str) -> None:
    log = ReadLog()
    read(put("x.json", content), log=log)
    assert [each.layout for each in log.readings] == [layout]


def test_what_the_owner_of_a_file_says_of_columns_adds_up(put: Put) -> None:
    reading = open_reading(put("x.csv", "a,b\n1,2\n"), ReadOptions(columns={"query": "a"}), ReadLog())
    with reading.source:
        assert reading.answered(Say(columns={"item": "b"})).options.columns == {"query": "a", "item": "b"}
        assert reading.answered(Say(header=True)).options.columns == {"query": "a"}
        assert reading.answered(Say(columns={"query": "b"})).options.columns == {"query": "b"}
        assert reading.options.columns == {"query": "a"}
