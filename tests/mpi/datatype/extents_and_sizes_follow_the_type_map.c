// MPI 5.0 section 5.1.6: "extent(Typemap) = ub(Typemap) - lb(Typemap)", with the upper bound
// rounded up to the alignment; section 5.1.8: the true extent spans the bytes that are there,
// whatever resizing did.
// ranks: 1
#include "world.h"

static void check_bounds(MPI_Datatype type, long long size_bytes, long long lower, long long extent,
                         long long true_lower, long long true_extent) {
    MPI_Count a, b;
    MPI_Aint c, d;
    MPI_Type_size_c(type, &a);
    CHECK_EQUAL(a, size_bytes);
    MPI_Type_get_extent_c(type, &a, &b);
    CHECK_EQUAL(a, lower);
    CHECK_EQUAL(b, extent);
    MPI_Type_get_extent(type, &c, &d);
    CHECK_EQUAL(c, lower);
    CHECK_EQUAL(d, extent);
    MPI_Type_get_true_extent_c(type, &a, &b);
    CHECK_EQUAL(a, true_lower);
    CHECK_EQUAL(b, true_extent);
    MPI_Type_get_true_extent(type, &c, &d);
    CHECK_EQUAL(c, true_lower);
    CHECK_EQUAL(d, true_extent);
}

typedef struct {
    char c;
    double d;
    short s;
} Padded;

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Datatype type, resized, again;
    check_bounds(MPI_INT, 4, 0, 4, 0, 4);
    check_bounds(MPI_LONG_DOUBLE, sizeof(long double), 0, sizeof(long double), 0,
                 sizeof(long double));
    MPI_Type_vector(3, 1, 2, MPI_DOUBLE, &type);
    check_bounds(type, 24, 0, 40, 0, 40);
    MPI_Type_free(&type);
    MPI_Type_indexed(2, (int[]){1, 1}, (int[]){-2, 3}, MPI_INT, &type);
    check_bounds(type, 8, -8, 24, -8, 24);
    MPI_Type_create_resized(type, -16, 64, &resized);
    check_bounds(resized, 8, -16, 64, -8, 24);
    MPI_Type_contiguous(2, resized, &again);
    check_bounds(again, 16, -16, 128, -8, 88);
    MPI_Type_free(&type);
    MPI_Type_free(&resized);
    MPI_Type_free(&again);
    // A structure's extent is C's sizeof, thanks to the rounding.
    MPI_Type_create_struct(
        3, (int[]){1, 1, 1},
        (MPI_Aint[]){offsetof(Padded, c), offsetof(Padded, d), offsetof(Padded, s)},
        (MPI_Datatype[]){MPI_CHAR, MPI_DOUBLE, MPI_SHORT}, &type);
    check_bounds(type, 11, 0, sizeof(Padded), 0, offsetof(Padded, s) + 2);
    MPI_Type_free(&type);
    MPI_Type_contiguous(0, MPI_INT, &type);
    check_bounds(type, 0, 0, 0, 0, 0);
    MPI_Type_free(&type);
    // Sizes beyond an int are MPI_UNDEFINED in the calls that return one.
    int size_as_int;
    MPI_Type_contiguous(1 << 30, MPI_DOUBLE, &type);
    check_bounds(type, 8ll << 30, 0, 8ll << 30, 0, 8ll << 30);
    MPI_Type_size(type, &size_as_int);
    CHECK_EQUAL(size_as_int, MPI_UNDEFINED);
    MPI_Type_free(&type);
    return finish();
}
