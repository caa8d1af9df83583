# cython: language_level=3
"""The one sort of the kernels, inline: members by a whole number, or by whatever a comparison says; always stable."""

from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.string cimport memcmp, memcpy, memset

cdef extern from *:
    """
    #include <stdint.h>
    #include <string.h>
    #ifndef STAGG_SORTING
    #define STAGG_SORTING
    static inline uint64_t double_bits(double x) { uint64_t bits; memcpy(&bits, &x, 8); return bits; }
    #endif
    """
    uint64_t double_bits(double x) noexcept nogil

cdef enum:
    FEW = 128  # so many are sorted by merging
    DIGITS = 256

cdef struct Keyed:
    uint64_t key  # smaller comes first
    int64_t item

cdef struct IdColumn:
    const int64_t* address  # of the id of each item
    const int32_t* length

ctypedef bint (*NotAfter)(const Keyed* one, const Keyed* other, const void* context) noexcept nogil


cdef inline uint64_t falling(double number) noexcept nogil:
    """A key that falls as the number rises; 0.0 and -0.0 are one."""
    cdef uint64_t bits = double_bits(number + 0.0)
    return bits if bits >> 63 else ~bits & <uint64_t> 0x7FFFFFFFFFFFFFFF


cdef inline bint by_key(const Keyed* one, const Keyed* other, const void* context) noexcept nogil:
    return one.key <= other.key


cdef inline bint is_larger(const void* one, int64_t length, const void* other, int64_t other_length) noexcept nogil:
    """Whether an id is bytewise larger than another."""
    cdef int difference = memcmp(one, other, min(length, other_length))
    return difference > 0 or (difference == 0 and length > other_length)


cdef inline bint by_id(const Keyed* one, const Keyed* other, const void* context) noexcept nogil:
    """Larger ids first; the context is an IdColumn."""
    cdef const IdColumn* ids = <const IdColumn*> context
    return not is_larger(
        <const void*> ids.address[other.item], ids.length[other.item], <const void*> ids.address[one.item], ids.length[one.item]
    )


cdef inline void merge_sort(
    Keyed* members, Keyed* spare, int64_t count, NotAfter not_after, const void* context
) noexcept nogil:
    """Runs of 8 by insertion, then merged; ``not_after`` says whether one may stay before another."""
    cdef int64_t width = 8, low, middle, high, i, j, k
    cdef Keyed one
    cdef Keyed* source = members
    cdef Keyed* target = spare
    for low in range(0, count, 8):
        for i in range(low + 1, min(low + width, count)):
            one, j = members[i], i
            while j > low and not not_after(&members[j - 1], &one, context):
                members[j] = members[j - 1]
                j -= 1
            members[j] = one
    while width < count:
        low = 0
        while low < count:
            middle, high = min(low + width, count), min(low + 2 * width, count)
            i, j = low, middle
            for k in range(low, high):
                if i < middle and (j >= high or not_after(&source[i], &source[j], context)):
                    target[k] = source[i]
                    i += 1
                else:
                    target[k] = source[j]
                    j += 1
            low = high
        source, target = target, source
        width *= 2
    if source != members:
        memcpy(members, source, count * sizeof(Keyed))


cdef inline void sort_by_digits(Keyed* members, Keyed* spare, int64_t count, int lowest) noexcept nogil:
    """Digit by digit of base 256, from the given one up; a digit that all share is left out."""
    cdef int64_t[8][DIGITS] places
    cdef int64_t k, place, held
    cdef int digit, value
    cdef Keyed* source = members
    cdef Keyed* target = spare
    memset(places, 0, sizeof(places))
    for k in range(count):
        for digit in range(lowest, 8):
            places[digit][(members[k].key >> (8 * digit)) & 255] += 1
    for digit in range(lowest, 8):
        if places[digit][(members[0].key >> (8 * digit)) & 255] == count:
            continue
        place = 0
        for value in range(DIGITS):
            held = places[digit][value]
            places[digit][value] = place
            place += held
        for k in range(count):
            value = (source[k].key >> (8 * digit)) & 255
            target[places[digit][value]] = source[k]
            places[digit][value] += 1
        source, target = target, source
    if source != members:
        memcpy(members, source, count * sizeof(Keyed))


cdef inline void sort(Keyed* members, Keyed* spare, int64_t count) noexcept nogil:
    """By key; members of equal key stay as they are."""
    cdef int64_t low = 0, high
    if count <= FEW:
        merge_sort(members, spare, count, by_key, NULL)
        return
    sort_by_digits(members, spare, count, 4)  # by the upper half of the key, which tells nearly all apart
    while low < count:
        high = low + 1
        while high < count and members[high].key >> 32 == members[low].key >> 32:
            high += 1
        if high - low > FEW:
            sort_by_digits(members + low, spare, high - low, 0)
        elif high - low > 1:
            merge_sort(members + low, spare, high - low, by_key, NULL)
        low = high
