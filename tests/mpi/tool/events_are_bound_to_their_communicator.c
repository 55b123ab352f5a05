// MPI 5.0 section 15.3.8: "Furthermore, if required by the event type, the registration handle is
// bound to the object referred to by the argument obj_handle." "The argument event_registration
// corresponds to the event-registration handle returned by MPI_T_EVENT_HANDLE_ALLOC for the user
// function to the same event type and bound object combination."
// ranks: 2
#include "events.h"

#include <unistd.h>

static int told[3];

static void note(MPI_T_event_instance event, MPI_T_event_registration which, MPI_T_cb_safety safety,
                 void *data) {
    ++*(int *)data;
}

int main(void) {
    start(NULL, NULL);
    start_tools();
    MPI_Comm comms[2] = {MPI_COMM_WORLD, MPI_COMM_NULL}, none = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[1]);
    MPI_T_event_registration large[2], ends = registered("wait_ended", NULL);
    for (int i = 0; i < 2; ++i) {
        large[i] = registered("rendezvous_started", &comms[i]);
        call_at(large[i], MPI_T_CB_REQUIRE_NONE, note, &told[i]);
    }
    call_at(ends, MPI_T_CB_REQUIRE_NONE, note, &told[2]);
    // Two over the duplicate, one over MPI_COMM_WORLD; none is asked for before the barrier.
    MPI_Request requests[3];
    int numbers[3] = {0};
    if (rank == 0)
        for (int i = 0; i < 3; ++i)
            MPI_Issend(&rank, 1, MPI_INT, 1, i, comms[i > 0], &requests[i]);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
        CHECK_EQUAL(told[0], 1);
        CHECK_EQUAL(told[1], 2);
    } else {
        for (int i = 0; i < 3; ++i)
            MPI_Recv(&numbers[i], 1, MPI_INT, 0, i, comms[i > 0], MPI_STATUS_IGNORE);
        CHECK_EQUAL(told[0] + told[1], 0);
    }
    // An event without an object: rank 1 waits for a message that comes late.
    if (rank == 0) {
        usleep(20000);
        MPI_Send(&rank, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&numbers[0], 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        CHECK(told[2] > 0);
    int index;
    MPI_T_event_registration bad;
    CHECK_CODE(MPI_T_event_get_index("rendezvous_started", &index), MPI_SUCCESS);
    CHECK_CODE(MPI_T_event_handle_alloc(index, &none, MPI_INFO_NULL, &bad),
               MPI_T_ERR_INVALID_HANDLE);
    CHECK_CODE(MPI_T_event_handle_alloc(index, NULL, MPI_INFO_NULL, &bad), MPI_T_ERR_INVALID);
    CHECK_CODE(MPI_T_event_handle_alloc(-1, NULL, MPI_INFO_NULL, &bad), MPI_T_ERR_INVALID_INDEX);
    CHECK_CODE(MPI_T_finalize(), MPI_SUCCESS);
    MPI_Comm_free(&comms[1]);
    MPI_Finalize();
    return 0;
}
