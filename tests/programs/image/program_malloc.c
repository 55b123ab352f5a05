// The program defines malloc. What the C library allocates for a rank (strdup, asprintf, getline)
// comes from that rank's malloc and may be given to its free; the library's own memory does not.
// ranks: 1 2 8
#define _GNU_SOURCE
#include "check.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

enum { arena_bytes = 8 << 20, alignment = 16 };

static alignas(16) char arena[arena_bytes];
static size_t used;
static long allocations, frees, foreign;
static int lock;

static int is_ours(const void *p) {
    return (const char *)p >= arena && (const char *)p < arena + arena_bytes;
}

// Not malloc itself: the compiler would turn calloc below into a call of calloc.
static void *allocate(size_t size) {
    while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE)) {
    }
    size_t *header = (size_t *)(arena + used);
    used += (size + alignment - 1) / alignment * alignment + alignment;
    ++allocations;
    int full = used > arena_bytes;
    __atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
    if (full)
        abort();
    header[0] = size;
    return (char *)header + alignment;
}

void *malloc(size_t size) {
    return allocate(size);
}

void free(void *p) {
    if (!p)
        return;
    ++frees;
    if (!is_ours(p))
        ++foreign;
    else
        memset(p, 0xdd, ((size_t *)((char *)p - alignment))[0]);
}

void *calloc(size_t count, size_t size) {
    void *p = allocate(count * size);
    return memset(p, 0, count * size);
}

void *realloc(void *old, size_t size) {
    void *p = allocate(size);
    if (old) {
        size_t old_size = ((size_t *)((char *)old - alignment))[0];
        memcpy(p, old, old_size < size ? old_size : size);
        free(old);
    }
    return p;
}

int main(int argc, char **argv) {
    int rank = 0, size = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int round = 0; round < 100; ++round) {
        char *text = 0, *copy = strdup("a text that is copied");
        CHECK(is_ours(copy));
        CHECK(asprintf(&text, "rank %d of %d in round %d", rank, size, round) > 0);
        CHECK(is_ours(text));
        free(copy);
        free(text);
        if (round % 20 == 0)
            MPI_Barrier(MPI_COMM_WORLD);
    }
    char *line = 0;
    size_t capacity = 0;
    char input[] = "one line\nand another\n";
    FILE *stream = fmemopen(input, sizeof input - 1, "r");
    CHECK(getline(&line, &capacity, stream) == 9 && is_ours(line));
    fclose(stream);
    free(line);
    CHECK(allocations >= 200 && frees >= 200);
    CHECK_EQUAL(foreign, 0);
    MPI_Finalize();
    return 0;
}
