"""PyTerrier: a transformer that fuses pipelines; ranks count from 0 there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from stagg.aggregate import DEFAULT_METHOD, fuse
from stagg.data.inputs.construct import with_names
from stagg.data.inputs.frames import from_frame
from stagg.data.rankings import Rankings, Weights
from stagg.errors import InvalidParameter, MissingExtra
from stagg.methods import Method, Missing
from stagg.search.documents import DocumentFusion, name_legs

try:
    import pandas
    import pyterrier
except ImportError:
    raise MissingExtra("PyTerrier transformers", package="pyterrier", extra="pyterrier") from None

__all__ = ["Fuse"]

NOT_KEPT = ("docid", "score", "rank")


class Fuse(pyterrier.Transformer):
    """The results of several pipelines, fused: ``Fuse(bm25, dense, method="stagg_rrf", weights=[2, 1])``.

    ``names`` call the pipelines otherwise than "1", "2", ..., so that weights and trained models can name them; ``top``
    cuts the result of each query. The score decides the order of a pipeline's results, and equal ones tie.

    The result has the queries as they were asked, and what the pipelines know of the documents (text and so on; of
    several values the first) without ``docid``, which means something in one index only; score and rank are those of
    the consensus.

    >>> def pipeline(*docnos):
    ...     found = [{"qid": "1", "query": "x", "docno": docno, "score": -place} for place, docno in enumerate(docnos)]
    ...     return pyterrier.Transformer.from_df(pandas.DataFrame(found))
    >>> Fuse(pipeline("a", "b"), pipeline("b", "c"), method="rrf(c=60)").search("x")
      qid docno query     score  rank
    0   1     b     x  0.032522     0
    1   1     a     x  0.016393     1
    2   1     c     x  0.016129     2
    """

    schematic = {"label": "Fuse", "inner_pipelines_mode": "combine"}  # noqa: RUF012  # how PyTerrier draws it

    def __init__(
        self,
        *pipelines: pyterrier.Transformer,
        method: str | Method = DEFAULT_METHOD,
        names: Sequence[str] | None = None,
        weights: Weights | None = None,
        missing: Missing | None = None,
        top: int | None = None,
    ) -> None:
        self.pipelines = pipelines
        self.method = method
        self.names = names
        self.weights = weights
        self.missing = missing
        self.top = top
        DocumentFusion(method, weights=weights, missing=missing, top=top).check(self._name(pipelines))

    def transform(self, inp: pandas.DataFrame) -> pandas.DataFrame:
        """The consensus of what the pipelines make of these queries, best first."""
        found = [pipeline(inp) for pipeline in self.pipelines]
        for results in found:
            pyterrier.validate.result_frame(results, extra_columns=["score"])
        options: dict[str, Any] = {"weights": self.weights, "missing": self.missing, "top": self.top}
        columns = fuse(_rankings(self._name(found)), self.method, **options).to_columns()
        fused = pandas.DataFrame({"qid": columns["query"], "docno": columns["item"]}, dtype=str)
        fused = fused.merge(_of_queries(inp), on="qid", how="left")
        fused = fused.merge(_of_documents(found), on=["qid", "docno"], how="left")
        ranks = np.array(columns["rank"], dtype=np.int64) - 1 + pyterrier.model.FIRST_RANK
        return fused.assign(score=np.array(columns["score"], dtype=float), rank=ranks)

    def _name(self, values: Sequence[Any]) -> dict[str, Any]:
        if self.names is not None and len(set(self.names)) != len(values):
            raise InvalidParameter(f"there are {len(values)} pipelines to name, each differently; given {self.names!r}")
        return name_legs(values if self.names is None else dict(zip(self.names, values, strict=True)), "pipelines")


def _rankings(found: dict[str, pandas.DataFrame]) -> Rankings:
    """Every pipeline a ranker, also one that found nothing."""
    whole = _join([results[["qid", "docno", "score"]].assign(ranker=name) for name, results in found.items()])
    rankings = from_frame(whole, query="qid", item="docno", ranker="ranker", score="score")
    return with_names(rankings, rankings.queries, tuple(found))


def _of_queries(inp: pandas.DataFrame) -> pandas.DataFrame:
    """The queries: each has one text, whatever the pipelines made of it."""
    return inp[_about_queries(inp)].astype({"qid": str}).drop_duplicates("qid")


def _of_documents(found: list[pandas.DataFrame]) -> pandas.DataFrame:
    """Columns about each document of a query, without score and rank: the first value that is there."""
    known = [results.drop(columns=[*_about_queries(results), *NOT_KEPT], errors="ignore") for results in found]
    whole = _join([each.assign(qid=results["qid"]) for each, results in zip(known, found, strict=True)])
    return whole.astype({"qid": str, "docno": str}).groupby(["qid", "docno"], sort=False, as_index=False).first()


def _about_queries(frame: pandas.DataFrame) -> list[str]:
    about = set(pyterrier.model.query_columns(frame))
    return [name for name in frame.columns if name in about]


def _join(frames: list[pandas.DataFrame]) -> pandas.DataFrame:
    """One below the other; frames without rows say nothing of types, and count only where there are no others."""
    return pandas.concat([frame for frame in frames if len(frame)] or frames, ignore_index=True)
