# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The compiled twins of ``plackett_luce.sweep_in_numpy`` and ``curvature_in_numpy``: one list at a time."""

from libc.stdint cimport uint8_t

import numpy as np


def sweep(
    const double[::1] e, const double[::1] v, const Py_ssize_t[:, ::1] order, const Py_ssize_t[:, ::1] first,
    const uint8_t[:, ::1] chosen, const Py_ssize_t[:, ::1] ends, const double[:, ::1] weights,
):
    """(left, rate, choice) by list and place, and present by item."""
    cdef Py_ssize_t lists = order.shape[0], n = order.shape[1], k, s, i
    found = np.empty((3, lists, n)), np.zeros(n)
    cdef double[:, ::1] left = found[0][0], rate = found[0][1], choice = found[0][2]
    cdef double[::1] present = found[1]
    cdef double[::1] sums = np.zeros(n + 1)
    cdef double total
    with nogil:
        for k in range(lists):
            total = 0.0
            for s in range(n - 1, -1, -1):
                i = order[k, s]
                total += e[i] if i < n else 0.0
                sums[s] = total
            for s in range(n):
                left[k, s] = sums[first[k, s] - k * n] if chosen[k, s] else 1.0
                rate[k, s] = weights[k, 0] / left[k, s] if chosen[k, s] else 0.0
                choice[k, s] = v[order[k, s]] if chosen[k, s] else 0.0
            total = 0.0
            for s in range(n):
                total += rate[k, s]
                sums[s] = total
            sums[n] = 0.0  # whoever was at no stage
            for i in range(n):
                present[i] += sums[ends[k, i] - k * (n + 1)]
    return *found[0], found[1]


def curvature(
    const double[::1] e, const double[::1] expected, const double[:, ::1] left, const double[:, ::1] rate,
    const Py_ssize_t[:, ::1] ends,
):
    """H[i, j] = -e_i e_j Σ_k min(sums[k, i], sums[k, j]), and the expected wins on the diagonal."""
    cdef Py_ssize_t lists = left.shape[0], n = left.shape[1], k, s, i, j
    found = np.zeros((n, n))
    cdef double[:, ::1] dense = found
    cdef double[:, ::1] rows = np.empty((lists, n))
    cdef double[::1] sums = np.zeros(n + 1)
    cdef double total
    with nogil:
        for k in range(lists):
            total = 0.0
            for s in range(n):
                total += rate[k, s] / left[k, s]
                sums[s] = total
            for i in range(n):
                rows[k, i] = sums[ends[k, i] - k * (n + 1)]
        for i in range(n):
            for k in range(lists):
                add_minima(&rows[k, 0], rows[k, i], i + 1, &dense[i, 0])
        for i in range(n):
            for j in range(i):
                dense[j, i] = dense[i, j] * -e[i] * e[j]
                dense[i, j] = dense[i, j] * -e[j] * e[i]
            dense[i, i] = dense[i, i] * -e[i] * e[i] + expected[i]
    return found


cdef inline void add_minima(const double* row, double mine, Py_ssize_t count, double* total) noexcept nogil:
    cdef Py_ssize_t j
    for j in range(count):
        total[j] += row[j] if row[j] < mine else mine
