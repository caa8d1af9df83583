# cython: language_level=3
"""The fields of a row of text, inline: one splitter for every dialect, TREC and tables alike.

A dialect is a delimiter byte and the kinds of the columns. Fields stand between the delimiters, perhaps in quotes; with
BLANKS for a delimiter they are words with any number of blanks between them, and quotes are letters like any. Whoever
calls with a constant dialect gets code for this dialect alone.

Only rows that are right in the plainest way are taken. Of the others the splitter says that they are odd, and a reader
in Python looks at them. What lies behind a row must end with a newline, and eight bytes after that one are looked at.
"""

from libc.stdint cimport int64_t, uint8_t
from libc.string cimport memchr

from stagg.kernels.text._hashing cimport eight
from stagg.kernels.text._numbers cimport is_digit, read_number

cdef extern from *:
    """
    #include <stdint.h>
    #ifndef STAGG_FIELDS
    #define STAGG_FIELDS
    /* the first byte that may end a field: with a delimiter this, a quote or a control character up to the carriage
       return, else whatever is no larger than a blank */
    static inline const uint8_t *field_stop(const uint8_t *p, uint8_t delimiter) {
    #if defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
        const uint64_t ones = 0x0101010101010101ULL;
        for (;; p += 8) {
            uint64_t x = eight(p), found;
            if (delimiter) {
                uint64_t y = x ^ ones * delimiter, z = x ^ ones * '"';
                found = (((x - ones * 14) & ~x) | ((y - ones) & ~y) | ((z - ones) & ~z)) & ones * 128;
            } else {
                found = (x - ones * 33) & ~x & ones * 128;
            }
            if (found) return p + (__builtin_ctzll(found) >> 3);
        }
    #else
        if (delimiter) while (*p > 13 && *p != delimiter && *p != '"') p++;
        else while (*p > 32) p++;
        return p;
    #endif
    }
    #endif
    """
    const uint8_t* field_stop(const uint8_t* p, uint8_t delimiter) noexcept nogil

cdef enum:
    BLANKS = 0  # the delimiter of those who have none
    TAB = 9
    NEWLINE = 10
    RETURN = 13
    SPACE = 32
    QUOTE = 34
    LONGEST_LINE = 1 << 20
    LONGEST_FIELD = 60000  # bytes; what is longer may be more than a writer, or Python's own reader, takes

cdef enum:
    IGNORED = 0
    ID = 1
    VALUE = 2  # a finite number
    RANK = 3  # a number from 0 on

cdef struct Field:
    const uint8_t* begin  # of text
    const uint8_t* end
    double value  # of a number

ctypedef void (*Keep)(void* keeper, int column, uint8_t kind, const Field* field) noexcept nogil


cdef inline bint is_blank(uint8_t c) noexcept nogil:
    return c == SPACE or c == TAB


cdef inline const uint8_t* after_blanks(const uint8_t* p, uint8_t delimiter) noexcept nogil:
    while is_blank(p[0]) and p[0] != delimiter:
        p += 1
    return p


cdef inline const uint8_t* line_end(const uint8_t* p, uint8_t delimiter) noexcept nogil:
    """What follows on a newline, and blanks and one carriage return before it; NULL if something else stands here."""
    p = after_blanks(p, delimiter)
    if p[0] == RETURN:
        p += 1
    return p + 1 if p[0] == NEWLINE else NULL


cdef inline const uint8_t* after_no_row(
    const uint8_t* p, const uint8_t* end, uint8_t delimiter, bint comments
) noexcept nogil:
    """What follows on a line that is no row: blank, or a comment; p itself if it is one."""
    cdef const uint8_t* q
    if p[0] > SPACE and not comments:
        return p
    q = after_blanks(p, BLANKS)
    if comments and q[0] == c"#":
        return <const uint8_t*> memchr(q, NEWLINE, end - q) + 1
    while delimiter != BLANKS and (is_blank(q[0]) or q[0] == RETURN):
        q += 1
    q = line_end(q, BLANKS)
    return p if q == NULL else q


cdef inline bint is_letter(uint8_t c, uint8_t delimiter, bint quoted) noexcept nogil:
    """Whether a byte at which ``field_stop`` stopped belongs to the field: a control character, as a rule."""
    if delimiter == BLANKS:
        return c != SPACE and c != TAB and c != NEWLINE and c != RETURN
    return (c < RETURN and c != NEWLINE and c != delimiter) or (quoted and c == delimiter and c != NEWLINE)


cdef inline const uint8_t* read_text(const uint8_t* p, uint8_t delimiter, Field* field) noexcept nogil:
    """What follows on a field of text; NULL if it is odd. Quotes around it are taken off if there are none within it."""
    cdef bint quoted = delimiter != BLANKS and p[0] == QUOTE
    cdef const uint8_t* q = field_stop(p + quoted, delimiter)
    while is_letter(q[0], delimiter, quoted):
        q = field_stop(q + 1, delimiter)
    field.begin, field.end = p + quoted, q
    if quoted:
        if q[0] != QUOTE:
            return NULL
        q += 1
        if q[0] != delimiter and q[0] != NEWLINE and q[0] != RETURN:
            return NULL
    elif delimiter == BLANKS and q == p:
        return NULL
    return q if q - p <= LONGEST_FIELD else NULL


cdef inline const uint8_t* read_value(const uint8_t* p, uint8_t delimiter, Field* field) noexcept nogil:
    """What follows on a field that holds a number, perhaps in quotes; NULL if it holds something else."""
    cdef double number = 0.0  # of its own, so that the field can stay in registers
    cdef bint quoted = delimiter != BLANKS and p[0] == QUOTE
    cdef const uint8_t* q = read_number(p if delimiter == BLANKS else after_blanks(p + quoted, delimiter), &number)
    field.value = number
    if q == NULL:
        return NULL
    if delimiter != BLANKS:
        q = after_blanks(q, delimiter)
    if quoted:
        if q[0] != QUOTE:
            return NULL
        q += 1
    return q if q - p <= LONGEST_FIELD else NULL


cdef inline const uint8_t* read_whole(const uint8_t* p, Field* field) noexcept nogil:
    """What follows on up to 15 digits; NULL if there are none, or more."""
    cdef const uint8_t* q = p
    cdef int64_t number = 0
    while is_digit(q[0]):
        number = number * 10 + (q[0] - 48)
        q += 1
    field.value = <double> number
    return q if 0 < q - p <= 15 else NULL


cdef inline const uint8_t* read_id(const uint8_t* p, uint8_t delimiter, Field* field) noexcept nogil:
    """What follows on a field of text that is not empty; blanks around it are none of its letters, but within quotes."""
    cdef const uint8_t* q = read_text(p, delimiter, field)
    if delimiter != BLANKS and field.begin == p:
        while field.begin < field.end and is_blank(field.begin[0]):
            field.begin += 1
        while field.begin < field.end and is_blank((field.end - 1)[0]):
            field.end -= 1
    return q if field.begin < field.end else NULL


cdef inline const uint8_t* read_field(const uint8_t* p, uint8_t delimiter, uint8_t kind, Field* field) noexcept nogil:
    """What follows on a field that was taken; NULL if it is odd."""
    if kind == ID:
        return read_id(p, delimiter, field)
    if kind == IGNORED:
        return read_text(p, delimiter, field)
    p = read_value(p, delimiter, field)
    return p if kind == VALUE or (p != NULL and field.value >= 0) else NULL


cdef inline const uint8_t* next_field(const uint8_t* p, uint8_t delimiter) noexcept nogil:
    """Where the next field begins; NULL if no delimiter stands here."""
    if delimiter == BLANKS:
        return after_blanks(p, BLANKS) if is_blank(p[0]) else NULL
    return p + 1 if p[0] == delimiter else NULL


cdef inline const uint8_t* read_row(
    const uint8_t* p, uint8_t delimiter, const uint8_t* kinds, int width, Keep keep, void* keeper
) noexcept nogil:
    """Where the next row begins, after one whose fields were all taken, and kept; NULL if it is odd."""
    cdef int column
    cdef Field field
    for column in range(width):
        if column:
            p = next_field(p, delimiter)
            if p == NULL:
                return NULL
        p = read_field(p, delimiter, kinds[column], &field)
        if p == NULL:
            return NULL
        keep(keeper, column, kinds[column], &field)
    return line_end(p, delimiter)
