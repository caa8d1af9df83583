"""A run beside its labels: the grades of every query's items in ranked order, ready for any measure."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import Final, Literal, get_args

import numpy as np

from stagg.data.labels import Labels
from stagg.data.rankings import Rankings
from stagg.errors import InvalidParameter, shown
from stagg.kernels.arrays import BoolArray, FloatArray, IntArray
from stagg.kernels.id_order import order_ties
from stagg.kernels.ragged import build_offsets, expand_spans
from stagg.registry import near_names

__all__ = [
    "CONVENTIONS",
    "PAD",
    "Block",
    "Conventions",
    "Judged",
    "check_conventions",
    "judge",
    "order_entries",
    "sort_descending",
    "take_judged",
    "tie_in_single_precision",
]


Conventions = Literal["standard", "letor4"]
CONVENTIONS: Final[tuple[Conventions, ...]] = get_args(Conventions)
"""How measures are defined where the field does not agree; ``letor4`` is LETOR's own evaluation script."""

PAD: Final = -2.0
"""Filler of a block beyond the end of a list."""

FEW = 12  # rankers that an error still names
NO_LIST: Final = -1  # the number of the list of a query that the run lacks
CELLS = 100_000  # cells of one block: queries of similar size share a block, so padding is bounded


@dataclasses.dataclass(frozen=True, eq=False)
class Block:
    """Some queries of similar size as rectangles: row q is the query ``rows[q]`` of the evaluated ones.

    ``grades[q, r]`` is the grade of the item at position r (rank r + 1), UNJUDGED (-1) where it has none and PAD (-2)
    beyond the end of the list; ``ideal[q]`` all grades given for the query, descending, PAD beyond them; ``sizes[q]``
    the length of the list; ``largest`` the largest grade given for any query (y_max).
    """

    rows: IntArray
    grades: FloatArray
    sizes: IntArray
    ideal: FloatArray
    largest: float
    conventions: Conventions

    @property
    def documents(self) -> IntArray:
        """How many items each query has: those in the list, and the judged ones that it leaves out."""
        judged, listed = (self.ideal >= 0).sum(axis=1), (self.grades >= 0).sum(axis=1)
        documents: IntArray = self.sizes + judged - listed
        return documents


@dataclasses.dataclass(frozen=True, eq=False)
class Judged:
    """One run against labels, all queries at once; made by :func:`judge`, read by :meth:`Measure.value`.

    ``queries`` are the evaluated ones, bytewise ascending: every query of the labels, those that the run lacks too
    (they count 0). ``missing`` are the queries of the labels that the run lacks, ``unjudged`` those of the run that
    have no labels and are not evaluated, ``without_relevant`` counts evaluated queries without a grade above 0.
    ``sizes`` is the length of each query's list, ``largest`` the largest grade given anywhere. The grades themselves
    are in ``blocks`` of queries of similar size.
    """

    queries: tuple[str, ...]
    sizes: IntArray
    largest: float
    conventions: Conventions
    missing: tuple[str, ...]
    unjudged: tuple[str, ...]
    without_relevant: int
    blocks: tuple[Block, ...]

    def __len__(self) -> int:
        """The number of evaluated queries."""
        return len(self.queries)


def judge(
    run: Rankings,
    labels: Labels,
    *,
    conventions: Conventions = "standard",
    only_common: bool = False,
    single_precision: bool = False,
    aligned: FloatArray | None = None,
    largest: float | None = None,
) -> Judged:
    """The run of one ranker laid beside the labels.

    Tied items go by id, descending, bytewise (as in trec_eval), or under ``letor4`` in the order of the file.
    ``only_common`` evaluates only the queries that the run has; ``single_precision`` also ties items whose scores are
    equal as 32-bit numbers, which is what trec_eval sees. ``aligned`` is ``labels.aligned(run)``, made once for many
    runs over the same items (all methods fused from one input, say). ``largest`` is the largest grade that can be given
    (y_max), where the labels are a part of a whole that has larger ones.

    >>> run = Rankings.from_scores({"bm25": {"a": 3.0, "b": 2.0, "c": 1.0}}, query="q")
    >>> judged = judge(run, Labels({"q": {"b": 2, "c": 1, "d": 1}, "other": {"a": 1}}))
    >>> judged.queries, judged.missing
    (('other', 'q'), ('other',))
    >>> judged.blocks[0].grades
    array([[-2., -2., -2.],
           [-1.,  2.,  1.]])
    """
    check_conventions(conventions)
    _check_one_ranker(run)
    lists = {run.queries[query]: number for number, query in enumerate(run.list_queries.tolist())}
    asked = sorted(labels)
    seen = tie_in_single_precision(run) if single_precision else run
    given, ranked = _given_grades(labels, asked), _rank_grades(seen, labels, conventions, aligned)
    kept = [number for number, query in enumerate(asked) if query in lists or not only_common]
    queries = tuple(asked[number] for number in kept)
    listed = ranked.taken([lists.get(query, NO_LIST) for query in queries])
    ideal = given.taken(kept)
    largest = float(given.values.max(initial=0.0)) if largest is None else largest
    return Judged(
        queries=queries,
        sizes=listed.sizes,
        largest=largest,
        conventions=conventions,
        missing=tuple(query for query in asked if query not in lists),
        unjudged=tuple(sorted(query for query in lists if query not in labels)),
        without_relevant=sum(not any(labels[query].values()) for query in queries),
        blocks=tuple(
            Block(rows, listed.pad(rows), listed.sizes[rows], sort_descending(ideal.pad(rows)), largest, conventions)
            for rows in _rows_of_similar_size(np.maximum(listed.sizes, ideal.sizes))
        ),
    )


def take_judged(judged: Judged, queries: Iterable[str]) -> Judged:
    """The same run, of some of its queries only."""
    chosen = set(queries)
    kept = [number for number, query in enumerate(judged.queries) if query in chosen]
    place = np.full(len(judged.queries), -1, dtype=np.intp)
    place[kept] = np.arange(len(kept))
    return dataclasses.replace(
        judged,
        queries=tuple(judged.queries[number] for number in kept),
        sizes=judged.sizes[kept],
        missing=tuple(query for query in judged.missing if query in chosen),
        without_relevant=int(sum((block.ideal[place[block.rows] >= 0, :1] <= 0).sum() for block in judged.blocks)),
        blocks=tuple(_take_rows(block, place[block.rows]) for block in judged.blocks),
    )


def _take_rows(block: Block, places: IntArray) -> Block:
    """The rows that have a place among others, with their places."""
    kept = places >= 0
    return dataclasses.replace(
        block, rows=places[kept], grades=block.grades[kept], sizes=block.sizes[kept], ideal=block.ideal[kept]
    )


def check_conventions(conventions: Conventions) -> None:
    if not isinstance(conventions, str) or conventions not in CONVENTIONS:
        hint = near_names(conventions, CONVENTIONS) if isinstance(conventions, str) else ""
        raise InvalidParameter(f"unknown conventions {shown(conventions)}{hint}")


def _check_one_ranker(run: Rankings) -> None:
    if len(run.rankers) != 1:
        names = ", ".join(map(shown, run.rankers[:FEW])) + ", …" * (len(run.rankers) > FEW)
        raise InvalidParameter(
            f"a run to evaluate has one ranker; this one has {len(run.rankers)}: {names}; "
            f"evaluate them one by one, or fuse them first"
        )


@dataclasses.dataclass(frozen=True, eq=False)
class _Segments:
    """Numbers of many queries end to end: those of query q start at ``starts[q]`` and are ``sizes[q]`` many."""

    values: FloatArray
    starts: IntArray
    sizes: IntArray

    def taken(self, numbers: list[int]) -> _Segments:
        """The segments of these numbers; that of NO_LIST is empty."""
        starts, sizes = np.append(self.starts, 0), np.append(self.sizes, 0)
        chosen = np.array(numbers, dtype=np.intp)
        return _Segments(self.values, starts[chosen], sizes[chosen])

    def pad(self, rows: IntArray) -> FloatArray:
        """table[q, r] = the r-th number of segment rows[q], PAD beyond its end."""
        sizes = self.sizes[rows]
        width = max(1, int(sizes.max(initial=0)))
        table = np.full((len(rows), width), PAD)
        table[np.arange(width) < sizes[:, None]] = self.values[expand_spans(self.starts[rows], sizes)]
        return table


def _given_grades(labels: Labels, queries: list[str]) -> _Segments:
    """All grades given for each query."""
    grades = [labels[query] for query in queries]
    sizes = np.array([len(of) for of in grades], dtype=np.intp)
    values = np.array([grade for of in grades for grade in of.values()], dtype=float)
    return _Segments(values, build_offsets(sizes)[:-1], sizes)


def _rank_grades(run: Rankings, labels: Labels, conventions: Conventions, aligned: FloatArray | None) -> _Segments:
    """The grades of each list, best item first."""
    if aligned is None:
        aligned = labels.aligned(run)
    elif len(aligned) != len(run.items):
        raise InvalidParameter(f"aligned has {len(aligned)} grades for a run of {len(run.items)} items")
    return _Segments(aligned[order_entries(run, conventions)], run.entry_offsets[:-1], run.list_lengths)


def tie_in_single_precision(run: Rankings) -> Rankings:
    """The run as trec_eval sees it: items whose scores are equal as 32-bit numbers tie.

    A list that is not in the order of its scores, but in that of a rank column, stays as it is.

    >>> tie_in_single_precision(Rankings.from_scores({"bm25": {"a": 20.00000001, "b": 20.0}}))["1"].lists
    {'bm25': [['a', 'b']]}
    """
    if run.scores is None or not len(run.entries):
        return run
    with np.errstate(over="ignore"):  # beyond the largest 32-bit number all scores are equal: infinite
        single = run.scores.astype(np.float32)
    equal = _within_lists(run, single[1:] == single[:-1]) & _by_score(run, run.scores)[run.entry_lists]
    return run.replace(tied=run.tied | equal) if equal.any() else run


def _by_score(run: Rankings, scores: FloatArray) -> BoolArray:
    """Which lists are in the order of their scores: none rises, and equal ones tie."""
    rises = _within_lists(run, scores[1:] > scores[:-1])
    parted = _within_lists(run, scores[1:] == scores[:-1]) & ~run.tied
    by_score = np.ones(len(run.list_rankers), dtype=bool)
    by_score[run.entry_lists[rises | parted]] = False
    return by_score


def _within_lists(run: Rankings, pairs: BoolArray) -> BoolArray:
    """A fact about each entry and the one before it in its list; ``pairs`` has it for all entries but the first."""
    found = np.append(False, pairs)
    found[run.entry_offsets[:-1]] = False  # nothing stands before the first of a list
    return found


def order_entries(run: Rankings, conventions: Conventions) -> IntArray:
    """The entries of the run, tied ones in the order that the conventions say."""
    if not run.has_ties:
        return run.entries
    if conventions == "letor4":  # items are numbered in the order of the file
        return run.entries[np.lexsort((run.entries, np.cumsum(~run.tied)))]
    return run.entries[order_ties(run.entries, run.tied, run.items)]


def _rows_of_similar_size(sizes: IntArray) -> list[IntArray]:
    """All rows, in blocks of ascending size whose rectangles have at most CELLS cells, or one row."""
    order = np.argsort(sizes, kind="stable").astype(np.intp)
    blocks, low = [], 0
    widths = np.maximum(sizes[order], 1).tolist()
    for high, width in enumerate(widths):
        if high > low and (high + 1 - low) * width > CELLS:
            blocks.append(order[low:high])
            low = high
    return [*blocks, order[low:]] if len(order) else []


def sort_descending(table: FloatArray) -> FloatArray:
    """Every row sorted descending; PAD is below all grades and so stays at the end."""
    ordered: FloatArray = -np.sort(-table, axis=1)
    return ordered
