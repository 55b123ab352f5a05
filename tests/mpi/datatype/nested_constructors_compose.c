// MPI 5.0 section 5.1.2: the old datatype of each constructor may itself be a derived datatype: the
// type map is made of copies of the old one's, at its extent.
// ranks: 1 2
#include "layouts.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Datatype column, columns, block, type;
    // Two columns of a 3 x 4 matrix.
    MPI_Type_vector(3, 1, 4, MPI_INT, &column);
    MPI_Type_create_resized(column, 0, 4, &columns);
    MPI_Type_contiguous(2, columns, &type);
    CHECK_LAYOUT(type, 1, 0, 4, 8, 1, 5, 9);
    MPI_Type_free(&type);
    MPI_Type_vector(2, 1, 2, columns, &type); // stride 2 extents of 4 bytes
    CHECK_LAYOUT(type, 1, 0, 4, 8, 2, 6, 10);
    MPI_Type_free(&type);
    // A block with a hole, twice, with bytes between, repeated.
    MPI_Type_indexed(2, (int[]){1, 1}, (int[]){0, 2}, MPI_INT, &block);
    MPI_Type_create_hvector(2, 1, 24, block, &type);
    CHECK_LAYOUT(type, 2, 0, 2, 6, 8);
    MPI_Datatype outer;
    MPI_Type_create_hindexed(2, (int[]){1, 1}, (MPI_Aint[]){160, 0}, type, &outer);
    MPI_Type_free(&type); // the outer one keeps what it needs
    MPI_Type_free(&block);
    CHECK_LAYOUT(outer, 2, 40, 42, 46, 48, 0, 2, 6, 8);
    MPI_Type_free(&outer);
    MPI_Type_free(&columns);
    MPI_Type_free(&column);
    return finish();
}
