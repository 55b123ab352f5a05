// MPI 5.0 section 15.3.7: "All other variables are in a stopped state after their handle has been
// allocated; their values are not updated until they have been started by the user." Section
// 15.3.7: "This call atomically combines the functionality of MPI_T_PVAR_READ and
// MPI_T_PVAR_RESET with the same semantics as if these two calls were called separately."
// ranks: 1
#include "variables.h"

static void send_to_myself(int times) {
    for (int i = 0; i < times; ++i)
        MPI_Sendrecv(&i, 1, MPI_INT, 0, 0, &(int){0}, 1, MPI_INT, 0, 0, MPI_COMM_SELF,
                     MPI_STATUS_IGNORE);
}

int main(void) {
    start(NULL, NULL);
    start_tools();
    MPI_T_pvar_handle sent = measure("messages_sent", MPI_T_PVAR_CLASS_COUNTER, NULL);
    unsigned long long value = 0;
    send_to_myself(2);
    CHECK_EQUAL(value_of(sent), 0);
    CHECK_CODE(MPI_T_pvar_start(session, sent), MPI_SUCCESS);
    send_to_myself(3);
    CHECK_CODE(MPI_T_pvar_start(session, sent), MPI_SUCCESS); // it runs already
    CHECK_EQUAL(value_of(sent), 3);
    CHECK_CODE(MPI_T_pvar_stop(session, sent), MPI_SUCCESS);
    send_to_myself(4);
    CHECK_CODE(MPI_T_pvar_stop(session, sent), MPI_SUCCESS);
    CHECK_EQUAL(value_of(sent), 3);
    CHECK_CODE(MPI_T_pvar_start(session, sent), MPI_SUCCESS);
    send_to_myself(5);
    CHECK_EQUAL(value_of(sent), 8);
    CHECK_CODE(MPI_T_pvar_readreset(session, sent, &value), MPI_SUCCESS);
    CHECK_EQUAL(value, 8);
    CHECK_EQUAL(value_of(sent), 0);
    send_to_myself(1);
    CHECK_EQUAL(value_of(sent), 1); // it still runs
    CHECK_CODE(MPI_T_pvar_reset(session, sent), MPI_SUCCESS);
    CHECK_EQUAL(value_of(sent), 0);
    value = 50;
    CHECK_CODE(MPI_T_pvar_write(session, sent, &value), MPI_SUCCESS);
    send_to_myself(2);
    CHECK_EQUAL(value_of(sent), 52);
    CHECK_CODE(MPI_T_finalize(), MPI_SUCCESS);
    MPI_Finalize();
    return 0;
}
