// Operations along a tree send exactly (nodes - 1) packets from node to node, whoever the root is
// and however the processes lie, and a barrier twice as many: one tree up, one down
// (docs/between_processes.md). The argument is the number of nodes (tests/commands/hosts.py gives
// it).
//
// ranks: 1 4 7
// modes: processes processes-2
#include "variables.h"

static MPI_T_pvar_handle handle;
static unsigned long long before;

static void begin(void) {
    MPI_Barrier(MPI_COMM_WORLD);
    before = value_of(handle);
}

static unsigned long long crossings(void) {
    unsigned long long mine = value_of(handle) - before, sum = 0;
    MPI_Allreduce(&mine, &sum, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
    return sum;
}

int main(int argc, char **argv) {
    unsigned long long others = argc > 1 ? strtoull(argv[1], NULL, 10) - 1 : 0; // nodes
    start(&argc, &argv);
    start_tools();
    handle = counted("collective_network_packets", MPI_T_PVAR_CLASS_COUNTER, NULL);
    int *values = malloc(sizeof *values * (size_t)size);

    for (int root = 0; root < size; ++root) {
        begin();
        int value = rank == root ? 4711 + root : -1;
        MPI_Bcast(&value, 1, MPI_INT, root, MPI_COMM_WORLD);
        CHECK_EQUAL(value, 4711 + root);
        CHECK_EQUAL(crossings(), others);

        begin();
        int sum = -1;
        MPI_Reduce(&rank, &sum, 1, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD);
        if (rank == root)
            CHECK_EQUAL(sum, size * (size - 1) / 2);
        CHECK_EQUAL(crossings(), others);

        begin();
        MPI_Gather(&rank, 1, MPI_INT, values, 1, MPI_INT, root, MPI_COMM_WORLD);
        for (int i = 0; rank == root && i < size; ++i)
            CHECK_EQUAL(values[i], i);
        CHECK_EQUAL(crossings(), others);

        begin();
        for (int i = 0; i < size; ++i)
            values[i] = rank == root ? 100 + i : -1;
        MPI_Scatter(values, 1, MPI_INT, &value, 1, MPI_INT, root, MPI_COMM_WORLD);
        CHECK_EQUAL(value, 100 + rank);
        CHECK_EQUAL(crossings(), others);
    }
    begin();
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_EQUAL(crossings(), 2 * others);

    begin();
    int sum = -1;
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK_EQUAL(sum, size * (size - 1) / 2);
    CHECK_EQUAL(crossings(), 2 * others);

    begin();
    MPI_Allgather(&rank, 1, MPI_INT, values, 1, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < size; ++i)
        CHECK_EQUAL(values[i], i);
    CHECK_EQUAL(crossings(), 2 * others);

    free(values);
    return finish();
}
