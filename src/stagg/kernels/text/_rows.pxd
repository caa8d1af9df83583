# cython: language_level=3
"""Rows of text into a buffer that grows, inline: the one writer of rows, TREC and tables alike.

A field is put, then ended by whatever separates the fields; the end of the row takes the place of the last separator.
"""

from libc.stdint cimport int64_t
from libc.stdlib cimport malloc, realloc

cdef extern from *:
    """
    #include <stdint.h>
    #include <string.h>
    #ifndef STAGG_ROWS
    #define STAGG_ROWS
    static inline void copy_bytes(char *to, const char *from, int64_t length) {  /* few of them, as a rule */
        int64_t k;
        if (length >= 8) {
            for (k = 0; k < length - 8; k += 8) memcpy(to + k, from + k, 8);
            memcpy(to + length - 8, from + length - 8, 8);
        } else if (length >= 4) {
            memcpy(to, from, 4);
            memcpy(to + length - 4, from + length - 4, 4);
        } else {
            for (k = 0; k < length; k++) to[k] = from[k];
        }
    }
    #endif
    """
    void copy_bytes(char* to, const char* source, int64_t length) noexcept nogil

cdef enum:
    NUMBER = 400  # room for the text of a number, and what ends it

cdef struct Text:
    char* start
    int64_t length, room


cdef inline bint begin_text(Text* text) noexcept nogil:
    """An empty buffer; False when there is no memory left. Its owner frees ``start``."""
    text.length, text.room = 0, 1 << 16
    text.start = <char*> malloc(text.room)
    return text.start != NULL


cdef inline bint reserve(Text* text, int64_t more) noexcept nogil:
    """Room for so many more bytes; False when there is no memory left."""
    cdef void* larger
    if text.length + more <= text.room:
        return True
    larger = realloc(text.start, 2 * text.room + more)
    if larger == NULL:
        return False
    text.start, text.room = <char*> larger, 2 * text.room + more
    return True


cdef inline void put_text(Text* text, const char* field, int64_t length) noexcept nogil:
    copy_bytes(text.start + text.length, field, length)
    text.length += length


cdef inline char* place(Text* text) noexcept nogil:
    """Where a number is written, whose length is added then."""
    return text.start + text.length


cdef inline void end_field(Text* text, char separator) noexcept nogil:
    text.start[text.length] = separator
    text.length += 1


cdef inline void end_row(Text* text) noexcept nogil:
    text.start[text.length - 1] = 10  # a newline
