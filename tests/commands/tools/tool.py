"""Shared by the tests of tools: skipping where a tool is missing, and a program with faults to be found."""
import shutil
import sys

# Argument 1: which fault; argument 2: the rank that has it. Without arguments there is none.
FAULTS = r'''
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
static volatile int array[10];
static char *kept;
static void global_overflow(int one) { array[9 + one] = 1; } // line 7
static void heap_overflow(int one) {
    volatile char *block = malloc(10);
    block[9 + one] = 1; // line 10
    free((void *)block);
}
static void use_after_free(int one) {
    volatile char *block = malloc(10);
    free((void *)block);
    block[one] = 1; // line 16
}
static void stack_overflow(int one) {
    volatile char block[10];
    block[9 + one] = 1; // line 20
}
static void leak(int one) {
    volatile char *block = malloc(3000); // line 23
    block[one] = 1;
}
static void receive_too_much(int one) {
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    char *block = malloc(10), message[20] = "";
    MPI_Sendrecv(message, 20, MPI_CHAR, rank, one, block, 20, MPI_CHAR, rank, one, MPI_COMM_WORLD, // line 30
                 MPI_STATUS_IGNORE);
    free(block);
}
static void undefined(int one) {
    volatile int big = 2147483647;
    big += one; // line 36
}
static void null_pointer(int one) {
    *(volatile int *)NULL = one; // line 39
}
static const struct {
    const char *name;
    void (*function)(int one);
} faults[] = {{"global", global_overflow}, {"heap", heap_overflow}, {"freed", use_after_free},
              {"stack", stack_overflow},   {"leak", leak},          {"receive", receive_too_much},
              {"undefined", undefined},    {"null", null_pointer}};
int main(int argc, char **argv) {
    int rank, size, sum, *values = malloc(sizeof(int));
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    kept = malloc(10); // a global of the rank keeps it: no leak
    kept[0] = 1;
    *values = rank;
    for (int i = 0; i < 10; ++i) {
        array[i] = rank + i;
        MPI_Sendrecv_replace(values, 1, MPI_INT, (rank + 1) % size, 1, (rank + size - 1) % size, 1, MPI_COMM_WORLD,
                             MPI_STATUS_IGNORE);
    }
    MPI_Allreduce(values, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    free(values);
    if (sum != size * (size - 1) / 2)
        MPI_Abort(MPI_COMM_WORLD, 99);
    for (unsigned i = 0; i < sizeof faults / sizeof *faults && argc > 2; ++i)
        if (faults[i].name[0] == argv[1][0] && rank == atoi(argv[2]))
            faults[i].function(argc - 2);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
'''

# C++: a library with globals of its own, exceptions, threads, thread-locals; frees what it allocates.
LIBRARY = r'''
#include <stdexcept>
#include <string>
#include <vector>
std::vector<int> *table = new std::vector<int>{1, 2, 3};
std::string name = "a string that is long enough to be allocated";
int at(int i) {
    try {
        return table->at(i);
    } catch (std::out_of_range &) {
        return -1;
    }
}
'''
CXX_PROGRAM = r'''
#include <iostream>
#include <map>
#include <mpi.h>
#include <string>
#include <thread>
#include <vector>
extern std::vector<int> *table;
extern std::string name;
int at(int);
static std::map<std::string, int> counts;
thread_local std::string mine = "another string that is long enough to be allocated";
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank, size, sum = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    table->push_back(rank);
    counts[name] = at(3);
    counts[mine] = at(4);
    std::thread([&] { counts[mine + "!"] = rank; }).join();
    int own = counts[name];
    MPI_Allreduce(&own, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        std::cout << (sum == size * (size - 1) / 2 && counts.size() == 3 ? "right" : "wrong") << std::endl;
    MPI_Finalize();
    delete table;
}
'''


def need(tool, reason=None):
    """Skips the whole file, as ctest understands it, unless `tool` is installed and `reason` is empty."""
    if not shutil.which(tool):
        reason = f'{tool} is not installed'
    if reason:
        print('SKIPPED:', reason)
        sys.exit(77)


def build_cxx(test, *flags):
    """Compiles CXX_PROGRAM with its LIBRARY in the scratch directory of `test`, a CommandTest."""
    test.compile('libtable.so', LIBRARY, '-g', '-fPIC', '-shared', *flags, compiler='mpicxx')
    return test.compile('cxx', CXX_PROGRAM, '-g', f'-L{test.scratch}', '-ltable', f'-Wl,-rpath,{test.scratch}', *flags,
                        compiler='mpicxx')
