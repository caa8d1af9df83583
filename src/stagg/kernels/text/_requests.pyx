# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Requests: Python lists and dicts to numbers, these to a consensus, and that to hits; and the twin of ``sharing``.

What is unusual in a request is left to others. The consensus of a positional method is that of ``methods.consensus``,
to the bit; it waits in C arrays, since most callers ask for its hits and no more.
"""

from cpython.object cimport PyObject
from cpython.ref cimport Py_DECREF, Py_INCREF
from libc.math cimport isfinite, rint
from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy

import types

import numpy as np

from stagg.kernels._units cimport power_of, scaled, unscaled
from stagg.kernels.text._ranking cimport Rule, break_ties, rank_items
from stagg.kernels.text._sorting cimport Keyed, falling, sort

cdef extern from "Python.h":
    object PyType_GenericAlloc(type kind, Py_ssize_t count)
    long long PyLong_AsLongLongAndOverflow(object number, int* overflow) except? -1
    int PyUnicode_Compare(object one, object other) except? -1

cdef long long EXACT = 9007199254740992  # 2^53: up to here every whole number is a double of its own
cdef Py_ssize_t MOST_ENTRIES = 100000000  # more are no request
cdef object member_descriptor = types.MemberDescriptorType


# --- lists to numbers -------------------------------------------------------------------------------------------------


cdef class Numbered:
    """The lists of a request in C arrays: the number of each entry's item, and in scored lists its score.

    ``items`` are the distinct items in order of appearance, ``lengths`` those of the lists; ``all_share``: each list
    that is not empty shares an item with another, or is the only one.
    """

    cdef readonly tuple items
    cdef readonly tuple lengths
    cdef readonly bint is_scored, has_ties, all_share
    cdef Py_ssize_t total
    cdef int64_t* entry  # list by list, each best first; the block that it begins holds the others
    cdef double* score
    cdef uint8_t* tied  # whether an entry ties with the one before

    def __dealloc__(self):
        free(self.entry)

    def arrays(self):
        """(items, numbers of the entries, lengths, whether an entry ties with the one before or None, scores or None)"""
        if not self.is_scored:  # then nothing ties
            return self.items, whole_array(self.entry, self.total), self.lengths, None, None
        tied, scores = flag_array(self.tied, self.total), float_array(self.score, self.total)
        return self.items, whole_array(self.entry, self.total), self.lengths, tied, scores

    def spread(self, const double[::1] gains):
        """(the gain of each entry by its place, whether it ties with the one before)"""
        cdef Py_ssize_t place = 0, j, length
        made = np.empty(self.total)
        cdef double[::1] entry_gains = made
        if not self.has_ties or gains.shape[0] < max(self.lengths):
            raise ValueError("nothing ties, or there are too few gains")
        for length in self.lengths:
            for j in range(length):
                entry_gains[place] = gains[j]
                place += 1
        return made, flag_array(self.tied, self.total)

    def rank(
        self, const double[::1] gains, bint by_entry, const double[::1] weights, bint exact, double tolerance,
        double least,
    ):
        """The items by the sums of their gains, each times the weight of its list; None where some are unusual.

        ``gains`` are those of the places of a list or, ``by_entry``, those of the entries. ``exact``: only equal sums
        tie. Unusual are no items at all, gains below 0 and sums that are not finite.
        """
        cdef Ranked made = Ranked.__new__(Ranked)
        cdef Py_ssize_t longest = self.total if by_entry else max(self.lengths)
        if gains.shape[0] < longest or (weights is not None and weights.shape[0] != len(self.lengths)):
            raise ValueError("expected a gain for every place and a weight for every list")
        if self.total == 0 or not made.fill(self, &gains[0], by_entry, weights, exact, Rule(tolerance, least)):
            return None
        return made

    cdef bint allot(self, list lists) except -1:
        """Room for the entries; whether all are lists, or dicts where they are scored."""
        cdef Py_ssize_t total = 0, length
        cdef list lengths = []
        for each in lists:
            if type(each) is not list and not (self.is_scored and type(each) is dict):
                return False
            length = len(each)
            lengths.append(length)
            total += length
        self.lengths, self.total = tuple(lengths), total
        self.entry = <int64_t*> calloc(total + 1, 17 if self.is_scored else 8)
        if self.entry == NULL:
            raise MemoryError
        self.score = <double*> (self.entry + total)
        self.tied = <uint8_t*> (self.entry + 2 * total)
        return True

    cdef bint read(self, list lists) except -1:
        """Best-first lists of text; False where somebody else must see to one."""
        cdef Py_ssize_t place = 0
        cdef Index index = Index.__new__(Index)
        if not self.allot(lists) or not index.begin(self.total, len(self.lengths)):
            return False
        for each in lists:
            if type(each) is not list:
                return False
            for item in <list> each:
                if not self.enter(index, item, &place):
                    return False
            if not index.end_list(self, place):
                return False
        return index.end(self)

    cdef bint read_scored(self, list lists) except -1:
        """Lists of ``{item: number}`` or ``[(item, number), ...]``, large = top."""
        cdef Py_ssize_t place = 0, start
        cdef Index index = Index.__new__(Index)
        if not self.allot(lists) or not index.begin(self.total, len(self.lengths)):
            return False
        for each in lists:
            start = place
            if type(each) is dict:
                for item, held in (<dict> each).items():
                    if not self.enter(index, item, &place) or not read_number(held, &self.score[place - 1]):
                        return False
            elif type(each) is list:
                for pair in <list> each:
                    if type(pair) is not tuple or len(<tuple> pair) != 2:
                        return False
                    item, held = (<tuple> pair)[0], (<tuple> pair)[1]
                    if not self.enter(index, item, &place) or not read_number(held, &self.score[place - 1]):
                        return False
            else:
                return False
            if not index.end_list(self, place):
                return False
            self.sort_list(start, place)
        return index.end(self)

    cdef inline bint enter(self, Index index, item, Py_ssize_t* place) except -1:
        """The next entry; False where it is unusual, or one more than there were: the collector may run a finaliser."""
        if type(item) is not str or place[0] == self.total or not index.enter(<str> item, &self.entry[place[0]]):
            return False
        place[0] += 1
        return True

    cdef int sort_list(self, Py_ssize_t start, Py_ssize_t end) except -1:
        """One list by falling score, equal ones as they stand, and which tie."""
        cdef Py_ssize_t k
        cdef double* score = self.score
        cdef Keyed* members
        for k in range(start + 1, end):
            if score[k] > score[k - 1]:
                members = <Keyed*> calloc(end - start, 2 * sizeof(Keyed))
                if members == NULL:
                    raise MemoryError
                sort_list(self.entry + start, score + start, members, end - start)
                free(members)
                break
        for k in range(start + 1, end):
            if score[k] == score[k - 1]:
                self.tied[k] = self.has_ties = True
        return 0


cdef class Index:
    """The numbers of the items of a request, by first appearance, and which lists share some.

    A table as that of a dict, without objects for the numbers.
    """

    cdef list items  # they hold what ``item`` points to
    cdef int64_t* last_seen  # the list that held an item last, from 1; the block that it begins holds the others
    cdef PyObject** item  # of each number
    cdef Py_hash_t* hash
    cdef int32_t* table  # numbers, from 1
    cdef uint8_t* shares  # whether a list, from 1, shares an item with another
    cdef size_t mask
    cdef Py_ssize_t count, current, lists, start  # the items so far; the list that is being read, from 1; its first entry

    def __dealloc__(self):
        free(self.last_seen)

    cdef bint begin(self, Py_ssize_t total, Py_ssize_t lists) except -1:
        """Room for so many items; False where they are too many to be a request."""
        cdef size_t size = 8
        if total > MOST_ENTRIES or lists > MOST_ENTRIES:
            return False
        while size < 2 * <size_t> total:
            size *= 2
        self.items, self.lists, self.current, self.mask = [], lists, 1, size - 1
        self.last_seen = <int64_t*> calloc(24 * <size_t> total + 4 * size + <size_t> lists + 1, 1)
        if self.last_seen == NULL:
            raise MemoryError
        self.item = <PyObject**> (self.last_seen + total)
        self.hash = <Py_hash_t*> (self.item + total)
        self.table = <int32_t*> (self.hash + total)
        self.shares = <uint8_t*> (self.table + size)
        return True

    cdef inline bint enter(self, str item, int64_t* entry) except -1:
        """The number of an item into its entry; False where the list has it already, or it is empty."""
        cdef Py_hash_t code = hash(item)
        cdef size_t rest = <size_t> code, place = rest & self.mask
        cdef Py_ssize_t number
        while self.table[place]:
            number = self.table[place] - 1
            if self.item[number] == <PyObject*> item or (
                self.hash[number] == code and PyUnicode_Compare(item, <object> self.item[number]) == 0
            ):
                if self.last_seen[number] == self.current:
                    return False
                self.shares[self.last_seen[number]] = self.shares[self.current] = True
                self.last_seen[number], entry[0] = self.current, number
                return True
            rest >>= 5  # as dicts do, so that no choice of ids makes it slow
            place = (5 * place + rest + 1) & self.mask
        number = self.count
        self.table[place] = <int32_t> number + 1
        self.item[number], self.hash[number], self.last_seen[number] = <PyObject*> item, code, self.current
        self.items.append(item)
        self.count, entry[0] = number + 1, number
        return len(item) > 0

    cdef bint end_list(self, Numbered made, Py_ssize_t place) except -1:
        """Whether the list had as many entries as it was said to have; the next one comes."""
        cdef Py_ssize_t length = made.lengths[self.current - 1] if self.current <= self.lists else -1
        cdef bint whole = place - self.start == length
        self.current += 1
        self.start = place
        return whole

    cdef bint end(self, Numbered made) except -1:
        """What is known now: the items, and whether all lists share some; False where there were fewer lists."""
        cdef Py_ssize_t k, lists = 0, sharing = 0
        if self.current != self.lists + 1:
            return False
        for k in range(self.lists):
            lists += (<Py_ssize_t> made.lengths[k]) > 0
            sharing += self.shares[k + 1]
        made.items, made.all_share = tuple(self.items), lists < 2 or sharing == lists
        return True


def numbered(list lists):
    """The items of best-first lists of texts, or of scored ones, as numbers.

    None where an id is no plain text or empty, a number is none or a whole one of 2^53 or more, a list holds an item
    twice, or is of another kind than the first that is not empty: somebody else must see to that.
    """
    cdef Numbered made = Numbered.__new__(Numbered)
    made.is_scored = are_scored(lists)
    return made if (made.read_scored(lists) if made.is_scored else made.read(lists)) else None


cdef bint are_scored(list lists) except -1:
    for each in lists:
        if type(each) is dict and <dict> each:
            return True
        if type(each) is list and <list> each:
            return type((<list> each)[0]) is tuple
    return False


cdef inline bint read_number(held, double* score) except -1:
    """A score; False where it is none, or loses digits."""
    cdef int overflow = 0
    cdef long long whole
    if type(held) is float:
        score[0] = held
        return isfinite(score[0])
    if type(held) is not int:
        return False
    whole = PyLong_AsLongLongAndOverflow(held, &overflow)
    score[0] = <double> whole
    return overflow == 0 and -EXACT < whole < EXACT


cdef whole_array(const int64_t* values, Py_ssize_t count):
    made = np.empty(count, dtype=np.int64)
    cdef int64_t[::1] view = made
    if count:
        memcpy(&view[0], values, count * sizeof(int64_t))
    return made


cdef float_array(const double* values, Py_ssize_t count):
    made = np.empty(count)
    cdef double[::1] view = made
    if count:
        memcpy(&view[0], values, count * sizeof(double))
    return made


cdef flag_array(const uint8_t* values, Py_ssize_t count):
    made = np.empty(count, dtype=np.uint8)
    cdef uint8_t[::1] view = made
    if count:
        memcpy(&view[0], values, count)
    return made.view(bool)


# --- numbers to a consensus -------------------------------------------------------------------------------------------


cdef class Ranked:
    """The items of a request by falling score, equal ones by id."""

    cdef readonly tuple items
    cdef int64_t* order  # the numbers of the items; the block that it begins holds the others
    cdef double* score
    cdef uint8_t* tied
    cdef Py_ssize_t count

    def __dealloc__(self):
        free(self.order)

    def arrays(self):
        """(numbers of the items, whether one ties with the one before, scores)"""
        order, scores = whole_array(self.order, self.count), float_array(self.score, self.count)
        return order, flag_array(self.tied, self.count), scores

    cdef bint fill(
        self, Numbered lists, const double* gains, bint by_entry, const double[::1] weights, bint exact, Rule rule
    ) except -1:
        """False where a gain is below 0, or a sum not finite."""
        cdef Py_ssize_t count = len(lists.items), k
        cdef bint any_ties = False
        cdef Sums sums
        self.items, self.count = lists.items, count
        self.order = <int64_t*> calloc(count, sizeof(int64_t) + sizeof(double) + 1)
        sums.total = <int64_t*> calloc(count, 4 * sizeof(int64_t) + 2 * sizeof(Keyed))
        try:
            if self.order == NULL or sums.total == NULL:
                raise MemoryError
            self.score = <double*> (self.order + count)
            self.tied = <uint8_t*> (self.score + count)
            sums.terms, sums.power = sums.total + count, <double*> (sums.total + 2 * count)
            sums.score, sums.members = <double*> (sums.total + 3 * count), <Keyed*> (sums.total + 4 * count)
            if not measure(lists, gains, by_entry, weights, &sums):
                return False
            for k in range(count):
                sums.power[k] = power_of(sums.power[k], sums.terms[k])
            add(lists, gains, by_entry, weights, &sums)
            for k in range(count):
                sums.score[k] = unscaled(sums.total[k], sums.power[k])
                if not isfinite(sums.score[k]):
                    return False
                sums.power[k] = 0.0 if exact else sums.score[k]  # from here on the mass
            rank_items(
                sums.score, sums.power, 0, count, rule, sums.members, sums.members + count, self.order, self.tied
            )
            for k in range(count):
                self.score[k] = sums.score[self.order[k]]
                any_ties = any_ties or self.tied[k]
        finally:
            free(sums.total)
        if any_ties:
            break_ties(self.order, self.tied, self.score, count, self.items)
        return True


cdef struct Sums:
    # of each item: its total in units, how many terms it has, the largest of them and then the factor to units
    int64_t* total
    int64_t* terms
    double* power
    double* score
    Keyed* members  # room to sort: twice as many as there are items


cdef bint measure(
    Numbered lists, const double* gains, bint by_entry, const double[::1] weights, Sums* sums
) except -1:
    """The largest term and the number of terms of every sum; False where a term is below 0 or not finite."""
    cdef Py_ssize_t place = 0, length, k, j
    cdef int64_t item
    cdef double value, weight
    for k in range(len(lists.lengths)):
        length, weight = lists.lengths[k], 1.0 if weights is None else weights[k]
        for j in range(length):
            item, value = lists.entry[place], gains[place if by_entry else j] * weight
            if not (value >= 0.0 and isfinite(value)):
                return False
            sums.terms[item] += 1
            sums.power[item] = max(sums.power[item], value)
            place += 1
    return True


cdef int add(Numbered lists, const double* gains, bint by_entry, const double[::1] weights, Sums* sums) except -1:
    """The terms, each in units of its sum, added up."""
    cdef Py_ssize_t place = 0, length, k, j
    cdef int64_t item
    cdef double weight
    for k in range(len(lists.lengths)):
        length, weight = lists.lengths[k], 1.0 if weights is None else weights[k]
        for j in range(length):
            item = lists.entry[place]
            sums.total[item] += <int64_t> rint(scaled(gains[place if by_entry else j] * weight, sums.power[item]))
            place += 1
    return 0


# --- lists by score, lists that share items ---------------------------------------------------------------------------


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


# --- objects with slots -----------------------------------------------------------------------------------------------


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

    def make_rows(self, tuple items, const int64_t[::1] entries, const double[::1] scores, source):
        """An object for every entry, of a class whose slots are item, rank (from 1), score and source, in this order."""
        cdef Py_ssize_t count = entries.shape[0], k, size = len(items)
        if scores.shape[0] < count:
            raise IndexError("there are too few scores")
        for k in range(count):
            if not 0 <= entries[k] < size:
                raise IndexError("an entry is out of range")
        return self.rows(items, &entries[0] if count else NULL, &scores[0] if count else NULL, count, source)

    def make_ranked_rows(self, Ranked ranked not None, Py_ssize_t most, source):
        """The same of the first ranked items."""
        return self.rows(ranked.items, ranked.order, ranked.score, min(most, ranked.count), source)

    cdef list rows(self, tuple items, const int64_t* entries, const double* scores, Py_ssize_t count, source):
        """The slots are filled where they stand, so that each object costs one allocation."""
        cdef list made = [None] * count
        cdef object one
        cdef Py_ssize_t k
        if self.count != 4:
            raise TypeError("expected four slots")
        for k in range(count):
            one = PyType_GenericAlloc(self.kind, 0)
            fill(one, self.place[0], items[entries[k]])
            fill(one, self.place[1], k + 1)
            fill(one, self.place[2], scores[k])
            fill(one, self.place[3], source)
            made[k] = one
        return made

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
