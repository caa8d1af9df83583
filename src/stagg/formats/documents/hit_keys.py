"""Keys of hits: which member of a search engine's hit is its id, which one its score, and which way that points."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from stagg.errors import DataError, shown
from stagg.formats.numbers import parse_number
from stagg.formats.reading import Reading
from stagg.formats.tables.roles import say_columns

__all__ = ["HitKeys", "find_hit_keys", "follow", "has_score", "is_hit", "read_id", "read_score"]

IDS: Final = (
    "_id", "id", "ID", "Id", "uuid", "objectID", "docid", "doc_id", "docId", "docno", "document_id", "documentId",
    "document_name", "item_id", "pid", "passage_id", "chunk_id", "file_id", "DocumentId", "document.id",
    "document._id", "document.doc_id", "_additional.id", "fields.documentid", "fields.id", "node.id_", "node.node_id",
    "url", "link", "uri", "path",
)  # fmt: skip
"""Where the id of a hit is, the more telling first; a point goes one object deeper."""
PLACES: Final = ("index", "corpus_id", "documentIndex")
"""Where a reranker says which of the documents that it was given it means."""
TEXTS: Final = ("document", "document.text", "document.content", "text", "content", "passage")
"""Where a reranker repeats the text of a document."""
PAYLOADS: Final = ("payload", "metadata", "properties", "entity", "fields", "attributes", "_source")
"""Objects of a hit that hold what its owner stored beside it."""
LARGE: Final = (
    "_score", "score", "relevance_score", "relevanceScore", "relevance", "@search.rerankerScore",
    "@search.reranker_score", "@search.score", "_rankingScore", "rerank_score", "rerankScore", "rerank_relevance_score",
    "text_match", "similarity", "similarity_score", "certainty", "$score", "_additional.score",
    "_additional.certainty", "metadata.score", "metadata.certainty", "probability", "logit",
)  # fmt: skip
"""Where the score of a hit is, large = top."""
SMALL: Final = (
    "distance", "_distance", "$dist", "dist", "vector_distance", "cosine_distance", "_additional.distance",
    "metadata.distance", "rank", "position",
)  # fmt: skip
"""Where a number of a hit is, small = top."""
UUID: Final = re.compile(r"[0-9a-fA-F]{8}-?(?:[0-9a-fA-F]{4}-?){3}[0-9a-fA-F]{12}|[0-9]+")
ENDS_AS_ID: Final = re.compile(r"(?:.*[a-z_.-])?(?:id|Id|ID|key|Key|url|uri|slug|sku)")

Lists = Sequence[Sequence[Any]]
"""The hits of every response of a file."""


class HitKeys(NamedTuple):
    """Where hits hold their id and their score (None: they are in their order); ``small`` = top."""

    item: str
    score: str | None = None
    small: bool = False


def follow(hit: Any, path: str) -> Any:
    """The member of a JSON object, or a member of a member, behind a point; None where there is none."""
    if not isinstance(hit, dict) or path in hit:
        return hit.get(path) if isinstance(hit, dict) else None
    outer, point, inner = path.partition(".")
    return follow(hit.get(outer), inner) if point else None


def is_hit(value: Any) -> bool:
    """Whether an object may be a hit: it has an id, or names a document of a request."""
    if not isinstance(value, dict):
        return False
    if isinstance(value.get("page_content"), str):  # a document of LangChain, perhaps without an id
        return True
    return any(_all_ids([value], path) for path in (*IDS, *PLACES)) or bool(_own_ids([value]))


def has_score(hit: Any) -> bool:
    """Whether a hit has a number that may put it in order."""
    return any(follow(hit, path) is not None for path in (*LARGE, *SMALL))


def read_id(value: Any) -> str | None:
    """An id as text: a text, a whole number, or MongoDB's ``{"$oid": …}``."""
    if isinstance(value, dict) and len(value) == 1:
        value = value.get("$oid")
    whole = isinstance(value, int) and not isinstance(value, bool)
    return str(value) if whole else value or None if isinstance(value, str) else None


def read_score(hit: Any, path: str) -> float | None:
    """The finite number of a hit; Weaviate and DPR write it as text."""
    value = follow(hit, path)
    if isinstance(value, str):
        return parse_number(value)
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if number and abs(value) <= sys.float_info.max else None  # a whole number may be larger


def find_hit_keys(lists: Lists, reading: Reading) -> HitKeys:
    """The keys of all hits of a file: as the caller says, else by the names that search engines give them."""
    hits, given = [hit for each in lists for hit in each], dict(reading.options.columns or {})
    other = next((role for role in given if role not in ("item", "score", "rank")), None)
    if other is not None:
        raise reading.error(f"a response has hits with an item and a score or rank; there is no column for {other}", 1)
    if not hits:
        return HitKeys("_id")
    for name in given.values():
        if name and all(follow(hit, name) is None for hit in hits):
            raise reading.error(f"the hits have no {shown(name)}; they have {_list_keys(hits[0])}", 1)
    item = given.get("item") or _find_item(lists, reading)
    if given.get("score") or given.get("rank"):
        return HitKeys(item, given.get("score") or given["rank"], small=not given.get("score"))
    return HitKeys(item, *(_find_score(lists, reading) if not {"score", "rank"} & {*given} else (None, False)))


# --- ids --------------------------------------------------------------------------------------------------------------


def _find_item(lists: Lists, reading: Reading) -> str:
    hits = [hit for each in lists for hit in each]
    named = next((path for path in IDS if _all_ids(hits, path)), None) or next(iter(_own_ids(hits)), None)
    if named is not None:
        question = _ask_payload(lists, named, reading) or _ask_places(lists, named, reading)
        if question is not None:
            raise question
        return named
    place = next((path for path in PLACES if _all_ids(hits, path)), None)
    text = next((path for path in TEXTS if _all_ids(hits, path) and _differ(lists, path)), None)
    if place is not None and text is not None:
        raise reading.ask(
            f"what names the documents of these hits, {shown(place)} or their text?",
            (say_columns(item=place), "their places in the request"),
            (say_columns(item=text), "their texts"),
            line=1,
        )
    if place is not None:
        reading.note(f"items are the numbers that {shown(place)} gives to the documents of the request")
        return place
    some = next((path for path in IDS if any(_all_ids([hit], path) for hit in hits)), None)
    return text or some or _ask_item(lists, reading)  # the first hit that lacks its id is an error


def _ask_item(lists: Lists, reading: Reading) -> str:
    hits = [hit for each in lists for hit in each]
    paths = [path for path in _list_paths(hits[0]) if _all_ids(hits, path) and _differ(lists, path)]
    some = f"the hits have no id that is known; they have {_list_keys(hits[0])}"
    raise reading.ask(some, *(say_columns(item=path) for path in paths[:5]), line=1)


def _ask_payload(lists: Lists, path: str, reading: Reading) -> DataError | None:
    """The question whether a number or a UUID is the id, where what is stored beside it has an id of its own."""
    hits = [hit for each in lists for hit in each]
    if not all(UUID.fullmatch(read_id(follow(hit, path)) or "") for hit in hits):
        return None
    inner = [f"{outer}.{name}" for outer in PAYLOADS for name in _members(follow(hits[0], outer))]
    others = [each for each in inner if each != path and ENDS_AS_ID.fullmatch(each)]
    others = [each for each in others if _all_ids(hits, each) and _differ(lists, each)]
    if not others:
        return None
    ways = [(say_columns(item=each), "") for each in (*others[:3], path)]
    return reading.ask(f"which id names the documents: {_join([*others[:3], path])}?", *ways, line=1)


def _ask_places(lists: Lists, path: str, reading: Reading) -> DataError | None:
    """The question whether ids that only count the hits of a response are the ids of documents: #WebPages.0."""
    hits = [hit for each in lists for hit in each]
    others = [other for other in IDS if other != path and _all_ids(hits, other) and _differ(lists, other)]
    ids = [[read_id(follow(hit, path)) or "" for hit in each] for each in lists]
    if not others or not all(_count_hits(each) for each in ids):
        return None
    ways = [(say_columns(item=each), "") for each in (*others[:3], path)]
    return reading.ask(f"which id names the documents: {_join([*others[:3], path])}?", *ways, line=1)


def _count_hits(ids: Sequence[str]) -> bool:
    """Whether the ids end in 0, 1, 2, … or 1, 2, 3, …, behind one text with a point."""
    ends = [each.rpartition(".") for each in ids]
    return len({start for start, _, _ in ends}) == 1 and any(
        [end for _, _, end in ends] == [str(number + first) for number in range(len(ids))] for first in (0, 1)
    )


def _own_ids(hits: Sequence[Any]) -> list[str]:
    """The only member whose name ends as an id does: the key of an index is named by its owner."""
    names = [name for name in _members(hits[0]) if ENDS_AS_ID.fullmatch(name) and _all_ids(hits, name)]
    return names if len(names) == 1 else []


def _all_ids(hits: Sequence[Any], path: str) -> bool:
    """Whether all hits have an id there; the place of a document is a number."""
    found = [follow(hit, path) for hit in hits]
    return all(map(read_id, found)) and (path not in PLACES or all(isinstance(each, int) for each in found))


def _differ(lists: Lists, path: str) -> bool:
    """Whether no id comes twice in a list."""
    return all(len({read_id(follow(hit, path)) for hit in each}) == len(each) for each in lists)


def _members(value: Any) -> list[str]:
    return list(value) if isinstance(value, dict) else []


def _list_paths(hit: Any) -> Iterator[str]:
    for name in _members(hit):
        yield name
        yield from (f"{name}.{inner}" for inner in _members(hit[name]))


def _list_keys(hit: Any) -> str:
    return _join(_members(hit)[:10]) or "none"


def _join(names: Sequence[str]) -> str:
    return ", ".join(map(shown, names))


# --- scores -----------------------------------------------------------------------------------------------------------


def _find_score(lists: Lists, reading: Reading) -> tuple[str | None, bool]:
    """(where the score is, whether small is top); of several, the first that puts the hits in their order."""
    scored = [each for each in lists if any(map(has_score, each))]  # others are sorted by something else
    hits = [hit for each in scored for hit in each]
    found = [path for path in (*LARGE, *SMALL) if any(follow(hit, path) is not None for hit in hits)]
    whole = [path for path in found if all(read_score(hit, path) is not None for hit in hits)]
    agreeing = [path for path in whole if _is_in_order(scored, path, small=path in SMALL)]
    if agreeing or not found:
        return (agreeing[0], agreeing[0] in SMALL) if agreeing else (None, False)
    path = found[0]
    if len(found) > 1 and whole:
        reading.note(f"the hits are in the order of the response, which is not that of {_join(found)}")
        return None, False
    if not whole:
        return path, path in SMALL  # the first hit that lacks it is an error
    small = path in SMALL
    if _is_in_order(scored, path, small=not small):
        grows = "falls" if small else "grows"
        ways = (say_columns(rank=path), "small = top, as distances do"), (say_columns(score=path), "large = top")
        question = f"the {shown(path)} of the hits {grows} from the first to the last; which way does it point?"
        raise reading.ask(question, *ways, line=1)
    which = "small" if small else "large"
    reading.note(f"the hits are not in the order of their {shown(path)}, which decides: {which} = top")
    return path, small


def _is_in_order(lists: Lists, path: str, *, small: bool) -> bool:
    sign = 1 if small else -1
    numbers = [[sign * (read_score(hit, path) or 0.0) for hit in each] for each in lists]
    return all(each == sorted(each) for each in numbers)
