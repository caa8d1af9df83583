# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The compiled twins of what goes over pairs of items: ``pair_wins``, ``markov.shared_choices``, ``inserted``."""

from libc.math cimport rint
from libc.stdint cimport int16_t, int64_t
from libc.string cimport memset

import numpy as np


def counted_wins(const int16_t[:, ::1] own, const int16_t[:, ::1] others, const int16_t[::1] weights):
    """W[i, j] = Σ_k weights[k] where own[k, i] < others[k, j]; the weights add up to no more than an int16 holds."""
    cdef Py_ssize_t lists = own.shape[0], n = own.shape[1], i, j, k
    found = np.empty((n, n))
    cdef double[:, ::1] wins = found
    cdef int16_t[::1] counts = np.empty(n + 1, dtype=np.int16)
    cdef int16_t* row = &counts[0]
    cdef int16_t mine, weight
    cdef const int16_t* other
    with nogil:
        for i in range(n):
            memset(row, 0, n * sizeof(int16_t))
            for k in range(lists):
                other, mine, weight = &others[k, 0], own[k, i], weights[k]
                for j in range(n):
                    row[j] += weight if mine < other[j] else 0
            for j in range(n):
                wins[i, j] = row[j]
    return found


def weighed_wins(const double[:, ::1] own, const double[:, ::1] others, const double[::1] weights):
    """The same for any weights, added up in the order of the lists."""
    cdef Py_ssize_t lists = own.shape[0], n = own.shape[1], i, j, k
    found = np.zeros((n, n))
    cdef double[:, ::1] wins = found
    cdef double mine, weight
    cdef const double* other
    cdef double* row
    with nogil:
        for i in range(n):
            row = &wins[i, 0]
            for k in range(lists):
                other, mine, weight = &others[k, 0], own[k, i], weights[k]
                for j in range(n):
                    row[j] += weight if mine < other[j] else 0.0
    return found


def added_wins(const double[:, ::1] own, const double[:, ::1] others, const int64_t[::1] weights):
    """The same for whole numbers, whose sum 64 bits hold."""
    cdef Py_ssize_t lists = own.shape[0], n = own.shape[1], i, j, k
    found = np.zeros((n, n), dtype=np.int64)
    cdef int64_t[:, ::1] wins = found
    cdef int64_t weight
    cdef double mine
    cdef const double* other
    cdef int64_t* row
    with nogil:
        for i in range(n):
            row = &wins[i, 0]
            for k in range(lists):
                other, mine, weight = &others[k, 0], own[k, i], weights[k]
                for j in range(n):
                    row[j] += weight if mine < other[j] else 0
    return found


def inserted(const Py_ssize_t[:, :] margin, const Py_ssize_t[::1] start):
    """The items of ``start`` inserted in turn at the end, each moving up while it beats the one above."""
    cdef Py_ssize_t n = start.shape[0], k, place, new
    found = np.empty(n, dtype=np.intp)
    cdef Py_ssize_t[::1] order = found
    with nogil:
        for k in range(n):
            new, place = start[k], k
            while place > 0 and margin[new, order[place - 1]] > 0:
                order[place] = order[place - 1]
                place -= 1
            order[place] = new
    return found


def shared_choices(const double[:, ::1] places, const double[::1] weights, double unit):
    """C[p, q] = Σ_k of list k's weight, in whole parts of ``unit``, shared among all that stand at or before p."""
    cdef Py_ssize_t lists = places.shape[0], n = places.shape[1], p, q, k, choices
    found = np.zeros((n, n))
    cdef double[:, ::1] counts = found
    cdef double mine, share
    cdef const double* place
    cdef double* row
    with nogil:
        for p in range(n):
            row = &counts[p, 0]
            for k in range(lists):
                place, mine, choices = &places[k, 0], places[k, p], 0
                for q in range(n):
                    choices += place[q] <= mine
                share = rint(weights[k] / max(choices, 1) * unit / lists)
                for q in range(n):
                    row[q] += share if place[q] <= mine else 0.0
    return found


def add_votes(
    double[:, ::1] wins,
    const Py_ssize_t[::1] order,
    const Py_ssize_t[::1] rest,
    const double[:, ::1] inside,
    const double[:, ::1] outside,
    double share,
):
    """Add a list's expected votes, in whole parts of ``share``: between its places, and with the items of ``rest``."""
    cdef Py_ssize_t length = order.shape[0], others = rest.shape[0], a, b
    cdef double gained, lost
    cdef double* row
    with nogil:
        for a in range(length):
            row = &wins[order[a], 0]
            for b in range(length):
                row[order[b]] += rint(share * inside[a, b])
            gained = rint(share * outside[0, a])
            lost = rint(share * outside[1, a])
            for b in range(others):
                row[rest[b]] += gained
                wins[rest[b], order[a]] += lost
