// Lesson imbalance: the rows of a triangle are divided among the ranks: in blocks, in turn.
//
//   mpicc -g imbalance.c -o imbalance && mpiexec --report imbalance.html -n 8 ./imbalance
//
// Look at:
//   - The times above: the same work and the same messages. Only the division differs.
//   - Timeline: in the region "in blocks" the work grows from rank to rank, and all wait for the
//     last one. In the region "in turn" all come to MPI_Allreduce almost together.
//   - Load balance: rank 0 waited most, the last rank least.
//   - Time in MPI: two places call MPI_Allreduce, one for each division. Compare their waiting.
//   - Collective operations: in blocks, the last rank came last every time.
#include <mpi.h>

#include <stdio.h>
#include <unistd.h>

#if __has_include(<thrum/annotate.h>) // regions, which the timeline shows; other MPIs do without
#include <thrum/annotate.h>
#else
#define thrum_region_begin(name)
#define thrum_region_end()
#endif

enum { ROWS = 64, STEPS = 5, CELL = 10 }; // a cell takes 10 microseconds

static int rank, size;

// Row r has r cells. The rank works for as long as its rows have cells, and returns their number.
static long work_on(int first, int end, int stride) {
    long cells = 0;
    for (int row = first; row < end; row += stride)
        cells += row;
    usleep(cells * CELL); // sleeping ranks need no core
    return cells;
}

// Neighbouring rows: the first rank has the short ones, the last rank the long ones.
static long in_blocks(void) {
    return work_on(rank * ROWS / size, (rank + 1) * ROWS / size, 1);
}

// Every size-th row: each rank has short and long ones.
static long in_turn(void) {
    return work_on(rank, ROWS, size);
}

int main(int argc, char **argv) {
    long cells, all = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = MPI_Wtime();
    thrum_region_begin("in blocks");
    for (int step = 0; step < STEPS; ++step) {
        cells = in_blocks();
        MPI_Allreduce(&cells, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    }
    thrum_region_end();
    double middle = MPI_Wtime();
    thrum_region_begin("in turn");
    for (int step = 0; step < STEPS; ++step) {
        cells = in_turn();
        MPI_Allreduce(&cells, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    }
    thrum_region_end();
    double end = MPI_Wtime();
    if (rank == 0)
        printf("%ld cells in blocks: %.6f s\n%ld cells in turn:   %.6f s\n", all, middle - begin,
               all, end - middle);
    MPI_Finalize();
}
