"""For every format: what it writes it reads back as the same, and what it cannot hold it refuses before a byte."""

from __future__ import annotations

import gzip
import itertools
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from stagg import DataError, InvalidParameter, Labels, Rankings, read, write
from stagg.data.columns import Columns, from_columns
from stagg.formats import FORMATS, ReadLog, ReadOptions, load
from stagg.formats.runs.rank_and_score import told_by_scores
from stagg.formats.storage.source import KNOWN_ENDINGS
from tests.formats.hostile import HOSTILE_IDS, Content, ever_tamer, listed, rankings

WRITABLE = [kind for kind in FORMATS if kind.writable]
ENDINGS = [ending for kind in WRITABLE for ending in kind.endings]
FORMAT_OF = {ending: kind for kind in WRITABLE for ending in kind.endings}
ROWS_ONLY = ("trec", "csv", "parquet")
SCORES_NEEDED = ("trec", "json")
OLD = b"the old file\n"

many_times = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)


@pytest.fixture(autouse=True)
def no_waiting_for_disks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fsync", lambda handle: None)


def reading_of(content: Content, name: str) -> dict[str, Any]:
    """The options that a reader needs to understand what was written as it was meant."""
    if name == "letor":
        return {"values": "rank" if content.rankings.scores is None else "score"}
    if name == "preflib":
        return {"names": True}
    if name in ROWS_ONLY and not told_by_scores(content.rankings):
        return {"order_by": "rank"}
    return {}


def as_held(given_rankings: Rankings, name: str, stem: str) -> Rankings:
    """What a format means to keep: names that come from the file's name, and scores that it must invent."""
    held = listed(given_rankings) if name in ROWS_ONLY else given_rankings
    if held.scores is not None and np.isnan(held.scores).all():
        held = held.replace(scores=None)  # no list has scores
    if name == "preflib":
        return held.replace(queries=(stem,))
    if name != "letor" and len(held.rankers) == 1:
        held = held.with_rankers([stem])
    return held


def without_invented_scores(written: Rankings, found: Rankings, name: str) -> tuple[Rankings, Rankings]:
    if name in SCORES_NEEDED and (written.scores is None or np.isnan(written.scores).any()):
        return written.replace(scores=None), found.replace(scores=None)
    return written, found


def check_read_back(path: Path, content: Content, name: str) -> None:
    options = ReadOptions(**reading_of(content, name))
    expected = as_held(content.rankings, name, "file")
    if not expected.queries:
        with pytest.raises(DataError, match="0 rows"):
            load(path, options=options, log=ReadLog())
        return
    loaded = load(path, options=options, log=ReadLog())
    written, found = without_invented_scores(expected, loaded.rankings, name)
    assert found == written
    if name == "letor":
        assert loaded.labels == content.labels


@pytest.mark.parametrize("ending", [*ENDINGS, ".csv.gz"])
@many_times
@given(wild=rankings())
def test_what_is_written_is_read_back_and_what_is_refused_writes_nothing(
    ending: str, wild: Rankings, tmp_path_factory: pytest.TempPathFactory
) -> None:
    kind = FORMAT_OF[ending.removesuffix(".gz")]
    path = tmp_path_factory.mktemp("written") / f"file{ending}"
    held = 0
    for content in ever_tamer(wild):
        path.write_bytes(OLD)
        if kind.for_name(path.name.removesuffix(".gz")).refusal(content.rankings, content.labels) is not None:
            with pytest.raises(DataError, match="cannot hold"):
                write(content.rankings, path, labels=content.labels)
            assert path.read_bytes() == OLD
            continue
        write(content.rankings, path, labels=content.labels)
        check_read_back(path, content, kind.name)
        held += 1
        if held == 3:
            break
    assert held
    assert [each.name for each in path.parent.iterdir()] == [path.name]


@pytest.mark.parametrize("name", ["trec", "csv", "json", "parquet", "letor", "preflib"])
@pytest.mark.parametrize("hostile", [each for each in HOSTILE_IDS if each not in ("", "\0", "\ud800")])
def test_hostile_item_ids_survive_or_are_refused(name: str, hostile: str, tmp_path: Path) -> None:
    ending = FORMATS[name].endings[0]
    content = Content(Rankings.from_lists([[hostile, "other"]]), Labels({"1": {"other": 1}}))
    labels = content.labels if name == "letor" else None
    path = tmp_path / f"file.{'toi' if name == 'preflib' else ending[1:]}"
    refusal = FORMATS[name]().refusal(content.rankings, labels)
    if refusal is not None:
        blanks = any(blank in hostile for blank in " \t\r\n")
        assert blanks, f"{name} refuses {hostile!r}: {refusal}"
        assert name in ("trec", "letor", "preflib")
        return
    write(content.rankings, path, labels=labels)
    found = read(path, log=ReadLog(), **reading_of(content, name))
    assert set(found.items) == {hostile, "other"}


@pytest.mark.parametrize("ending", ENDINGS)
def test_the_same_rankings_give_the_same_bytes(ending: str, tmp_path: Path) -> None:
    content = _plain(FORMAT_OF[ending].name)
    for name in ("one", "two"):
        write(content.rankings, tmp_path / f"{name}{ending}", labels=content.labels)
        write(content.rankings, tmp_path / f"{name}{ending}.gz", labels=content.labels)
    assert (tmp_path / f"one{ending}").read_bytes() == (tmp_path / f"two{ending}").read_bytes()
    assert (tmp_path / f"one{ending}.gz").read_bytes() == (tmp_path / f"two{ending}.gz").read_bytes()
    assert gzip.decompress((tmp_path / f"one{ending}.gz").read_bytes()) == (tmp_path / f"one{ending}").read_bytes()


def _plain(name: str) -> Content:
    ranked = Rankings.from_lists([["b", "a", "c"]])
    return Content(ranked, Labels({"1": {"a": 1, "b": 0, "c": 2}}) if name == "letor" else None)


@pytest.mark.parametrize(("one", "other"), list(itertools.permutations(["trec", "csv", "json", "parquet"], 2)))
def test_a_ranking_survives_a_chain_of_formats(one: str, other: str, tmp_path: Path) -> None:
    scored = Rankings.from_runs({"file": {"q2": {"a": 0.1, "b": 1e-7}, "q1": {"b": 3.0, "c": 3.0}}})
    first, second = (tmp_path / f"{n}" / f"file{FORMATS[n].endings[0]}" for n in (one, other))
    first.parent.mkdir()
    second.parent.mkdir()
    write(scored, first)
    write(read(first), second)
    assert read(second) == scored


@pytest.mark.parametrize("ending", ENDINGS)
def test_half_a_surrogate_pair_is_refused(ending: str, tmp_path: Path) -> None:
    content = Content(Rankings.from_lists([["\ud800", "b"]]), Labels({"1": {"b": 1}}))
    labels = content.labels if ending == ".letor" else None
    with pytest.raises(DataError, match="not Unicode"):
        write(content.rankings, tmp_path / f"file{ending}", labels=labels)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("ending", ENDINGS)
def test_weights_and_ids_that_no_line_holds_are_refused(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"file{ending}"
    labels = Labels({"1": {}}) if ending == ".letor" else None
    with pytest.raises(DataError, match="weights"):
        write(Rankings.from_lists([["a"]]).with_weights([2.0]), path, labels=labels)
    with pytest.raises(DataError, match="more than 65,536 bytes"):
        write(Rankings.from_lists([["a" * 100_000]]), path, labels=labels)


# --- what single formats promise --------------------------------------------------------------------------------------


def test_letor_keeps_candidates_in_no_list_and_their_order(tmp_path: Path) -> None:
    rows = Columns(["q"], ["b"], np.array([1.0]), by_rank=True, candidates=(["q"] * 3, ["c", "b", "a"]))
    write(from_columns(rows)[0], tmp_path / "x.letor", labels=Labels({"q": {"b": 2}}))
    text = (tmp_path / "x.letor").read_text()
    assert text == "-1 qid:q 1:NULL #docid = c\n2 qid:q 1:1 #docid = b\n-1 qid:q 1:NULL #docid = a\n"
    found = read(tmp_path / "x.letor")
    assert found.items == ("c", "b", "a")
    assert found.declared


@pytest.mark.parametrize(
    ("ranked", "labels", "why"),
    [
        (Rankings.from_lists([["a"]]), None, "without labels"),
        (Rankings.from_lists({"bm25": ["a"]}), Labels({}), "these rankers"),
        (Rankings.from_lists([["a"]]), Labels({"1": {"z": 1}}), "label of 'z'"),
        (Rankings.from_lists([["a"]]), Labels({"other": {"a": 1}}), "label of 'a'"),
        (Rankings.from_lists([["a b"]]), Labels({"1": {}}), "'a b'"),
        (Rankings.from_runs({"1": {"q": {}}}), Labels({"q": {}}), "no items"),
    ],
)
def test_letor_says_what_it_cannot_hold(ranked: Rankings, labels: Labels | None, why: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=f"letor cannot hold .*{why}"):
        write(ranked, tmp_path / "x.letor", labels=labels)


@pytest.mark.parametrize(
    ("ending", "lists", "why"),
    [
        (".soc", [["a", "b"], ["a"]], "incomplete votes in .soc; write .soi"),
        (".toc", [["a", "b"], ["a"]], "incomplete votes in .toc; write .toi"),
        (".soc", [[["a", "b"]]], "ties in .soc; write .toc"),
        (".soi", [[["a", "b"]]], "ties in .soi; write .toi"),
    ],
)
def test_preflib_kinds_refuse_what_they_forbid(ending: str, lists: list[Any], why: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=why):
        write(Rankings.from_lists(lists), tmp_path / f"x{ending}")


def test_preflib_numbers_are_kept_and_other_ids_become_names(tmp_path: Path) -> None:
    write(Rankings.from_lists([["3", ["1", "2"]], ["1"]]).replace(multiplicities=np.array([4, 1])), tmp_path / "n.toi")
    assert (tmp_path / "n.toi").read_text().endswith("\n4: 3,{1,2}\n1: 1\n")
    assert read(tmp_path / "n.toi").items == ("3", "1", "2")
    write(Rankings.from_lists([["z", "ä b"]]), tmp_path / "names.soc")
    assert read(tmp_path / "names.soc").best_first(ranker="1") == ["1", "2"]
    assert read(tmp_path / "names.soc", names=True).best_first(ranker="1") == ["z", "ä b"]


def test_preflib_votes_are_written_in_the_order_of_the_voters_numbers(tmp_path: Path) -> None:
    voters = Rankings.from_lists([[str(k)] for k in range(1, 12)]).take_rankers(range(11)[::-1])
    write(voters, tmp_path / "x.soi")
    votes = (tmp_path / "x.soi").read_text().splitlines()[-11:]
    assert votes == [f"1: {k}" for k in range(1, 12)]


@pytest.mark.parametrize("ending", [".trec", ".csv", ".json"])
def test_an_id_may_have_65536_bytes_and_not_one_more(ending: str, tmp_path: Path) -> None:
    longest = Rankings.from_scores({"x": {"i" * 65_536: 1.0}})
    write(longest, tmp_path / f"x{ending}")
    assert read(tmp_path / f"x{ending}") == longest
    with pytest.raises(DataError, match="it has more than 65,536 bytes"):
        write(Rankings.from_scores({"x": {"i" * 65_537: 1.0}}), tmp_path / f"x{ending}")


def test_a_table_has_only_the_columns_it_needs(tmp_path: Path) -> None:
    def text(given_rankings: Rankings, ending: str = ".csv") -> str:
        write(given_rankings, tmp_path / f"x{ending}")
        return (tmp_path / f"x{ending}").read_text()

    assert text(Rankings.from_lists([["b", ["a", "c"]]])) == "query,item,rank\n1,b,1\n1,a,2\n1,c,2\n"
    tied = Rankings.from_scores([{"a": 0.5, "c": 0.5, "b": 1}])
    assert text(tied) == "query,item,rank,score\n1,b,1,1\n1,a,2,0.5\n1,c,3,0.5\n"
    assert text(tied, ".tsv") == "query\titem\trank\tscore\n1\tb\t1\t1\n1\ta\t2\t0.5\n1\tc\t3\t0.5\n"
    two = Rankings.from_lists([["b"], ["a"]]).replace(multiplicities=np.array([1, 3]))
    assert text(two) == "query,ranker,item,rank,multiplicity\n1,1,b,1,1\n1,2,a,1,3\n"


def test_json_has_one_query_per_line_in_bytewise_order(tmp_path: Path) -> None:
    write(Rankings.from_runs([{"q2": {"a": 1.0, "b": 2.5}, "q10": {"c": 1.0}}]), tmp_path / "x.json")
    assert (tmp_path / "x.json").read_text() == '{\n"q10": {"c": 1},\n"q2": {"b": 2.5, "a": 1}\n}\n'


def test_strict_trec_scores_decrease_even_in_float32(tmp_path: Path) -> None:
    tied = Rankings.from_scores([{"a": 1.0, "b": 1.0, "c": 1 - 1e-12}])
    write(tied, tmp_path / "x.trec", format="trec(strict=True)")
    assert (np.diff(float32_scores(tmp_path / "x.trec")) < 0).all()


@pytest.mark.parametrize("score", [1e300, 3.5e38, 3.4028234e38, 1e-45, 0.0, -1e-45, -3.4028234e38, -3.5e38, -1e300])
def test_strict_trec_scores_are_finite_at_the_ends_of_float32(score: float, tmp_path: Path) -> None:
    tied = Rankings.from_scores([{f"d{k}": score for k in range(300)}])
    write(tied, tmp_path / "x.trec", format="trec(strict=True)")
    scores = float32_scores(tmp_path / "x.trec")
    assert np.isfinite(scores).all()
    assert (np.diff(scores) < 0).all()


def float32_scores(path: Path) -> np.ndarray:
    return np.array([row.split()[4] for row in path.read_text().splitlines()], dtype=np.float32)


def test_what_can_only_be_read_is_refused_before_a_byte_is_written(tmp_path: Path) -> None:
    only_read = [kind for kind in FORMATS if not kind.writable]
    assert {kind.name for kind in only_read} == {
        "jsonl", "excel", "markdown", "blt", "cvotes", "abif", "debian", "gmt",
    }  # fmt: skip
    for ending in (ending for kind in only_read for ending in kind.endings):
        with pytest.raises(InvalidParameter, match=r"can only be read; write \.csv"):
            write(Rankings.from_lists([["a"]]), tmp_path / f"x{ending}")
        assert not list(tmp_path.iterdir())


def test_every_ending_of_a_format_is_no_part_of_a_name() -> None:
    assert {ending for kind in FORMATS for ending in kind.endings} <= set(KNOWN_ENDINGS)
