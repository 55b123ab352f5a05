// A message from another process is compared with its receive, too: small, large and of mixed types
// (MPI 5.0 section 3.3.1). The warning names the sender's rank and tag. Equal types cause none.
// ranks: 2
// modes: processes
// expect: rank 1: MPI_Recv: the message from rank 0 with tag 1 has 1 MPI_FLOAT, but the receive exp
// expect: MPI_Recv: the message from rank 0 with tag 2 has 90000 MPI_DOUBLE, but the receive expects
// expect: MPI_Recv: the message from rank 0 with tag 3 has 24 bytes of other types than the receive
// expect: MPI_Wait: the message from rank 0 with tag 4 has 1 MPI_FLOAT, but the receive expects MPI_
// expect-not: tag [5-9]
// expect: ^all done$
#include "check.h"

#include <mpi.h>

static double data[90000];

static MPI_Datatype make_pair(MPI_Datatype first, MPI_Datatype second) {
    int lengths[] = {1, 1};
    MPI_Aint places[] = {0, 8};
    MPI_Datatype types[] = {first, second}, result;
    MPI_Type_create_struct(2, lengths, places, types, &result);
    MPI_Type_commit(&result);
    return result;
}

// A macro, because each pair of lines is warned about once.
#define PASS(rank, tag, sent, sent_count, received, received_count)                                \
    do {                                                                                           \
        if (rank == 0)                                                                             \
            MPI_Send(data, sent_count, sent, 1, tag, MPI_COMM_WORLD);                              \
        else                                                                                       \
            MPI_Recv(data, received_count, received, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);   \
    } while (0)

int main(int argc, char **argv) {
    int rank;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Datatype mixed = make_pair(MPI_INT, MPI_DOUBLE), other = make_pair(MPI_DOUBLE, MPI_INT);
    MPI_Datatype same = make_pair(MPI_INTEGER, MPI_REAL8);
    PASS(rank, 1, MPI_FLOAT, 1, MPI_INT, 1);
    PASS(rank, 2, MPI_DOUBLE, 90000, MPI_LONG, 90000);
    PASS(rank, 3, mixed, 2, other, 2);
    if (rank == 1)
        MPI_Irecv(data, 1, MPI_INT, 0, 4, MPI_COMM_WORLD, &request);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Send(data, 1, MPI_FLOAT, 1, 4, MPI_COMM_WORLD);
    else
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    PASS(rank, 5, mixed, 2, same, 3);
    PASS(rank, 6, mixed, 2000, same, 2000);
    PASS(rank, 7, MPI_INT, 5, MPI_INTEGER, 6);
    PASS(rank, 8, MPI_BYTE, 5, MPI_INT, 2);
    PASS(rank, 9, MPI_DOUBLE, 80000, MPI_BYTE, 8 * 80000);
    MPI_Type_free(&mixed);
    MPI_Type_free(&other);
    MPI_Type_free(&same);
    if (rank == 1)
        printf("all done\n");
    MPI_Finalize();
    return 0;
}
