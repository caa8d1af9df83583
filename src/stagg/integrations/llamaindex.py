"""LlamaIndex: a retriever that fuses retrievers, weights obeyed."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Unpack

from stagg._moved import find_moved
from stagg.aggregate import DEFAULT_METHOD
from stagg.errors import DataError, MissingExtra, shown
from stagg.methods import Method
from stagg.search.documents import DocumentFusion, FusedDocument, FusedDocuments, SharedOptions, name_legs
from stagg.search.retrieve import Legs, OnError, Threads, Timeout

try:
    from llama_index.core.retrievers import BaseRetriever
    from llama_index.core.schema import NodeWithScore, QueryBundle
except ImportError:
    raise MissingExtra("LlamaIndex retrievers", package="llama-index-core", extra="llamaindex") from None

__all__ = ["LlamaIndexOptions", "StaggFusionRetriever", "fuse_nodes"]

Key = str | Callable[[NodeWithScore], Any] | None
"""Identity of a node: the hash of its content (None), a field of its metadata, or a function of the node."""


class LlamaIndexOptions(SharedOptions, total=False):
    """Options of :func:`fuse_nodes` and :class:`StaggFusionRetriever`."""

    id_key: Key
    similarity_top_k: int | None


def fuse_nodes(
    lists: Sequence[Sequence[NodeWithScore] | None] | Mapping[str, Sequence[NodeWithScore] | None],
    method: str | Method = DEFAULT_METHOD,
    *,
    annotate: bool = False,
    **options: Unpack[LlamaIndexOptions],
) -> list[NodeWithScore]:
    """Lists of nodes fused into one; the score of a result is that of the consensus, and what was given is left as is.

    - A list whose nodes all have scores is ordered by them, and equal ones tie; another is taken as it stands.
    - ``id_key``: nodes are the same that have the same content (``node.hash``), or the same value of this field of
      their metadata, or of this function.
    - ``weights``: by position, or by the names of the lists; 0 leaves a list out. ``similarity_top_k``: how many to
      return.
    - ``annotate=True``: the nodes are copies whose metadata are those of all lists that hold them, and in addition
      ``stagg_score``, ``stagg_rank``, ``stagg_ranks``, ``stagg_scores`` and ``stagg_relevance``. Language models
      and embeddings are not shown these.
    - ``direction``, ``depth``, ``duplicates``, ``merge``, ``missing``, ``min_score``, ``min_lists`` and ``scale`` are
      those of :func:`stagg.search.documents.fuse_documents`.

    >>> from llama_index.core.schema import TextNode
    >>> a, b, c = (NodeWithScore(node=TextNode(text=text)) for text in "abc")
    >>> [(each.text, round(each.score, 6)) for each in fuse_nodes([[a, b], [b, c]], "rrf(c=60)")]
    [('b', 0.032522), ('a', 0.016393), ('c', 0.016129)]
    """
    return _nodes(_fusion(method, **options).fuse(name_legs(lists, "lists of nodes")), annotate)


class StaggFusionRetriever(BaseRetriever):
    """Fused results of several retrievers; see :func:`fuse_nodes` for most of the parameters.

    ``retrievers`` are given as a list, or by name as a dict, so that weights and trained models can name them. They are
    asked at the same time; with ``concurrent=False`` one after the other, in the thread of the caller.

    ``timeout`` and ``on_error`` are those of :func:`stagg.search.retrieve.search`: how many seconds a retriever may
    take, and whether one that fails is an error ("raise") or is left out ("skip"). With ``annotate=True`` the metadata
    of the results name those that were left out: ``stagg_skipped``. :meth:`search` returns all there is to know.

    ``retriever_options`` go to LlamaIndex's BaseRetriever: callback_manager, object_map, objects, verbose.
    """

    def __init__(
        self,
        retrievers: Sequence[BaseRetriever] | Mapping[str, BaseRetriever],
        method: str | Method = DEFAULT_METHOD,
        *,
        timeout: Timeout = None,
        on_error: OnError = "raise",
        concurrent: bool = True,
        annotate: bool = False,
        **options: Any,
    ) -> None:
        retriever_options = {
            name: value for name, value in options.items() if name not in LlamaIndexOptions.__annotations__
        }
        fusion = _fusion(method, **{name: value for name, value in options.items() if name not in retriever_options})
        sources: dict[str, Any] = name_legs(retrievers, "retrievers")
        settings: Any = (fusion, timeout, on_error, concurrent, Threads())
        self._legs = Legs({name: source.retrieve for name, source in sources.items()}, *settings)
        self._alegs = Legs({name: source.aretrieve for name, source in sources.items()}, *settings)
        self._annotate = annotate
        super().__init__(**retriever_options)

    def search(self, query: str | QueryBundle) -> FusedDocuments[NodeWithScore]:
        """The fused nodes with all that is known of them, who was skipped, and how long each retriever took."""
        return self._legs.search(query)

    async def asearch(self, query: str | QueryBundle) -> FusedDocuments[NodeWithScore]:
        """:meth:`search` for asyncio."""
        return await self._alegs.asearch(query)

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return _nodes(self.search(query_bundle), self._annotate)

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return _nodes(await self.asearch(query_bundle), self._annotate)


def _fusion(method: Any, *, id_key: Key = None, similarity_top_k: int | None = None, **options: Any) -> DocumentFusion:
    return DocumentFusion(
        method,
        identity=functools.partial(_id, key=id_key),
        score="score",
        metadata="node.metadata",
        top=similarity_top_k,
        **options,
    )


def _nodes(found: FusedDocuments[NodeWithScore], annotate: bool) -> list[NodeWithScore]:
    skipped = {"stagg_skipped": found.skipped} if found.skipped else {}
    nodes = [_annotated(each, skipped) if annotate else each.document.node for each in found]
    return [NodeWithScore(node=node, score=each.score) for node, each in zip(nodes, found, strict=True)]


def _annotated(each: FusedDocument[NodeWithScore], more: dict[str, Any]) -> Any:
    """A copy of the node that says where it stood, without a word of that to language models and embeddings."""
    node = each.document.node
    ours = each.annotations() | more
    return node.model_copy(
        update={
            "metadata": each.metadata | ours,
            "excluded_llm_metadata_keys": [*node.excluded_llm_metadata_keys, *ours],
            "excluded_embed_metadata_keys": [*node.excluded_embed_metadata_keys, *ours],
        }
    )


def _id(node: NodeWithScore, key: Key) -> Any:
    if key is None:
        return node.node.hash
    if callable(key):
        return key(node)
    if key not in node.node.metadata:
        raise DataError(f"a node has no {shown(key)} in its metadata, which are {shown(node.node.metadata)}")
    return node.node.metadata[key]


__getattr__ = find_moved(__name__)
