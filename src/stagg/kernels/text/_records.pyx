# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Rows as records, sorted by query: a chunk of rows becomes one buffer, and buffers become the lists of some queries.

A buffer holds groups in bytewise order of their queries. A group is a header, the id of the query, and the records of
its rows in the order of the file, each with the id of its item. Everything begins at a multiple of eight bytes, so a
buffer can be written to a file, and any range of queries be read back, as it is.
"""

import os

from libc.math cimport INFINITY, NAN, isnan
from libc.stdint cimport INT32_MAX, int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, qsort, realloc
from libc.string cimport memcmp, memcpy, memset

import numpy as np

from stagg.kernels.text._hashing cimport hashed, same
from stagg.kernels.text._sorting cimport IdColumn, Keyed, falling, merge_sort, sort

cdef uint64_t SEED = int.from_bytes(os.urandom(8), "little")  # nobody can plan ids that collide


cdef struct Group:
    int64_t size  # bytes, with this header
    int32_t rows
    int32_t appearance  # among the queries of the chunk, in the order of the file
    int64_t length  # of the query's id, which follows


cdef struct Record:
    double score  # NaN where there is none
    double rank
    uint32_t ranker  # among those of the chunk
    uint32_t line  # after the first of the chunk
    int64_t length  # of the item's id, which follows


cdef inline int64_t padded(int64_t length) noexcept nogil:
    return (length + 7) & ~<int64_t> 7


cdef inline uint64_t prefix(const uint8_t* id, int64_t length) noexcept nogil:
    """The first eight bytes as a number that is ordered as they are."""
    cdef uint64_t key = 0
    cdef int64_t k
    for k in range(8):
        key = key << 8 | (id[k] if k < length else 0)
    return key


cdef inline int compare(const uint8_t* one, int64_t length, const uint8_t* other, int64_t other_length) noexcept nogil:
    """Below, equal to or above 0 as an id is bytewise smaller than another, equal, or larger."""
    cdef int difference = memcmp(one, other, min(length, other_length))
    return difference if difference else (length > other_length) - (length < other_length)


cdef inline bint not_larger(const Keyed* one, const Keyed* other, const void* context) noexcept nogil:
    """Smaller ids first; the context is an IdColumn."""
    cdef const IdColumn* ids = <const IdColumn*> context
    return compare(
        <const uint8_t*> ids.address[one.item], ids.length[one.item],
        <const uint8_t*> ids.address[other.item], ids.length[other.item],
    ) <= 0


cdef int64_t shared_bytes(const Keyed* members, int64_t count, const IdColumn* ids) noexcept nogil:
    """How many bytes all ids begin with."""
    cdef int64_t k, j, shared
    cdef const uint8_t* first
    cdef const uint8_t* id
    if count == 0:
        return 0
    first, shared = <const uint8_t*> ids.address[members[0].item], ids.length[members[0].item]
    for k in range(1, count):
        id = <const uint8_t*> ids.address[members[k].item]
        shared = min(shared, <int64_t> ids.length[members[k].item])
        if memcmp(first, id, shared) != 0:
            j = 0
            while first[j] == id[j]:
                j += 1
            shared = j
    return shared


cdef void sort_ids(Keyed* members, Keyed* spare, int64_t count, const IdColumn* ids) noexcept nogil:
    """Ids in bytewise order: by the first eight bytes after those that all share, and equal ones by all."""
    cdef int64_t low = 0, high, k, shared = shared_bytes(members, count, ids)
    for k in range(count):
        members[k].key = prefix(<const uint8_t*> ids.address[members[k].item] + shared, ids.length[members[k].item] - shared)
    sort(members, spare, count)
    while low < count:
        high = low + 1
        while high < count and members[high].key == members[low].key:
            high += 1
        if high - low > 1:
            merge_sort(members + low, spare, high - low, not_larger, ids)
        low = high


# --- rows to records --------------------------------------------------------------------------------------------------


def sort_by_query(
    const int64_t[::1] codes, const int64_t[::1] query_address, const int32_t[::1] query_length, const uint8_t[::1] wanted,
    const int64_t[::1] rankers, const int64_t[::1] address, const int32_t[::1] length,
    const double[::1] scores, const double[::1] ranks, const int64_t[::1] lines, int64_t first_line, int64_t spacing,
):
    """(buffer, fences): the rows as a buffer of groups, and where a group begins about every ``spacing`` bytes.

    Row k has the query ``codes[k]``, of which the ids are given, by first appearance; those that are not ``wanted`` are left out
    (empty: all are). ``rankers``, ``scores`` and ``ranks`` may be empty: ranker 0, and no number.
    """
    cdef int64_t rows = codes.shape[0], queries = query_address.shape[0], k, code, size, place = 0, last = -1, room
    cdef Keyed* members = <Keyed*> malloc(2 * max(queries, 1) * sizeof(Keyed))
    cdef int64_t* at = <int64_t*> calloc(max(queries, 1), sizeof(int64_t))  # bytes of a query's rows, then the place of the next
    cdef int64_t* counts = <int64_t*> calloc(max(queries, 1), sizeof(int64_t))
    cdef bint all_wanted = wanted.shape[0] == 0, has_rankers = rankers.shape[0] > 0
    cdef bint has_scores = scores.shape[0] > 0, has_ranks = ranks.shape[0] > 0
    cdef IdColumn ids
    cdef uint8_t[::1] target
    cdef int64_t[::1] found
    cdef uint8_t* start
    cdef Group* group
    cdef Record* record
    cdef int64_t fences = 0, kept = 0
    try:
        if members == NULL or at == NULL or counts == NULL:
            raise MemoryError
        with nogil:
            for k in range(rows):
                code = codes[k]
                if all_wanted or wanted[code]:
                    at[code] += sizeof(Record) + padded(length[k])
                    counts[code] += 1
            for code in range(queries):
                if counts[code]:
                    members[kept].item = code
                    kept += 1
                    place += sizeof(Group) + padded(query_length[code]) + at[code]
            if kept:
                ids.address, ids.length = &query_address[0], &query_length[0]
                sort_ids(members, members + kept, kept, &ids)
        buffer, room = np.empty(place, dtype=np.uint8), place // max(spacing, 1) + 2
        starts = np.empty(min(room, kept + 1), dtype=np.int64)
        if not kept:
            return buffer, starts[:0]
        target, found, start = buffer, starts, NULL
        with nogil:
            start = &target[0]
            place = 0
            for k in range(kept):
                code = members[k].item
                if last < 0 or place - last >= spacing:
                    found[fences], last = place, place
                    fences += 1
                group = <Group*> (start + place)
                size = sizeof(Group) + padded(query_length[code]) + at[code]
                group.size, group.rows, group.appearance, group.length = size, <int32_t> counts[code], <int32_t> code, query_length[code]
                put_id(start + place + sizeof(Group), <const uint8_t*> query_address[code], query_length[code])
                at[code] = place + sizeof(Group) + padded(query_length[code])
                place += size
            for k in range(rows):
                code = codes[k]
                if not (all_wanted or wanted[code]):
                    continue
                record = <Record*> (start + at[code])
                record.score = scores[k] if has_scores else NAN
                record.rank = ranks[k] if has_ranks else NAN
                record.ranker = <uint32_t> rankers[k] if has_rankers else 0
                record.line, record.length = <uint32_t> (lines[k] - first_line), length[k]
                put_id(start + at[code] + sizeof(Record), <const uint8_t*> address[k], length[k])
                at[code] += sizeof(Record) + padded(length[k])
        return buffer, starts[:fences].copy()
    finally:
        free(members)
        free(at)
        free(counts)


cdef inline void put_id(uint8_t* target, const uint8_t* id, int64_t length) noexcept nogil:
    """The bytes, and zeros up to a multiple of eight."""
    if length & 7:
        (<uint64_t*> (target + (length & ~<int64_t> 7)))[0] = 0
    memcpy(target, id, length)


def query_at(const uint8_t[::1] buffer, int64_t place):
    """The query of the group that begins there."""
    cdef const Group* group = <const Group*> &buffer[place]
    return (<const char*> group + sizeof(Group))[:group.length]


def last_query(const uint8_t[::1] buffer, int64_t place):
    """The query of the last group; a group begins at ``place``."""
    cdef const Group* group = <const Group*> &buffer[place]
    while place + group.size < buffer.shape[0]:
        place += group.size
        group = <const Group*> &buffer[place]
    return (<const char*> group + sizeof(Group))[:group.length]


def pass_below(const int64_t[::1] address, const int64_t[::1] end, bytes bound):
    """Of each run of groups, ``address:end`` in memory: where the first begins whose query is not below the bound."""
    cdef int64_t count = address.shape[0], s, place, length = len(bound)
    cdef const uint8_t* other = <const uint8_t*> <char*> bound
    cdef const Group* group
    passed = np.empty(count, dtype=np.int64)
    cdef int64_t[::1] view = passed
    with nogil:
        for s in range(count):
            place = address[s]
            while place < end[s]:
                group = <const Group*> place
                if compare(<const uint8_t*> group + sizeof(Group), group.length, other, length) >= 0:
                    break
                place += group.size
            view[s] = place
    return passed


# --- records to lists -------------------------------------------------------------------------------------------------


cdef struct Item:
    const uint8_t* id
    int64_t length
    uint32_t hash
    int32_t last_list  # of the query, the last that held it


cdef struct Pool:
    # the items of one query; a slot is a hash and the number of an item, counted from 1
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


cdef bint emptied(Pool* pool, int64_t rows) noexcept nogil:
    """No items, and room for the items of so many rows, most of which are in several lists."""
    cdef int64_t size = 64
    while size < rows:
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
    item.id, item.length, item.hash, item.last_list = id, length, h, -1
    pool.slots[place] = <uint64_t> h << 32 | <uint64_t> (k + 1)
    pool.count += 1
    if 2 * pool.count > pool.mask and not spread(pool, 2 * (pool.mask + 1)):
        return -1
    return k


cdef struct Found:
    # a group of a segment
    const Group* group
    int64_t segment


cdef struct Segments:
    const int64_t* files
    const int64_t* ranker_numbers
    const int64_t* ranker_offsets


cdef struct Rows:
    # the rows of one query as they come, then by list
    const Record** records
    int32_t* items
    int32_t* segments
    int32_t* rankers
    int32_t* order
    Keyed* keyed
    Keyed* spare


cdef struct Lists:
    # where the lists of all queries go
    int64_t* rankers
    int64_t* entry_offsets
    int64_t* entries
    uint8_t* tied
    double* scores
    int64_t* records
    int64_t count  # of lists
    int64_t* ranker_rows  # of the query at hand
    int64_t* owners
    int64_t* falls  # of each file: how many, and the first line
    const int64_t* first_lines
    bint by_rank, by_id


cdef enum:
    TWICE = 1  # an item appears twice in a list
    GAP = 2  # a list has scores for some of its items
    SHARED = 4  # a list is in several files
    NO_MEMORY = 8


cdef int by_number(const void* one, const void* other) noexcept nogil:
    cdef int64_t a = (<const int64_t*> one)[0], b = (<const int64_t*> other)[0]
    return (a > b) - (a < b)


cdef inline double deciding(const Record* record, bint by_rank) noexcept nogil:
    """The number that orders a row, large = top."""
    return -record.rank if by_rank or isnan(record.score) else record.score


cdef int64_t take_rows(const Found* found, int64_t count, Segments* segments, Pool* pool, Rows* rows) noexcept nogil:
    """The rows of a query, its items numbered as they come; how many, -1 when there is no memory left."""
    cdef int64_t g, k, row = 0, item, segment
    cdef const uint8_t* p
    cdef const Record* record
    cdef const int64_t* numbers
    for g in range(count):
        segment = found[g].segment
        numbers = segments.ranker_numbers + segments.ranker_offsets[segment]
        p = <const uint8_t*> found[g].group + sizeof(Group) + padded(found[g].group.length)
        for k in range(found[g].group.rows):
            record = <const Record*> p
            p += sizeof(Record)
            item = item_number(pool, p, record.length)
            if item < 0:
                return -1
            rows.records[row], rows.items[row], rows.segments[row] = record, <int32_t> item, <int32_t> segment
            rows.rankers[row] = <int32_t> numbers[record.ranker]
            row += 1
            p += padded(record.length)
    return row


cdef void number_by_id(
    Pool* pool, Rows* rows, int64_t count, int64_t* address, int32_t* length
) noexcept nogil:
    """The items of a query numbered in bytewise order of their ids, which go to ``address`` and ``length``."""
    cdef int64_t k
    cdef int32_t* place = rows.order
    cdef IdColumn ids
    ids.address, ids.length = address, length
    for k in range(pool.count):
        address[k], length[k] = <int64_t> pool.items[k].id, <int32_t> pool.items[k].length
        rows.keyed[k].item = k
    sort_ids(rows.keyed, rows.spare, pool.count, &ids)
    for k in range(pool.count):
        place[rows.keyed[k].item] = <int32_t> k
        address[k] = <int64_t> pool.items[rows.keyed[k].item].id
        length[k] = <int32_t> pool.items[rows.keyed[k].item].length
    for k in range(count):
        rows.items[k] = place[rows.items[k]]


cdef void order_ties(Rows* rows, int64_t low, int64_t high, bint by_rank) noexcept nogil:
    """Rows of a list that have the same number, by the number of their item."""
    cdef int64_t first = low, end, k
    cdef double key
    while first < high:
        end, key = first + 1, deciding(rows.records[rows.order[first]], by_rank)
        while end < high and deciding(rows.records[rows.order[end]], by_rank) == key:
            end += 1
        if end - first > 1:
            for k in range(first, end):
                rows.keyed[k - first].key, rows.keyed[k - first].item = <uint64_t> rows.items[rows.order[k]], rows.order[k]
            sort(rows.keyed, rows.spare, end - first)
            for k in range(first, end):
                rows.order[k] = <int32_t> rows.keyed[k - first].item
        first = end


cdef int write_lists(Rows* rows, int64_t count, int64_t first_item, Segments* segments, Pool* pool, Lists* lists) noexcept nogil:
    """The lists of a query, by number of the ranker; the problems that were found."""
    cdef int64_t k, r, low, high, row, touched = 0, place = lists.entry_offsets[lists.count]
    cdef int problems = 0
    cdef int32_t ranker = -1
    for k in range(count):
        ranker = rows.rankers[k]
        if lists.ranker_rows[ranker] == 0:
            lists.owners[touched] = ranker
            touched += 1
        lists.ranker_rows[ranker] += 1
    if touched > 1:
        qsort(lists.owners, touched, sizeof(int64_t), by_number)
    for r in range(touched):
        lists.rankers[lists.count + r] = lists.owners[r]
        low = lists.entry_offsets[lists.count + r]
        lists.entry_offsets[lists.count + r + 1] = low + lists.ranker_rows[lists.owners[r]]
        lists.ranker_rows[lists.owners[r]] = low - place  # from here on: where the next row of the list goes
    for k in range(count):
        ranker = rows.rankers[k]
        rows.order[lists.ranker_rows[ranker]] = <int32_t> k
        lists.ranker_rows[ranker] += 1
    for r in range(touched):
        lists.ranker_rows[lists.owners[r]] = 0
        low, high = lists.entry_offsets[lists.count] - place, lists.entry_offsets[lists.count + 1] - place
        problems |= write_list(rows, low, high, place, <int32_t> r, first_item, segments, pool, lists)
        lists.count += 1
    return problems


cdef int write_list(
    Rows* rows, int64_t low, int64_t high, int64_t place, int32_t number, int64_t first_item, Segments* segments, Pool* pool,
    Lists* lists,
) noexcept nogil:
    """One list, best first."""
    cdef int64_t k, row = rows.order[low], file = segments.files[rows.segments[row]]
    cdef const Record* record = rows.records[row]
    cdef double key, before = deciding(record, lists.by_rank)
    cdef bint falls = True, gap = isnan(record.score), has_ranks = not isnan(record.rank), tie
    cdef int problems = 0
    for k in range(low + 1, high):
        row = rows.order[k]
        record = rows.records[row]
        key = deciding(record, lists.by_rank)
        falls = falls and key <= before
        before = key
        if isnan(record.score) != gap:
            problems |= GAP
        has_ranks = has_ranks or not isnan(record.rank)
        if segments.files[rows.segments[row]] != file:
            problems |= SHARED
    if not falls:
        for k in range(low, high):
            rows.keyed[k - low].key = falling(deciding(rows.records[rows.order[k]], lists.by_rank))
            rows.keyed[k - low].item = rows.order[k]
        sort(rows.keyed, rows.spare, high - low)
        for k in range(low, high):
            rows.order[k] = <int32_t> rows.keyed[k - low].item
    if lists.by_id:
        order_ties(rows, low, high, lists.by_rank)
    for k in range(low, high):
        row = rows.order[k]
        record = rows.records[row]
        key = deciding(record, lists.by_rank)
        tie = k > low and key == before
        before = key
        if pool.items[rows.items[row]].last_list == number:
            problems |= TWICE
        pool.items[rows.items[row]].last_list = number
        lists.entries[place + k], lists.tied[place + k] = first_item + rows.items[row], tie
        lists.scores[place + k] = record.score
        if lists.records != NULL:
            lists.records[place + k] = <int64_t> record
    if has_ranks and not lists.by_rank:
        count_falls(rows, low, high, lists.tied + place, file, lists)
    return problems


cdef void count_falls(
    Rows* rows, int64_t low, int64_t high, const uint8_t* tied, int64_t file, Lists* lists
) noexcept nogil:
    """Count the rows that have a smaller rank than some row of the next higher score."""
    cdef int64_t k, line
    cdef double worst_before = -INFINITY, worst = -INFINITY, rank
    for k in range(low, high):
        if not tied[k]:
            worst_before, worst = worst, -INFINITY
        rank = rows.records[rows.order[k]].rank
        worst = max(worst, -1.0 if isnan(rank) else rank)
        if rank < worst_before:
            line = lists.first_lines[rows.segments[rows.order[k]]] + rows.records[rows.order[k]].line
            lists.falls[2 * file] += 1
            lists.falls[2 * file + 1] = min(lists.falls[2 * file + 1], line)


def lists(
    const int64_t[::1] address, const int64_t[::1] size, const int64_t[::1] files, const int64_t[::1] first_lines,
    const int64_t[::1] ranker_numbers, const int64_t[::1] ranker_offsets, int64_t rankers, bint by_rank,
    bint by_appearance, bint by_id, int64_t[:, ::1] falls, room=None,
):
    """The lists of all queries of some segments: whole groups, in the order of the files.

    Segment s has ``size[s]`` bytes at ``address[s]``, is of file ``files[s]``, its first line is ``first_lines[s]``, and its
    ranker r has the number ``ranker_numbers[ranker_offsets[s] + r]``, below ``rankers``. Queries come in bytewise order,
    or ``by_appearance``. Items of a query are numbered as they come, or ``by_id`` in bytewise order, and so are ties ordered.

    Returns the address and length of each query's id, in how many files each query is, item_offsets, list_offsets,
    list_rankers, entry_offsets, entries, tied, scores as in Rankings, the address of each entry's record, the address and
    length of each item's id, and the problems that were found. ``falls[f]`` gets the number of rows of file f
    whose rank contradicts the scores, and the smallest of their lines. ``room`` are arrays for entries, tied and scores, of as
    many elements as there are rows; then the addresses of the records are left out.
    """
    cdef int64_t count = address.shape[0], s, g, k, groups = 0, total = 0, queries = 0, place, end, most_rows = 0, rows_of_query
    cdef const Group* group
    cdef Found* found = NULL
    cdef Found* ordered = NULL
    cdef Keyed* members = NULL
    cdef int64_t* firsts = NULL  # of each query: its first group
    cdef int64_t* id_addresses = NULL
    cdef int32_t* id_lengths = NULL
    cdef IdColumn ids
    cdef Pool pool
    cdef Rows rows
    cdef Lists out
    cdef Segments segments
    cdef char* scratch = NULL
    cdef int problems = 0
    memset(&pool, 0, sizeof(Pool))
    memset(&out, 0, sizeof(Lists))
    with nogil:
        for s in range(count):
            place, end = address[s], address[s] + size[s]
            while place < end:
                group = <const Group*> place
                groups += 1
                total += group.rows
                place += group.size
    try:
        found, ordered = <Found*> malloc(max(groups, 1) * sizeof(Found)), <Found*> malloc(max(groups, 1) * sizeof(Found))
        members = <Keyed*> malloc(2 * max(groups, 1) * sizeof(Keyed))
        firsts = <int64_t*> malloc((groups + 1) * sizeof(int64_t))
        id_addresses, id_lengths = <int64_t*> malloc(max(groups, 1) * 8), <int32_t*> malloc(max(groups, 1) * 4)
        if found == NULL or ordered == NULL or members == NULL or firsts == NULL or id_addresses == NULL or id_lengths == NULL:
            raise MemoryError
        with nogil:
            g = 0
            for s in range(count):
                place, end = address[s], address[s] + size[s]
                while place < end:
                    group = <const Group*> place
                    found[g].group, found[g].segment = group, s
                    id_addresses[g], id_lengths[g] = place + sizeof(Group), <int32_t> group.length
                    members[g].item = g
                    g += 1
                    place += group.size
            ids.address, ids.length = id_addresses, id_lengths
            sort_ids(members, members + groups, groups, &ids)
            for g in range(groups):
                ordered[g] = found[members[g].item]
            queries = 0
            for g in range(groups):
                if g == 0 or not_same(ordered[g - 1].group, ordered[g].group):
                    firsts[queries] = g
                    queries += 1
            firsts[queries] = groups
            for k in range(queries):
                rows_of_query = 0
                for g in range(firsts[k], firsts[k + 1]):
                    rows_of_query += ordered[g].group.rows
                most_rows = max(most_rows, rows_of_query)
                # of its groups the first in the order of the file comes first: sorting is stable
                members[k].item = k
                members[k].key = <uint64_t> ordered[firsts[k]].segment << 32 | <uint64_t> ordered[firsts[k]].group.appearance
            if by_appearance:
                sort(members, members + queries, queries)
        query_address, query_length = np.empty(queries, dtype=np.int64), np.empty(queries, dtype=np.int32)
        query_files = np.empty(queries, dtype=np.int64)
        item_offsets, list_offsets = np.zeros(queries + 1, dtype=np.int64), np.zeros(queries + 1, dtype=np.int64)
        most_lists = min(total, queries * rankers)
        list_rankers, entry_offsets = np.empty(most_lists, dtype=np.int64), np.zeros(most_lists + 1, dtype=np.int64)
        if room is None:
            room = np.empty(total, dtype=np.int64), np.empty(total, dtype=bool), np.empty(total)
            records = np.empty(total, dtype=np.int64)
        else:
            records = np.empty(0, dtype=np.int64)
        entries, tied, scores = room
        if not len(entries) == len(tied) == len(scores) == total:
            raise ValueError("the room is not that of the rows")
        item_address, item_length = np.empty(total, dtype=np.int64), np.empty(total, dtype=np.int32)
        segments.files = address_of(files)
        segments.ranker_numbers, segments.ranker_offsets = address_of(ranker_numbers), address_of(ranker_offsets)
        out.rankers, out.entry_offsets = address_of(list_rankers), address_of(entry_offsets)
        out.entries, out.records = address_of(entries), address_of(records)
        out.tied, out.scores = <uint8_t*> bytes_of(tied.view(np.uint8)), <double*> bytes_of(scores.view(np.uint8))
        out.first_lines, out.falls = address_of(first_lines), &falls[0, 0] if falls.shape[0] else NULL
        out.by_rank, out.by_id = by_rank, by_id
        out.ranker_rows = <int64_t*> calloc(max(rankers, 1), sizeof(int64_t))
        out.owners = <int64_t*> malloc(max(rankers, 1) * sizeof(int64_t))
        if most_rows > INT32_MAX:
            raise MemoryError  # of its rows alone
        scratch = <char*> malloc(max(most_rows, 1) * (8 + 2 * sizeof(Keyed) + 4 * sizeof(int32_t)))
        pool.items = <Item*> malloc(max(most_rows, 1) * sizeof(Item))
        if out.ranker_rows == NULL or out.owners == NULL or scratch == NULL or pool.items == NULL:
            raise MemoryError
        rows.records, rows.keyed = <const Record**> scratch, <Keyed*> (scratch + 8 * most_rows)
        rows.spare = rows.keyed + most_rows
        rows.items = <int32_t*> (rows.spare + most_rows)
        rows.segments, rows.order, rows.rankers = rows.items + most_rows, rows.items + 2 * most_rows, rows.items + 3 * most_rows
        problems = fill(
            ordered, firsts, members, queries, by_appearance, &segments, &pool, &rows, &out, query_address, query_length, query_files,
            item_offsets, list_offsets, item_address, item_length,
        )
        if problems & NO_MEMORY:
            raise MemoryError
    finally:
        free(found)
        free(ordered)
        free(members)
        free(firsts)
        free(id_addresses)
        free(id_lengths)
        free(out.ranker_rows)
        free(out.owners)
        free(scratch)
        free(pool.items)
        free(pool.slots)
    made, items = list_offsets[queries], item_offsets[queries]
    return (
        query_address, query_length, query_files, item_offsets, list_offsets, list_rankers[:made], entry_offsets[: made + 1],
        entries, tied, scores, records, item_address[:items], item_length[:items], problems,
    )


cdef inline bint not_same(const Group* one, const Group* other) noexcept nogil:
    return one.length != other.length or memcmp(<const char*> one + sizeof(Group), <const char*> other + sizeof(Group), one.length) != 0


cdef int64_t* address_of(const int64_t[::1] values) noexcept:
    return <int64_t*> &values[0] if values.shape[0] else NULL


cdef void* bytes_of(const uint8_t[::1] values) noexcept:
    return <void*> &values[0] if values.shape[0] else NULL


cdef int fill(
    const Found* ordered, const int64_t* firsts, const Keyed* members, int64_t queries, bint by_appearance, Segments* segments,
    Pool* pool, Rows* rows, Lists* out, int64_t[::1] query_address, int32_t[::1] query_length, int64_t[::1] query_files,
    int64_t[::1] item_offsets, int64_t[::1] list_offsets, int64_t[::1] item_address, int32_t[::1] item_length,
):
    """All queries, one after another; the problems that were found."""
    cdef int64_t q, g, k, first, count, rows_of_query, file, item = 0
    cdef int problems = 0
    with nogil:  # once for all queries: to take the lock again is to wait for another thread
        for q in range(queries):
            k = members[q].item if by_appearance else q
            first, count = firsts[k], firsts[k + 1] - firsts[k]
            query_address[q] = <int64_t> ordered[first].group + sizeof(Group)
            query_length[q] = <int32_t> ordered[first].group.length
            query_files[q], file, rows_of_query = 0, -1, 0
            for g in range(first, first + count):
                rows_of_query += ordered[g].group.rows
                if segments.files[ordered[g].segment] != file:
                    file = segments.files[ordered[g].segment]
                    query_files[q] += 1
            if not emptied(pool, rows_of_query) or take_rows(ordered + first, count, segments, pool, rows) < 0:
                return NO_MEMORY
            if out.by_id and pool.count:
                number_by_id(pool, rows, rows_of_query, &item_address[item], &item_length[item])
            problems |= write_lists(rows, rows_of_query, item, segments, pool, out)
            list_offsets[q + 1] = out.count
            if not out.by_id:
                for k in range(pool.count):
                    item_address[item + k] = <int64_t> pool.items[k].id
                    item_length[item + k] = <int32_t> pool.items[k].length
            item += pool.count
            item_offsets[q + 1] = item
    return problems


def place_of(const int64_t[::1] records):
    """(number of the ranker in its chunk, line after the chunk's first, score, rank) of records, as arrays."""
    cdef int64_t count = records.shape[0], k
    rankers, lines = np.empty(count, dtype=np.int64), np.empty(count, dtype=np.int64)
    scores, ranks = np.empty(count), np.empty(count)
    cdef int64_t[::1] ranker_view = rankers, line_view = lines
    cdef double[::1] score_view = scores, rank_view = ranks
    cdef const Record* record
    for k in range(count):
        record = <const Record*> records[k]
        ranker_view[k], line_view[k] = record.ranker, record.line
        score_view[k], rank_view[k] = record.score, record.rank
    return rankers, lines, scores, ranks
