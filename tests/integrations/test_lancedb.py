"""LanceDB: the reranker on a real table, and its scores beside those of LanceDB's own; run by ``make integrations``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stagg import DataError, InvalidParameter, UnknownName

REASON = "lancedb is not installed: run make integrations"
lancedb = pytest.importorskip("lancedb", reason=REASON)
rerankers = pytest.importorskip("lancedb.rerankers", reason=REASON)
pyarrow = pytest.importorskip("pyarrow", reason=REASON)
adapter = pytest.importorskip("stagg.integrations.lancedb", reason=REASON)

StaggReranker = adapter.StaggReranker


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Forty texts with two vectors each, and a full-text index; half of the texts match, each with another score."""
    rng = np.random.default_rng(3)
    rows = [
        {
            "name": f"d{number}",
            "text": " ".join(["green", "tea"] * (number % 2) + ["coffee"] * int(length)),
            "vector": rng.normal(size=8).tolist(),
            "other": rng.normal(size=8).tolist(),
        }
        for number, length in enumerate(rng.permutation(40) + 1)
    ]
    schema = pyarrow.schema(
        [("name", pyarrow.string()), ("text", pyarrow.string())]
        + [(name, pyarrow.list_(pyarrow.float32(), 8)) for name in ("vector", "other")]
    )
    made = lancedb.connect(tmp_path_factory.mktemp("lance")).create_table("docs", rows, schema=schema)
    made.create_index("text", config=pytest.importorskip("lancedb.index").FTS())
    return made


def vector(seed: int) -> list[float]:
    return np.random.default_rng(100 + seed).normal(size=8).tolist()


def hybrid(table: Any, seed: int, reranker: Any, limit: int = 60) -> Any:
    search = table.search(query_type="hybrid", vector_column_name="vector")
    return search.vector(vector(seed)).text("green tea").distance_type("cosine").limit(limit).rerank(reranker)


def relevance(found: Any) -> dict[str, float]:
    return dict(zip(found["name"].to_pylist(), found["_relevance_score"].to_pylist(), strict=True))


EQUAL = [
    ("RRFReranker", {}, "rrf(c=60)", None),
    ("RRFReranker", {"K": 7}, "rrf(c=7)", None),
    ("LinearCombinationReranker", {}, "combsum(norm='none')", {"vector": 0.7, "fts": 0.3}),
    ("LinearCombinationReranker", {"weight": 0.2}, "combsum(norm='none')", {"vector": 0.2, "fts": 0.8}),
]


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(("name", "settings", "method", "weights"), EQUAL)
def test_scores_equal_those_of_lancedb(
    table: Any, name: str, settings: dict[str, Any], method: str, weights: Any, seed: int
) -> None:
    """LanceDB keeps them in single precision; so the numbers before that are compared, and the ones in the table."""
    rrf = name == "RRFReranker"
    theirs = hybrid(table, seed, getattr(rerankers, name)(**settings), limit=12 if rrf else 60).to_arrow()
    ours = hybrid(table, seed, StaggReranker(method, weights=weights), limit=12 if rrf else 60).to_arrow()
    ours, theirs = relevance(ours), relevance(theirs)
    shared = ours.keys() & theirs.keys()
    assert len(shared) >= 10
    assert {each: ours[each] for each in shared} == pytest.approx({e: theirs[e] for e in shared}, rel=1.2e-7, abs=1e-9)


def tables(seed: int) -> tuple[Any, Any]:
    """Results of two searches as LanceDB hands them to a reranker, without ties, in double precision."""
    rng = np.random.default_rng(seed)
    found = []
    for column, sign in (("_distance", 1), ("_score", -1)):
        numbers = sign * np.sort(sign * rng.random(12))
        found.append(pyarrow.table({"_rowid": rng.permutation(20)[:12], column: numbers}))
    return found[0], found[1]


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(("name", "settings", "method", "weights"), EQUAL)
def test_scores_of_results_equal_those_of_lancedb_in_single_precision(
    name: str, settings: dict[str, Any], method: str, weights: Any, seed: int
) -> None:
    first, second = tables(seed)
    theirs = getattr(rerankers, name)(**settings).rerank_hybrid("", first, second)
    ours = StaggReranker(method, weights=weights).rerank_hybrid("", first, second)

    def by_row(found: Any) -> dict[int, float]:
        return dict(zip(found["_rowid"].to_pylist(), found["_relevance_score"].to_pylist(), strict=True))

    assert by_row(ours) == pytest.approx(by_row(theirs), rel=6e-8, abs=1e-9)
    assert ours["_relevance_score"].type == theirs["_relevance_score"].type


def test_a_row_is_in_the_result_once_with_all_its_columns(table: Any) -> None:
    found = hybrid(table, 1, StaggReranker("stagg_rrf"), limit=40).to_arrow()
    names = found["name"].to_pylist()
    assert len(set(names)) == len(names)
    assert found.column_names == ["name", "text", "vector", "other", "_relevance_score"]
    scores = found["_relevance_score"].to_pylist()
    assert scores == sorted(scores, reverse=True)


def test_weights_go_by_the_names_of_the_legs(table: Any) -> None:
    alone = table.search(vector(2), vector_column_name="vector").distance_type("cosine").limit(5).to_arrow()
    found = hybrid(table, 2, StaggReranker("rrf(c=60)", weights={"fts": 0}), limit=5).to_arrow()
    assert found["name"].to_pylist() == alone["name"].to_pylist()
    with pytest.raises(UnknownName, match="text"):
        hybrid(table, 2, StaggReranker("rrf(c=60)", weights={"text": 1})).to_arrow()


def test_all_scores_and_ranks_can_be_kept(table: Any) -> None:
    found = hybrid(table, 1, StaggReranker("rrf(c=60)", return_score="all"), limit=8).to_arrow()
    plain = table.search(vector(1), vector_column_name="vector").distance_type("cosine").limit(40).to_arrow()
    distances = dict(zip(plain["name"].to_pylist(), plain["_distance"].to_pylist(), strict=True))
    for row in found.to_pylist():
        assert (row["_distance"] is None) == (row["_rank_vector"] is None)
        assert (row["_score"] is None) == (row["_rank_fts"] is None)
        assert row["_distance"] is None or row["_distance"] == pytest.approx(distances[row["name"]])
        parts = [1 / (60 + rank) for rank in (row["_rank_vector"], row["_rank_fts"]) if rank is not None]
        assert row["_relevance_score"] == pytest.approx(sum(parts), rel=1e-6)
    assert any(row["_distance"] is not None and row["_score"] is not None for row in found.to_pylist())


def test_a_vector_search_or_a_text_search_alone_keeps_its_order(table: Any) -> None:
    plain = table.search(vector(3), vector_column_name="vector").limit(6).to_arrow()["name"].to_pylist()
    search = table.search(vector(3), vector_column_name="vector").limit(6)
    assert search.rerank(StaggReranker(), query_string="x").to_arrow()["name"].to_pylist() == plain
    found = table.search("green tea", query_type="fts").limit(6).rerank(StaggReranker("combsum")).to_arrow()
    texts = table.search("green tea", query_type="fts").limit(6).to_arrow()
    assert set(found["name"].to_pylist()) == set(texts["name"].to_pylist())
    assert "_relevance_score" in found.column_names


@pytest.mark.parametrize("as_tables", [True, False])
def test_several_vector_searches_become_one(table: Any, as_tables: bool) -> None:
    searches = [
        table.search(vector(4), vector_column_name=column).with_row_id(True).limit(10) for column in ("vector", "other")
    ]
    theirs = rerankers.RRFReranker().rerank_multivector([search.to_arrow() for search in searches])
    given = [search.to_arrow() for search in searches] if as_tables else searches
    ours = StaggReranker("rrf(c=60)").rerank_multivector(given)
    assert relevance(ours) == pytest.approx(relevance(theirs), rel=6e-8, abs=1e-9)
    weighted = StaggReranker("rrf(c=60)", weights=[1, 0]).rerank_multivector(given)
    assert weighted["name"].to_pylist() == searches[0].to_arrow()["name"].to_pylist()


def test_results_without_row_ids_are_refused_with_the_remedy(table: Any) -> None:
    found = [table.search(vector(5), vector_column_name=column).limit(5).to_arrow() for column in ("vector", "other")]
    with pytest.raises(DataError, match=r"with_row_id\(True\)"):
        StaggReranker().rerank_multivector(found)


def test_searches_that_find_nothing_are_no_error(table: Any) -> None:
    search = table.search(query_type="hybrid", vector_column_name="vector").vector(vector(6))
    found = search.text("nosuchword").limit(5).rerank(StaggReranker()).to_arrow()
    assert len(found) == 5
    none = search.text("nosuchword").where("name = 'nobody'").limit(5).rerank(StaggReranker()).to_arrow()
    assert len(none) == 0
    empty = pyarrow.table({"_rowid": pyarrow.array([], pyarrow.uint64()), "_distance": pyarrow.array([], "float32")})
    assert len(StaggReranker().rerank_vector("", empty)) == 0


def test_the_async_table_takes_it_as_well(tmp_path: Path) -> None:
    asyncio = pytest.importorskip("asyncio")

    async def search() -> list[str]:
        connection = await lancedb.connect_async(tmp_path)
        rows = [{"name": name, "text": f"{name} tea", "vector": [number, 1.0]} for number, name in enumerate("abc")]
        made = await connection.create_table("docs", rows)
        await made.create_index("text", config=pytest.importorskip("lancedb.index").FTS())
        query = made.query().nearest_to([0.0, 1.0]).nearest_to_text("b").rerank(StaggReranker("rrf(c=60)"))
        return (await query.to_arrow())["name"].to_pylist()

    assert asyncio.run(search()) == ["b", "a", "c"]


def test_wrong_settings_are_refused_at_once() -> None:
    with pytest.raises(UnknownName, match="did you mean 'rrf'"):
        StaggReranker("rrrf")
    with pytest.raises(InvalidParameter, match="duplicates"):
        StaggReranker(duplicates="worst")
    with pytest.raises(ValueError, match="relevance"):
        StaggReranker(return_score="everything")
    assert str(StaggReranker("borda")) == "StaggReranker('borda')"
