// MPI 5.0 section 11.2.3: MPI_INITIALIZED "returns true if the calling process has called either of
// these MPI procedures"; "Whether MPI_FINALIZE has been called does not affect the behavior of
// MPI_INITIALIZED"; MPI_FINALIZED "returns true if MPI_FINALIZE has completed"; both may be called
// at any time.
// ranks: 1 4
#include "world.h"

static int phase(void) {
    int initialized = -1, finalized = -1;
    if (MPI_Initialized(&initialized) || MPI_Finalized(&finalized))
        exit(2);
    return 10 * initialized + finalized;
}

static int in_callback = -1;

static int delete(MPI_Comm comm, int keyval, void *value, void *extra) {
    in_callback = phase();
    return MPI_SUCCESS;
}

int main(int argc, char **argv) {
    int keyval;
    if (phase() != 0)
        return 3;
    start(&argc, &argv);
    CHECK_EQUAL(phase(), 10);
    CHECK_SUCCESS(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete, &keyval, NULL));
    CHECK_SUCCESS(MPI_Comm_set_attr(MPI_COMM_SELF, keyval, NULL));
    CHECK_SUCCESS(MPI_Comm_free_keyval(&keyval));
    finish();
    return in_callback == 10 && phase() == 11 ? 0 : 4;
}
