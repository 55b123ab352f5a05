// A rank believes that it is a process: all that a C program may have in its data, with fresh
// initial values in every rank (MPI 5.0 section 2.7: processes "executing their own code, in an
// MIMD style").
// ranks: 1 2 8
#define _GNU_SOURCE
#include "check.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

int number = 5;
int *pointer = &number;
static int table[100];
int *one_past_the_end = table + 100;
static int *one_based = table - 1;
static const char *const words[] = {"zero", "one", "two"};
const char *const *middle_word = &words[1];
static int big_zero[600000];             // .bss over 2 MiB
static char huge_zero[8 << 20];          // .bss that may have huge pages
static int big_data[400000] = {1, 2, 3}; // initialised data over 1 MiB: copied on write

struct packed {
    char c;
    int *p;
} __attribute__((packed));
struct packed unaligned = {'c', &number};

static int next(void) {
    static int calls;
    return ++calls;
}

static int twice(int x) {
    return 2 * x;
}

static int thrice(int x) {
    return 3 * x;
}

static int (*operations[])(int) = {twice, thrice, 0};

extern int nobody_defines_this(void) __attribute__((weak));
int (*weak_pointer)(void) = nobody_defines_this;

__attribute__((weak)) int may_be_replaced(void) {
    return 11;
}

static int resolved_calls;

static int fast(void) {
    return ++resolved_calls;
}

static int (*resolve(void))(void) {
    return fast;
}

int indirect(void) __attribute__((ifunc("resolve")));
int (*indirect_pointer)(void) = indirect;

static __thread int thread_number = 3;
static __thread int *thread_pointer = &number;
__thread char thread_zero[100];

static int constructed, late_constructed, exit_handlers;

__attribute__((constructor(200))) static void construct(void) {
    ++constructed;
}

__attribute__((constructor)) static void construct_late(void) {
    late_constructed = constructed + 1;
}

static void at_exit(void) {
    ++exit_handlers;
}

__attribute__((destructor)) static void destruct(void) {
    if (constructed != 1 || exit_handlers != 1 || number == 5) {
        static const char text[] = "destructor: not this rank's variables\n";
        (void)!write(2, text, sizeof text - 1);
        _exit(1);
    }
}

static void check_fresh_values(void) {
    CHECK(number == 5 && *pointer == 5 && pointer == &number);
    CHECK(one_past_the_end == table + 100 && one_based + 1 == table && one_based[50] == 0);
    CHECK(!strcmp(*middle_word, "one") && middle_word == words + 1);
    CHECK(big_zero[0] == 0 && big_zero[599999] == 0 && huge_zero[8 << 19] == 0);
    CHECK(big_data[2] == 3 && big_data[399999] == 0);
    CHECK(unaligned.c == 'c' && unaligned.p == &number);
    CHECK(next() == 1 && next() == 2);
    CHECK(operations[0] == twice && operations[1](5) == 15 && !operations[2]);
    CHECK(!nobody_defines_this && !weak_pointer && may_be_replaced() == 11);
    CHECK(indirect() == 1 && indirect_pointer() == 2 && resolved_calls == 2);
    CHECK(thread_number == 3 && thread_pointer == &number && thread_zero[99] == 0);
    CHECK(constructed == 1 && late_constructed == 2);
}

static void check_c_library_variables(char **argv) {
    CHECK(optind == 1 && opterr == 1);
    CHECK(environ && getenv("PATH") && !getenv("THRUM_RANKS") && !getenv("LD_BIND_NOW"));
    CHECK(!getenv("THRUM_LAUNCH_PID") &&
          (!getenv("LD_PRELOAD") || !strstr(getenv("LD_PRELOAD"), "libmpi")));
    CHECK(!strcmp(program_invocation_name, argv[0]));
    CHECK(stdout && stderr && stdin && stdout != stderr);
    errno = 0;
    CHECK(close(-1) == -1 && errno == EBADF);
}

int main(int argc, char **argv) {
    int rank = 0;
    check_fresh_values();
    check_c_library_variables(argv);
    atexit(at_exit);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    number = 100 + rank;
    table[99] = big_zero[599999] = big_data[399999] = thread_number = optind = rank;
    huge_zero[8 << 19] = thread_zero[99] = (char)rank;
    operations[2] = rank % 2 ? twice : thrice;
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_EQUAL(*pointer, 100 + rank);
    CHECK_EQUAL(*thread_pointer, 100 + rank);
    CHECK_EQUAL(one_past_the_end[-1], rank);
    CHECK_EQUAL(big_zero[599999], rank);
    CHECK_EQUAL(big_data[399999], rank);
    CHECK_EQUAL(huge_zero[8 << 19], rank);
    CHECK_EQUAL(thread_number, rank);
    CHECK_EQUAL(thread_zero[99], rank);
    CHECK_EQUAL(optind, rank);
    CHECK_EQUAL(operations[2](1), rank % 2 ? 2 : 3);
    CHECK_EQUAL(next(), 3);
    MPI_Finalize();
    return 0;
}
