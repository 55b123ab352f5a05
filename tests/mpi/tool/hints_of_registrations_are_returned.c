// MPI 5.0 section 15.3.8: "MPI_T_EVENT_HANDLE_GET_INFO returns a new info object containing the
// hints of the event-registration handle associated with event_registration." "If no such hints
// exist, a handle to a newly created info object is returned that contains no key/value pair." "The
// user is responsible for freeing info_used via MPI_INFO_FREE."
// ranks: 1
#include "events.h"

static void nothing(MPI_T_event_instance event, MPI_T_event_registration which,
                    MPI_T_cb_safety safety, void *data) {}

static void check_and_free(MPI_Info info) {
    int keys = -1;
    CHECK_SUCCESS(MPI_Info_get_nkeys(info, &keys));
    CHECK_EQUAL(keys, 0); // no hint is known
    CHECK_SUCCESS(MPI_Info_free(&info));
}

int main(void) {
    start(NULL, NULL);
    start_tools();
    const MPI_T_cb_safety level = MPI_T_CB_REQUIRE_THREAD_SAFE;
    MPI_Comm self = MPI_COMM_SELF;
    MPI_Info hints, used;
    CHECK_SUCCESS(MPI_Info_create(&hints));
    CHECK_SUCCESS(MPI_Info_set(hints, "color", "blue"));
    int index;
    MPI_T_event_registration registration;
    CHECK_CODE(MPI_T_event_get_index("message_matched", &index), MPI_SUCCESS);
    CHECK_CODE(MPI_T_event_handle_alloc(index, &self, hints, &registration), MPI_SUCCESS);
    CHECK_CODE(MPI_T_event_handle_get_info(registration, &used), MPI_SUCCESS);
    check_and_free(used);
    CHECK_CODE(MPI_T_event_handle_set_info(registration, hints), MPI_SUCCESS);
    CHECK_CODE(MPI_T_event_callback_get_info(registration, level, &used), MPI_T_ERR_INVALID);
    CHECK_CODE(MPI_T_event_register_callback(registration, level, hints, NULL, nothing),
               MPI_SUCCESS);
    CHECK_CODE(MPI_T_event_callback_set_info(registration, level, hints), MPI_SUCCESS);
    CHECK_CODE(MPI_T_event_callback_get_info(registration, level, &used), MPI_SUCCESS);
    check_and_free(used);
    CHECK_SUCCESS(MPI_Info_free(&hints));
    CHECK_CODE(MPI_T_event_handle_set_info(registration, (MPI_Info)&index), MPI_T_ERR_INVALID);
    CHECK_CODE(MPI_T_event_handle_get_info(registration, NULL), MPI_T_ERR_INVALID);
    CHECK_CODE(MPI_T_event_handle_get_info(NULL, &used), MPI_T_ERR_INVALID_HANDLE);
    CHECK_CODE(MPI_T_finalize(), MPI_SUCCESS);
    MPI_Finalize();
    return 0;
}
