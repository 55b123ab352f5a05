// MPI 5.0 section 6.1: "Namely, for collective operations, the amount of data sent must exactly
// match the amount of data specified by the receiver."
// ranks: 2 5
#include "world.h"

enum { large = 5000 };

int main(int argc, char **argv) {
    start(&argc, &argv);
    static int in[large * 5], out[large * 5];
    CHECK_SUCCESS(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    for (int count = 4; count <= large; count += large - 4) {
        MPI_Request request;
        int odd = rank == size - 1, code;
        CHECK_SUCCESS(MPI_Ibcast(in, count - odd, MPI_INT, 0, MPI_COMM_WORLD, &request));
        code = MPI_Wait(&request, MPI_STATUS_IGNORE);
        CHECK_ERROR(code, odd ? MPI_ERR_TRUNCATE : MPI_SUCCESS);
        CHECK_SUCCESS(MPI_Iscatter(in, count, MPI_INT, out, count - odd, MPI_INT, 0, MPI_COMM_WORLD,
                                   &request));
        CHECK_ERROR(MPI_Wait(&request, MPI_STATUS_IGNORE), odd ? MPI_ERR_TRUNCATE : MPI_SUCCESS);
        // The sender, and the root, are told.
        CHECK_SUCCESS(MPI_Igather(in, count, MPI_INT, out, count - (size > 1), MPI_INT, 0,
                                  MPI_COMM_WORLD, &request));
        CHECK_ERROR(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_ERR_TRUNCATE);
        CHECK_SUCCESS(
            MPI_Ialltoall(in, count, MPI_INT, out, count - odd, MPI_INT, MPI_COMM_WORLD, &request));
        CHECK_ERROR(MPI_Wait(&request, MPI_STATUS_IGNORE), odd ? MPI_ERR_TRUNCATE : MPI_SUCCESS);
        CHECK_SUCCESS(MPI_Iallgather(in, count, MPI_INT, out, count - odd, MPI_INT, MPI_COMM_WORLD,
                                     &request));
        CHECK_ERROR(MPI_Wait(&request, MPI_STATUS_IGNORE), odd ? MPI_ERR_TRUNCATE : MPI_SUCCESS);
    }
    return finish();
}
