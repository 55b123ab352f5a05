// MPI 5.0 section 11.8.2: "The children have their own MPI_COMM_WORLD, which is separate from that
// of the parents." "The ordering of processes in the local and remote groups is the same as the
// ordering of the group of the comm in the parents and of MPI_COMM_WORLD of the children,
// respectively. This inter-communicator can be obtained in the children through the function
// MPI_COMM_GET_PARENT."
// ranks: 1 3
// ends: n + 4
#include "dynamic.h"

enum { children_count = 4 };

int main(int argc, char **argv) {
    start_family(&argc, &argv);
    int local = -1, remote = -1, is_inter = 0;
    if (is_child()) {
        CHECK_EQUAL(size, children_count);
        MPI_Comm_rank(parent, &local);
        CHECK_EQUAL(local, rank);
        char name[MPI_MAX_OBJECT_NAME];
        int length;
        MPI_Comm_get_name(parent, name, &length);
        CHECK(strcmp(name, "MPI_COMM_PARENT") == 0);
        int parents = atoi(argv[1]);
        MPI_Comm_remote_size(parent, &remote);
        CHECK_EQUAL(remote, parents);
        int total = 0, one = 1;
        CHECK_SUCCESS(MPI_Allreduce(&one, &total, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
        CHECK_EQUAL(total, children_count);
        return part_from(&parent);
    }
    char text[16];
    snprintf(text, sizeof text, "%d", size);
    MPI_Comm children = spawn_self(argv[0], text, children_count);
    MPI_Comm_test_inter(children, &is_inter);
    MPI_Comm_size(children, &local);
    MPI_Comm_rank(children, &remote);
    CHECK(is_inter && local == size && remote == rank);
    MPI_Comm_remote_size(children, &remote);
    CHECK_EQUAL(remote, children_count);
    return part_from(&children);
}
