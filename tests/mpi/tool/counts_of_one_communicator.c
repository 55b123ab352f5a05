// MPI 5.0 section 15.3.2: "A variable may refer to a specific MPI object such as a communicator,
// datatype, or one-sided communication window, or the variable may refer more generally to the MPI
// environment of the process. Except for the last case, the variable must be bound to exactly one
// MPI object before it can be used."
// ranks: 2
#include "variables.h"

int main(void) {
    start(NULL, NULL);
    start_tools();
    MPI_Comm world = MPI_COMM_WORLD, own, freed;
    MPI_Comm_dup(MPI_COMM_WORLD, &own);
    const int counter = MPI_T_PVAR_CLASS_COUNTER;
    MPI_T_pvar_handle all = counted("messages_sent", counter, NULL);
    MPI_T_pvar_handle of_world = counted("comm_messages_sent", counter, &world);
    MPI_T_pvar_handle of_own = counted("comm_messages_sent", counter, &own);
    MPI_T_pvar_handle again = counted("comm_messages_sent", counter, &own);
    MPI_T_pvar_handle bytes = counted("comm_bytes_sent", MPI_T_PVAR_CLASS_AGGREGATE, &own);
    MPI_T_pvar_handle in_own = counted("comm_messages_received", counter, &own);
    MPI_T_pvar_handle waiting = measure("comm_unexpected_messages", MPI_T_PVAR_CLASS_LEVEL, &own);
    MPI_T_pvar_handle posted = measure("comm_posted_receives", MPI_T_PVAR_CLASS_LEVEL, &own);
    MPI_T_pvar_handle rounds = counted("comm_collective_calls", counter, &own);
    MPI_Barrier(MPI_COMM_WORLD);
    int other = 1 - rank, number = 0;
    MPI_Request requests[5];
    for (int i = 0; i < 3; ++i)
        MPI_Isend(&rank, 1, MPI_INT, other, i, own, &requests[i]);
    for (int i = 3; i < 5; ++i)
        MPI_Isend(&rank, 1, MPI_INT, other, i, MPI_COMM_WORLD, &requests[i]);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_EQUAL(value_of(of_own), 3);
    CHECK_EQUAL(value_of(again), 3);
    CHECK_EQUAL(value_of(bytes), 3 * sizeof(int));
    CHECK_EQUAL(value_of(of_world), 2);
    CHECK_EQUAL(value_of(all), 5);
    CHECK_EQUAL(value_of(waiting), 3);
    CHECK_EQUAL(value_of(in_own), 0);
    for (int i = 0; i < 5; ++i)
        MPI_Recv(&number, 1, MPI_INT, other, i, i < 3 ? own : MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Waitall(5, requests, MPI_STATUSES_IGNORE);
    CHECK_EQUAL(value_of(in_own), 3);
    CHECK_EQUAL(value_of(waiting), 0);
    MPI_Irecv(&number, 1, MPI_INT, other, 9, own, &requests[0]);
    CHECK_EQUAL(value_of(posted), 1);
    MPI_Cancel(&requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    CHECK_EQUAL(value_of(posted), 0);
    MPI_Barrier(own);
    MPI_Bcast(&number, 1, MPI_INT, 0, own);
    CHECK_EQUAL(value_of(rounds), 2);
    // A handle to the variable outlives the communicator.
    freed = own;
    MPI_Comm_free(&own);
    CHECK_EQUAL(value_of(of_own), 3);
    CHECK_EQUAL(value_of(waiting), 0);
    int index, count;
    MPI_T_pvar_handle handle;
    CHECK_CODE(MPI_T_pvar_get_index("comm_messages_sent", counter, &index), MPI_SUCCESS);
    own = MPI_COMM_NULL;
    CHECK_CODE(MPI_T_pvar_handle_alloc(session, index, &own, &handle, &count),
               MPI_T_ERR_INVALID_HANDLE);
    CHECK_CODE(MPI_T_pvar_handle_alloc(session, index, NULL, &handle, &count), MPI_T_ERR_INVALID);
    (void)freed;
    CHECK_CODE(MPI_T_finalize(), MPI_SUCCESS);
    MPI_Finalize();
    return 0;
}
