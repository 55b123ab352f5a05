// MPI 5.0 section 15.3.4: "The argument required is used to specify the desired level of thread
// support. The possible values and their semantics are identical to the ones that can be used with
// MPI_INIT_THREAD"
// ranks: 2
#include "variables.h"

int main(void) {
    const int levels[] = {MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED,
                          MPI_THREAD_MULTIPLE};
    for (int i = 0; i < 4; ++i) {
        int provided = -1;
        CHECK_CODE(MPI_T_init_thread(levels[i], &provided), MPI_SUCCESS);
        CHECK(provided >= levels[i]);
    }
    int provided;
    CHECK_CODE(MPI_T_init_thread(-7, &provided), MPI_T_ERR_INVALID);
    for (int i = 0; i < 4; ++i)
        CHECK_CODE(MPI_T_finalize(), MPI_SUCCESS);
    CHECK_CODE(MPI_T_finalize(), MPI_T_ERR_NOT_INITIALIZED);
    start(NULL, NULL);
    MPI_Finalize();
    return 0;
}
