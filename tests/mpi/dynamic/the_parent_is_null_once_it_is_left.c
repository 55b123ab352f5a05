// MPI 5.0 section 11.8.2: "After the parent communicator is freed or disconnected,
// MPI_COMM_GET_PARENT returns MPI_COMM_NULL." "Calling MPI_COMM_GET_PARENT a second time returns a
// handle to the same inter-communicator."
// ranks: 1
// ends: n + 4
#include "dynamic.h"

int main(int argc, char **argv) {
    start_family(&argc, &argv);
    if (is_child()) {
        MPI_Comm again = MPI_COMM_NULL;
        CHECK_SUCCESS(MPI_Comm_get_parent(&again));
        CHECK(again == parent);
        if (strcmp(argv[1], "free") == 0)
            CHECK_SUCCESS(MPI_Comm_free(&parent));
        else
            CHECK_SUCCESS(MPI_Comm_disconnect(&parent));
        CHECK_SUCCESS(MPI_Comm_get_parent(&again));
        CHECK(again == MPI_COMM_NULL);
        return finish();
    }
    MPI_Comm children = spawn_self(argv[0], "free", 2);
    CHECK_SUCCESS(MPI_Comm_free(&children));
    children = spawn_self(argv[0], "disconnect", 2);
    return part_from(&children);
}
