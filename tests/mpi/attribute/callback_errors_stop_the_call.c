// MPI 5.0 section 7.7.2: "If an attribute copy function or attribute delete function returns other
// than MPI_SUCCESS, then the call that caused it to be invoked (for example, MPI_COMM_FREE), is
// erroneous."
// ranks: 1
#include "world.h"

static int fails = 1;

static int copy(MPI_Comm old, int keyval, void *extra, void *in, void *out, int *flag) {
    return fails ? MPI_ERR_OTHER : MPI_SUCCESS;
}

static int delete(MPI_Comm comm, int keyval, void *value, void *extra) {
    return fails ? MPI_ERR_OTHER : MPI_SUCCESS;
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    int no_copy, no_delete, flag;
    void *value;
    MPI_Comm comm, dup = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Comm_create_keyval(copy, MPI_COMM_NULL_DELETE_FN, &no_copy, NULL);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete, &no_delete, NULL);
    MPI_Comm_set_attr(comm, no_copy, &fails);
    CHECK(MPI_Comm_dup(comm, &dup) != MPI_SUCCESS);
    MPI_Comm_delete_attr(comm, no_copy);
    MPI_Comm_set_attr(comm, no_delete, &fails);
    CHECK(MPI_Comm_delete_attr(comm, no_delete) != MPI_SUCCESS);
    MPI_Comm_get_attr(comm, no_delete, &value, &flag);
    CHECK(flag && value == &fails);
    CHECK_ERROR(MPI_Comm_set_attr(comm, MPI_KEYVAL_INVALID, NULL), MPI_ERR_KEYVAL);
    CHECK_ERROR(MPI_Comm_get_attr(comm, MPI_KEYVAL_INVALID, &value, &flag), MPI_ERR_KEYVAL);
    fails = 0;
    CHECK_SUCCESS(MPI_Comm_delete_attr(comm, no_delete));
    CHECK_SUCCESS(MPI_Comm_dup(comm, &dup));
    MPI_Comm_free(&dup);
    MPI_Comm_free(&comm);
    MPI_Comm_free_keyval(&no_copy);
    MPI_Comm_free_keyval(&no_delete);
    return finish();
}
