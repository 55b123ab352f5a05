// MPI 5.0 sections 7.4.2 and 7.4.3: MPI_COMM_DUP returns a communicator with "a new context", and
// MPI_COMM_FREE gives it back: a program may make any number of communicators one after another.
// ranks: 1 3
#include "world.h"

enum { alive = 50, total = 2000 };

int main(int argc, char **argv) {
    start(&argc, &argv);
    static MPI_Comm comms[alive];
    for (int i = 0; i < alive; ++i)
        comms[i] = MPI_COMM_NULL;
    for (int i = 0; i < total; ++i) {
        MPI_Comm *comm = &comms[i * 7 % alive];
        if (*comm != MPI_COMM_NULL)
            CHECK_SUCCESS(MPI_Comm_free(comm));
        CHECK_SUCCESS(MPI_Comm_dup(MPI_COMM_WORLD, comm));
    }
    // All that are alive hold a message of their own at the same time.
    MPI_Request requests[alive];
    static int values[alive];
    int right = (rank + 1) % size, received;
    for (int i = 0; i < alive; ++i) {
        values[i] = 1000 * rank + i;
        MPI_Isend(&values[i], 1, MPI_INT, right, 0, comms[i], &requests[i]);
    }
    for (int i = alive - 1; i >= 0; --i) {
        MPI_Recv(&received, 1, MPI_INT, MPI_ANY_SOURCE, 0, comms[i], MPI_STATUS_IGNORE);
        CHECK_EQUAL(received, 1000 * ((rank + size - 1) % size) + i);
    }
    MPI_Waitall(alive, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < alive; ++i)
        CHECK_SUCCESS(MPI_Comm_free(&comms[i]));
    return finish();
}
