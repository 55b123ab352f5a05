// MPI 5.0 section 2.5.8 and 19.2: the procedures with the suffix _c take counts of type MPI_Count
// and do otherwise the same.
// ranks: 2
#include "messages.h"

int main(void) {
    start(NULL, NULL);
    static char data[100000];
    MPI_Count counts[] = {1, 2000, 100000};
    MPI_Request request;
    MPI_Status status;
    MPI_Message message;
    for (int i = 0; i < 3; ++i) {
        MPI_Count count = counts[i], got = -1;
        if (rank == 0) {
            fill_bytes(data, count, i);
            CHECK_SUCCESS(MPI_Send_c(data, count, MPI_CHAR, 1, 0, MPI_COMM_WORLD));
            CHECK_SUCCESS(MPI_Ssend_c(data, count, MPI_CHAR, 1, 1, MPI_COMM_WORLD));
            CHECK_SUCCESS(MPI_Isend_c(data, count, MPI_CHAR, 1, 2, MPI_COMM_WORLD, &request));
            CHECK_SUCCESS(MPI_Wait(&request, MPI_STATUS_IGNORE));
            CHECK_SUCCESS(MPI_Send_init_c(data, count, MPI_CHAR, 1, 3, MPI_COMM_WORLD, &request));
            CHECK_SUCCESS(MPI_Start(&request));
            CHECK_SUCCESS(MPI_Wait(&request, MPI_STATUS_IGNORE));
            CHECK_SUCCESS(MPI_Request_free(&request));
            CHECK_SUCCESS(MPI_Sendrecv_c(data, count, MPI_CHAR, 1, 4, NULL, 0, MPI_CHAR,
                                         MPI_PROC_NULL, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            continue;
        }
        for (int tag = 0; tag < 5; ++tag) {
            for (MPI_Count k = 0; k < count; ++k)
                data[k] = 0;
            if (tag % 2) {
                MPI_Recv_c(data, count, MPI_CHAR, 0, tag, MPI_COMM_WORLD, &status);
            } else if (tag == 0) {
                MPI_Mprobe(0, tag, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
                MPI_Mrecv_c(data, count, MPI_CHAR, &message, &status);
            } else {
                MPI_Irecv_c(data, count, MPI_CHAR, 0, tag, MPI_COMM_WORLD, &request);
                MPI_Wait(&request, &status);
            }
            CHECK_SUCCESS(MPI_Get_count_c(&status, MPI_CHAR, &got));
            CHECK_EQUAL(got, count);
            CHECK_EQUAL(status.MPI_TAG, tag);
            check_bytes(data, count, i);
        }
    }
    MPI_Finalize();
    return 0;
}
