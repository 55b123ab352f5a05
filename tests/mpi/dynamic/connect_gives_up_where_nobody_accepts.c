// MPI 5.0 section 11.9.3: if MPI_COMM_CONNECT "times out, an error of class MPI_ERR_PORT is raised"
// where the port exists, but nobody accepts. The info key "timeout" says after how many seconds.
// Afterwards the port serves others.
// ranks: 2
#include "world.h"

static char port[MPI_MAX_PORT_NAME];

static MPI_Info info_with_timeout(const char *seconds) {
    MPI_Info info;
    CHECK_SUCCESS(MPI_Info_create(&info));
    CHECK_SUCCESS(MPI_Info_set(info, "timeout", seconds));
    return info;
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm other = MPI_COMM_NULL;
    if (rank == 0)
        CHECK_SUCCESS(MPI_Open_port(MPI_INFO_NULL, port));
    MPI_Bcast(port, sizeof port, MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_Info soon = info_with_timeout("0.3"), later = info_with_timeout("30"),
             wrong = info_with_timeout("soon");
    CHECK_ERROR(MPI_Comm_connect(port, soon, 1, MPI_COMM_WORLD, &other), MPI_ERR_PORT);
    CHECK_ERROR(MPI_Comm_connect(port, soon, 0, MPI_COMM_SELF, &other), MPI_ERR_PORT);
    CHECK_ERROR(MPI_Comm_connect(port, wrong, 0, MPI_COMM_SELF, &other), MPI_ERR_INFO_VALUE);
    CHECK(other == MPI_COMM_NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        CHECK_SUCCESS(MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &other));
    else
        CHECK_SUCCESS(MPI_Comm_connect(port, later, 0, MPI_COMM_SELF, &other));
    CHECK_SUCCESS(MPI_Barrier(other));
    CHECK_SUCCESS(MPI_Comm_disconnect(&other));
    MPI_Info_free(&soon);
    MPI_Info_free(&later);
    MPI_Info_free(&wrong);
    return finish();
}
