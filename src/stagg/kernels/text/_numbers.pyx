# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Numbers from text and back, as Python reads and writes them, to the last bit, without holding the interpreter lock."""

from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.math cimport fabs, isfinite
from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.string cimport memcpy, memset

import numpy as np

from stagg.kernels.text._hashing cimport multiplied

cdef extern from *:
    """
    #include <stdint.h>
    #include <string.h>
    static inline int leading_zeros(uint64_t x) {  /* x > 0 */
    #ifdef __GNUC__
        return __builtin_clzll(x);
    #else
        int count = 0;
        while (!(x >> 63)) { x <<= 1; count++; }
        return count;
    #endif
    }
    static inline double from_bits(uint64_t bits) { double x; memcpy(&x, &bits, 8); return x; }
    static inline uint64_t bits_of(double x) { uint64_t bits; memcpy(&bits, &x, 8); return bits; }
    static inline uint32_t float_bits(float x) { uint32_t bits; memcpy(&bits, &x, 4); return bits; }
    #ifdef __SIZEOF_INT128__
    typedef unsigned __int128 stagg_uint128;
    enum { HAS_128_BITS = 1 };
    #else  /* MSVC: never computed with, see write_float */
    typedef uint64_t stagg_uint128;
    enum { HAS_128_BITS = 0 };
    #endif
    """
    ctypedef uint64_t uint128 "stagg_uint128"
    const int HAS_128_BITS
    uint64_t float_bits(float x) noexcept nogil
    int leading_zeros(uint64_t x) noexcept nogil
    double from_bits(uint64_t bits) noexcept nogil
    uint64_t bits_of(double x) noexcept nogil

cdef enum:
    POWERS = 60  # decimal exponents up to which numbers are read here; the others are left to Python
    SMALLEST = -292  # the powers of ten that writing needs
    LARGEST = 324
    FLOAT_DIGITS = 9  # digits that tell every float32 from every other


# --- reading ----------------------------------------------------------------------------------------------------------

cdef double[23] TENS  # the powers of ten that a double holds exactly
cdef uint64_t[2 * POWERS + 1] FIVES_HIGH  # the first 128 bits of 5^q
cdef uint64_t[2 * POWERS + 1] FIVES_LOW


def _first_bits(q):
    """128 bits of 5^q, the first of them 1: cut off for q >= 0, rounded up for q < 0 (Lemire 2021, section 5)."""
    power = 5 ** abs(q)
    length = power.bit_length()
    if q >= 0:
        return power << (128 - length) if length <= 128 else power >> (length - 128)
    bits = (1 << (length + 127 if q >= -27 else 2 * length + 128)) // power + 1
    return bits >> max(0, bits.bit_length() - 128)


for _q in range(23):
    TENS[_q] = float(10**_q)
for _q in range(-POWERS, POWERS + 1):
    FIVES_HIGH[_q + POWERS] = _first_bits(_q) >> 64
    FIVES_LOW[_q + POWERS] = _first_bits(_q) & 0xFFFFFFFFFFFFFFFF


cdef inline bint nearest(uint64_t digits, int64_t power, double* value) noexcept nogil:
    """The double nearest to digits · 10^power, digits > 0; False where this way cannot tell.

    Lemire, "Number parsing at a gigabyte per second", Software: Practice and Experience 51, 2021.
    """
    cdef uint64_t high = 0, low = 0, more = 0, unused = 0, mantissa
    cdef int shift, upper
    cdef int64_t exponent
    if power < -POWERS or power > POWERS:
        return False
    shift = leading_zeros(digits)
    digits <<= shift
    multiplied(digits, FIVES_HIGH[power + POWERS], &high, &low)
    if (high & 0x1FF) == 0x1FF:
        multiplied(digits, FIVES_LOW[power + POWERS], &more, &unused)
        low += more
        if more > low:
            high += 1
    if low == <uint64_t> 0xFFFFFFFFFFFFFFFF and (power < -27 or power > 55):
        return False
    upper = <int> (high >> 63)
    mantissa = high >> (upper + 9)
    exponent = ((217706 * power) >> 16) + 63 + upper - shift + 1023
    if exponent <= 0 or exponent >= 2046:
        return False
    if low <= 1 and power >= -4 and power <= 23 and (mantissa & 3) == 1 and (mantissa << (upper + 9)) == high:
        mantissa &= ~(<uint64_t> 1)  # halfway between two doubles: to the even one
    mantissa += mantissa & 1
    mantissa >>= 1
    if mantissa >= (<uint64_t> 1 << 53):
        mantissa = <uint64_t> 1 << 52
        exponent += 1
    value[0] = from_bits((mantissa & ~(<uint64_t> 1 << 52)) | (<uint64_t> exponent << 52))
    return True


cdef double by_python(const uint8_t* text, int64_t length) noexcept with gil:
    try:
        return float(PyBytes_FromStringAndSize(<const char*> text, length))
    except Exception:
        return float("nan")


cdef const uint8_t* read_number(const uint8_t* text, double* value) noexcept nogil:
    """The finite number that begins here, by the grammar of INPUTS; returns where it ends, NULL if there is none."""
    cdef const uint8_t* p = text
    cdef const uint8_t* part
    cdef uint64_t digits = 0
    cdef int64_t power = 0, written = 0, exponent = 0
    cdef int used = 0
    cdef bint minus = p[0] == c"-", minus_exponent = False
    cdef double number = 0.0
    if p[0] == c"-" or p[0] == c"+":
        p += 1
    part = p
    while is_digit(p[0]):
        digits = digits * 10 + (p[0] - 48)
        used += used > 0 or p[0] != c"0"
        p += 1
    written = p - part
    if p[0] == c".":
        p += 1
        part = p
        while is_digit(p[0]):
            digits = digits * 10 + (p[0] - 48)
            used += used > 0 or p[0] != c"0"
            p += 1
        written += p - part
        power = part - p
    if written == 0:
        return NULL
    if p[0] == c"e" or p[0] == c"E":
        p += 1
        minus_exponent = p[0] == c"-"
        if p[0] == c"-" or p[0] == c"+":
            p += 1
        part = p
        while is_digit(p[0]):
            if exponent < 100000:
                exponent = exponent * 10 + (p[0] - 48)
            p += 1
        if p == part:
            return NULL
        power += -exponent if minus_exponent else exponent
    if used > 19:  # more digits than fit: they have wrapped around, those of 2^64 to 0
        number = by_python(text, p - text)
    elif digits == 0:
        number = -0.0 if minus else 0.0
    elif digits <= (<uint64_t> 1 << 53) and power >= -22 and power <= 22:  # both exact, so one rounding
        number = <double> digits / TENS[-power] if power < 0 else <double> digits * TENS[power]
        number = -number if minus else number
    elif nearest(digits, power, &number):
        number = -number if minus else number
    else:
        number = by_python(text, p - text)
    value[0] = number
    return p if isfinite(number) else NULL


def number(const uint8_t[::1] text):
    """The number that a text, which a newline must end, spells; None if it spells no number. For tests."""
    cdef double value = 0.0
    cdef const uint8_t* end = read_number(&text[0], &value)
    return value if end == &text[text.shape[0] - 1] else None


# --- writing ----------------------------------------------------------------------------------------------------------

cdef uint64_t[20] WHOLE_TENS
cdef uint64_t[LARGEST - SMALLEST + 1] GREAT_HIGH  # the first 128 bits of 10^k, rounded up
cdef uint64_t[LARGEST - SMALLEST + 1] GREAT_LOW


def _rounded_up(k):
    """128 bits of 10^k, the first of them 1, rounded up."""
    power = 10 ** abs(k)
    length = power.bit_length()
    if k < 0:
        return -(-(1 << (127 + length)) // power)
    return power << (128 - length) if length <= 128 else -(-power >> (length - 128))


for _k in range(20):
    WHOLE_TENS[_k] = 10**_k
for _k in range(SMALLEST, LARGEST + 1):
    _bits = _rounded_up(_k)
    GREAT_HIGH[_k - SMALLEST], GREAT_LOW[_k - SMALLEST] = _bits >> 64, _bits & 0xFFFFFFFFFFFFFFFF


cdef inline uint64_t scaled(int k, uint64_t x) noexcept nogil:
    """x times the 128 bits of 10^k, over 2^128; the last bit says whether anything is cut off."""
    cdef uint64_t high = 0, low = 0, carried = 0, unused = 0
    multiplied(GREAT_LOW[k - SMALLEST], x, &carried, &unused)
    multiplied(GREAT_HIGH[k - SMALLEST], x, &high, &low)
    low += carried
    return (high + (low < carried)) | (low > 1)


cdef uint64_t shortest(uint64_t bits, int* power) noexcept nogil:
    """The fewest digits d for which d · 10^power reads back as the positive double of these bits, the nearest of them.

    Giulietti, "The Schubfach way to render doubles", 2020.
    """
    cdef uint64_t fraction = bits & ((<uint64_t> 1 << 52) - 1), c = fraction, low, middle, high, s, tenth
    cdef int exponent = <int> (bits >> 52), q = -1074, k, h
    cdef bint odd, closer = fraction == 0 and exponent > 1, down, up
    power[0] = 0
    if exponent:
        c |= <uint64_t> 1 << 52
        q = exponent - 1075
        if -52 <= q <= 0 and not c & ((<uint64_t> 1 << -q) - 1):  # a whole number
            return c >> -q
    odd = c & 1  # of an even one, the ends of its interval read back as it, too
    k = (q * 1262611 - (524031 if closer else 0)) >> 22
    h = q + ((-k * 1741647) >> 19) + 1
    low = scaled(-k, (4 * c - 2 + closer) << h) + odd
    middle = scaled(-k, (4 * c) << h)
    high = scaled(-k, (4 * c + 2) << h) - odd
    s = middle >> 2
    tenth = s // 10
    if s >= 10:
        down, up = low <= 40 * tenth, 40 * tenth + 40 <= high
        if down != up:
            power[0] = k + 1
            return tenth + up
    power[0] = k
    down, up = low <= 4 * s, 4 * s + 4 <= high
    if down == up:
        up = middle > 4 * s + 2 or (middle == 4 * s + 2 and s & 1)
    return s + up


cdef int write_number(double number, char* text) noexcept nogil:
    """The shortest text that reads back as a finite number, without the '.0' of a whole one; at most 24 bytes."""
    cdef uint64_t bits = bits_of(number), digits
    cdef int power = 0, count = 0, length = 0, k
    cdef char[24] reversed_digits
    if bits >> 63:
        text[0] = c"-"
        length = 1
        bits &= ~(<uint64_t> 1 << 63)
    if bits == 0:
        text[length] = c"0"
        return length + 1
    digits = shortest(bits, &power)
    while digits % 10 == 0:
        digits = digits // 10
        power += 1
    while digits:
        reversed_digits[count] = 48 + digits % 10
        digits = digits // 10
        count += 1
    for k in range(count // 2):
        reversed_digits[k], reversed_digits[count - 1 - k] = reversed_digits[count - 1 - k], reversed_digits[k]
    return length + spell(reversed_digits, count, count + power, text + length)


cdef int spell(const char* digits, int count, int point, char* text) noexcept nogil:
    """Digits, so many of them before the point, as Python's repr has them."""
    if point < -3 or point > 16:
        return spell_power(digits, count, point - 1, text)
    if point <= 0:
        memset(text, c"0", 2 - point)
        text[1] = c"."
        memcpy(text + 2 - point, digits, count)
        return 2 - point + count
    if point >= count:
        memcpy(text, digits, count)
        memset(text + count, c"0", point - count)
        return point
    memcpy(text, digits, point)
    text[point] = c"."
    memcpy(text + point + 1, digits + point, count - point)
    return count + 1


cdef int spell_power(const char* digits, int count, int exponent, char* text) noexcept nogil:
    """The same, as 1.5e-07."""
    cdef int length = 1
    text[0] = digits[0]
    if count > 1:
        text[1] = c"."
        memcpy(text + 2, digits + 1, count - 1)
        length = count + 1
    text[length], text[length + 1] = c"e", c"-" if exponent < 0 else c"+"
    return length + 2 + write_whole(-exponent if exponent < 0 else exponent, text + length + 2, 2)


cdef int write_whole(int64_t number, char* text, int least) noexcept nogil:
    """A whole number of at least so many digits; at most 20 bytes."""
    cdef uint64_t rest = <uint64_t> number if number >= 0 else 0 - <uint64_t> number
    cdef int count = 0, length = 0, k
    cdef char[24] reversed_digits
    if number < 0:
        text[0] = c"-"
        length = 1
    while rest or count < least:
        reversed_digits[count] = 48 + rest % 10
        rest = rest // 10
        count += 1
    for k in range(count):
        text[length + k] = reversed_digits[count - 1 - k]
    return length + count


cdef int text_by_numpy(float number, char* text) noexcept with gil:
    """Write very large and very small numbers."""
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


cdef int shortest_float(uint64_t bits, int power, int64_t* digits) noexcept nogil:
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


cdef int write_float(float number, char* text) noexcept nogil:
    """The shortest text that reads back as the same float32: ``formats.trec.float32_text``.

    Steele & White, "How to print floating-point numbers accurately", PLDI 1990.
    """
    cdef double x = fabs(<double> number)
    cdef int length = 0, power = FLOAT_DIGITS - 1, count, point
    cdef int64_t digits = 0
    cdef char[24] spelled
    if x < 1e-12 or x >= 1e9 or not HAS_128_BITS:
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
    power = shortest_float(float_bits(<float> x), power, &digits)
    while digits % 10 == 0:
        digits = <uint64_t> digits // 10
        power -= 1
    count = write_whole(digits, spelled, 1)
    point = count - power  # digits before the point
    if x < 1e-4:
        return length + spell_power(spelled, count, point - 1, text + length)
    return length + spell(spelled, count, point, text + length)


def float_text(float number):
    """The text of a float32. For tests."""
    cdef char[400] found
    return PyBytes_FromStringAndSize(found, write_float(number, found)).decode()


def text(double number):
    """The text of a finite number. For tests."""
    cdef char[32] found
    return PyBytes_FromStringAndSize(found, write_number(number, found)).decode()
