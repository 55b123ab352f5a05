// MPI 5.0 section 6.2.3: "For this, the root uses the special value MPI_ROOT; all other MPI
// processes in the same group as the root use MPI_PROC_NULL."
// ranks: 3 7
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    TwoGroups groups = split_in_two_groups();
    MPI_Request request;
    int value = rank, root = groups.first ? MPI_PROC_NULL : 0;
    CHECK_SUCCESS(MPI_Comm_set_errhandler(groups.inter, MPI_ERRORS_RETURN));
    CHECK_SUCCESS(MPI_Ibcast(&value, 1, MPI_INT, root, groups.inter, &request));
    CHECK_ERROR(MPI_Wait(&request, MPI_STATUS_IGNORE), groups.first ? MPI_SUCCESS : MPI_ERR_ROOT);
    CHECK_EQUAL(value, rank);
    // The ranks beside the root have nothing to wait for.
    root = root_argument(&groups, 0);
    CHECK_SUCCESS(MPI_Igather(&value, 1, MPI_INT, groups.first ? (int[64]){0} : NULL, 1, MPI_INT,
                              root, groups.inter, &request));
    if (root == MPI_PROC_NULL) {
        int done;
        CHECK_SUCCESS(MPI_Test(&request, &done, MPI_STATUS_IGNORE));
        CHECK(done);
    }
    CHECK_SUCCESS(MPI_Wait(&request, MPI_STATUS_IGNORE));
    free_two_groups(&groups);
    return finish();
}
