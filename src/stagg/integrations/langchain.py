"""LangChain: a retriever that fuses retrievers, and the same on lists of documents."""

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
    from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
    from langchain_core.documents import Document
    from langchain_core.retrievers import BaseRetriever, RetrieverLike
    from langchain_core.runnables import RunnableConfig
    from langchain_core.runnables.config import patch_config
    from langchain_core.runnables.utils import ConfigurableFieldSpec, get_unique_config_specs
except ImportError:
    raise MissingExtra("LangChain retrievers", package="langchain-core", extra="langchain") from None

__all__ = ["StaggRetriever", "fuse_documents"]

NO_TEXT = "(no text)"  # documents without a text are one document

Key = str | Callable[[Document], Any] | None
"""What tells documents apart: their text (None), a field of their metadata, or a function of the document."""


def fuse_documents(
    lists: Sequence[Sequence[Document]] | Mapping[str, Sequence[Document]],
    method: str | Method = DEFAULT_METHOD,
    *,
    weights: Weights | None = None,
    id_key: Key = None,
    score_key: str | None = None,
    k: int | None = None,
    missing: Missing | None = None,
) -> list[Document]:
    """Best-first lists of documents fused into one, each document with its score and ranks in its metadata.

    ``id_key``: documents are the same that have the same text, or the same value of this field of their metadata, or
    of this function. ``score_key`` names the field of the metadata that holds a document's score, for methods that
    look at scores (combsum, ...): then the score decides the order of a list. ``weights``: by position, or by the
    names of the lists; 0 leaves a list out. ``k``: how many to return.

    The results are copies; their metadata have ``stagg_score``, ``stagg_rank`` (from 1) and ``stagg_ranks``, the rank
    in each list that holds the document.

    >>> a, b, c = (Document(page_content=text) for text in "abc")
    >>> found = fuse_documents({"bm25": [a, b], "dense": [b, c]}, "rrf(c=60)")
    >>> [document.page_content for document in found]
    ['b', 'a', 'c']
    >>> found[0].metadata["stagg_rank"], found[0].metadata["stagg_ranks"]
    (1, {'bm25': 2, 'dense': 1})
    """
    fusion = DocumentFusion(
        method,
        identity=lambda document: _id(document, id_key),
        score=None if score_key is None else lambda document: document.metadata.get(score_key),
        weights=weights,
        missing=missing,
        top=k,
    )
    found = fusion.fuse(name_legs(lists, "lists of documents"))
    return [each.document.model_copy(update={"metadata": each.metadata | each.annotations()}) for each in found]


class StaggRetriever(BaseRetriever):
    """What several retrievers find, fused; see :func:`fuse_documents` for the parameters.

    ``retrievers`` are given as a list, or by name as a dict, so that weights, ranks and trained models can name them.
    """

    retrievers: list[RetrieverLike] | dict[str, RetrieverLike]
    method: Any = DEFAULT_METHOD
    weights: list[float] | dict[str, float] | None = None
    id_key: Key = None
    score_key: str | None = None
    k: int | None = None
    missing: Missing | None = None

    def model_post_init(self, context: Any, /) -> None:
        """What is wrong with the settings is said before the first query."""
        DocumentFusion(self.method, weights=self.weights, missing=self.missing, top=self.k).check(self._sources())

    @property
    def config_specs(self) -> list[ConfigurableFieldSpec]:
        """The configurable fields of the retrievers."""
        return get_unique_config_specs(
            spec for retriever in self._sources().values() for spec in retriever.config_specs
        )

    def invoke(self, input: str, config: RunnableConfig | None = None, **kwargs: Any) -> list[Document]:
        """The documents for a query; the configuration goes on to the retrievers."""
        return super().invoke(input, config, passed_on=config, **kwargs)

    async def ainvoke(self, input: str, config: RunnableConfig | None = None, **kwargs: Any) -> list[Document]:
        """The same, the retrievers asked at the same time."""
        return await super().ainvoke(input, config, passed_on=config, **kwargs)

    def _get_relevant_documents(
        self,
        query: str,
        *,
        run_manager: CallbackManagerForRetrieverRun,
        passed_on: RunnableConfig | None = None,
        **ignored: Any,
    ) -> list[Document]:
        asked = self._asked(run_manager, passed_on)
        return self._fuse([retriever.invoke(query, config) for retriever, config in asked])

    async def _aget_relevant_documents(
        self,
        query: str,
        *,
        run_manager: AsyncCallbackManagerForRetrieverRun,
        passed_on: RunnableConfig | None = None,
        **ignored: Any,
    ) -> list[Document]:
        asked = self._asked(run_manager, passed_on)
        return self._fuse(await asyncio.gather(*(retriever.ainvoke(query, config) for retriever, config in asked)))

    def _asked(self, run_manager: Any, config: RunnableConfig | None) -> list[tuple[Any, RunnableConfig]]:
        """Each retriever, and the configuration that it is called with: its run is a child of this one."""
        return [
            (retriever, patch_config(config, callbacks=run_manager.get_child(tag=f"retriever_{name}")))
            for name, retriever in self._sources().items()
        ]

    def _sources(self) -> dict[str, Any]:
        return name_legs(self.retrievers, "retrievers")

    def _fuse(self, found: Sequence[Sequence[Document]]) -> list[Document]:
        return fuse_documents(
            dict(zip(self._sources(), found, strict=True)),
            self.method,
            weights=self.weights,
            id_key=self.id_key,
            score_key=self.score_key,
            k=self.k,
            missing=self.missing,
        )


def _id(document: Document, key: Key) -> Any:
    if key is None:
        return document.page_content or NO_TEXT
    if callable(key):
        return key(document)
    if key not in document.metadata:
        raise DataError(f"a document has no {shown(key)} in its metadata, which are {shown(document.metadata)}")
    return document.metadata[key]
