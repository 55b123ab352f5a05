// MPI 5.0 section 15.3.8: "To stop the MPI implementation from raising events for a specific
// registration, a user needs to free the corresponding event-registration handle." "The callback
// function free_cb_function is called by the MPI implementation, when it is able to guarantee that
// no further event instances for the corresponding event-registration handle will be raised." "The
// handle can be used to identify the specific event registration information, such as event type
// and bound object, or even to deallocate the handle from within the callback invocation."
// ranks: 1
#include "events.h"

static int told, freed;

static void note_end(MPI_T_event_registration which, MPI_T_cb_safety safety, void *data) {
    CHECK(data == &freed);
    ++freed;
}

static void note(MPI_T_event_instance event, MPI_T_event_registration which, MPI_T_cb_safety safety,
                 void *data) {
    ++told;
    if (told == 3) {
        CHECK_CODE(MPI_T_event_handle_free(which, &freed, note_end), MPI_SUCCESS);
        CHECK_EQUAL(freed, 1);
        int tag;
        CHECK_CODE(MPI_T_event_read(event, 1, &tag), MPI_SUCCESS); // the event is still there
    }
}

static void happen(int times) {
    int number = 0;
    for (int i = 0; i < times; ++i)
        MPI_Send(&number, 1, MPI_INT, 0, 0, MPI_COMM_SELF);
    for (int i = 0; i < times; ++i)
        MPI_Recv(&number, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
}

int main(void) {
    start(NULL, NULL);
    start_tools();
    MPI_Comm self = MPI_COMM_SELF;
    MPI_T_event_registration registration = registered("message_unexpected", &self);
    call_at(registration, MPI_T_CB_REQUIRE_NONE, note, NULL);
    happen(5);
    CHECK_EQUAL(told, 3);
    CHECK_EQUAL(freed, 1);
    CHECK_CODE(MPI_T_event_handle_free(registration, NULL, NULL), MPI_T_ERR_INVALID_HANDLE);
    CHECK_CODE(MPI_T_event_set_dropped_handler(registration, NULL), MPI_T_ERR_INVALID_HANDLE);
    CHECK_CODE(MPI_T_finalize(), MPI_SUCCESS);
    MPI_Finalize();
    return 0;
}
