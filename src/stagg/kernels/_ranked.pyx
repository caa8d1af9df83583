# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""From scores to ranked rows: the compiled twins of ``ties.ranked`` and of the TREC writer of a consensus."""

from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.math cimport INFINITY, fabs, isfinite
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcpy

import numpy as np

from stagg.kernels._sorting cimport IdColumn, Keyed, by_id, falling, merge_sort, sort

cdef extern from "Python.h":
    int PyUnicode_Compare(object one, object other) except? -1

cdef extern from "math.h" nogil:
    float nextafterf(float x, float y)

cdef extern from *:
    """
    #include <stdint.h>
    #include <string.h>
    static inline uint32_t float_bits(float x) { uint32_t bits; memcpy(&bits, &x, 4); return bits; }
    static inline void copy_by_eight(char *to, const char *from, int64_t length) {  /* up to seven bytes more */
        for (int64_t k = 0; k < length; k += 8) memcpy(to + k, from + k, 8);
    }
    """
    ctypedef uint64_t uint128 "unsigned __int128"
    uint64_t float_bits(float x) noexcept nogil
    void copy_by_eight(char* to, const char* source, int64_t length) noexcept nogil

cdef enum:
    NUMBER = 400  # room for the text of a number
    FLOAT_DIGITS = 9  # digits that tell every float32 from every other

cdef double[20] TENS
cdef uint64_t[20] WHOLE_TENS
for _k in range(20):
    TENS[_k], WHOLE_TENS[_k] = float(10**_k), 10**_k

cdef float LARGEST = np.finfo(np.float32).max
cdef float LOWEST = np.finfo(np.float32).min / 2


cdef bytes EIGHT = bytes(8)


# --- order ------------------------------------------------------------------------------------------------------------


def ranked(const double[::1] scores, const int64_t[::1] offsets, double tolerance):
    """Items by query, then by descending score; and which of them tie with the one before."""
    order, ties = np.empty(scores.shape[0], dtype=np.int64), np.zeros(scores.shape[0], dtype=bool)
    rank(scores, offsets, tolerance, order, ties.view(np.uint8))
    return order, ties


def ranked_by_id(const double[::1] scores, const int64_t[::1] offsets, double tolerance, ids):
    """As :func:`ranked`, equal items by id: (order, ties, the scores in that order); None if one is not finite."""
    cdef Py_ssize_t count = scores.shape[0], k
    cdef bint any_ties = False
    for k in range(count):
        if not isfinite(scores[k]):
            return None
    order, ties, descending = np.empty(count, dtype=np.int64), np.zeros(count, dtype=bool), np.empty(count)
    cdef int64_t[::1] places = order
    cdef uint8_t[::1] tied = ties.view(np.uint8)
    cdef double[::1] falling_scores = descending
    rank(scores, offsets, tolerance, places, tied)
    for k in range(count):
        falling_scores[k] = scores[places[k]]
        any_ties = any_ties or tied[k]
    if any_ties:
        break_ties(places, tied, falling_scores, ids)
    return order, ties, descending


cdef rank(
    const double[::1] scores, const int64_t[::1] offsets, double tolerance, int64_t[::1] places, uint8_t[::1] tied
):
    cdef Py_ssize_t queries = offsets.shape[0] - 1, query, k, low, count, largest = 1
    cdef double gap, most
    cdef Keyed* members
    for query in range(queries):
        largest = max(largest, offsets[query + 1] - offsets[query])
    members = <Keyed*> malloc(2 * largest * sizeof(Keyed))
    if members == NULL:
        raise MemoryError
    with nogil:
        for query in range(queries):
            low, count = offsets[query], offsets[query + 1] - offsets[query]
            if count == 0:
                continue
            most = keyed(&scores[low], count, low, members)
            sort(members, members + largest, count)
            for k in range(count):
                places[low + k] = members[k].item
                if k:
                    gap = scores[members[k - 1].item] - scores[members[k].item]
                    tied[low + k] = gap <= tolerance * most
    free(members)


def ties_by_id(int64_t[::1] order, const uint8_t[::1] tied, double[::1] scores, items):
    """Equal items by id, descending, and all with the score of the first of them: in place."""
    break_ties(order, tied, scores, items)


cdef break_ties(int64_t[::1] order, const uint8_t[::1] tied, double[::1] scores, items):
    cdef Py_ssize_t count = order.shape[0], start = 0, end, k
    while start < count:
        end = start + 1
        while end < count and tied[end]:
            end += 1
        if end - start > 1:
            larger_ids_first(order, start, end, items)
            for k in range(start + 1, end):
                scores[k] = scores[start]
        start = end


cdef larger_ids_first(int64_t[::1] order, Py_ssize_t start, Py_ssize_t end, items):
    """By insertion where they are few."""
    cdef Py_ssize_t k, place
    cdef int64_t one
    if end - start > 8:
        members = sorted([order[k] for k in range(start, end)], key=items.__getitem__, reverse=True)
        for k in range(start, end):
            order[k] = members[k - start]
        return
    for k in range(start + 1, end):
        one, place = order[k], k
        while place > start and PyUnicode_Compare(items[order[place - 1]], items[one]) < 0:
            order[place] = order[place - 1]
            place -= 1
        order[place] = one


cdef double keyed(const double* scores, int64_t count, int64_t first, Keyed* members) noexcept nogil:
    """The items with their keys; returns the largest |score|."""
    cdef double most = 0.0
    cdef int64_t k
    for k in range(count):
        members[k].key, members[k].item = falling(scores[k]), first + k
        most = max(most, fabs(scores[k]))
    return most


# --- numbers ----------------------------------------------------------------------------------------------------------


cdef int text_by_numpy(float number, char* text) noexcept with gil:
    """What is seldom: very large and very small numbers."""
    cdef bytes found
    try:
        if number == 0 or 1e-4 <= fabs(number) < 1e16:
            found = np.format_float_positional(np.float32(number), unique=True, trim="-").encode()
        else:
            found = np.format_float_scientific(np.float32(number), unique=True, trim="-", exp_digits=2).encode()
        memcpy(text, <const char*> found, len(found))
        return <int> len(found)
    except Exception:
        return 0


cdef int shortest(uint64_t bits, int power, int64_t* digits) noexcept nogil:
    """The fewest digits, ``digits`` · 10^-(returned), that read back as the float32 x > 0 with these bits, and of these
    the nearest to x; x · 10^power has nine digits before the point.

    In units of 2^-(shift) 10^-(power), x is 4m · 10^power, m its mantissa, and whatever lies closer to it than half the
    way to its neighbours, 2 units of 4m, reads back as x; at a power of two the neighbour below is only half as far.
    """
    cdef uint64_t mantissa = (bits & 0x7FFFFF) | 0x800000
    cdef int exponent = <int> (bits >> 23) - 150  # x = mantissa · 2^exponent
    cdef int shift = 2 - min(exponent, 0), dropped = 0
    cdef uint64_t units = mantissa << (2 + max(exponent, 0)), step = <uint64_t> 2 << max(exponent, 0)
    cdef uint128 ten = <uint128> WHOLE_TENS[min(power, 19)] * WHOLE_TENS[power - min(power, 19)]
    cdef uint128 x = units * ten, one = <uint128> 1 << shift
    cdef uint128 low = (units - (step if bits & 0x7FFFFF else step // 2)) * ten, high = (units + step) * ten
    cdef bint even = not bits & 1  # then the ends of the interval, too, read back as x
    cdef int64_t least = <int64_t> ((low + one - 1) >> shift), most = <int64_t> (high >> shift)
    cdef int64_t whole = <int64_t> (x >> shift), below = whole, size = 1, rest, kept
    cdef bint fraction = (x & (one - 1)) != 0, down, up
    if not even:
        least += (low & (one - 1)) == 0
        most -= (high & (one - 1)) == 0
    rest = (x >> (shift - 1)) & 1  # of nine digits: to the nearest, a half to the even one
    up = rest and ((x & ((one >> 1) - 1)) != 0 or whole & 1)
    up = (up and whole + 1 <= most) or whole < least
    kept = whole + up
    while dropped < FLOAT_DIGITS - 1:
        size *= 10
        below = <uint64_t> below // 10
        down, up = below * size >= least, (below + 1) * size <= most
        if not down and not up:
            break
        dropped += 1
        if down and up:
            rest = 2 * (whole - below * size) - size
            up = rest > 0 or (rest == 0 and (fraction or below & 1))
        kept = below + up
    digits[0] = kept
    return power - dropped


cdef int float_text(float number, char* text) noexcept nogil:
    """The shortest text that reads back as the same float32: ``formats.trec.float32_text``.

    Steele & White, "How to print floating-point numbers accurately", PLDI 1990.
    """
    cdef double x = fabs(<double> number)
    cdef int length = 0, power = FLOAT_DIGITS - 1, count = 0, point, k
    cdef int64_t digits = 0
    cdef char[24] reversed_digits
    if x < 1e-12 or x >= 1e9:
        return text_by_numpy(number, text)
    if number < 0:
        text[0] = c"-"
        length = 1
    if x >= 1:
        while x >= TENS[FLOAT_DIGITS - power]:
            power -= 1
    else:
        while x * TENS[power - (FLOAT_DIGITS - 1)] < 1:
            power += 1
    power = shortest(float_bits(<float> x), power, &digits)
    while digits:
        reversed_digits[count] = 48 + <uint64_t> digits % 10
        digits = <uint64_t> digits // 10
        count += 1
    point = count - power  # digits before the point
    k = 0
    while k < count - 1 and reversed_digits[k] == 48:
        k += 1  # zeros at the end
    return length + spelled(reversed_digits + k, count - k, point, x < 1e-4, text + length)


cdef int spelled(const char* reversed_digits, int count, int point, bint scientific, char* text) noexcept nogil:
    """Digits, the last first, with so many of them before the point."""
    cdef int k, length = 0
    if scientific:
        text[0] = reversed_digits[count - 1]
        length = 1
        if count > 1:
            text[1] = c"."
            length = 2
            for k in range(count - 2, -1, -1):
                text[length] = reversed_digits[k]
                length += 1
        text[length], text[length + 1] = c"e", c"-"
        text[length + 2], text[length + 3] = 48 + (1 - point) // 10, 48 + (1 - point) % 10
        return length + 4
    if point <= 0:
        text[0], text[1] = c"0", c"."
        length = 2
        for k in range(-point):
            text[length] = 48
            length += 1
    for k in range(count - 1, -1, -1):
        if point == count - 1 - k and point > 0:
            text[length] = c"."
            length += 1
        text[length] = reversed_digits[k]
        length += 1
    for k in range(count, point):
        text[length] = 48
        length += 1
    return length


def number_text(float number):
    """The text of a float32. For tests."""
    cdef char[NUMBER] text
    return PyBytes_FromStringAndSize(text, float_text(number, text)).decode()


# --- rows -------------------------------------------------------------------------------------------------------------


cdef struct Text:
    char* start
    int64_t length, room


cdef inline bint reserved(Text* text, int64_t more) noexcept nogil:
    cdef void* larger
    if text.length + more <= text.room:
        return True
    larger = realloc(text.start, 2 * text.room + more)
    if larger == NULL:
        return False
    text.start, text.room = <char*> larger, 2 * text.room + more
    return True


cdef inline void append(Text* text, const char* more, int64_t length) noexcept nogil:
    copy_by_eight(text.start + text.length, more, length)
    text.length += length


cdef inline void append_rank(Text* text, int64_t rank) noexcept nogil:
    cdef char[32] digits
    cdef int k = 24
    while rank:
        k -= 1
        digits[k] = 48 + rank % 10
        rank //= 10
    append(text, &digits[k], 24 - k)


cdef bint write_query(
    const double* scores, int64_t first, int64_t count, int64_t top, double tolerance, Keyed* members, Keyed* spare,
    const int64_t* address, const int32_t* length, const char* head, int64_t head_length,
    const char* tail, int64_t tail_length, Text* text,
) noexcept nogil:
    """The first ``top`` rows of one query, whose items are first, first + 1, ...; False when there is no memory left."""
    cdef double most = keyed(scores + first, count, first, members), score
    cdef int64_t rank = 0, start = 0, end, k
    cdef float written = <float> INFINITY, strict
    cdef IdColumn ids
    ids.address, ids.length = address, length
    sort(members, spare, count)
    while start < count and rank < top:
        end = start + 1
        while end < count and scores[members[end - 1].item] - scores[members[end].item] <= tolerance * most:
            end += 1
        score = scores[members[start].item]
        if end - start > 1:
            merge_sort(members + start, spare, end - start, by_id, &ids)
        for k in range(start, min(end, top)):
            strict = max(LOWEST, min(LARGEST, <float> score))
            if strict >= written:
                strict = nextafterf(written, -<float> INFINITY)
            written = strict
            rank += 1
            if not reserved(text, head_length + length[members[k].item] + tail_length + NUMBER + 32):
                return False
            append(text, head, head_length)
            append(text, <const char*> address[members[k].item], length[members[k].item])
            text.start[text.length] = c" "
            text.length += 1
            append_rank(text, rank)
            text.start[text.length] = c" "
            text.length += 1
            text.length += float_text(written, text.start + text.length)
            append(text, tail, tail_length)
        start = end
    return True


def written(
    const double[::1] scores, const int64_t[::1] offsets, const int64_t[::1] address, const int32_t[::1] length,
    list queries, bytes tag, int64_t top, double tolerance,
):
    """TREC rows of the first ``top`` items of each query, best first, scores strictly falling as float32.

    Query q has the id ``queries[q]`` and the items ``offsets[q]:offsets[q+1]``; item i has the id of ``length[i]`` bytes
    at ``address[i]``, after which seven more can be read. Scores no further apart than ``tolerance`` times the largest
    are equal, and equal items go by id.
    """
    cdef Py_ssize_t count = offsets.shape[0] - 1, q, largest = 1
    cdef Text text
    cdef Keyed* members
    cdef bint well = True
    cdef bytes head, tail = b" " + tag + b"\n" + EIGHT  # what is copied eight bytes at a time has some to spare
    cdef const char* head_start
    cdef const char* tail_start = tail
    cdef int64_t head_length, tail_length = len(tail) - 8
    for q in range(count):
        largest = max(largest, offsets[q + 1] - offsets[q])
    text.length, text.room = 0, 1 << 16
    text.start = <char*> malloc(text.room)
    members = <Keyed*> malloc(2 * largest * sizeof(Keyed))
    try:
        if text.start == NULL or members == NULL:
            raise MemoryError
        for q in range(count):
            if offsets[q + 1] == offsets[q]:
                continue
            head = queries[q] + b" Q0 " + EIGHT
            head_start, head_length = head, len(head) - 8
            with nogil:
                well = write_query(
                    &scores[0], offsets[q], offsets[q + 1] - offsets[q], top, tolerance, members, members + largest,
                    &address[0], &length[0], head_start, head_length, tail_start, tail_length, &text,
                )
            if not well:
                raise MemoryError
        return PyBytes_FromStringAndSize(text.start, text.length)
    finally:
        free(text.start)
        free(members)
