// MPI 5.0 section 6.12: "In terms of data movement, each nonblocking collective operation has the
// same effect as its blocking counterpart for intra-communicators and inter-communicators after
// completion." Section 6.13: "each persistent collective operation has the same effect as its
// blocking and nonblocking counterparts". Section 2.5.8: each with its large-count form.
// ranks: 1 4 9
#include "grids.h"

static MPI_Comm comm;
static int send[40], expected[40], receive[40];
static int counts[4] = {3, 3, 3, 3}, places[4] = {0, 5, 10, 15};
static MPI_Count counts_c[4] = {3, 3, 3, 3};
static MPI_Aint places_c[4] = {0, 5, 10, 15}, bytes[4] = {0, 20, 40, 60};
static MPI_Datatype types[4];

static void clear(void) {
    memset(receive, -1, sizeof receive);
}

static void expect(void) {
    CHECK(memcmp(receive, expected, sizeof expected) == 0);
    clear();
}

// The blocking form has been called.
static void take(void) {
    memcpy(expected, receive, sizeof expected);
    CHECK(receive[0] != -1);
    clear();
}

static void complete(MPI_Request *request) {
    CHECK_SUCCESS(MPI_Wait(request, MPI_STATUS_IGNORE));
    CHECK(*request == MPI_REQUEST_NULL);
    expect();
}

static void run(MPI_Request *request) {
    for (int i = 0; i < 3; ++i) {
        CHECK_SUCCESS(MPI_Start(request));
        CHECK_SUCCESS(MPI_Wait(request, MPI_STATUS_IGNORE));
        expect();
    }
    CHECK_SUCCESS(MPI_Request_free(request));
}

#define ALL_FORMS(name, ...)                                                                       \
    do {                                                                                           \
        MPI_Request request;                                                                       \
        CHECK_SUCCESS(MPI_Ineighbor_##name(__VA_ARGS__, comm, &request));                          \
        complete(&request);                                                                        \
        CHECK_SUCCESS(MPI_Neighbor_##name##_init(__VA_ARGS__, comm, MPI_INFO_NULL, &request));     \
        run(&request);                                                                             \
    } while (0)
#define ALL_FORMS_C(name, ...)                                                                     \
    do {                                                                                           \
        MPI_Request request;                                                                       \
        CHECK_SUCCESS(MPI_Neighbor_##name##_c(__VA_ARGS__, comm));                                 \
        expect();                                                                                  \
        CHECK_SUCCESS(MPI_Ineighbor_##name##_c(__VA_ARGS__, comm, &request));                      \
        complete(&request);                                                                        \
        CHECK_SUCCESS(MPI_Neighbor_##name##_init_c(__VA_ARGS__, comm, MPI_INFO_NULL, &request));   \
        run(&request);                                                                             \
    } while (0)

int main(int argc, char **argv) {
    start(&argc, &argv);
    comm = new_braid();
    for (int i = 0; i < 40; ++i)
        send[i] = datum(rank, i);
    for (int i = 0; i < 4; ++i)
        types[i] = MPI_INT;
    clear();
    MPI_Neighbor_allgather(send, 3, MPI_INT, receive, 3, MPI_INT, comm);
    take();
    ALL_FORMS(allgather, send, 3, MPI_INT, receive, 3, MPI_INT);
    ALL_FORMS_C(allgather, send, 3, MPI_INT, receive, 3, MPI_INT);
    MPI_Neighbor_allgatherv(send, 3, MPI_INT, receive, counts, places, MPI_INT, comm);
    take();
    ALL_FORMS(allgatherv, send, 3, MPI_INT, receive, counts, places, MPI_INT);
    ALL_FORMS_C(allgatherv, send, 3, MPI_INT, receive, counts_c, places_c, MPI_INT);
    MPI_Neighbor_alltoall(send, 3, MPI_INT, receive, 3, MPI_INT, comm);
    take();
    ALL_FORMS(alltoall, send, 3, MPI_INT, receive, 3, MPI_INT);
    ALL_FORMS_C(alltoall, send, 3, MPI_INT, receive, 3, MPI_INT);
    MPI_Neighbor_alltoallv(send, counts, places, MPI_INT, receive, counts, places, MPI_INT, comm);
    take();
    ALL_FORMS(alltoallv, send, counts, places, MPI_INT, receive, counts, places, MPI_INT);
    ALL_FORMS_C(alltoallv, send, counts_c, places_c, MPI_INT, receive, counts_c, places_c, MPI_INT);
    MPI_Neighbor_alltoallw(send, counts, bytes, types, receive, counts, bytes, types, comm);
    take();
    ALL_FORMS(alltoallw, send, counts, bytes, types, receive, counts, bytes, types);
    ALL_FORMS_C(alltoallw, send, counts_c, bytes, types, receive, counts_c, bytes, types);
    MPI_Comm_free(&comm);
    return finish();
}
