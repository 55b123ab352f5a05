// MPI 5.0 section 11.2.3: MPI_INITIALIZED: "This function returns false for applications using the
// Sessions Model exclusively." MPI_FINALIZED: "This routine returns true if MPI_FINALIZE has
// completed."
// ranks: 1 3
#include "session.h"

static void check_phase(int expected_initialized, int expected_finalized) {
    int initialized = -1, finalized = -1;
    CHECK_SUCCESS(MPI_Initialized(&initialized));
    CHECK_SUCCESS(MPI_Finalized(&finalized));
    CHECK_EQUAL(initialized, expected_initialized);
    CHECK_EQUAL(finalized, expected_finalized);
}

int main(void) {
    check_phase(0, 0);
    MPI_Session session = open_session(MPI_ERRORS_RETURN);
    check_phase(0, 0);
    close_session(&session);
    check_phase(0, 0);
    CHECK_SUCCESS(MPI_Init(NULL, NULL));
    check_phase(1, 0);
    session = open_session(MPI_ERRORS_RETURN);
    CHECK_SUCCESS(MPI_Finalize());
    check_phase(1, 1);
    close_session(&session);
    check_phase(1, 1);
    return 0;
}
