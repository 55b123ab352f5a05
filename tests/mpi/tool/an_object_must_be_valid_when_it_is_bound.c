// MPI 5.0 section 15.3.2: "It is erroneous to bind a control variable, performance variable, or
// event to a handle that would not be valid to use as an input argument to another MPI call
// (excluding calls to the MPI Tool Information Interface) at the same point of execution."
// ranks: 2
#include "variables.h"

static int bind_world(void) {
    int index, count;
    MPI_Comm world = MPI_COMM_WORLD;
    MPI_T_pvar_handle handle;
    CHECK_CODE(MPI_T_pvar_get_index("comm_messages_sent", MPI_T_PVAR_CLASS_COUNTER, &index),
               MPI_SUCCESS);
    return MPI_T_pvar_handle_alloc(session, index, &world, &handle, &count);
}

int main(void) {
    start_tools();
    CHECK_CODE(MPI_T_pvar_session_create(&session), MPI_SUCCESS);
    CHECK_CODE(bind_world(), MPI_T_ERR_INVALID_HANDLE);
    start(NULL, NULL);
    CHECK_CODE(bind_world(), MPI_SUCCESS);
    MPI_Finalize();
    CHECK_CODE(bind_world(), MPI_T_ERR_INVALID_HANDLE);
    CHECK_CODE(MPI_T_finalize(), MPI_SUCCESS);
    return 0;
}
