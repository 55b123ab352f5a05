// MPI 5.0 section 15.3.7: "The value of a performance variable in this class represents the
// aggregated time that the MPI implementation spends executing a particular event, type of event,
// or section of the MPI library." "The starting value for variables of this class is 0."
// ranks: 2
#include "variables.h"

#include <unistd.h>

int main(void) {
    start(NULL, NULL);
    start_tools();
    MPI_T_pvar_handle waits = counted("waits", MPI_T_PVAR_CLASS_COUNTER, NULL);
    MPI_T_pvar_handle time = counted("wait_time", MPI_T_PVAR_CLASS_TIMER, NULL);
    MPI_T_pvar_handle rounds = counted("collective_rounds", MPI_T_PVAR_CLASS_COUNTER, NULL);
    MPI_T_pvar_handle calls = counted("collective_calls", MPI_T_PVAR_CLASS_COUNTER, NULL);
    MPI_T_pvar_handle switches = counted("fiber_switches", MPI_T_PVAR_CLASS_COUNTER, NULL);
    CHECK_EQUAL(value_of(time), 0);
    // On a busy machine the message may be there before it is waited for: once more, then.
    int attempts = 0, waited = 0;
    double nanoseconds = 0;
    while (!waited) {
        CHECK(++attempts < 100);
        if (rank == 0) {
            double begin = MPI_Wtime();
            MPI_Recv(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            nanoseconds += 1e9 * (MPI_Wtime() - begin);
            waited = value_of(waits) == 1;
            CHECK(value_of(waits) <= 1);
            MPI_Send(&waited, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        } else {
            usleep(30000);
            MPI_Send(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD);
            MPI_Recv(&waited, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    }
    if (rank == 0)
        CHECK(value_of(time) > 0 && (double)value_of(time) <= nanoseconds);
    CHECK_EQUAL(value_of(calls), 0);
    int sum, wide[10];
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allgather(&rank, 1, MPI_INT, wide, 1, MPI_INT, MPI_COMM_WORLD);
    CHECK_EQUAL(value_of(calls), 3);
    CHECK(value_of(rounds) >= 3);
    (void)value_of(switches); // 0 with threads of the operating system
    CHECK_CODE(MPI_T_finalize(), MPI_SUCCESS);
    MPI_Finalize();
    return 0;
}
