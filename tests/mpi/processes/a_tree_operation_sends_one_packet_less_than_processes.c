// A reduction and a broadcast send exactly (processes - 1) packets between the node processes,
// whoever the root is. The first barrier of a communicator sends three times as many: one tree up,
// one down, and one that tells where the processes of the node meet from then on, without packets
// (docs/between_processes.md).
//
// ranks: 2 3 4 6 7
// modes: processes processes-2
#include "variables.h"

#include <unistd.h>

static unsigned long long packets_of(MPI_T_pvar_handle handle, unsigned long long before) {
    unsigned long long mine = value_of(handle) - before, sum = 0;
    MPI_Allreduce(&mine, &sum, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
    return sum;
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    start_tools();
    MPI_T_pvar_handle handle = counted("collective_packets", MPI_T_PVAR_CLASS_COUNTER, NULL);

    // Ranks of one process have the same process id.
    int pids[16] = {0}, mine = (int)getpid(), processes = 0;
    MPI_Allgather(&mine, 1, MPI_INT, pids, 1, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < size; ++i)
        processes += i == 0 || pids[i] != pids[i - 1];

    for (int root = 0; root < size; ++root) {
        unsigned long long before = value_of(handle);
        int value = rank == root ? 4711 + root : -1;
        MPI_Bcast(&value, 1, MPI_INT, root, MPI_COMM_WORLD);
        CHECK_EQUAL(value, 4711 + root);
        CHECK_EQUAL(packets_of(handle, before), (unsigned long long)processes - 1);

        before = value_of(handle);
        int sum = -1;
        MPI_Reduce(&rank, &sum, 1, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD);
        if (rank == root)
            CHECK_EQUAL(sum, size * (size - 1) / 2);
        CHECK_EQUAL(packets_of(handle, before), (unsigned long long)processes - 1);
    }
    unsigned long long before = value_of(handle);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_EQUAL(packets_of(handle, before), 3 * ((unsigned long long)processes - 1));
    before = value_of(handle);
    for (int i = 0; i < 10; ++i)
        MPI_Barrier(MPI_COMM_WORLD);
    CHECK_EQUAL(packets_of(handle, before), 0);

    return finish();
}
