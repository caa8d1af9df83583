"""Rankings of many rows are those that are made row by row, whatever the types of columns and the order of rows."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from stagg import DataError, Rankings, fuse
from stagg.data import many_rows
from stagg.data.inputs import arrow, frames
from stagg.kernels.text import records

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed: pip install stagg[parquet]")
pytestmark = pytest.mark.skipif(not records.has_twin(), reason="there is no compiled twin here")

FIELDS = (
    "queries", "rankers", "items", "item_offsets", "list_offsets", "list_rankers", "entry_offsets", "entries", "tied",
    "scores",
)  # fmt: skip


def make_rows(seed: int, rows: int = 600, *, queries: int = 17, rankers: int = 4) -> dict[str, Any]:
    """Rows in any order, no item twice in a list; numbers that tie, signed zeros, ids of any length."""
    rng = random.Random(seed)
    ids = [f"{'d' * rng.randint(0, 20)}é{number}" for number in range(60)]
    keys = [(q, r, i) for q in range(queries) for r in range(rankers) for i in range(60)]
    chosen = rng.sample(keys, min(rows, len(keys)))
    return {
        "query": [f"q{10 * q}" for q, _, _ in chosen],
        "ranker": [f"r{r}" for _, r, _ in chosen],
        "item": [ids[i] for _, _, i in chosen],
        "score": [rng.choice([0.0, -0.0, 1.5, rng.random(), -3e300]) for _ in chosen],
    }


def read_both(frame: Any, monkeypatch: pytest.MonkeyPatch, **columns: Any) -> tuple[Rankings, Rankings]:
    """(by the quick way, row by row)"""
    plain, original = Rankings.from_frame(frame, **columns), many_rows.rankings_of_many
    calls = []

    def read(rows: Any) -> Rankings | None:
        calls.append(original(rows))
        return calls[-1]

    with monkeypatch.context() as quick:
        quick.setattr(frames, "MANY", 1)
        quick.setattr(many_rows, "rankings_of_many", read)
        quick.setattr(many_rows, "PIECE", 50)
        quick.setattr(arrow, "PIECE", 37)
        quick.setattr(many_rows, "available_cores", lambda: 3)
        quick.setattr("stagg.threads.available_cores", lambda: 3)
        found = Rankings.from_frame(frame, **columns)
    assert calls
    assert found is calls[0]
    return found, plain


def assert_same(found: Rankings, plain: Rankings) -> None:
    for name in FIELDS:
        one, other = getattr(found, name), getattr(plain, name)
        if isinstance(one, np.ndarray):
            np.testing.assert_array_equal(one, other, err_msg=name)
        else:
            assert one == other, name
    assert fuse(found, "mc4").to_dict() == fuse(plain, "mc4").to_dict()
    assert found.to_arrow() == plain.to_arrow()


@pytest.mark.parametrize("seed", range(6))
def test_many_rows_give_the_rankings_of_single_rows(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    assert_same(*read_both(pa.table(make_rows(seed)), monkeypatch))


@pytest.mark.parametrize("dropped", [["query"], ["ranker"], ["query", "ranker"]], ids=str)
def test_one_query_and_one_ranker_need_no_column(dropped: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    rows = make_rows(1, 40, queries=1, rankers=1)
    assert_same(*read_both(pa.table(rows).drop_columns(dropped), monkeypatch))


def test_ranks_decide_where_there_are_no_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = make_rows(2)
    rows["rank"] = [len(item) % 9 for item in rows["item"]]
    del rows["score"]
    found, plain = read_both(pa.table(rows), monkeypatch)
    assert_same(found, plain)
    assert found.scores is None


def test_whole_numbers_come_back_as_such(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = make_rows(3)
    table = pa.table(rows).set_column(2, "item", pa.array([len(item) for item in rows["item"]], pa.int32()))
    keyed: dict[tuple[str, str, int], int] = {}
    for number, key in enumerate(zip(rows["query"], rows["ranker"], table["item"].to_pylist(), strict=True)):
        keyed.setdefault(key, number)  # items of the same length are one now
    found, plain = read_both(table.take(sorted(keyed.values())), monkeypatch)
    assert_same(found, plain)
    assert fuse(found).hits("q0")[0].item in set(table["item"].to_pylist())
    assert found.to_arrow()["item"].type == plain.to_arrow()["item"].type == pa.int32()


@pytest.mark.parametrize("kind", [pa.large_string(), pa.string_view(), pa.dictionary(pa.int32(), pa.string())], ids=str)
def test_columns_of_text_of_any_kind(kind: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    rows, names = make_rows(4), ("query", "ranker", "item")
    plain = pa.table(rows)
    dictionary = pa.types.is_dictionary(kind)
    cast = {name: plain[name].dictionary_encode() if dictionary else plain[name].cast(kind) for name in names}
    table = pa.table(cast | {"score": plain["score"]})
    if dictionary:  # its items are numbered already, and are read row by row
        assert_same(Rankings.from_frame(table), Rankings.from_frame(plain))
    else:
        assert_same(*read_both(table, monkeypatch))


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.string_view()], ids=str)
def test_columns_in_chunks_of_any_size_from_the_middle_of_a_table(kind: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = pa.table(make_rows(8)).slice(11, 500)
    rng, cuts = random.Random(8), {}
    for name in ("query", "ranker", "item"):
        places = [0, *sorted(rng.choices(range(500), k=9)), 500]  # some chunks are empty
        whole = plain[name].combine_chunks().cast(kind)
        cuts[name] = pa.chunked_array([whole.slice(low, high - low) for low, high in pairwise(places)])
    assert_same(*read_both(pa.table(cuts | {"score": plain["score"]}), monkeypatch))


def damaged(kind: Any, texts: list[str], damage: str) -> Any:
    """A column of texts of which one is no UTF-8, or lies outside of its buffer."""
    array = pa.array(texts, kind)
    present, places, *buffers = array.buffers()
    if damage == "no UTF-8":
        data = bytearray(b"".join(buffer.to_pybytes() for buffer in buffers))
        data[-1] = 0xFF
        return pa.Array.from_buffers(kind, len(texts), [present, places, pa.py_buffer(bytes(data))])
    numbers = np.frombuffer(places, dtype=np.int64 if pa.types.is_large_string(kind) else np.int32).copy()
    numbers[-1 if pa.types.is_string_view(kind) else 150] += 1 << 20
    return pa.Array.from_buffers(kind, len(texts), [present, pa.py_buffer(numbers), *buffers])


def takes_views() -> bool:
    """Whether this pyarrow makes a column of views from its buffers."""
    try:
        damaged(pa.string_view(), ["a text that is no short one"] * 2, "outside")
    except ValueError:
        return False
    return True


@pytest.mark.parametrize("damage", ["no UTF-8", "outside"])
@pytest.mark.parametrize("role", ["query", "ranker", "item"])
@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.string_view()], ids=str)
def test_damaged_columns_of_many_rows_are_named(
    kind: Any, role: str, damage: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if pa.types.is_string_view(kind) and not takes_views():
        pytest.skip("this pyarrow makes no column of views from buffers")
    rows = {name: [f"{name} of thirteen bytes {k}" for k in range(300)] for name in ("query", "ranker", "item")}
    columns = {name: pa.array(column, kind) for name, column in rows.items()}
    table = pa.table(columns | {role: damaged(kind, rows[role], damage), "score": np.arange(300.0)})
    monkeypatch.setattr(frames, "MANY", 1)
    monkeypatch.setattr(arrow, "PIECE", 37)
    with pytest.raises(DataError, match=f"the column '{role}' cannot be read"):
        Rankings.from_frame(table)


def test_frames_of_pandas_and_polars(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = make_rows(5)
    for library in ("pandas", "polars"):
        module = pytest.importorskip(library, reason=f"{library} is not installed")
        frame = module.DataFrame(rows)
        if hasattr(frame, "__arrow_c_stream__"):
            assert_same(*read_both(frame, monkeypatch))
        else:  # an old pandas, whose columns are read cell by cell
            assert_same(Rankings.from_frame(frame), Rankings.from_frame(pa.table(rows)))


def test_an_item_twice_in_a_list_is_told_as_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = {name: [*column, column[7]] for name, column in make_rows(6).items()}
    with pytest.raises(DataError) as plain:
        Rankings.from_frame(pa.table(rows))
    monkeypatch.setattr(frames, "MANY", 1)
    with pytest.raises(DataError) as found:
        Rankings.from_frame(pa.table(rows))
    assert str(found.value) == str(plain.value)
    kept = Rankings.from_frame(pa.table(rows), duplicates="best")
    assert len(kept.entries) == len(rows["item"]) - 1


def test_a_frame_of_many_cells_is_the_frame_of_few(monkeypatch: pytest.MonkeyPatch) -> None:
    fused = fuse(Rankings.from_frame(pa.table(make_rows(7))))
    for library in ("pandas", "polars"):
        module = pytest.importorskip(library, reason=f"{library} is not installed")
        few = fused.to_frame(library)
        with monkeypatch.context() as many:
            many.setattr("stagg.data.results.hits.MANY_CELLS", 1)
            found = fused.to_frame(library)
        assert isinstance(found, module.DataFrame)
        assert found.equals(few)
        assert list(map(str, found.dtypes)) == list(map(str, few.dtypes))
