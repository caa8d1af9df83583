# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The compiled twin of ``sums.sums_in_numpy``: the same fixed-point sums, one term at a time."""

from libc.math cimport fabs, isfinite, rint
from libc.stdint cimport int64_t
from libc.stdlib cimport calloc, free

import numpy as np

from stagg.kernels._units cimport power_of, scaled, unscaled


cdef struct Terms:
    # entries, and where there are lists, what each gives to the items of its query that it does not hold
    const double* values
    const int64_t* items
    int64_t count
    const double* rest
    const int64_t* entry_offsets
    const int64_t* list_queries
    const int64_t* item_offsets
    int64_t lists


cdef inline bint is_complete(const Terms* given, int64_t each, int64_t query) noexcept nogil:
    """Whether a list holds all items of its query, so that its rest is nobody's term (and may be infinite)."""
    cdef int64_t length = given.entry_offsets[each + 1] - given.entry_offsets[each]
    return length == given.item_offsets[query + 1] - given.item_offsets[query]


cdef bint measure(const Terms* given, double* largest, int64_t* terms, int64_t* holder, bint* signed) noexcept nogil:
    """The largest |term| and the number of terms of every sum; False where a term is not finite."""
    cdef int64_t k, each, item, query
    cdef double size
    cdef bint finite = True, absent
    for k in range(given.count):
        size = fabs(given.values[k])
        finite = finite and isfinite(size)
        signed[0] = signed[0] or given.values[k] < 0.0
        item = given.items[k]
        terms[item] += 1
        if size > largest[item]:
            largest[item] = size
    for each in range(given.lists):
        query, size = given.list_queries[each], fabs(given.rest[each])
        if is_complete(given, each, query):
            continue
        finite = finite and isfinite(size)
        signed[0] = signed[0] or given.rest[each] < 0.0
        for k in range(given.entry_offsets[each], given.entry_offsets[each + 1]):
            holder[given.items[k]] = each + 1
        for item in range(given.item_offsets[query], given.item_offsets[query + 1]):  # without a branch: many are wrong
            absent = holder[item] != each + 1
            terms[item] += absent
            largest[item] = max(largest[item], absent * size)
    return finite


cdef inline void add(
    const Terms* given, const double* power, int64_t* total, int64_t* holder, bint sizes, int64_t mark
) noexcept nogil:
    """The terms, or their ``sizes``, added up; ``mark`` (1 or -1) is another one than that of the step before."""
    cdef int64_t k, each, item, query
    cdef double value
    for k in range(given.count):
        item, value = given.items[k], given.values[k]
        total[item] += <int64_t> rint(scaled(fabs(value) if sizes else value, power[item]))
    for each in range(given.lists):
        query, value = given.list_queries[each], fabs(given.rest[each]) if sizes else given.rest[each]
        if is_complete(given, each, query):
            continue
        for k in range(given.entry_offsets[each], given.entry_offsets[each + 1]):
            holder[given.items[k]] = mark * (each + 1)
        for item in range(given.item_offsets[query], given.item_offsets[query + 1]):
            total[item] += <int64_t> rint(scaled((holder[item] != mark * (each + 1)) * value, power[item]))


def sums_by_item(
    const double[::1] values, const int64_t[::1] items, int64_t count,
    const double[::1] rest=None, const int64_t[::1] entry_offsets=None, const int64_t[::1] list_queries=None,
    const int64_t[::1] item_offsets=None,
):
    """(the sum of the terms of each item, the sum of their absolute values); None where a term is not finite."""
    cdef Terms given
    cdef int64_t k
    cdef bint finite, signed = False
    cdef double* power = <double*> calloc(count + 1, sizeof(double))
    cdef int64_t* total = <int64_t*> calloc(3 * count + 1, sizeof(int64_t))
    cdef int64_t* terms = total + count
    cdef int64_t* holder = total + 2 * count
    given.count, given.lists = values.shape[0], 0
    if given.count:
        given.values, given.items = &values[0], &items[0]
    if rest is not None and rest.shape[0]:
        given.rest, given.entry_offsets, given.list_queries = &rest[0], &entry_offsets[0], &list_queries[0]
        given.item_offsets, given.lists = &item_offsets[0], rest.shape[0]
    sums = np.empty(count)
    cdef double[::1] result = sums
    if power == NULL or total == NULL:
        free(power)
        free(total)
        raise MemoryError
    with nogil:
        finite = measure(&given, power, terms, holder, &signed)
        if finite:
            for k in range(count):
                power[k] = power_of(power[k], terms[k])
            add(&given, power, total, holder, False, -1)
            for k in range(count):
                result[k] = unscaled(total[k], power[k])
    masses = sums
    if finite and signed:
        masses = np.empty(count)
        result = masses
        with nogil:
            for k in range(count):
                total[k] = 0
            add(&given, power, total, holder, True, 1)
            for k in range(count):
                result[k] = unscaled(total[k], power[k])
    free(power)
    free(total)
    return (sums, masses) if finite else None
