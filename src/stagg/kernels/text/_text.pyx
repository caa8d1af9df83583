# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Delimited rows of text at speed: rows into columns, and columns into rows.

Only rows that are right in the plainest way are taken: at the first that is odd (quotes within quotes, an empty cell, a
cell too many) the reader stops and says where. Python looks at that row, and the reader goes on after it.
"""

from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.math cimport isnan
from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.stdlib cimport free, malloc
from libc.string cimport memchr

import numpy as np

from stagg.kernels.text._fields cimport (
    BLANKS, ID, IGNORED, LONGEST_LINE, NEWLINE, RANK, RETURN, SPACE, TAB, VALUE, Field, after_no_row, is_blank, line_end,
    next_field, read_row, read_text, read_value, read_whole,
)
from stagg.kernels.text._hashing cimport same
from stagg.kernels.text._numbers cimport write_number, write_whole
from stagg.kernels.text._rows cimport NUMBER, Text, begin_text, end_field, end_row, place, put_text, reserve

KINDS = {"ignored": IGNORED, "id": ID, "value": VALUE, "rank": RANK}
"""Kinds of columns in a table."""


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


cdef inline void keep_cell(void* keeper, int column, uint8_t kind, const Field* field) noexcept nogil:
    """Put a field of the row at hand into its column."""
    cdef Table* table = <Table*> keeper
    if kind == ID:
        table.address[column][table.rows] = <int64_t> field.begin
        table.length[column][table.rows] = <int32_t> (field.end - field.begin)
    elif kind != IGNORED:
        table.values[column][table.rows] = field.value


cdef const uint8_t* read_rows(Table* table, const uint8_t* p, const uint8_t* end) noexcept nogil:
    """Where the first odd row begins; the end if there is none."""
    cdef const uint8_t* q
    cdef uint8_t delimiter = table.delimiter
    if delimiter == BLANKS:  # now the compiler knows that it is none
        return p
    while p < end:
        q = after_no_row(p, end, delimiter, table.comments)
        if q == p:
            q = read_row(p, delimiter, table.kinds, table.width, keep_cell, table)
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
    cdef int64_t low = 0, k, count = 0
    cdef uint8_t few
    while low < size:
        few = 0
        for k in range(low, min(low + 128, size)):  # counted in bytes, which the compiler does many at a time
            few += p[k] == NEWLINE
        count += few
        low += 128
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


# --- runs -------------------------------------------------------------------------------------------------------------


cdef struct Run:
    int64_t* query
    int32_t* query_length
    int64_t* item
    int32_t* item_length
    double* ranks
    double* scores
    int64_t* lines
    int64_t* tags  # where a tag begins that is not that of the row before
    int32_t* tag_length
    int64_t rows, line, changes


cdef inline const uint8_t* read_word(const uint8_t* p, Field* field) noexcept nogil:
    """Where the next field begins, after a word; NULL if it is odd."""
    p = read_text(p, BLANKS, field)
    return next_field(p, BLANKS) if p != NULL else NULL


cdef const uint8_t* read_run(Run* run, const uint8_t* p, const uint8_t* end) noexcept nogil:
    """Where the first odd row begins; the end if there is none."""
    cdef const uint8_t* q
    cdef const uint8_t* start
    cdef Field query, word, item, rank, score, tag
    cdef const uint8_t* last = NULL
    cdef int64_t length = 0, k
    while p < end:
        start = p
        q = after_no_row(p, end, BLANKS, False)
        if q != p:
            if q - p > LONGEST_LINE:
                return p
            p = q
            run.line += 1
            continue
        q = read_word(p, &query)
        q = read_word(q, &word) if q != NULL else NULL  # the Q0 column says nothing
        q = read_word(q, &item) if q != NULL else NULL
        q = read_whole(q, &rank) if q != NULL else NULL
        q = next_field(q, BLANKS) if q != NULL else NULL
        q = read_value(q, BLANKS, &score) if q != NULL else NULL
        q = next_field(q, BLANKS) if q != NULL else NULL
        q = read_text(q, BLANKS, &tag) if q != NULL else NULL
        q = line_end(q, BLANKS) if q != NULL else NULL
        if q == NULL or q - start > LONGEST_LINE:
            return start
        k = run.rows
        run.query[k], run.query_length[k] = <int64_t> query.begin, <int32_t> (query.end - query.begin)
        run.item[k], run.item_length[k] = <int64_t> item.begin, <int32_t> (item.end - item.begin)
        run.ranks[k], run.scores[k], run.lines[k] = rank.value, score.value, run.line
        if last == NULL or tag.end - tag.begin != length or not same(tag.begin, last, length):
            last, length = tag.begin, tag.end - tag.begin
            run.tags[run.changes], run.tag_length[run.changes] = <int64_t> last, <int32_t> length
            run.changes += 1
        run.rows += 1
        run.line += 1
        p = q
    return p


def split_run(const uint8_t[::1] content, int64_t start, int64_t end, int64_t line):
    """(queries, items, ranks, scores, lines, tags, stop): the rows of a TREC run from ``start`` on, to the first odd one.

    As :func:`split`; queries, items and tags are addresses and lengths. Of the tags there are those that differ from that
    of the row before.
    """
    if not (0 <= start <= end <= content.shape[0] - 8) or (end and content[end - 1] != NEWLINE):
        raise ValueError("the rows must end with a newline, and eight bytes follow on it")
    cdef const uint8_t* first = &content[0]
    cdef int64_t room = count_lines(first + start, end - start) + 1, stop
    cdef Run run
    wholes, lengths = np.empty((4, room), dtype=np.int64), np.empty((3, room), dtype=np.int32)
    numbers = np.empty((2, room))
    cdef int64_t[:, ::1] whole = wholes
    cdef int32_t[:, ::1] length = lengths
    cdef double[:, ::1] number = numbers
    run.query, run.item, run.lines, run.tags = &whole[0, 0], &whole[1, 0], &whole[2, 0], &whole[3, 0]
    run.query_length, run.item_length, run.tag_length = &length[0, 0], &length[1, 0], &length[2, 0]
    run.ranks, run.scores = &number[0, 0], &number[1, 0]
    run.rows, run.line, run.changes = 0, line, 0
    with nogil:
        stop = read_run(&run, first + start, first + end) - first
    rows, changes = run.rows, run.changes
    return (
        (wholes[0, :rows], lengths[0, :rows]), (wholes[1, :rows], lengths[1, :rows]), numbers[0, :rows], numbers[1, :rows],
        wholes[2, :rows], (wholes[3, :changes], lengths[2, :changes]), stop,
    )


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


def count_newlines(const uint8_t[::1] content, int64_t end):
    """How many lines end before ``end``."""
    cdef int64_t count = 0
    if end > 0:
        with nogil:
            count = count_lines(&content[0], end)
    return count


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


cdef bint write_rows(const Column* columns, int count, int64_t first, int64_t end, char delimiter, Text* text) noexcept nogil:
    """Append some rows; False when there is no memory left."""
    cdef int64_t k, code, length
    cdef int c
    for k in range(first, end):
        for c in range(count):
            code = columns[c].codes[k] if columns[c].values == NULL else 0
            length = columns[c].length[code] if columns[c].address != NULL else 0
            if not reserve(text, length + NUMBER):
                return False
            if columns[c].address != NULL:
                put_text(text, <const char*> columns[c].address[code], length)
            elif columns[c].values == NULL:
                text.length += write_whole(code, place(text), 1)
            elif not isnan(columns[c].values[k]):
                text.length += write_number(columns[c].values[k], place(text))
            end_field(text, delimiter)
        end_row(text)
    return True


def join(list columns, int64_t first, int64_t end, char delimiter):
    """The bytes of some rows. A column is (codes, addresses, lengths, owner) of ids, or whole numbers, or numbers; NaN is nothing."""
    cdef int count = <int> len(columns), c
    cdef const int64_t[::1] codes, places
    cdef const int32_t[::1] lengths
    cdef const double[::1] values
    cdef Text text
    cdef bint well = begin_text(&text)
    cdef Column* parts = <Column*> malloc(max(count, 1) * sizeof(Column))
    try:
        if not well or parts == NULL:
            raise MemoryError
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
        with nogil:
            well = write_rows(parts, count, first, end, delimiter, &text)
        if not well:
            raise MemoryError
        return PyBytes_FromStringAndSize(text.start, text.length)
    finally:
        free(parts)
        free(text.start)
