/* ScaLAPACK: pdgesv on a grid of all ranks. Prints the distance from the known solution. */
#include <mpi.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 200, BLOCK = 8 };

void Cblacs_get(int context, int what, int *value);
void Cblacs_gridinit(int *context, const char *order, int rows, int columns);
void Cblacs_gridinfo(int context, int *rows, int *columns, int *row, int *column);
void Cblacs_gridexit(int context);
int numroc_(const int *n, const int *block, const int *process, const int *first,
            const int *processes);
void descinit_(int *desc, const int *m, const int *n, const int *mb, const int *nb, const int *rsrc,
               const int *csrc, const int *context, const int *lld, int *info);
void pdgesv_(const int *n, const int *nrhs, double *a, const int *ia, const int *ja,
             const int *desca, int *ipiv, double *b, const int *ib, const int *jb, const int *descb,
             int *info);

static int global(int local, int process, int processes) {
    return (local / BLOCK * processes + process) * BLOCK + local % BLOCK;
}

static double element(int row, int column) {
    return row == column ? ROWS : (row * 7 + column * 3) % 11 / 11.0;
}

int main(int argc, char **argv) {
    int size, context, rows, columns, row, column, info, zero = 0, one = 1, n = ROWS, block = BLOCK;
    int desc_a[9], desc_b[9];
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int shape[2] = {0, 0};
    MPI_Dims_create(size, 2, shape);
    Cblacs_get(-1, 0, &context);
    Cblacs_gridinit(&context, "Row", shape[0], shape[1]);
    Cblacs_gridinfo(context, &rows, &columns, &row, &column);
    int height = numroc_(&n, &block, &row, &zero, &rows),
        width = numroc_(&n, &block, &column, &zero, &columns);
    int leading = height > 1 ? height : 1;
    double *a = malloc(sizeof(double) * leading * (width + 1)),
           *b = malloc(sizeof(double) * leading);
    int *pivots = malloc(sizeof(int) * (height + BLOCK));
    for (int y = 0; y < height; y++) {
        int i = global(y, row, rows);
        for (int x = 0; x < width; x++)
            a[y + x * leading] = element(i, global(x, column, columns));
        b[y] = 0;
        for (int j = 0; j < ROWS; j++)
            b[y] += element(i, j) * (1 + j % 7);
    }
    descinit_(desc_a, &n, &n, &block, &block, &zero, &zero, &context, &leading, &info);
    descinit_(desc_b, &n, &one, &block, &block, &zero, &zero, &context, &leading, &info);
    pdgesv_(&n, &one, a, &one, &one, desc_a, pivots, b, &one, &one, desc_b, &info);
    double distance = 0, largest;
    for (int y = 0; column == 0 && y < height; y++)
        distance = fmax(distance, fabs(b[y] - (1 + global(y, row, rows) % 7)));
    MPI_Reduce(&distance, &largest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (row == 0 && column == 0)
        printf("info is %d, %s\n", info, largest < 1e-10 ? "solved" : "not solved");
    Cblacs_gridexit(context);
    MPI_Finalize();
    return 0;
}
