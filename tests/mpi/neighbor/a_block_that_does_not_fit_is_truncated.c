// MPI 5.0 section 8.6.1: "This implies that the amount of data sent must be equal to the amount of
// data received, pairwise between every pair of communicating MPI processes.": if more is sent, its
// receiver gets an error that says from whom, and nothing is written beyond the block.
// ranks: 3
#include "grids.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    int dims[1] = {size}, periods[1] = {1}, send[4] = {1, 2, 3, 4};
    MPI_Comm ring = new_grid(1, dims, periods);
    MPI_Comm_set_errhandler(ring, MPI_ERRORS_RETURN);
    for (int form = 0; form < 2; ++form) {
        int receive[6] = {-1, -1, -1, -1, -1, -1}, count = rank == 1 ? 2 : 1, code, class, length;
        char text[MPI_MAX_ERROR_STRING];
        MPI_Request request;
        if (form == 0) {
            code = MPI_Neighbor_allgather(send, count, MPI_INT, receive, 1, MPI_INT, ring);
        } else {
            CHECK_SUCCESS(
                MPI_Ineighbor_allgather(send, count, MPI_INT, receive, 1, MPI_INT, ring, &request));
            code = MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
        MPI_Error_class(code, &class);
        CHECK_EQUAL(class, rank == 1 ? MPI_SUCCESS : MPI_ERR_TRUNCATE);
        MPI_Error_string(code, text, &length);
        CHECK(receive[0] == 1 && receive[1] == 1 && receive[2] == -1);
        CHECK_SUCCESS(MPI_Neighbor_allgather(send, 1, MPI_INT, receive, 1, MPI_INT, ring));
    }
    MPI_Comm_free(&ring);
    return finish();
}
