# cython: language_level=3
"""Byte strings hashed and compared, inline: what every kernel that turns ids into numbers shares."""

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t

cdef extern from *:
    """
    #include <stdint.h>
    #include <string.h>
    #ifndef STAGG_HASHING
    #define STAGG_HASHING
    static inline void multiplied(uint64_t a, uint64_t b, uint64_t *high, uint64_t *low) {
    #ifdef __SIZEOF_INT128__
        unsigned __int128 product = (unsigned __int128) a * b;
        *high = (uint64_t) (product >> 64);
        *low = (uint64_t) product;
    #else
        uint64_t a1 = a >> 32, a0 = (uint32_t) a, b1 = b >> 32, b0 = (uint32_t) b;
        uint64_t middle = a1 * b0 + (a0 * b0 >> 32), other = a0 * b1 + (uint32_t) middle;
        *high = a1 * b1 + (middle >> 32) + (other >> 32);
        *low = a * b;
    #endif
    }
    static inline uint64_t eight(const uint8_t *p) { uint64_t x; memcpy(&x, p, 8); return x; }
    static inline uint64_t four(const uint8_t *p) { uint32_t x; memcpy(&x, p, 4); return x; }
    #endif
    """
    void multiplied(uint64_t a, uint64_t b, uint64_t* high, uint64_t* low) noexcept nogil
    uint64_t eight(const uint8_t* p) noexcept nogil
    uint64_t four(const uint8_t* p) noexcept nogil

cdef enum:
    MIX_LOW = 0x7F4A7C15
    MIX_HIGH = 0x1E3779B9


cdef inline uint64_t mixed(uint64_t a, uint64_t b, uint64_t seed) noexcept nogil:
    cdef uint64_t high = 0, low = 0
    multiplied(a ^ seed, b ^ (<uint64_t> MIX_HIGH << 32 | <uint64_t> MIX_LOW), &high, &low)
    return high ^ low


cdef inline uint64_t hashed(const uint8_t* p, int64_t length, uint64_t seed) noexcept nogil:
    cdef uint64_t h = seed ^ <uint64_t> length
    cdef int64_t rest = length
    while rest > 16:
        h = mixed(eight(p) ^ h, eight(p + 8), seed)
        p += 16
        rest -= 16
    if rest > 8:
        return mixed(eight(p) ^ h, eight(p + rest - 8), seed)
    if rest >= 4:
        return mixed((four(p) << 32 | four(p + rest - 4)) ^ h, <uint64_t> length, seed)
    if rest > 0:
        return mixed((<uint64_t> p[0] << 16 | <uint64_t> p[rest >> 1] << 8 | p[rest - 1]) ^ h, <uint64_t> length, seed)
    return mixed(h, 0, seed)


cdef inline bint same(const uint8_t* a, const uint8_t* b, int64_t length) noexcept nogil:
    if length >= 8:
        while length > 8:
            if eight(a) != eight(b):
                return False
            a += 8
            b += 8
            length -= 8
        return eight(a + length - 8) == eight(b + length - 8)
    if length >= 4:
        return four(a) == four(b) and four(a + length - 4) == four(b + length - 4)
    while length > 0:
        length -= 1
        if a[length] != b[length]:
            return False
    return True
