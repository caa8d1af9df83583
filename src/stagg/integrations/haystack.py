"""Haystack: a component that fuses lists of documents, in the place of DocumentJoiner."""

# no "from __future__ import annotations": Haystack reads the types of run() as they stand, and misses Variadic in text
import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any, Final

from stagg.aggregate import DEFAULT_METHOD
from stagg.data.rankings import Weights
from stagg.errors import InvalidParameter, MissingExtra, StaggError, shown
from stagg.methods import METHODS, Method
from stagg.registry import whole_number
from stagg.search.documents import DocumentFusion, FusedDocument, name_legs

try:
    from haystack import Document, component, default_from_dict, default_to_dict
    from haystack.core.component.types import Variadic
    from haystack.utils import deserialize_callable, serialize_callable
except ImportError:
    raise MissingExtra("Haystack components", package="haystack-ai", extra="haystack") from None

__all__ = ["StaggJoiner"]

FUNCTION: Final = "function"  # the key under which the path of a function stands in YAML


@component
class StaggJoiner:
    """Fuses the documents of several retrievers; connect them to ``documents``, or each to the input of its name.

    ``legs`` gives the component one input for every name: ``pipeline.connect("bm25_retriever", "joiner.bm25")``. Then
    weights go by name, and a retriever that a router left out is a leg that did not answer. Without ``legs`` all
    retrievers are connected to ``documents``. Haystack hands their lists over in the order in which the retrievers ran,
    and leaves out one that did not run; so use names if you use weights.

    ``top_k`` is how many documents come back. ``options`` are those of
    :func:`stagg.search.documents.fuse_documents`: identity (default: the id of the document), direction, depth,
    duplicates, merge, missing, min_score, min_lists, scale. A list all of whose documents have a score is ordered by
    it; ``score=None`` takes every list in the order given.

    The results are copies: ``score`` is that of the consensus, and ``meta``, merged over the legs, has also
    ``stagg_score``, ``stagg_rank`` (from 1), ``stagg_ranks``, ``stagg_scores`` and ``stagg_relevance``.

    >>> a, b, c = (Document(content=text) for text in "abc")
    >>> joiner = StaggJoiner("rrf(c=60)", legs=["bm25", "dense"], weights={"dense": 2}, top_k=2)
    >>> found = joiner.run(bm25=[a, b], dense=[b, c])["documents"]
    >>> [(each.content, each.meta["stagg_ranks"]) for each in found]
    [('b', {'bm25': 2, 'dense': 1}), ('c', {'dense': 2})]
    """

    def __init__(
        self,
        method: str | Method = DEFAULT_METHOD,
        *,
        legs: Sequence[str] | None = None,
        weights: Weights | None = None,
        top_k: int | None = None,
        **options: Any,
    ) -> None:
        if top_k is not None:
            whole_number("top_k", top_k, least=1)
        self._settings: dict[str, Any] = {"score": "score", **options}
        self._method, self._legs, self._weights, self._top_k = method, legs, weights, top_k
        self._fusion = DocumentFusion(method, weights=weights, **self._settings)
        for name in _check_names(legs):
            component.set_input_type(self, name, list[Document] | None, default=None)
        if legs is not None:
            self._fusion.check(legs)

    @component.output_types(documents=list[Document])
    def run(
        self, documents: Variadic[list[Document]] = (), top_k: int | None = None, **legs: list[Document] | None
    ) -> dict[str, Any]:
        """Fuse lists of documents; ``top_k`` is used in the place of the one that the component was made with."""
        if top_k is not None:
            whole_number("top_k", top_k, least=0)
        lists = self._lists(documents, legs)
        fused = self._fusion.fuse(lists)[: self._top_k if top_k is None else top_k] if lists else ()
        return {"documents": [_annotated(each) for each in fused]}

    def to_dict(self) -> dict[str, Any]:
        """The component as Haystack writes it to YAML; functions by their path, as in Haystack's own components."""
        settings = {name: _to_plain(value) for name, value in self._settings.items()}
        return default_to_dict(
            self,
            method=_method_text(self._method),
            legs=None if self._legs is None else list(self._legs),
            weights=dict(self._weights) if isinstance(self._weights, Mapping) else _list(self._weights),
            top_k=self._top_k,
            **settings,
        )

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "StaggJoiner":
        """The component that :meth:`to_dict` wrote."""
        settings = {name: _from_plain(value) for name, value in data.get("init_parameters", {}).items()}
        return default_from_dict(cls, {**data, "init_parameters": settings})

    def _lists(self, documents: Any, legs: Mapping[str, Any]) -> dict[str, Any]:
        if self._legs is None:
            return name_legs(documents, "lists of documents") if documents else {}
        if any(documents):
            raise InvalidParameter(f"this component has the inputs {shown(list(self._legs))}; connect to these")
        return {name: legs.get(name) for name in self._legs}


def _check_names(legs: Sequence[str] | None) -> Sequence[str]:
    """The names of the inputs; Haystack has two of its own."""
    for name in legs or ():
        if name in ("documents", "top_k") or not name.isidentifier():
            raise InvalidParameter(f"legs: {shown(name)} cannot be the name of an input; use a name such as 'bm25'")
    return legs or ()


def _annotated(each: FusedDocument[Document]) -> Document:
    return dataclasses.replace(each.document, score=each.score, meta=each.metadata | each.annotations())


# --- to YAML and back -------------------------------------------------------------------------------------------------


def _method_text(method: str | Method) -> str:
    """A method as the text that makes it."""
    try:
        if isinstance(method, str) or METHODS.parse(repr(method)) == method:
            return str(method) if isinstance(method, str) else repr(method)
    except StaggError:
        pass
    raise InvalidParameter(
        f"{shown(type(method).__name__)} has no text that could be written to YAML: give the method as text, "
        "or add the component to the pipeline in Python"
    )


def _to_plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _to_plain(each) for name, each in value.items()}
    return {FUNCTION: serialize_callable(value)} if callable(value) else value


def _from_plain(value: Any) -> Any:
    if not isinstance(value, Mapping):
        return value
    if list(value) == [FUNCTION]:
        return deserialize_callable(value[FUNCTION])
    return {name: _from_plain(each) for name, each in value.items()}


def _list(weights: Any) -> list[float] | None:
    return None if weights is None else list(weights)
