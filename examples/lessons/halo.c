// Lesson halo: heat flows through a rod, and each step needs the neighbours' cells.
//
//   mpicc -g halo.c -o halo && mpiexec --report halo.html -n 16 ./halo
//
// Look at:
//   - Timeline: in step 4 the rank in the middle is late. Its neighbours wait for it in step 5,
//     their neighbours in step 6: the delay travels one rank in each step, to both sides.
//   - Waits: MPI_Waitall waits for the MPI_Isend of a neighbour, never of a rank farther away.
//   - Communication: two diagonals. Each rank talks to two others, however many there are.
//   - Load balance: one rank computed longer, and all of them lost that time.
#include <mpi.h>

#include <stdio.h>
#include <unistd.h>

enum { CELLS = 1000, STEPS = 20 };

static double now[CELLS + 2],
    next[CELLS + 2]; // [0] and [CELLS + 1] are the halo: the neighbours' cells

static void exchange_halo(int left, int right) {
    MPI_Request requests[4];
    MPI_Irecv(&now[0], 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&now[CELLS + 1], 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(&now[1], 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(&now[CELLS], 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, &requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
}

static void compute(void) {
    for (int i = 1; i <= CELLS; ++i)
        next[i] = now[i] + 0.25 * (now[i - 1] - 2 * now[i] + now[i + 1]);
    for (int i = 1; i <= CELLS; ++i)
        now[i] = next[i];
    usleep(1000); // stands for more cells; sleeping ranks need no core
}

int main(int argc, char **argv) {
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    int right = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    if (rank == 0)
        now[CELLS / 2] = 1000; // a hot spot
    for (int step = 1; step <= STEPS; ++step) {
        exchange_halo(left, right);
        compute();
        if (step == 4 && rank == size / 2)
            usleep(10000); // the delay: a page fault, another process, a slow core
    }
    double heat = 0, all = 0;
    for (int i = 1; i <= CELLS; ++i)
        heat += now[i];
    MPI_Reduce(&heat, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("After %d steps the heat of all ranks is %.0f.\n", STEPS, all);
    MPI_Finalize();
}
