# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The compiled twin of ``expected_measures.expected_in_numpy``: the same products in the same order, one item at a time."""

from libc.math cimport erfc, exp, sqrt
from libc.stdint cimport int64_t
from libc.stdlib cimport free, malloc

cdef double SQRT_HALF = 0.7071067811865476
cdef double DENSITY = 0.3989422804014327  # 1 / sqrt(2 pi)
cdef double FAR = 38.6  # Φ(-38.6) underflows: whoever is so far behind does not beat
cdef double FAR_BEHIND = -30.0  # from there on the series of φ/Φ is exact to 2e-14, and soon Φ underflows


cdef void one_item(
    const double* f, const double* stop, Py_ssize_t n, Py_ssize_t j, double worth,
    const double* a, const double* t, Py_ssize_t terms, double scale,
    double* value, double* gradient, double* before, double* chance,
) noexcept nogil:
    """Add what item j of a query gives to its value and gradient; ``before`` holds n + 1 rows of products."""
    cdef Py_ssize_t i, q, last = 0
    cdef double z, p, on, total, push, shrink, pushed = 0.0
    cdef double* row = before
    cdef double* next_row
    cdef double* after = before + n * terms
    for q in range(terms):
        row[q] = 1.0
    for i in range(n):  # the products over all before i, for those who may beat j
        chance[i] = 0.0
        z = (f[i] - f[j]) / scale
        if i == j or z < -FAR:
            continue
        p = chance[i] = 0.5 * erfc(-z * SQRT_HALF)
        on = 1.0 - stop[i]
        next_row = row + terms
        for q in range(terms):
            next_row[q] = row[q] * (1.0 - p * (1.0 - on * t[q]))
        row = next_row
    total = 0.0
    for q in range(terms):
        total += a[q] * row[q]
        after[q] = a[q]
    value[0] += worth * total
    for i in range(n - 1, -1, -1):  # and over all after i
        p = chance[i]
        if p == 0.0:
            continue
        on = 1.0 - stop[i]
        row -= terms
        z = (f[i] - f[j]) / scale
        total = 0.0
        for q in range(terms):
            shrink = 1.0 - on * t[q]
            total += row[q] * after[q] * shrink
            after[q] *= 1.0 - p * shrink
        push = -worth * total * DENSITY * exp(-0.5 * z * z) / scale
        gradient[i] += push
        pushed += push
    gradient[j] -= pushed


def expected(
    const double[::1] scores, const int64_t[::1] offsets, const int64_t[::1] queries, Py_ssize_t largest,
    const double[::1] worth, const double[::1] stop, const double[::1] a, const double[::1] t, double sigma,
    double[::1] values, double[::1] gradient,
):
    """Add the expectations of some queries, none larger than ``largest``, to ``values`` and their gradient."""
    cdef Py_ssize_t terms = a.shape[0], k, query, low, n, j
    cdef double scale = sqrt(2.0) * sigma
    cdef double* before = <double*> malloc((largest + 2) * (terms + 1) * sizeof(double))
    if before == NULL:
        raise MemoryError
    cdef double* chance = before + (largest + 1) * terms
    with nogil:
        for k in range(queries.shape[0]):
            query = queries[k]
            low, n = offsets[query], offsets[query + 1] - offsets[query]
            for j in range(n):
                if worth[low + j] != 0.0:
                    one_item(
                        &scores[low], &stop[low], n, j, worth[low + j], &a[0], &t[0], terms, scale,
                        &values[query], &gradient[low], before, chance,
                    )
    free(before)


cdef double item_losses(
    const double* chance, const double* stop, const double* worth, Py_ssize_t n, Py_ssize_t j,
    const double* a, const double* t, Py_ssize_t terms, double* before, double* loss,
) noexcept nogil:
    """E[u(R_j)]; ``loss[i]`` becomes what it loses when i beats j, for every i that is not worth the same.

    ``chance[i]`` is P(i beats j); ``before`` holds n + 1 rows of products.
    """
    cdef Py_ssize_t i, q
    cdef double p, on, shrink, total
    cdef double* row = before
    cdef double* next_row
    cdef double* after = before + n * terms
    for q in range(terms):
        row[q] = 1.0
    for i in range(n):  # nothing is asked of contests among equals: their product is all that counts
        if i != j and worth[i] == worth[j]:
            p, on = chance[i], 1.0 - stop[i]
            for q in range(terms):
                row[q] *= 1.0 - p * (1.0 - on * t[q])
    for i in range(n):
        if worth[i] != worth[j]:
            p, on = chance[i], 1.0 - stop[i]
            next_row = row + terms
            for q in range(terms):
                next_row[q] = row[q] * (1.0 - p * (1.0 - on * t[q]))
            row = next_row
    total = 0.0
    for q in range(terms):
        total += a[q] * row[q]
        after[q] = a[q]
    cdef double value = total
    for i in range(n - 1, -1, -1):
        if worth[i] != worth[j]:
            p, on = chance[i], 1.0 - stop[i]
            row -= terms
            total = 0.0
            for q in range(terms):
                shrink = 1.0 - on * t[q]
                total += row[q] * after[q] * shrink
                after[q] *= 1.0 - p * shrink
            loss[i] = total
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
    """Add the expectations of some queries and the steps of their contests."""
    cdef Py_ssize_t terms = a.shape[0], k, query, low, n, j
    cdef double scale = sqrt(2.0) * sigma, value, most
    cdef Py_ssize_t pairs = largest * largest
    cdef double* before = <double*> malloc(((largest + 2) * terms + 2 * pairs) * sizeof(double))
    if before == NULL:
        raise MemoryError
    cdef double* chance = before + (largest + 2) * terms
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
            all_chances(&scores[low], n, scale, chance)
            for j in range(n):
                value = item_losses(
                    chance + j * n, &stop[low], &worth[low], n, j, &a[0], &t[0], terms, before, loss + j * n
                )
                values[query] += worth[low + j] * value
            contests(&scores[low], chance, &worth[low], loss, n, scale, &gradient[low], &curvature[low])
    free(before)
