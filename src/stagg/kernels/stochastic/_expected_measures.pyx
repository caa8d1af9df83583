# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The compiled twin of ``expected_measures.expected_in_numpy``: the same products in the same order, one item at a time."""

from libc.math cimport erfc, exp, sqrt
from libc.stdint cimport int64_t
from libc.stdlib cimport free, malloc

cdef extern from *:
    """
    #include <math.h>
    #include <stddef.h>
    #include <stdint.h>

    enum { LANES = 8 };  /* terms of the utility that are worked on together; their number is a multiple of it */

    /* product[q] = row[q] (1 - p S_q) */
    static inline void one_more(const double *restrict row, const double *restrict shrink, double p, ptrdiff_t terms,
                                double *restrict product) {
        for (ptrdiff_t low = 0; low < terms; low += LANES)
            for (ptrdiff_t q = low; q < low + LANES; q++) product[q] = row[q] * (1 - p * shrink[q]);
    }

    /* row[q] takes in 1 - p S_q */
    static inline void taken_in(double *restrict row, const double *restrict shrink, double p, ptrdiff_t terms) {
        for (ptrdiff_t low = 0; low < terms; low += LANES)
            for (ptrdiff_t q = low; q < low + LANES; q++) row[q] *= 1 - p * shrink[q];
    }

    /* The sum of row[q] after[q] S_q; and after[q] takes in 1 - p S_q. */
    static inline double left_out(const double *restrict row, const double *restrict shrink, double p, ptrdiff_t terms,
                                  double *restrict after) {
        double sum[LANES] = {0};
        for (ptrdiff_t low = 0; low < terms; low += LANES)
            for (ptrdiff_t q = 0; q < LANES; q++) {
                sum[q] += row[low + q] * after[low + q] * shrink[low + q];
                after[low + q] *= 1 - p * shrink[low + q];
            }
        return ((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]));
    }

    /* e^w for -708 < w <= 0: 2^k e^r with |r| <= log(2) / 2, by Taylor's series. */
    static inline double exp_below(double w) {
        union { double number; uint64_t bits; } power, found;
        double k, r, y;
        power.number = w * 1.4426950408889634 + 6755399441055744.0;  /* 1.5 2^52: what is added to it is rounded */
        k = power.number - 6755399441055744.0;
        r = (w - k * 0.6931471803691238) - k * 1.9082149292705877e-10;
        y = 1.0 / 479001600; y = y * r + 1.0 / 39916800; y = y * r + 1.0 / 3628800; y = y * r + 1.0 / 362880;
        y = y * r + 1.0 / 40320; y = y * r + 1.0 / 5040; y = y * r + 1.0 / 720; y = y * r + 1.0 / 120;
        y = y * r + 1.0 / 24; y = y * r + 1.0 / 6; y = y * r + 0.5; y = y * r + 1.0; y = y * r + 1.0;
        found.number = y;
        found.bits += power.bits << 52;
        return found.number;
    }

    /* chance[i] = P(a standard normal is below z[i]), density[i] = its density there; |z[i]| <= FAR. Without calls and
       branches, so that a compiler does several at once.

       (1 + 2x) e^(x x) erfc(x) is a polynomial in 1 / (x + 3), to 5e-16 for 0 <= x <= 27.4: the form of Shepherd &
       Laframboise, "Chebyshev approximation of (1 + 2x) exp(x^2) erfc x in 0 <= x < infinity", Mathematics of
       Computation 36, 1981; the coefficients were interpolated with 60 digits. */
    static void normals(const double *restrict z, ptrdiff_t n, double *restrict chance, double *restrict density) {
        for (ptrdiff_t i = 0; i < n; i++) {
            double sign = copysign(1.0, z[i]), x = fabs(z[i]) * 0.7071067811865476, e = exp_below(-0.5 * z[i] * z[i]);
            double both = 1 / ((x + 3) * (1 + 2 * x)), y;
            double c = 6.656934306569343 * (both * (1 + 2 * x)) - 1.218978102189781;
            y = 2.785577149619799e-09; y = y * c - 2.565945287322425e-09; y = y * c - 3.054532927000829e-08;
            y = y * c + 4.512929503443027e-08; y = y * c + 2.0105720681094143e-07; y = y * c - 4.7314583323266407e-07;
            y = y * c - 1.1842907340369369e-06; y = y * c + 4.109814271890813e-06; y = y * c + 8.235142903630947e-06;
            y = y * c - 3.3374334831534944e-05; y = y * c - 8.222973061322767e-05; y = y * c + 0.0002400160667581091;
            y = y * c + 0.0010957235210181655; y = y * c - 0.0003773387942692382; y = y * c - 0.013372146400610772;
            y = y * c - 0.049244653439814254; y = y * c - 0.10329614509849189; y = y * c - 0.1346104638824806;
            y = y * c - 0.07604121611418724; y = y * c + 0.10991896165771721; y = y * c + 1.265791963168393;
            y = 0.5 * e * (y * (both * (x + 3)));  /* beyond |z| */
            chance[i] = (0.5 + 0.5 * sign) - sign * y;
            density[i] = 0.3989422804014327 * e;
        }
    }
    """
    void one_more(
        const double* row, const double* shrink, double p, Py_ssize_t terms, double* product,
    ) noexcept nogil
    void taken_in(double* row, const double* shrink, double p, Py_ssize_t terms) noexcept nogil
    double left_out(
        const double* row, const double* shrink, double p, Py_ssize_t terms, double* after,
    ) noexcept nogil
    void normals(const double* z, Py_ssize_t n, double* chance, double* density) noexcept nogil

cdef double SQRT_HALF = 0.7071067811865476
cdef double DENSITY = 0.3989422804014327  # 1 / sqrt(2 pi)
cdef double FAR = 37.5  # Φ(-38) is no ordinary number any more: whoever is so far behind does not beat
cdef double FAR_BEHIND = -30.0  # from there on the series of φ/Φ is exact to 2e-14, and soon Φ underflows


cdef inline double weighed(const double* a, const double* row, Py_ssize_t terms, double* after) noexcept nogil:
    """Σ_q a_q row[q]; and ``after`` begins with a."""
    cdef double total = 0.0
    cdef Py_ssize_t q
    for q in range(terms):
        total += a[q] * row[q]
        after[q] = a[q]
    return total


cdef inline Py_ssize_t shrinks(
    const double* stop, const double* t, Py_ssize_t n, Py_ssize_t terms, double* shrink,
) noexcept nogil:
    """S_iq = 1 - (1 - R_i) t_q at ``shrink[i * step + q]``; returns the step, 0 where no item stops the reader."""
    cdef Py_ssize_t i, q, rows = 1
    for i in range(n):
        if stop[i] != 0.0:
            rows = n
    for i in range(rows):
        for q in range(terms):
            shrink[i * terms + q] = 1.0 - (1.0 - stop[i]) * t[q]
    return 0 if rows == 1 else terms


cdef void one_item(
    const double* f, Py_ssize_t n, Py_ssize_t j, double worth, const double* a, const double* shrink, Py_ssize_t step,
    Py_ssize_t terms, double scale, double* value, double* gradient, double* before, double* chance,
) noexcept nogil:
    """Add what item j of a query gives to its value and gradient; ``before`` holds n + 1 rows of products.

    ``chance``, and what lies behind it, has room for 3n numbers.
    """
    cdef Py_ssize_t i, q
    cdef double push, pushed = 0.0, per_score = -worth / scale, mine = f[j], per_z = 1.0 / scale
    cdef double* row = before
    cdef double* after = before + n * terms
    cdef double* density = chance + n
    cdef double* z = density + n
    for i in range(n):
        z[i] = max(-FAR, min(FAR, (f[i] - mine) * per_z))
    z[j] = -FAR  # nobody plays against himself
    normals(z, n, chance, density)
    for q in range(terms):
        row[q] = 1.0
    for i in range(n):  # the products over all before i, for those who may beat j
        if z[i] > -FAR:
            one_more(row, shrink + i * step, chance[i], terms, row + terms)
            row += terms
    value[0] += worth * weighed(a, row, terms, after)
    for i in range(n - 1, -1, -1):  # and over all after i
        if z[i] > -FAR:
            row -= terms
            push = left_out(row, shrink + i * step, chance[i], terms, after) * density[i] * per_score
            if z[i] < FAR:
                gradient[i] += push
                pushed += push
    gradient[j] -= pushed


def expected(
    const double[::1] scores, const int64_t[::1] offsets, const int64_t[::1] queries, Py_ssize_t largest,
    const double[::1] worth, const double[::1] stop, const double[::1] a, const double[::1] t, double sigma,
    double[::1] values, double[::1] gradient,
):
    """Add the expectations of some queries, none larger than ``largest``, to ``values`` and their gradient.

    The terms a, t are padded with zeros to a multiple of eight.
    """
    cdef Py_ssize_t terms = a.shape[0], k, query, low, n, j, step
    cdef double scale = sqrt(2.0) * sigma
    cdef double* before = <double*> malloc(((2 * largest + 2) * terms + 3 * largest) * sizeof(double))
    if before == NULL:
        raise MemoryError
    cdef double* shrink = before + (largest + 2) * terms
    cdef double* chance = shrink + largest * terms
    with nogil:
        for k in range(queries.shape[0]):
            query = queries[k]
            low, n = offsets[query], offsets[query + 1] - offsets[query]
            step = shrinks(&stop[low], &t[0], n, terms, shrink)
            for j in range(n):
                if worth[low + j] != 0.0:
                    one_item(
                        &scores[low], n, j, worth[low + j], &a[0], shrink, step, terms, scale,
                        &values[query], &gradient[low], before, chance,
                    )
    free(before)


cdef double item_losses(
    const double* chance, const double* worth, Py_ssize_t n, Py_ssize_t j, const double* a, const double* shrink,
    Py_ssize_t step, Py_ssize_t terms, double* before, double* loss,
) noexcept nogil:
    """E[u(R_j)]; ``loss[i]`` becomes what it loses when i beats j, for every i that is not worth the same.

    ``chance[i]`` is P(i beats j); ``before`` holds n + 1 rows of products.
    """
    cdef Py_ssize_t i, q
    cdef double value
    cdef double* row = before
    cdef double* after = before + n * terms
    for q in range(terms):
        row[q] = 1.0
    for i in range(n):  # nothing is asked of contests among equals: their product is all that counts
        if i != j and worth[i] == worth[j]:
            taken_in(row, shrink + i * step, chance[i], terms)
    for i in range(n):
        if worth[i] != worth[j]:
            one_more(row, shrink + i * step, chance[i], terms, row + terms)
            row += terms
    value = weighed(a, row, terms, after)
    for i in range(n - 1, -1, -1):
        if worth[i] != worth[j]:
            row -= terms
            loss[i] = left_out(row, shrink + i * step, chance[i], terms, after)
    return value


cdef void contests(
    const double* f, const double* chance, const double* worth, const double* loss, Py_ssize_t n, double scale,
    double* gradient, double* curvature,
) noexcept nogil:
    """Add the steps that the contests of a query ask for."""
    cdef Py_ssize_t i, j
    cdef double z, x, mills, push, bend
    for i in range(n):
        for j in range(n):
            if worth[i] <= worth[j]:
                continue
            z = (f[i] - f[j]) / scale
            if z > FAR:
                continue
            if z < FAR_BEHIND:
                x = 1.0 / (z * z)
                mills = -z / (1.0 - x * (1.0 - x * (3.0 - x * (15.0 - x * (105.0 - x * 945.0)))))
            else:
                mills = DENSITY * exp(-0.5 * z * z) / chance[j * n + i]
            push = 0.5 * (worth[i] - worth[j]) * (loss[i * n + j] + loss[j * n + i]) * mills / scale
            bend = push * (z + mills) / scale
            gradient[i] += push
            gradient[j] -= push
            curvature[i] += bend
            curvature[j] += bend


cdef void all_chances(const double* f, Py_ssize_t n, double scale, double* chance) noexcept nogil:
    """``chance[j * n + i]`` = P(i beats j)."""
    cdef Py_ssize_t i, j
    cdef double z
    for j in range(n):
        chance[j * n + j] = 0.0
        for i in range(j):
            z = (f[i] - f[j]) / scale * SQRT_HALF
            chance[j * n + i] = 0.5 * erfc(-z)
            # 1 - p would lose a small chance to rounding
            chance[i * n + j] = 1.0 - chance[j * n + i] if z < 0.0 else 0.5 * erfc(z)


def contest_steps(
    const double[::1] scores, const int64_t[::1] offsets, const int64_t[::1] queries, Py_ssize_t largest,
    const double[::1] worth, const double[::1] stop, const double[::1] a, const double[::1] t, double sigma,
    double[::1] values, double[::1] gradient, double[::1] curvature,
):
    """Add the expectations of some queries and the steps of their contests; a, t as for :func:`expected`."""
    cdef Py_ssize_t terms = a.shape[0], k, query, low, n, j, step
    cdef double scale = sqrt(2.0) * sigma, value, most
    cdef Py_ssize_t pairs = largest * largest
    cdef double* before = <double*> malloc(((2 * largest + 2) * terms + 2 * pairs) * sizeof(double))
    if before == NULL:
        raise MemoryError
    cdef double* shrink = before + (largest + 2) * terms
    cdef double* chance = shrink + largest * terms
    cdef double* loss = chance + pairs
    with nogil:
        for k in range(queries.shape[0]):
            query = queries[k]
            low, n = offsets[query], offsets[query + 1] - offsets[query]
            most = 0.0
            for j in range(n):
                most = max(most, worth[low + j])
            if most == 0.0:
                continue
            step = shrinks(&stop[low], &t[0], n, terms, shrink)
            all_chances(&scores[low], n, scale, chance)
            for j in range(n):
                value = item_losses(
                    chance + j * n, &worth[low], n, j, &a[0], shrink, step, terms, before, loss + j * n
                )
                values[query] += worth[low + j] * value
            contests(&scores[low], chance, &worth[low], loss, n, scale, &gradient[low], &curvature[low])
    free(before)
