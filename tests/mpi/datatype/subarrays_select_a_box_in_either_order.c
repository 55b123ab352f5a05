// MPI 5.0 section 5.1.3: MPI_TYPE_CREATE_SUBARRAY "creates an MPI datatype describing an
// n-dimensional subarray of an n-dimensional array"; the extent is that of the full array;
// MPI_ORDER_C is row-major.
// ranks: 1 2
#include "layouts.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Datatype type;
    MPI_Aint lower_bound, extent;
    int sizes[] = {4, 5}, subsizes[] = {2, 3}, starts[] = {1, 2};
    MPI_Type_create_subarray(2, sizes, subsizes, starts, MPI_ORDER_C, MPI_INT, &type);
    MPI_Type_get_extent(type, &lower_bound, &extent);
    CHECK_EQUAL(lower_bound, 0);
    CHECK_EQUAL(extent, 80);
    CHECK_LAYOUT(type, 2, 7, 8, 9, 12, 13, 14);
    MPI_Type_free(&type);
    MPI_Type_create_subarray(2, sizes, subsizes, starts, MPI_ORDER_FORTRAN, MPI_INT, &type);
    CHECK_LAYOUT(type, 2, 9, 10, 13, 14, 17, 18);
    MPI_Type_free(&type);
    int sizes3[] = {3, 3, 4}, subsizes3[] = {2, 1, 2}, starts3[] = {1, 2, 0};
    MPI_Type_create_subarray(3, sizes3, subsizes3, starts3, MPI_ORDER_C, MPI_INT, &type);
    CHECK_LAYOUT(type, 2, 20, 21, 32, 33);
    MPI_Type_free(&type);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    starts[1] = 3; // 3 + 3 > 5
    CHECK(MPI_Type_create_subarray(2, sizes, subsizes, starts, MPI_ORDER_C, MPI_INT, &type) !=
          MPI_SUCCESS);
    return finish();
}
