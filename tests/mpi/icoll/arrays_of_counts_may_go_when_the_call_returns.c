// MPI 5.0 section 6.12 lets an operation read its arrays of counts until it is complete. Bindings
// of other languages make such arrays for the call alone (mpi4py does): none is looked at
// afterwards.
// ranks: 1 3
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    int *counts = malloc(size * sizeof(int)), *places = malloc(size * sizeof(int));
    int *sent = malloc(size * sizeof(int)), *all = malloc(size * sizeof(int));
    for (int form = 0; form < 6; ++form) {
        for (int i = 0; i < size; ++i) {
            counts[i] = 1;
            places[i] = i;
            sent[i] = 10 * rank + i;
            all[i] = -1;
        }
        MPI_Request request;
        if (form % 3 == 0)
            form ? MPI_Allgatherv_init(&rank, 1, MPI_INT, all, counts, places, MPI_INT,
                                       MPI_COMM_WORLD, MPI_INFO_NULL, &request)
                 : MPI_Iallgatherv(&rank, 1, MPI_INT, all, counts, places, MPI_INT, MPI_COMM_WORLD,
                                   &request);
        else if (form % 3 == 1)
            form > 3 ? MPI_Alltoallv_init(sent, counts, places, MPI_INT, all, counts, places,
                                          MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &request)
                     : MPI_Ialltoallv(sent, counts, places, MPI_INT, all, counts, places, MPI_INT,
                                      MPI_COMM_WORLD, &request);
        else
            form > 3 ? MPI_Gatherv_init(&rank, 1, MPI_INT, all, counts, places, MPI_INT, 0,
                                        MPI_COMM_WORLD, MPI_INFO_NULL, &request)
                     : MPI_Igatherv(&rank, 1, MPI_INT, all, counts, places, MPI_INT, 0,
                                    MPI_COMM_WORLD, &request);
        for (int i = 0; i < size; ++i)
            counts[i] = places[i] = 1 << 28;
        if (form >= 3)
            MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        for (int i = 0; i < size; ++i)
            if (form % 3 == 1)
                CHECK_EQUAL(all[i], 10 * i + rank);
            else if (form % 3 == 0 || rank == 0)
                CHECK_EQUAL(all[i], i);
        if (form >= 3)
            MPI_Request_free(&request);
    }
    free(counts), free(places), free(sent), free(all);
    return finish();
}
