# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""The compiled twin of how ``data.construct`` numbers the items of a request's lists: one look at each id."""

from cpython.object cimport PyObject
from libc.math cimport isfinite
from libc.stdint cimport int64_t, uint8_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy

import numpy as np

cdef extern from "Python.h":
    Py_ssize_t PyLong_AsSsize_t(PyObject* number) except? -1
    PyObject* found_in "PyDict_GetItemWithError" (dict index, str key) except? NULL


def numbered(list lists):
    """(the distinct items in order of appearance, the number of each entry's item, the length of each list).

    None where a list is not a list or tuple of plain text, or holds an item twice: somebody else must see to that.
    """
    cdef Py_ssize_t total = 0, place = 0, number, k
    cdef dict index = {}
    cdef PyObject* found
    cdef int64_t* last_seen  # the list that held an item last, from 1
    for each in lists:
        if type(each) is not list and type(each) is not tuple:
            return None
        total += len(each)
    entries = np.empty(total, dtype=np.int64)
    cdef int64_t[::1] entry = entries
    last_seen = <int64_t*> calloc(total + 1, sizeof(int64_t))
    if last_seen == NULL:
        raise MemoryError
    try:
        for k, each in enumerate(lists, 1):
            for item in each:
                if type(item) is not str:
                    return None
                found = found_in(index, <str> item)
                if found == NULL:
                    number = len(index)
                    index[item] = number
                else:
                    number = PyLong_AsSsize_t(found)
                if last_seen[number] == k:
                    return None
                last_seen[number] = k
                entry[place] = number
                place += 1
    finally:
        free(last_seen)
    return tuple(index), entries, [len(each) for each in lists]


def scored(list lists):
    """Lists of ``{item: number}``, large = top: as :func:`numbered`, the entries of each list best first.

    (items, numbers of the entries, lengths, whether an entry ties with the one before, scores). None where an id is no
    plain text or a number is none: somebody else must see to that.
    """
    cdef Py_ssize_t total = 0, place = 0, start, k
    cdef dict index = {}, mine
    cdef PyObject* found
    cdef double value
    cdef bint falling
    for each in lists:
        if type(each) is not dict:
            return None
        total += len(<dict> each)
    entries, scores, tied = np.empty(total, dtype=np.int64), np.empty(total), np.zeros(total, dtype=np.uint8)
    cdef int64_t[::1] entry = entries
    cdef double[::1] score = scores
    cdef uint8_t[::1] ties = tied
    cdef int64_t* spare = <int64_t*> malloc((4 * total + 1) * sizeof(int64_t))
    if spare == NULL:
        raise MemoryError
    try:
        for each in lists:
            mine, start, falling = <dict> each, place, True
            for item, number in mine.items():
                if type(item) is not str or not (type(number) is float or type(number) is int):
                    return None
                try:
                    value = number
                except OverflowError:
                    return None
                if not isfinite(value):
                    return None
                found = found_in(index, <str> item)
                if found == NULL:
                    entry[place] = len(index)
                    index[item] = len(index)
                else:
                    entry[place] = PyLong_AsSsize_t(found)
                score[place] = value
                falling = falling and (place == start or value <= score[place - 1])
                place += 1
            if not falling:
                sort_list(&entry[start], &score[start], spare, place - start)
            for k in range(start + 1, place):
                ties[k] = score[k] == score[k - 1]
    finally:
        free(spare)
    return tuple(index), entries, [len(each) for each in lists], tied.view(bool), scores


cdef void sort_list(int64_t* entry, double* score, int64_t* spare, Py_ssize_t count) noexcept nogil:
    """One list by falling score, equal ones as they stand: its places merged from runs of one."""
    cdef int64_t* order = spare
    cdef int64_t* other = spare + count
    cdef int64_t* swap
    cdef Py_ssize_t width = 1, low, middle, high, i, j, k
    for k in range(count):
        order[k] = k
    while width < count:
        low = 0
        while low < count:
            middle, high = min(low + width, count), min(low + 2 * width, count)
            i, j = low, middle
            for k in range(low, high):
                if i < middle and (j >= high or score[order[i]] >= score[order[j]]):
                    other[k] = order[i]
                    i += 1
                else:
                    other[k] = order[j]
                    j += 1
            low = high
        swap, order, other = order, other, order
        width *= 2
    cdef int64_t* entries = spare + 2 * count
    cdef double* scores = <double*> (spare + 3 * count)
    for k in range(count):
        entries[k], scores[k] = entry[order[k]], score[order[k]]
    memcpy(entry, entries, count * sizeof(int64_t))
    memcpy(score, scores, count * sizeof(double))
