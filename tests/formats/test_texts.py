"""Texts of documents and queries: every form of a collection gives the same texts, and only those that are wanted."""

from __future__ import annotations

import csv
import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stagg import DataError, DataWarning, InvalidParameter, read_texts
from stagg.formats import ReadLog
from stagg.formats.documents.texts import Text, check_texts
from stagg.formats.storage.source import Source

DOCS = {"d1": ("Bees", 'They "dance", and fly.'), "17": ("", "Zürich; a <b>city</b>"), "d 3": ("Only a title", "")}
WIDE = {key: Text(*each) for key, each in DOCS.items()}


def write_jsonl(path: Path) -> None:
    lines = [json.dumps({"_id": key, "title": title, "text": text}) for key, (title, text) in DOCS.items()]
    path.write_text("\n".join(lines), encoding="utf-8")


def write_keys_last(path: Path) -> None:
    lines = [
        json.dumps({"contents": text, "title": title, "url": "x", "docid": key}, ensure_ascii=False)
        for key, (title, text) in DOCS.items()
    ]
    path.write_text("\ufeff" + "\r\n\r\n".join(lines) + "\r\n", encoding="utf-8")


def write_table(path: Path, delimiter: str, *, header: bool = True) -> None:
    with path.open("w", encoding="utf-8", newline="") as stream:
        out = csv.writer(stream, delimiter=delimiter)
        out.writerows([["Doc ID", "Title", "Body"]] * header + [[key, *each] for key, each in DOCS.items()])


def write_array(path: Path) -> None:
    path.write_text(json.dumps([{"id": key, "title": a, "body": b} for key, (a, b) in DOCS.items()]))


def write_object(path: Path) -> None:
    path.write_text(json.dumps({key: {"title": a, "text": b} for key, (a, b) in DOCS.items()}))


FORMS: dict[str, Callable[[Path], None]] = {
    "beir.jsonl": write_jsonl,
    "beir": write_jsonl,
    "pyserini.jsonl": write_keys_last,
    "comma.csv": lambda path: write_table(path, ","),
    "semicolon.csv": lambda path: write_table(path, ";"),
    "bare.csv": lambda path: write_table(path, ",", header=False),
    "tab.tsv": lambda path: write_table(path, "\t"),
    "tab.txt": lambda path: write_table(path, "\t", header=False),
    "array.json": write_array,
    "object.json": write_object,
}


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("name", FORMS)
def test_every_form_of_a_collection_gives_the_same_texts(name: str, packed: bool, tmp_path: Path) -> None:
    path = tmp_path / name
    FORMS[name](path)
    if packed:
        path = tmp_path / f"{name}.gz"
        path.write_bytes(gzip.compress((tmp_path / name).read_bytes()))
    assert read_texts(path, log=ReadLog()) == WIDE
    some = read_texts(path, ["17", "d1"], log=ReadLog())
    assert some == {key: WIDE[key] for key in ("17", "d1")}
    assert list(some) == ["17", "d1"]


LETTERS = st.text(st.characters(codec="utf-8", exclude_characters="\0\r\ufeff", exclude_categories=["Cs"]), max_size=12)


@given(st.dictionaries(st.text("abc017-", min_size=1, max_size=5), st.tuples(LETTERS, LETTERS), min_size=1))
def test_what_pythons_csv_and_json_write_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, texts: dict[str, tuple[str, str]]
) -> None:
    folder = tmp_path_factory.mktemp("texts")
    with (folder / "a.csv").open("w", encoding="utf-8", newline="") as stream:
        out = csv.writer(stream, quoting=csv.QUOTE_ALL, lineterminator="\n")
        out.writerows([["id", "title", "text"], *[[key, *each] for key, each in texts.items()]])
    lines = [json.dumps({"id": key, "title": a, "text": b}, ensure_ascii=False) for key, (a, b) in texts.items()]
    (folder / "a.jsonl").write_text("\n".join(lines), encoding="utf-8", newline="\n")
    wanted = {key: Text(*each) for key, each in texts.items()}
    assert read_texts(folder / "a.csv", log=ReadLog()) == wanted
    assert read_texts(folder / "a.jsonl", log=ReadLog()) == wanted


def test_queries_are_read_by_their_own_names(tmp_path: Path) -> None:
    (tmp_path / "q.tsv").write_text('2\t"a ""b"" c"\n1185869\t)what was "the\timpact"\n')  # MS MARCO
    (tmp_path / "q.jsonl").write_text('{"_id": "1185869", "text": "bees", "metadata": {"text": "no"}}\n')  # BEIR
    (tmp_path / "q.csv").write_text("query_id,doc_id,query\n7,d1,bees\n7,d2,bees\n")
    assert read_texts(tmp_path / "q.tsv", of="queries")["1185869"].body == ')what was "the\timpact"'
    assert read_texts(tmp_path / "q.tsv", of="queries")["2"].body == 'a "b" c'
    assert read_texts(tmp_path / "q.jsonl", of="queries") == {"1185869": Text("", "bees")}
    assert read_texts(tmp_path / "q.csv", of="queries") == {"7": Text("", "bees")}


def test_documents_of_ms_marco_have_an_address_between_id_and_title(tmp_path: Path) -> None:
    (tmp_path / "msmarco-docs.tsv").write_text("D1\thttps://x.org/\tBees\tThey dance.\n")
    assert read_texts(tmp_path / "msmarco-docs.tsv") == {"D1": Text("Bees", "They dance.")}


def test_a_collection_may_lie_in_several_files(tmp_path: Path) -> None:
    for number in range(3):
        (tmp_path / f"part-{number}.jsonl").write_text(json.dumps({"id": f"d{number}", "text": str(number)}))
    assert list(read_texts(tmp_path)) == ["d0", "d1", "d2"]
    assert list(read_texts(f"{tmp_path}/part-*.jsonl", ["d2", "d0"])) == ["d2", "d0"]


def test_reading_ends_when_all_texts_are_found_and_texts_that_are_not_wanted_are_not_parsed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "large.jsonl"
    path.write_text("".join(f'{{"id": "d{n}", "text": "{n}"}}\n' for n in range(50)) + "this is broken")
    parsed: list[str] = []
    from stagg.formats.documents import texts

    honest = texts.parse_json
    monkeypatch.setattr(texts, "parse_json", lambda text: parsed.append(text) or honest(text))
    assert list(read_texts(path, ["d30", "d40"])) == ["d30", "d40"]
    assert len(parsed) == 3  # the first line shows the keys


def test_lines_of_any_length_are_read(tmp_path: Path) -> None:
    long = "word " * 600_000
    (tmp_path / "a.jsonl").write_text(
        json.dumps({"id": "a", "text": long}) + "\n" + json.dumps({"id": "b", "text": ""})
    )
    assert read_texts(tmp_path / "a.jsonl")["a"].body == long


@given(st.lists(st.binary(max_size=5).filter(lambda line: not {*line} & {0, 10, 13}), max_size=8))
def test_lines_of_bytes_are_those_of_the_file(tmp_path_factory: pytest.TempPathFactory, lines: list[bytes]) -> None:
    path = tmp_path_factory.mktemp("lines") / "a"
    path.write_bytes(b"plain\n" + b"\r\n".join(lines))
    with Source(path, ReadLog()) as source:
        assert [line for _, line in source.byte_lines()] == [b"plain", *(lines or [b""])]


def test_ids_without_a_text_are_counted_and_all_of_them_are_an_error(tmp_path: Path) -> None:
    write_jsonl(path := tmp_path / "docs.jsonl")
    log = ReadLog()
    assert read_texts(path, ["d1", "no", "d9"], log=log).missing == ("no", "d9")
    assert log.notes == [f"{path}: 2 of the 3 documents have no text here: 'no', 'd9'"]
    with pytest.warns(DataWarning, match="1 of the 2 queries has no text here: 'no'"):
        read_texts(path, ["d1", "no"], of="queries")
    with pytest.raises(DataError, match="none of the 2 documents, such as 'x', has a text here; its own ids are like"):
        read_texts(path, ["x", "y"])
    assert read_texts(path, []) == {}


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.jsonl", b'{"_id": "1", "text": "x"}\nnot json\n', r"a\.jsonl:2: expected one JSON object in this line"),
        ("a.jsonl", b'{"name": "1", "words": "x"}\n', r"a\.jsonl:1: expected an id \(docid, .*, found 'name', 'words'"),
        ("a.jsonl", b'{"id": "1", "words": "x"}\n', r"a\.jsonl:1: expected a title or a text .*, found 'id', 'words'"),
        ("a.jsonl", b'{"id": ["1"], "text": "x"}\n', r"a\.jsonl:1: the id is \['1'\]"),
        ("a.csv", b"id,text\n1,what, then\n", r"a\.csv:2: expected 2 cells, found 3; put texts that hold a comma"),
        ("a.csv", b'id,text\n1,"open\n', r"a\.csv:2: the quotes of this row do not match"),
        ("a.tsv", b"1\t2\t3\t4\t5\n", r"a\.tsv:1: expected the columns id and text, or id, title and text"),
        ("a.csv", b"one word\n", r"a\.csv:1: expected the columns id and text"),
        ("a.json", b"[1, 2]", "expected an array of objects with id and text, or"),
        ("a.json", b"[1, 2", "this is not JSON"),
        ("a.xlsx", b"PK\x03\x04 and so on", "texts are read from JSON Lines, CSV, TSV or JSON"),
        ("a.tsv", b"1\tx\n2\tcaf\xe9\n", r"a\.tsv:2: byte 6 of the line, b'\\xe9', is not UTF-8"),
        ("none.csv", None, "cannot be read: No such file"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(name: str, content: bytes | None, message: str, tmp_path: Path) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(DataError, match=message):
        read_texts(tmp_path / name)
    with pytest.raises(DataError):
        read_texts(tmp_path / name, ["wanted"])


@pytest.mark.parametrize("texts", [7, "texts", ["a"], {"d1": None}, {"d1": b"x"}, {"d1": 1.5}])
def test_texts_that_are_none_are_refused_in_one_line(texts: object) -> None:
    with pytest.raises(InvalidParameter, match=r"^query_texts(: the text of 'd1' is| is a dict of texts by id)"):
        check_texts("query_texts", texts)  # type: ignore[arg-type]


def test_texts_may_be_left_out() -> None:
    assert check_texts("texts", None) == {}
    assert check_texts("texts", {"d1": "Bees"}) == {"d1": "Bees"}
