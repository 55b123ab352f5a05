// MPI 5.0 section 7.4.2: "MPI_COMM_TYPE_HW_GUIDED: this value specifies that the communicator comm
// is split according to a hardware resource type (for example a computing core or an L3 cache)
// specified by the mpi_hw_resource_type info key." "MPI_COMM_NULL is also returned in newcomm in
// the following cases: MPI_INFO_NULL is provided. The info handle does not include the key
// mpi_hw_resource_type." The value mpi_shared_memory "is reserved and its use is equivalent to
// using MPI_COMM_TYPE_SHARED for the split_type parameter."
// ranks: 1 4
#include "world.h"

static const int types[2] = {MPI_COMM_TYPE_HW_GUIDED, MPI_COMM_TYPE_RESOURCE_GUIDED};

// The communicator of all ranks in order of -rank, or none.
static void check(int type, const char *resource, int expect_all) {
    MPI_Info info;
    MPI_Comm part = MPI_COMM_WORLD;
    MPI_Info_create(&info);
    if (resource)
        MPI_Info_set(info, "mpi_hw_resource_type", resource);
    CHECK_SUCCESS(MPI_Comm_split_type(MPI_COMM_WORLD, type, -rank, info, &part));
    MPI_Info_free(&info);
    CHECK_EQUAL(part != MPI_COMM_NULL, expect_all);
    if (part == MPI_COMM_NULL)
        return;
    int members, new_rank;
    MPI_Comm_size(part, &members);
    CHECK_EQUAL(members, size);
    MPI_Comm_rank(part, &new_rank);
    CHECK_EQUAL(new_rank, size - 1 - rank);
    MPI_Comm_free(&part);
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    for (int i = 0; i < 2; ++i) {
        MPI_Comm none = MPI_COMM_WORLD;
        CHECK_SUCCESS(MPI_Comm_split_type(MPI_COMM_WORLD, types[i], 0, MPI_INFO_NULL, &none));
        CHECK(none == MPI_COMM_NULL);
        check(types[i], NULL, 0);
        check(types[i], "mpi_shared_memory", 1);
        check(types[i], "hwloc://Machine", 1);
        check(types[i], "hwloc://Teapot", 0);
        check(types[i], "", 0);
    }
    // All ranks of the process may use the same processors: a type of which there is a single
    // instance for them joins all, any other nobody.
    MPI_Info hardware;
    int keys;
    MPI_Get_hw_resource_info(&hardware);
    MPI_Info_get_nkeys(hardware, &keys);
    CHECK(keys > 0);
    for (int i = 0; i < keys; ++i) {
        char key[MPI_MAX_INFO_KEY + 1], value[6];
        int length = sizeof value, found;
        MPI_Info_get_nthkey(hardware, i, key);
        MPI_Info_get_string(hardware, key, &length, value, &found);
        check(types[i % 2], key, strcmp(value, "true") == 0);
    }
    MPI_Info_free(&hardware);
    return finish();
}
