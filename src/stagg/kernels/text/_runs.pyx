# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""TREC runs at speed: the rows of some queries as arrays; ``_stretches`` says where they lie.

Only rows that are right in the plainest way are taken. Whatever is odd (a row that is wrong, an item that stands twice, a
rank that is no whole number, a carriage return within a line) makes the call say so, and the reader in Python does the
work again, with its errors and notes. What is taken here is what that reader would have taken.
"""

import os

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memchr, memcpy, memset

import numpy as np

from stagg.kernels.text._fields cimport (
    BLANKS, NEWLINE, Field, after_no_row, is_blank, line_end, next_field, read_text, read_value, read_whole,
)
from stagg.kernels.text._hashing cimport hashed, same
from stagg.kernels.text._sorting cimport Keyed, falling, is_larger, merge_sort, sort

cdef uint64_t SEED = int.from_bytes(os.urandom(8), "little")  # nobody can plan ids that collide


cdef struct Item:
    const uint8_t* id
    int32_t length
    uint32_t hash
    int64_t last_list  # the last list that held it


cdef struct Pool:
    # the items of one query: slots as in Names
    uint64_t* slots
    int64_t mask, slots_room, count
    Item* items


cdef bint spread(Pool* pool, int64_t size) noexcept nogil:
    """So many slots, the items in their places."""
    cdef int64_t k, place
    if size > pool.slots_room:
        free(pool.slots)
        pool.slots = <uint64_t*> malloc(size * sizeof(uint64_t))
        pool.slots_room = size if pool.slots != NULL else 0
        if pool.slots == NULL:
            return False
    memset(pool.slots, 0, size * sizeof(uint64_t))
    pool.mask = size - 1
    for k in range(pool.count):
        place = pool.items[k].hash & pool.mask
        while pool.slots[place] != 0:
            place = (place + 1) & pool.mask
        pool.slots[place] = <uint64_t> pool.items[k].hash << 32 | <uint64_t> (k + 1)
    return True


cdef bint emptied(Pool* pool, int64_t longest) noexcept nogil:
    """No items, and room for as many as before, or as a list of the query has, before the slots have to be spread."""
    cdef int64_t size = 64, expected = max(longest, min(pool.count, 4 * longest))
    while size < 2 * expected:
        size *= 2
    pool.count = 0
    return spread(pool, size)


cdef inline int64_t item_number(Pool* pool, const uint8_t* id, int64_t length) noexcept nogil:
    """The number of an item within its query; -1 when there is no memory left."""
    cdef uint32_t h = <uint32_t> hashed(id, length, SEED)
    cdef int64_t place = h & pool.mask, k
    cdef uint64_t slot
    cdef Item* item
    while True:
        slot = pool.slots[place]
        if slot == 0:
            break
        if <uint32_t> (slot >> 32) == h:
            k = <int64_t> (<uint32_t> slot) - 1
            item = &pool.items[k]
            if item.length == length and same(item.id, id, length):
                return k
        place = (place + 1) & pool.mask
    k = pool.count
    item = &pool.items[k]
    item.id, item.length, item.hash, item.last_list = id, <int32_t> length, h, -1
    pool.slots[place] = <uint64_t> h << 32 | <uint64_t> (k + 1)
    pool.count += 1
    if 2 * pool.count > pool.mask and not spread(pool, 2 * (pool.mask + 1)):
        return -1
    return k


cdef struct Listed:
    # the rows of one list, as they stand, then best first
    int64_t count
    int64_t* items
    double* keys
    double* scores
    int64_t* ranks
    int64_t* lines
    Keyed* order
    Keyed* spare
    bint falling


cdef inline const uint8_t* read_word(const uint8_t* p, Field* field) noexcept nogil:
    """Where the next field begins, after a word; NULL if it is odd."""
    p = read_text(p, BLANKS, field)
    return next_field(p, BLANKS) if p != NULL else NULL


cdef inline const uint8_t* read_numbers(const uint8_t* p, Field* rank, Field* score) noexcept nogil:
    """Where the next field begins, after a rank and a score; NULL if one is odd."""
    p = read_whole(p, rank)
    p = next_field(p, BLANKS) if p != NULL else NULL
    p = read_value(p, BLANKS, score) if p != NULL else NULL
    return next_field(p, BLANKS) if p != NULL else NULL


cdef int read_rows(
    const uint8_t* p, const uint8_t* end, int64_t line, const uint8_t* query, int64_t query_length,
    Pool* pool, int64_t list_number, Listed* rows, int64_t room, bint by_rank,
) noexcept nogil:
    """Append the rows from p on, whose last byte is a newline; 0 well, 1 out of the ordinary, 2 no memory."""
    cdef const uint8_t* q
    cdef Field word, id, rank, score
    cdef int64_t item, k = rows.count
    cdef double key
    while p < end:
        if end - p <= query_length or not is_blank(p[query_length]) or not same(p, query, query_length):
            q = after_no_row(p, end, BLANKS, False)
            if q == p:
                return 1
            p = q
            line += 1
            continue
        p = read_word(next_field(p + query_length, BLANKS), &word)  # the Q0 column says nothing
        p = read_word(p, &id) if p != NULL else NULL
        if p == NULL or k >= room:
            return 1
        item = item_number(pool, id.begin, id.end - id.begin)
        if item < 0:
            return 2
        if pool.items[item].last_list == list_number:
            return 1
        pool.items[item].last_list = list_number
        p = read_numbers(p, &rank, &score)
        p = read_text(p, BLANKS, &word) if p != NULL else NULL  # the tag
        p = line_end(p, BLANKS) if p != NULL else NULL
        if p == NULL:
            return 1
        key = -rank.value if by_rank else score.value
        if k and key > rows.keys[k - 1]:
            rows.falling = False
        rows.items[k], rows.keys[k], rows.scores[k] = item, key, score.value
        rows.ranks[k], rows.lines[k] = <int64_t> rank.value, line
        k += 1
        line += 1
    rows.count = k
    return 0


cdef inline bint by_item_id(const Keyed* one, const Keyed* other, const void* context) noexcept nogil:
    """Larger ids first; the context is the items of the query."""
    cdef const Item* a = <const Item*> context + one.item
    cdef const Item* b = <const Item*> context + other.item
    return not is_larger(b.id, b.length, a.id, a.length)


cdef int64_t contradictions(const Listed* rows, const uint8_t* tied, int64_t* first_line) noexcept nogil:
    """How many rows have a smaller rank than some row of the next higher score; and the first line of such a row."""
    cdef int64_t k, count = 0, worst_before = -1, worst = -1, place
    for k in range(rows.count):
        place = rows.order[k].item if not rows.falling else k
        if not tied[k]:
            worst_before, worst = worst, -1
        worst = max(worst, rows.ranks[place])
        if rows.ranks[place] < worst_before:
            count += 1
            first_line[0] = min(first_line[0], rows.lines[place])
    return count


cdef void write_out(Listed* rows, int64_t* entries, uint8_t* tied, double* scores) noexcept nogil:
    """The rows of a list, best first."""
    cdef int64_t k, count = rows.count
    if rows.falling:
        memcpy(entries, rows.items, count * sizeof(int64_t))
        memcpy(scores, rows.scores, count * sizeof(double))
        tied[0] = False
        for k in range(1, count):
            tied[k] = rows.keys[k] == rows.keys[k - 1]
    else:
        for k in range(count):
            rows.order[k].key, rows.order[k].item = falling(rows.keys[k]), k
        sort(rows.order, rows.spare, count)
        for k in range(count):
            entries[k], scores[k] = rows.items[rows.order[k].item], rows.scores[rows.order[k].item]
            tied[k] = k > 0 and rows.order[k].key == rows.order[k - 1].key


cdef int64_t cut(
    Pool* pool, Listed* rows, int64_t depth, int64_t* entries, const uint8_t* tied
) noexcept nogil:
    """How much of a list stays; a tied group that crosses the cut loses its small ids."""
    cdef int64_t low = depth, high = depth, k
    if rows.count <= depth:
        return rows.count
    if tied[depth]:
        while tied[low]:
            low -= 1
        while high < rows.count and tied[high]:
            high += 1
        for k in range(low, high):
            rows.order[k].item = entries[k]
        merge_sort(rows.order + low, rows.spare, high - low, by_item_id, pool.items)
        for k in range(low, high):
            entries[k] = rows.order[k].item
    return depth


cdef void without_unlisted(Pool* pool, int64_t* entries, int64_t count) noexcept nogil:
    """Forget the items that no entry names any more; ``last_list`` becomes the new number."""
    cdef int64_t k, kept = 0
    for k in range(pool.count):
        pool.items[k].last_list = -1
    for k in range(count):
        pool.items[entries[k]].last_list = 0
    for k in range(pool.count):
        if pool.items[k].last_list == 0:
            pool.items[k].last_list = kept
            pool.items[kept].id, pool.items[kept].length = pool.items[k].id, pool.items[k].length
            kept += 1
    for k in range(count):
        entries[k] = pool.items[entries[k]].last_list
    pool.count = kept


def lists(
    const int64_t[::1] begin, const int64_t[::1] end, const int64_t[::1] line, const int64_t[::1] list_segments,
    const int64_t[::1] list_rankers, const int64_t[::1] list_rows, const int64_t[::1] query_lists, list names,
    bint by_rank, int64_t depth, int64_t[:, ::1] falls, int64_t[::1] counts,
):
    """The lists of some queries, None if a row is out of the ordinary.

    Stretch s of lines has the addresses ``begin[s]:end[s]`` and begins with line ``line[s]``; list l has the stretches
    ``list_segments[l]:list_segments[l+1]``, at most ``list_rows[l]`` rows, and is of ranker ``list_rankers[l]``; query
    q has the lists ``query_lists[q]:query_lists[q+1]``, none of them empty, and the id ``names[q]``. Eight bytes after a
    stretch are looked at, too.

    Returns item_offsets, entry_offsets, entries, tied, scores as in Rankings, the address and length of every item's
    id. ``counts`` gets what there was before the lists were cut to ``depth`` (0: not at all): items, rows, the shortest
    and the longest list, lists with ties; it must begin as 0, 0, a large number, 0, 0. ``falls[r]`` gets the number
    of ranker r's rows whose rank contradicts the scores, and the smallest of their lines. A cut by ``depth`` goes by score,
    so it cannot go with ``by_rank``.
    """
    cdef int64_t queries = query_lists.shape[0] - 1, count = list_rankers.shape[0]
    cdef int64_t total = 0, longest = 1, largest = 1, q, l, k, rows_of_query
    for q in range(queries):
        rows_of_query = 0
        for l in range(query_lists[q], query_lists[q + 1]):
            rows_of_query += list_rows[l]
            longest = max(longest, list_rows[l])
        largest = max(largest, rows_of_query)
        total += rows_of_query
    item_offsets, entry_offsets = np.zeros(queries + 1, dtype=np.int64), np.zeros(count + 1, dtype=np.int64)
    entries, tied, scores = np.empty(total, dtype=np.int64), np.empty(total, dtype=np.uint8), np.empty(total)
    addresses, lengths = np.empty(total, dtype=np.int64), np.empty(total, dtype=np.int32)
    cdef int64_t[::1] item_view = item_offsets, entry_view = entry_offsets, entries_view = entries, address_view = addresses
    cdef uint8_t[::1] tied_view = tied
    cdef double[::1] scores_view = scores
    cdef int32_t[::1] length_view = lengths
    cdef Field* called = <Field*> malloc((queries + 1) * sizeof(Field))
    cdef Pool pool
    cdef Listed rows
    cdef int outcome = 0
    cdef int64_t* numbers = <int64_t*> malloc(longest * (5 * sizeof(int64_t) + 2 * sizeof(Keyed)))
    memset(&pool, 0, sizeof(Pool))
    pool.items = <Item*> malloc(largest * sizeof(Item))
    try:
        if numbers == NULL or pool.items == NULL or called == NULL:
            raise MemoryError
        rows.items, rows.ranks, rows.lines = numbers, numbers + longest, numbers + 2 * longest
        rows.keys, rows.scores = <double*> (numbers + 3 * longest), <double*> (numbers + 4 * longest)
        rows.order = <Keyed*> (numbers + 5 * longest)
        rows.spare = rows.order + longest
        for q in range(queries):
            called[q].begin = <const uint8_t*> <bytes> names[q]
            called[q].end = called[q].begin + len(<bytes> names[q])
        with nogil:  # once for all queries: to take the lock again is to wait for another thread
            for q in range(queries if total else 0):
                outcome = read_query(
                    begin, end, line, list_segments, list_rankers, list_rows, query_lists, q, called[q].begin,
                    called[q].end - called[q].begin, by_rank, depth, &pool, &rows, entry_view, entries_view, tied_view, scores_view,
                    falls, counts, item_view[q],
                )
                if outcome:
                    break
                item_view[q + 1] = item_view[q] + pool.count
                for k in range(pool.count):
                    address_view[item_view[q] + k] = <int64_t> pool.items[k].id
                    length_view[item_view[q] + k] = pool.items[k].length
        if outcome == 2:
            raise MemoryError
        if outcome:
            return None
    finally:
        free(called)
        free(numbers)
        free(pool.items)
        free(pool.slots)
    size, items = entry_offsets[count], item_offsets[queries]
    return (
        item_offsets, entry_offsets, entries[:size], tied[:size].view(bool), scores[:size],
        addresses[:items], lengths[:items],
    )


cdef int read_query(
    const int64_t[::1] begin, const int64_t[::1] end, const int64_t[::1] line, const int64_t[::1] list_segments,
    const int64_t[::1] list_rankers, const int64_t[::1] list_rows, const int64_t[::1] query_lists,
    int64_t query, const uint8_t* name, int64_t name_length, bint by_rank, int64_t depth,
    Pool* pool, Listed* rows, int64_t[::1] entry_offsets, int64_t[::1] entries, uint8_t[::1] tied, double[::1] scores,
    int64_t[:, ::1] falls, int64_t[::1] counts, int64_t first_item,
) noexcept nogil:
    """All lists of one query; 0 well, 1 out of the ordinary, 2 no memory."""
    cdef int64_t l, s, k, at, count, first = entry_offsets[query_lists[query]], longest = 1
    cdef int outcome
    cdef const uint8_t* low
    cdef const uint8_t* high
    for l in range(query_lists[query], query_lists[query + 1]):
        longest = max(longest, list_rows[l])
    if not emptied(pool, longest):
        return 2
    for l in range(query_lists[query], query_lists[query + 1]):
        rows.count, rows.falling = 0, True
        for s in range(list_segments[l], list_segments[l + 1]):
            low, high = <const uint8_t*> begin[s], <const uint8_t*> end[s]
            if high <= low or (high - 1)[0] != NEWLINE:
                return 1
            outcome = read_rows(
                low, high, line[s], name, name_length, pool, l, rows, list_rows[l], by_rank
            )
            if outcome:
                return outcome
        if rows.count == 0:
            return 1
        at = entry_offsets[l]
        write_out(rows, &entries[at], &tied[at], &scores[at])
        if not by_rank:
            falls[list_rankers[l], 0] += contradictions(rows, &tied[at], &falls[list_rankers[l], 1])
        counts[1] += rows.count
        counts[2], counts[3] = min(counts[2], rows.count), max(counts[3], rows.count)
        counts[4] += memchr(&tied[at], 1, rows.count) != NULL
        count = cut(pool, rows, depth, &entries[at], &tied[at]) if depth > 0 else rows.count
        entry_offsets[l + 1] = at + count
    counts[0] += pool.count
    at = entry_offsets[query_lists[query + 1]]
    if depth > 0:
        without_unlisted(pool, &entries[first], at - first)
    for k in range(first, at):
        entries[k] += first_item
    return 0
