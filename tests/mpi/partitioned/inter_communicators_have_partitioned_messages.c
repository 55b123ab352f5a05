// MPI 5.0 section 4.2.1: "Matching follows the same MPI matching rules as for point-to-point
// communication (see Chapter Point-to-Point Communication) with communicator, tag, and source
// dictating message matching.": also between two groups.
// ranks: 2 5
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    TwoGroups groups = split_in_two_groups();
    int remote = groups.remote_size, out[3] = {rank, rank + 1, rank + 2};
    int(*in)[3] = malloc(sizeof(int[3]) * (size_t)remote);
    MPI_Request *requests = malloc(sizeof(MPI_Request) * 2 * (size_t)remote);
    for (int i = 0; i < remote; ++i) {
        MPI_Psend_init(out, 3, 1, MPI_INT, i, 0, groups.inter, MPI_INFO_NULL, &requests[i]);
        MPI_Precv_init(in[i], 1, 3, MPI_INT, i, 0, groups.inter, MPI_INFO_NULL,
                       &requests[remote + i]);
    }
    MPI_Startall(2 * remote, requests);
    for (int i = 0; i < remote; ++i)
        MPI_Pready_range(0, 2, requests[i]);
    MPI_Waitall(2 * remote, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < remote; ++i)
        for (int k = 0; k < 3; ++k)
            CHECK_EQUAL(in[i][k], groups.remote_offset + i + k);
    for (int i = 0; i < 2 * remote; ++i)
        MPI_Request_free(&requests[i]);
    free(in);
    free(requests);
    free_two_groups(&groups);
    return finish();
}
