#!/bin/sh
# Several executables in one job (MPI 5.0, section 11.5): each rank runs its own, with its own
# variables, libraries, constructors and exceptions; what does not go together is refused.
#
# Usage: programs.sh BIN WORK      BIN: folder of mpicc and mpiexec; WORK: a folder for the programs
here=$(cd "$(dirname "$0")" && pwd)
bin=$1 work=$2
mkdir -p "$work" && cd "$work" || exit 1
include="-I$here/../../harness -I$here"
failures=0
export MARK=environment

# run CODE ARGUMENTS...: mpiexec in every mode ends with this code; its output is left in `out`.
run() {
    wanted=$1
    shift
    for mode in "--workers 1" "--workers 2" "--threads=os"; do
        timeout 100 "$bin/mpiexec" $mode "$@" >out 2>&1 </dev/null
        code=$?
        [ $code = "$wanted" ] && continue
        echo "FAILED: mpiexec $mode $*: exit code $code, expected $wanted"
        cat out
        failures=$((failures + 1))
    done
}

# expect COUNT REGEX: so many lines of the last output match.
expect() {
    seen=$(grep -Ec -- "$2" out)
    [ "$seen" = "$1" ] && return
    echo "FAILED: $seen lines, expected $1, match: $2"
    cat out
    failures=$((failures + 1))
}

# build COMPILER NAME SOURCE FLAGS...
build() {
    compiler=$1 name=$2 source=$3
    shift 3
    "$bin/$compiler" $include -g -O1 -o "$name" "$source" "$@" || exit 1
}

build mpicc first "$here/programs/first.c"
build mpicxx second "$here/programs/second.cc" -std=c++20 -pthread
run 0 -n 2 ./first : -n 3 ./second -x 3 last : -n 1 ./first again
expect 2 '^rank [01]: program first, number 0, argc 1, last argument ./first$'
expect 3 '^rank [234]: program second, number 1, argc 4, last argument last$'
expect 1 '^rank 5: program first, number 2, argc 2, last argument again$'
expect 3 '^program second, destructor: 2$'
expect 1 '^program first, rank handler: counter 115$'
run 0 -n 1 ./first : -n 1 ./second -x 3 a : -n 200 ./first : -n 200 ./second -x 3 b
expect 201 'program second, number [13],'
expect 201 'program first, number [02],'

# Both are C++ programs, whose inline variables and iostreams have the same names.
cat >third.cc <<'END'
#include "check.h"
#include <iostream>
#include <stdexcept>
#include <string>
thread_local long room[100];
inline int inline_variable = 6;
int common_name = 3;
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank, size, sum, seen[2], mine[2] = {0, 3};
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    CHECK(inline_variable == 6 && common_name == 3 && room[3] == 0);
    inline_variable = mine[0] = rank;
    room[3] = rank;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Sendrecv(mine, 2, MPI_INT, (rank + 1) % size, 5, seen, 2, MPI_INT, (rank + size - 1) % size, 5,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK(inline_variable == rank && room[3] == rank);
    try {
        throw std::runtime_error("thrown");
    } catch (const std::exception &e) {
        std::cout << "third: " + std::to_string(rank) + " " + e.what() + "\n";
    }
    MPI_Finalize();
    return 0;
}
END
build mpicxx third third.cc
run 0 -n 2 ./third : -n 3 ./second -x 3 last : -n 2 ./first : -n 1 ./third
expect 3 '^third: [017] thrown$'
expect 3 'program second, number 1,'
expect 2 'program first, number 2,'

# The identity of the program: /proc/self/exe, /proc/self/cmdline, getauxval(AT_EXECFN) and their users.
cat >who.c <<'END'
#define _GNU_SOURCE
#include "check.h"
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
const char *name = NAME;
int main(int argc, char **argv) {
    char link[4096] = "", line[256] = "", by_pid[64];
    if (argc > 2 && !strcmp(argv[1], "again"))
        return !strcmp(argv[2], NAME) ? 17 : 18;
    MPI_Init(&argc, &argv);
    CHECK(readlink("/proc/self/exe", link, sizeof link) > 0);
    CHECK(!strcmp(basename(strdup(link)), NAME) && link[0] == '/');
    snprintf(by_pid, sizeof by_pid, "/proc/%d/exe", (int)getpid());
    char *resolved = realpath(by_pid, NULL);
    CHECK(resolved && !strcmp(resolved, link));
    memset(line, 0, sizeof line);
    CHECK_EQUAL(readlink("/proc/self/exe", line, 3), 3);
    CHECK(!strncmp(line, link, 3) && line[3] == 0);
    CHECK(!strcmp(basename(strdup((char *)getauxval(AT_EXECFN))), NAME));
    struct stat of_link, of_open;
    int file = open("/proc/self/exe", O_RDONLY);
    CHECK(file > 2 && fstat(file, &of_open) == 0 && stat(link, &of_link) == 0);
    CHECK_EQUAL(of_open.st_ino, of_link.st_ino);
    close(file);
    file = open("/proc/self/cmdline", O_RDONLY);
    ssize_t n = read(file, line, sizeof line);
    CHECK_EQUAL(n, (ssize_t)(strlen(argv[0]) + 1 + strlen(argv[1]) + 1));
    CHECK(!strcmp(line, argv[0]) && !strcmp(line + strlen(line) + 1, argv[1]));
    close(file);
    FILE *stream = fopen("/proc/self/cmdline", "r");
    CHECK(stream && fread(line, 1, sizeof line, stream) == (size_t)n && !strcmp(line, argv[0]));
    fclose(stream);
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        execl("/proc/self/exe", "myself", "again", NAME, NULL);
        _exit(99);
    }
    CHECK_EQUAL(waitpid(child, &status, 0), child);
    CHECK_EQUAL(WEXITSTATUS(status), 17);
    printf("%s knows itself, argument %s\n", NAME, argv[1]);
    MPI_Finalize();
    return 0;
}
END
build mpicc who_first who.c '-DNAME="who_first"'
build mpicc who_second who.c '-DNAME="who_second"'
run 0 -n 2 ./who_first a : -n 2 ./who_second b : -n 1 ./who_first c
expect 2 '^who_first knows itself, argument a$'
expect 2 '^who_second knows itself, argument b$'
expect 1 '^who_first knows itself, argument c$'
run 0 -n 2 ./who_second b

# Libraries: one that both need, one that only the second needs, which is found by $ORIGIN. Both have
# variables that the program refers to directly (COPY), and constructors.
mkdir -p libraries
cat >both.c <<'END'
int both_variable = 1, *both_pointer = &both_variable;
static int constructed;
__attribute__((constructor)) static void construct(void) { constructed = both_variable++; }
int both_state(void) { return 10 * constructed + *both_pointer; }
END
cat >only.c <<'END'
int both_state(void);
extern int both_variable;
int only_variable = 5;
int *only_pointers[] = {&only_variable, &both_variable};
_Thread_local int only_of_thread = 9;
__attribute__((constructor)) static void construct(void) { only_variable += both_state(); }
int only_state(void) { return *only_pointers[0] + 100 * *only_pointers[1] + 10000 * only_of_thread++; }
END
cat >uses_both.c <<'END'
#include "check.h"
extern int both_variable, *both_pointer;
int both_state(void);
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    CHECK_EQUAL(both_state(), 12);
    both_variable += 5;
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_EQUAL(both_state(), 17);
    CHECK(both_pointer == &both_variable);
    MPI_Finalize();
    return 0;
}
END
cat >uses_only.c <<'END'
#include "check.h"
extern int both_variable, *both_pointer, *only_pointers[], only_variable;
int both_state(void), only_state(void);
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    CHECK_EQUAL(both_state(), 12);
    CHECK_EQUAL(only_variable, 17);
    CHECK_EQUAL(only_state(), 90217);
    both_variable += rank;
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_EQUAL(only_state(), 100217 + 100 * rank);
    CHECK(both_pointer == &both_variable && only_pointers[0] == &only_variable);
    MPI_Finalize();
    return 0;
}
END
gcc -g -fPIC -shared -o libraries/libboth.so both.c || exit 1
gcc -g -fPIC -shared -o libraries/libonly.so only.c -Llibraries -lboth -Wl,-rpath,'$ORIGIN' || exit 1
build mpicc uses_both uses_both.c -Llibraries -lboth -Wl,-rpath,'$ORIGIN/libraries'
build mpicc uses_only uses_only.c -Llibraries -lonly -lboth -Wl,-rpath,'$ORIGIN/libraries'
run 0 -n 2 ./uses_both : -n 3 ./uses_only : -n 1 ./uses_both
run 0 -n 2 ./uses_only : -n 3 ./uses_both

# A crash in a further program tells function and line.
cat >crash.cc <<'END'
#include <mpi.h>
int *volatile null_pointer;
struct Crasher {
    void crash_here(int value) { *null_pointer = value; }
};
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 2)
        Crasher().crash_here(rank);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
}
END
cat >quiet.c <<'END'
#include <mpi.h>
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
END
build mpicxx crash crash.cc -O0
build mpicc quiet quiet.c
run 139 -n 2 ./quiet : -n 2 ./crash
expect 1 'rank 2: segmentation fault.*Crasher::crash_here\(int\) \(crash.cc:4\)'

# A later program with more thread-local variables than the first; some with initial values, some aligned.
run 0 -n 2 ./second -x 3 last : -n 2 ./first
expect 2 '^rank [23]: program first, number 1'
expect 2 'program second, number 0,'
cat >many.c <<'END'
#include "check.h"
#include <pthread.h>
#include <string.h>
static _Thread_local long zeros[MANY], values[3] = {7, 8, 9};
static _Thread_local __attribute__((aligned(64))) char aligned[64] = "aligned";
static _Thread_local int *address = (int *)0;
static void check_fresh(void) {
    for (int i = 0; i < MANY; ++i)
        CHECK_EQUAL(zeros[i], 0);
    CHECK(values[0] == 7 && values[2] == 9 && !strcmp(aligned, "aligned") && (unsigned long)aligned % 64 == 0);
    CHECK(address == (int *)0);
}
static void *in_thread(void *argument) {
    check_fresh();
    memset(zeros, 1, sizeof zeros);
    return argument;
}
int main(int argc, char **argv) {
    pthread_t thread;
    MPI_Init(&argc, &argv);
    check_fresh();
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < MANY; ++i)
        zeros[i] = rank + i;
    values[1] = rank;
    address = &rank;
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_EQUAL(pthread_create(&thread, NULL, in_thread, NULL), 0);
    CHECK_EQUAL(pthread_join(thread, NULL), 0);
    for (int i = 0; i < MANY; ++i)
        CHECK_EQUAL(zeros[i], rank + i);
    CHECK(values[1] == rank && address == &rank && *address == rank);
    printf("%d thread-local variables\n", MANY);
    MPI_Finalize();
    return 0;
}
END
cat >local_free.c <<'END'
#include <mpi.h>
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
END
build mpicc local_free local_free.c
for many in 20 400 7000 9000; do
    build mpicc many_$many many.c -pthread -DMANY=$many
    [ $many = 9000 ] && break
    run 0 -n 2 ./local_free : -n 3 ./many_$many : -n 1 ./local_free
    expect 3 "^$many thread-local variables"
    run 0 -n 2 ./many_20 : -n 3 ./many_$many
    expect 5 "^($many|20) thread-local variables"
done

# Refusals.
run 2 -n 2 ./local_free : -n 2 ./many_9000
expect 1 'many_9000.*more thread-local variables.*first on the command line'
"$bin/mpicc" $include -g -o own_malloc -xc - -fno-builtin <<'END' || exit 1
#define _GNU_SOURCE
#include "check.h"
#include <stdlib.h>
#include <string.h>
static char pool[16 << 20];
static size_t used, foreign;
static int is_ours(const void *p) { return (char *)p >= pool && (char *)p < pool + sizeof pool; }
static void *take(size_t n) {
    size_t at = __atomic_fetch_add(&used, (n + 31) & ~(size_t)15, __ATOMIC_RELAXED);
    *(size_t *)(pool + at + 8) = n;
    return pool + at + 16;
}
void *malloc(size_t n) { return take(n); }
void free(void *p) { foreign += p && !is_ours(p); }
void *calloc(size_t a, size_t b) { return memset(take(a * b), 0, a * b); }
void *realloc(void *p, size_t n) {
    void *q = take(n);
    size_t old = p ? ((size_t *)p)[-1] : 0;
    return p ? memcpy(q, p, old < n ? old : n) : q;
}
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 50; ++i) {
        char *own = malloc(10), *copy = strdup("a text"), *printed = 0;
        CHECK(asprintf(&printed, "%d of %s", i, copy) > 0);
        CHECK(is_ours(own) && is_ours(copy) && is_ours(printed));
        free(own), free(copy), free(printed);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    CHECK_EQUAL(foreign, 0);
    MPI_Finalize();
    return 0;
}
END
"$bin/mpicc" $include -g -o no_malloc -xc - -fno-builtin <<'END' || exit 1
#define _GNU_SOURCE
#include "check.h"
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 50; ++i) {
        char *copy = strdup("a text"), *printed = 0;
        CHECK(asprintf(&printed, "%d of %s", i, copy) > 0);
        free(realloc(copy, 1000)), free(printed);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
END
# Each rank has its own program's allocator, also for what the C library allocates for it.
run 0 -n 2 ./no_malloc : -n 2 ./own_malloc
run 0 -n 2 ./own_malloc : -n 2 ./no_malloc
gcc -shared -fPIC -o libgone.so both.c && "$bin/mpicc" -o uses_gone quiet.c -Wl,--no-as-needed -L. -lgone && rm libgone.so
run 2 -n 2 ./quiet : -n 2 ./uses_gone
expect 1 'uses_gone.*needs libgone.so, which is not found'

[ $failures = 0 ]
