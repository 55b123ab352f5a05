// Messages of all sizes that their receiver never asks for: in the queue's node, in pooled memory,
// of no bytes; and one that MPI_Mprobe has taken. The report names the calls that sent
// them.
// ranks: 3
// expect: warning: 3 messages sent at .*:15 in tell were never received \(by rank 0\)$
// expect: warning: 3 messages sent at .*:16 in tell were never received \(by rank 0\)$
// expect: warning: 6 messages sent at .*:18 in tell were never received \(by ranks 0-2, 2 each\)$
// expect: warning: 3 messages sent at .*:30 in main were never received \(by ranks 0-2, one each\)$
// expect: warning: 3 messages matched by MPI_Mprobe at .*:33 in main .* received \(ranks 0-2, one each\)$
// expect-not: leaves_messages_that_nobody_receives.c:(32|34|35|36)
#include <mpi.h>

static void tell(MPI_Comm comm, int next) {
    static int many[400];
    MPI_Send(many, 1, MPI_INT, 0, 1, comm);
    MPI_Send(many, 400, MPI_INT, 0, 2, MPI_COMM_WORLD);
    for (int i = 0; i < 2; ++i)
        MPI_Send(many, 0, MPI_INT, next, 3, MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
    int rank, size;
    MPI_Comm comm;
    MPI_Message message;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    tell(comm, (rank + 1) % size);
    MPI_Send(&rank, 1, MPI_INT, rank, 4, MPI_COMM_WORLD);
    MPI_Comm_free(&comm);
    MPI_Send(&rank, 1, MPI_INT, rank, 5, MPI_COMM_WORLD);
    MPI_Mprobe(rank, 5, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&rank, 1, MPI_INT, rank, 6, &size, 1, MPI_INT, rank, 6, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
