# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The compiled twin of ``expected_measures.expected_in_numpy``: the same products in the same order, one item at a time."""

from libc.math cimport erfc, exp, sqrt
from libc.stdint cimport int64_t
from libc.stdlib cimport free, malloc

cdef double SQRT_HALF = 0.7071067811865476
cdef double DENSITY = 0.3989422804014327  # 1 / sqrt(2 pi)
cdef double FAR = 38.6  # Φ(-38.6) underflows: whoever is so far behind does not beat
cdef double SKIPPED = -1.0  # no chance
cdef double FAR_BEHIND = -30.0  # from there on the series of φ/Φ is exact to 2e-14, and soon Φ underflows


cdef void one_item(
    const double* f, const double* stop, Py_ssize_t n, Py_ssize_t j, double worth,
    const double* a, const double* t, Py_ssize_t terms, double scale,
    double* value, double* gradient, double* loss, double* before, double* chance,
) noexcept nogil:
    """Add what item j of a query gives to its value and gradient; ``before`` holds n + 1 rows of products.

    ``loss[i]``, unless it is NULL, becomes -∂E/∂p_ij, what the measure loses when i beats j.
    """
    cdef Py_ssize_t i, q, last = 0
    cdef double z, p, on, total, push, shrink, pushed = 0.0
    cdef double* row = before
    cdef double* next_row
    cdef double* after = before + n * terms
    for q in range(terms):
        row[q] = 1.0
    for i in range(n):  # the products over all before i, for those who may beat j
        chance[i] = SKIPPED
        z = (f[i] - f[j]) / scale
        if i == j or (z < -FAR and loss == NULL):  # it has a loss, though no chance
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
        if p == SKIPPED:
            continue
        on = 1.0 - stop[i]
        row -= terms
        z = (f[i] - f[j]) / scale
        total = 0.0
        for q in range(terms):
            shrink = 1.0 - on * t[q]
            total += row[q] * after[q] * shrink
            after[q] *= 1.0 - p * shrink
        if loss != NULL:
            loss[i] = worth * total
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
                        &values[query], &gradient[low], NULL, before, chance,
                    )
    free(before)


cdef void contests(
    const double* f, const double* worth, Py_ssize_t n, const double* loss, double scale,
    double* gradient, double* curvature,
) noexcept nogil:
    """Add the steps that the contests of a query ask for; ``loss[j * n + i]`` is what j loses, unweighed, to i."""
    cdef Py_ssize_t i, j, ahead, behind
    cdef double z, x, mills, push, bend
    for j in range(n):
        for i in range(j):
            if worth[i] == worth[j]:
                continue
            ahead, behind = (j, i) if worth[j] > worth[i] else (i, j)
            z = (f[ahead] - f[behind]) / scale
            if z > FAR:
                continue
            if z < FAR_BEHIND:
                x = 1.0 / (z * z)
                mills = -z / (1.0 - x * (1.0 - x * (3.0 - x * (15.0 - x * (105.0 - x * 945.0)))))
            else:
                mills = DENSITY * exp(-0.5 * z * z) / (0.5 * erfc(-z * SQRT_HALF))
            push = 0.5 * (worth[ahead] - worth[behind]) * (loss[j * n + i] + loss[i * n + j]) * mills / scale
            bend = push * (z + mills) / scale
            gradient[ahead] += push
            gradient[behind] -= push
            curvature[ahead] += bend
            curvature[behind] += bend


def contest_steps(
    const double[::1] scores, const int64_t[::1] offsets, const int64_t[::1] queries, Py_ssize_t largest,
    const double[::1] worth, const double[::1] stop, const double[::1] a, const double[::1] t, double sigma,
    double[::1] values, double[::1] gradient, double[::1] curvature,
):
    """Add the expectations of some queries and the steps of their contests."""
    cdef Py_ssize_t terms = a.shape[0], k, query, low, n, j
    cdef double scale = sqrt(2.0) * sigma, value, most
    cdef Py_ssize_t products = (largest + 2) * (terms + 1)
    cdef double* before = <double*> malloc((products + (largest + 1) * largest) * sizeof(double))
    if before == NULL:
        raise MemoryError
    cdef double* chance = before + (largest + 1) * terms
    cdef double* loss = before + products
    cdef double* unused = loss + largest * largest
    with nogil:
        for k in range(queries.shape[0]):
            query = queries[k]
            low, n = offsets[query], offsets[query + 1] - offsets[query]
            most = 0.0
            for j in range(n):
                most = max(most, worth[low + j])
                unused[j] = 0.0
            if most == 0.0:
                continue
            for j in range(n * n):
                loss[j] = 0.0
            for j in range(n):
                value = 0.0
                one_item(
                    &scores[low], &stop[low], n, j, 1.0, &a[0], &t[0], terms, scale,
                    &value, unused, loss + j * n, before, chance,
                )
                values[query] += worth[low + j] * value
            contests(&scores[low], &worth[low], n, loss, scale, &gradient[low], &curvature[low])
    free(before)
