"""Elasticsearch and OpenSearch responses: ``{"hits": {"hits": [{"_id": ..., "_score": ...}, ...]}}``."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

from stagg.data.columns import Columns
from stagg.data.inputs.construct import with_names
from stagg.errors import shown
from stagg.formats.format import BY_ORDER, BY_SCORE, ONE_QUERY, Loaded, Understood
from stagg.formats.options import ReadOptions
from stagg.formats.row_checks import assemble_rows, refuse_values
from stagg.formats.storage.source import Source

__all__ = ["find_responses", "is_response", "load_responses"]


def is_response(value: Any) -> bool:
    """Whether this is one response: its hits are a list."""
    return isinstance(_get(_get(value, "hits"), "hits"), list)


def find_responses(top: Any) -> list[tuple[str | None, Any]] | None:
    """(query, response) of all responses of a document; None where it is something else.

    The document is one response, whose query has no name; ``{query: response}``; or what _msearch answers.
    """
    if is_response(top):
        return [(None, top)]
    several = _get(top, "responses")
    if isinstance(several, list) and several and all(map(is_response, several)):
        return [(str(number), each) for number, each in enumerate(several, start=1)]
    members = _pairs(top)
    if members and all(is_response(value) for _, value in members):
        return list(members)
    return None


def load_responses(found: Sequence[tuple[str | None, Any]], source: Source, options: ReadOptions) -> Loaded:
    """One list per response. The outer names are queries, or rankers with outer='ranker'.

    A response alone is named by its file. Hits without a score (sorted by a field) are in their order.
    """
    refuse_values(source, options, "a response has scores")
    names = [source.stem if name is None else name for name, _ in found]
    by_ranker = options.outer == "ranker"
    queries = [ONE_QUERY] * len(names) if by_ranker else names
    rankers = names if by_ranker else [source.stem] * len(names)
    twice = next((name for name in names if names.count(name) > 1), None) if len(set(names)) < len(names) else None
    if twice is not None:
        raise source.error(f"two responses are named {shown(twice)}; join or rename them")
    hits = [_read_hits(response, name, source) for name, (_, response) in zip(names, found, strict=True)]
    scores = [score for each in hits for _, score in each]
    places = [-float(place) for each in hits for place in range(len(each))]
    numbers = np.array([place if np.isnan(score) else score for score, place in zip(scores, places, strict=True)])
    rows = Columns(
        [query for query, each in zip(queries, hits, strict=True) for _ in each],
        [item for each in hits for item, _ in each],
        numbers.astype(float),
        rankers=[ranker for ranker, each in zip(rankers, hits, strict=True) for _ in each],
        scores=None if np.isnan(scores).all() else np.array(scores, dtype=float),
        file=source.name,
    )
    rankings, _ = assemble_rows(rows, source, options)
    whole = with_names(rankings, tuple(dict.fromkeys(queries)), tuple(dict.fromkeys(rankers)))
    alone = found[0][0] is None and not by_ranker
    direction = BY_ORDER if rows.scores is None else BY_SCORE
    understood = Understood("responses", direction)
    named = by_ranker and found[0][0] is not None
    return Loaded(whole, names_rankers=named, query_of_file=alone, understood=understood)


def _read_hits(response: Any, name: str, source: Source) -> list[tuple[str, float]]:
    """(id, score) of the hits, NaN where the whole response has no scores."""
    where = f"the response {shown(name)}"
    failed = _get(_get(response, "_shards"), "failed")
    if _get(response, "timed_out") is True or (isinstance(failed, int | float) and failed > 0):
        source.log.note(f"{source.name}: {where} is incomplete: the search timed out, or shards failed")
    pairs = [(_get(hit, "_id"), _get(hit, "_score")) for hit in _get(_get(response, "hits"), "hits")]
    for number, (item, score) in enumerate(pairs, start=1):
        if not isinstance(item, str) or not item:
            raise source.error(f"{where}, hit {number}: expected a text as _id, found {shown(item)}")
        if not _is_score(score) or (score is None) != (pairs[0][1] is None):
            raise source.error(f"{where}, hit {number}: expected a finite number as _score, found {shown(score)}")
    return [(item, float("nan") if score is None else float(score)) for item, score in pairs]


def _is_score(value: Any) -> bool:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return value is None or (number and abs(value) <= sys.float_info.max)  # a whole number may be larger than any float


def _get(value: Any, key: str) -> Any:
    """The member of a JSON object, which is a dict or a list of pairs; None where there is none."""
    return next((member for name, member in _pairs(value) if name == key), None)


def _pairs(value: Any) -> list[tuple[str, Any]]:
    if isinstance(value, dict):
        return list(value.items())
    pairs = isinstance(value, list) and type(value) is not list  # the JSON reader's objects, not its arrays
    return list(value) if pairs else []
