// MPI 5.0 section 15.3.7: "The value of a variable of this class increases monotonically from the
// initialization or reset of the performance variable by one for each specific event that is
// observed."
// ranks: 2
#include "variables.h"

static char data[100000];

int main(void) {
    start(NULL, NULL);
    start_tools();
    const int counter = MPI_T_PVAR_CLASS_COUNTER;
    MPI_T_pvar_handle eager = counted("buffered_sends", counter, NULL);
    MPI_T_pvar_handle rendezvous = counted("rendezvous_sends", counter, NULL);
    MPI_T_pvar_handle requests = measure("requests", MPI_T_PVAR_CLASS_LEVEL, NULL);
    CHECK_EQUAL(value_of(requests), 0);
    if (rank == 0) {
        MPI_Request pending[2];
        MPI_Send(data, 10, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
        MPI_Isend(data, 100000, MPI_CHAR, 1, 0, MPI_COMM_WORLD, &pending[0]);
        MPI_Issend(data, 10, MPI_CHAR, 1, 0, MPI_COMM_WORLD, &pending[1]);
        CHECK_EQUAL(value_of(eager), 1);
        CHECK_EQUAL(value_of(rendezvous), 2);
        CHECK_EQUAL(value_of(requests), 2);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Waitall(2, pending, MPI_STATUSES_IGNORE);
        CHECK_EQUAL(value_of(requests), 0);
        MPI_Barrier(MPI_COMM_WORLD); // the receive is posted
        MPI_Ssend(data, 10, MPI_CHAR, 1, 1, MPI_COMM_WORLD);
        CHECK_EQUAL(value_of(rendezvous), 2);
    } else {
        MPI_Barrier(MPI_COMM_WORLD);
        for (int i = 0; i < 3; ++i)
            MPI_Recv(data, 100000, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Request request;
        MPI_Irecv(data, 10, MPI_CHAR, 0, 1, MPI_COMM_WORLD, &request);
        CHECK_EQUAL(value_of(requests), 1);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    CHECK_CODE(MPI_T_finalize(), MPI_SUCCESS);
    MPI_Finalize();
    return 0;
}
