# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""The compiled twin of how ``data.construct`` numbers the items of best-first lists: one look at each id."""

from cpython.object cimport PyObject
from libc.stdint cimport int64_t
from libc.stdlib cimport calloc, free

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
