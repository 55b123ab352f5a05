// With --check, members that call blocking and non-blocking operations in different orders get
// MPI_ERR_OTHER (MPI 5.0 section 6.12), whichever operation it is and whoever comes first.
// ranks: 2 5
// modes: fibers-1 fibers-2 os-threads
// options: --check
// expect: ^all refused$
// expect-not: warning
#include "check.h"

#include <mpi.h>

#include <string.h>

static int rank, size, value[4], sum[40];

static void begin(int which, MPI_Request *request) {
    MPI_Comm comm = MPI_COMM_WORLD;
    switch (which) {
    case 0:
        MPI_Ibarrier(comm, request);
        break;
    case 1:
        MPI_Ibcast(sum, 1, MPI_INT, 0, comm, request);
        break;
    case 2:
        MPI_Ibcast(sum, 1, MPI_INT, 1, comm, request);
        break;
    case 3:
        MPI_Igather(value, 1, MPI_INT, sum, 1, MPI_INT, 0, comm, request);
        break;
    case 4:
        MPI_Iscatter(sum, 1, MPI_INT, value, 1, MPI_INT, 1, comm, request);
        break;
    case 5:
        MPI_Iallgather(value, 1, MPI_INT, sum, 1, MPI_INT, comm, request);
        break;
    case 6:
        MPI_Ialltoall(sum, 1, MPI_INT, sum + 20, 1, MPI_INT, comm, request);
        break;
    case 7:
        MPI_Iallreduce(value, sum, 1, MPI_INT, MPI_SUM, comm, request);
        break;
    case 8:
        MPI_Iscan(value, sum, 1, MPI_INT, MPI_SUM, comm, request);
        break;
    default:
        MPI_Ireduce_scatter_block(sum, value, 1, MPI_INT, MPI_SUM, comm, request);
    }
}

int main(int argc, char **argv) {
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int odd = 0; odd < 2; ++odd)
        for (int which = 0; which < 10; ++which) {
            // The barriers keep the round between them free of other members.
            if (rank == odd)
                MPI_Barrier(MPI_COMM_WORLD);
            begin(which, &request);
            if (rank != odd)
                MPI_Barrier(MPI_COMM_WORLD);
            const int code = MPI_Wait(&request, MPI_STATUS_IGNORE);
            // A root that has left its data, and a scan's lowest ranks, are done before that.
            int failed = code != MPI_SUCCESS, all_failed, some_failed;
            if (failed) {
                char text[MPI_MAX_ERROR_STRING];
                int length;
                CHECK_ERROR(code, MPI_ERR_OTHER);
                MPI_Error_string(code, text, &length);
                CHECK(strstr(text, "ranks disagree on the order of calls: rank "));
                CHECK(strstr(text, " calls MPI_Barrier before MPI_I"));
            }
            MPI_Allreduce(&failed, &all_failed, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
            MPI_Allreduce(&failed, &some_failed, 1, MPI_INT, MPI_LOR, MPI_COMM_WORLD);
            CHECK(some_failed);
            if (which == 0 || which == 5 || which == 6 || which == 7)
                CHECK(all_failed);
        }
    // Whoever initialises second, or starts, is told.
    int init, start = MPI_SUCCESS;
    if (rank == 0)
        MPI_Barrier(MPI_COMM_WORLD);
    init = MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    if (rank > 0)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    if (init == MPI_SUCCESS) {
        start = MPI_Start(&request);
        MPI_Request_free(&request);
    }
    CHECK_ERROR(init == MPI_SUCCESS ? start : init, MPI_ERR_OTHER);
    if (rank == 0)
        printf("all refused\n");
    MPI_Finalize();
    return 0;
}
