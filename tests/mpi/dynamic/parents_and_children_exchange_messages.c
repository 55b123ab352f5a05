// MPI 5.0 section 11.8.2: "The inter-communicator returned by MPI_COMM_SPAWN contains the parent
// processes in the local group and the child processes in the remote group."
// ranks: 2
// ends: n + 3
#include "dynamic.h"

enum { children_count = 3, count = 20000 };

static int data[count];

int main(int argc, char **argv) {
    start_family(&argc, &argv);
    if (is_child()) {
        for (int i = 0; i < 2; ++i) {
            MPI_Status status;
            CHECK_SUCCESS(MPI_Recv(data, count, MPI_INT, MPI_ANY_SOURCE, 5, parent, &status));
            CHECK_EQUAL(data[0], 1000 * status.MPI_SOURCE + rank);
            CHECK_EQUAL(data[count - 1], count - 1);
            CHECK_SUCCESS(MPI_Send(&rank, 1, MPI_INT, status.MPI_SOURCE, 6, parent));
        }
        int root_value = -1, sum = -1;
        CHECK_SUCCESS(MPI_Bcast(&root_value, 1, MPI_INT, 1, parent)); // from rank 1 of the parents
        CHECK_EQUAL(root_value, 77);
        CHECK_SUCCESS(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, parent));
        CHECK_EQUAL(sum, 0 + 1); // of the parents
        return part_from(&parent);
    }
    MPI_Comm children = spawn_self(argv[0], "child", children_count);
    for (int i = 1; i < count; ++i)
        data[i] = i;
    for (int child = 0; child < children_count; ++child) {
        int got = -1;
        data[0] = 1000 * rank + child;
        CHECK_SUCCESS(MPI_Send(data, count, MPI_INT, child, 5, children));
        CHECK_SUCCESS(MPI_Recv(&got, 1, MPI_INT, child, 6, children, MPI_STATUS_IGNORE));
        CHECK_EQUAL(got, child);
    }
    int value = 77, sum = -1;
    CHECK_SUCCESS(MPI_Bcast(&value, 1, MPI_INT, rank == 1 ? MPI_ROOT : MPI_PROC_NULL, children));
    CHECK_SUCCESS(MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, children));
    CHECK_EQUAL(sum, 0 + 1 + 2); // of the children
    return part_from(&children);
}
