# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The compiled twins of what goes along paths of majorities: ``widest_paths`` and ``lock_pairs``."""

from libc.stdint cimport uint64_t

import numpy as np


def widest_paths(const double[:, ::1] strengths):
    """P[i, j] = the largest strength of a path from i to j, a path being as strong as its weakest step."""
    cdef Py_ssize_t n = strengths.shape[0], i, j, k
    found = np.array(strengths)
    cdef double[:, ::1] widths = found
    cdef double first
    cdef double* row
    cdef double* through
    with nogil:
        for i in range(n):
            through = &widths[i, 0]
            for j in range(n):
                first, row = widths[j, i], &widths[j, 0]
                if i == j or first <= 0:
                    continue
                for k in range(n):
                    row[k] = max(row[k], min(first, through[k]))
    return found


def lock_pairs(const Py_ssize_t[::1] winners, const Py_ssize_t[::1] losers, Py_ssize_t n):
    """R[i, j] = whether i stands above j after the pairs were locked in turn, those left out that close a circle."""
    cdef Py_ssize_t words = (n + 63) // 64, each, row, word
    bits = np.zeros((n, max(words, 1)), dtype=np.uint64)  # bit j of row i: i stands above j
    cdef uint64_t[:, ::1] above = bits
    cdef Py_ssize_t winner, loser
    with nogil:
        for each in range(winners.shape[0]):
            winner, loser = winners[each], losers[each]
            if stands(above, winner, loser) or stands(above, loser, winner):
                continue
            for row in range(n):
                if row == winner or stands(above, row, winner):
                    for word in range(words):
                        above[row, word] |= above[loser, word]
                    above[row, loser >> 6] |= (<uint64_t> 1) << (loser & 63)
    columns = np.arange(n)
    return (bits[:, columns >> 6] >> (columns & 63).astype(np.uint64)) & np.uint64(1) == 1


cdef inline bint stands(uint64_t[:, ::1] above, Py_ssize_t one, Py_ssize_t other) noexcept nogil:
    return (above[one, other >> 6] >> (other & 63)) & 1
