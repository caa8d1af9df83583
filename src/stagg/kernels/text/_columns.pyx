# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Rows of (query, ranker, item, key) as the arrays of Rankings: grouped by counting, sorted only where they are not."""

from libc.stdint cimport int64_t, uint8_t
from libc.stdlib cimport calloc, free, malloc, qsort
from libc.string cimport memset

import numpy as np

from stagg.kernels.text._sorting cimport Keyed, falling, sort


def renumber(const int64_t[::1] codes, int64_t count):
    """(codes numbered by first appearance, old code of each new one); codes that do not appear have no number."""
    cdef Py_ssize_t rows = codes.shape[0], k
    cdef int64_t distinct = 0, code
    new, old = np.empty(rows, dtype=np.int64), np.empty(count, dtype=np.int64)
    cdef int64_t[::1] new_view = new, old_view = old
    number = np.full(count, -1, dtype=np.int64)
    cdef int64_t[::1] number_view = number
    with nogil:
        for k in range(rows):
            code = codes[k]
            if number_view[code] < 0:
                number_view[code] = distinct
                old_view[distinct] = code
                distinct += 1
            new_view[k] = number_view[code]
    return new, old[:distinct].copy()


cdef bint group(const int64_t[::1] keys, int64_t[::1] rows, int64_t[::1] starts) noexcept nogil:
    """The rows by key, equal ones as they stand; ``starts`` gets where each key begins. Whether they stood so already."""
    cdef Py_ssize_t count = keys.shape[0], k
    cdef bint grouped = True
    for k in range(count):
        starts[keys[k] + 1] += 1
        rows[k] = k
        if k and keys[k] < keys[k - 1]:
            grouped = False
    for k in range(starts.shape[0] - 1):
        starts[k + 1] += starts[k]
    if not grouped:
        for k in range(count):  # starts[key] moves to where key + 1 begins, and back
            rows[starts[keys[k]]] = k
            starts[keys[k]] += 1
        for k in range(starts.shape[0] - 1, 0, -1):
            starts[k] = starts[k - 1]
        starts[0] = 0
    return grouped


cdef int by_number(const void* one, const void* other) noexcept nogil:
    cdef int64_t a = (<const int64_t*> one)[0], b = (<const int64_t*> other)[0]
    return (a > b) - (a < b)


cdef struct Spare:
    Keyed* members  # twice as many as the longest list had that was sorted
    int64_t room


cdef bint sort_rows(const double* keys, int64_t* order, Spare* spare, int64_t count) noexcept nogil:
    """The rows of one list by rising key, equal ones as they stand; False when there is no memory left."""
    cdef int64_t k
    if count > spare.room:
        free(spare.members)
        spare.members = <Keyed*> malloc(2 * count * sizeof(Keyed))
        spare.room = count if spare.members != NULL else 0
        if spare.members == NULL:
            return False
    for k in range(count):
        spare.members[k].key, spare.members[k].item = falling(-keys[order[k]]), order[k]
    sort(spare.members, spare.members + count, count)
    for k in range(count):
        order[k] = spare.members[k].item
    return True


def assemble(
    const int64_t[::1] query, const int64_t[::1] ranker, const int64_t[::1] item, const double[::1] keys,
    int64_t queries, int64_t rankers, int64_t items,
):
    """The lists of all queries; rows with small keys come first in their list.

    ``query``, ``ranker`` and ``item`` are codes; queries and rankers are numbered by first appearance. Returns None where
    an item stands twice in a list, else (row of first appearance of each item of each query, item_offsets, list_offsets,
    list_rankers, entry_offsets, entries, tied, row of each entry).
    """
    cdef Py_ssize_t rows = query.shape[0], k
    cdef int64_t q, r, row, low, high, at, found = 0, lists = 0, position, touched
    cdef bint rising
    cdef int64_t[::1] start_view = np.zeros(queries + 1, dtype=np.int64), by_query = np.empty(rows, dtype=np.int64)
    with nogil:
        group(query, by_query, start_view)
    first, item_offsets = np.empty(rows, dtype=np.int64), np.zeros(queries + 1, dtype=np.int64)
    flat, list_offsets = np.empty(rows, dtype=np.int64), np.zeros(queries + 1, dtype=np.int64)
    list_rankers, entry_offsets = np.empty(rows, dtype=np.int64), np.zeros(rows + 1, dtype=np.int64)
    order, entries, tied = np.empty(rows, dtype=np.int64), np.empty(rows, dtype=np.int64), np.zeros(rows, dtype=np.uint8)
    cdef int64_t[::1] first_view = first, item_view = item_offsets, flat_view = flat, list_view = list_offsets
    cdef int64_t[::1] owner_view = list_rankers, entry_view = entry_offsets, order_view = order, entries_view = entries
    cdef uint8_t[::1] tied_view = tied
    cdef int64_t* number = <int64_t*> malloc(max(items, 1) * sizeof(int64_t))  # of an item within the query at hand
    cdef int64_t* counts = <int64_t*> calloc(max(rankers, 1), sizeof(int64_t))
    cdef int64_t* owners = <int64_t*> malloc(max(rankers, 1) * sizeof(int64_t))  # the rankers of the query at hand
    cdef Spare spare
    cdef int64_t* last = <int64_t*> malloc(max(rows, 1) * sizeof(int64_t))  # the last list that held an item
    cdef bint twice = False, failed = False
    spare.members, spare.room = NULL, 0
    try:
        if number == NULL or counts == NULL or owners == NULL or last == NULL:
            raise MemoryError
        with nogil:
            memset(number, 255, items * sizeof(int64_t))
            for q in range(queries):
                low, high = start_view[q], start_view[q + 1]
                at, touched = found, 0
                for k in range(low, high):
                    row = by_query[k]
                    position = number[item[row]]
                    if position < at:  # not met in this query: what other queries numbered lies before
                        position = found
                        number[item[row]] = found
                        first_view[found], last[found] = row, -1
                        found += 1
                    flat_view[row] = position
                    if counts[ranker[row]] == 0:
                        owners[touched] = ranker[row]
                        touched += 1
                    counts[ranker[row]] += 1
                item_view[q + 1] = found
                qsort(owners, touched, sizeof(int64_t), by_number)
                for r in range(touched):
                    owner_view[lists] = owners[r]
                    entry_view[lists + 1] = entry_view[lists] + counts[owners[r]]
                    counts[owners[r]] = entry_view[lists]  # from here on: where the next row of the list goes
                    lists += 1
                for k in range(low, high):
                    row = by_query[k]
                    order_view[counts[ranker[row]]] = row
                    counts[ranker[row]] += 1
                for r in range(touched):
                    counts[owners[r]] = 0
                list_view[q + 1] = lists
                for r in range(list_view[q], lists):
                    position, high = entry_view[r], entry_view[r + 1]
                    rising = True
                    for k in range(position + 1, high):
                        if keys[order_view[k]] < keys[order_view[k - 1]]:
                            rising = False
                            break
                    if not rising:
                        failed = failed or not sort_rows(&keys[0], &order_view[position], &spare, high - position)
                    for k in range(position, high):
                        row = order_view[k]
                        if last[flat_view[row]] == r:
                            twice = True
                        last[flat_view[row]] = r
                        entries_view[k] = flat_view[row]
                        tied_view[k] = k > position and keys[row] == keys[order_view[k - 1]]
    finally:
        free(number)
        free(counts)
        free(owners)
        free(spare.members)
        free(last)
    if failed:
        raise MemoryError
    if twice:
        return None
    return (
        first[:found].copy(), item_offsets, list_offsets, list_rankers[:lists].copy(), entry_offsets[: lists + 1].copy(),
        entries, tied.view(bool), order,
    )
