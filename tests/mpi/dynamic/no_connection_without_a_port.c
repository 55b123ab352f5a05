// MPI 5.0 section 11.9.3: "If the named port does not exist (or has been closed), MPI_COMM_CONNECT
// raises an error of class MPI_ERR_PORT." Also where it is closed while clients wait at it.
// ranks: 2
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    char port[MPI_MAX_PORT_NAME] = "";
    MPI_Comm other = MPI_COMM_NULL;
    CHECK_ERROR(MPI_Comm_connect("thrum:0:0", MPI_INFO_NULL, 0, MPI_COMM_SELF, &other),
                MPI_ERR_PORT);
    // Collective: everybody hears of it.
    CHECK_ERROR(MPI_Comm_connect("localhost:80", MPI_INFO_NULL, 0, MPI_COMM_WORLD, &other),
                MPI_ERR_PORT);
    CHECK_ERROR(MPI_Comm_accept("nobody's", MPI_INFO_NULL, 1, MPI_COMM_WORLD, &other),
                MPI_ERR_PORT);
    if (rank == 0)
        CHECK_SUCCESS(MPI_Open_port(MPI_INFO_NULL, port));
    MPI_Bcast(port, sizeof port, MPI_CHAR, 0, MPI_COMM_WORLD);
    if (rank == 1) {
        MPI_Send(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD);
        CHECK_ERROR(MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &other), MPI_ERR_PORT);
    } else {
        MPI_Recv(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 0, flag; i < 1000; ++i) // rank 1 gets to its call
            MPI_Iprobe(1, 5, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        CHECK_SUCCESS(MPI_Close_port(port));
        CHECK_ERROR(MPI_Close_port(port), MPI_ERR_PORT);
    }
    CHECK(other == MPI_COMM_NULL);
    return finish();
}
