// MPI 5.0 section 9.3: "MPI procedures that do not refer to an MPI object from which the associated
// error handler can be obtained, directly or indirectly, are considered to be attached to the
// communicator MPI_COMM_SELF when using the World Model".
// ranks: 2
#include "world.h"

static int calls, last_class;
static MPI_Comm last_comm;

static void note(MPI_Comm *comm, int *code, ...) {
    ++calls;
    last_comm = *comm;
    MPI_Error_class(*code, &last_class);
}

#define CHECK_SELFS(call, class)                                                                   \
    do {                                                                                           \
        int thrum_before = calls;                                                                  \
        CHECK_ERROR(call, class);                                                                  \
        CHECK(calls == thrum_before + 1 && last_comm == MPI_COMM_SELF && last_class == (class));   \
    } while (0)

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Errhandler handler;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Group group = MPI_GROUP_NULL;
    MPI_Info info = MPI_INFO_NULL;
    MPI_Request null_request = MPI_REQUEST_NULL;
    int value, flag;
    CHECK_SUCCESS(MPI_Comm_create_errhandler(note, &handler));
    CHECK_SUCCESS(MPI_Comm_set_errhandler(MPI_COMM_SELF, handler));
    CHECK_SUCCESS(MPI_Errhandler_free(&handler));
    // MPI_COMM_WORLD's handler is the fatal one: it is not called.
    CHECK_SELFS(MPI_Group_size(MPI_GROUP_NULL, &value), MPI_ERR_GROUP);
    CHECK_SELFS(MPI_Group_free(&group), MPI_ERR_GROUP);
    CHECK_SELFS(MPI_Type_commit(&type), MPI_ERR_TYPE);
    CHECK_SELFS(MPI_Type_size(MPI_DATATYPE_NULL, &value), MPI_ERR_TYPE);
    CHECK_SELFS(MPI_Type_contiguous(-1, MPI_INT, &type), MPI_ERR_COUNT);
    CHECK_SELFS(MPI_Info_get_nkeys(info, &value), MPI_ERR_INFO);
    CHECK_SELFS(MPI_Comm_rank(MPI_COMM_NULL, &value), MPI_ERR_COMM);
    CHECK_SELFS(MPI_Op_commutative(MPI_OP_NULL, &flag), MPI_ERR_OP);
    CHECK_SELFS(MPI_Start(&null_request), MPI_ERR_REQUEST);
    CHECK_SELFS(MPI_Error_class(-7, &value), MPI_ERR_ARG);
    return finish();
}
