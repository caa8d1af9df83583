# cython: language_level=3
"""The order of a consensus, inline: scores that are equal by the tie rule, and equal items by id."""

from libc.math cimport fabs
from libc.stdint cimport int64_t, uint8_t

from stagg.kernels.text._sorting cimport Keyed, falling, sort

cdef extern from "Python.h":
    int PyUnicode_Compare(object one, object other) except? -1


cdef struct Rule:
    # two scores are equal that differ by at most ``tolerance`` times the larger of their masses, or lie below ``least``
    double tolerance
    double least


cdef inline bint equal(const double* scores, const double* masses, int64_t one, int64_t other, Rule rule) noexcept nogil:
    return (
        scores[one] - scores[other] <= rule.tolerance * max(fabs(masses[one]), fabs(masses[other]))
        or (fabs(scores[one]) < rule.least and fabs(scores[other]) < rule.least)
    )


cdef inline void keyed(const double* scores, int64_t count, int64_t first, Keyed* members) noexcept nogil:
    """The items with their keys."""
    cdef int64_t k
    for k in range(count):
        members[k].key, members[k].item = falling(scores[k]), first + k


cdef inline void rank_items(
    const double* scores, const double* masses, int64_t first, int64_t count, Rule rule, Keyed* members, Keyed* spare,
    int64_t* order, uint8_t* tied,
) noexcept nogil:
    """The items of one query, first, first + 1, ..., by falling score, and which of them tie with the one before."""
    cdef int64_t k
    keyed(scores + first, count, first, members)
    sort(members, spare, count)
    for k in range(count):
        order[k] = members[k].item
        tied[k] = k > 0 and equal(scores, masses, members[k - 1].item, members[k].item, rule)


cdef inline int break_ties(int64_t* order, const uint8_t* tied, double* scores, Py_ssize_t count, items) except -1:
    """Equal items by id, descending, and all with the score of the first of them: in place."""
    cdef Py_ssize_t start = 0, end, k
    while start < count:
        end = start + 1
        while end < count and tied[end]:
            end += 1
        if end - start > 1:
            larger_ids_first(order + start, end - start, items)
            for k in range(start + 1, end):
                scores[k] = scores[start]
        start = end
    return 0


cdef inline int larger_ids_first(int64_t* order, Py_ssize_t count, items) except -1:
    """By insertion where they are few."""
    cdef Py_ssize_t k, place
    cdef int64_t one
    if count > 8:
        members = sorted([order[k] for k in range(count)], key=items.__getitem__, reverse=True)
        for k in range(count):
            order[k] = members[k]
        return 0
    for k in range(1, count):
        one, place = order[k], k
        while place > 0 and PyUnicode_Compare(items[order[place - 1]], items[one]) < 0:
            order[place] = order[place - 1]
            place -= 1
        order[place] = one
    return 0
