"""Fuse lists of documents of any class by id: each document is kept, with what every leg said of it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, Generic, Literal, NamedTuple, TypedDict, TypeVar, Unpack, get_args, overload

import numpy as np

from stagg.aggregate import DEFAULT_METHOD
from stagg.aggregate.fusion import rankings_of_request
from stagg.aggregate.plan import MinScore, Plan, PlanResult, Scale, prepare
from stagg.aggregate.thresholds import scale_to_first
from stagg.data.inputs.construct import has_words
from stagg.data.inputs.lists import Duplicates, check_duplicates, id_text, is_number, keep_rows, own_id
from stagg.data.parts import cut
from stagg.data.rankings import Rankings, Weights
from stagg.data.results.paging import Page, cut_page
from stagg.data.strangers import warn_of_strangers
from stagg.errors import DataError, InvalidParameter, LegFailed, shown
from stagg.methods import Method, Missing
from stagg.registry import whole_number
from stagg.search.fields import (
    Field,
    check_fields,
    check_names,
    check_words,
    copy_metadata,
    of_leg,
    read_ids,
    read_metadata,
    read_scores,
    values_of,
)

__all__ = [
    "Direction",
    "DocumentFusion",
    "DocumentOptions",
    "FusedDocument",
    "FusedDocuments",
    "Leg",
    "Merge",
    "SharedOptions",
    "fuse_documents",
    "name_legs",
]

D = TypeVar("D")

Direction = Literal["score", "distance"]
"""Which numbers of a leg are better: the large ones (score) or the small ones (distance)."""

Merge = Literal["first", "last", "none"] | Callable[[dict[str, Mapping[str, Any]]], Mapping[str, Any]]
"""Whose metadata counts where several legs hold a document."""

NO_LIST: Final = "it gave no list"
IDENTITY: Final = "; say what identifies a document in each leg (identity=; id_key= in LangChain and LlamaIndex)"


class SharedOptions(TypedDict, total=False):
    """The options that mean the same for documents of every kind."""

    weights: Weights | None
    missing: Missing | None
    direction: Direction | Mapping[str, Direction]
    depth: int | Mapping[str, int] | None
    duplicates: Duplicates
    merge: Merge
    min_score: MinScore | None
    min_lists: int | None
    scale: Scale | None


class DocumentOptions(SharedOptions, total=False):
    """The options of :func:`fuse_documents` as keyword arguments."""

    identity: Field | Mapping[str, Field]
    score: Field | Mapping[str, Field] | None
    metadata: Field | Mapping[str, Field] | None
    top: int | None


def fuse_documents(
    lists: Mapping[str, Sequence[D] | None] | Sequence[Sequence[D] | None],
    method: str | Method = DEFAULT_METHOD,
    **options: Unpack[DocumentOptions],
) -> FusedDocuments[D]:
    """Fuse the documents that several legs (retrievers) found for one query; best first.

    ``lists`` has a best-first list for every leg, by name or in order ("1", "2", ...); None is a leg that failed.
    Documents can be of any class: dicts, rows, points of a database, objects of a framework. They are left as they are.

    The first three options say how a document is read. Each is a text, a function of the document, or a dict of these
    by leg. A text is a key of a dict or an attribute of an object; "metadata.source" goes one level deeper.

    - ``identity``: what tells documents apart, "id" if you do not say. A document that is a text is its own id.
    - ``score``: a leg all of whose documents have a score is ordered by it, and equal scores tie. Other legs, and all
      of them without this option, are taken in the order given.
    - ``metadata``: what is merged where several legs hold a document. By default a dict is its own metadata, and an
      object has ``metadata``, ``meta`` or ``payload``.

    Four are about the legs:

    - ``direction``: "distance" for legs whose small numbers are better: ``{"dense": "distance"}``. Their numbers are
      negated for the fusion and shown as they came.
    - ``depth``: use the first so many documents of every leg; one number, or ``{leg: number}``.
    - ``duplicates``: a document that is twice in one leg counts once, at its better place ("best"), or where it came
      first ("first"), or is an error ("error").
    - ``merge``: with "first" the first leg wins, key by key, and later legs add the keys that it lacks; with "last" the
      last leg wins; with "none" the metadata are those of the first leg. Or a function of ``{leg: metadata}``.

    ``weights``, ``missing``, ``top``, ``min_score``, ``min_lists`` and ``scale`` are those of :func:`stagg.fuse`. For a
    leg of distances ``min_score`` is the largest distance. Weights may name a leg that failed.

    If a leg shares no document with any other, ``result.disjoint`` is True. You also get a DataWarning that names the
    leg: mostly its ids come from elsewhere. Short lists may differ by accident, so the warning takes 20 documents, or
    2 if the ids are written differently.

    >>> bm25 = [{"id": 7, "score": 12.1, "title": "Tea"}, {"id": 3, "score": 9.0}]
    >>> dense = [{"id": 3, "distance": 0.2, "lang": "en"}, {"id": 9, "distance": 0.4}]
    >>> numbers = {"bm25": "score", "dense": "distance"}
    >>> fused = fuse_documents({"bm25": bm25, "dense": dense}, score=numbers, direction={"dense": "distance"})
    >>> [(each.id, each.ranks) for each in fused]
    [(3, {'bm25': 2, 'dense': 1}), (7, {'bm25': 1}), (9, {'dense': 2})]
    >>> fused[0].scores, round(fused[0].relevance, 3), fused[0].metadata
    ({'bm25': 9.0, 'dense': 0.2}, 0.992, {'id': 3, 'score': 9.0, 'distance': 0.2, 'lang': 'en'})
    """
    return DocumentFusion(method, **options).fuse(name_legs(lists, "lists of documents"))


@dataclasses.dataclass(frozen=True, slots=True)
class FusedDocument(Generic[D]):
    """A document of the result.

    ``document`` is the object of the first leg that holds it. ``id`` is what identifies it, ``rank`` counts from 1.
    ``ranks`` and ``scores`` are what each leg gave it; tied documents have the mean of their ranks. ``relevance`` is
    the score as a share of what a document would have that is first in every leg that answered, from 0 to 1; None for
    methods that have no such bound. ``metadata`` are those of all legs, merged: copies, so that you can change them.
    """

    document: D
    id: Any
    score: float
    rank: int
    ranks: dict[str, float]
    scores: dict[str, float]
    relevance: float | None
    metadata: dict[str, Any]

    def annotations(self, prefix: str = "stagg_") -> dict[str, Any]:
        """Score, rank, ranks, scores and relevance under names of their own, to go into somebody's metadata."""
        values = ("score", "rank", "ranks", "scores", "relevance")
        return {f"{prefix}{name}": getattr(self, name) for name in values}


@dataclasses.dataclass(frozen=True)
class FusedDocuments(Sequence[FusedDocument[D]], Generic[D]):
    """The fused documents, best first, and what became of the legs.

    ``answered`` are the legs that gave a list, ``skipped`` says why the others did not, and ``errors`` has their
    errors. ``seconds`` is how long each leg took, where stagg called it. ``disjoint`` says that a leg shares no
    document with any other.
    """

    documents: tuple[FusedDocument[D], ...]
    answered: tuple[str, ...] = ()
    skipped: dict[str, str] = dataclasses.field(default_factory=dict)
    seconds: dict[str, float] = dataclasses.field(default_factory=dict, compare=False)
    errors: dict[str, LegFailed] = dataclasses.field(default_factory=dict, compare=False, repr=False)
    disjoint: bool = False

    def page(self, size: int, *, after: str | None = None) -> Page[FusedDocument[D]]:
        """The first ``size`` documents, or those after an earlier page: ``after=page.next``; see ``Rankings.page``."""
        ids = [str(each.id) for each in self.documents]
        return cut_page(self.documents, ids, np.array([each.score for each in self.documents]), size, after)

    def __len__(self) -> int:
        return len(self.documents)

    def __iter__(self) -> Iterator[FusedDocument[D]]:
        return iter(self.documents)

    @overload
    def __getitem__(self, place: int) -> FusedDocument[D]: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[FusedDocument[D], ...]: ...

    def __getitem__(self, place: int | slice) -> FusedDocument[D] | tuple[FusedDocument[D], ...]:
        return self.documents[place]


class Leg(NamedTuple):
    """A leg, read: its documents by the text of their ids, these ids, and the scores as given (None: it has none)."""

    documents: dict[str, Any]
    ids: list[Any]
    scores: list[float] | None


@dataclasses.dataclass(frozen=True)
class DocumentFusion:
    """:func:`fuse_documents`, its options checked once: for adapters and services that fuse many times.

    >>> fusion = DocumentFusion("rrf(c=60)", identity="url", top=1)
    >>> fusion.fuse({"bm25": [{"url": "/a"}, {"url": "/b"}], "dense": [{"url": "/b"}]})[0].id
    '/b'
    """

    method: str | Method = DEFAULT_METHOD
    identity: Field | Mapping[str, Field] = "id"
    score: Field | Mapping[str, Field] | None = None
    metadata: Field | Mapping[str, Field] | None = None
    direction: Direction | Mapping[str, Direction] = "score"
    depth: int | Mapping[str, int] | None = None
    duplicates: Duplicates = "best"
    merge: Merge = "first"
    weights: Weights | None = None
    missing: Missing | None = None
    top: int | None = None
    min_score: MinScore | None = None
    min_lists: int | None = None
    scale: Scale | None = None
    plan: Plan = dataclasses.field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Refuse what is wrong whatever the legs are called."""
        check_duplicates(self.duplicates)
        for option in ("identity", "score", "metadata"):
            check_fields(option, getattr(self, option))
        check_words("direction", values_of(self.direction), get_args(Direction))
        if not callable(self.merge):
            check_words("merge", [self.merge], ("first", "last", "none"))
        for depth in values_of(self.depth):
            whole_number("depth", depth, least=1)
        if self.top is not None:
            whole_number("top", self.top, least=1)
        least = None if self.min_score is None else _point_up(self.min_score, self.direction)
        plan = prepare(
            self.method, missing=self.missing, weights=self.weights, min_lists=self.min_lists,
            min_score=least, scale=self.scale,
        )  # fmt: skip
        object.__setattr__(self, "plan", plan)

    def check(self, legs: Iterable[str]) -> None:
        """Refuse weights and other options that name an unknown leg."""
        names = tuple(legs)
        self._check_names(names)
        check_names("min_score", self.min_score, names)
        self.plan.check_rankers(names)

    def fuse(self, lists: Mapping[str, Sequence[D] | None]) -> FusedDocuments[D]:
        """The documents of all legs as one list; None is a leg that failed."""
        return self.fuse_legs(
            {name: None if found is None else self.read(name, found) for name, found in lists.items()}
        )

    def read(self, name: str, found: Iterable[Any]) -> Leg:
        """The documents of a leg, each once, with ids and scores; the error names the leg and the place."""
        where = f"leg {shown(name)}"
        documents = _list_documents(found, where)
        field = of_leg(self.identity, name)
        ids = read_ids("id" if field is None else field, documents, where)
        texts = ids
        if not set(map(type, ids)) <= {str}:
            ids = [own_id(each) for each in ids]
            texts = [id_text(each, "document", where, row) for row, each in enumerate(ids)]
        scores = self._read_scores(name, documents, where)
        if len(set(texts)) < len(texts) or "" in texts:
            order = self._point(name, scores) if scores is not None else [-float(row) for row in range(len(texts))]
            rows = keep_rows(texts, order, where, self.duplicates)
            texts, ids, documents = ([column[row] for row in rows] for column in (texts, ids, documents))
            scores = None if scores is None else [scores[row] for row in rows]
        return Leg(dict(zip(texts, documents, strict=True)), ids, scores)

    def fuse_legs(self, legs: Mapping[str, Leg | None]) -> FusedDocuments[Any]:
        """Do what :meth:`fuse` does, with legs that were read before."""
        self._check_names(tuple(legs))
        present = {name: leg for name, leg in legs.items() if leg is not None}
        absent = {name: NO_LIST for name in legs if name not in present}
        if not any(leg.documents for leg in present.values()):
            return FusedDocuments((), tuple(present), absent)
        given = self._rankings(legs)
        done = self.plan.fuse(self._cut(given))
        disjoint = warn_of_strangers(done.rankings, advice=IDENTITY, stacklevel=3)
        return FusedDocuments(tuple(self._results(done, present)), tuple(present), absent, disjoint=disjoint)

    # --- from documents to rankings -----------------------------------------------------------------------------

    def _check_names(self, legs: tuple[str, ...]) -> None:
        for option in ("identity", "score", "metadata", "direction", "depth"):
            check_names(option, getattr(self, option), legs)

    def _read_scores(self, name: str, documents: list[Any], where: str) -> list[float] | None:
        """The scores of a leg, None unless all of its documents have one."""
        field = of_leg(self.score, name)
        scores = [] if field is None else read_scores(field, documents, where)
        known = [score for score in scores if score is not None]
        if known and len(known) == len(documents):
            return known
        if documents and of_leg(self.direction, name) == "distance":
            raise DataError(
                f"{where}: direction says that its numbers are distances, and not all of its documents have one; "
                "say where they are: score="
            )
        return None

    def _point(self, name: str, scores: list[float]) -> list[float]:
        """Scores so that large is better."""
        return [-score for score in scores] if of_leg(self.direction, name) == "distance" else scores

    def _rankings(self, legs: Mapping[str, Leg | None]) -> Rankings:
        """One query's rankings of the texts of the ids."""
        lists: dict[str, list[Any] | None] = {}
        for name, leg in legs.items():
            if leg is None or leg.scores is None:
                lists[name] = None if leg is None else list(leg.documents)
            else:
                lists[name] = list(zip(leg.documents, self._point(name, leg.scores), strict=True))
        return Rankings.from_lists(lists) if has_words(lists) else rankings_of_request(lists)

    def _cut(self, rankings: Rankings) -> Rankings:
        """Every list cut to its depth."""
        if self.depth is None:
            return rankings
        if not isinstance(self.depth, Mapping):
            return cut(rankings, self.depth)
        depths = [self.depth.get(name, max(rankings.list_lengths)) for name in rankings.rankers]
        return cut(rankings, np.array(depths)[rankings.list_rankers])

    # --- and back -----------------------------------------------------------------------------------------------

    def _results(self, done: PlanResult, legs: Mapping[str, Leg]) -> Iterator[FusedDocument[Any]]:
        """The first documents of the consensus; the numbers of its items are those of the rankings."""
        numbers = done.kept.entries[: self.top].tolist()
        scores = [] if done.kept.scores is None else done.kept.scores[: self.top].tolist()
        ranks, given, ids = _ranks(done.rankings, numbers), _given_scores(legs), _ids(legs)
        shares = _relevance(done)[: self.top]
        for rank, (number, score, share) in enumerate(zip(numbers, scores, shares, strict=True), start=1):
            text, places = done.rankings.items[number], ranks[number]
            holders = {name: leg.documents[text] for name, leg in legs.items() if text in leg.documents}
            yield FusedDocument(
                next(iter(holders.values())), ids[text], score, rank, places,
                {name: given[name][text] for name in places if name in given}, share, self._merge(holders),
            )  # fmt: skip

    def _merge(self, holders: Mapping[str, Any]) -> dict[str, Any]:
        """The metadata of a document that these legs hold."""
        held = {name: read_metadata(of_leg(self.metadata, name), document) for name, document in holders.items()}
        if callable(self.merge):
            return copy_metadata(self.merge(held))
        merged = dict(next(iter(held.values())))
        if len(held) == 1 or self.merge == "none":
            return copy_metadata(merged)
        if self.merge == "last":
            for each in held.values():
                merged.update(each)
            return copy_metadata(merged)
        for each in held.values():
            for key, value in each.items():
                merged.setdefault(key, value)
        return copy_metadata(merged)


def name_legs(sources: Any, what: str) -> dict[str, Any]:
    """Sources by name: the keys of a mapping, or "1", "2", ...; there must be some."""
    if isinstance(sources, Mapping):
        legs = {id_text(name, "leg"): source for name, source in sources.items()}
    elif _is_listed(sources):
        legs = {str(number): source for number, source in enumerate(sources, start=1)}
    else:
        raise InvalidParameter(f"expected the {what} in a dict by leg, or in a list, not {shown(sources)}")
    if not legs:
        raise InvalidParameter(f"there is nothing to fuse: give at least one of the {what}")
    return legs


def _is_listed(value: Any) -> bool:
    """Whether a value can be iterated in order. An array without dimensions claims to be iterable, so this tries it."""
    try:
        iter(value)
    except TypeError:
        return False
    return not isinstance(value, str | bytes | Mapping)


def _list_documents(found: Any, where: str) -> list[Any]:
    """The documents of a leg as a list. A dict is refused: its values, perhaps scores, would be lost."""
    if _is_listed(found):
        return list(found)
    instead = "; for {id: score} use stagg.fuse" if isinstance(found, Mapping) else ""
    raise DataError(f"{where}: expected a list of documents, best first, not {shown(found)}{instead}")


def _point_up(min_score: MinScore, direction: Direction | Mapping[str, Direction]) -> MinScore:
    """The least score when distances are negated: the largest distance, negated."""
    if isinstance(min_score, Mapping):
        signs = {leg: -1 if of_leg(direction, leg) == "distance" else 1 for leg in min_score}
        return {leg: signs[leg] * least if is_number(least) else least for leg, least in min_score.items()}
    if isinstance(direction, Mapping) and "distance" in direction.values():
        raise InvalidParameter(
            "min_score is one number, and some legs give distances; give one for each leg: {leg: number}"
        )
    return -min_score if direction == "distance" and is_number(min_score) else min_score


# --- what legs gave ---------------------------------------------------------------------------------------------------


def _ranks(rankings: Rankings, items: Sequence[int]) -> dict[int, dict[str, float]]:
    """ranks[item][leg], from 1; tied items have the mean of theirs."""
    names = [rankings.rankers[owner] for owner in rankings.list_rankers.tolist()]
    ranks: dict[int, dict[str, float]] = {item: {} for item in items}
    places = rankings.mean_positions if rankings.has_ties else rankings.positions
    rows = zip(rankings.entries.tolist(), rankings.entry_lists.tolist(), (places + 1).tolist(), strict=True)
    for item, number, place in rows:
        if item in ranks:
            ranks[item][names[number]] = int(place) if place == int(place) else place
    return ranks


def _given_scores(legs: Mapping[str, Leg]) -> dict[str, dict[str, float]]:
    """scores[leg][item], as the leg gave them, for the legs that have some."""
    scored = {name: leg for name, leg in legs.items() if leg.scores is not None}
    return {name: dict(zip(leg.documents, leg.scores or (), strict=True)) for name, leg in scored.items()}


def _ids(legs: Mapping[str, Leg]) -> dict[str, Any]:
    """The id of each text, as the first leg gave it."""
    ids: dict[str, Any] = {}
    for leg in reversed(list(legs.values())):
        ids.update(zip(leg.documents, leg.ids, strict=True))
    return ids


def _relevance(done: PlanResult) -> list[float | None]:
    """The scores as shares of what first in every list would have; None for methods without such a bound."""
    if done.method.unbounded() is not None:
        return [None] * len(done.kept.entries)
    scaled = done.kept if done.plan.scale is not None else scale_to_first(done.kept, done.rankings, done.method)
    return [] if scaled.scores is None else scaled.scores.tolist()
