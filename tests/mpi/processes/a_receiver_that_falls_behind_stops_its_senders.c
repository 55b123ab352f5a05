// A rank that does not receive is sent no more than THRUM_BUFFERED_LIMIT (about) by the ranks of
// other processes: then they wait for it, as they do inside a process. Nothing is lost, and order
// is kept.
//
// ranks: 2 4
// env: THRUM_BUFFERED_LIMIT=64K
// modes: processes
#include "variables.h"

enum { messages = 4000, ints = 100 };

int main(int argc, char **argv) {
    start(&argc, &argv);
    start_tools();
    if (rank == 0) {
        MPI_T_pvar_handle level = measure("unexpected_bytes", MPI_T_PVAR_CLASS_LEVEL, NULL);
        unsigned long long most = 0;
        for (int round = 0; round < 2000; ++round) {
            unsigned long long now = value_of(level);
            most = now > most ? now : most;
            int flag;
            MPI_Iprobe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        }
        // Messages under way when the limit was reached come on top.
        CHECK(most < (unsigned long long)messages * ints * sizeof(int) * (unsigned)(size - 1) / 2);
        int next[16] = {0}, data[ints];
        for (int i = 0; i < messages * (size - 1); ++i) {
            MPI_Status status;
            CHECK_SUCCESS(
                MPI_Recv(data, ints, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &status));
            CHECK_EQUAL(data[0], next[status.MPI_SOURCE]++);
            CHECK_EQUAL(data[ints - 1], data[0] + ints - 1);
        }
    } else {
        int data[ints];
        for (int i = 0; i < messages; ++i) {
            for (int k = 0; k < ints; ++k)
                data[k] = i + k;
            CHECK_SUCCESS(MPI_Send(data, ints, MPI_INT, 0, 7, MPI_COMM_WORLD));
        }
    }
    return finish();
}
