// MPI 5.0 section 5.1.4: MPI_TYPE_CREATE_DARRAY "can be used to generate the datatypes
// corresponding to the distribution of an ndims-dimensional array of oldtype elements onto an
// ndims-dimensional grid of logical processes"; the grid's ordering is row-major for either order
// of the array.
// ranks: 1 2
#include "layouts.h"

// Each of the grid's processes gives its elements its number.
static void deal(int order, const int *sizes, const int *kinds, const int *args, const int *grid,
                 int *owners) {
    int total = sizes[0] * sizes[1], processes = grid[0] * grid[1], ones[200], bytes, covered = 0;
    for (int i = 0; i < total; ++i)
        owners[i] = -1;
    for (int process = 0; process < processes; ++process) {
        MPI_Datatype type;
        MPI_Aint lower_bound, extent;
        CHECK_SUCCESS(MPI_Type_create_darray(processes, process, 2, sizes, kinds, args, grid, order,
                                             MPI_INT, &type));
        MPI_Type_get_extent(type, &lower_bound, &extent);
        CHECK_EQUAL(extent, 4 * total);
        MPI_Type_size(type, &bytes);
        covered += bytes / 4;
        for (int i = 0; i < bytes / 4; ++i)
            ones[i] = process;
        MPI_Type_commit(&type);
        MPI_Sendrecv(ones, bytes / 4, MPI_INT, 0, 0, owners, 1, type, 0, 0, MPI_COMM_SELF,
                     MPI_STATUS_IGNORE);
        MPI_Type_free(&type);
    }
    CHECK_EQUAL(covered, total);
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    int owners[200], sizes[] = {7, 10}, grid[] = {2, 3};
    int block[] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_BLOCK};
    int defaults[] = {MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG};
    deal(MPI_ORDER_C, sizes, block, defaults, grid, owners);
    for (int i = 0; i < 7; ++i) // blocks of ceil(7 / 2) and ceil(10 / 3)
        for (int j = 0; j < 10; ++j)
            CHECK_EQUAL(owners[10 * i + j], i / 4 * 3 + j / 4);
    deal(MPI_ORDER_FORTRAN, sizes, block, defaults, grid, owners);
    for (int i = 0; i < 7; ++i) // the grid stays row-major
        for (int j = 0; j < 10; ++j)
            CHECK_EQUAL(owners[7 * j + i], i / 4 * 3 + j / 4);
    int cyclic[] = {MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_CYCLIC}, args[] = {2, 3};
    deal(MPI_ORDER_C, sizes, cyclic, args, grid, owners);
    for (int i = 0; i < 7; ++i)
        for (int j = 0; j < 10; ++j)
            CHECK_EQUAL(owners[10 * i + j], i / 2 % 2 * 3 + j / 3 % 3);
    int one_way[] = {MPI_DISTRIBUTE_NONE, MPI_DISTRIBUTE_CYCLIC}, line[] = {1, 4};
    deal(MPI_ORDER_C, sizes, one_way, defaults, line, owners);
    for (int i = 0; i < 7; ++i)
        for (int j = 0; j < 10; ++j)
            CHECK_EQUAL(owners[10 * i + j], j % 4);
    return finish();
}
