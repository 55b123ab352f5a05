// MPI 5.0 section 15.3.8: "The level of MPI_T_CB_REQUIRE_NONE is the lowest level and does not
// impose any restrictions on the callback function." Events are told with this level, at the end of
// an MPI call.
// ranks: 2
#include "events.h"

enum { kMessages = 10 };

static int answered;

static void answer(MPI_T_event_instance event, MPI_T_event_registration which,
                   MPI_T_cb_safety safety, void *data) {
    int source, number = -1;
    CHECK_EQUAL(safety, MPI_T_CB_REQUIRE_NONE);
    CHECK_CODE(MPI_T_event_read(event, 0, &source), MPI_SUCCESS);
    MPI_Recv(&number, 1, MPI_INT, source, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK_EQUAL(number, answered);
    number *= 2;
    MPI_Send(&number, 1, MPI_INT, source, 1, MPI_COMM_WORLD);
    ++answered;
}

int main(void) {
    start(NULL, NULL);
    start_tools();
    MPI_Comm world = MPI_COMM_WORLD;
    if (rank == 1)
        call_at(registered("message_unexpected", &world), MPI_T_CB_REQUIRE_NONE, answer, NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        for (int i = 0; i < kMessages; ++i)
            MPI_Send(&i, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
        for (int i = 0; i < kMessages; ++i) {
            int number = -1;
            MPI_Recv(&number, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            CHECK_EQUAL(number, 2 * i);
        }
    } else {
        MPI_Barrier(MPI_COMM_WORLD);
        CHECK_EQUAL(answered, kMessages);
    }
    CHECK_CODE(MPI_T_finalize(), MPI_SUCCESS);
    MPI_Finalize();
    return 0;
}
