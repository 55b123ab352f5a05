// MPI 5.0 section 19.3.4: "Handles are passed between Fortran and C by using an explicit C wrapper
// to convert Fortran handles to C handles." MPI_Session_c2f and MPI_Session_f2c, and the integers
// of the ABI (section 20.4).
// ranks: 1 3
#include "session.h"

int main(void) {
    MPI_Session sessions[20];
    MPI_Fint numbers[20];
    for (int i = 0; i < 20; ++i) {
        sessions[i] = open_session(MPI_ERRORS_RETURN);
        numbers[i] = MPI_Session_c2f(sessions[i]);
        CHECK(MPI_Session_f2c(numbers[i]) == sessions[i]);
        CHECK(MPI_Session_fromint(MPI_Session_toint(sessions[i])) == sessions[i]);
        for (int j = 0; j < i; ++j)
            CHECK(numbers[j] != numbers[i]);
    }
    CHECK(MPI_Session_f2c(MPI_Session_c2f(MPI_SESSION_NULL)) == MPI_SESSION_NULL);
    CHECK(MPI_Session_f2c(-5) == MPI_SESSION_NULL);
    for (int i = 0; i < 20; ++i)
        close_session(&sessions[i]);
    return 0;
}
