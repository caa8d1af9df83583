# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The compiled twins of ``bootstrap.resampled_ranks_in_numpy`` and ``ranks_of_in_numpy``: one draw at a time."""

from libc.math cimport fabs
from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.string cimport memcpy, memset

import numpy as np

cdef extern from *:
    """
    #include <stdint.h>
    #include <string.h>
    static inline uint64_t bits_of(double x) { uint64_t bits; memcpy(&bits, &x, 8); return bits; }
    """
    uint64_t bits_of(double x) noexcept nogil

cdef enum:
    FEW = 24  # so many are sorted by insertion
    MOST_BITS = 11
    BUCKETS = 2048  # 2^MOST_BITS
    DRAWS = 16  # ranks of so many draws are one line of the cache


cdef struct Keyed:
    uint64_t key  # smaller is better
    int64_t item


cdef inline uint64_t falling(double score) noexcept nogil:
    """A whole number that falls as the score rises; 0.0 and -0.0 are one, and NaN comes last."""
    cdef uint64_t bits = bits_of(score + 0.0)
    if score != score:
        return ~<uint64_t> 0
    return bits if bits >> 63 else ~bits & <uint64_t> 0x7FFFFFFFFFFFFFFF


cdef void insert(Keyed* members, int64_t count) noexcept nogil:
    """By key; members of equal key stay as they are. Quick where nobody has far to go."""
    cdef int64_t i, j
    cdef Keyed one
    for i in range(1, count):
        one, j = members[i], i
        while j > 0 and members[j - 1].key > one.key:
            members[j] = members[j - 1]
            j -= 1
        members[j] = one


cdef void sort(Keyed* members, Keyed* spare, int64_t count) noexcept nogil:
    """The same for many: dealt into buckets by the first bits in which they differ; whoever share one, by insertion."""
    if count > FEW:
        deal(members, spare, count)
    insert(members, count)


cdef void deal(Keyed* members, Keyed* spare, int64_t count) noexcept nogil:
    """Into buckets, and the members of large buckets into buckets again, until few share one or all those are equal."""
    cdef int32_t[BUCKETS + 1] starts
    cdef int64_t k, largest = 0
    cdef uint64_t low = members[0].key, high = members[0].key, bucket, last
    cdef int bits = 0, shift = 0
    for k in range(1, count):
        low = min(low, members[k].key)
        high = max(high, members[k].key)
    while bits < MOST_BITS and (count >> bits) > 0:
        bits += 1
    while ((high - low) >> shift) >> bits:
        shift += 1
    last = (high - low) >> shift
    memset(starts, 0, (last + 2) * sizeof(int32_t))
    for k in range(count):
        starts[((members[k].key - low) >> shift) + 1] += 1
    for bucket in range(1, last + 2):
        largest = max(largest, starts[bucket])
        starts[bucket] += starts[bucket - 1]
    for k in range(count):
        bucket = (members[k].key - low) >> shift
        spare[starts[bucket]] = members[k]
        starts[bucket] += 1  # becomes the end of the bucket
    memcpy(members, spare, count * sizeof(Keyed))
    if largest > FEW and shift > 0:
        k = 0
        for bucket in range(last + 1):
            if starts[bucket] - k > FEW:
                deal(members + k, spare, starts[bucket] - k)
            k = starts[bucket]


cdef struct Rule:
    # two scores are equal that differ by at most ``tolerance`` times the larger of their masses, or lie below ``least``
    double tolerance
    double least


cdef inline bint equal(const double* scores, const double* masses, int64_t one, int64_t other, Rule rule) noexcept nogil:
    return (
        scores[one] - scores[other] <= rule.tolerance * max(fabs(masses[one]), fabs(masses[other]))
        or (fabs(scores[one]) < rule.least and fabs(scores[other]) < rule.least)
    )


cdef bint rank(
    const double* scores, const double* masses, int64_t n, Rule rule, Keyed* members, int32_t* first, int32_t* last
) noexcept nogil:
    """first[i] and last[i], the places of the tied group of item i, from 0; whether a group has several items.

    ``members`` has room for 2n.
    """
    cdef int64_t i, start = 0, end, k
    cdef bint ties = False
    for i in range(n):
        members[i].key, members[i].item = falling(scores[i]), i
    sort(members, members + n, n)
    while start < n:
        end = start + 1
        while end < n and equal(scores, masses, members[end - 1].item, members[end].item, rule):
            end += 1
        for k in range(start, end):
            first[members[k].item], last[members[k].item] = <int32_t> start, <int32_t> (end - 1)
        ties = ties or end - start > 1
        start = end
    return ties


def ranks_of(const double[:, ::1] scores, const double[:, ::1] masses, double tolerance, double least):
    """(first, last)[draw, item], from 0, of scores[draw, item]."""
    cdef int64_t n = scores.shape[1], draw
    cdef uint64_t[::1] members = np.empty(4 * n + 1, dtype=np.uint64)
    cdef Rule rule = Rule(tolerance, least)
    found = np.empty((2, scores.shape[0], n), dtype=np.int32)
    cdef int32_t[:, :, ::1] ranks = found
    with nogil:
        for draw in range(scores.shape[0] if n else 0):
            rank(&scores[draw, 0], &masses[draw, 0], n, rule, <Keyed*> &members[0], &ranks[0, draw, 0], &ranks[1, draw, 0])
    return found[0], found[1]


cdef void weighted_sum(
    const double* weights, const double* contributions, int64_t lists, int64_t n, double* total,
) noexcept nogil:
    """total[i] = Σ_k weights[k] · contributions[k, i], in the order of k."""
    cdef int64_t i, k
    for i in range(n):
        total[i] = 0.0
    for k in range(lists):
        for i in range(n):
            total[i] += weights[k] * contributions[k * n + i]


def resampled_ranks(
    const double[:, ::1] weights, const double[:, ::1] contributions, const double[:, ::1] masses,
    double tolerance, double least,
):
    """(first, last)[item, draw], from 0, by descending weighted sums; the same array where nothing ever ties.

    ``masses`` is None where the contributions are their own.
    """
    cdef int64_t draws = weights.shape[0], lists = weights.shape[1], n = contributions.shape[1], low, high, draw, i, k
    cdef uint64_t[::1] members = np.empty(4 * n + 1, dtype=np.uint64)
    cdef double[:, ::1] total = np.empty((2, n + 1))
    cdef int32_t[:, :, ::1] rows = np.empty((2, DRAWS, n + 1), dtype=np.int32)
    cdef Rule rule = Rule(tolerance, least)
    cdef bint ties = False, own = masses is None
    found = np.empty((n, draws), dtype=np.int32)
    found_last = found
    cdef int32_t[:, ::1] first = found
    cdef int32_t[:, ::1] last = found_last
    for low in range(0, draws if n else 0, DRAWS):
        high = min(low + DRAWS, draws)
        with nogil:
            for draw in range(low, high):
                weighted_sum(&weights[draw, 0], &contributions[0, 0], lists, n, &total[0, 0])
                if not own:
                    weighted_sum(&weights[draw, 0], &masses[0, 0], lists, n, &total[1, 0])
                ties = rank(
                    &total[0, 0], &total[0 if own else 1, 0], n, rule, <Keyed*> &members[0],
                    &rows[0, draw - low, 0], &rows[1, draw - low, 0],
                ) or ties
        if ties and found_last is found:  # so far every item had one place
            found_last = found.copy()
            last = found_last
        with nogil:
            for i in range(n):
                for k in range(low, high):
                    first[i, k] = rows[0, k - low, i]
            if ties:
                for i in range(n):
                    for k in range(low, high):
                        last[i, k] = rows[1, k - low, i]
    return found, found_last
