// ranks: 2
// exit: nonzero
// expect: ranks disagree on the operation: rank [01] calls (acl_end|MPI_Barrier), rank [01] calls (acl_end|MPI_Barrier)
#include <mpi.h>

#include <thrum/acl.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    acl_begin();
    if (acl_self_address() == 0)
        MPI_Barrier(MPI_COMM_WORLD);
    acl_end();
    MPI_Finalize();
    return 0;
}
