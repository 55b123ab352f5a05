// MPI 5.0 section 9.6: MPI_WTIME returns "elapsed wall-clock time since some time in the past. The
// ``time in the past'' is guaranteed not to change during the life of the process"; MPI_WTICK "the
// number of seconds between successive clock ticks"; section 9.1.2, MPI_WTIME_IS_GLOBAL: "If time
// is measured at an MPI process just before a send and at another MPI process just after a matching
// receive, the second time should be always higher than the first one."
// ranks: 2 5
#include "world.h"

#include <unistd.h>

int main(int argc, char **argv) {
    start(&argc, &argv);
    int *global = NULL, flag = 0;
    double tick = MPI_Wtick(), before = MPI_Wtime();
    CHECK(tick > 0 && tick <= 1e-3);
    for (int i = 0; i < 1000; ++i) {
        double now = MPI_Wtime();
        CHECK(now >= before);
        before = now;
    }
    usleep(20000);
    double slept = MPI_Wtime() - before;
    CHECK(slept >= 0.02 - tick && slept < 30);
    CHECK_SUCCESS(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_WTIME_IS_GLOBAL, &global, &flag));
    CHECK(flag && *global == 1);
    int left = (rank + size - 1) % size, right = (rank + 1) % size;
    for (int round = 0; round < 50; ++round) {
        double sent = MPI_Wtime(), of_sender = 0;
        CHECK_SUCCESS(MPI_Sendrecv(&sent, 1, MPI_DOUBLE, right, 0, &of_sender, 1, MPI_DOUBLE, left,
                                   0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CHECK(MPI_Wtime() >= of_sender);
    }
    return finish();
}
