// MPI 5.0 section 19.1.9: "They cannot be freed; they do not need to be committed; they can be used
// with predefined reduction operations." "a high quality MPI implementation should return the same
// datatype handle for the same ( REAL/COMPLEX/INTEGER, p, r) combination." Section 5.1.13:
// MPI_COMBINER_F90_REAL has "ni = 2, na = 0, nd = 0".
// ranks: 2
#include "world.h"

static void check_contents(MPI_Datatype type, int combiner, int ints, int first, int second) {
    int ni, na, nd, found, i[2] = {-1, -1};
    CHECK_SUCCESS(MPI_Type_get_envelope(type, &ni, &na, &nd, &found));
    CHECK_EQUAL(found, combiner);
    CHECK_EQUAL(ni, ints);
    CHECK_EQUAL(na + nd, 0);
    CHECK_SUCCESS(MPI_Type_get_contents(type, ni, 0, 0, i, NULL, NULL));
    CHECK_EQUAL(i[0], first);
    if (ints == 2)
        CHECK_EQUAL(i[1], second);
}

static int size_of(MPI_Datatype type) {
    int bytes = -1;
    CHECK_SUCCESS(MPI_Type_size(type, &bytes));
    return bytes;
}

int main(void) {
    start(NULL, NULL);
    MPI_Datatype type, again, complex;
    for (int p = 1; p <= 15; ++p) {
        CHECK_SUCCESS(MPI_Type_create_f90_real(p, MPI_UNDEFINED, &type));
        CHECK_SUCCESS(MPI_Type_create_f90_real(p, MPI_UNDEFINED, &again));
        CHECK(type == again);
        CHECK_EQUAL(size_of(type), p <= 6 ? 4 : 8);
        check_contents(type, MPI_COMBINER_F90_REAL, 2, p, MPI_UNDEFINED);
        CHECK_SUCCESS(MPI_Type_create_f90_complex(p, 30, &complex));
        CHECK_EQUAL(size_of(complex), p <= 6 ? 8 : 16);
        check_contents(complex, MPI_COMBINER_F90_COMPLEX, 2, p, 30);
    }
    for (int r = 1; r <= 18; ++r) {
        CHECK_SUCCESS(MPI_Type_create_f90_integer(r, &type));
        CHECK_EQUAL(size_of(type), r <= 2 ? 1 : r <= 4 ? 2 : r <= 9 ? 4 : 8);
        check_contents(type, MPI_COMBINER_F90_INTEGER, 1, r, 0);
    }
    CHECK_SUCCESS(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    CHECK_SUCCESS(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    // Not committed, and yet sent and reduced.
    CHECK_SUCCESS(MPI_Type_create_f90_real(12, MPI_UNDEFINED, &type));
    double mine = rank + 0.5, sum = 0, other = -1;
    CHECK_SUCCESS(MPI_Allreduce(&mine, &sum, 1, type, MPI_SUM, MPI_COMM_WORLD));
    CHECK(sum == 0.5 * size + size * (size - 1) / 2);
    CHECK_SUCCESS(MPI_Sendrecv(&mine, 1, type, 1 - rank, 0, &other, 1, type, 1 - rank, 0,
                               MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    CHECK(other == 1 - rank + 0.5);
    again = type;
    CHECK_ERROR(MPI_Type_free(&again), MPI_ERR_TYPE);
    CHECK_ERROR(MPI_Type_create_f90_real(4000, MPI_UNDEFINED, &type), MPI_ERR_ARG);
    CHECK_ERROR(MPI_Type_create_f90_integer(400, &type), MPI_ERR_ARG);
    MPI_Finalize();
    return 0;
}
