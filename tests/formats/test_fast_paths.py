"""Readers that take many rows at once must agree, to the letter, with those that look at every line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stagg import DataError, read
from stagg.formats import Loaded, ReadLog, ReadOptions, load
from stagg.kernels.compiled import twin
from tests.strategies import examples

PIECES = {
    "x.trec": [
        "q1",
        "Q0",
        "d1",
        "d2",
        "1",
        "2",
        "2.5",
        "-1e3",
        "nan",
        "1e400",
        "tag",
        "é",
        "\u00a0",
        "\r",
        "\x0b",
        "#",
    ],
    "x.letor": [
        "0",
        "1",
        "qid:1",
        "qid:2",
        "1:1",
        "1:NULL",
        "2:3",
        "2:NULL",
        "2:-1",
        "2:1e400",
        "#docid",
        "=",
        "a",
        "\r",
        "#",
    ],
}
RIGHT = {
    "x.trec": ["q1 Q0 d{0} 1 {0}.5 t", " q2\tQ0\td{0}  1 -{0} t ", "q1 Q0 é{0} x 0{0} t"],
    "x.letor": [
        "0 qid:1 1:NULL 2:{0} #docid = a{0}",
        "1  qid:2\t1:3 2:{0}.5 # docid=b{0} inc = 1",
        "-1 qid:1 1:+2 2:0 #docid = c{0}",
    ],
}
NEARLY = {
    "x.trec": [
        "q1 Q0 d{0} 1 1e400 t",
        "q1 Q0 d{0} 1 nan t",
        "q1 Q0 d{0} 1 1_{0} t",
        "q1 Q0 d0 1 {0} t",
        "# q Q0 1 1 t",
    ],
    "x.letor": [
        "0 qid:1 1:NULL 2:-1 #docid = a{0}",
        "0 qid:1 1:NULL 2:1e400 #docid = a{0}",
        "2000 qid:1 1:NULL 2:{0} #docid = a{0}",
        "0.5 qid:1 1:NULL 2:{0} #docid = a{0}",
        "0 qid:1 1:NULL #docid = a{0}",
        "0 qid:1 1:NULL 3:1 #docid = a{0}",
        "0 qid:1 1:1 2:1 3:1 #docid = a{0}",
        "0 qid:1 1:{0} 2:1 #docid = a0",
        "0 qid:1 1:{0} 2:1 #docid a{0}",
    ],
}
ENDS = st.sampled_from(["\n"] * 6 + ["\r\n", "\n\n", " \n", "\t\r\n"])


@st.composite
def texts(draw: st.DrawFn, name: str) -> str:
    """Mostly right rows, some nearly right, some made of pieces in any order."""
    lines = []
    for number in range(draw(st.integers(1, 6))):
        pieces = st.lists(st.sampled_from(PIECES[name]), max_size=7).map(" ".join)
        kinds = [st.sampled_from(RIGHT[name])] * 6 + [st.sampled_from(NEARLY[name]), pieces]
        lines.append(draw(draw(st.sampled_from(kinds))).format(number) + draw(ENDS))
    return "".join(lines).rstrip("\n") if draw(st.booleans()) else "".join(lines)


def outcome(path: Path, options: ReadOptions) -> tuple[Loaded | str, ReadLog]:
    log = ReadLog()
    try:
        return load(path, options=options, log=log), log
    except DataError as error:
        return str(error), log


def check_agreement(path: Path, text: str, lenient: bool) -> None:
    path.write_bytes(text.encode())
    with pytest.MonkeyPatch.context() as slowly:
        slowly.setattr("stagg.formats.parts.run_chunks.records.has_twin", lambda: False)  # test_run_chunks.py
        fast, log = outcome(path, ReadOptions(lenient=lenient))
        slowly.setattr("stagg.formats.runs.trec._clean_rows", lambda text: None)
        slowly.setattr("stagg.formats.runs.letor._Reader._take_at_once", lambda *_: False)
        slow, slow_log = outcome(path, ReadOptions(lenient=lenient))
    assert fast == slow
    assert (log.summary(), log.notes) == (slow_log.summary(), slow_log.notes)


@pytest.mark.parametrize("name", PIECES)
@pytest.mark.parametrize("lenient", [False, True])
@settings(max_examples=examples(150), deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_rows_take_at_once_are_the_rows_taken_line_by_line(
    name: str, lenient: bool, data: st.DataObject, tmp_path: Path
) -> None:
    check_agreement(tmp_path / name, data.draw(texts(name)), lenient)


@pytest.mark.parametrize(("name", "row"), [(name, row) for name in NEARLY for row in NEARLY[name]])
def test_a_row_that_is_nearly_right_is_seen_among_right_ones(name: str, row: str, tmp_path: Path) -> None:
    rows = [RIGHT[name][0].format(0), RIGHT[name][1].format(1), row.format(7), RIGHT[name][2].format(2)]
    check_agreement(tmp_path / name, "\n".join(rows) + "\n", lenient=False)


@pytest.mark.skipif(twin("text._text") is None, reason="the twin is not built, or turned off")
@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("query,item,score\nq,a,1\nq,b,2\n", {}),
        ("Query;Item;Score\nq;a;1\nq;b;2\n", {}),
        ("item\tscore\n a \t1\nb\t2\n", {}),
        ("qid,doc,sim\nq,a,1\nq,b,2\n", {"columns": {"query": "qid", "item": "doc", "score": "sim"}}),
    ],
)
def test_ordinary_long_tables_are_read_by_the_compiled_reader(
    text: str, options: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("this table was read cell by cell")

    monkeypatch.setattr("stagg.formats.tables.sources.csv_rows.parse_cells", refuse)
    path = tmp_path / "x.csv"
    path.write_text(text)
    assert read(path, **options).best_first() == ["b", "a"]
