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
    if (rank == 0) {
        int number;
        double begin = MPI_Wtime();
        MPI_Recv(&number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        double nanoseconds = 1e9 * (MPI_Wtime() - begin);
        CHECK_EQUAL(value_of(waits), 1);
        CHECK(value_of(time) > 0 && (double)value_of(time) <= nanoseconds);
    } else {
        usleep(30000);
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
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
