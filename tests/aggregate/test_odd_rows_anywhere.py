"""Odd rows far down a large input are taken or refused in the words of reading all first, whoever comes upon them."""

from __future__ import annotations

import gzip
import random
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.aggregate.conftest import Same
from tests.aggregate.votes import ORDERS, make_votes, run_lines, split_by_ranker, store, table

from stagg.kernels.compiled import twin

pytestmark = pytest.mark.skipif(twin("text._text") is None, reason="the compiled reader was not built")

VOTES = make_votes(range(1, 13))
LATE, EARLY = 200, 20
LENIENCE: list[list[object]] = [[], ["--lenient"], ["--duplicates", "best"], ["--duplicates", "first", "--lenient"]]


def insert(lines: list[bytes], *odd: tuple[int, bytes]) -> bytes:
    """The lines with odd ones among them, each before the line of its number."""
    pieces = list(lines)
    for place, text in sorted(odd, reverse=True):
        pieces.insert(place, text)
    return b"".join(pieces)


def csv_lines(order: str, columns: str = "query,ranker,item,score", delimiter: str = ",") -> list[bytes]:
    text = table(ORDERS[order](VOTES), columns=columns, delimiter=delimiter)
    return text.encode().splitlines(keepends=True)


def across_chunks(cell: str) -> bytes:
    """The same cell again and again, so that chunks begin and end at any place in it."""
    return b"".join(f'{number % 7},r{number % 3},"{number}{cell}",{number % 5}\n'.encode() for number in range(90))


GOOD_CELLS = {
    "a delimiter in quotes": b'"1,2",r0,"d,1",3\n"1,2",r1,"d,1",4\n',
    "doubled quotes": b'1,r0,"say ""x"", twice",3\n2,"r""0""",d,1\n',
    "a newline in quotes": b'1,r0,"two\nlines",3\n',
    "newlines in quotes over many chunks": across_chunks("\nx\r\ny\n"),
    "what looks like a row in quotes": across_chunks("\n1,r0,no row,9\n"),
    "quotes and newlines in quotes": across_chunks('""\n""""\n,""'),
    "a cell longer than many chunks": b'1,r0,"' + b"0123456789\n" * 500 + b'",3\n',
    "quotes around everything": b'"1","r0","d","3"\n',
    "blanks around cells": b" 1 , r0 , d , 3 \n",
    "blanks in quotes": b'1,r0," d ",3\n',
    "blank lines": b"\n\n \n\r\n",
    "CRLF": b"1,r0,new,3\r\n",
    "a quote inside a cell": b'1,r0,5" disk,3\n',
    "an id of 60,000 bytes": b"1,r0," + b"d" * 60_000 + b",3\n",
    "whole scores that tie": b"1,r0,x,9007199254740993\n1,r0,y,9007199254740992\n1,r1,y,9007199254740992\n",
    "large whole scores": b"1,r0,x,18446744073709551617\n1,r0,y,18446744073709551616\n1,r1,y,3\n",
    "zeros": b"1,r0,x,-0.0\n1,r0,y,0\n1,r0,z,-0e9\n",
    "small and large scores": b"1,r0,x,5e-324\n1,r0,y,1e-400\n1,r0,z,1.7976931348623157e308\n",
    "a new ranker and a new query": b"new query,new ranker,d,1\n",
    "no-break spaces": "1,r0,\u00a0d\u00a0,3\n".encode(),
    "an empty last column": b"1,r0,new,3,\n",
}


@pytest.mark.parametrize("order", "mqs")
@pytest.mark.parametrize("cells", GOOD_CELLS)
def test_odd_cells_are_read_as_ever(cells: str, order: str, same: Same, tmp_path: Path) -> None:
    for place in (EARLY, len(VOTES) + 1, LATE) if order == "s" else (LATE,):
        path = store(tmp_path / "votes.csv", insert(csv_lines(order), (place, GOOD_CELLS[cells])))
        ended = same(path, "-m", "combsum", output=tmp_path / "out.csv")
        assert ended.code == 0 or cells in ("a quote inside a cell", "an empty last column"), ended.err
    if order == "s":
        same("-", stdin=path, output=tmp_path / "out.csv")
        same(store(tmp_path / "votes.csv.gz", path.read_bytes()), "--lenient", "--format", "csv")


BAD_CELLS = {
    "an empty id": b"1,r0,,3\n",
    "an empty query": b",r0,d,3\n",
    "an empty ranker": b"1,,d,3\n",
    "an empty score": b"1,r0,d,\n",
    "no number": b"1,r0,d,abc\n",
    "nan": b"1,r0,d,nan\n",
    "infinity": b"1,r0,d,1e400\n",
    "a decimal comma in quotes": b'1,r0,d,"5,50"\n',
    "an underscore": b"1,r0,d,1_0\n",
    "hexadecimal": b"1,r0,d,0x10\n",
    "digits of another script": "1,r0,d,٣\n".encode(),
    "a NUL byte": b"1,r0,d\0,3\n",
    "a byte that is not UTF-8": b"1,r0,d\xff,3\n",
    "half a letter": b"1,r0,d\xc3,3\n",
    "a surrogate": b"1,r0,d\xed\xa0\x80,3\n",
    "too few columns": b"1,r0,d\n",
    "too many columns": b"1,r0,d,3,4,5\n",
    "a quote that stays open": b'1,r0,"d,3\n',
    "text after quotes": b'1,r0,"d"x,3\n',
    "a comment": b"# nothing\n",
    "a header again": b"query,ranker,item,score\n",
    "an id of 70,000 bytes": b"1,r0," + b"d" * 70_000 + b",3\n",
    "a query of 70,000 bytes": b"1" * 70_000 + b",r0,d,3\n",
    "a line over a megabyte": b'1,r0,"' + b"d" * (1 << 20) + b'",3\n',
    "a return alone": b"1,r0,d\rx,3\n",
}


@pytest.mark.parametrize("cells", BAD_CELLS)
def test_bad_cells_are_refused_or_dropped_in_the_same_words(cells: str, same: Same, tmp_path: Path) -> None:
    large = len(BAD_CELLS[cells]) > 10**6
    for order in "s" if large else "mqs":
        lines = csv_lines(order)
        path = store(tmp_path / "votes.csv", insert(lines, (LATE, BAD_CELLS[cells])))
        code = same(path, output=tmp_path / "out.csv").code
        assert code == 1 or cells in ("a comment", "a header again", "a return alone"), code
        if order == "s":
            for options in LENIENCE[1:]:
                same(path, *options, "--format", "csv")
            assert same("-", stdin=path).code == code
            last = store(tmp_path / "votes.csv", insert(lines, (len(lines), BAD_CELLS[cells][:-1])))
            same(last)
            same(last, "--lenient", "--comments")


def test_the_line_of_a_bad_cell_is_named(same: Same, tmp_path: Path) -> None:
    for order in ORDERS:
        path = store(tmp_path / "votes.csv", insert(csv_lines(order), (LATE, b"1,r0,d,abc\n")))
        assert f"{path}:{LATE + 1}: " in same(path).err


PAIRS = {
    "two bad numbers": ((EARLY, b"1,r0,d,abc\n"), (LATE, b"1,r0,d,xyz\n")),
    "a bad number, then bytes that are no text": ((EARLY, b"1,r0,d,abc\n"), (LATE, b"1,r0,d\xff,3\n")),
    "bytes that are no text, then a bad number": ((EARLY, b"1,r0,d\xff,3\n"), (LATE, b"1,r0,d,xyz\n")),
    "a NUL, then a bad number": ((EARLY, b"1,r0,d\0,3\n"), (LATE, b"1,r0,d,xyz\n")),
    "a bad number, then a NUL": ((EARLY, b"1,r0,d,abc\n"), (LATE, b"1,r0,d\0,3\n")),
    "an empty id, then an open quote": ((EARLY, b"1,r0,,3\n"), (LATE, b'1,r0,"d,3\n')),
    "an item twice, far apart": ((EARLY, b"5,r2,twice,3\n"), (LATE, b"5,r2,twice,4\n")),
    "an item twice, with the same score": ((EARLY, b"5,r2,twice,3\n"), (LATE, b"5,r2,twice,3\n")),
    "an item in two lists of a query": ((EARLY, b"5,r2,twice,3\n"), (LATE, b"5,r1,twice,4\n")),
    "an item in lists of two queries": ((EARLY, b"5,r2,twice,3\n"), (LATE, b"6,r2,twice,4\n")),
    "an item three times": ((EARLY, b"5,r2,twice,3\n5,r2,twice,9\n"), (LATE, b"5,r2,twice,4\n")),
    "two items of a list twice": ((EARLY, b"9,r2,a,3\n9,r2,b,3\n"), (LATE, b"9,r2,b,4\n9,r2,a,4\n")),
    "an item twice, then a bad number": ((EARLY, b"5,r2,twice,3\n5,r2,twice,4\n"), (LATE, b"1,r0,d,abc\n")),
    "a bad number, then an item twice": ((EARLY, b"1,r0,d,abc\n"), (LATE, b"5,r2,twice,3\n5,r2,twice,4\n")),
    "an item twice around a bad number": ((EARLY, b"5,r2,twice,3\n1,r0,d,abc\n"), (LATE, b"5,r2,twice,4\n")),
    "an item in quotes and without": ((EARLY, b'5,r2,"twice",3\n'), (LATE, b"5,r2,twice,4\n")),
}


@pytest.mark.parametrize("pair", PAIRS)
def test_of_several_faults_the_same_one_is_named(pair: str, same: Same, tmp_path: Path) -> None:
    for order in ORDERS:
        path = store(tmp_path / "votes.csv", insert(csv_lines(order), *PAIRS[pair]))
        for options in LENIENCE[:3] if order == "s" else LENIENCE[:1]:
            same(path, *options)


TWO_ITEMS_TWICE = {
    "two items twice, the later in an earlier query": (
        (EARLY, b"9,r2,twice,3\n9,r2,twice,3\n"),
        (LATE, b"1,r2,twice,4\n1,r2,twice,4\n"),
    ),
    "two items twice, one inside the other": (
        (EARLY, b"9,r2,out,3\n1,r2,in,3\n"),
        (LATE, b"1,r2,in,4\n9,r2,out,4\n"),
    ),
}


@pytest.mark.parametrize("pair", TWO_ITEMS_TWICE)
def test_of_several_items_that_are_twice_the_same_one_is_named(pair: str, same: Same, tmp_path: Path) -> None:
    for order in ORDERS:
        path = store(tmp_path / "votes.csv", insert(csv_lines(order), *TWO_ITEMS_TWICE[pair]))
        assert same(path).code == 1


def test_an_item_twice_in_one_table_is_said_before_a_bad_number_in_the_next(same: Same, tmp_path: Path) -> None:
    for order in "mqs":
        one = store(tmp_path / "one.csv", insert(csv_lines(order), *PAIRS["an item twice, far apart"]))
        lines = [line if not number else line.replace(b",r", b",s") for number, line in enumerate(csv_lines(order))]
        two = store(tmp_path / "two.csv", insert(lines, (LATE, b"1,s0,d,abc\n")))
        for paths in ([one, two], [two, one]):
            assert same(*paths).code == 1


def test_an_item_twice_is_an_error_with_both_lines(same: Same, tmp_path: Path) -> None:
    for order in ORDERS:
        path = store(tmp_path / "votes.csv", insert(csv_lines(order), *PAIRS["an item twice, far apart"]))
        ended = same(path)
        assert ended.code == 1
        assert f"{path}:{LATE + 2}: " in ended.err
        assert f"{EARLY + 1}" in ended.err


TREC_ROWS = {
    "too many columns": b"1 Q0 d 1 3 t more\n",
    "too few columns": b"1 Q0 d 1 3\n",
    "one word": b"word\n",
    "a comment": b"# nothing\n",
    "blank lines": b"\n  \n\t\n\r\n",
    "tabs and blanks": b"1\tQ0  d \t 1   3\tt\n",
    "blanks before and after": b"  1 Q0 d 1 3 t  \n",
    "CRLF": b"1 Q0 d 1 3 t\r\n",
    "two returns": b"1 Q0 d 1 3 t\r\r\n",
    "a return alone": b"1 Q0 d\rx 1 3 t\n",
    "a vertical tab": b"1 Q0 d\x0bx 1 3 t\n",
    "a no-break space": "1 Q0 d\u00a0x 1 3 t\n".encode(),
    "a line separator": "1 Q0 d\u2028x 1 3 t\n".encode(),
    "no number": b"1 Q0 d 1 abc t\n",
    "nan": b"1 Q0 d 1 nan t\n",
    "a score of many digits": b"1 Q0 d 1 " + b"1" * 400 + b" t\n",
    "a rank that is no number": b"1 Q0 d first 3 t\n",
    "a negative rank": b"1 Q0 d -4 3 t\n",
    "a rank that contradicts the score": b"1 Q0 d 9999 30 t\n1 Q0 e 1 -30 t\n",
    "another tag": b"1 Q0 d 1 3 other\n",
    "several tags": b"1 Q0 d 1 3 other\n1 Q0 e 1 3 third\n1 Q0 f 1 3 fourth\n",
    "a NUL byte": b"1 Q0 d\0 1 3 t\n",
    "a byte that is not UTF-8": b"1 Q0 d\xff 1 3 t\n",
    "a tag that is not UTF-8": b"1 Q0 d 1 3 t\xff\n",
    "an id of 60,000 bytes": b"1 Q0 " + b"d" * 60_000 + b" 1 3 t\n",
    "an id of 70,000 bytes": b"1 Q0 " + b"d" * 70_000 + b" 1 3 t\n",
    "a line over a megabyte": b"1 Q0 " + b"d" * (1 << 20) + b" 1 3 t\n",
    "whole scores that tie": b"1 Q0 x 1 9007199254740993 t\n1 Q0 y 2 9007199254740992 t\n",
    "an item twice": b"1 Q0 twice 1 3 t\n1 Q0 twice 2 2 t\n",
    "quotes": b'1 Q0 "d 1 3 t\n',
}


@pytest.mark.parametrize("row", TREC_ROWS)
def test_odd_rows_of_runs_are_read_or_refused_in_the_same_words(row: str, same: Same, tmp_path: Path) -> None:
    odd = TREC_ROWS[row]
    for order in "s" if len(odd) > 10**6 else "mqs":
        each = {
            ranker: run_lines(rows).encode().splitlines(keepends=True)
            for ranker, rows in split_by_ranker(ORDERS[order](VOTES)).items()
        }
        late = min(map(len, each.values())) - 10
        paths = [
            store(tmp_path / f"{ranker}.trec", insert(lines, (late, odd if ranker in ("r1", "r2") else b"")))
            for ranker, lines in each.items()
        ]
        same(*paths, "--format", "csv")
        if order != "s":
            continue
        for options in [*LENIENCE[1:], ["--order-by", "rank"], ["--comments", "--quiet"], ["--split-by-tag"]]:
            same(*paths, *options, "--format", "csv")
        store(paths[2], insert(each["r2"], (len(each["r2"]), odd.rstrip(b"\n"))))  # the last line, without its end
        same(paths[0], paths[2], "--format", "csv")
        packed = [store(tmp_path / f"{ranker}.trec.gz", insert(lines, (late, odd))) for ranker, lines in each.items()]
        same(*packed[:2], "--format", "csv")
        same(paths[0], "-", "--format", "csv", stdin=packed[3])


@pytest.mark.parametrize("oracle", [False, pytest.param(True, marks=pytest.mark.xfail(strict=False))])
def test_an_id_that_the_output_cannot_hold_is_said_after_what_was_read(
    oracle: bool, same: Same, tmp_path: Path
) -> None:
    """Known: compiled code says the error alone, pure Python the notes on what was read before it."""
    for order in "mqs":
        path = store(tmp_path / "votes.csv", insert(csv_lines(order), (LATE, b"5,r0,a b,3\n")))
        ended = same(path, output=tmp_path / "out.trec", oracle=oracle)
        assert (ended.code, ended.file) == (1, None)
        assert "trec cannot hold the item id 'a b'" in ended.err


def test_an_item_twice_in_a_run_is_an_error_with_both_lines(same: Same, tmp_path: Path) -> None:
    for order in ORDERS:
        lines = run_lines(split_by_ranker(ORDERS[order](VOTES))["r0"]).encode().splitlines(keepends=True)
        text = insert(lines, (7, b"5 Q0 twice 1 3 t\n"), (90, b"5 Q0 twice 2 1 t\n"))
        path = store(tmp_path / "r0.trec", text)
        ended = same(path)
        assert f"{path}:92: " in ended.err
        assert "8" in ended.err.replace(str(tmp_path), "")


def test_faults_in_two_files_are_said_in_the_order_of_the_files(same: Same, tmp_path: Path) -> None:
    each = split_by_ranker(ORDERS["s"](VOTES))
    lines = [run_lines(each[ranker]).encode().splitlines(keepends=True) for ranker in ("r0", "r1")]
    duplicate, bad = b"1 Q0 twice 1 3 t\n1 Q0 twice 2 2 t\n", b"1 Q0 d 1 abc t\n"
    contradicting = b"1 Q0 d 9999 30 t\n1 Q0 e 1 -30 u\n"
    for first in (duplicate, bad, contradicting):
        for second in (duplicate, bad, contradicting):
            paths = [
                store(tmp_path / "one.trec", insert(lines[0], (90, first))),
                store(tmp_path / "two.trec", insert(lines[1], (3, second))),
            ]
            for options in LENIENCE[:3]:
                same(*paths, *options)


def test_contradicting_ranks_are_counted_with_their_first_place(same: Same, tmp_path: Path) -> None:
    for order in ORDERS:
        rows = ORDERS[order](VOTES)
        turned = [row._replace(rank=row.rank if number < LATE else 50 - row.rank) for number, row in enumerate(rows)]
        path = store(tmp_path / "votes.csv", table(turned, columns="query,ranker,item,rank,score"))
        assert "contradict" in same(path).err
        same(path, "--order-by", "rank")
        paths = [
            store(tmp_path / f"{ranker}.trec", run_lines(each)) for ranker, each in split_by_ranker(turned).items()
        ]
        assert "contradict" in same(*paths).err


@pytest.mark.parametrize("delimiter", [";", "\t"])
@pytest.mark.parametrize("odd", ["1{}r0{}d{}1,5\n", "1{}r0{}d{}1.5\n", "1{}r0{}d{}1.000,5\n", "1{}r0{}d{},5\n"])
def test_decimal_commas_are_read_wherever_they_stand(odd: str, delimiter: str, same: Same, tmp_path: Path) -> None:
    row = odd.format(delimiter, delimiter, delimiter).encode()
    for order in "mqs":
        path = store(tmp_path / "votes.csv", insert(csv_lines(order, delimiter=delimiter), (LATE, row)))
        same(path)
        same(path, "--lenient")


STARTS = {
    "a byte-order mark": lambda text: b"\xef\xbb\xbf" + text,
    "UTF-16": lambda text: text.decode().encode("utf-16"),
    "CRLF everywhere": lambda text: text.replace(b"\n", b"\r\n"),
    "no last newline": lambda text: text[:-1],
    "many last newlines": lambda text: text + b"\n" * 900,
    "half a row at the end": lambda text: text[:-9],
    "NULs at the end": lambda text: text + b"\0" * 900,
    "the header alone": lambda text: text[: text.index(b"\n") + 1],
    "the header without its end": lambda text: text[: text.index(b"\n")],
    "nothing": lambda _: b"",
    "blank lines alone": lambda _: b"\n \n\n",
    "no header": lambda text: text[text.index(b"\n") + 1 :],
    "a packed file that is cut": lambda text: gzip.compress(text, mtime=0)[:-400],
}


@pytest.mark.parametrize("start", STARTS)
def test_odd_files_alone_and_beside_full_ones_give_the_same_words(start: str, same: Same, tmp_path: Path) -> None:
    change = STARTS[start]
    for order in "ms":
        rows = ORDERS[order](VOTES)
        odd = store(tmp_path / "odd.csv", change(table(rows).encode()))
        same(odd)
        same(odd, "--lenient")
        same("-", stdin=odd, oracle=start != "UTF-16")
        beside = store(tmp_path / "beside.csv", table(row._replace(ranker=f"s{row.ranker}") for row in rows[:99]))
        same(beside, odd)
        same(odd, beside)
        each = split_by_ranker(rows)
        run = store(tmp_path / "odd.trec", change(run_lines(each["r0"]).encode()))
        other = store(tmp_path / "r1.trec", run_lines(each["r1"]))
        for paths in ([run], [run, other], [other, run]):
            same(*paths)


def test_utf_16_in_a_pipe_is_said_to_be_utf_16(same: Same, tmp_path: Path) -> None:
    path = store(tmp_path / "votes.csv", table(VOTES).encode("utf-16"))
    assert "the file is UTF-16" in same("-", stdin=path).err


def test_parts_that_share_a_list_are_refused_in_the_same_words(same: Same, tmp_path: Path) -> None:
    for order in "mqs":
        rows = ORDERS[order](VOTES)
        paths = [store(tmp_path / f"part{number}.csv", table(rows[number::2])) for number in range(2)]
        ended = same(*paths)
        assert ended.code == 1
        same(*reversed(paths), "--lenient")


def test_queries_in_only_some_files_are_counted(same: Same, tmp_path: Path) -> None:
    for order in "mqs":
        each = split_by_ranker(ORDERS[order](VOTES))
        rows = {ranker: [row for row in rows if ranker != "r2" or row.query < "3"] for ranker, rows in each.items()}
        paths = [store(tmp_path / f"{ranker}.trec", run_lines(each)) for ranker, each in rows.items()]
        assert "in only some of the inputs" in same(*paths).err


def test_a_ranker_that_shares_no_item_with_others_is_named(same: Same, tmp_path: Path) -> None:
    rows = [row._replace(item=row.item + "x" * (row.ranker == "r2")) for row in VOTES]
    for order in "mqs":
        path = store(tmp_path / "votes.csv", table(ORDERS[order](rows)))
        assert "warning: r2 shares no item" in same(path).err


Columns = dict[str, pa.Array]


def columns(order: str) -> Columns:
    rows = ORDERS[order](VOTES)
    return {
        "query": pa.array([row.query for row in rows]),
        "ranker": pa.array([row.ranker for row in rows]),
        "item": pa.array([row.item for row in rows]),
        "score": pa.array([row.score for row in rows]),
    }


def put(array: pa.Array, value: object, kind: str | None = None) -> pa.Array:
    """The array with another value far down."""
    values = array.to_pylist()
    values[LATE] = value
    return pa.array(values, kind or array.type)


def repeat(table: Columns) -> Columns:
    """A row of the beginning comes again at the end."""
    return {name: pa.concat_arrays([array, array.slice(EARLY, 1)]) for name, array in table.items()}


def numbers(table: Columns, kind: str) -> pa.Array:
    return pa.array([int(item) for item in table["item"].to_pylist()], "int64").cast(kind)


PARQUET = {
    "no item": lambda table: table | {"item": put(table["item"], None)},
    "no query": lambda table: table | {"query": put(table["query"], None)},
    "no ranker": lambda table: table | {"ranker": put(table["ranker"], None)},
    "no score": lambda table: table | {"score": put(table["score"], None)},
    "an empty item": lambda table: table | {"item": put(table["item"], "")},
    "a NUL in an item": lambda table: table | {"item": put(table["item"], "a\0b")},
    "an item of 70,000 bytes": lambda table: table | {"item": put(table["item"], "d" * 70_000)},
    "nan": lambda table: table | {"score": put(table["score"], float("nan"))},
    "infinity": lambda table: table | {"score": put(table["score"], float("-inf"))},
    "an item twice": repeat,
    "items that are fractions": lambda table: table | {"item": numbers(table, "double")},
    "items that are large numbers": lambda table: table | {"item": put(numbers(table, "uint64"), 2**64 - 1)},
    "items as a dictionary": lambda table: table | {"item": table["item"].dictionary_encode()},
    "queries as a dictionary": lambda table: table | {"query": table["query"].dictionary_encode()},
    "scores as text": lambda table: table | {"score": table["score"].cast("string")},
    "scores as text, one of them bad": lambda table: table | {"score": put(table["score"].cast("string"), "x")},
    "whole scores that tie": lambda table: (
        table | {"score": pa.array([2**53 + row % 3 for row in range(len(VOTES))], "int64")}
    ),
    "scores of half length": lambda table: table | {"score": table["score"].cast("float32")},
    "ranks that contradict": lambda table: (
        table | {"rank": pa.array([random.Random(row).randrange(1, 90) for row in range(len(VOTES))])}
    ),
    "another column": lambda table: table | {"note": table["item"]},
    "no rows": lambda table: {name: array.slice(0, 0) for name, array in table.items()},
    "binary items": lambda table: table | {"item": table["item"].cast("binary")},
    "binary items that are not UTF-8": lambda table: table | {"item": put(table["item"].cast("binary"), b"\xff")},
}


@pytest.mark.parametrize("odd", PARQUET)
def test_odd_cells_of_parquet_files_are_read_or_refused_in_the_same_words(odd: str, same: Same, tmp_path: Path) -> None:
    path = tmp_path / "votes.parquet"
    for order in "mqs":
        for group in (7, 100, 10_000) if order == "s" else (33,):
            pq.write_table(pa.table(PARQUET[odd](columns(order))), path, row_group_size=group)
            for options in LENIENCE if group == 100 else LENIENCE[:1]:
                same(path, *options, "--format", "json")
    same("-", "--format", "json", stdin=path)
