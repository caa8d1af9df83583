# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Delimited rows of text at speed: where the rows of each query lie, rows into columns, and columns into rows.

Only rows that are right in the plainest way are taken: at the first that is odd (quotes within quotes, an empty cell, a
cell too many) the reader stops and says where. Python looks at that row, and the reader goes on after it.
"""

from libc.math cimport isnan
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memchr, memcpy

import numpy as np

from stagg.kernels._hashing cimport eight
from stagg.kernels._numbers cimport read_number, write_number, write_whole

cdef extern from *:
    """
    #include <stdint.h>
    /* the first byte that is the delimiter, a quote or a control character up to the carriage return */
    static inline const uint8_t *cell_stop(const uint8_t *p, uint8_t delimiter) {
    #if defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
        const uint64_t ones = 0x0101010101010101ULL;
        for (;; p += 8) {
            uint64_t x = eight(p), y = x ^ ones * delimiter, z = x ^ ones * '"';
            uint64_t found = (((x - ones * 14) & ~x) | ((y - ones) & ~y) | ((z - ones) & ~z)) & ones * 128;
            if (found) return p + (__builtin_ctzll(found) >> 3);
        }
    #else
        while (*p > 13 && *p != delimiter && *p != '"') p++;
        return p;
    #endif
    }
    """
    const uint8_t* cell_stop(const uint8_t* p, uint8_t delimiter) noexcept nogil

cdef enum:
    NEWLINE = 10
    RETURN = 13
    SPACE = 32
    TAB = 9
    QUOTE = 34
    LONGEST_LINE = 1 << 20
    LONGEST_CELL = 60000  # bytes; what is longer may be more than a writer, or Python's own reader, takes
    NUMBER = 25  # bytes that a number takes at most, with what follows it

cpdef enum:
    IGNORED = 0
    ID = 1
    VALUE = 2
    RANK = 3  # a number from 0 on


# --- reading ----------------------------------------------------------------------------------------------------------


cdef struct Table:
    uint8_t delimiter
    bint comments
    int width
    const uint8_t* kinds
    int64_t** address  # of each column, NULL where it has none
    int32_t** length
    double** values
    int64_t* lines
    int64_t* starts  # of the rows, counted from ``first``
    const uint8_t* first
    int64_t rows, line


cdef inline bint is_blank(uint8_t c) noexcept nogil:
    return c == SPACE or c == TAB


cdef inline const uint8_t* after_blanks(const uint8_t* p, uint8_t delimiter) noexcept nogil:
    while is_blank(p[0]) and p[0] != delimiter:
        p += 1
    return p


cdef const uint8_t* skipped(const uint8_t* p, const uint8_t* end, bint comments) noexcept nogil:
    """The end of a line that is no row: blank, or a comment; p itself if it is one."""
    cdef const uint8_t* q = p
    while is_blank(q[0]):
        q += 1
    if comments and q[0] == c"#":
        return <const uint8_t*> memchr(q, NEWLINE, end - q) + 1
    while is_blank(q[0]) or q[0] == RETURN:
        q += 1
    return q + 1 if q[0] == NEWLINE else p


cdef inline const uint8_t* cell_end(const uint8_t* p, uint8_t delimiter, const uint8_t** begin, const uint8_t** end) noexcept nogil:
    """What follows on a cell of text, which gets its begin and end; NULL if it is odd.

    Quotes around a cell are taken off if there are none within it.
    """
    cdef const uint8_t* q
    cdef bint quoted = p[0] == QUOTE
    begin[0] = p + quoted
    q = cell_stop(p + quoted, delimiter)
    while (q[0] < RETURN and q[0] != NEWLINE and q[0] != delimiter) or (quoted and q[0] == delimiter):
        q = cell_stop(q + 1, delimiter)  # such a character is a letter like any
    end[0] = q
    if quoted:
        if q[0] != QUOTE:
            return NULL
        q += 1
        if q[0] != delimiter and q[0] != NEWLINE and q[0] != RETURN:
            return NULL
    return q if q - p <= LONGEST_CELL else NULL


cdef inline const uint8_t* read_value(const uint8_t* p, uint8_t delimiter, double* value) noexcept nogil:
    """What follows on a cell that holds a number, perhaps in quotes; NULL if it holds something else."""
    cdef bint quoted = p[0] == QUOTE
    cdef const uint8_t* q = read_number(after_blanks(p + quoted, delimiter), value)
    if q == NULL:
        return NULL
    q = after_blanks(q, delimiter)
    if quoted:
        if q[0] != QUOTE:
            return NULL
        q += 1
    return q if q - p <= LONGEST_CELL else NULL


cdef inline const uint8_t* read_cell(Table* table, int column, const uint8_t* p) noexcept nogil:
    """What follows on a cell that was taken; NULL if it is odd."""
    cdef const uint8_t* start = p
    cdef const uint8_t* begin
    cdef const uint8_t* end
    if table.kinds[column] >= VALUE:
        p = read_value(p, table.delimiter, &table.values[column][table.rows])
        if table.kinds[column] == RANK and p != NULL and not table.values[column][table.rows] >= 0:
            return NULL
        return p
    p = cell_end(p, table.delimiter, &begin, &end)
    if table.kinds[column] == ID and p != NULL:
        if begin == start:  # blanks at the ends of a bare cell are none of its letters
            while begin < end and is_blank(begin[0]):
                begin += 1
            while begin < end and is_blank((end - 1)[0]):
                end -= 1
        if begin == end:
            return NULL
        table.address[column][table.rows], table.length[column][table.rows] = <int64_t> begin, <int32_t> (end - begin)
    return p


cdef const uint8_t* read_row(Table* table, const uint8_t* p) noexcept nogil:
    """The end of a row that was taken; NULL if it is odd."""
    cdef int column
    for column in range(table.width):
        p = read_cell(table, column, p)
        if p == NULL:
            return NULL
        if column < table.width - 1:
            if p[0] != table.delimiter:
                return NULL
            p += 1
    if p[0] == RETURN:
        p += 1
    return p + 1 if p[0] == NEWLINE else NULL


cdef const uint8_t* read_rows(Table* table, const uint8_t* p, const uint8_t* end) noexcept nogil:
    """Where the first odd row begins; the end if there is none."""
    cdef const uint8_t* q
    while p < end:
        q = skipped(p, end, table.comments) if p[0] <= SPACE or table.comments else p
        if q == p:
            q = read_row(table, p)
            if q == NULL or q - p > LONGEST_LINE:
                return p
            table.lines[table.rows], table.starts[table.rows] = table.line, p - table.first
            table.rows += 1
        elif q - p > LONGEST_LINE:
            return p
        p = q
        table.line += 1
    return p


cdef int64_t count_lines(const uint8_t* p, int64_t size) noexcept nogil:
    cdef int64_t k, count = 0
    for k in range(size):
        count += p[k] == NEWLINE
    return count


def split(
    const uint8_t[::1] content, int64_t start, int64_t end, const uint8_t[::1] kinds, uint8_t delimiter, int64_t line,
    bint comments,
):
    """(columns, lines, starts, stop, line of stop): the rows from ``start``, which is in line ``line``, to the first odd one.

    ``end`` follows on a newline, and at least eight bytes follow on it; there is no NUL before it. ``kinds`` says what
    each column holds. Of a column of ids there are the addresses and lengths, of one of numbers these, of others None;
    ``lines`` has the line of every row, ``starts`` where it begins. ``stop`` is where the first odd row begins, ``end`` if
    there is none.
    """
    if not (0 <= start <= end <= content.shape[0] - 8 and kinds.shape[0]) or (end and content[end - 1] != NEWLINE):
        raise ValueError("the rows must end with a newline, and eight bytes follow on it")
    cdef const uint8_t* first = &content[0]
    cdef int64_t room = count_lines(first + start, end - start), stop
    cdef int width = <int> kinds.shape[0], k
    cdef Table table
    cdef int64_t[::1] places, lines, starts
    cdef int32_t[::1] lengths
    cdef double[::1] values
    cdef void** parts = <void**> malloc(3 * width * sizeof(void*))
    if parts == NULL:
        raise MemoryError
    table.address, table.length, table.values = <int64_t**> parts, <int32_t**> (parts + width), <double**> (parts + 2 * width)
    table.delimiter, table.comments, table.width, table.kinds = delimiter, comments, width, &kinds[0]
    table.rows, table.line = 0, line
    columns = [None] * width
    try:
        found_lines, found_starts = np.empty(room + 1, dtype=np.int64), np.empty(room + 1, dtype=np.int64)
        lines, starts = found_lines, found_starts
        table.lines, table.starts, table.first = &lines[0], &starts[0], first
        for k in range(width):
            if kinds[k] == ID:
                columns[k] = np.empty(room + 1, dtype=np.int64), np.empty(room + 1, dtype=np.int32)
                places, lengths = columns[k]
                table.address[k], table.length[k] = &places[0], &lengths[0]
            elif kinds[k] != IGNORED:
                columns[k] = np.empty(room + 1)
                values = columns[k]
                table.values[k] = &values[0]
        with nogil:
            stop = read_rows(&table, first + start, first + end) - first
    finally:
        free(parts)
    columns, rows = [_cut(column, table.rows) for column in columns], table.rows
    return columns, found_lines[:rows], found_starts[:rows], stop, table.line


def _cut(column, rows):
    return tuple([part[:rows] for part in column]) if isinstance(column, tuple) else None if column is None else column[:rows]


# --- writing ----------------------------------------------------------------------------------------------------------


cdef struct Column:
    const int64_t* codes  # of ids, or whole numbers
    const int64_t* address  # NULL where there are no ids
    const int32_t* length
    const double* values  # NULL where there are none


cdef inline bint wants_quotes(uint8_t c) noexcept nogil:
    return c == c"," or c == TAB or c == c'"' or c == RETURN or c == NEWLINE


def mark_odd(const int64_t[::1] address, const int32_t[::1] length):
    """Of every id: 0 if it stands in a row as it is, 1 if it needs quotes, 2 if it holds a NUL."""
    cdef Py_ssize_t count = address.shape[0], k, i
    cdef const uint8_t* p
    marks = np.zeros(count, dtype=np.uint8)
    cdef uint8_t[::1] view = marks
    with nogil:
        for k in range(count):
            p = <const uint8_t*> address[k]
            if length[k]:
                view[k] = p[0] == c"#" or p[0] == SPACE or p[length[k] - 1] == SPACE
            for i in range(length[k]):
                if p[i] <= c"," and wants_quotes(p[i]):
                    view[k] = 1
                elif p[i] == 0:
                    view[k] = 2
                    break
    return marks


def find_blank(const int64_t[::1] address, const int32_t[::1] length):
    """The number of the first id that is empty, or holds a blank, a line end or a NUL; -1 if none does."""
    cdef Py_ssize_t count = address.shape[0], k, i, found = -1
    cdef const uint8_t* p
    with nogil:
        for k in range(count):
            p = <const uint8_t*> address[k]
            for i in range(length[k]):
                if p[i] <= SPACE and (is_blank(p[i]) or p[i] == NEWLINE or p[i] == RETURN or p[i] == 0):
                    found = k
                    break
            if length[k] == 0:
                found = k
            if found >= 0:
                break
    return found


cdef int64_t room_for(const Column* columns, int count, int64_t first, int64_t end) noexcept nogil:
    """How many bytes some rows take at most."""
    cdef int64_t room = 0, k
    cdef int c
    for c in range(count):
        if columns[c].address == NULL:
            room += NUMBER * (end - first)
        else:
            for k in range(first, end):
                room += columns[c].length[columns[c].codes[k]] + 1
    return room


cdef char* write_rows(const Column* columns, int count, int64_t first, int64_t end, char delimiter, char* p) noexcept nogil:
    cdef int64_t k, code
    cdef int c
    for k in range(first, end):
        for c in range(count):
            if columns[c].address != NULL:
                code = columns[c].codes[k]
                memcpy(p, <const void*> columns[c].address[code], columns[c].length[code])
                p += columns[c].length[code]
            elif columns[c].values == NULL:
                p += write_whole(columns[c].codes[k], p, 1)
            elif not isnan(columns[c].values[k]):
                p += write_number(columns[c].values[k], p)
            p[0] = delimiter
            p += 1
        (p - 1)[0] = NEWLINE
    return p


def join(list columns, int64_t first, int64_t end, char delimiter):
    """The bytes of some rows. A column is (codes, addresses, lengths, owner) of ids, or whole numbers, or numbers; NaN is nothing."""
    cdef int count = <int> len(columns), c
    cdef const int64_t[::1] codes, places
    cdef const int32_t[::1] lengths
    cdef const double[::1] values
    cdef uint8_t[::1] view
    cdef int64_t size = 0
    cdef Column* parts = <Column*> malloc(max(count, 1) * sizeof(Column))
    if parts == NULL:
        raise MemoryError
    try:
        for c in range(count):
            parts[c].codes = parts[c].address = NULL
            parts[c].length, parts[c].values = NULL, NULL
            if isinstance(columns[c], tuple):
                codes, places, lengths = columns[c][:3]  # and who holds the bytes
                parts[c].codes, parts[c].address, parts[c].length = &codes[0], &places[0], &lengths[0]
            elif columns[c].dtype.kind == "f":
                values = columns[c]
                parts[c].values = &values[0]
            else:
                codes = columns[c]
                parts[c].codes = &codes[0]
        text = np.empty(room_for(parts, count, first, end) + 1, dtype=np.uint8)
        view = text
        with nogil:
            size = write_rows(parts, count, first, end, delimiter, <char*> &view[0]) - <char*> &view[0]
    finally:
        free(parts)
    return text[:size].tobytes()
