# cython: language_level=3
"""Numbers from text and back: what every kernel that reads or writes rows shares."""

from libc.stdint cimport int64_t, uint8_t


cdef inline bint is_digit(uint8_t c) noexcept nogil:
    return <uint8_t> (c - 48) < 10


cdef const uint8_t* read_number(const uint8_t* text, double* value) noexcept nogil
cdef int write_number(double number, char* text) noexcept nogil
cdef int write_whole(int64_t number, char* text, int least) noexcept nogil
cdef int write_float(float number, char* text) noexcept nogil
