// MPI 5.0 section 2.5.1: "Opaque objects are accessed via handles". A variable that nothing was
// stored in may hold any number. It is reported as other bad handles are.
// ranks: 3
#include "check.h"

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#define CHECK_ARGUMENT(kind, call, error_class)                                                    \
    do {                                                                                           \
        kind handle;                                                                               \
        memcpy(&handle, &address, sizeof handle);                                                  \
        CHECK_ERROR(call, error_class);                                                            \
    } while (0)

static void check_all(void *address) {
    int value = 0;
    MPI_Aint extent;
    CHECK_ARGUMENT(MPI_Comm, MPI_Comm_rank(handle, &value), MPI_ERR_COMM);
    CHECK_ARGUMENT(MPI_Comm, MPI_Send(&value, 1, MPI_INT, 0, 0, handle), MPI_ERR_COMM);
    CHECK_ARGUMENT(MPI_Group, MPI_Group_size(handle, &value), MPI_ERR_GROUP);
    CHECK_ARGUMENT(MPI_Datatype, MPI_Type_get_extent(handle, &extent, &extent), MPI_ERR_TYPE);
    CHECK_ARGUMENT(MPI_Datatype, MPI_Bcast(&value, 1, handle, 0, MPI_COMM_SELF), MPI_ERR_TYPE);
    CHECK_ARGUMENT(MPI_Op, MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, handle, MPI_COMM_SELF),
                   MPI_ERR_OP);
    CHECK_ARGUMENT(MPI_Request, MPI_Wait(&handle, MPI_STATUS_IGNORE), MPI_ERR_REQUEST);
    CHECK_ARGUMENT(MPI_Request, MPI_Test(&handle, &value, MPI_STATUS_IGNORE), MPI_ERR_REQUEST);
    CHECK_ARGUMENT(MPI_Request, MPI_Waitall(1, &handle, MPI_STATUSES_IGNORE), MPI_ERR_REQUEST);
    CHECK_ARGUMENT(MPI_Request, MPI_Start(&handle), MPI_ERR_REQUEST);
    CHECK_ARGUMENT(MPI_Request, MPI_Cancel(&handle), MPI_ERR_REQUEST);
    CHECK_ARGUMENT(MPI_Win, MPI_Win_fence(0, handle), MPI_ERR_WIN);
    CHECK_ARGUMENT(MPI_Info, MPI_Info_get_nkeys(handle, &value), MPI_ERR_INFO);
    CHECK_ARGUMENT(MPI_File, MPI_File_close(&handle), MPI_ERR_FILE);
    CHECK_ARGUMENT(MPI_Errhandler, MPI_Errhandler_free(&handle), MPI_ERR_ERRHANDLER);
    CHECK_ARGUMENT(MPI_Session, MPI_Session_finalize(&handle), MPI_ERR_SESSION);
}

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN);
    check_all((void *)(uintptr_t)0x7777770000000000); // no address that this machine can have
    check_all((void *)(uintptr_t)-4096);              // the system's
    void *memory = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(memory != MAP_FAILED);
    check_all(memory);
    munmap(memory, 4096);
    check_all(memory);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
