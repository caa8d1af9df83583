# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The compiled twins of the stochastic core: the recursions of ``rank_pmf`` and the weight tables of ``expectations``."""

from libc.string cimport memcpy

import numpy as np

cdef enum:
    LANES = 8  # exponentials whose products are made, and summed, together


# --- rank distributions -----------------------------------------------------------------------------------------------


cdef inline void one_more(double* pmf, Py_ssize_t contests, double lost) noexcept nogil:
    """Eq. 10: one more contest after so many, lost or won; ``pmf[contests + 1]`` is still 0."""
    cdef Py_ssize_t r
    cdef double won = 1.0 - lost
    for r in range(contests + 1, 0, -1):
        pmf[r] = pmf[r - 1] * lost + pmf[r] * won
    pmf[0] *= won


def rank_pmfs(const double[:, ::1] wins):
    """pmf[j, r] = P(R_j = r), from wins[i, j] = P(i beats j)."""
    cdef Py_ssize_t n = wins.shape[0], i, j, contests
    found = np.zeros((n, max(n, 1)))
    cdef double[:, ::1] pmf = found
    with nogil:
        for j in range(n):
            contests = 0
            pmf[j, 0] = 1.0
            for i in range(n):
                if i != j:  # nobody plays against himself
                    one_more(&pmf[j, 0], contests, wins[i, j])
                    contests += 1
    return found


cdef inline void longer(double* row, Py_ssize_t size, double lost) noexcept nogil:
    """The next row, behind this one: Eq. 10 again."""
    cdef double* after = row + size
    cdef double won = 1.0 - lost
    cdef Py_ssize_t r
    after[0] = row[0] * won
    for r in range(1, size):
        after[r] = row[r] * won + row[r - 1] * lost
    after[size] = row[size - 1] * lost


def growing(const double[::1] chance, const double[::1] start, double negligible):
    """(all rows one after another, where in its row each first and last exceeds ``negligible``)."""
    cdef Py_ssize_t first = start.shape[0], rows = chance.shape[0] + 1, k, size, low, high
    flat, ends = np.empty(rows * first + rows * (rows - 1) // 2), np.empty((rows, 2), dtype=np.intp)
    cdef double[::1] numbers = flat
    cdef Py_ssize_t[:, ::1] kept = ends
    cdef double* row = &numbers[0]
    with nogil:
        memcpy(row, &start[0], first * sizeof(double))
        for k in range(rows):
            size, low, high = first + k, 0, first + k
            while low < high and not row[low] > negligible:
                low += 1
            while high > low and not row[high - 1] > negligible:
                high -= 1
            kept[k, 0], kept[k, 1] = low, high
            if k < rows - 1:
                longer(row, size, chance[k])
            row += size
    return flat, ends


# --- weight tables ----------------------------------------------------------------------------------------------------


cdef void products(
    const double* chance, Py_ssize_t gaps, const double* bases, double* ahead, double* behind,
) noexcept nogil:
    """ahead[k, q] = Π_{d<=k} (1 - p_d + p_d t_q) and behind[k, q] = Π_{d<=k} (p_d + (1 - p_d) t_q)."""
    cdef double[LANES] shrink
    cdef double p, rest
    cdef Py_ssize_t k, q
    for q in range(LANES):
        shrink[q] = 1.0 - bases[q]
        ahead[q] = behind[q] = 1.0
    for k in range(gaps):
        p, rest = chance[k], 1.0 - chance[k]
        for q in range(LANES):
            ahead[LANES + q] = ahead[q] * (1.0 - p * shrink[q])
        for q in range(LANES):
            behind[LANES + q] = behind[q] * (1.0 - rest * shrink[q])
        ahead += LANES
        behind += LANES


cdef void add(
    const double* factors, const double* ahead, const double* behind, Py_ssize_t length, double* total,
) noexcept nogil:
    """total[k] += Σ_q factors[q] · ahead[k, q] · behind[length-1-k, q], the eight added by halves."""
    cdef double[LANES] term
    cdef Py_ssize_t k, q
    for k in range(length):
        for q in range(LANES):
            term[q] = factors[q] * (ahead[k * LANES + q] * behind[(length - 1 - k) * LANES + q])
        for q in range(4):
            term[q] += term[q + 4]
        total[k] += (term[0] + term[2]) + (term[1] + term[3])


def position_weights(
    const double[::1] chance, const double[::1] bases, const double[:, ::1] factors, const Py_ssize_t[::1] lengths,
):
    """The weights of the positions of lists of several lengths, one list after another."""
    cdef Py_ssize_t low, number, gaps = chance.shape[0]
    cdef double[:, ::1] room = np.empty((2, (gaps + 1) * LANES))
    found = np.zeros(np.sum(lengths))
    cdef double[::1] totals = found
    cdef double* total
    with nogil:
        for low in range(0, bases.shape[0], 8):
            products(&chance[0], gaps, &bases[low], &room[0, 0], &room[1, 0])
            total = &totals[0]
            for number in range(lengths.shape[0]):
                add(&factors[number, low], &room[0, 0], &room[1, 0], lengths[number], total)
                total += lengths[number]
    return found
