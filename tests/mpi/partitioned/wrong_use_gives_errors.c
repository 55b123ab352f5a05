// MPI 5.0 section 4.2.1: "It is erroneous to provide a partitions value ≤ 0. Wildcards for source
// and tag are not allowed." "It is erroneous to use MPI_PREADY on any request object that does not
// correspond to a partitioned send operation." "Specifying a partition number that is equal to or
// larger than the number of partitions is erroneous." "Calling MPI_PREADY on an active partition is
// erroneous." "Freeing or canceling a partitioned communication request that is active (i.e.,
// initialized and started) and not completed is erroneous."
// ranks: 2
#include "messages.h"

static int values[4], flag;
static MPI_Request request, plain;

#define INIT(which, partitions, count, type, peer, tag, comm)                                      \
    MPI_P##which##_init(values, partitions, count, type, peer, tag, comm, MPI_INFO_NULL, &request)

static void initialisation(void) {
    CHECK_ERROR(INIT(send, 0, 1, MPI_INT, 0, 0, MPI_COMM_WORLD), MPI_ERR_ARG);
    CHECK_ERROR(INIT(recv, -1, 1, MPI_INT, 0, 0, MPI_COMM_WORLD), MPI_ERR_ARG);
    CHECK_ERROR(INIT(send, 1, -1, MPI_INT, 0, 0, MPI_COMM_WORLD), MPI_ERR_COUNT);
    CHECK_ERROR(INIT(send, 1, 1, MPI_DATATYPE_NULL, 0, 0, MPI_COMM_WORLD), MPI_ERR_TYPE);
    CHECK_ERROR(INIT(send, 1, 1, MPI_INT, 2, 0, MPI_COMM_WORLD), MPI_ERR_RANK);
    CHECK_ERROR(INIT(send, 1, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD), MPI_ERR_RANK);
    CHECK_ERROR(INIT(send, 1, 1, MPI_INT, 0, -5, MPI_COMM_WORLD), MPI_ERR_TAG);
    CHECK_ERROR(INIT(send, 1, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD), MPI_ERR_TAG);
    CHECK_ERROR(INIT(recv, 1, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD), MPI_ERR_RANK);
    CHECK_ERROR(INIT(recv, 1, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD), MPI_ERR_TAG);
    CHECK_ERROR(INIT(recv, 1, 1, MPI_INT, 0, 0, MPI_COMM_NULL), MPI_ERR_COMM);
    CHECK_ERROR(
        MPI_Psend_init(MPI_BOTTOM, 1, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request),
        MPI_ERR_BUFFER);
    CHECK_ERROR(MPI_Precv_init(values, 1, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, NULL),
                MPI_ERR_ARG);
}

static void sender(void) {
    int list[2] = {1, 4}, twice[2] = {0, 0};
    CHECK_SUCCESS(INIT(send, 4, 1, MPI_INT, 1, 0, MPI_COMM_WORLD));
    CHECK_ERROR(MPI_Pready(0, request), MPI_ERR_REQUEST); // not started
    CHECK_SUCCESS(MPI_Start(&request));
    CHECK_ERROR(MPI_Start(&request), MPI_ERR_REQUEST);
    CHECK_ERROR(MPI_Pready(4, request), MPI_ERR_ARG);
    CHECK_ERROR(MPI_Pready(-1, request), MPI_ERR_ARG);
    CHECK_ERROR(MPI_Pready_range(2, 4, request), MPI_ERR_ARG);
    CHECK_ERROR(MPI_Pready_range(-1, 2, request), MPI_ERR_ARG);
    CHECK_ERROR(MPI_Pready_range(2, 1, request), MPI_ERR_ARG);
    CHECK_ERROR(MPI_Pready_list(2, list, request), MPI_ERR_ARG);
    CHECK_ERROR(MPI_Pready_list(-1, list, request), MPI_ERR_ARG);
    CHECK_ERROR(MPI_Pready_list(1, NULL, request), MPI_ERR_ARG);
    CHECK_ERROR(MPI_Pready_list(2, twice, request), MPI_ERR_ARG); // marks 0 once
    CHECK_ERROR(MPI_Pready(0, request), MPI_ERR_ARG);
    CHECK_ERROR(MPI_Parrived(request, 0, &flag), MPI_ERR_REQUEST);
    CHECK_ERROR(MPI_Request_free(&request), MPI_ERR_REQUEST);
    CHECK_ERROR(MPI_Cancel(&request), MPI_ERR_REQUEST);
    CHECK_ERROR(MPI_Pready(0, MPI_REQUEST_NULL), MPI_ERR_REQUEST);
    CHECK_ERROR(MPI_Pready(0, plain), MPI_ERR_REQUEST);
    CHECK_ERROR(MPI_Parrived(plain, 0, &flag), MPI_ERR_REQUEST);
    CHECK_SUCCESS(MPI_Pready_range(1, 3, request));
    CHECK_SUCCESS(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_ERROR(MPI_Pready(0, request), MPI_ERR_REQUEST); // no longer started
}

static void receiver(void) {
    CHECK_SUCCESS(INIT(recv, 4, 1, MPI_INT, 0, 0, MPI_COMM_WORLD));
    CHECK_ERROR(MPI_Parrived(request, 4, &flag), MPI_ERR_ARG);
    CHECK_ERROR(MPI_Parrived(request, -1, &flag), MPI_ERR_ARG);
    CHECK_ERROR(MPI_Parrived(request, 0, NULL), MPI_ERR_ARG);
    CHECK_SUCCESS(MPI_Start(&request));
    CHECK_ERROR(MPI_Pready(0, request), MPI_ERR_REQUEST); // a receive
    CHECK_ERROR(MPI_Request_free(&request), MPI_ERR_REQUEST);
    CHECK_ERROR(MPI_Cancel(&request), MPI_ERR_REQUEST);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_SUCCESS(MPI_Wait(&request, MPI_STATUS_IGNORE));
    for (int i = 0; i < 4; ++i)
        CHECK_EQUAL(values[i], i + 5);
}

int main(void) {
    start_with_errors_returned();
    initialisation();
    int other = -1;
    MPI_Recv_init(&other, 1, MPI_INT, 1 - rank, 99, MPI_COMM_WORLD, &plain);
    for (int i = 0; i < 4; ++i)
        values[i] = rank ? -1 : i + 5;
    if (rank == 0) {
        MPI_Barrier(MPI_COMM_WORLD);
        sender();
    } else {
        receiver();
    }
    CHECK_SUCCESS(MPI_Request_free(&request));
    CHECK_SUCCESS(MPI_Request_free(&plain));
    CHECK(request == MPI_REQUEST_NULL);
    return finish();
}
