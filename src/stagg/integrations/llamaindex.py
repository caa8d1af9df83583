"""LlamaIndex: a retriever that fuses retrievers, weights obeyed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from stagg.aggregate import DEFAULT_METHOD
from stagg.data.rankings import Weights
from stagg.errors import DataError, MissingExtra, shown
from stagg.integrations.documents import DocumentFusion, name_legs
from stagg.methods import Method, Missing

try:
    from llama_index.core.retrievers import BaseRetriever
    from llama_index.core.schema import NodeWithScore, QueryBundle
except ImportError:
    raise MissingExtra("LlamaIndex retrievers", package="llama-index-core", extra="llamaindex") from None

__all__ = ["StaggFusionRetriever", "fuse_nodes"]

Key = str | Callable[[NodeWithScore], Any] | None
"""What tells nodes apart: the hash of their content (None), a field of their metadata, or a function of the node."""


def fuse_nodes(
    lists: Sequence[Sequence[NodeWithScore]] | Mapping[str, Sequence[NodeWithScore]],
    method: str | Method = DEFAULT_METHOD,
    *,
    weights: Weights | None = None,
    id_key: Key = None,
    similarity_top_k: int | None = None,
    missing: Missing | None = None,
) -> list[NodeWithScore]:
    """Lists of nodes fused into one; the score of a result is that of the consensus, and what was given is left as is.

    A list whose nodes all have scores is ordered by them, and equal ones tie; another is taken as it stands.
    ``id_key``: nodes are the same that have the same content (``node.hash``), or the same value of this field of their
    metadata, or of this function. ``weights``: by position, or by the names of the lists; 0 leaves a list out.

    >>> from llama_index.core.schema import TextNode
    >>> a, b, c = (NodeWithScore(node=TextNode(text=text)) for text in "abc")
    >>> [(each.text, round(each.score, 6)) for each in fuse_nodes([[a, b], [b, c]], "rrf(c=60)")]
    [('b', 0.032522), ('a', 0.016393), ('c', 0.016129)]
    """
    fusion = DocumentFusion(
        method,
        identity=lambda node: _id(node, id_key),
        score=lambda node: node.score,
        weights=weights,
        missing=missing,
        top=similarity_top_k,
    )
    found = fusion.fuse(name_legs(lists, "lists of nodes"))
    return [NodeWithScore(node=each.document.node, score=each.score) for each in found]


class StaggFusionRetriever(BaseRetriever):
    """What several retrievers find, fused; see :func:`fuse_nodes` for the parameters.

    ``retrievers`` are given as a list, or by name as a dict, so that weights and trained models can name them. What is
    left of ``options`` goes to LlamaIndex's BaseRetriever: callback_manager, object_map, objects, verbose.
    """

    def __init__(
        self,
        retrievers: Sequence[BaseRetriever] | Mapping[str, BaseRetriever],
        method: str | Method = DEFAULT_METHOD,
        *,
        weights: Weights | None = None,
        id_key: Key = None,
        similarity_top_k: int | None = None,
        missing: Missing | None = None,
        **options: Any,
    ) -> None:
        self._retrievers: dict[str, Any] = name_legs(retrievers, "retrievers")
        DocumentFusion(method, weights=weights, missing=missing, top=similarity_top_k).check(self._retrievers)
        self._settings: dict[str, Any] = {
            "method": method,
            "weights": weights,
            "id_key": id_key,
            "similarity_top_k": similarity_top_k,
            "missing": missing,
        }
        super().__init__(**options)

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        found = [retriever.retrieve(query_bundle) for retriever in self._retrievers.values()]
        return self._fuse(found)

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        asked = (retriever.aretrieve(query_bundle) for retriever in self._retrievers.values())
        return self._fuse(await asyncio.gather(*asked))

    def _fuse(self, found: Sequence[Sequence[NodeWithScore]]) -> list[NodeWithScore]:
        return fuse_nodes(dict(zip(self._retrievers, found, strict=True)), **self._settings)


def _id(node: NodeWithScore, key: Key) -> Any:
    if key is None:
        return node.node.hash
    if callable(key):
        return key(node)
    if key not in node.node.metadata:
        raise DataError(f"a node has no {shown(key)} in its metadata, which are {shown(node.node.metadata)}")
    return node.node.metadata[key]
