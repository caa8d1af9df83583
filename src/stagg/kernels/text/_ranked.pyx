# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""From scores to ranked rows: the compiled twins of ``ties.ranked`` and of the TREC writer of a consensus."""

from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.math cimport INFINITY, isfinite
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport free, malloc

import numpy as np

from stagg.kernels.text._numbers cimport write_float, write_whole
from stagg.kernels.text._ranking cimport Rule, break_ties, equal, keyed, rank_items
from stagg.kernels.text._rows cimport NUMBER, Text, begin_text, end_field, end_row, place, put_text, reserve
from stagg.kernels.text._sorting cimport IdColumn, Keyed, by_id, merge_sort, sort

cdef extern from "math.h" nogil:
    float nextafterf(float x, float y)

cdef float LARGEST = np.finfo(np.float32).max
cdef float LOWEST = np.finfo(np.float32).min / 2


# --- order ------------------------------------------------------------------------------------------------------------


def ranked(
    const double[::1] scores, const double[::1] masses, const int64_t[::1] offsets, double tolerance, double least
):
    """Items by query, then by descending score; and which of them tie with the one before."""
    order, ties = np.empty(scores.shape[0], dtype=np.int64), np.zeros(scores.shape[0], dtype=bool)
    rank(scores, masses, offsets, Rule(tolerance, least), order, ties.view(np.uint8))
    return order, ties


def ranked_by_id(
    const double[::1] scores, const double[::1] masses, const int64_t[::1] offsets, double tolerance, double least, ids
):
    """As :func:`ranked`, equal items by id: (order, ties, the scores in that order); None if one is not finite."""
    cdef Py_ssize_t count = scores.shape[0], k
    cdef bint any_ties = False
    for k in range(count):
        if not isfinite(scores[k]):
            return None
    order, ties, descending = np.empty(count, dtype=np.int64), np.zeros(count, dtype=bool), np.empty(count)
    cdef int64_t[::1] places = order
    cdef uint8_t[::1] tied = ties.view(np.uint8)
    cdef double[::1] falling_scores = descending
    rank(scores, masses, offsets, Rule(tolerance, least), places, tied)
    for k in range(count):
        falling_scores[k] = scores[places[k]]
        any_ties = any_ties or tied[k]
    if any_ties:
        break_ties(&places[0], &tied[0], &falling_scores[0], count, ids)
    return order, ties, descending


cdef rank(
    const double[::1] scores, const double[::1] masses, const int64_t[::1] offsets, Rule rule,
    int64_t[::1] places, uint8_t[::1] tied,
):
    cdef Py_ssize_t queries = offsets.shape[0] - 1, query, low, count, largest = 1
    cdef Keyed* members
    for query in range(queries):
        largest = max(largest, offsets[query + 1] - offsets[query])
    members = <Keyed*> malloc(2 * largest * sizeof(Keyed))
    if members == NULL:
        raise MemoryError
    with nogil:
        for query in range(queries):
            low, count = offsets[query], offsets[query + 1] - offsets[query]
            if count == 0:
                continue
            rank_items(
                &scores[0], &masses[0], low, count, rule, members, members + largest, &places[low], &tied[low]
            )
    free(members)


def ties_by_id(int64_t[::1] order, const uint8_t[::1] tied, double[::1] scores, items):
    """Equal items by id, descending, and all with the score of the first of them: in place."""
    if order.shape[0]:
        break_ties(&order[0], &tied[0], &scores[0], order.shape[0], items)


# --- rows -------------------------------------------------------------------------------------------------------------


cdef bint write_query(
    const double* scores, const double* masses, int64_t first, int64_t count, int64_t top, Rule rule,
    Keyed* members, Keyed* spare, const int64_t* address, const int32_t* length, const char* head, int64_t head_length,
    const char* tag, int64_t tag_length, Text* text,
) noexcept nogil:
    """The first ``top`` rows of one query, whose items are first, first + 1, ...; False when there is no memory left."""
    cdef double score
    cdef int64_t rank = 0, start = 0, end, k
    cdef float written = <float> INFINITY, strict
    cdef IdColumn ids
    ids.address, ids.length = address, length
    keyed(scores + first, count, first, members)
    sort(members, spare, count)
    while start < count and rank < top:
        end = start + 1
        while end < count and equal(scores, masses, members[end - 1].item, members[end].item, rule):
            end += 1
        score = scores[members[start].item]
        if end - start > 1:
            merge_sort(members + start, spare, end - start, by_id, &ids)
        for k in range(start, min(end, top)):
            strict = max(LOWEST, min(LARGEST, <float> score))
            if strict >= written:
                strict = nextafterf(written, -<float> INFINITY)
            written = strict
            rank += 1
            if not reserve(text, head_length + length[members[k].item] + tag_length + 3 * NUMBER):
                return False
            put_text(text, head, head_length)
            end_field(text, c" ")
            put_text(text, <const char*> address[members[k].item], length[members[k].item])
            end_field(text, c" ")
            text.length += write_whole(rank, place(text), 1)
            end_field(text, c" ")
            text.length += write_float(written, place(text))
            end_field(text, c" ")
            put_text(text, tag, tag_length)
            end_field(text, c" ")
            end_row(text)
        start = end
    return True


cdef struct Head:
    const char* start
    int64_t length


def written(
    const double[::1] scores, const double[::1] masses, const int64_t[::1] offsets, const int64_t[::1] address,
    const int32_t[::1] length, list queries, bytes tag, int64_t top, double tolerance, double least,
):
    """TREC rows of the first ``top`` items of each query, best first, scores strictly falling as float32.

    Query q has the id ``queries[q]`` and the items ``offsets[q]:offsets[q+1]``; item i has the id of ``length[i]`` bytes
    at ``address[i]``. Scores no further apart than ``tolerance`` times the larger of their masses, and scores below
    ``least``, are equal, and equal items go by id.
    """
    cdef Py_ssize_t count = offsets.shape[0] - 1, q, largest = 1
    cdef Text text
    cdef Keyed* members
    cdef bint well = True
    cdef Rule rule = Rule(tolerance, least)
    cdef list heads = [query + b" Q0" for query in queries]
    cdef Head* head = <Head*> malloc((count + 1) * sizeof(Head))
    cdef const char* tag_start = tag
    cdef int64_t tag_length = len(tag)
    for q in range(count):
        largest = max(largest, offsets[q + 1] - offsets[q])
    well = begin_text(&text)
    members = <Keyed*> malloc(2 * largest * sizeof(Keyed))
    try:
        if not well or members == NULL or head == NULL:
            raise MemoryError
        for q in range(count):
            head[q].start, head[q].length = <bytes> heads[q], len(<bytes> heads[q])
        with nogil:  # once for all queries: to take the lock again is to wait for another thread
            for q in range(count):
                if offsets[q + 1] == offsets[q]:
                    continue
                well = write_query(
                    &scores[0], &masses[0], offsets[q], offsets[q + 1] - offsets[q], top, rule,
                    members, members + largest, &address[0], &length[0], head[q].start, head[q].length, tag_start, tag_length, &text,
                )
                if not well:
                    break
        if not well:
            raise MemoryError
        return PyBytes_FromStringAndSize(text.start, text.length)
    finally:
        free(text.start)
        free(members)
        free(head)
