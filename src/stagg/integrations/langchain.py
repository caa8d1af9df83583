"""LangChain: a retriever that fuses retrievers, and the same on lists of documents."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Unpack

from stagg._moved import find_moved
from stagg.aggregate import DEFAULT_METHOD
from stagg.errors import DataError, MissingExtra, shown
from stagg.methods import Method, Missing
from stagg.search.documents import DocumentFusion, FusedDocuments, SharedOptions, name_legs
from stagg.search.fields import of_leg
from stagg.search.retrieve import Legs, Threads

try:
    from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
    from langchain_core.documents import Document
    from langchain_core.retrievers import BaseRetriever, RetrieverLike
    from langchain_core.runnables import RunnableConfig
    from langchain_core.runnables.config import patch_config
    from langchain_core.runnables.utils import ConfigurableFieldSpec, get_unique_config_specs
    from pydantic import PrivateAttr
except ImportError:
    raise MissingExtra("LangChain retrievers", package="langchain-core", extra="langchain") from None

__all__ = ["LangChainOptions", "StaggRetriever", "fuse_documents"]

NO_TEXT = "(no text)"  # documents without a text are one document

Key = str | Callable[[Document], Any] | None
"""Identity of a document: its text (None), a field of its metadata, or a function of the document."""


class LangChainOptions(SharedOptions, total=False):
    """Options of :func:`fuse_documents` and :class:`StaggRetriever`."""

    id_key: Key
    score_key: str | Mapping[str, str] | None
    k: int | None


def fuse_documents(
    lists: Sequence[Sequence[Document] | None] | Mapping[str, Sequence[Document] | None],
    method: str | Method = DEFAULT_METHOD,
    **options: Unpack[LangChainOptions],
) -> list[Document]:
    """Best-first lists of documents fused into one, each document with its score and ranks in its metadata.

    - ``weights``: by position, or by the names of the lists; 0 leaves a list out. ``k``: how many to return.
    - ``id_key``: documents are the same that have the same text, or the same value of this field of their metadata, or
      of this function.
    - ``score_key``: the field of the metadata that holds a document's score, or ``{list: field}``. A list whose
      documents have scores is ordered by them.
    - ``direction``, ``depth``, ``duplicates``, ``merge``, ``missing``, ``min_score``, ``min_lists`` and ``scale`` are
      those of :func:`stagg.search.documents.fuse_documents`.

    The results are copies. Their metadata are those of all lists that hold the document, and in addition
    ``stagg_score``, ``stagg_rank`` (from 1), ``stagg_ranks`` and ``stagg_scores`` (the rank and the score in each list
    that holds it) and ``stagg_relevance``, from 0 to 1: the score as a share of what first in every list would have.

    >>> a, b, c = (Document(page_content=text) for text in "abc")
    >>> found = fuse_documents({"bm25": [a, b], "dense": [b, c]}, "rrf(c=60)")
    >>> [document.page_content for document in found]
    ['b', 'a', 'c']
    >>> found[0].metadata["stagg_rank"], found[0].metadata["stagg_ranks"]
    (1, {'bm25': 2, 'dense': 1})
    """
    legs = name_legs(lists, "lists of documents")
    return _documents(_fusion(method, tuple(legs), **options).fuse(legs))


class StaggRetriever(BaseRetriever):
    """Fused results of several retrievers; see :func:`fuse_documents` for most of the parameters.

    ``retrievers`` are given as a list, or by name as a dict, so that weights, ranks and trained models can name them.
    They are asked at the same time; with ``concurrent=False`` one after the other, in the thread of the caller.

    ``timeout`` and ``on_error`` are those of :func:`stagg.search.retrieve.search`: how many seconds a retriever may
    take, and whether one that fails is an error ("raise") or is left out ("skip"). If some were left out, the metadata
    of the results say so: ``stagg_skipped`` is ``{retriever: reason}``. :meth:`search` returns all there is to know.
    """

    retrievers: list[RetrieverLike] | dict[str, RetrieverLike]
    method: Any = DEFAULT_METHOD
    weights: list[float] | dict[str, float] | None = None
    id_key: Key = None
    score_key: str | dict[str, str] | None = None
    k: int | None = None
    missing: Missing | None = None
    direction: Any = "score"
    depth: Any = None
    duplicates: Any = "best"
    merge: Any = "first"
    min_score: Any = None
    min_lists: Any = None
    scale: Any = None
    timeout: Any = None
    on_error: Any = "raise"
    concurrent: bool = True
    _threads: Threads = PrivateAttr(default_factory=Threads)

    def model_post_init(self, context: Any, /) -> None:
        """Refuse wrong settings before the first query."""
        super().model_post_init(context)
        self._legs({name: retriever.invoke for name, retriever in self._sources().items()})

    @property
    def config_specs(self) -> list[ConfigurableFieldSpec]:
        """The configurable fields of the retrievers."""
        return get_unique_config_specs(
            spec for retriever in self._sources().values() for spec in retriever.config_specs
        )

    def search(self, query: str, config: RunnableConfig | None = None) -> FusedDocuments[Document]:
        """The fused documents with all that is known of them, who was skipped, and how long each retriever took."""
        return self._legs(_calls(self._sources(), "invoke", config)).search(query)

    async def asearch(self, query: str, config: RunnableConfig | None = None) -> FusedDocuments[Document]:
        """:meth:`search` for asyncio."""
        return await self._legs(_calls(self._sources(), "ainvoke", config)).asearch(query)

    def invoke(self, input: str, config: RunnableConfig | None = None, **kwargs: Any) -> list[Document]:
        """The documents for a query; the configuration goes on to the retrievers."""
        return super().invoke(input, config, passed_on=config, **kwargs)

    async def ainvoke(self, input: str, config: RunnableConfig | None = None, **kwargs: Any) -> list[Document]:
        """The same for asyncio."""
        return await super().ainvoke(input, config, passed_on=config, **kwargs)

    def _get_relevant_documents(
        self,
        query: str,
        *,
        run_manager: CallbackManagerForRetrieverRun,
        passed_on: RunnableConfig | None = None,
        **ignored: Any,
    ) -> list[Document]:
        calls = _calls(self._sources(), "invoke", passed_on, run_manager)
        return _documents(self._legs(calls).search(query))

    async def _aget_relevant_documents(
        self,
        query: str,
        *,
        run_manager: AsyncCallbackManagerForRetrieverRun,
        passed_on: RunnableConfig | None = None,
        **ignored: Any,
    ) -> list[Document]:
        calls = _calls(self._sources(), "ainvoke", passed_on, run_manager)
        return _documents(await self._legs(calls).asearch(query))

    def _sources(self) -> dict[str, Any]:
        return name_legs(self.retrievers, "retrievers")

    def _legs(self, calls: dict[str, Callable[[str], Any]]) -> Legs:
        options = {name: getattr(self, name) for name in LangChainOptions.__annotations__}
        fusion = _fusion(self.method, tuple(calls), **options)
        return Legs(calls, fusion, self.timeout, self.on_error, self.concurrent, self._threads)


def _calls(
    sources: dict[str, Any], way: str, config: RunnableConfig | None, run_manager: Any = None
) -> dict[str, Callable[[str], Any]]:
    """How each retriever is called, with which configuration: its run is a child of this one."""
    calls: dict[str, Callable[[str], Any]] = {}
    for name, retriever in sources.items():
        child = {} if run_manager is None else {"callbacks": run_manager.get_child(tag=f"retriever_{name}")}
        calls[name] = functools.partial(getattr(retriever, way), config=patch_config(config, **child))
    return calls


def _fusion(
    method: Any,
    legs: Sequence[str],
    *,
    id_key: Key = None,
    score_key: str | Mapping[str, str] | None = None,
    k: int | None = None,
    **options: Any,
) -> DocumentFusion:
    keys = {leg: of_leg(score_key, leg) for leg in legs}
    return DocumentFusion(
        method,
        identity=functools.partial(_id, key=id_key),
        score={leg: functools.partial(_score, key=key) for leg, key in keys.items() if key is not None},
        metadata="metadata",
        top=k,
        **options,
    )


def _documents(found: FusedDocuments[Document]) -> list[Document]:
    skipped = {"stagg_skipped": found.skipped} if found.skipped else {}
    return [
        each.document.model_copy(update={"metadata": each.metadata | each.annotations() | skipped}) for each in found
    ]


def _id(document: Document, key: Key) -> Any:
    if key is None:
        return document.page_content or NO_TEXT
    if callable(key):
        return key(document)
    if key not in document.metadata:
        raise DataError(f"a document has no {shown(key)} in its metadata, which are {shown(document.metadata)}")
    return document.metadata[key]


def _score(document: Document, key: str) -> Any:
    return document.metadata.get(key)


__getattr__ = find_moved(__name__)
