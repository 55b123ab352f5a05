// MPI 5.0 section 15.3: "The MPI tool information interface can be used independently from the MPI
// communication functionality. In particular, the routines of this interface can be called before
// MPI is initialized and after MPI is finalized."
// ranks: 1 2
#include "variables.h"

int main(void) {
    start_tools();
    unsigned long long limit = get_control("eager_limit");
    CHECK(limit > 0);
    set_control("eager_limit", 77);
    MPI_T_pvar_handle sent = counted("messages_sent", MPI_T_PVAR_CLASS_COUNTER, NULL);
    MPI_T_pvar_handle level = measure("posted_receives", MPI_T_PVAR_CLASS_LEVEL, NULL);
    CHECK_EQUAL(value_of(sent), 0);
    CHECK_EQUAL(value_of(level), 0);
    start(NULL, NULL);
    CHECK_EQUAL(get_control("eager_limit"), 77);
    MPI_Sendrecv(&rank, 1, MPI_INT, 0, 0, &(int){0}, 1, MPI_INT, 0, 0, MPI_COMM_SELF,
                 MPI_STATUS_IGNORE);
    MPI_Finalize();
    CHECK(value_of(sent) >= 1);
    CHECK_EQUAL(value_of(level), 0);
    set_control("eager_limit", 78);
    CHECK_EQUAL(get_control("eager_limit"), 78);
    CHECK_CODE(MPI_T_finalize(), MPI_SUCCESS);
    return 0;
}
