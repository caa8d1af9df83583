# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""The compiled twin of how ``data.construct`` numbers the items of a request's lists, of how its hits are made, and of
``sharing``."""

from cpython.object cimport PyObject
from cpython.ref cimport Py_DECREF, Py_INCREF
from libc.math cimport fabs, isfinite
from libc.stdint cimport int64_t, uint8_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy

import types

import numpy as np

from stagg.kernels.text._sorting cimport Keyed, falling, sort

cdef extern from "Python.h":
    object PyType_GenericAlloc(type kind, Py_ssize_t count)
    Py_ssize_t PyLong_AsSsize_t(PyObject* number) except? -1
    PyObject* found_in "PyDict_GetItemWithError" (dict index, str key) except? NULL

cdef double EXACT = 9007199254740992.0  # 2^53: up to here every whole number is a double of its own
cdef object member_descriptor = types.MemberDescriptorType


def numbered(list lists):
    """(the distinct items in order of appearance, the number of each entry's item, the length of each list).

    None where a list is not a list of plain text, or holds an empty text or an item twice: somebody else must see to
    that.
    """
    cdef Py_ssize_t total = 0, place = 0, number, k
    cdef dict index = {}
    cdef PyObject* found
    cdef int64_t* last_seen  # the list that held an item last, from 1
    for each in lists:
        if type(each) is not list:
            return None
        total += len(<list> each)
    entries = np.empty(total, dtype=np.int64)
    cdef int64_t[::1] entry = entries
    last_seen = <int64_t*> calloc(total + 1, sizeof(int64_t))
    if last_seen == NULL:
        raise MemoryError
    try:
        for k, each in enumerate(lists, 1):
            for item in <list> each:
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
    if "" in index:
        return None
    return tuple(index), entries, [len(each) for each in lists]


def scored(list lists):
    """Lists of ``{item: number}`` or ``[(item, number), ...]``, large = top: as :func:`numbered`, each best first.

    (items, numbers of the entries, lengths, whether an entry ties with the one before, scores). None where an id is no
    plain text or empty, a number is none or a whole one of 2^53 or more, or a list holds an item twice: somebody else
    must see to that.
    """
    cdef Py_ssize_t total = 0, place = 0, start, number, k
    cdef int64_t which = 0
    cdef dict index = {}
    cdef PyObject* found
    cdef double value
    cdef bint falling
    for each in lists:
        if type(each) is not dict and type(each) is not list:
            return None
        total += len(each)
    entries, scores, tied = np.empty(total, dtype=np.int64), np.empty(total), np.zeros(total, dtype=np.uint8)
    cdef int64_t[::1] entry = entries
    cdef double[::1] score = scores
    cdef uint8_t[::1] ties = tied
    cdef int64_t* spare = <int64_t*> calloc(5 * total + 1, sizeof(int64_t))
    if spare == NULL:
        raise MemoryError
    cdef int64_t* last_seen = spare + 4 * total
    try:
        for each in lists:
            start, falling = place, True
            which += 1
            for pair in (<dict> each).items() if type(each) is dict else each:
                if type(pair) is not tuple or len(<tuple> pair) != 2:
                    return None
                item, held = (<tuple> pair)[0], (<tuple> pair)[1]
                if type(item) is not str or not (type(held) is float or type(held) is int):
                    return None
                try:
                    value = held
                except OverflowError:
                    return None
                if not isfinite(value) or (fabs(value) >= EXACT and type(held) is int):
                    return None
                found = found_in(index, <str> item)
                if found == NULL:
                    number = len(index)
                    index[item] = number
                else:
                    number = PyLong_AsSsize_t(found)
                if last_seen[number] == which:
                    return None
                last_seen[number] = which
                entry[place] = number
                score[place] = value
                falling = falling and (place == start or value <= score[place - 1])
                place += 1
            if not falling:
                sort_list(&entry[start], &score[start], <Keyed*> spare, place - start)
            for k in range(start + 1, place):
                ties[k] = score[k] == score[k - 1]
    finally:
        free(spare)
    if "" in index:
        return None
    return tuple(index), entries, [len(each) for each in lists], tied.view(bool), scores


cdef void sort_list(int64_t* entry, double* score, Keyed* members, Py_ssize_t count) noexcept nogil:
    """One list by falling score, equal ones as they stand; there are twice as many members as the list has."""
    cdef int64_t* entries = <int64_t*> (members + count)
    cdef double* scores = <double*> (entries + count)
    cdef Py_ssize_t k
    for k in range(count):
        members[k].key, members[k].item = falling(score[k]), k
    sort(members, members + count, count)
    for k in range(count):
        entries[k], scores[k] = entry[members[k].item], score[members[k].item]
    memcpy(entry, entries, count * sizeof(int64_t))
    memcpy(score, scores, count * sizeof(double))


def mark_sharing(
    const int64_t[::1] entries, const int64_t[::1] entry_offsets, const int64_t[::1] list_rankers, Py_ssize_t items,
    uint8_t[::1] sharing,
):
    """As ``sharing.mark_sharing``; it ends as soon as every ranker that has a list is marked."""
    cdef Py_ssize_t lists = list_rankers.shape[0], k, e, left = 0
    cdef int64_t item, other
    cdef int64_t* last_seen = <int64_t*> calloc(items + 1, sizeof(int64_t))  # the list that held an item last, from 1
    cdef uint8_t* marks = <uint8_t*> calloc(sharing.shape[0] + 1, 1)  # 1: has a list, 2: shares an item
    if last_seen == NULL or marks == NULL:
        free(last_seen)
        free(marks)
        raise MemoryError
    with nogil:
        for k in range(lists):
            if not marks[list_rankers[k]]:
                marks[list_rankers[k]] = 1 + sharing[list_rankers[k]]
                left += not sharing[list_rankers[k]]
        for k in range(lists):
            if not left:
                break
            for e in range(entry_offsets[k], entry_offsets[k + 1]):
                item = entries[e]
                other = last_seen[item]
                last_seen[item] = k + 1
                if other:
                    left -= mark(marks, list_rankers[k]) + mark(marks, list_rankers[other - 1])
        for k in range(sharing.shape[0]):
            sharing[k] |= marks[k] == 2
    free(last_seen)
    free(marks)
    return left == 0


cdef inline Py_ssize_t mark(uint8_t* marks, int64_t ranker) noexcept nogil:
    """Mark a ranker that shares an item; whether it was not marked before."""
    cdef Py_ssize_t new = marks[ranker] == 1
    marks[ranker] = 2
    return new


def rows(type kind, tuple names, tuple items, const int64_t[::1] entries, const double[::1] scores, source):
    """An object for every entry, of a class whose slots are named: its item, its rank (from 1), its score, the source.

    The slots are filled where they stand, so that each object costs one allocation.
    """
    cdef Py_ssize_t count = entries.shape[0], k, size = len(items)
    cdef Py_ssize_t[4] place
    cdef list made = [None] * count
    cdef object one
    for k in range(4):
        place[k] = slot_offset(kind, names[k])
    for k in range(count):
        if not 0 <= entries[k] < size:
            raise IndexError("an entry is out of range")
        one = PyType_GenericAlloc(kind, 0)
        fill(one, place[0], items[entries[k]])
        fill(one, place[1], k + 1)
        fill(one, place[2], scores[k])
        fill(one, place[3], source)
        made[k] = one
    return made


cdef class Slots:
    """Where the slots of a class stand: copies of its objects are made by copying them."""

    cdef type kind
    cdef dict places
    cdef Py_ssize_t[64] place
    cdef Py_ssize_t count

    def __init__(self, type kind, tuple names):
        if len(names) > 64:
            raise ValueError("too many slots")
        self.kind, self.count, self.places = kind, len(names), {}
        for k, name in enumerate(names):
            self.place[k] = slot_offset(kind, name)
            self.places[name] = self.place[k]

    def copy(self, original, dict changes):
        """An object with the slots of another, all of which must be filled, some of them changed."""
        cdef object made
        cdef Py_ssize_t k
        cdef PyObject* held
        cdef PyObject** slot
        if type(original) is not self.kind:
            raise TypeError("expected an object of the class itself")
        made = PyType_GenericAlloc(self.kind, 0)
        for k in range(self.count):
            held = (<PyObject**> ((<char*> <PyObject*> original) + self.place[k]))[0]
            if held == NULL:
                raise AttributeError("a slot is empty")
            fill(made, self.place[k], <object> held)
        for name, value in changes.items():
            slot = <PyObject**> ((<char*> <PyObject*> made) + <Py_ssize_t> self.places[name])
            held = slot[0]
            Py_INCREF(value)
            slot[0] = <PyObject*> value
            Py_DECREF(<object> held)
        return made


cdef Py_ssize_t slot_offset(type kind, str name) except -1:
    """Where a slot stands in the objects of its class."""
    cdef Py_ssize_t place, size = kind.__basicsize__
    cdef object probe, mark = object()
    descriptor = kind.__dict__[name]
    if type(descriptor) is not member_descriptor:
        raise TypeError("expected a slot")
    probe = PyType_GenericAlloc(kind, 0)
    descriptor.__set__(probe, mark)  # the stable ABI does not say where a slot stands: look for what was put there
    for place in range(0, size, sizeof(PyObject*)):
        if (<PyObject**> ((<char*> <PyObject*> probe) + place))[0] == <PyObject*> mark:
            return place
    raise TypeError("expected a slot that holds an object")


cdef inline void fill(object one, Py_ssize_t place, object value):
    """Put a value into a slot that is empty."""
    Py_INCREF(value)
    (<PyObject**> ((<char*> <PyObject*> one) + place))[0] = <PyObject*> value
