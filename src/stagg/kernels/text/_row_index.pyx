# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Where the rows of each query lie in a text, whatever its dialect, found block by block without the interpreter lock."""

import os

from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memchr, memcpy

import numpy as np

from stagg.kernels.text._fields cimport (
    BLANKS, ID, LONGEST_LINE, NEWLINE, RETURN, Field, after_no_row, is_blank, read_row, read_text,
)
from stagg.kernels.text._hashing cimport hashed, same

cdef enum:
    SUFFIX = 256

cdef uint64_t SEED = int.from_bytes(os.urandom(8), "little")  # nobody can plan ids that collide


def is_text(const uint8_t[::1] content, int64_t end):
    """Whether the bytes before ``end`` are UTF-8 without a NUL."""
    cdef bint well = True
    cdef uint8_t bits = 0
    cdef int64_t k
    if end > 0:
        with nogil:
            for k in range(end):
                bits |= content[k]
            well = memchr(&content[0], 0, end) == NULL and (bits < 0x80 or is_utf8(&content[0], &content[0] + end))
    return well


cdef bint is_utf8(const uint8_t* p, const uint8_t* end) noexcept nogil:
    """The Unicode Standard, table 3-7: how many bytes follow on the first, and from where to where the second goes."""
    cdef int more, k
    cdef uint8_t low, high
    while p < end:
        if p[0] < 0x80:
            p += 1
            continue
        more = 1 + (p[0] >= 0xE0) + (p[0] >= 0xF0)
        low = 0xA0 if p[0] == 0xE0 else 0x90 if p[0] == 0xF0 else 0x80
        high = 0x9F if p[0] == 0xED else 0x8F if p[0] == 0xF4 else 0xBF
        if p[0] < 0xC2 or p[0] > 0xF4 or end - p <= more or p[1] < low or p[1] > high:
            return False
        for k in range(2, more + 1):
            if p[k] >> 6 != 2:
                return False
        p += more + 1
    return True


# --- names ------------------------------------------------------------------------------------------------------------


cdef class Names:
    """Distinct byte strings, numbered in the order in which they first came."""

    cdef uint8_t* text
    cdef int64_t* starts
    cdef uint64_t* slots  # the upper half of the hash beside the number + 1; 0 is free
    cdef int64_t count, room, text_room, mask

    def __cinit__(self):
        self.room, self.text_room, self.mask = 64, 1024, 127
        self.text = <uint8_t*> malloc(self.text_room)
        self.starts = <int64_t*> calloc(self.room + 1, sizeof(int64_t))
        self.slots = <uint64_t*> calloc(self.mask + 1, sizeof(uint64_t))
        if self.text == NULL or self.starts == NULL or self.slots == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.text)
        free(self.starts)
        free(self.slots)

    def __len__(self):
        return self.count

    def texts(self):
        """The strings, in order."""
        return [
            PyBytes_FromStringAndSize(<const char*> self.text + self.starts[k], self.starts[k + 1] - self.starts[k])
            for k in range(self.count)
        ]

    def decode(self):
        """The strings as text, in order."""
        return tuple([name.decode() for name in self.texts()])

    def take_in(self, Names other):
        """The numbers that the strings of another have here, where the new ones are added."""
        numbers = np.empty(other.count, dtype=np.int64)
        cdef int64_t[::1] view = numbers
        cdef int64_t k
        for k in range(other.count):
            view[k] = self.number(other.text + other.starts[k], other.starts[k + 1] - other.starts[k])
            if view[k] < 0:
                raise MemoryError
        return numbers

    cdef int64_t number(self, const uint8_t* p, int64_t length) noexcept nogil:
        """The number of a string, a new one if it is new; -1 when there is no memory left."""
        cdef uint64_t h = hashed(p, length, SEED), slot
        cdef int64_t place = h & self.mask, k
        while True:
            slot = self.slots[place]
            if slot == 0:
                break
            k = <int64_t> (<uint32_t> slot) - 1
            if slot >> 32 == h >> 32 and self.starts[k + 1] - self.starts[k] == length:
                if same(self.text + self.starts[k], p, length):
                    return k
            place = (place + 1) & self.mask
        if not self.grown(length):
            return -1
        place = h & self.mask
        while self.slots[place] != 0:
            place = (place + 1) & self.mask
        k = self.count
        self.slots[place] = (h >> 32) << 32 | <uint64_t> (k + 1)
        memcpy(self.text + self.starts[k], p, length)
        self.starts[k + 1] = self.starts[k] + length
        self.count = k + 1
        return k

    cdef bint grown(self, int64_t length) noexcept nogil:
        """Room for one more."""
        cdef void* larger
        cdef int64_t k
        while self.starts[self.count] + length > self.text_room:
            larger = realloc(self.text, 2 * self.text_room)
            if larger == NULL:
                return False
            self.text = <uint8_t*> larger
            self.text_room *= 2
        if self.count == self.room:
            if self.count >= 0x7FFFFFFF:
                return False
            larger = realloc(self.starts, (2 * self.room + 1) * sizeof(int64_t))
            if larger == NULL:
                return False
            self.starts = <int64_t*> larger
            self.room *= 2
        if 2 * (self.count + 1) > self.mask:
            larger = calloc(2 * (self.mask + 1), sizeof(uint64_t))
            if larger == NULL:
                return False
            free(self.slots)
            self.slots = <uint64_t*> larger
            self.mask = 2 * self.mask + 1
            for k in range(self.count):
                self.placed(k)
        return True

    cdef void placed(self, int64_t k) noexcept nogil:
        cdef uint64_t h = hashed(self.text + self.starts[k], self.starts[k + 1] - self.starts[k], SEED)
        cdef int64_t place = h & self.mask
        while self.slots[place] != 0:
            place = (place + 1) & self.mask
        self.slots[place] = (h >> 32) << 32 | <uint64_t> (k + 1)


# --- stretches --------------------------------------------------------------------------------------------------------


cdef inline void keep_field(void* keeper, int column, uint8_t kind, const Field* field) noexcept nogil:
    (<Field*> keeper)[column] = field[0]


cdef class Segments:
    """Stretches of lines of one query in a text; ``names`` are the queries, ``others`` the tags or the rankers.

    A stretch holds every line from its first to the first of the next stretch; lines that are no rows belong to any.
    ``rows`` counts the rows of tables. The rows of a run are not looked at: a run has the query at the beginning of a
    line and the tag at its end, and most lines begin and end as the line before them does.
    """

    cdef readonly Names names, others
    cdef readonly int64_t rows, count
    cdef uint8_t delimiter
    cdef bint comments, no_memory
    cdef bytes held_kinds
    cdef const uint8_t* kinds
    cdef Field* fields
    cdef int width, query_column, other_column
    cdef int64_t* found  # query, first byte, first line of each
    cdef int64_t room, query, query_length, other, suffix_length
    cdef uint8_t[SUFFIX] suffix  # how the last line ended, from its tag on

    def __cinit__(self, uint8_t delimiter=BLANKS, bytes kinds=b"", int query=0, int other=-1, bint comments=False):
        """Of a table: what each column holds, and which ones name the query and the ranker (-1: none does)."""
        self.names, self.others = Names(), Names()
        self.delimiter, self.comments, self.held_kinds, self.width = delimiter, comments, kinds, len(kinds)
        self.kinds, self.query_column, self.other_column = self.held_kinds, query, other
        self.room, self.query, self.other = 64, -1, -1
        self.found = <int64_t*> malloc(3 * self.room * sizeof(int64_t))
        self.fields = <Field*> calloc(self.width + 1, sizeof(Field))
        if self.found == NULL or self.fields == NULL:
            raise MemoryError
        if delimiter != BLANKS and not (0 <= query < self.width and kinds[query] == ID and -1 <= other < self.width):
            raise ValueError("expected the column of the query among the kinds")

    def __dealloc__(self):
        free(self.found)
        free(self.fields)

    def feed(self, const uint8_t[::1] content, int64_t start, int64_t end, int64_t line, int64_t first):
        """(stop, line of stop): take the lines from ``start``, which is in line ``line``, up to the first odd one.

        ``content`` begins at byte ``first`` of the text. ``end`` follows on a newline, and eight bytes follow on it;
        there is no NUL before it. ``stop`` is where the first odd line begins, ``end`` if there is none.
        """
        cdef const uint8_t* text
        cdef int64_t stop
        if not 0 <= start <= end <= content.shape[0] - 8 or (end and content[end - 1] != NEWLINE):
            raise ValueError("the rows must end with a newline, and eight bytes follow on it")
        text = &content[0]
        with nogil:
            stop = self.scan(text + start, text + end, &line, first - <int64_t> text) - text
        if self.no_memory:
            raise MemoryError
        return stop, line

    def add(self, list queries, list others, const int64_t[::1] starts, const int64_t[::1] lines):
        """Rows that somebody else looked at: their queries and, if there are any, their rankers, as bytes."""
        cdef Py_ssize_t k
        cdef Field field
        for k in range(len(queries)):
            field.begin = <const uint8_t*> <bytes> queries[k]
            field.end = field.begin + len(<bytes> queries[k])
            self.take_query(&field, starts[k], lines[k])
            self.rows += 1
            if others:
                field.begin = <const uint8_t*> <bytes> others[k]
                field.end = field.begin + len(<bytes> others[k])
                self.take_other(&field)
        if self.no_memory:
            raise MemoryError

    def arrays(self, int64_t size, int64_t line):
        """(query, first byte, first line) of every stretch, and at the end the whole length and the line after it."""
        cdef int64_t[:, ::1] found
        if self.count == 0:
            return np.zeros(0, dtype=np.int64), np.array([size]), np.array([line])
        found = <int64_t[: self.count, :3]> self.found
        query, start, lines = np.array(found).T
        return query.copy(), np.append(start, size), np.append(lines, line)

    cdef const uint8_t* scan(self, const uint8_t* p, const uint8_t* end, int64_t* line, int64_t first) noexcept nogil:
        """Where the first odd line begins, the end if there is none; a byte's address and ``first`` are its place."""
        cdef const uint8_t* q
        while p < end:
            if self.delimiter == BLANKS:
                q = self.look_at_ends(p, end, line[0], first + <int64_t> p)
            else:
                q = self.look_at_fields(p, end, line[0], first + <int64_t> p)
            if q == NULL or q - p > LONGEST_LINE:
                break
            p = q
            line[0] += 1
        return p

    cdef inline const uint8_t* look_at_ends(
        self, const uint8_t* p, const uint8_t* end, int64_t line, int64_t place
    ) noexcept nogil:
        """Take a line of a run; returns its end, NULL if it is odd."""
        cdef const uint8_t* newline = <const uint8_t*> memchr(p, NEWLINE, end - p)
        cdef const uint8_t* q
        cdef Field field
        if not (
            self.query >= 0
            and newline - p > self.query_length
            and is_blank(p[self.query_length])
            and same(p, self.names.text + self.names.starts[self.query], self.query_length)
        ):
            q = after_no_row(p, end, BLANKS, False)
            if q != p:
                return q
            q = read_text(p, BLANKS, &field)
            if q == NULL or not is_blank(q[0]) or (p[0] == 0xEF and q - p > 2 and p[1] == 0xBB and p[2] == 0xBF):
                return NULL
            self.take_query(&field, place, line)
        if not (
            self.suffix_length > 0
            and newline - p > self.suffix_length
            and is_blank((newline - self.suffix_length - 1)[0])
            and same(newline - self.suffix_length, self.suffix, self.suffix_length)
        ):
            self.take_tag(p, newline)
        return newline + 1

    cdef inline const uint8_t* look_at_fields(
        self, const uint8_t* p, const uint8_t* end, int64_t line, int64_t place
    ) noexcept nogil:
        """Take a line of a table; returns its end, NULL if it is odd."""
        cdef const uint8_t* q = after_no_row(p, end, self.delimiter, self.comments)
        if q != p:
            return q
        q = read_row(p, self.delimiter, self.kinds, self.width, keep_field, self.fields)
        if q == NULL or q - p > LONGEST_LINE:
            return NULL
        self.take_query(&self.fields[self.query_column], place, line)
        self.rows += 1
        if self.other_column >= 0:
            self.take_other(&self.fields[self.other_column])
        return q

    cdef void take_query(self, const Field* field, int64_t place, int64_t line) noexcept nogil:
        """The query of a line; another one than before begins a stretch."""
        cdef int64_t length = field.end - field.begin
        cdef void* larger
        if (
            self.query >= 0
            and length == self.query_length
            and same(field.begin, self.names.text + self.names.starts[self.query], length)
        ):
            return
        if self.count == self.room:
            larger = realloc(self.found, 6 * self.room * sizeof(int64_t))
            if larger == NULL:
                self.no_memory = True
                return
            self.found = <int64_t*> larger
            self.room *= 2
        self.query, self.query_length = self.names.number(field.begin, length), length
        self.no_memory = self.no_memory or self.query < 0
        self.found[3 * self.count] = self.query
        self.found[3 * self.count + 1] = place
        self.found[3 * self.count + 2] = line
        self.count += 1

    cdef void take_other(self, const Field* field) noexcept nogil:
        """The ranker of a row."""
        cdef int64_t length = field.end - field.begin, start
        if self.other >= 0:
            start = self.others.starts[self.other]
            if self.others.starts[self.other + 1] - start == length and same(field.begin, self.others.text + start, length):
                return
        self.other = self.others.number(field.begin, length)
        self.no_memory = self.no_memory or self.other < 0

    cdef void take_tag(self, const uint8_t* p, const uint8_t* newline) noexcept nogil:
        """The tag of a line that does not end as the line before it did."""
        cdef Field field
        field.end = newline
        if field.end > p and (field.end - 1)[0] == RETURN:
            field.end -= 1
        while field.end > p and is_blank((field.end - 1)[0]):
            field.end -= 1
        field.begin = field.end
        while field.begin > p and not is_blank((field.begin - 1)[0]):
            field.begin -= 1
        self.suffix_length = 0
        if newline - field.begin <= SUFFIX:
            self.suffix_length = newline - field.begin
            memcpy(self.suffix, field.begin, newline - field.begin)
        self.take_other(&field)
