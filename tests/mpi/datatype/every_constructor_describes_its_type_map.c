// MPI 5.0 section 5.1.2: the type maps of MPI_TYPE_CONTIGUOUS, VECTOR, CREATE_HVECTOR, INDEXED,
// CREATE_HINDEXED, CREATE_INDEXED_BLOCK, CREATE_HINDEXED_BLOCK, CREATE_STRUCT; section 5.1.7:
// RESIZED.
// ranks: 1 2
#include "layouts.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Datatype type, pair;
    MPI_Type_contiguous(3, MPI_INT, &type);
    CHECK_LAYOUT(type, 2, 0, 1, 2);
    MPI_Type_free(&type);
    MPI_Type_vector(3, 2, 4, MPI_INT, &type);
    CHECK_LAYOUT(type, 3, 0, 1, 4, 5, 8, 9);
    MPI_Type_free(&type);
    MPI_Type_vector(3, 1, -2, MPI_INT, &type);
    CHECK_LAYOUT(type, 2, 0, -2, -4);
    MPI_Type_free(&type);
    MPI_Type_vector(2, 2, 1, MPI_INT, &type); // blocks that overlap may be sent
    int overlapping[3] = {7, 8, 9}, received[4];
    MPI_Type_commit(&type);
    MPI_Sendrecv(overlapping, 1, type, 0, 0, received, 4, MPI_INT, 0, 0, MPI_COMM_SELF,
                 MPI_STATUS_IGNORE);
    CHECK(received[0] == 7 && received[1] == 8 && received[2] == 8 && received[3] == 9);
    MPI_Type_free(&type);
    MPI_Type_create_hvector(2, 2, 20, MPI_INT, &type);
    CHECK_LAYOUT(type, 2, 0, 1, 5, 6);
    MPI_Type_free(&type);
    MPI_Type_indexed(3, (int[]){2, 0, 3}, (int[]){6, 1, -3}, MPI_INT, &type);
    CHECK_LAYOUT(type, 2, 6, 7, -3, -2, -1);
    MPI_Type_free(&type);
    MPI_Type_create_hindexed(2, (int[]){1, 2}, (MPI_Aint[]){16, 4}, MPI_INT, &type);
    CHECK_LAYOUT(type, 2, 4, 1, 2);
    MPI_Type_free(&type);
    MPI_Type_create_indexed_block(3, 2, (int[]){8, 0, 4}, MPI_INT, &type);
    CHECK_LAYOUT(type, 2, 8, 9, 0, 1, 4, 5);
    MPI_Type_free(&type);
    MPI_Type_create_hindexed_block(2, 3, (MPI_Aint[]){-20, 8}, MPI_INT, &type);
    CHECK_LAYOUT(type, 2, -5, -4, -3, 2, 3, 4);
    MPI_Type_free(&type);
    MPI_Type_vector(2, 1, 3, MPI_INT, &pair);
    MPI_Type_create_struct(3, (int[]){1, 2, 1}, (MPI_Aint[]){0, 8, 64},
                           (MPI_Datatype[]){MPI_INT, pair, MPI_UNSIGNED}, &type);
    CHECK_LAYOUT(type, 2, 0, 2, 5, 6, 9, 16);
    MPI_Type_free(&type);
    MPI_Aint lower_bound, extent;
    MPI_Type_create_resized(pair, -4, 24, &type);
    MPI_Type_get_extent(type, &lower_bound, &extent);
    CHECK(lower_bound == -4 && extent == 24);
    CHECK_LAYOUT(type, 4, 0, 3);
    MPI_Type_free(&type);
    MPI_Type_create_resized(pair, 0, 4, &type); // elements interleave
    CHECK_LAYOUT(type, 3, 0, 3);
    MPI_Type_free(&type);
    MPI_Type_free(&pair);
    return finish();
}
