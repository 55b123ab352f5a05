/* one_sided [-r samples] [-t seconds]: operations of rank 0 on the window of rank 1, each followed
 * by MPI_Win_flush, in an MPI_Win_lock_all epoch; put and fetch_and_op in an epoch of their own
 * (lock_put, lock_fetch); and what the same costs by plain C in rank 0's own memory. A column is
 * that of a matrix of COLUMN x COLUMN doubles. */
#include "bench.h"

#include <mpi.h>

#include <stdint.h>

enum { COLUMN = 1000, VECTOR = 8192 };

static MPI_Win win;
static MPI_Datatype column;
static double row[COLUMN], vector[VECTOR];
static double *own; /* memory as large as the window */
static int64_t one = 1, other, old;

/* The compiler must expect that anybody reads and writes memory here. */
static inline void clobber(void) {
    __asm__ volatile("" ::: "memory");
}

static void do_put(void) {
    MPI_Put(&one, 1, MPI_INT64_T, 1, 0, 1, MPI_INT64_T, win);
    MPI_Win_flush(1, win);
}

static void do_get(void) {
    MPI_Get(&other, 1, MPI_INT64_T, 1, 0, 1, MPI_INT64_T, win);
    MPI_Win_flush(1, win);
}

static void do_accumulate(void) {
    MPI_Accumulate(&one, 1, MPI_INT64_T, 1, 1, 1, MPI_INT64_T, MPI_SUM, win);
    MPI_Win_flush(1, win);
}

static void do_fetch_and_op(void) {
    MPI_Fetch_and_op(&one, &old, MPI_INT64_T, 1, 1, MPI_SUM, win);
    MPI_Win_flush(1, win);
}

static void do_compare_and_swap(void) {
    MPI_Compare_and_swap(&one, &other, &old, MPI_INT64_T, 1, 2, win);
    MPI_Win_flush(1, win);
}

static void do_accumulate_vector(void) {
    MPI_Accumulate(vector, VECTOR, MPI_DOUBLE, 1, 8, VECTOR, MPI_DOUBLE, MPI_SUM, win);
    MPI_Win_flush(1, win);
}

static void do_put_column(void) {
    MPI_Put(row, COLUMN, MPI_DOUBLE, 1, 3, 1, column, win);
    MPI_Win_flush(1, win);
}

static void do_lock_put(void) {
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
    MPI_Put(&one, 1, MPI_INT64_T, 1, 0, 1, MPI_INT64_T, win);
    MPI_Win_unlock(1, win);
}

static void do_lock_fetch(void) {
    MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
    MPI_Fetch_and_op(&one, &old, MPI_INT64_T, 1, 1, MPI_SUM, win);
    MPI_Win_unlock(1, win);
}

static void do_copy(void) {
    memcpy(own, &one, sizeof one);
    clobber();
}

static void do_atomic_add(void) {
    __atomic_fetch_add((int64_t *)own + 1, 1, __ATOMIC_SEQ_CST);
}

static void do_add_vector(void) {
    for (int i = 0; i < VECTOR; i++)
        own[8 + i] += vector[i];
    clobber();
}

static void do_copy_column(void) {
    for (int i = 0; i < COLUMN; i++)
        own[3 + (size_t)i * COLUMN] = row[i];
    clobber();
}

static double timed(void (*operation)(void), long count) {
    double start = now_seconds();
    for (long i = 0; i < count; i++)
        operation();
    return now_seconds() - start;
}

static void measure(const char *test, long size_bytes, void (*operation)(void),
                    const struct sampling *s) {
    double samples[SAMPLES_MAX];
    long count = 1;
    while (timed(operation, count) < s->sample_s && count < 1L << 30)
        count *= 2;
    for (int i = 0; i < s->samples; i++)
        samples[i] = timed(operation, count) / (double)count;
    print_figure(test, size_bytes, samples, s->samples);
}

/* Each operation once, with its result; then all of them by the clock. */
static void check_and_measure(const struct sampling *s) {
    int64_t found[3];
    double value;
    do_put();
    do_accumulate();
    do_fetch_and_op();
    do_compare_and_swap();
    do_put_column();
    MPI_Get(found, 3, MPI_INT64_T, 1, 0, 3, MPI_INT64_T, win);
    MPI_Get(&value, 1, MPI_DOUBLE, 1, 3 + 5 * COLUMN, 1, MPI_DOUBLE, win);
    MPI_Win_flush(1, win);
    if (found[0] != 1 || found[1] != 2 || old != 0 || found[2] != 1 || value != 5) {
        fprintf(stderr, "one_sided: wrong results\n");
        MPI_Abort(MPI_COMM_WORLD, 3);
    }
    measure("copy", 8, do_copy, s);
    measure("atomic_add", 8, do_atomic_add, s);
    measure("add_vector", VECTOR * 8, do_add_vector, s);
    measure("copy_column", COLUMN * 8, do_copy_column, s);
    measure("put", 8, do_put, s);
    measure("get", 8, do_get, s);
    measure("accumulate", 8, do_accumulate, s);
    measure("fetch_and_op", 8, do_fetch_and_op, s);
    measure("compare_and_swap", 8, do_compare_and_swap, s);
    measure("accumulate_vector", VECTOR * 8, do_accumulate_vector, s);
    measure("put_column", COLUMN * 8, do_put_column, s);
}

int main(int argc, char **argv) {
    int rank, size;
    double *memory;
    struct sampling s;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size != 2) {
        fprintf(stderr, "one_sided: needs 2 ranks, has %d\n", size);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    parse_sampling(argc, argv, &s);
    MPI_Aint size_bytes = (MPI_Aint)sizeof(double) * COLUMN * COLUMN;
    own = allocate_touched((size_t)size_bytes);
    memset(own, 0, (size_t)size_bytes);
    for (int i = 0; i < COLUMN; i++)
        row[i] = i;
    MPI_Type_vector(COLUMN, 1, COLUMN, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    MPI_Win_allocate(size_bytes, sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    memset(memory, 0, (size_t)size_bytes);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win);
    if (rank == 0)
        check_and_measure(&s);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_unlock_all(win);
    if (rank == 0) {
        measure("lock_put", 8, do_lock_put, &s);
        measure("lock_fetch", 8, do_lock_fetch, &s);
    }
    MPI_Win_free(&win);
    MPI_Type_free(&column);
    MPI_Finalize();
    return 0;
}
