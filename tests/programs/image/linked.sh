#!/bin/sh
# Libraries that a program is linked to, with everything that makes loading odd, in one: versions of a symbol,
# -Bsymbolic, indirect functions, unique symbols, TLS descriptors, packed relocations, and a dependency that only
# the program's DT_RPATH with $ORIGIN finds. As clones and compiled with --privatize, and as one rank, where ld.so
# is alone.
#
# Usage: linked.sh BIN WORK      BIN: folder of mpicc and mpiexec; WORK: a folder for the programs
here=$(cd "$(dirname "$0")" && pwd)
bin=$1 work=$2
mkdir -p "$work/lib" "$work/below" && cd "$work" || exit 1
failures=0

cat >below.c <<'END'
static int n = 5;
int below(void) { return ++n; }
END
cat >odd.c <<'END'
static int old_calls, new_calls, constructions, factor = 3;
int below(void);
int own_number = 8;
int own(void) { return own_number; }
int calls_own(void) { return own(); }

__asm__(".symver old_counted, counted@V1\n.symver new_counted, counted@@V2");
int old_counted(void) { return 100 + ++old_calls; }
int new_counted(void) { return 200 + ++new_calls; }

static int triple(int x) { return factor * x; }
static int (*choose(void))(int) { return triple; }
int chosen(int x) __attribute__((ifunc("choose")));
static int hidden(int x) __attribute__((ifunc("choose")));
int (*chosen_table[])(int) = {chosen, hidden, triple};
int *factor_address(void) { return &factor; }

static __thread int *to_factor = &factor;
static __thread int of_thread;
int *thread_pointer(void) { return ++of_thread == 1 ? to_factor : (int *)0; }

__asm__(".pushsection .data\n.balign 8\n.globl unique_number\n.type unique_number, @gnu_unique_object\n"
        ".size unique_number, 8\nunique_number: .quad 50\n.popsection\n");
extern long unique_number;
long *unique_address(void) { return &unique_number; }

__attribute__((constructor)) static void construct(void) { constructions += below() == 6; }
int times_constructed(void) { return constructions; }
END
echo 'V1 { global: counted; }; V2 { global: counted; } V1;' >versions
cat >program.c <<'END'
#define _GNU_SOURCE
#include "check.h"
#include <pthread.h>
__asm__(".symver counted_before, counted@V1");
int counted_before(void), counted(void), below(void), calls_own(void), chosen(int), times_constructed(void);
int *factor_address(void), *thread_pointer(void);
long *unique_address(void);
extern int (*chosen_table[])(int);
int own(void) { return -1; } /* -Bsymbolic: not for the library */
static int (*const volatile in_program)(int) = chosen;
static void *thread(void *none) {
    CHECK(thread_pointer() == factor_address());
    return none;
}
int main(int argc, char **argv) {
    int rank, level;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    CHECK_EQUAL(times_constructed(), 1);
    CHECK_EQUAL(*unique_address(), 50);
    CHECK(thread_pointer() == factor_address());
    *factor_address() += rank;
    *unique_address() += rank;
    for (int i = 0; i < rank; ++i) {
        counted();
        below();
    }
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_EQUAL(counted_before(), 101);
    CHECK_EQUAL(counted(), 201 + rank);
    CHECK_EQUAL(below(), 7 + rank);
    CHECK_EQUAL(calls_own(), 8);
    CHECK_EQUAL(own(), -1);
    CHECK_EQUAL(chosen(2), 6 + 2 * rank);
    CHECK_EQUAL(in_program(2), 6 + 2 * rank);
    for (int i = 0; i < 3; ++i)
        CHECK_EQUAL(chosen_table[i](4), 12 + 4 * rank);
    CHECK_EQUAL(*unique_address(), 50 + rank);
    pthread_t t;
    CHECK_EQUAL(pthread_create(&t, NULL, thread, NULL), 0);
    CHECK_EQUAL(pthread_join(t, NULL), 0);
    MPI_Finalize();
    return 0;
}
END
packed=-Wl,-z,pack-relative-relocs
echo 'int main(void) { return 0; }' >probe.c
gcc "$packed" -o probe probe.c 2>/dev/null || packed=

for how in "" --privatize; do
    [ -z "$how" ] || [ -e "$bin/../lib/thrum/privatize_gcc.so" ] || continue
    "$bin/mpicc" $how -O1 -g -fPIC -shared -o below/libbelow.so below.c &&
        "$bin/mpicc" $how -O1 -g -fPIC -shared -mtls-dialect=gnu2 -Wl,-Bsymbolic -Wl,--version-script=versions $packed \
            -o lib/libodd.so odd.c -Lbelow -lbelow &&
        eval "$("$bin/mpicc" $how -show -O1 -g -pthread -I"$here/../../harness" -o program program.c -Llib -lodd -Lbelow -lbelow \
            '-Wl,--disable-new-dtags,-rpath,$ORIGIN/lib:$ORIGIN/below' | sed 's/ -Wl,--enable-new-dtags//')" || exit 1
    # The libraries have what they were built to have.
    readelf -d program | grep -q '(RPATH)' && readelf -d lib/libodd.so | grep -q '(SYMBOLIC)' &&
        readelf -Wr lib/libodd.so | grep -q R_X86_64_TLSDESC && [ "$(readelf -Ws lib/libodd.so | grep -Ec 'UNIQUE|IFUNC|counted@')" -ge 5 ] ||
        { echo "FAILED: the libraries are not as odd as they should be"; exit 1; }
    [ -z "$packed" ] || readelf -d lib/libodd.so | grep -q '(RELR)' || { echo "FAILED: no packed relocations"; exit 1; }
    for mode in "--workers 1" "--workers 2" "--threads=os"; do
        for ranks in 1 2 7; do
            timeout 100 "$bin/mpiexec" $mode -n $ranks ./program >out 2>&1 </dev/null ||
                { echo "FAILED: mpicc $how, mpiexec $mode -n $ranks"; cat out; failures=$((failures + 1)); }
        done
    done
done
[ $failures = 0 ]
