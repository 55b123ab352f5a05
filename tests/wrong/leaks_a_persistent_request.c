// Two inactive persistent requests, and one that was started and never waited for.
// ranks: 2
// expect: warning: 2 persistent requests made by MPI_Send_init at .*:14 in main .* freed \(ranks 0,1, one each\)$
// expect: warning: 2 persistent requests made by MPI_Barrier_init at .*:15 in main .* freed \(ranks 0,1, one each\)$
// expect: 2 persistent requests made by MPI_Recv_init at .*:16 in main .*never completed \(ranks 0,1, one each\)$
#include <mpi.h>

int main(int argc, char **argv) {
    static int value;
    int rank;
    MPI_Request send, barrier, receive;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Send_init(&rank, 1, MPI_INT, 1 - rank, 3, MPI_COMM_WORLD, &send);
    MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &barrier);
    MPI_Recv_init(&value, 1, MPI_INT, 1 - rank, 3, MPI_COMM_WORLD, &receive);
    MPI_Request all[] = {send, barrier, receive};
    MPI_Startall(3, all);
    MPI_Waitall(2, all, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return 0;
}
