// MPI 5.0 section 15.3.8: "When an event is triggered, the implementation will select from all
// registered callbacks the callback with the lowest safety level valid in the context in which the
// callback is invoked." "Registering a callback function for a specific callback safety level
// overwrites any previously-registered callback function pointer and info object associated with
// the event registration for the specific callback safety level. If event_cb_function is the NULL
// pointer, an existing association of a callback function for that callback safety level is
// removed."
// ranks: 1
#include "events.h"

static int calls[5];
static MPI_T_cb_safety given;

static void note(MPI_T_event_instance event, MPI_T_event_registration which, MPI_T_cb_safety safety,
                 void *data) {
    ++*(int *)data;
    given = safety;
}

static void happen(void) {
    int number = 0;
    MPI_Send(&number, 1, MPI_INT, 0, 0, MPI_COMM_SELF);
    MPI_Recv(&number, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
}

int main(void) {
    const MPI_T_cb_safety levels[] = {MPI_T_CB_REQUIRE_NONE, MPI_T_CB_REQUIRE_MPI_RESTRICTED,
                                      MPI_T_CB_REQUIRE_THREAD_SAFE,
                                      MPI_T_CB_REQUIRE_ASYNC_SIGNAL_SAFE};
    start(NULL, NULL);
    start_tools();
    MPI_Comm self = MPI_COMM_SELF;
    MPI_T_event_registration registration = registered("message_unexpected", &self);
    happen(); // nobody to call
    for (int i = 3; i >= 0; --i) {
        call_at(registration, levels[i], note, &calls[i]);
        happen();
        CHECK_EQUAL(calls[i], 1); // the new one is the lowest
        CHECK(given <= levels[i]);
    }
    call_at(registration, levels[0], note, &calls[4]);
    happen();
    CHECK_EQUAL(calls[0], 1);
    CHECK_EQUAL(calls[4], 1);
    call_at(registration, levels[0], NULL, NULL);
    happen();
    CHECK_EQUAL(calls[1], 2);
    for (int i = 1; i < 4; ++i)
        call_at(registration, levels[i], NULL, NULL);
    happen();
    CHECK_EQUAL(calls[1] + calls[2] + calls[3] + calls[4], 5);
    CHECK_CODE(
        MPI_T_event_register_callback(registration, (MPI_T_cb_safety)2, MPI_INFO_NULL, NULL, note),
        MPI_T_ERR_INVALID);
    CHECK_CODE(MPI_T_event_register_callback(NULL, levels[0], MPI_INFO_NULL, NULL, note),
               MPI_T_ERR_INVALID_HANDLE);
    CHECK_CODE(MPI_T_finalize(), MPI_SUCCESS);
    MPI_Finalize();
    return 0;
}
