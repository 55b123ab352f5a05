// MPI 5.0 section 4.2.2: "The MPI_PARRIVED function can be used to determine if the message data
// for the indicated partition has been received into the receive buffer." "A high quality
// implementation will eventually return flag = true from MPI_PARRIVED after all of the
// corresponding MPI_PREADY calls have been made for a receive-side partition, even if other send
// partitions are not yet marked as ready."
// ranks: 2
#include "messages.h"

// The sender has 6 partitions of 2 bytes, the receiver 3 of 4.
int main(int argc, char **argv) {
    start(&argc, &argv);
    char buffer[12];
    int flag;
    MPI_Request request;
    for (int order = 0; order < 2; ++order) {
        if (rank == 0) {
            fill_bytes(buffer, 12, order);
            MPI_Psend_init(buffer, 6, 2, MPI_CHAR, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
            MPI_Start(&request);
            for (int i = 0; i < 6; ++i) {
                int partition = order ? 5 - i : i;
                CHECK_SUCCESS(MPI_Pready(partition, request));
                MPI_Send(&partition, 1, MPI_INT, 1, 9, MPI_COMM_WORLD);
                MPI_Recv(NULL, 0, MPI_INT, 1, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            }
        } else {
            memset(buffer, 0xff, 12);
            MPI_Precv_init(buffer, 3, 4, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
            MPI_Start(&request);
            for (int i = 0, ready[3] = {0, 0, 0}; i < 6; ++i) {
                int partition;
                MPI_Recv(&partition, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                ++ready[partition / 2];
                for (int p = 0; p < 3; ++p) {
                    if (ready[p] == 2)
                        for (flag = 0; !flag;) // eventually
                            CHECK_SUCCESS(MPI_Parrived(request, p, &flag));
                    else
                        CHECK_SUCCESS(MPI_Parrived(request, p, &flag));
                    CHECK_EQUAL(flag, ready[p] == 2);
                    for (int k = 0; flag && k < 4; ++k) // "the receiver becomes free to access"
                        CHECK_EQUAL(buffer[4 * p + k], pattern(order, 4 * p + k));
                }
                MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
                CHECK_EQUAL(flag, i == 5);
                MPI_Send(NULL, 0, MPI_INT, 0, 9, MPI_COMM_WORLD);
            }
        }
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Request_free(&request);
    }
    return finish();
}
