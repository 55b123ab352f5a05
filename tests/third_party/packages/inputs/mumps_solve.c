/* MUMPS: the 5-point Laplacian of a square, whose matrix is on rank 0. Prints the distance from the
 * known solution. */
#include <mpi.h>

#include <dmumps_c.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { EDGE = 30, ROWS = EDGE * EDGE, ENTRIES_MAX = 5 * ROWS };

static void fill(DMUMPS_STRUC_C *problem) {
    problem->n = ROWS;
    problem->irn = malloc(ENTRIES_MAX * sizeof *problem->irn);
    problem->jcn = malloc(ENTRIES_MAX * sizeof *problem->jcn);
    problem->a = malloc(ENTRIES_MAX * sizeof *problem->a);
    problem->rhs = calloc(ROWS, sizeof *problem->rhs);
    int entries = 0;
    for (int row = 0; row < ROWS; row++) {
        for (int column = 0; column < ROWS; column++) {
            int beside = abs(row % EDGE - column % EDGE) + abs(row / EDGE - column / EDGE);
            if (beside > 1)
                continue;
            problem->irn[entries] = row + 1;
            problem->jcn[entries] = column + 1;
            problem->a[entries] = beside ? -1 : 4;
            problem->rhs[row] += problem->a[entries] * (1 + column % 7);
            entries++;
        }
    }
    problem->nnz = entries;
}

int main(int argc, char **argv) {
    int rank, bad = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    DMUMPS_STRUC_C problem = {
        .job = -1, .par = 1, .sym = 0, .comm_fortran = (MUMPS_INT)MPI_Comm_c2f(MPI_COMM_WORLD)};
    dmumps_c(&problem);
    if (rank == 0)
        fill(&problem);
    for (int silent = 0; silent < 4; silent++)
        problem.icntl[silent] = silent < 3 ? -1 : 0;
    problem.job = 6;
    dmumps_c(&problem);
    if (rank == 0) {
        double distance = 0;
        for (int row = 0; row < ROWS; row++)
            distance = fmax(distance, fabs(problem.rhs[row] - (1 + row % 7)));
        bad = !(distance < 1e-9);
        printf("INFOG(1) is %d, %s\n", (int)problem.infog[0], bad ? "not solved" : "solved");
    }
    problem.job = -2;
    dmumps_c(&problem);
    MPI_Finalize();
    return bad;
}
