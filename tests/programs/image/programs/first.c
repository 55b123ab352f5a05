// The C program of programs.sh: the ranks that run it talk to those that run another one.
#include "check.h"

#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int common_name = 1; // both programs have variables of these names
static int counter = 100;
int *pointer = &common_name;
_Thread_local long of_thread[40] = {7};
_Thread_local int *to_global = &common_name;

int common_function(void) {
    return 11;
}

int (*const table[])(void) = {common_function};

__attribute__((constructor)) static void construct(void) {
    counter += 10;
}

static void at_exit(void) {
    printf("program first, rank handler: counter %d\n", counter);
}

int main(int argc, char **argv) {
    int rank, size, flag, *number;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, &number, &flag);
    CHECK(flag);
    CHECK(counter == 110);
    CHECK(pointer == &common_name && common_name == 1 && table[0]() == 11);
    CHECK(of_thread[0] == 7 && of_thread[39] == 0 && to_global == &common_name);
    counter += rank;
    common_name = rank;
    of_thread[39] = rank;
    int seen[64] = {0}, mine[2] = {rank, 1};
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Sendrecv(mine, 2, MPI_INT, (rank + 1) % size, 5, seen, 2, MPI_INT, (rank + size - 1) % size,
                 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(seen[0] == (rank + size - 1) % size);
    int sum;
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK(sum == size * (size - 1) / 2);
    CHECK(common_name == rank && *pointer == rank && of_thread[39] == rank);
    CHECK(counter == 110 + rank);
    printf("rank %d: program first, number %d, argc %d, last argument %s\n", rank, *number, argc,
           argv[argc - 1]);
    atexit(at_exit);
    MPI_Finalize();
    return 0;
}
