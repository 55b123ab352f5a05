// MPI 5.0 section 15.3.8: "If dropped event notifications have been observed for a specific
// source since the last event notification of that source, the corresponding dropped handler
// callback function must be called before other events are raised for that source." "The argument
// count provides a best effort estimation of the number of invocations to a registered event
// callback corresponding to event_registration that were not executed since the registration of the
// dropped-callback handler or the last invocation of a registered dropped-callback handler."
// ranks: 2
#include "events.h"

enum { kMessages = 5000 };

static int told, lost, after;
static MPI_T_event_registration registration;

static void note(MPI_T_event_instance event, MPI_T_event_registration which, MPI_T_cb_safety safety,
                 void *data) {
    int tag;
    CHECK_CODE(MPI_T_event_read(event, 1, &tag), MPI_SUCCESS);
    if (tag >= kMessages) {
        CHECK(lost > 0); // these came after the loss
        ++after;
    } else {
        ++told;
    }
}

static void note_loss(MPI_Count count, MPI_T_event_registration which, int source,
                      MPI_T_cb_safety safety, void *data) {
    CHECK(which == registration && data == &told && count > 0);
    CHECK_EQUAL(source, 0);
    lost += (int)count;
}

int main(void) {
    start(NULL, NULL);
    start_tools();
    MPI_Comm world = MPI_COMM_WORLD;
    if (rank == 1) {
        registration = registered("message_unexpected", &world);
        call_at(registration, MPI_T_CB_REQUIRE_ASYNC_SIGNAL_SAFE, note, &told);
        CHECK_CODE(MPI_T_event_set_dropped_handler(registration, note_loss), MPI_SUCCESS);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        for (int i = 0; i < kMessages; ++i)
            MPI_Send(&i, 1, MPI_INT, 1, i, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD); // rank 1 makes no other call meanwhile
    MPI_Barrier(MPI_COMM_WORLD); // it has been told
    if (rank == 0)
        MPI_Send(&rank, 1, MPI_INT, 1, kMessages, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {
        CHECK(told > 0 && lost > 0);
        CHECK_EQUAL(told + lost, kMessages);
        CHECK_EQUAL(after, 1);
        CHECK_CODE(MPI_T_event_set_dropped_handler(registration, NULL), MPI_SUCCESS);
        int number;
        for (int i = 0; i <= kMessages; ++i)
            MPI_Recv(&number, 1, MPI_INT, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    CHECK_CODE(MPI_T_finalize(), MPI_SUCCESS);
    MPI_Finalize();
    return 0;
}
