// A server that nobody will ever connect to is a deadlock, and the report names its port.
// ranks: 2
// exit: 86
// expect: ^thrum:   rank 0: MPI_Comm_accept at port thrum:.*, at .*a_deadlock_report_names_the_port.c
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    char port[MPI_MAX_PORT_NAME];
    MPI_Comm other;
    if (rank == 0) {
        MPI_Open_port(MPI_INFO_NULL, port);
        MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &other);
    }
    return finish();
}
