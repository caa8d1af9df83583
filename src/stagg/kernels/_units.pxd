# cython: language_level=3
"""Fixed-point sums, inline: the unit of each sum, terms to whole numbers of units, and totals back to numbers."""

from libc.math cimport frexp, ldexp
from libc.stdint cimport int64_t

cdef enum:
    BITS = 62
    PLAIN = 1000  # shifts below it have a power of two that is an ordinary number


cdef inline double scaled(double value, double power) noexcept nogil:
    """value · 2^shift; ``power`` is 2^shift, or -shift where that is not an ordinary number."""
    return value * power if power > 0.0 else ldexp(value, <int> -power)


cdef inline double unscaled(int64_t total, double power) noexcept nogil:
    """total / 2^shift"""
    return <double> total / power if power > 0.0 else ldexp(<double> total, <int> power)


cdef inline double power_of(double largest, int64_t terms) noexcept nogil:
    """Factor of the terms of one sum: its largest |term|, and how many there are, just fit 62 bits."""
    cdef int exponent = 0, room = 0, shift
    frexp(largest, &exponent)  # largest < 2^exponent
    frexp(<double> terms, &room)  # terms < 2^room
    shift = BITS - exponent - room
    return ldexp(1.0, shift) if shift < PLAIN else -<double> shift
