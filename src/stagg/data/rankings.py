"""Rankings: what many rankers say of the items of many queries, as flat integer arrays."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol, TypeVar, final

import numpy as np

from stagg.data.ids import own_ids
from stagg.data.inputs.lists import id_text
from stagg.errors import DataError, InvalidParameter, UnknownName, bare, need, plural, shown
from stagg.kernels.arrays import AnyArray, BoolArray, Float32Array, FloatArray, IntArray
from stagg.kernels.lists.votes import LARGEST_COUNT
from stagg.kernels.ragged import measure_pieces
from stagg.kernels.text.requests import make_slots
from stagg.kernels.ties import share_ties
from stagg.registry import near_names, whole_number

if TYPE_CHECKING:
    from stagg.data.inputs.lists import Duplicates
    from stagg.data.intervals import Intervals
    from stagg.data.query import Query
    from stagg.data.results.hits import Hit
    from stagg.data.results.paging import Page

__all__ = ["Pending", "Rankings", "Values", "Weights", "check_weights", "summarise"]

V = TypeVar("V")
Weights = Mapping[str, float] | Sequence[float]
Values = Literal["score", "rank"]
"""Meaning of a number without a name: a score (large = top) or a rank (small = top)."""

KEPT = 16  # things that requests of one shape share
FEW = 12  # lists and items that a repr still writes out
FEW_NAMES = 6  # rankers that a line of text still names


@final
class Rankings:
    """The lists of many rankers for many queries, with ties and scores. Immutable, comparable, picklable.

    Make one with :meth:`from_lists`, :meth:`from_runs`, :meth:`from_scores`, :meth:`from_frame` or ``stagg.read``. The
    result of ``stagg.fuse`` is one, too: take the items out with :meth:`hits`, :meth:`best_first`, :meth:`to_dict` or
    :meth:`to_frame`. ``queries`` and ``rankers`` are their names, and ``absent`` names the rankers that failed.
    ``rankings[query]`` is the view of one query.

    Two Rankings are equal if they say the same. The order in which queries, rankers and tied items first appeared does
    not matter, nor do intervals, extras, inputs, raw ranks and absent rankers.

    If you write a method of your own: the data are three nested levels of flat arrays with offsets, all in the order of
    first appearance.

    - query ``q`` has the items ``items[item_offsets[q]:item_offsets[q+1]]`` and the lists
      ``list_offsets[q]:list_offsets[q+1]``, ordered by ranker;
    - list ``l`` belongs to ranker ``list_rankers[l]`` and has the entries ``entry_offsets[l]:entry_offsets[l+1]``,
      best first;
    - entry ``e`` is the item ``items[entries[e]]``; ``tied[e]`` says that it shares the place of entry ``e - 1``;
      ``scores[e]`` is its score (NaN in a list that came without; ``scores`` is None when all did).

    An empty list counts as no list. ``declared`` says that the source names the candidates itself (a LETOR file), so
    that an item stays a candidate even if no list holds it. ``factors``, one per list, stand for resampled rankers and
    for confidence. ``intervals``, beside the entries of a consensus, say how sure it is, and ``extras`` are what its
    method adds to the score, by name (rra: p and q). ``inputs`` are the rankings that a consensus was made of, to look
    up what each ranker gave an item. ``raw_ranks``, one per entry, are the ranks that a LETOR file gives: they have
    gaps where the file leaves out documents, so they say more than the positions. NaN, or None for all, means that only
    the position is known. No method looks at them; the feature map ``raw`` does.

    >>> votes = Rankings.from_lists([["a", "b"], ["b", "c"]])
    >>> votes
    Rankings(1 query, 2 rankers, 3 items)
      1: a > b
      2: b > c
    """

    __slots__ = (
        "_derived",
        "_pending",
        "absent",
        "declared",
        "entries",
        "entry_offsets",
        "extras",
        "factors",
        "inputs",
        "intervals",
        "item_offsets",
        "items",
        "list_offsets",
        "list_rankers",
        "multiplicities",
        "queries",
        "rankers",
        "raw_ranks",
        "scores",
        "tied",
        "weights",
    )

    queries: tuple[str, ...]
    rankers: tuple[str, ...]
    items: Sequence[str]
    item_offsets: IntArray
    list_offsets: IntArray
    list_rankers: IntArray
    entry_offsets: IntArray
    entries: IntArray
    tied: BoolArray
    scores: FloatArray | None
    weights: FloatArray
    multiplicities: IntArray
    declared: bool
    factors: FloatArray | None
    intervals: Intervals | None
    extras: dict[str, FloatArray] | None
    absent: tuple[str, ...]
    inputs: Rankings | None
    raw_ranks: Float32Array | None
    _derived: dict[str, Any]
    _pending: Pending | None

    def __init__(
        self,
        *,
        queries: tuple[str, ...],
        rankers: tuple[str, ...],
        items: Sequence[str],
        item_offsets: IntArray,
        list_offsets: IntArray,
        list_rankers: IntArray,
        entry_offsets: IntArray,
        entries: IntArray,
        tied: BoolArray,
        scores: FloatArray | None = None,
        weights: FloatArray | None = None,
        multiplicities: IntArray | None = None,
        declared: bool = False,
        factors: FloatArray | None = None,
        intervals: Intervals | None = None,
        extras: dict[str, FloatArray] | None = None,
        absent: tuple[str, ...] = (),
        inputs: Rankings | None = None,
        raw_ranks: Float32Array | None = None,
        known: Mapping[str, Any] = MappingProxyType({}),
    ) -> None:
        """The fields; ``known`` are properties that follow from them and were worked out before."""
        put = object.__setattr__
        put(self, "queries", queries)
        put(self, "rankers", rankers)
        put(self, "items", items)
        put(self, "item_offsets", _freeze(item_offsets))
        put(self, "list_offsets", _freeze(list_offsets))
        put(self, "list_rankers", _freeze(list_rankers))
        put(self, "entry_offsets", _freeze(entry_offsets))
        put(self, "entries", _freeze(entries))
        put(self, "tied", _freeze(tied))
        put(self, "scores", None if scores is None else _freeze(scores))
        put(self, "weights", _freeze(_ones(len(rankers), float) if weights is None else weights))
        count = _ones(len(rankers), np.intp) if multiplicities is None else _check_counts(multiplicities)
        put(self, "multiplicities", _freeze(count))
        put(self, "declared", declared)
        put(self, "factors", None if factors is None else _freeze(factors))
        put(self, "intervals", intervals)
        put(self, "extras", None if extras is None else {name: _freeze(each) for name, each in extras.items()})
        put(self, "absent", absent)
        put(self, "inputs", inputs)
        put(self, "raw_ranks", None if raw_ranks is None else _freeze(raw_ranks))
        put(self, "_pending", None)
        plain = weights is None and multiplicities is None and factors is None
        put(self, "_derived", {"is_weighted": False, **known} if plain else dict(known))

    @staticmethod
    def _of_pending(pending: Pending) -> Rankings:
        """A result whose fields are made when one of them is first asked for: most callers of requests want hits."""
        made = object.__new__(Rankings)
        object.__setattr__(made, "_derived", {})
        object.__setattr__(made, "_pending", pending)
        return made

    if not TYPE_CHECKING:  # for the type checker all fields are there

        def __getattr__(self, name: str) -> Any:
            """A field of a result that is pending; its fields are filled here, all at once."""
            if name not in FIELDS or self._pending is None:
                raise AttributeError(f"'Rankings' object has no attribute {name!r}", name=name, obj=self)
            made = self._pending.make_rankings()
            for each in FIELDS:
                object.__setattr__(self, each, getattr(made, each))
            return getattr(made, name)

    # --- constructors (see construct.py) ------------------------------------------------------------------------

    @staticmethod
    def from_lists(
        lists: Sequence[Any] | Mapping[Any, Any], *, query: str = "1", duplicates: Duplicates = "error"
    ) -> Rankings:
        """One query, best-first lists; a set or a list of ids inside a list is a tied group.

        A list of ``(id, number)`` tuples is a list of scored hits. Rankers are named by the keys of a mapping, or "1",
        "2", ... A set has no order: its members enter by id. ``None`` in the place of a list is a ranker that failed.

        >>> print(Rankings.from_lists({"ann": ["a", {"b", "c"}], "bob": ["c", "a"]})["1"].lists["ann"])
        [['a'], ['b', 'c']]
        """
        from stagg.data.inputs.construct import from_lists

        return from_lists(lists, query=query, duplicates=duplicates)

    @staticmethod
    def from_scores(
        scored: Sequence[Mapping[Any, float]] | Mapping[Any, Mapping[Any, float]],
        *,
        query: str = "1",
        values: Values = "score",
    ) -> Rankings:
        """One query, one ``{item: number}`` per ranker; ``values`` "score" (large = top) or "rank" (small = top).

        >>> Rankings.from_scores({"bm25": {"a": 12.5, "b": 11.0}, "dense": {"b": 0.9}})
        Rankings(1 query, 2 rankers, 2 items, with scores)
          bm25: a > b
          dense: b
        """
        from stagg.data.inputs.construct import from_scores

        return from_scores(scored, query=query, values=values)

    @staticmethod
    def from_runs(
        runs: Sequence[Mapping[Any, Mapping[Any, float]]] | Mapping[Any, Mapping[Any, Mapping[Any, float]] | None],
        *,
        values: Values = "score",
    ) -> Rankings:
        """Many queries: one run ``{query: {item: number}}`` per ranker, as BEIR, pytrec_eval and ranx have them.

        >>> Rankings.from_runs({"bm25": {"q1": {"a": 12.5, "b": 11.0}}, "dense": {"q1": {"b": 0.9}}})
        Rankings(1 query, 2 rankers, 2 items, with scores)
          bm25: a > b
          dense: b
        """
        from stagg.data.inputs.construct import from_runs

        return from_runs(runs, values=values)

    @staticmethod
    def from_frame(
        frame: Any,
        *,
        query: str | None = None,
        item: str | None = None,
        ranker: str | None = None,
        score: str | None = None,
        rank: str | None = None,
        duplicates: Duplicates = "error",
    ) -> Rankings:
        """A frame with one row per listed item: pandas, Polars (eager or lazy), pyarrow, DuckDB, any Arrow stream.

        A list of dicts, one for each row, is read in the same way. The options name the columns. Those that you leave
        out are found by their usual names: query, ranker, item, score, rank. If the frame has both, the score decides
        the order, not the rank. Without a query column all rows belong to one query, "1"; without a ranker column, to
        one ranker, "1". Ids of an integer column come back as integers.

        >>> import pandas
        >>> votes = pandas.DataFrame({"user": ["ann", "ann", "bob"], "film": [31, 12, 12], "place": [1, 2, 1]})
        >>> Rankings.from_frame(votes, ranker="user", item="film", rank="place").best_first(ranker="ann")
        [31, 12]
        """
        from stagg.data.inputs.frames import from_frame

        return from_frame(frame, query=query, item=item, ranker=ranker, score=score, rank=rank, duplicates=duplicates)

    # --- what follows from the arrays ---------------------------------------------------------------------------

    @property
    def sizes(self) -> IntArray:
        """n of each query: how many candidates it has."""
        return self._once("sizes", lambda: measure_pieces(self.item_offsets))

    @property
    def list_lengths(self) -> IntArray:
        """L of each list."""
        return self._once("list_lengths", lambda: measure_pieces(self.entry_offsets))

    @property
    def list_counts(self) -> IntArray:
        """m of each query: how many lists it has."""
        return self._once("list_counts", lambda: measure_pieces(self.list_offsets))

    @property
    def list_queries(self) -> IntArray:
        """The query of each list."""
        return self._once("list_queries", lambda: np.repeat(np.arange(len(self.queries)), self.list_counts))

    @property
    def list_weights(self) -> FloatArray:
        """Weight of each list: the weight times the multiplicity of its ranker, times the list's factor."""
        return self._once("list_weights", self._list_weights)

    def _list_weights(self) -> FloatArray:
        weights: FloatArray = (self.weights * self.multiplicities)[self.list_rankers]
        return weights if self.factors is None else weights * self.factors

    @property
    def entry_lists(self) -> IntArray:
        """The list of each entry."""
        return self._once("entry_lists", lambda: np.repeat(np.arange(len(self.list_rankers)), self.list_lengths))

    @property
    def entry_queries(self) -> IntArray:
        """The query of each entry."""
        return self._once("entry_queries", lambda: self.list_queries[self.entry_lists])

    @property
    def positions(self) -> IntArray:
        """The position of each entry in its list, from 0; tied entries follow one another."""
        return self._once(
            "positions", lambda: np.arange(len(self.entries)) - self.entry_offsets[:-1].repeat(self.list_lengths)
        )

    @property
    def mean_positions(self) -> FloatArray:
        """The position of each entry, from 0; tied entries have the mean of theirs."""
        return self._once("mean_positions", self._mean_positions)

    def _mean_positions(self) -> FloatArray:
        positions = self.positions.astype(np.float64)
        return share_ties(positions, self.tied) if self.has_ties else positions

    @property
    def voters(self) -> IntArray:
        """How many voters each query has: the multiplicities of the rankers that have a list for it."""
        return self._once("voters", self._count_voters)

    def _count_voters(self) -> IntArray:
        voters = np.zeros(len(self.queries), dtype=np.intp)
        np.add.at(voters, self.list_queries, self.multiplicities[self.list_rankers])
        return voters

    @property
    def item_queries(self) -> IntArray:
        """The query of each item."""
        if len(self.queries) == 1:
            return self._once("item_queries", lambda: np.zeros(len(self.items), dtype=np.intp))
        return self._once("item_queries", lambda: np.repeat(np.arange(len(self.queries)), self.sizes))

    @property
    def has_ties(self) -> bool:
        """Whether some items share a place."""
        return bool(self._once("has_ties", lambda: self.tied.any()))

    @property
    def is_weighted(self) -> bool:
        """Whether some list counts for more or less than one."""
        return bool(self._once("is_weighted", lambda: (self.list_weights != 1).any()))

    def shared(self, key: Any, compute: Callable[[], V]) -> V:
        """A value that depends only on the lengths of the lists, computed once for all requests that share them."""
        held: dict[Any, Any] | None = self._derived.get("shared")
        if held is None:
            return compute()
        if key not in held:
            if len(held) >= KEPT:
                held.clear()
            made = compute()
            held[key] = _freeze(made) if isinstance(made, np.ndarray) else made
        found: V = held[key]
        return found

    def _once(self, name: str, compute: Callable[[], V]) -> V:
        found: V | None = self._derived.get(name)
        if found is None:
            found = compute()
            if isinstance(found, np.ndarray):
                _freeze(found)
            self._derived[name] = found
        return found

    # --- views and parts ----------------------------------------------------------------------------------------

    def __len__(self) -> int:
        """The number of queries."""
        return len(self.queries)

    def __iter__(self) -> Iterator[Query]:
        from stagg.data.query import Query

        return (Query(self, number) for number in range(len(self.queries)))

    def __getitem__(self, query: str) -> Query:
        """The view of one query, by id."""
        from stagg.data.query import Query

        return Query(self, self.query_number(query))

    def __contains__(self, query: object) -> bool:
        return (query if type(query) is str else str(query)) in self._query_numbers()

    def query_number(self, query: str) -> int:
        """The number of a query, from 0, by its id."""
        numbers = self._query_numbers()
        number = numbers.get(query if type(query) is str else id_text(query, "query"))
        if number is None:
            hint = _name_some(query, self.queries, "queries") if isinstance(query, str) else ""
            raise UnknownName(f"no query {shown(query)}{hint}")
        return number

    def _query_numbers(self) -> dict[str, int]:
        numbers: dict[str, int] = self._once("query_numbers", lambda: _number(self.queries))
        return numbers

    def replace(self, **changes: Any) -> Rankings:
        """The same rankings with some fields changed."""
        return Rankings(**(self._fields() | changes))

    def like(self, *, known: Mapping[str, Any] = MappingProxyType({}), **fields: Any) -> Rankings:
        """Rankings with some fields changed and nothing checked: for requests, which are many and small.

        These rankings must have neither weights nor multiplicities, and the fields must fit; ``known`` as on making.
        """
        for value in fields.values():
            if isinstance(value, np.ndarray):
                value.setflags(write=False)
        original = self if self._pending is None else self.replace()
        return _copy(original, fields | {"_derived": {"is_weighted": False, **known}})

    def _refer(self, inputs: Rankings, absent: tuple[str, ...]) -> Rankings:
        """Say what this consensus, which nobody has seen yet, was made of: hits look up there what each ranker gave."""
        object.__setattr__(self, "inputs", inputs)
        object.__setattr__(self, "absent", absent)
        return self

    def with_weights(self, weights: Weights | None) -> Rankings:
        """Weights by position, or by name (rankers not named keep weight 1); None sets all to 1.

        >>> Rankings.from_lists({"bm25": ["a"], "dense": ["b"]}).with_weights({"bm25": 2}).weights
        array([2., 1.])
        """
        return self.replace(weights=check_weights(weights, self.rankers))

    def with_rankers(self, names: Sequence[str]) -> Rankings:
        """The same rankings with the rankers renamed, in order."""
        try:
            texts = tuple(names)
        except TypeError:
            texts = ()
        right = all(isinstance(name, str) for name in texts) and len(set(map(str, texts))) == len(texts)
        if not right or len(texts) != len(self.rankers):
            raise InvalidParameter(
                f"there are {len(self.rankers)} rankers: give each a different name, a text; found {shown(names)}"
            )
        return self.replace(rankers=texts)

    def active(self) -> Rankings:
        """Without the rankers of weight 0: they are absent, and so are the items that only they list."""
        if not self.is_weighted and self.weights.all():  # a ranker of weight 0 may have no list here
            return self
        heavy = self.weights * self.multiplicities > 0
        return self if heavy.all() else self.take_rankers(np.flatnonzero(heavy))

    def take_rankers(self, rankers: Sequence[int] | IntArray) -> Rankings:
        """Only these rankers (by number), in this order; items that none of them lists leave too."""
        from stagg.data.parts import take_rankers

        return take_rankers(self, _check_numbers(rankers, len(self.rankers), "rankers"))

    def take_queries(self, queries: Sequence[int] | IntArray) -> Rankings:
        """Only these queries (by number), in this order."""
        from stagg.data.parts import take_queries

        return take_queries(self, _check_numbers(queries, len(self.queries), "queries"))

    def cut(self, depth: int) -> Rankings:
        """Cut every list to its first ``depth`` entries; a tied group that crosses the cut loses its small ids."""
        from stagg.data.parts import cut

        return cut(self, whole_number("depth", depth, least=1))

    # --- conversions --------------------------------------------------------------------------------------------

    def to_lists(self) -> dict[str, dict[str, list[list[str]]]]:
        """``{query: {ranker: [tied group, ...]}}``, best first.

        >>> Rankings.from_lists({"ann": ["a", {"b", "c"}]}).to_lists()
        {'1': {'ann': [['a'], ['b', 'c']]}}
        """
        return {view.id: view.lists for view in self}

    def to_runs(self) -> dict[str, dict[str, dict[str, float]]]:
        """``{ranker: {query: {item: score}}}``, best first; lists without scores give L, L-1, ... (ties their mean).

        >>> Rankings.from_scores({"bm25": {"a": 12.5, "b": 11.0}}, query="q1").to_runs()
        {'bm25': {'q1': {'a': 12.5, 'b': 11.0}}}
        """
        runs: dict[str, dict[str, dict[str, float]]] = {ranker: {} for ranker in self.rankers}
        for view in self:
            for ranker, scores in view.scores.items():
                runs[ranker][view.id] = scores
        return runs

    def to_columns(self) -> dict[str, list[Any]]:
        """Columns query, ranker, item, rank (1..L, never shared) and score: what a data frame is made from."""
        lists = self.list_queries
        columns: dict[str, list[Any]] = {
            "query": [self.queries[q] for q in lists[self.entry_lists]],
            "ranker": [self.rankers[r] for r in self.list_rankers[self.entry_lists]],
            "item": [self.items[i] for i in self.entries],
            "rank": (self.positions + 1).tolist(),
        }
        if self.scores is not None:
            columns["score"] = self.scores.tolist()
        return columns

    def to_dict(self) -> dict[Any, Any]:
        """``{query: {item: score}}`` of one ranker, ``{query: {ranker: {item: score}}}`` of several, best first.

        Lists without scores give L, L-1, ... (ties their mean). With intervals an item has a dict of its rank, score,
        low, high, top and group; in a result of ``rra``, of its rank, score, p and q.

        >>> Rankings.from_scores({"bm25": {"a": 12.5, "b": 11.0}}).to_dict()
        {'1': {'a': 12.5, 'b': 11.0}}
        """
        from stagg.data.results.hits import as_dict

        return as_dict(self)

    def to_frame(self, library: str = "pandas", *, by_ranker: bool = False) -> Any:
        """A frame of pandas or Polars, one row per listed item: query, ranker, item, rank (from 1), score.

        With intervals there are also low, high, top and group, and by ``rra`` p and q. If there is only one ranker, its
        column is left out. ``by_ranker`` adds to a fused result the rank and the score that each input gave: columns
        such as ``bm25_rank`` and ``bm25_score``.

        >>> fused = Rankings.from_scores({"fused": {"a": 0.75, "b": 0.5}})
        >>> fused.to_frame("pandas").columns.tolist()
        ['query', 'item', 'rank', 'score']
        """
        from stagg.data.results.hits import frame_of

        return frame_of(self, library, by_ranker=by_ranker)

    def to_arrow(self) -> Any:
        """An Arrow table of one row per listed item: query, ranker, item, rank (from 1), score; needs pyarrow.

        >>> Rankings.from_lists({"ann": ["b", "a"]}).to_arrow()["item"].to_pylist()
        ['b', 'a']
        """
        from stagg.data.inputs.arrow import make_table

        need("pyarrow", "Arrow tables", extra="parquet")
        return make_table(self)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The rows of :meth:`to_arrow` as a stream: Polars, pandas, DuckDB and pyarrow read it."""
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def hits(self, query: Any = None, *, ranker: str | None = None) -> list[Hit]:
        """The items of one list, best first, each with its rank and score: a list of :class:`stagg.Hit`.

        You can leave out the query or the ranker if there is only one. Ids are the objects that came in.

        >>> [(hit.item, hit.score) for hit in Rankings.from_scores([{"b": 0.5, "a": 0.25}]).hits()]
        [('b', 0.5), ('a', 0.25)]
        """
        from stagg.data.results.hits import hits_of

        return hits_of(self, query, ranker)

    def page(self, size: int, *, after: str | None = None, query: Any = None, ranker: str | None = None) -> Page[Hit]:
        """The first ``size`` hits, or those after an earlier page: ``after=page.next``.

        The pages of one list never repeat an item and never lose one. ``page.next`` is None on the last page, and
        ``page.changed`` says that the list is not the one that the token came from.

        >>> fused = Rankings.from_scores([{"a": 3, "b": 2, "c": 1}])
        >>> first = fused.page(2)
        >>> [hit.item for hit in first], [hit.item for hit in fused.page(2, after=first.next)]
        (['a', 'b'], ['c'])
        """
        from stagg.data.results.hits import page_of

        return page_of(self, size, after, query, ranker)

    def best_first(self, query: Any = None, *, ranker: str | None = None) -> list[Any]:
        """The items of one list, best first. You can leave out the query or the ranker if there is only one.

        >>> Rankings.from_lists([["b", "a"]]).best_first()
        ['b', 'a']
        """
        entries = self._entries_of(query, ranker)
        own = own_ids(self.items)
        return [own[item] for item in self.entries[entries].tolist()]

    def _entries_of(self, query: Any, ranker: str | None) -> slice:
        """Where the entries of one list stand; query and ranker may be None when there is only one."""
        if query is None and ranker is None and len(self.queries) == len(self.rankers) == len(self.list_rankers) == 1:
            return slice(0, len(self.entries))
        number = 0 if query is None and len(self.queries) == 1 else self._which_query(query)
        owner = 0 if ranker is None and len(self.rankers) == 1 else self._which_ranker(ranker)
        first, end = self.list_offsets[number : number + 2].tolist()
        for each in range(first, end):
            if self.list_rankers[each] == owner:
                return slice(*self.entry_offsets[each : each + 2].tolist())
        return slice(0, 0)

    def _which_query(self, query: Any) -> int:
        text = query if query is None or type(query) is str else id_text(query, "query")
        return self.query_number(self._only(text, self.queries, "query", "queries"))

    def _which_ranker(self, ranker: str | None) -> int:
        return self.rankers.index(self._only(ranker, self.rankers, "ranker", "rankers"))

    @staticmethod
    def _only(name: str | None, names: tuple[str, ...], kind: str, kinds: str) -> str:
        if name is not None and not (isinstance(name, str) and name in names):
            known = f"; the only {kind} is {shown(names[0])}" if len(names) == 1 else _name_some(name, names, kinds)
            raise UnknownName(f"there is no {kind} {shown(name)}{known}")
        if name is None and len(names) != 1:
            from stagg.say import Say, tell  # here: most calls name what they want

            some = tell(": name the one you want, such as ", Say(**{kind: names[0]})) if names else ""
            raise InvalidParameter(tell(f"there are {len(names)} {kinds}", some))
        return names[0] if name is None else name

    # --- value semantics ----------------------------------------------------------------------------------------

    def canonical(self) -> Rankings:
        """The same rankings with queries, rankers, items and tied entries in the order of their ids."""
        from stagg.data.parts import canonical

        result: Rankings = self._once("canonical", lambda: canonical(self))
        return result

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Rankings):
            return NotImplemented
        if self is other:
            return True
        if not self._same_shape(other):
            return False
        mine, theirs = self.canonical(), other.canonical()
        return all(
            _same(value, theirs_value)
            for (name, value), theirs_value in zip(mine._fields().items(), theirs._fields().values(), strict=True)
            if name not in ("absent", "declared", "extras", "inputs", "intervals", "raw_ranks")
        )

    def _same_shape(self, other: Rankings) -> bool:
        return (
            len(self.queries) == len(other.queries)
            and len(self.rankers) == len(other.rankers)
            and len(self.items) == len(other.items)
            and len(self.entries) == len(other.entries)
        )

    def __hash__(self) -> int:
        return hash((frozenset(self.queries), frozenset(self.rankers), len(self.items), len(self.entries)))

    def _fields(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in FIELDS}

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (self._fields() | {"inputs": None},)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"Rankings are immutable; use replace({name}=...)")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("Rankings are immutable")

    def _repr_html_(self) -> str:
        from stagg.data.results.notebook import rankings_html

        return rankings_html(self)

    def __repr__(self) -> str:
        return f"Rankings({self.summary()})" + "".join(f"\n  {line}" for line in self._written_out())

    def summary(self, *, names: bool = False) -> str:
        """One line: how many queries, rankers and items, and what else there is; ``names``: who the few rankers are."""
        return summarise(
            len(self.queries),
            len(self.rankers),
            len(self.items),
            names=self.rankers if names else (),
            lengths=(self.list_lengths.min(), self.list_lengths.max()) if len(self.list_lengths) else None,
            scores=self.scores is not None,
            ties=self.has_ties,
            weighted=self.is_weighted,
        )

    def _written_out(self) -> list[str]:
        if len(self.queries) != 1 or len(self.rankers) > FEW:
            return []
        lines = []
        for ranker, groups in next(iter(self)).lists.items():
            shown_groups = [" = ".join(map(bare, group[:FEW])) for group in groups[:FEW]]
            lines.append(f"{bare(ranker)}: {' > '.join(shown_groups)}{' > …' * (len(groups) > FEW)}")
        return lines


FIELDS: Final = tuple(name for name in Rankings.__slots__ if not name.startswith("_"))


class Pending(Protocol):
    """A result of which nobody has asked more than its hits yet."""

    def make_rankings(self) -> Rankings:
        """The same with all fields."""

    def make_hits(self, slots: Any, source: Any) -> list[Hit]:
        """Its hits, made by the compiled slots of their class."""


def summarise(
    queries: int,
    rankers: int,
    items: int,
    *,
    names: Sequence[str] = (),
    lengths: tuple[int, int] | None,
    scores: bool,
    ties: bool,
    weighted: bool = False,
) -> str:
    """Summarise rankings in one line; ``lengths`` are those of the shortest and of the longest list.

    An item of two queries counts twice, so that with several queries it is pairs that are counted.
    """
    who = f" ({', '.join(map(bare, names))})" if 0 < len(names) <= FEW_NAMES else ""
    counts = [
        plural(queries, "query", "queries"),
        f"{plural(rankers, 'ranker')}{who}",
        plural(items, "query-item pair" if queries > 1 else "item"),
    ]
    if lengths is not None and queries > 1:
        low, high = lengths
        counts.append(f"lists of {low}" if low == high else f"lists of {low} to {high}")
    if scores:
        counts.append("with scores")
    if ties and queries > 1:
        counts.append("with ties")
    if weighted:
        counts.append("weighted")
    return ", ".join(counts)


def _name_some(name: str, names: Sequence[str], kinds: str) -> str:
    """A hint to append to an error: the nearest names, all of them where they are few, else the first."""
    some = f"; there are {len(names):,} {kinds}, such as {', '.join(map(shown, names[:3]))}" if names else ""
    return near_names(name, names, few=f"the {kinds} are:") or some


def _number(names: Sequence[str]) -> dict[str, int]:
    return {name: number for number, name in enumerate(names)}


@functools.lru_cache(maxsize=100)
def _ones(count: int, kind: type) -> AnyArray:
    return _freeze(np.ones(count, dtype=kind))


def _freeze(array: AnyArray) -> AnyArray:
    array.setflags(write=False)
    return array


def _same(mine: Any, theirs: Any) -> bool:
    if isinstance(mine, np.ndarray) and isinstance(theirs, np.ndarray):
        return np.array_equal(mine, theirs, equal_nan=mine.dtype.kind == "f")
    if mine is None or theirs is None:  # no scores: NumPy would compare None with each score of the other
        return mine is theirs
    return bool(mine == theirs)


def _copy(original: Rankings, changes: dict[str, Any]) -> Rankings:
    """Rankings with the fields of others, some of them changed. The compiled twin does it where there is one."""
    slots = _compiled_slots()
    if slots is not None:
        return slots.copy(original, changes)  # type: ignore[no-any-return]
    made = object.__new__(Rankings)
    for name in (*FIELDS, "_derived", "_pending"):
        object.__setattr__(made, name, changes[name] if name in changes else getattr(original, name))
    return made


@functools.cache
def _compiled_slots() -> Any | None:
    return make_slots(Rankings, Rankings.__slots__)


def _restore(fields: dict[str, Any]) -> Rankings:
    return Rankings(**fields)


def _check_counts(counts: AnyArray) -> IntArray:
    """Numbers of voters: whole, none below 0, and together no more than can be counted."""
    counts = np.asarray(counts)
    if counts.dtype.kind not in "iu" or counts.min(initial=0) < 0:
        raise InvalidParameter(f"multiplicities are whole numbers, 0 or more, not {shown(counts.tolist())}")
    if counts.sum(dtype=np.float64) > LARGEST_COUNT / 2 and sum(counts.tolist()) > LARGEST_COUNT:
        raise DataError(
            f"there are {sum(counts.tolist()):,} voters in all; up to {LARGEST_COUNT:,} (2^63 - 1) can be counted"
        )
    return counts.astype(np.intp, copy=False)


def check_weights(weights: Weights | None, rankers: tuple[str, ...]) -> FloatArray:
    """One finite, non-negative weight per ranker, or an error that names the rankers."""
    if weights is None:
        return np.ones(len(rankers))
    if isinstance(weights, Mapping):
        weights = {id_text(name, "ranker", "weights"): value for name, value in weights.items()}
        for name in weights:
            if name not in rankers:
                raise UnknownName(
                    f"weights name the ranker {shown(name)}, which the input does not have{near_names(name, rankers)}"
                )
        values = [weights.get(name, 1.0) for name in rankers]
    else:
        if isinstance(weights, str | bytes) or not isinstance(weights, Iterable) or _is_point(weights):
            raise InvalidParameter(f"weights are numbers by position or {{ranker: number}}, not {shown(weights)}")
        values = list(weights)
        if len(values) != len(rankers):
            counts = (
                f"{len(values)} weight{'s' * (len(values) != 1)} for {len(rankers)} ranker{'s' * (len(rankers) != 1)}"
            )
            raise InvalidParameter(f"{counts} ({', '.join(map(bare, rankers[:FEW]))})")
    return np.array([_check_weight(value, name) for value, name in zip(values, rankers, strict=True)])


def _is_point(given: Any) -> bool:
    """Whether this is an array without dimensions, which cannot be counted through."""
    return isinstance(given, np.ndarray) and given.ndim == 0


def _check_numbers(given: Any, count: int, what: str) -> IntArray:
    """Numbers of queries or rankers, as an array; there are ``count``."""
    try:
        numbers = np.asarray(given, dtype=np.intp)
        inside = numbers.ndim == 1 and (not len(numbers) or (numbers.min() >= -count and numbers.max() < count))
    except (TypeError, ValueError, OverflowError):
        inside = False
    if not inside:
        raise InvalidParameter(
            f"take_{what} takes the numbers of {what} in a list, 0 to {count - 1}, not {shown(given)}"
        )
    return np.where(numbers < 0, numbers + count, numbers)  # -1 is the last one, as in a list


def _check_weight(value: float, ranker: str) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        number = float("nan")
    if not 0 <= number < float("inf"):
        raise InvalidParameter(
            f"the weight of ranker {shown(ranker)} is {shown(value)}; weights are finite and not negative"
        )
    return number
