"""Raw ranks: what a LETOR file gives, kept through everything that rankings go through."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

from stagg import Rankings, fuse, read
from stagg.data.parts import join_queries, join_rankers, repeat_query
from stagg.features import FEATURES
from stagg.features.raw import raw_ranks
from stagg.formats import ReadLog, ReadOptions, load

ROWS = """\
0 qid:7 1:30 2:NULL #docid = b
1 qid:7 1:4 2:9 #docid = a
0 qid:7 1:1000 2:2 #docid = c
2 qid:8 1:2 2:2 #docid = a
0 qid:8 1:2 2:NULL #docid = d
"""


@pytest.fixture
def letor(tmp_path: Path) -> Path:
    (tmp_path / "few.letor").write_text(ROWS)
    return tmp_path / "few.letor"


def kept(rankings: Rankings) -> dict[tuple[str, str, str], float]:
    """{(query, ranker, item): raw rank}"""
    owners = rankings.list_rankers[rankings.entry_lists]
    return {
        (rankings.queries[query], rankings.rankers[ranker], rankings.items[item]): float(rank)
        for query, ranker, item, rank in zip(
            rankings.entry_queries, owners, rankings.entries, raw_ranks(rankings), strict=True
        )
    }


EXPECTED = {
    ("7", "1", "b"): 30.0,
    ("7", "1", "a"): 4.0,
    ("7", "1", "c"): 1000.0,
    ("7", "2", "a"): 9.0,
    ("7", "2", "c"): 2.0,
    ("8", "1", "a"): 2.0,
    ("8", "1", "d"): 2.0,
    ("8", "2", "a"): 2.0,
}


def test_a_letor_file_keeps_its_ranks_beside_the_positions(letor: Path) -> None:
    rankings = read(letor)
    assert kept(rankings) == EXPECTED
    assert rankings["7"].lists["1"] == [["a"], ["b"], ["c"]]
    assert rankings.raw_ranks is not None
    assert rankings.raw_ranks.itemsize == 4


def test_scores_are_not_raw_ranks(letor: Path) -> None:
    found = load([letor], options=ReadOptions(values="score"), log=ReadLog()).rankings
    assert found.raw_ranks is None
    assert raw_ranks(found).tolist() == (found.mean_positions + 1).tolist()


def test_raw_ranks_go_with_their_entries(letor: Path) -> None:
    rankings = read(letor)
    one, other = rankings.take_queries([1]), rankings.take_queries([0])
    assert kept(join_queries([one, other])) == EXPECTED
    assert kept(rankings.take_rankers([1, 0])) == EXPECTED
    assert kept(join_rankers([rankings.take_rankers([1]), rankings.take_rankers([0])])) == EXPECTED
    assert kept(rankings.canonical()) == EXPECTED
    assert kept(pickle.loads(pickle.dumps(rankings))) == EXPECTED
    assert kept(rankings.cut(1)) == {
        key: rank
        for key, rank in EXPECTED.items()
        if key in {("7", "1", "a"), ("7", "2", "c"), ("8", "1", "d"), ("8", "2", "a")}
    }
    assert raw_ranks(repeat_query(rankings, 0, np.ones((3, 2)))).tolist() == 3 * [4.0, 30.0, 1000.0, 2.0, 9.0]


def test_a_part_without_raw_ranks_has_positions(letor: Path) -> None:
    other = Rankings.from_runs({"1": {"9": {"a": 2.0, "b": 1.0}}})
    joined = join_queries([read(letor), other])
    assert kept(joined) == EXPECTED | {("9", "1", "a"): 1.0, ("9", "1", "b"): 2.0}


def test_raw_ranks_change_nothing_but_the_features_that_ask_for_them(letor: Path) -> None:
    rankings = read(letor)
    bare = rankings.replace(raw_ranks=None)
    assert bare == rankings
    assert fuse(bare, "rrf") == fuse(rankings, "rrf")
    assert fuse(rankings, "rrf").raw_ranks is None
    for name in ("borda", "ranks", "svd"):
        assert FEATURES.parse(name).of(bare).tobytes() == FEATURES.parse(name).of(rankings).tobytes()
    assert FEATURES.parse("raw").of(bare).tobytes() != FEATURES.parse("raw").of(rankings).tobytes()


def test_the_numbers_of_a_rank_are_those_of_the_formula(letor: Path) -> None:
    rankings = read(letor)
    table = FEATURES.parse("raw(missing_bits=False)").of(rankings)
    row = dict(zip(FEATURES.parse("raw(missing_bits=False)").columns(rankings.rankers), table[0], strict=True))
    assert row == pytest.approx(
        {"1:log": 1 - np.log(30) / np.log(1001), "2:log": 0, "1:reciprocal": 1 / 40, "2:reciprocal": 0, "votes": 0.5}
    )


@pytest.mark.parametrize("rank", [0.0, 0.5, 1e6, 1e30])
def test_odd_ranks_have_finite_numbers_from_0_to_1(rank: float) -> None:
    lists = Rankings.from_lists({"x": ["a"]}).replace(raw_ranks=np.array([rank], dtype=np.float32))
    table = FEATURES.parse("raw").of(lists)
    assert ((table >= 0) & (table <= 1)).all()
