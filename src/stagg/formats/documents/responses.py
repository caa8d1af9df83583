"""Responses of search engines, vector databases and rerankers: where their hits are, and whose they are."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np

from stagg.data.columns import Columns
from stagg.data.inputs.construct import with_names
from stagg.errors import shown
from stagg.formats.documents.hit_keys import HitKeys, find_hit_keys, follow, has_score, is_hit, read_id, read_score
from stagg.formats.documents.json_rows import Rows
from stagg.formats.format import BY_ORDER, BY_RANK, BY_SCORE, ONE_QUERY, Loaded, Understood
from stagg.formats.reading import Reading
from stagg.formats.row_checks import assemble_rows, refuse_values
from stagg.formats.storage.paths import look_like_queries
from stagg.formats.tables.roles import is_long, name_roles
from stagg.formats.tables.vocabulary import GUESSES, QUERY_NAMES, plain_name
from stagg.say import Say, tell

__all__ = ["Response", "find_in_rows", "find_responses", "is_response", "load_responses", "refuse_failure"]

HITS: Final = (
    "hits.hits",  # Elasticsearch, OpenSearch
    "response.docs",  # Solr
    "result.points",  # Qdrant
    "result.hits",  # Pinecone, by text
    "root.children",  # Vespa
    "data.Get.*",  # Weaviate: the only member
    "hits",  # Typesense, Meilisearch, Algolia, Marqo
    "matches",  # Pinecone
)
"""Where the hits of a response are, and nothing else."""
SCORED_HITS: Final = (
    "results",  # Cohere, Jina, Bedrock and other rerankers
    "result",  # Qdrant, before 1.10
    "value",  # Azure AI Search
    "data",  # Voyage, Mixedbread, Milvus
    "response",  # {"query": …, "response": …}
    "records", "rows", "docs", "documents", "items", "objects", "points", "nodes", "chunks", "passages", "candidates",
    "organic_results", "retrievalResults", "ResultItems", "web.results", "webPages.value",
)  # fmt: skip
"""Where hits may be: they have scores, or nothing else in the response could be its hits."""
RESPONSES: Final = ("responses", "results", "result")
"""Where a batch holds its responses."""
QUERIES: Final = (
    *QUERY_NAMES, "q", "question", "queryId", "responseHeader.params.q", "request_params.q", "search_parameters.q",
    "query.original", "queryContext.originalQuery",
)  # fmt: skip
"""Where a response, or what is around it, names its query."""
RANKERS: Final = ("ranker", "system", "retriever", "run")
MOST_RANKERS: Final = 20  # that one file may hold, as a rule
DEPTH: Final = 3  # objects within objects that are looked into


@dataclasses.dataclass(frozen=True)
class Response:
    """The hits of one query, best first; ``query`` and ``ranker`` are None where it does not say them.

    ``keyed``: the key of an object names the query; it may name a ranker as well.
    """

    hits: list[Any]
    query: str | None = None
    ranker: str | None = None
    incomplete: bool = False
    keyed: bool = False


def find_responses(top: Any) -> list[Response] | None:
    """All responses of a document: one, a batch, or ``{query: response}``; None where it is something else."""
    columns = _read_columns(top)
    if columns is not None:
        return columns
    pairs = _join_scores(top)
    if pairs:
        return [Response(pairs)]
    several = top if isinstance(top, list) else _find_batch(top)
    if several:
        found = [_find_response(each) for each in several]
        return None if None in found else _number(each for each in found if each is not None)
    one = _find_response(top)
    if one is not None:
        return [one]
    named = []
    for name, value in top.items() if isinstance(top, dict) else ():
        each = _find_response(value)
        own = [each] if each is not None else _find_by_ranker(value)
        if not own:  # so most files that hold no response are known by their first query
            return None
        named += [dataclasses.replace(one, query=name, keyed=True) for one in own]
    return named or None


def _find_by_ranker(value: Any) -> list[Response]:
    """The responses of an object that has one for each ranker."""
    if not isinstance(value, dict) or not value or not all(isinstance(each, dict | list) for each in value.values()):
        return []
    found = [(name, [] if each == [] else _find_hits(each)) for name, each in value.items()]
    return [] if any(hits is None for _, hits in found) else [Response(hits or [], ranker=name) for name, hits in found]


def _join_scores(top: Any) -> list[Any]:
    """The hits of ``[[document, score], …]``, as LangChain's similarity_search_with_score has them."""
    pairs = top if isinstance(top, list) else []
    fits = [isinstance(each, list) and len(each) == 2 and is_hit(each[0]) for each in pairs]
    if not pairs or not all(fits) or not all(isinstance(number, int | float) for _, number in pairs):
        return []
    return [{**hit, "score": number} for hit, number in pairs]


def refuse_failure(whole: Any, reading: Reading) -> None:
    """What a search engine answers when a search fails is no ranking."""
    said = (follow(whole, f"error.{name}") for name in ("reason", "message", "msg", "root_cause"))
    reason = next(filter(None, said), None)
    if isinstance(reason, str | list):
        raise reading.error(f"the search failed, and there are no hits: {shown(reason)}", 1)


def _find_response(value: Any) -> Response | None:
    """One response, perhaps within an object that names its query; None where there are no hits, or several lists."""
    hits = _find_hits(value)
    if hits is None:
        return None
    failed = follow(value, "_shards.failed")
    incomplete = follow(value, "timed_out") is True or (isinstance(failed, int | float) and failed > 0)
    query = next((name for path in QUERIES if (name := read_id(follow(value, path)))), None)
    ranker = next((name for path in RANKERS if isinstance(name := follow(value, path), str) and name), None)
    return Response(hits, query, ranker, incomplete)


def find_in_rows(objects: Rows, reading: Reading) -> list[Response] | None:
    """The responses in the objects of an array, or of lines: one in each, or all objects are hits of one."""
    names = list(dict.fromkeys(name for _, each in objects for name in each))
    if reading.options.layout is not None or is_long(name_roles(names, reading.with_options(columns=None).excerpt())):
        return None
    found = [_find_response(each) for _, each in objects]
    if found[0] is not None:
        for (line, _), each in zip(objects, found, strict=True):
            if each is None:
                raise reading.error("expected a response with hits in this line, as in the first", line)
        return _number(each for each in found if each is not None)
    given = [name for name in (reading.options.columns or {}).values() if name]
    rows = [each for _, each in objects]
    are_columns = given and {*given} <= {*names, *map(str, range(1, len(names) + 1))}
    are_hits = (not are_columns and _are_hits(rows, names)) or all("page_content" in row for row in rows)
    return [Response(rows, query=ONE_QUERY)] if are_hits else None


def _are_hits(rows: list[dict[str, Any]], names: list[str]) -> bool:
    """Whether objects are the hits of one response: all have an id and a score, and nothing tells whose they are."""
    owners = {*GUESSES["query"], *GUESSES["ranker"], "query", "ranker", "item"}
    plain = {plain_name(name) for name in names}
    return owners.isdisjoint(plain) and all(is_hit(row) and has_score(row) for row in rows)


def _find_batch(top: Any) -> list[Any]:
    """The responses of a batch: not hits, but objects or arrays that hold hits."""
    for name in RESPONSES:
        several = follow(top, name)
        if isinstance(several, list) and several and all(is_response(each) for each in several):
            return several
    return []


def is_response(value: Any) -> bool:
    """Whether this is a response, and not a hit of one."""
    return not is_hit(value) and _find_hits(value) is not None


def _number(responses: Iterator[Response]) -> list[Response]:
    """Responses that name no query have numbers."""
    found = list(responses)
    return [
        each if each.query else dataclasses.replace(each, query=str(number)) for number, each in enumerate(found, 1)
    ]


def _find_hits(value: Any, depth: int = DEPTH) -> list[Any] | None:
    """The hits of a response: at a known place, or the only scored ones beside what tells of them."""
    if isinstance(value, list):
        return value if value and all(map(is_hit, value)) else None
    if not isinstance(value, dict) or (is_hit(value) and has_score(value)):
        return None
    for path in (*HITS, *SCORED_HITS):
        hits, sure = _follow_to_hits(value, path), path in HITS
        if not isinstance(hits, list) or not (_may_be_hits(hits) if sure else _are_scored(hits)):
            continue
        if hits or sure or len(value) > 1:  # an empty array alone may be anything
            return hits
    return _search_hits(value, depth) or (_find_unscored(value) if depth == DEPTH else None)


def _find_unscored(value: dict[str, Any]) -> list[Any] | None:
    """The hits of a response that gives no scores, beside what tells of them: those of web searches."""
    found = [hits for path in SCORED_HITS if _are_unscored(hits := follow(value, path))]
    return found[0] if len(found) == 1 and len(value) > 1 else None


def _are_unscored(hits: Any) -> bool:
    """Whether objects are hits by what they have beside their ids, and are not parts of something else."""
    whole = isinstance(hits, list) and bool(hits) and all(map(is_hit, hits))
    return whole and not any({*GUESSES["query"], "query", "ratings"} & {*hit} for hit in hits)


def _are_scored(hits: list[Any]) -> bool:
    return all(is_hit(hit) and has_score(hit) for hit in hits)


def _may_be_hits(hits: list[Any]) -> bool:
    """Whether objects are hits; one of them may lack its id, which is an error."""
    return all(isinstance(hit, dict) for hit in hits) and (not hits or any(map(is_hit, hits)))


def _follow_to_hits(value: Any, path: str) -> Any:
    """What is at a place; * is the only member."""
    inner = follow(value, path.removesuffix(".*"))
    if not path.endswith(".*"):
        return inner
    return next(iter(inner.values())) if isinstance(inner, dict) and len(inner) == 1 else None


def _search_hits(value: dict[str, Any], depth: int) -> list[Any] | None:
    """The only scored hits within an object, which says something else besides, such as its query."""
    inner = [each for each in value.values() if isinstance(each, dict | list) and each]
    if not depth or (len(inner) == len(value) and depth == DEPTH):
        return None
    found = [(each, hits) for each in inner if (hits := _find_hits(each, depth - 1)) is not None]
    hits = [hits for each, hits in found if isinstance(each, dict) or all(map(has_score, hits))]
    return hits[0] if len(hits) == 1 else None


def _read_columns(top: Any) -> list[Response] | None:
    """The responses of Chroma: arrays of ids, and arrays of distances, one of each per query."""
    ids = follow(top, "ids")
    numbers = next((name for name in ("distances", "scores") if isinstance(follow(top, name), list)), None)
    if not isinstance(ids, list) or numbers is None or not ids or not all(isinstance(each, list) for each in ids):
        return None
    key = numbers[:-1]
    if [len(each) for each in ids] != [len(each) if isinstance(each, list) else -1 for each in top[numbers]]:
        return None
    pairs = zip(ids, top[numbers], strict=True)
    found = [Response([{"id": one, key: number} for one, number in zip(*pair, strict=True)]) for pair in pairs]
    return found if len(found) == 1 else _number(iter(found))


# --- reading ----------------------------------------------------------------------------------------------------------


def load_responses(found: Sequence[Response], reading: Reading) -> Loaded:
    """One list per response. The outer names are queries, or rankers with outer='ranker'.

    A response alone that names no query is named by its file. Hits without a score are in their order.
    """
    refuse_values(reading, "a response has scores")
    if reading.attempt is None:
        reading = reading.with_options()
        reading.attempt = lambda other: _load(found, other).rankings
    return _load(found, reading)


def _load(found: Sequence[Response], reading: Reading) -> Loaded:
    names = [reading.stem if each.query is None else each.query for each in found]
    by_ranker = reading.options.outer == "ranker"
    if reading.options.outer is None and any(each.keyed for each in found) and not look_like_queries(names):
        _ask_whose(found, reading)
        some = ", ".join(map(shown, names[:3]))
        reading.note(tell(f"the queries are {some}; ", Say(outer="ranker"), " makes them rankers"), minor=True)
    queries = [each.ranker or ONE_QUERY for each in found] if by_ranker else names
    rankers = names if by_ranker else [each.ranker or reading.stem for each in found]
    _refuse_repeated(list(zip(queries, rankers, strict=True)), reading)
    keys = find_hit_keys([each.hits for each in found], reading)
    hits = [_read_hits(each, name, keys, reading) for each, name in zip(found, names, strict=True)]
    rows = _make_rows(hits, queries, rankers, keys, reading)
    rankings, _ = assemble_rows(rows, reading)
    whole = with_names(rankings, tuple(dict.fromkeys(queries)), tuple(dict.fromkeys(rankers)))
    unscored = keys.score is None or all(np.isnan(score) for each in hits for _, score in each)
    direction = BY_ORDER if unscored else BY_RANK if keys.small else BY_SCORE
    return Loaded(
        whole,
        names_rankers=any(each.ranker for each in found) or (by_ranker and found[0].query is not None),
        query_of_file=found[0].query is None and not by_ranker,
        understood=Understood("responses", direction),
    )


def _ask_whose(found: Sequence[Response], reading: Reading) -> None:
    """A question about two or more responses that share documents: these are rather answers of several rankers."""
    ids = [{read_id(follow(hit, key)) for hit in each.hits for key in ("id", "_id")} - {None} for each in found]
    shared = any(one & other for number, one in enumerate(ids[:MOST_RANKERS]) for other in ids[:number])
    if shared and len(found) <= MOST_RANKERS and not any(each.ranker for each in found):
        first = shown(found[0].query)
        raise reading.ask(f"is {first} a ranker or a query?", Say(outer="ranker"), Say(outer="query"), line=1)


def _refuse_repeated(owners: list[tuple[str, str]], reading: Reading) -> None:
    twice = next((each for each in owners if owners.count(each) > 1), None) if len({*owners}) < len(owners) else None
    if twice is not None:
        raise reading.error(f"two responses are named {shown(twice[0])}; join or rename them")


def _read_hits(response: Response, name: str, keys: HitKeys, reading: Reading) -> list[tuple[str, float]]:
    """(id, score) of the hits, large = top; NaN where they have no scores."""
    where = f"the response {shown(name)}"
    if response.incomplete:
        reading.note(f"{where} is incomplete: the search timed out, or shards failed")
    pairs, scored = [], keys.score is not None and any(follow(hit, keys.score) is not None for hit in response.hits)
    for number, hit in enumerate(response.hits, start=1):
        item, score = read_id(follow(hit, keys.item)), float("nan")
        if item is None:
            found = shown(follow(hit, keys.item))
            raise reading.error(f"{where}, hit {number}: expected a text as {keys.item}, found {found}")
        if scored and keys.score is not None:
            parsed = read_score(hit, keys.score)
            if parsed is None:
                what = f"expected a finite number as {keys.score}, found {shown(follow(hit, keys.score))}"
                raise reading.error(f"{where}, hit {number}: {what}")
            score = -parsed if keys.small else parsed
        pairs.append((item, score))
    return pairs


def _make_rows(
    hits: list[list[tuple[str, float]]], queries: list[str], rankers: list[str], keys: HitKeys, reading: Reading
) -> Columns:
    scores = np.array([score for each in hits for _, score in each], dtype=float)
    places = np.array([-float(place) for each in hits for place in range(len(each))], dtype=float)
    numbers = np.where(np.isnan(scores), places, scores)
    return Columns(
        [query for query, each in zip(queries, hits, strict=True) for _ in each],
        [item for each in hits for item, _ in each],
        numbers,
        rankers=[ranker for ranker, each in zip(rankers, hits, strict=True) for _ in each],
        scores=None if keys.small or np.isnan(scores).all() else scores,
        file=reading.name,
    )
