"""Order of ids: by their text, bytewise (Python compares text as UTF-8 compares its bytes)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from stagg.kernels.arrays import BoolArray, FloatArray, IntArray
from stagg.kernels.text import ids as id_columns
from stagg.kernels.text import ranked
from stagg.kernels.ties import LEAST, TIE_TOLERANCE, measure_groups, rank_scores

__all__ = ["break_ties", "order_by_id", "order_ties", "rank_by_id"]


def order_by_id(ids: Sequence[str], *, descending: bool = False) -> IntArray:
    """The numbers of the ids in the order of their text.

    >>> order_by_id(["b", "a", "c"])
    array([1, 0, 2])
    """
    return np.array(sorted(range(len(ids)), key=ids.__getitem__, reverse=descending), dtype=np.intp)


def order_ties(entries: IntArray, tied: BoolArray, ids: Sequence[str], *, descending: bool = True) -> IntArray:
    """The places of the entries when tied ones stand in the order of their ids; by the tie rule, descending.

    >>> order_ties(np.array([0, 1, 2]), np.array([False, False, True]), ["a", "b", "c"])
    array([0, 2, 1])
    """
    places = np.arange(len(entries))
    starts, sizes = measure_groups(tied)
    for start, size in zip(starts[sizes > 1].tolist(), sizes[sizes > 1].tolist(), strict=True):
        members = [ids[entry] for entry in entries[start : start + size]]
        places[start : start + size] = start + order_by_id(members, descending=descending)
    return places


def rank_by_id(
    scores: FloatArray, masses: FloatArray, queries: IntArray, offsets: IntArray, ids: Sequence[str]
) -> tuple[IntArray, BoolArray, FloatArray] | None:
    """(items by query and descending score, equal ones by id; which tie with the one before; the scores in that order).

    ``masses`` are those of :func:`rank_scores`, ``offsets`` say where the items of each query begin. None where a score
    is not finite. The compiled twin does it in one step for ids that are plain texts.

    >>> rank_by_id(np.array([1.0, 2.0, 1.0]), np.zeros(3), np.zeros(3, dtype=int), np.array([0, 3]), ("a", "b", "c"))
    (array([1, 2, 0]), array([False, False,  True]), array([2., 1., 1.]))
    """
    found = ranked.rank_texts(scores, masses, offsets, (TIE_TOLERANCE, LEAST), ids) if isinstance(ids, tuple) else None
    if found is not None:
        return found[0]
    if not np.isfinite(scores).all():
        return None
    order, tied = rank_scores(scores, masses, queries, len(offsets) - 1)
    descending = scores[order]
    if tied.any():
        break_ties(order, tied, descending, ids)
    return order, tied, descending


def break_ties(order: IntArray, tied: BoolArray, scores: FloatArray, ids: Sequence[str]) -> None:
    """Equal items by id, descending, all with the score of the first of them: in place.

    ``order``, ``tied`` and ``scores`` are those of the ranked items, ``ids`` their ids by number. The compiled twin
    does it where there is one.
    """
    places = (ids.address, ids.length) if hasattr(ids, "address") and hasattr(ids, "length") else None
    if places is not None and id_columns.order_tied_ids(order, tied, scores, *places):
        return
    if ranked.order_tied_texts(order, tied, scores, ids):
        return
    order[:] = order[order_ties(order, tied, ids)]
    starts, sizes = measure_groups(tied)
    scores[:] = np.repeat(scores[starts], sizes)
