"""Columns to Rankings: the compiled kernel, NumPy and plain text say the same; ids stay bytes until someone looks."""

from __future__ import annotations

import pickle
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import stagg
from stagg import DataError, Rankings
from stagg.data.columns import Coded, Columns, from_columns
from stagg.data.ids import Ids, take_ids
from stagg.data.inputs.arrow import number_array

HOSTILE = ["a", "é", "🙂", "x y", "", "001", "\u202e", "b" * 300, "NA", '"q']


def ids_of(texts: list[str]) -> Ids:
    """Ids in a buffer of their own."""
    data = np.frombuffer("".join(texts).encode() or b"\0", dtype=np.uint8)
    offsets = np.cumsum([0, *(len(text.encode()) for text in texts)])
    return Ids.of_buffer(int(data.__array_interface__["data"][0]), offsets, [data])


def random_rows(seed: int, *, grouped: bool) -> dict[str, list[Any]]:
    rng = np.random.default_rng(seed)
    rows = [(q, r, i) for q in range(6) for r in range(4) for i in rng.permutation(len(HOSTILE))[: rng.integers(0, 9)]]
    if not grouped:
        rng.shuffle(rows)
    scores = rng.integers(0, 5, size=len(rows)).astype(float)  # many ties
    return {
        "queries": [f"q{q}" for q, _, _ in rows],
        "rankers": [f"r{r}" for _, r, _ in rows],
        "items": [HOSTILE[i] for _, _, i in rows],
        "numbers": scores,
    }


def fields(rankings: Rankings) -> list[Any]:
    arrays = (rankings.item_offsets, rankings.list_offsets, rankings.list_rankers, rankings.entry_offsets)
    more = (rankings.entries, rankings.tied, rankings.scores)
    return [rankings.queries, rankings.rankers, tuple(rankings.items), *[np.asarray(a).tolist() for a in arrays + more]]


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("grouped", [True, False])
def test_kernel_numpy_codes_and_texts_agree_to_the_last_field(
    seed: int, grouped: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = random_rows(seed, grouped=grouped)
    plain = Columns(**rows, scores=rows["numbers"])
    coded = Columns(
        Coded.of_ids(ids_of(rows["queries"])),
        Coded.of_ids(ids_of(rows["items"])),
        rows["numbers"],
        rankers=Coded(np.array([3 - int(name[1]) for name in rows["rankers"]]), ("r3", "r2", "r1", "r0")),
        scores=rows["numbers"],
    )
    found, order = from_columns(plain)
    assert fields(from_columns(coded)[0]) == fields(found)
    for kernel in ("columns", "ids"):
        monkeypatch.setattr(f"stagg.kernels.text.{kernel}.twin", lambda name: None)
    slow, slow_order = from_columns(plain)
    assert (fields(slow), slow_order.tolist()) == (fields(found), order.tolist())
    assert fields(from_columns(coded)[0]) == fields(found)


def test_an_item_that_stands_twice_is_named_with_both_places() -> None:
    rows = Columns(["q", "q", "q"], ["a", "b", "a"], np.array([3.0, 2.0, 1.0]))
    with pytest.raises(DataError, match=r"'a' of query 'q' appears twice in one list: rows 1 and 3"):
        from_columns(rows)
    kept, order = from_columns(rows, duplicates="best")
    assert (kept.best_first(), order.tolist()) == (["a", "b"], [0, 1])


def test_ids_are_a_sequence_of_texts() -> None:
    ids = ids_of(HOSTILE)
    assert (list(ids), ids[3], ids[2:4], len(ids)) == (HOSTILE, "x y", ("🙂", "x y"), len(HOSTILE))
    assert ids == tuple(HOSTILE)
    assert tuple(HOSTILE) == ids
    assert hash(ids) == hash(tuple(HOSTILE))
    assert tuple(take_ids(ids, np.array([2, 0]))) == tuple(take_ids(HOSTILE, np.array([2, 0]))) == ("🙂", "a")
    assert pickle.loads(pickle.dumps(ids)) == tuple(HOSTILE)
    data, offsets = ids.gather()
    assert [bytes(data[a:b]).decode() for a, b in pairwise(offsets)] == HOSTILE
    assert Coded.of_ids(ids_of(["b", "a", "b"])).codes.tolist() == [0, 1, 0]


def test_frames_of_every_kind_give_the_same_rankings() -> None:
    pa = pytest.importorskip("pyarrow")
    rows = random_rows(3, grouped=False)
    rows["items"] = [item or "nameless" for item in rows["items"]]  # in a frame an empty id is an error
    names = {"queries": "query", "rankers": "ranker", "items": "item", "numbers": "score"}
    columns = {names[name]: column for name, column in rows.items()}
    truth = from_columns(Columns(**rows, scores=rows["numbers"]))[0]
    frames = [pa.table(columns), pa.table(columns).replace_schema_metadata({"a": "b"})]
    frames += [pytest.importorskip(library).DataFrame(columns) for library in ("pandas", "polars")]
    for frame in frames:
        assert fields(Rankings.from_frame(frame)) == fields(truth)
        assert stagg.fuse(frame).to_arrow().equals(stagg.fuse(truth).to_arrow())


def test_ties_of_byte_ids_are_broken_as_those_of_texts() -> None:
    texts = ["b", "aa", "a", "é", "c"]
    plain = Rankings.from_lists([[{"b", "aa", "a"}, "é", "c"]])
    held = plain.replace(items=ids_of(list(plain.items)))
    assert stagg.fuse(held).to_runs() == stagg.fuse(plain).to_runs()
    assert sorted(texts) == sorted(held.items)


def test_numbers_that_do_not_lie_side_by_side_become_an_arrow_array() -> None:
    pytest.importorskip("pyarrow", reason='pyarrow is not installed: pip install "stagg[parquet]"')
    assert number_array(np.arange(6.0)[::2]).to_pylist() == [0.0, 2.0, 4.0]
