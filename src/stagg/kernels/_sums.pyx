# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The compiled twin of ``sums.sums_in_numpy``: the same fixed-point sums, one entry at a time."""

from libc.math cimport fabs, frexp, isfinite, ldexp, rint
from libc.stdint cimport int64_t
from libc.stdlib cimport calloc, free

import numpy as np

cdef enum:
    BITS = 62


cdef inline double scaled(double value, int shift, double power) noexcept nogil:
    """value · 2^shift; ``power`` is 2^shift, or 0 where that is no ordinary number."""
    return value * power if power != 0.0 else ldexp(value, shift)


def sums_by_item(
    const double[::1] values, const int64_t[::1] items, const int64_t[::1] item_queries,
    const int64_t[::1] entry_queries, const int64_t[::1] lists,
):
    """The sum of the values of each item; None where a value is not finite."""
    cdef Py_ssize_t queries = lists.shape[0], count = values.shape[0], size = item_queries.shape[0], k, query
    cdef double largest
    cdef bint finite = True
    totals = np.zeros(size, dtype=np.int64)
    found = np.empty(size)
    cdef int64_t[::1] total = totals
    cdef double[::1] result = found
    cdef double* power = <double*> calloc(2 * queries + 1, sizeof(double))
    cdef int* shift = <int*> calloc(queries + 1, sizeof(int))
    if power == NULL or shift == NULL:
        free(power)
        free(shift)
        raise MemoryError
    with nogil:
        for k in range(count):
            query = entry_queries[k]
            largest = fabs(values[k])
            finite = finite and isfinite(largest)
            if largest > power[query]:
                power[query] = largest
        if finite:
            prepared(lists, power, shift)
            for k in range(count):
                query = entry_queries[k]
                total[items[k]] += <int64_t> rint(scaled(values[k], shift[query], power[query]))
            for k in range(size):
                query = item_queries[k]
                result[k] = scaled(<double> total[k], -shift[query], power[queries + query])
    free(power)
    free(shift)
    return found if finite else None


cdef void prepared(const int64_t[::1] lists, double* power, int* shift) noexcept nogil:
    """From the largest value of each query to its shift, 2^shift and, behind these, 2^-shift."""
    cdef Py_ssize_t queries = lists.shape[0], query
    cdef int exponent = 0, room = 0
    for query in range(queries):
        frexp(power[query], &exponent)  # largest < 2^exponent
        frexp(<double> lists[query], &room)  # at most `lists` terms < 2^room
        shift[query] = BITS - exponent - room
        power[query] = power[queries + query] = 0.0
        if -1000 < shift[query] < 1000:
            power[query], power[queries + query] = ldexp(1.0, shift[query]), ldexp(1.0, -shift[query])
