// MPI 5.0 section 15.3.4: "Calling this routine when the MPI tool information interface is already
// initialized has no effect beyond increasing the reference count of how often the interface has
// been initialized." "Calling it more times returns a corresponding return code." "Further,
// additional calls to MPI_T_INIT_THREAD after one or more calls to MPI_T_FINALIZE are permissible."
// ranks: 1 3
#include "variables.h"

static int works(void) {
    int num;
    int code = MPI_T_cvar_get_num(&num);
    CHECK(code == MPI_SUCCESS || code == MPI_T_ERR_NOT_INITIALIZED);
    return code == MPI_SUCCESS;
}

int main(void) {
    CHECK(!works());
    CHECK_CODE(MPI_T_finalize(), MPI_T_ERR_NOT_INITIALIZED);
    start_tools(); // before MPI_Init
    start_tools();
    CHECK_CODE(MPI_T_finalize(), MPI_SUCCESS);
    CHECK(works());
    start(NULL, NULL);
    // Each rank has an interface of its own.
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        CHECK_CODE(MPI_T_finalize(), MPI_SUCCESS);
        CHECK_CODE(MPI_T_finalize(), MPI_T_ERR_NOT_INITIALIZED);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_EQUAL(works(), rank != 0);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        start_tools();
    MPI_Finalize();
    CHECK(works()); // after MPI_Finalize
    CHECK_CODE(MPI_T_finalize(), MPI_SUCCESS);
    CHECK(!works());
    start_tools();
    CHECK(works());
    CHECK_CODE(MPI_T_finalize(), MPI_SUCCESS);
    CHECK_CODE(MPI_T_finalize(), MPI_T_ERR_NOT_INITIALIZED);
    return 0;
}
