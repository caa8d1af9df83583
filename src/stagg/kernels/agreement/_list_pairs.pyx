# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The compiled twins of ``list_pairs``: sums over pairs of lists that hold an item, and contests by gap."""

from libc.stdint cimport int64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset


def pair_sums(
    const int64_t[::1] list_offsets,
    const int64_t[::1] owners,
    const int64_t[::1] entry_offsets,
    const int64_t[::1] items,
    const int64_t[::1] sizes,
    const int64_t[::1] values,
    int64_t[:, :, ::1] common,
    int64_t[:, :, ::1] sums,
    int64_t[:, :, ::1] squares,
    int64_t[:, :, ::1] products,
):
    """Each item is a row of (list, value) pairs; every two of them add to the sums of their rankers."""
    cdef int64_t query, first, end, k, e, i, n, entries, start, place, a, b, x, y, widest = 1, most = 1
    cdef int64_t* begins
    cdef int64_t* who
    cdef int64_t* what
    for query in range(sizes.shape[0]):
        entries = entry_offsets[list_offsets[query + 1]] - entry_offsets[list_offsets[query]]
        widest, most = max(widest, sizes[query]), max(most, entries)
    begins = <int64_t*> malloc((widest + 2) * sizeof(int64_t))
    who = <int64_t*> malloc(most * sizeof(int64_t))
    what = <int64_t*> malloc(most * sizeof(int64_t))
    if begins == NULL or who == NULL or what == NULL:
        free(begins)
        free(who)
        free(what)
        raise MemoryError
    with nogil:
        for query in range(sizes.shape[0]):
            first, end, n = list_offsets[query], list_offsets[query + 1], sizes[query]
            memset(begins, 0, (n + 2) * sizeof(int64_t))
            for e in range(entry_offsets[first], entry_offsets[end]):
                begins[items[e] + 2] += 1
            for i in range(n):
                begins[i + 2] += begins[i + 1]
            for k in range(first, end):  # begins[i + 1] is where the next entry of item i goes
                for e in range(entry_offsets[k], entry_offsets[k + 1]):
                    place = begins[items[e] + 1]
                    who[place], what[place] = owners[k], values[e]
                    begins[items[e] + 1] = place + 1
            for i in range(n):  # and now its end
                start = begins[i]
                for e in range(start, begins[i + 1]):
                    a, x = who[e], what[e]
                    for place in range(start, begins[i + 1]):
                        b, y = who[place], what[place]
                        common[query, a, b] += 1
                        sums[query, a, b] += x
                        squares[query, a, b] += x * x
                        products[query, a, b] += x * y
    free(begins)
    free(who)
    free(what)


def confirmations(
    const int64_t[::1] list_offsets,
    const int64_t[::1] owners,
    const int64_t[::1] entry_offsets,
    const int64_t[::1] items,
    const int64_t[::1] sizes,
    const int64_t[::1] values,
    const int64_t[::1] gaps,
    int64_t[:, :, ::1] counts,
):
    """All lists together give each item a total; what the others give is that less the list's own."""
    cdef int64_t query, k, e, g, gap, low, high, contests, halves, before, behind, widest = 1
    cdef int64_t* together
    for query in range(sizes.shape[0]):
        widest = max(widest, sizes[query])
    together = <int64_t*> calloc(widest, sizeof(int64_t))
    if together == NULL:
        raise MemoryError
    with nogil:
        for query in range(sizes.shape[0]):
            memset(together, 0, sizes[query] * sizeof(int64_t))
            for e in range(entry_offsets[list_offsets[query]], entry_offsets[list_offsets[query + 1]]):
                together[items[e]] += values[e]
            for k in range(list_offsets[query], list_offsets[query + 1]):
                low, high = entry_offsets[k], entry_offsets[k + 1]
                for g in range(gaps.shape[0]):
                    gap = gaps[g]
                    if low + gap >= high:
                        break
                    contests, halves = 0, 0
                    for e in range(low, high - gap):
                        if values[e] > values[e + gap]:
                            before = together[items[e]] - values[e]
                            behind = together[items[e + gap]] - values[e + gap]
                            contests += 1
                            halves += (before > behind) + (before >= behind)
                    counts[owners[k], g, 0] += halves
                    counts[owners[k], g, 1] += contests
    free(together)
