// MPI 5.0 section 15.3.6: "A typical example that is available in several existing MPI
// implementations is the ability to specify an "eager limit," i.e., an upper bound on the size of
// messages sent or received using an eager protocol." Section 15.3.6: "This routine sets the
// value of the control variable identified by the argument handle to the data stored in the buffer
// identified by the parameter buf."
// ranks: 2
#include "variables.h"

enum { kSmall = 64, kLarge = 200000 };

static char data[kLarge];

// Whether a send of so many bytes, which its receiver has not asked for, is complete at once.
static int is_eager(int bytes) {
    MPI_Request request;
    int done = 0;
    MPI_Isend(data, bytes, MPI_CHAR, 1, 0, MPI_COMM_WORLD, &request);
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD); // only now the other one receives
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return done;
}

static void receive(int bytes) {
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Recv(data, bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(void) {
    start(NULL, NULL);
    start_tools();
    unsigned long long initial = get_control("eager_limit");
    const unsigned long long limits[] = {initial, 0, kLarge, kSmall - 1, kSmall};
    for (int i = 0; i < 5; ++i)
        for (int large = 0; large < 2; ++large) {
            int bytes = large ? kLarge : kSmall;
            if (rank == 1) {
                receive(bytes);
                // Writing affects the calling process only.
                CHECK_EQUAL(get_control("eager_limit"), initial);
                continue;
            }
            set_control("eager_limit", limits[i]);
            CHECK_EQUAL(get_control("eager_limit"), limits[i]);
            CHECK_EQUAL(is_eager(bytes), (unsigned long long)bytes <= limits[i]);
        }
    CHECK_CODE(MPI_T_finalize(), MPI_SUCCESS);
    MPI_Finalize();
    return 0;
}
