"""LanceDB: a reranker that fuses vector search and full-text search by any method."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from stagg.aggregate import DEFAULT_METHOD
from stagg.data.rankings import Weights
from stagg.errors import DataError, MissingExtra, shown
from stagg.methods import Method
from stagg.search.documents import DocumentFusion, FusedDocuments

try:
    import pyarrow
    from lancedb.rerankers import Reranker
except ImportError:
    raise MissingExtra("LanceDB rerankers", package="lancedb", extra="lancedb") from None

__all__ = ["StaggReranker"]

RELEVANCE: Final = "_relevance_score"
NUMBERS: Final = ("_distance", "_score")
"""LanceDB's names for the numbers of vector search (small is better) and of full-text search (large is better)."""


class Row(NamedTuple):
    """A row of a result: its id, its number so that large is better, and its place in all tables together."""

    id: int
    score: float | None
    place: int


class StaggReranker(Reranker):
    """Fuses results of LanceDB: ``table.search(query_type="hybrid").vector(v).text(t).rerank(StaggReranker())``.

    The legs of a hybrid search are called "vector" and "fts": ``weights={"vector": 0.7, "fts": 0.3}``. Those of
    ``rerank_multivector`` are called "1", "2", ... A distance d counts as 1 - d, as in LanceDB's own rerankers. What
    tells rows apart is their ``_rowid``. A hybrid search scales distances and scores to 0..1 before any reranker sees
    them.

    With ``return_score="all"`` the result has the columns ``_distance`` and ``_score`` of the two searches, and the
    rank in each leg: ``_rank_vector``, ``_rank_fts``. ``options`` are those of
    :func:`stagg.search.documents.fuse_documents` that make sense for rows: depth, missing, top, min_lists, scale.

    >>> vector = pyarrow.table({"_rowid": [1, 2], "_distance": [0.1, 0.4]})
    >>> fts = pyarrow.table({"_rowid": [2, 3], "_score": [8.0, 5.0]})
    >>> fused = StaggReranker("rrf(c=60)", weights={"fts": 2}).rerank_hybrid("tea", vector, fts)
    >>> fused["_rowid"].to_pylist(), fused.column_names
    ([2, 3, 1], ['_rowid', '_relevance_score'])
    """

    def __init__(
        self,
        method: str | Method = DEFAULT_METHOD,
        *,
        weights: Weights | None = None,
        return_score: str = "relevance",
        **options: Any,
    ) -> None:
        super().__init__(return_score)
        self._fusion = DocumentFusion(method, identity=_id, score=_score, metadata=_nothing, weights=weights, **options)

    def __str__(self) -> str:
        return f"StaggReranker({self._fusion.method!r})"

    def rerank_hybrid(self, query: str, vector_results: Any, fts_results: Any) -> Any:
        """The results of a vector search and of a full-text search as one table, best first."""
        return self._rerank({"vector": vector_results, "fts": fts_results})

    def rerank_vector(self, query: str, vector_results: Any) -> Any:
        """The results of a vector search alone, with the scores that the method gives them."""
        return self._rerank({"vector": vector_results, "fts": None})

    def rerank_fts(self, query: str, fts_results: Any) -> Any:
        """The results of a full-text search alone, with the scores that the method gives them."""
        return self._rerank({"vector": None, "fts": fts_results})

    def rerank_multivector(
        self, vector_results: Sequence[Any], query: str | None = None, deduplicate: bool = True
    ) -> Any:
        """Several searches as one table; they need row ids, and a row is never in the result twice."""
        tables = [each if isinstance(each, pyarrow.Table) else each.to_arrow() for each in vector_results]
        return self._rerank({str(number): table for number, table in enumerate(tables, start=1)})

    def _rerank(self, legs: Mapping[str, Any]) -> Any:
        tables = {name: table for name, table in legs.items() if table is not None}
        lists = dict.fromkeys(legs) | _rows(tables)
        fused: FusedDocuments[Row] = self._fusion.fuse(lists)
        together = pyarrow.concat_tables(tables.values(), promote_options="default")
        rows = together.take(pyarrow.array([each.document.place for each in fused], type=pyarrow.int64()))
        relevance = pyarrow.array([each.score for each in fused], type=pyarrow.float32())
        if self.score == "all":
            return _with_ranks(_with_numbers(rows, tables), fused, tables).append_column(RELEVANCE, relevance)
        kept = [name for name in rows.column_names if name not in NUMBERS]
        return rows.select(kept).append_column(RELEVANCE, relevance)


# --- rows as documents ------------------------------------------------------------------------------------------------


def _rows(tables: Mapping[str, Any]) -> dict[str, list[Row]]:
    lists, before = {}, 0
    for name, table in tables.items():
        places = range(before, before + len(table))
        lists[name] = [Row(*each) for each in zip(_ids(name, tables), _scores(table), places, strict=True)]
        before += len(table)
    return lists


def _ids(name: str, tables: Mapping[str, Any]) -> Sequence[int]:
    """The ids of the rows; in one search alone every row is a row of its own."""
    table = tables[name]
    if "_rowid" in table.column_names:
        ids: list[int] = table["_rowid"].to_pylist()
        return ids
    if len(tables) > 1 and len(table):
        raise DataError(f"results {shown(name)} have no column _rowid: search with .with_row_id(True)")
    return range(len(table))


def _scores(table: Any) -> Sequence[float | None]:
    if "_distance" in table.column_names:
        return [None if distance is None else 1 - distance for distance in table["_distance"].to_pylist()]
    if "_score" in table.column_names:
        scores: list[float | None] = table["_score"].to_pylist()
        return scores
    return [None] * len(table)


def _id(row: Row) -> int:
    return row.id


def _score(row: Row) -> float | None:
    return row.score


def _nothing(row: Row) -> dict[str, Any]:
    return {}


# --- what return_score="all" adds -------------------------------------------------------------------------------------


def _with_numbers(rows: Any, tables: Mapping[str, Any]) -> Any:
    """Rows with the distance and the score that any of the searches gave them."""
    for number in NUMBERS:
        holders = [table for table in tables.values() if {number, "_rowid"} <= set(table.column_names)]
        if "_rowid" not in rows.column_names or not holders:
            continue
        given: dict[int, float] = {}
        for table in reversed(holders):  # the first search wins
            given.update(zip(table["_rowid"].to_pylist(), table[number].to_pylist(), strict=True))
        column = pyarrow.array([given.get(row) for row in rows["_rowid"].to_pylist()], type=pyarrow.float32())
        rows = rows.set_column(rows.column_names.index(number), number, column)
    return rows


def _with_ranks(rows: Any, fused: FusedDocuments[Row], tables: Mapping[str, Any]) -> Any:
    for name in tables:
        ranks = pyarrow.array([each.ranks.get(name) for each in fused], type=pyarrow.float32())
        rows = rows.append_column(f"_rank_{name}", ranks)
    return rows
