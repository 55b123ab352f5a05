// MPI 5.0 section 8.6.2: "MPI_NEIGHBOR_ALLTOALLW allows one to send and receive with different
// datatypes to and from each neighbor.": rows and columns of a matrix with a border, in place in
// one array, with displacements in bytes.
// ranks: 1 4 6 9
#include "grids.h"

enum { rows = 5, columns = 4, width = columns + 2 };

int main(int argc, char **argv) {
    start(&argc, &argv);
    int dims[2] = {0, 0}, periods[2] = {1, 0}, neighbours[4];
    MPI_Dims_create(size, 2, dims);
    MPI_Comm grid = new_grid(2, dims, periods);
    grid_neighbours(grid, 2, neighbours);
    double a[rows + 2][width];
    for (int i = 0; i < rows + 2; ++i)
        for (int j = 0; j < width; ++j)
            a[i][j] = i == 0 || i > rows || j == 0 || j > columns ? -1 : datum(rank, 10 * i + j);
    MPI_Datatype row, column;
    MPI_Type_contiguous(columns, MPI_DOUBLE, &row);
    MPI_Type_vector(rows, 1, width, MPI_DOUBLE, &column);
    MPI_Type_commit(&row);
    MPI_Type_commit(&column);
    int counts[4] = {1, 1, 1, 1};
    MPI_Datatype types[4] = {row, row, column, column};
#define AT(i, j) ((MPI_Aint)(sizeof(double) * ((i) * width + (j))))
    MPI_Aint inner[4] = {AT(1, 1), AT(rows, 1), AT(1, 1), AT(1, columns)};
    MPI_Aint outer[4] = {AT(0, 1), AT(rows + 1, 1), AT(1, 0), AT(1, columns + 1)};
    CHECK_SUCCESS(MPI_Neighbor_alltoallw(a, counts, inner, types, a, counts, outer, types, grid));
    for (int j = 1; j <= columns; ++j) {
        CHECK(a[0][j] == datum(neighbours[0], 10 * rows + j));
        CHECK(a[rows + 1][j] == datum(neighbours[1], 10 + j));
    }
    for (int i = 1; i <= rows; ++i) {
        CHECK(a[i][0] ==
              (neighbours[2] == MPI_PROC_NULL ? -1 : datum(neighbours[2], 10 * i + columns)));
        CHECK(a[i][columns + 1] ==
              (neighbours[3] == MPI_PROC_NULL ? -1 : datum(neighbours[3], 10 * i + 1)));
    }
    CHECK(a[0][0] == -1 && a[rows + 1][columns + 1] == -1);
    MPI_Type_free(&row);
    MPI_Type_free(&column);
    MPI_Comm_free(&grid);
    return finish();
}
