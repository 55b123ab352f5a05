// MPI 5.0 section 5.1.12: displacements may be absolute addresses, which MPI_GET_ADDRESS returns,
// if the buffer argument is MPI_BOTTOM.
// ranks: 2 4
#include "world.h"

static int global[2];

int main(int argc, char **argv) {
    start(&argc, &argv);
    int local[3] = {rank, rank + 1, rank + 2};
    double *on_heap = malloc(sizeof(double));
    *on_heap = rank / 4.0;
    global[1] = 7 * rank;
    MPI_Aint places[3];
    MPI_Datatype type;
    MPI_Get_address(&global[1], &places[0]);
    MPI_Get_address(local, &places[1]);
    MPI_Get_address(on_heap, &places[2]);
    MPI_Type_create_struct(3, (int[]){1, 3, 1}, places,
                           (MPI_Datatype[]){MPI_INT, MPI_INT, MPI_DOUBLE}, &type);
    MPI_Type_commit(&type);
    int root = size - 1;
    MPI_Bcast(MPI_BOTTOM, 1, type, root, MPI_COMM_WORLD);
    CHECK_EQUAL(global[1], 7 * root);
    for (int i = 0; i < 3; ++i)
        CHECK_EQUAL(local[i], root + i);
    CHECK(*on_heap == root / 4.0);
    if (rank == 0) {
        global[1] = -5;
        MPI_Send(MPI_BOTTOM, 1, type, 1, 0, MPI_COMM_WORLD);
    } else if (rank == 1) {
        MPI_Recv(MPI_BOTTOM, 1, type, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        CHECK_EQUAL(global[1], -5);
    }
    CHECK(MPI_Aint_add(places[1], 4) == (MPI_Aint)&local[1]);
    MPI_Type_free(&type);
    free(on_heap);
    return finish();
}
