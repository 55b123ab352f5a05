#!/bin/sh
# Libraries that the user names in LD_PRELOAD: each rank has its own, in front of the program's and of
# libmpi, as in a process: a tool that wraps MPI functions, an allocator, both.
#
# Usage: preload.sh BIN WORK      BIN: folder of mpicc and mpiexec; WORK: a folder for the programs
bin=$1 work=$2
mkdir -p "$work" && cd "$work" || exit 1
failures=0

cat >tool.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
static int calls, constructions;
__attribute__((constructor)) static void construct(void) { ++constructions; }
int MPI_Barrier(MPI_Comm comm) {
    ++calls;
    return PMPI_Barrier(comm);
}
int MPI_Comm_size(MPI_Comm comm, int *size) {
    int (*next)(MPI_Comm, int *) = (int (*)(MPI_Comm, int *))dlsym(RTLD_NEXT, "MPI_Comm_size");
    ++calls;
    return next(comm, size);
}
int MPI_Finalize(void) {
    int rank;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    printf("tool of rank %d: %d calls, constructed %d times\n", rank, calls, constructions);
    return PMPI_Finalize();
}
END
cat >allocator.c <<'END'
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static char pool[32 << 20];
static size_t used;
long allocations;
int allocator_owns(const void *p) { return (char *)p >= pool && (char *)p < pool + sizeof pool; }
static void *take(size_t size) {
    size_t at = __atomic_fetch_add(&used, (size + 31) & ~(size_t)15, __ATOMIC_RELAXED);
    __atomic_fetch_add(&allocations, 1, __ATOMIC_RELAXED);
    if (at + size + 32 > sizeof pool)
        _exit(9);
    *(size_t *)(pool + at + 8) = size;
    return pool + at + 16;
}
void *malloc(size_t size) { return take(size); }
void free(void *p) {
    if (p && !allocator_owns(p))
        _exit(8);
}
void *calloc(size_t count, size_t size) {
    void *p = take(count * size); /* not malloc: the compiler would make it calloc again */
    return memset(p, 0, count * size);
}
void *realloc(void *p, size_t size) {
    void *q = take(size);
    if (p) {
        size_t old = ((size_t *)p)[-1];
        memcpy(q, p, old < size ? old : size);
    }
    return q;
}
END
cat >program.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int (*owns)(const void *) = (int (*)(const void *))dlsym(RTLD_DEFAULT, "allocator_owns");
    char *own = malloc(100), *of_libc = strdup("text"), *grown = realloc(calloc(10, 10), 1000);
    for (int i = 0; i < rank; ++i)
        MPI_Barrier(MPI_COMM_SELF);
    if (owns)
        printf("rank %d allocates here: %d%d%d\n", rank, owns(own), owns(of_libc), owns(grown));
    MPI_Barrier(MPI_COMM_WORLD);
    free(own), free(of_libc), free(grown);
    MPI_Finalize();
    return 0;
}
END
"$bin/mpicc" -g -O1 -fPIC -shared -o libtool.so tool.c && "$bin/mpicc" -g -o program program.c &&
    gcc -g -O1 -fPIC -shared -fno-builtin -o liballocator.so allocator.c || exit 1

# check PRELOAD RANKS COUNT REGEX...: so many lines of the output match.
check() {
    preload=$1 ranks=$2
    shift 2
    for mode in "--workers 1" "--workers 2" "--threads=os"; do
        LD_PRELOAD=$preload timeout 100 "$bin/mpiexec" $mode -n "$ranks" ./program >out 2>&1 </dev/null
        code=$?
        [ $code = 0 ] || { echo "FAILED: $preload, $mode: exit code $code"; cat out; failures=$((failures + 1)); }
        count=$1
        for regex in "$@"; do
            [ "$regex" = "$count" ] && continue
            seen=$(grep -Ec -- "$regex" out)
            [ "$seen" = "$count" ] || { echo "FAILED: $preload, $mode: $seen lines, expected $count, match: $regex"; cat out; failures=$((failures + 1)); }
        done
    done
}
for n in 1 2 6; do
    check "$work/libtool.so" $n $n '^tool of rank [0-9]: [0-9] calls, constructed 1 times'
    check "$work/liballocator.so" $n $n '^rank [0-9] allocates here: 111$'
    check "$work/liballocator.so $work/libtool.so" $n $n '^rank [0-9] allocates here: 111$' '^tool of rank [0-9]: [0-9] calls'
done
check "$work/libtool.so" 4 1 '^tool of rank 0: 2 calls' '^tool of rank 1: 3 calls' '^tool of rank 2: 4 calls' '^tool of rank 3: 5 calls'
[ $failures = 0 ]
