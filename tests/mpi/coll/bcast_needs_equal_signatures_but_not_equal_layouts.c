// MPI 5.0 section 6.4: "The type signature of count, datatype on any MPI process must be equal to
// the type signature of count, datatype at the root." The type maps may differ.
// ranks: 1 2 5 16
#include "world.h"

enum { n = 600 };

int main(int argc, char **argv) {
    static int buffer[3 * n];
    start(&argc, &argv);
    MPI_Datatype every_third, row;
    MPI_Type_vector(n, 1, 3, MPI_INT, &every_third);
    MPI_Type_contiguous(n / 4, MPI_INT, &row);
    MPI_Type_commit(&every_third);
    MPI_Type_commit(&row);
    for (int root = 0; root < size; ++root) {
        // Each rank describes n integers in one of three ways.
        int way = rank % 3, stride = way == 1 ? 3 : 1;
        for (int i = 0; i < 3 * n; ++i)
            buffer[i] = rank == root && i % stride == 0 && i / stride < n ? i / stride + root : -7;
        MPI_Bcast(buffer,
                  way == 0   ? n
                  : way == 1 ? 1
                             : 4,
                  way == 0   ? MPI_INT
                  : way == 1 ? every_third
                             : row,
                  root, MPI_COMM_WORLD);
        for (int i = 0; i < 3 * n; ++i)
            CHECK_EQUAL(buffer[i], i % stride == 0 && i / stride < n ? i / stride + root : -7);
    }
    MPI_Type_free(&every_third);
    MPI_Type_free(&row);
    return finish();
}
