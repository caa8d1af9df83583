# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Ids as columns of bytes: numbered by first appearance, brought side by side, made into text."""

import os

from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy

import numpy as np

from stagg.kernels.text._hashing cimport hashed, same
from stagg.kernels.text._sorting cimport IdColumn, Keyed, by_id, merge_sort

cdef uint64_t SEED = int.from_bytes(os.urandom(8), "little")  # nobody can plan ids that collide


def texts(const int64_t[::1] address, const int32_t[::1] length):
    """The ids at some addresses, as text."""
    cdef Py_ssize_t k
    return tuple([PyUnicode_DecodeUTF8(<const char*> address[k], length[k], NULL) for k in range(address.shape[0])])


def text(int64_t address, int32_t length):
    """One id as text."""
    return PyUnicode_DecodeUTF8(<const char*> address, length, NULL)


def gather(const int64_t[::1] address, const int32_t[::1] length):
    """(bytes, offsets): the ids end to end, as Arrow has them."""
    cdef Py_ssize_t k, count = address.shape[0]
    offsets = np.empty(count + 1, dtype=np.int64)
    cdef int64_t[::1] at = offsets
    at[0] = 0
    for k in range(count):
        at[k + 1] = at[k] + length[k]
    data = np.empty(at[count], dtype=np.uint8)
    cdef uint8_t[::1] target = data
    with nogil:
        for k in range(count):
            if length[k]:
                memcpy(&target[at[k]], <const void*> address[k], length[k])
    return data, offsets


def encode(const int64_t[::1] address, const int32_t[::1] length):
    """(code of each id, row of first appearance of each code): equal bytes have equal codes, numbered as they come."""
    cdef Py_ssize_t count = address.shape[0], k, distinct = 0
    cdef int64_t mask = 127, place
    cdef uint64_t h, slot
    cdef int64_t code
    cdef uint64_t* slots
    while mask < 2 * count:
        mask = 2 * mask + 1
    codes, first = np.empty(count, dtype=np.int64), np.empty(count, dtype=np.int64)
    cdef int64_t[::1] code_view = codes, first_view = first
    slots = <uint64_t*> calloc(mask + 1, sizeof(uint64_t))
    if slots == NULL:
        raise MemoryError
    with nogil:
        for k in range(count):
            if k and length[k] == length[k - 1] and same(
                <const uint8_t*> address[k], <const uint8_t*> address[k - 1], length[k]
            ):
                code_view[k] = code_view[k - 1]
                continue
            h = hashed(<const uint8_t*> address[k], length[k], SEED)
            place = h & mask
            while True:
                slot = slots[place]
                if slot == 0:
                    slots[place] = (h >> 32) << 32 | <uint64_t> (distinct + 1)
                    first_view[distinct], code_view[k] = k, distinct
                    distinct += 1
                    break
                if slot >> 32 == h >> 32:
                    code = <int64_t> (<uint32_t> slot) - 1
                    if length[first_view[code]] == length[k] and same(
                        <const uint8_t*> address[first_view[code]], <const uint8_t*> address[k], length[k]
                    ):
                        code_view[k] = code
                        break
                place = (place + 1) & mask
    free(slots)
    return codes, first[:distinct].copy()


def break_ties(
    int64_t[::1] order, const uint8_t[::1] tied, double[::1] scores, const int64_t[::1] address, const int32_t[::1] length
):
    """Equal items by id, descending, all with the score of the first of them: in place."""
    cdef Py_ssize_t rows = order.shape[0], start = 0, end, k
    cdef Keyed* members = <Keyed*> malloc(2 * max(rows, 1) * sizeof(Keyed))
    cdef IdColumn ids
    if members == NULL:
        raise MemoryError
    ids.address, ids.length = &address[0] if rows else NULL, &length[0] if rows else NULL
    with nogil:
        while start < rows:
            end = start + 1
            while end < rows and tied[end]:
                scores[end] = scores[start]
                end += 1
            if end - start > 1:
                for k in range(start, end):
                    members[k].item = order[k]
                merge_sort(members + start, members + rows, end - start, by_id, &ids)
                for k in range(start, end):
                    order[k] = members[k].item
            start = end
    free(members)
