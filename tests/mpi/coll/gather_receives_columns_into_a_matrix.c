// MPI 5.0 section 6.5: the outcome is as if the root had called MPI_Recv(recvbuf + i * recvcount *
// extent(recvtype), recvcount, recvtype, i, ...): a resized column type interleaves the blocks.
// ranks: 1 2 5 16
#include "world.h"

enum { rows = 50 };

int main(int argc, char **argv) {
    start(&argc, &argv);
    double *matrix = calloc((size_t)(rows * size), sizeof(double)), column[rows], back[rows];
    MPI_Datatype strided, one_column;
    MPI_Type_vector(rows, 1, size, MPI_DOUBLE, &strided);
    MPI_Type_create_resized(strided, 0, sizeof(double), &one_column);
    MPI_Type_commit(&one_column);
    for (int i = 0; i < rows; ++i)
        column[i] = 1000 * rank + i;
    int root = size / 2;
    MPI_Gather(column, rows, MPI_DOUBLE, matrix, 1, one_column, root, MPI_COMM_WORLD);
    for (int i = 0; i < rows * size && rank == root; ++i) {
        CHECK(matrix[i] == 1000 * (i % size) + i / size);
        matrix[i] += 0.5;
    }
    MPI_Scatter(matrix, 1, one_column, back, rows, MPI_DOUBLE, root, MPI_COMM_WORLD);
    for (int i = 0; i < rows; ++i)
        CHECK(back[i] == column[i] + 0.5);
    MPI_Allgather(column, rows, MPI_DOUBLE, matrix, 1, one_column, MPI_COMM_WORLD);
    for (int i = 0; i < rows * size; ++i)
        CHECK(matrix[i] == 1000 * (i % size) + i / size);
    MPI_Type_free(&strided);
    MPI_Type_free(&one_column);
    free(matrix);
    return finish();
}
