"""``fuse``: a method and rankings in, the consensus out, again as rankings."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from stagg.aggregate.answers import answer, read_request
from stagg.aggregate.plan import DEFAULT_METHOD, Progress, Scale, prepare
from stagg.data.inputs.construct import Outer, rankings_of
from stagg.data.inputs.frames import are_rows, is_frame
from stagg.data.inputs.lists import Duplicates
from stagg.data.inputs.types import RankingsLike
from stagg.data.rankings import Rankings, Values, Weights
from stagg.data.strangers import warn_of_strangers
from stagg.errors import DataError, DataWarning, InvalidParameter
from stagg.kernels import sums
from stagg.kernels.text import ranked, requests
from stagg.methods import Method, Missing

__all__ = ["fuse"]

OF_FRAMES: Final = ("layout", "columns", "values", "duplicates")
"""Options of reading a frame that ``fuse`` takes itself."""

for _each in (requests, sums, ranked):
    _each.has_twin()  # loaded with the package, so that the first request costs what later ones cost


def fuse(
    rankings: RankingsLike,
    method: str | Method = DEFAULT_METHOD,
    *,
    weights: Weights | None = None,
    missing: Missing | None = None,
    depth: int | None = None,
    top: int | None = None,
    min_lists: int | None = None,
    min_score: float | Mapping[str, float] | None = None,
    scale: Scale | None = None,
    outer: Outer | None = None,
    duplicates: Duplicates = "error",
    values: Values | None = None,
    layout: str | None = None,
    columns: Mapping[str, str | int] | None = None,
    intervals: float | None = None,
    draws: int | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> Rankings:
    """Fuse many rankings into one: the consensus of each query, with scores.

    ``rankings`` holds one list per ranker, in a list, or in a dict by name. Each is a best-first list of ids, a list of
    ``(id, score)`` tuples, or a dict ``{id: score}``. For many queries give runs ``{ranker: {query: {id: score}}}``, or
    say ``outer="query"`` if the outer keys are the queries. A data frame of pandas or Polars, a pyarrow table, a DuckDB
    relation and :class:`Rankings` work, too; a frame may have any layout that a spreadsheet may have. A set inside a
    list holds items that tie. ``None`` in the place of a list is a ranker that failed: it is left out, and
    ``result.absent`` names it. Anything that could mean two things is an error that shows both ways to write it.

    The result is again :class:`Rankings`. ``result.hits()`` lists the items with rank and score. ``best_first()``,
    ``to_dict()``, ``to_frame("pandas")`` and ``to_arrow()`` give the same in other forms.

    - ``method``: text such as "rrf(c=60)", a method object, or a trained model.
    - ``weights``: how much each ranker counts, by position or by name. Rankers that you do not name keep weight 1;
      weight 0 leaves a ranker out.
    - ``missing``: what it means that an item is not in a list: it lost ("below"), nothing is known ("neutral"), or the
      list does not speak of it ("skip"). If you leave it out, the method's own default holds.
    - ``depth``: use only the first so many items of every input list. ``top``: keep only the first so many of the
      result.
    - ``min_score``: before the fusion, drop the items that a ranker scored lower. One number for all rankers, or
      ``{ranker: number}``.
    - ``min_lists``: keep only items that are in at least so many lists.
    - ``scale="first"``: divide the scores so that an item that is first in every list of its query has 1.
    - ``duplicates``: an item that is twice in one list is an error; "best" keeps its better place, "first" keeps the
      one that came first.
    - ``values``: whether the numbers of dicts and tuples are scores ("score", large = top, the default) or ranks
      ("rank", small = top); also those of a frame that does not name them.
    - ``layout``, ``columns``: what the rows and columns of a frame mean, where it does not show it:
      ``layout="grid"``, ``columns={"item": "doc", "score": "sim"}``. :func:`stagg.read` has more such options.
    - ``intervals``: a share such as 0.9. It adds to every hit the range of ranks (``low``, ``high``) that holds in this
      share of the draws, how often the item is among the first ``top`` (else 10), and the ``group`` of items that the
      draws cannot tell apart. With fewer than ten rankers this says only how much depends on the choice of rankers.
    - ``draws``: how often the rankers are resampled for it. The default is 1000, or 100 where the method must be run
      again each time. ``seed``: the seed of the draws.
    - ``progress``: a function that is called with (what is being done, steps done, steps in all).

    If a ranker shares no item with any other list, you get a DataWarning that names it: mostly its ids come from
    elsewhere. Short lists may differ by accident, so this takes 20 items, or 2 if the ids are written differently.

    >>> fuse([["a", "b", "c"], ["b", "a"], ["b", "d"]]).best_first()
    ['b', 'a', 'd', 'c']
    >>> fused = fuse({"bm25": [("d1", 12), ("d2", 9)], "dense": [("d2", 8)]})
    >>> [(hit.item, round(hit.score, 4)) for hit in fused.hits()]
    [('d2', 0.0325), ('d1', 0.0164)]
    """
    plan = prepare(
        method, missing=missing, weights=weights, depth=depth, top=top, min_lists=min_lists, min_score=min_score,
        scale=scale, intervals=intervals, draws=draws, seed=seed,
    )  # fmt: skip
    told = layout is not None or columns is not None
    request = None if told else read_request(rankings, outer, duplicates, values)
    quick = None if request is None else answer(request, plan)
    if request is not None and quick is not None:
        if request.has_strangers:
            warn_of_strangers(request.make_rankings())
        return quick
    if told:
        given = _read_told(rankings, duplicates, values, layout, columns)
    else:
        given = _read_generally(rankings, outer, duplicates, values) if request is None else request.make_rankings()
    if given.absent and len(given.absent) == len(given.rankers):
        what = "nothing was fused: every ranker failed (None in the place of its list)"
        warnings.warn(what, DataWarning, stacklevel=2)
    done = plan.fuse(given, progress)
    warn_of_strangers(done.rankings)
    return done.result._refer(done.rankings, given.absent)


def rankings_of_request(
    given: Any, outer: Outer | None = None, duplicates: Duplicates = "error", values: Values | None = None
) -> Rankings:
    """Rankings as by :func:`stagg.data.inputs.construct.rankings_of`, with ``{a: {id: number}}`` read by ranker.

    Lists of plain ids and of scored hits are numbered by the compiled twin.

    >>> rankings_of_request({"bm25": ["a", "b"], "dense": ["b", "c"]})
    Rankings(1 query, 2 rankers, 3 items)
      bm25: a > b
      dense: b > c
    """
    request = read_request(given, outer, duplicates, values)
    return _read_generally(given, outer, duplicates, values) if request is None else request.make_rankings()


def _read_generally(given: Any, outer: Outer | None, duplicates: Duplicates, values: Values | None) -> Rankings:
    of_frame = partial(_read_frame, duplicates=duplicates, values=values)
    outer = _ranker_unless_list(given, outer)
    return rankings_of(given, outer=outer, duplicates=duplicates, values=values, read_frame=of_frame)


def _read_told(
    given: Any,
    duplicates: Duplicates,
    values: Values | None,
    layout: str | None,
    columns: Mapping[str, str | int] | None,
) -> Rankings:
    """Rankings from a frame, or from a list of dicts, of which the caller says what its columns mean."""
    if not is_frame(given) and not are_rows(given):
        raise InvalidParameter("layout and columns say what the columns of a frame mean, and this is no frame")
    return _read_frame(given, duplicates=duplicates, values=values, layout=layout, columns=columns)


def _read_frame(frame: Any, **options: Any) -> Rankings:
    from stagg.formats.log import ReadLog  # here: most requests hold no frame, or one that needs no reader
    from stagg.formats.options import ReadOptions
    from stagg.formats.tables.sources.frames import read_frame
    from stagg.say import Told, tell

    log = ReadLog()
    try:
        rankings = read_frame(frame, ReadOptions(**options), log).rankings
    except DataError as error:
        says = error.message.says if isinstance(error.message, Told) else ()
        others = [name for say in says for name in say.options if name not in OF_FRAMES]
        if not others:
            raise
        told = tell(error.message, f"; fuse(stagg.read(frame, {others[0]}=…)) takes this option")
        raise DataError(told, line=error.line) from None
    log.warn(calls=6)
    return rankings


def _ranker_unless_list(given: Any, outer: Outer | None) -> Outer | None:
    return "ranker" if outer is None and isinstance(given, Mapping) else outer
