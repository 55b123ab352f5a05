// MPI 5.0 section 11.4.3: "The mpi_memory_alloc_kinds info key must also be contained in the info
// object returned by MPI_COMM_GET_INFO, MPI_WIN_GET_INFO, and MPI_FILE_GET_INFO." "If the MPI
// library does not support one or more of the allocation kinds associated with the
// mpi_assert_memory_alloc_kinds info key, it will ignore this info key. When an MPI library
// recognizes this info key, the value returned when querying this info key (e.g., through a call to
// MPI_COMM_GET_INFO) must be identical to the value supplied by the user."
// ranks: 1 2
#include "world.h"

static const char *hint(MPI_Comm comm, const char *key) {
    static char value[128];
    int length = sizeof value, found;
    MPI_Info used;
    MPI_Comm_get_info(comm, &used);
    MPI_Info_get_string(used, key, &length, value, &found);
    MPI_Info_free(&used);
    return found ? value : "none";
}

static void check_assertion(const char *kinds, int supported) {
    MPI_Info info;
    MPI_Comm comm;
    MPI_Info_create(&info);
    MPI_Info_set(info, "mpi_assert_memory_alloc_kinds", kinds);
    MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, &comm);
    CHECK(strcmp(hint(comm, "mpi_assert_memory_alloc_kinds"), supported ? kinds : "none") == 0);
    MPI_Comm_free(&comm);
    MPI_Info_free(&info);
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    CHECK(strstr(hint(MPI_COMM_WORLD, "mpi_memory_alloc_kinds"), "system"));
    CHECK(strstr(hint(MPI_COMM_SELF, "mpi_memory_alloc_kinds"), "mpi"));
    // "cannot be updated or deleted"
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "mpi_memory_alloc_kinds", "gpu");
    MPI_Comm_set_info(MPI_COMM_WORLD, info);
    CHECK(strstr(hint(MPI_COMM_WORLD, "mpi_memory_alloc_kinds"), "gpu") == NULL);
    MPI_Info_free(&info);
    check_assertion("system", 1);
    check_assertion("mpi:alloc_mem:win_allocate,system", 1);
    check_assertion("mpi", 1);
    check_assertion("gpu:managed", 0);
    check_assertion("system,gpu", 0);
    check_assertion("mpi:teapot", 0);
    CHECK(strcmp(hint(MPI_COMM_WORLD, "mpi_assert_memory_alloc_kinds"), "none") == 0);
    return finish();
}
