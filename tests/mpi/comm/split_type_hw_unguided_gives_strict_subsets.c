// MPI 5.0 section 7.4.2: "MPI_COMM_TYPE_HW_UNGUIDED: the group of MPI processes associated with
// newcomm must be a strict subset of the group associated with comm and each newcomm corresponds to
// a single instance of a hardware resource type (for example a computing core or an L3 cache)." "If
// a valid info handle is provided as an argument, the MPI implementation sets the info key
// mpi_hw_resource_type for each MPI process in the group associated with a returned newcomm
// communicator". The recursive splitting of its example ends.
// ranks: 1 4
#include "world.h"
#define MAX_NUM_LEVELS 32

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Comm hwcomm[MAX_NUM_LEVELS];
    int level_num = 0, level_rank;
    hwcomm[level_num] = MPI_COMM_WORLD;
    while (hwcomm[level_num] != MPI_COMM_NULL && level_num < MAX_NUM_LEVELS - 1) {
        int before, after, found, length = 0;
        MPI_Info info;
        MPI_Info_create(&info);
        MPI_Comm_rank(hwcomm[level_num], &level_rank);
        CHECK_SUCCESS(MPI_Comm_split_type(hwcomm[level_num], MPI_COMM_TYPE_HW_UNGUIDED, level_rank,
                                          info, &hwcomm[level_num + 1]));
        MPI_Info_get_string(info, "mpi_hw_resource_type", &length, NULL, &found);
        CHECK_EQUAL(found, hwcomm[level_num + 1] != MPI_COMM_NULL);
        if (found) {
            MPI_Comm_size(hwcomm[level_num], &before);
            MPI_Comm_size(hwcomm[level_num + 1], &after);
            CHECK(after < before);
        }
        MPI_Info_free(&info);
        level_num++;
    }
    CHECK(hwcomm[level_num] == MPI_COMM_NULL);
    for (int i = 1; i < level_num; ++i)
        MPI_Comm_free(&hwcomm[i]);
    // Those who want to be in none leave the others a strict subset.
    MPI_Comm part;
    CHECK_SUCCESS(MPI_Comm_split_type(
        MPI_COMM_WORLD, rank ? MPI_COMM_TYPE_HW_UNGUIDED : MPI_UNDEFINED, 0, MPI_INFO_NULL, &part));
    if (rank == 0)
        CHECK(part == MPI_COMM_NULL);
    if (part != MPI_COMM_NULL) {
        int members;
        MPI_Comm_size(part, &members);
        CHECK(members < size);
        MPI_Comm_free(&part);
    }
    return finish();
}
