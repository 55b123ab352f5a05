// MPI 5.0 section 11.10.4: MPI_COMM_DISCONNECT: "This function waits for all decoupled MPI
// activities on comm to complete internally, deallocates the communicator object, and sets the
// handle to MPI_COMM_NULL." "The decoupled MPI activities also include any communication that is
// needed to complete a nonblocking or persistent operation on comm that was freed with
// MPI_REQUEST_FREE."
// ranks: 1 2
// ends: n + 2
#include "dynamic.h"

enum { count = 50000 };

static int data[count];

int main(int argc, char **argv) {
    start_family(&argc, &argv);
    if (is_child()) {
        for (int i = 0; i < count; ++i)
            data[i] = i;
        MPI_Request request;
        CHECK_SUCCESS(MPI_Isend(data, count, MPI_INT, 0, 1, parent, &request));
        CHECK_SUCCESS(MPI_Request_free(&request));
        CHECK_SUCCESS(MPI_Comm_attach_buffer(parent, MPI_BUFFER_AUTOMATIC, 0));
        CHECK_SUCCESS(MPI_Bsend(data, 100, MPI_INT, 0, 2, parent));
        CHECK_SUCCESS(MPI_Comm_disconnect(&parent));
        memset(data, -1, sizeof data); // nobody reads it any more
        return finish();
    }
    MPI_Comm children = spawn_self(argv[0], "child", 2);
    for (int child = 0; child < 2 && rank == 0; ++child) {
        CHECK_SUCCESS(MPI_Recv(data, count, MPI_INT, child, 1, children, MPI_STATUS_IGNORE));
        for (int i = 0; i < count; ++i)
            CHECK_EQUAL(data[i], i);
        CHECK_SUCCESS(MPI_Recv(data, count, MPI_INT, child, 2, children, MPI_STATUS_IGNORE));
        CHECK_EQUAL(data[99], 99);
    }
    return part_from(&children);
}
