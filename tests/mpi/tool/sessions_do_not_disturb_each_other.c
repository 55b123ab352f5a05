// MPI 5.0 section 15.3.7: "Starting, stopping, reading, writing, or resetting a variable in one
// performance experiment session shall not influence whether a variable is started, stopped, read,
// written, or reset in another performance experiment session."
// ranks: 1 2
#include "variables.h"

static MPI_T_pvar_session sessions[3];
static MPI_T_pvar_handle handles[3];

static unsigned long long value(int i) {
    unsigned long long result = 0;
    CHECK_CODE(MPI_T_pvar_read(sessions[i], handles[i], &result), MPI_SUCCESS);
    return result;
}

static void send_to_myself(int times) {
    for (int i = 0; i < times; ++i)
        MPI_Sendrecv(&i, 1, MPI_INT, 0, 0, &(int){0}, 1, MPI_INT, 0, 0, MPI_COMM_SELF,
                     MPI_STATUS_IGNORE);
}

int main(void) {
    start(NULL, NULL);
    start_tools();
    int index, count;
    CHECK_CODE(MPI_T_pvar_get_index("messages_sent", MPI_T_PVAR_CLASS_COUNTER, &index),
               MPI_SUCCESS);
    for (int i = 0; i < 3; ++i) {
        CHECK_CODE(MPI_T_pvar_session_create(&sessions[i]), MPI_SUCCESS);
        CHECK_CODE(MPI_T_pvar_handle_alloc(sessions[i], index, NULL, &handles[i], &count),
                   MPI_SUCCESS);
    }
    CHECK_CODE(MPI_T_pvar_start(sessions[0], handles[0]), MPI_SUCCESS);
    send_to_myself(3);
    CHECK_CODE(MPI_T_pvar_start(sessions[1], handles[1]), MPI_SUCCESS);
    send_to_myself(4);
    CHECK_EQUAL(value(0), 7);
    CHECK_EQUAL(value(1), 4);
    CHECK_EQUAL(value(2), 0);
    CHECK_CODE(MPI_T_pvar_reset(sessions[0], handles[0]), MPI_SUCCESS);
    CHECK_CODE(MPI_T_pvar_stop(sessions[1], handles[1]), MPI_SUCCESS);
    send_to_myself(5);
    CHECK_EQUAL(value(0), 5);
    CHECK_EQUAL(value(1), 4);
    unsigned long long written = 100;
    CHECK_CODE(MPI_T_pvar_write(sessions[1], handles[1], &written), MPI_SUCCESS);
    CHECK_CODE(MPI_T_pvar_start(sessions[1], MPI_T_PVAR_ALL_HANDLES), MPI_SUCCESS);
    send_to_myself(1);
    CHECK_EQUAL(value(0), 6);
    CHECK_EQUAL(value(1), 101);
    CHECK_EQUAL(value(2), 0);
    CHECK_CODE(MPI_T_pvar_session_free(&sessions[0]), MPI_SUCCESS);
    send_to_myself(1);
    CHECK_EQUAL(value(1), 102);
    CHECK_CODE(MPI_T_finalize(), MPI_SUCCESS);
    MPI_Finalize();
    return 0;
}
