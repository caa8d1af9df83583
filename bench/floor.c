/* The floor under the fusion of TREC runs: one thread of C that parses, fuses by RRF (c = 60), sorts and writes.
 *
 *   cc -O3 -o floor bench/floor.c && ./floor 1000 run1.trec run2.trec ... > fused.trec
 *
 * It takes rows `query Q0 item rank score tag` separated by single blanks, grouped by query, best first, and checks
 * next to nothing: no duplicates, no bad numbers, no ties, no encodings, no odd line ends. Scores are written with nine
 * decimals. Whatever does its work with more care can be compared with it, and cannot be much faster.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct { const char *at, *end; } File;
typedef struct { const char *id; uint32_t length, hash; double score; } Item;

static Item *items;
static uint32_t *slots, mask, count, room;

static inline uint32_t hashed(const char *p, uint32_t n) {
    uint64_t h = 14695981039346656037ULL ^ n, x;
    while (n >= 8) { memcpy(&x, p, 8); h = (h ^ x) * 0x9E3779B97F4A7C15ULL; h ^= h >> 29; p += 8; n -= 8; }
    x = 0;
    memcpy(&x, p, n);
    h = (h ^ x) * 0x9E3779B97F4A7C15ULL;
    return (uint32_t) (h >> 32);
}

static void grow(void) {
    mask = 2 * mask + 1;
    free(slots);
    slots = calloc(mask + 1, sizeof *slots);
    for (uint32_t k = 0; k < count; k++) {
        uint32_t place = items[k].hash & mask;
        while (slots[place]) place = (place + 1) & mask;
        slots[place] = k + 1;
    }
}

static void add(const char *id, uint32_t length, double gain) {
    uint32_t hash = hashed(id, length), place = hash & mask;
    for (; slots[place]; place = (place + 1) & mask) {
        Item *item = &items[slots[place] - 1];
        if (item->hash == hash && item->length == length && !memcmp(item->id, id, length)) {
            item->score += gain;
            return;
        }
    }
    if (count == room) items = realloc(items, (room *= 2) * sizeof *items);
    items[count] = (Item) {id, length, hash, gain};
    slots[place] = ++count;
    if (2 * count > mask) grow();
}

/* Six numbers and signs: the score is read, as whoever sorts by score must, though RRF needs only the order. */
static inline const char *number(const char *p, double *value) {
    static const double tens[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    int minus = *p == '-', places = 0;
    uint64_t digits = 0;
    p += minus;
    while (*p >= '0') digits = 10 * digits + (*p++ - '0');
    if (*p == '.') for (p++; *p >= '0'; places++) digits = 10 * digits + (*p++ - '0');
    *value = (double) digits / tens[places & 15];
    if (minus) *value = -*value;
    return p;
}

static double last_score;
static long unsorted;

static void parse(File *file, const char *query, size_t length) {
    double rank = 60, score;
    last_score = 1e300;
    while (file->at < file->end && !memcmp(file->at, query, length) && file->at[length] == ' ') {
        const char *p = file->at + length + 1, *id;
        while (*p != ' ') p++;
        id = ++p;
        while (*p != ' ') p++;
        add(id, (uint32_t) (p - id), 1 / ++rank);
        p++;
        while (*p != ' ') p++;
        p = number(p + 1, &score);
        unsorted += score > last_score;
        last_score = score;
        while (*p != '\n') p++;
        file->at = p + 1;
    }
}

static int better(const void *a, const void *b) {
    const Item *x = *(Item *const *) a, *y = *(Item *const *) b;
    if (x->score != y->score) return x->score < y->score ? 1 : -1;
    uint32_t least = x->length < y->length ? x->length : y->length;
    int order = memcmp(y->id, x->id, least);
    return order ? order : (int) y->length - (int) x->length;
}

static void swap(Item **a, Item **b) { Item *t = *a; *a = *b; *b = t; }

/* Quicksort of what the first `top` places need. */
static void sort(Item **a, long n, long top) {
    while (n > 16 && top > 0) {
        Item *pivot = a[n / 2];
        long i = 0, j = n - 1;
        while (i <= j) {
            while (a[i]->score > pivot->score || (a[i]->score == pivot->score && better(&a[i], &pivot) < 0)) i++;
            while (a[j]->score < pivot->score || (a[j]->score == pivot->score && better(&a[j], &pivot) > 0)) j--;
            if (i <= j) swap(&a[i++], &a[j--]);
        }
        sort(a, j + 1, top);
        a += i; n -= i; top -= i;
    }
    if (top > 0)
        for (long i = 1; i < n; i++) {
            Item *x = a[i];
            long j = i;
            for (; j && better(&a[j - 1], &x) > 0; j--) a[j] = a[j - 1];
            a[j] = x;
        }
}

static char *put(char *out, uint64_t value, int width) {
    char digits[24];
    int n = 0;
    do digits[n++] = '0' + value % 10; while (value /= 10);
    while (n < width) digits[n++] = '0';
    while (n) *out++ = digits[--n];
    return out;
}

static void write_query(const char *query, size_t length, long top) {
    static Item **order;
    static char *out;
    static uint32_t held;
    if (count > held) {
        held = 2 * count;
        order = realloc(order, held * sizeof *order);
    }
    for (uint32_t k = 0; k < count; k++) order[k] = &items[k];
    if (top > count) top = count;
    sort(order, count, top);
    size_t need = 1;
    for (long k = 0; k < top; k++) need += length + order[k]->length + 64;
    out = realloc(out, need);
    char *p = out;
    for (long k = 0; k < top; k++) {
        memcpy(p, query, length); p += length;
        memcpy(p, " Q0 ", 4); p += 4;
        memcpy(p, order[k]->id, order[k]->length); p += order[k]->length;
        *p++ = ' ';
        p = put(p, k + 1, 1);
        *p++ = ' ';
        uint64_t score = (uint64_t) (order[k]->score * 1e9 + 0.5);
        p = put(p, score / 1000000000, 1);
        *p++ = '.';
        p = put(p, score % 1000000000, 9);
        memcpy(p, " rrf\n", 5); p += 5;
    }
    fwrite(out, 1, p - out, stdout);
}

int main(int argc, char **argv) {
    long top = atol(argv[1]);
    int files = argc - 2;
    File *file = calloc(files, sizeof *file);
    for (int f = 0; f < files; f++) {
        int handle = open(argv[f + 2], O_RDONLY);
        struct stat facts;
        if (handle < 0 || fstat(handle, &facts)) return 1;
        file[f].at = mmap(NULL, facts.st_size, PROT_READ, MAP_PRIVATE, handle, 0);
        file[f].end = file[f].at + facts.st_size;
    }
    room = 1024; mask = 4095;
    items = malloc(room * sizeof *items);
    slots = calloc(mask + 1, sizeof *slots);
    while (file[0].at < file[0].end) {
        const char *query = file[0].at, *end = memchr(query, ' ', 1000);
        memset(slots, 0, (mask + 1) * sizeof *slots);
        count = 0;
        for (int f = 0; f < files; f++) parse(&file[f], query, end - query);
        write_query(query, end - query, top);
    }
    if (unsorted) fprintf(stderr, "%ld rows are not in the order of their scores\n", unsorted);
    return 0;
}
