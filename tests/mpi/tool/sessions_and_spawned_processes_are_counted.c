// MPI 5.0 section 15.3.7: "A performance variable in this class represents a value that describes
// the utilization level of a resource." "A performance variable in this class counts the number of
// occurrences of a specific event"
// ranks: 1 3
// ends: n + 4
#include "variables.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Comm parent, children;
    CHECK_SUCCESS(MPI_Comm_get_parent(&parent));
    if (parent != MPI_COMM_NULL) {
        CHECK_SUCCESS(MPI_Comm_disconnect(&parent));
        return finish();
    }
    start_tools();
    MPI_Session sessions[3];
    MPI_T_pvar_handle open = measure("sessions", MPI_T_PVAR_CLASS_LEVEL, NULL),
                      spawned = counted("spawned_processes", MPI_T_PVAR_CLASS_COUNTER, NULL);
    CHECK_EQUAL(value_of(open), 0);
    for (int i = 0; i < 3; ++i) {
        CHECK_SUCCESS(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &sessions[i]));
        CHECK_EQUAL(value_of(open), i + 1);
    }
    for (int i = 0; i < 3; ++i)
        CHECK_SUCCESS(MPI_Session_finalize(&sessions[i]));
    CHECK_EQUAL(value_of(open), 0);
    for (int i = 1; i <= 2; ++i) {
        CHECK_SUCCESS(MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD,
                                     &children, MPI_ERRCODES_IGNORE));
        CHECK_SUCCESS(MPI_Comm_disconnect(&children));
        CHECK_EQUAL(value_of(spawned), rank == 0 ? 2 * i : 0);
    }
    CHECK_CODE(MPI_T_finalize(), MPI_SUCCESS);
    return finish();
}
