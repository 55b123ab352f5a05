// MPI 5.0 section 15.3.7: "For all routines in the rest of this section that take both handle and
// pe_session as IN or INOUT arguments, if the handle argument passed in is not associated with the
// pe_session argument, MPI_T_ERR_INVALID_HANDLE is returned."
// ranks: 1
#include "variables.h"

int main(void) {
    start_tools();
    MPI_T_pvar_handle handle = counted("messages_sent", MPI_T_PVAR_CLASS_COUNTER, NULL), stale;
    MPI_T_pvar_session other;
    CHECK_CODE(MPI_T_pvar_session_create(&other), MPI_SUCCESS);
    unsigned long long value = 0;
    CHECK_CODE(MPI_T_pvar_read(other, handle, &value), MPI_T_ERR_INVALID_HANDLE);
    CHECK_CODE(MPI_T_pvar_write(other, handle, &value), MPI_T_ERR_INVALID_HANDLE);
    CHECK_CODE(MPI_T_pvar_reset(other, handle), MPI_T_ERR_INVALID_HANDLE);
    CHECK_CODE(MPI_T_pvar_readreset(other, handle, &value), MPI_T_ERR_INVALID_HANDLE);
    CHECK_CODE(MPI_T_pvar_start(other, handle), MPI_T_ERR_INVALID_HANDLE);
    CHECK_CODE(MPI_T_pvar_stop(other, handle), MPI_T_ERR_INVALID_HANDLE);
    CHECK_CODE(MPI_T_pvar_handle_free(other, &handle), MPI_T_ERR_INVALID_HANDLE);
    CHECK_CODE(MPI_T_pvar_read(session, MPI_T_PVAR_HANDLE_NULL, &value), MPI_T_ERR_INVALID_HANDLE);
    CHECK_CODE(MPI_T_pvar_read(MPI_T_PVAR_SESSION_NULL, handle, &value), MPI_T_ERR_INVALID_SESSION);
    CHECK_CODE(MPI_T_pvar_start(MPI_T_PVAR_SESSION_NULL, MPI_T_PVAR_ALL_HANDLES),
               MPI_T_ERR_INVALID_SESSION);
    CHECK_CODE(MPI_T_pvar_read(session, handle, NULL), MPI_T_ERR_INVALID);
    CHECK_CODE(MPI_T_pvar_session_create(NULL), MPI_T_ERR_INVALID);
    CHECK_CODE(MPI_T_pvar_session_free(NULL), MPI_T_ERR_INVALID);
    int count;
    CHECK_CODE(MPI_T_pvar_handle_alloc(session, -1, NULL, &stale, &count), MPI_T_ERR_INVALID_INDEX);
    CHECK_CODE(MPI_T_pvar_handle_alloc(MPI_T_PVAR_SESSION_NULL, 0, NULL, &stale, &count),
               MPI_T_ERR_INVALID_SESSION);
    stale = handle;
    CHECK_CODE(MPI_T_pvar_handle_free(session, &handle), MPI_SUCCESS);
    CHECK_CODE(MPI_T_pvar_read(session, stale, &value), MPI_T_ERR_INVALID_HANDLE);
    MPI_T_pvar_session gone = other;
    CHECK_CODE(MPI_T_pvar_session_free(&other), MPI_SUCCESS);
    CHECK_CODE(MPI_T_pvar_session_free(&gone), MPI_T_ERR_INVALID_SESSION);
    CHECK_CODE(MPI_T_finalize(), MPI_SUCCESS);
    // Freed handles stay invalid when the interface is initialized again.
    start_tools();
    CHECK_CODE(MPI_T_pvar_read(session, stale, &value), MPI_T_ERR_INVALID_SESSION);
    CHECK_CODE(MPI_T_finalize(), MPI_SUCCESS);
    return 0;
}
