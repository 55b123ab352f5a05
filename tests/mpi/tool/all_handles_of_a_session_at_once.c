// MPI 5.0 section 15.3.7: "If the constant MPI_T_PVAR_ALL_HANDLES is passed in handle, the MPI
// implementation attempts to start all variables within the performance experiment session
// identified by the parameter pe_session for which handles have been allocated." "Continuous
// variables and variables that are already started are ignored when MPI_T_PVAR_ALL_HANDLES is
// specified." Section 15.3.7: "The constant MPI_T_PVAR_ALL_HANDLES cannot be used as an argument
// for the function MPI_T_PVAR_READ."
// ranks: 1
#include "variables.h"

int main(void) {
    start(NULL, NULL);
    start_tools();
    CHECK_CODE(MPI_T_pvar_session_create(&session), MPI_SUCCESS);
    CHECK_CODE(MPI_T_pvar_start(session, MPI_T_PVAR_ALL_HANDLES), MPI_SUCCESS); // there are none
    MPI_T_pvar_handle sent = measure("messages_sent", MPI_T_PVAR_CLASS_COUNTER, NULL);
    MPI_T_pvar_handle received = measure("messages_received", MPI_T_PVAR_CLASS_COUNTER, NULL);
    MPI_T_pvar_handle level = measure("posted_receives", MPI_T_PVAR_CLASS_LEVEL, NULL);
    unsigned long long value = 0;
    CHECK_CODE(MPI_T_pvar_start(session, MPI_T_PVAR_ALL_HANDLES), MPI_SUCCESS);
    MPI_Sendrecv(&rank, 1, MPI_INT, 0, 0, &(int){0}, 1, MPI_INT, 0, 0, MPI_COMM_SELF,
                 MPI_STATUS_IGNORE);
    CHECK_EQUAL(value_of(sent), 1);
    CHECK_EQUAL(value_of(received), 1);
    CHECK_EQUAL(value_of(level), 0);
    CHECK_CODE(MPI_T_pvar_stop(session, MPI_T_PVAR_ALL_HANDLES), MPI_SUCCESS);
    MPI_Sendrecv(&rank, 1, MPI_INT, 0, 0, &(int){0}, 1, MPI_INT, 0, 0, MPI_COMM_SELF,
                 MPI_STATUS_IGNORE);
    CHECK_EQUAL(value_of(sent), 1);
    CHECK_CODE(MPI_T_pvar_reset(session, MPI_T_PVAR_ALL_HANDLES), MPI_SUCCESS);
    CHECK_EQUAL(value_of(sent), 0);
    CHECK_EQUAL(value_of(received), 0);
    CHECK_CODE(MPI_T_pvar_read(session, MPI_T_PVAR_ALL_HANDLES, &value), MPI_T_ERR_INVALID_HANDLE);
    CHECK_CODE(MPI_T_pvar_write(session, MPI_T_PVAR_ALL_HANDLES, &value), MPI_T_ERR_INVALID_HANDLE);
    CHECK_CODE(MPI_T_pvar_readreset(session, MPI_T_PVAR_ALL_HANDLES, &value),
               MPI_T_ERR_INVALID_HANDLE);
    CHECK_CODE(MPI_T_finalize(), MPI_SUCCESS);
    MPI_Finalize();
    return 0;
}
