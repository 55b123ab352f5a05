// MPI 5.0 section 15.3.8: "MPI_T_EVENT_READ allows users to copy one element of the event data to
// a user-specified buffer at a time." "MPI_T_EVENT_COPY copies the event data as a whole into the
// user-provided buffer." Section 15.3.8: "MPI_T_EVENT_GET_TIMESTAMP returns the timestamp of when
// the event was initially observed by the implementation."
// ranks: 2
#include "events.h"

enum { kMessages = 20 };

static int told;
static MPI_Count last;
static MPI_Aint places[3];
static MPI_T_event_registration registration;
static MPI_T_event_instance stale;

static void note(MPI_T_event_instance event, MPI_T_event_registration which, MPI_T_cb_safety safety,
                 void *data) {
    int source, tag, from = -1;
    unsigned long long bytes;
    char copy[64];
    MPI_Count time, now;
    CHECK(which == registration && data == &told);
    CHECK_CODE(MPI_T_event_read(event, 0, &source), MPI_SUCCESS);
    CHECK_CODE(MPI_T_event_read(event, 1, &tag), MPI_SUCCESS);
    CHECK_CODE(MPI_T_event_read(event, 2, &bytes), MPI_SUCCESS);
    CHECK_EQUAL(source, 0);
    CHECK_EQUAL(tag, told);
    CHECK_EQUAL(bytes, told * sizeof(int));
    CHECK_CODE(MPI_T_event_copy(event, copy), MPI_SUCCESS);
    CHECK(memcmp(copy + places[0], &source, sizeof source) == 0);
    CHECK(memcmp(copy + places[1], &tag, sizeof tag) == 0);
    CHECK(memcmp(copy + places[2], &bytes, sizeof bytes) == 0);
    CHECK_CODE(MPI_T_event_get_source(event, &from), MPI_SUCCESS);
    CHECK_CODE(MPI_T_event_get_timestamp(event, &time), MPI_SUCCESS);
    CHECK_CODE(MPI_T_source_get_timestamp(from, &now), MPI_SUCCESS);
    CHECK(time >= last && time <= now); // the source is ordered
    CHECK_CODE(MPI_T_event_read(event, 3, &bytes), MPI_T_ERR_INVALID_INDEX);
    CHECK_CODE(MPI_T_event_read(event, 0, NULL), MPI_T_ERR_INVALID);
    CHECK_CODE(MPI_T_event_read(NULL, 0, &bytes), MPI_T_ERR_INVALID_HANDLE);
    last = time;
    stale = event;
    ++told;
}

int main(void) {
    start(NULL, NULL);
    start_tools();
    MPI_Comm world = MPI_COMM_WORLD;
    int index, elements = 3, numbers[kMessages] = {0};
    CHECK_CODE(MPI_T_event_get_index("message_unexpected", &index), MPI_SUCCESS);
    CHECK_CODE(MPI_T_event_get_info(index, NULL, NULL, NULL, NULL, places, &elements, NULL, NULL,
                                    NULL, NULL, NULL),
               MPI_SUCCESS);
    registration = registered("message_unexpected", &world);
    call_at(registration, MPI_T_CB_REQUIRE_NONE, note, &told);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        for (int i = 0; i < kMessages; ++i)
            MPI_Send(numbers, i, MPI_INT, 1, i, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {
        CHECK_EQUAL(told, kMessages);
        int source;
        CHECK_CODE(MPI_T_event_read(stale, 0, &source), MPI_T_ERR_INVALID_HANDLE);
        CHECK_CODE(MPI_T_event_get_source(stale, &source), MPI_T_ERR_INVALID_HANDLE);
        for (int i = 0; i < kMessages; ++i)
            MPI_Recv(numbers, i, MPI_INT, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        CHECK_EQUAL(told, 0); // the receiver's event
    }
    CHECK_CODE(MPI_T_event_handle_free(registration, NULL, NULL), MPI_SUCCESS);
    CHECK_CODE(MPI_T_finalize(), MPI_SUCCESS);
    MPI_Finalize();
    return 0;
}
