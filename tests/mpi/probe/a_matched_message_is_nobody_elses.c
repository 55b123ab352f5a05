// ranks: 2
// MPI 5.0 section 3.8.2: MPI_MPROBE and MPI_IMPROBE "provide a mechanism to receive the specific
// message that was matched regardless of other intervening probe or receive operations."
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    if (rank == 0) {
        for (int i = 0; i < 3; i++)
            CHECK_SUCCESS(MPI_Send(&i, 1, MPI_INT, 1, 4, MPI_COMM_WORLD));
    } else {
        MPI_Message message;
        MPI_Status status;
        int value = -1, count = 0, flag = 0;
        CHECK_SUCCESS(MPI_Mprobe(0, 4, MPI_COMM_WORLD, &message, &status));
        CHECK_SUCCESS(MPI_Get_count(&status, MPI_INT, &count));
        CHECK_EQUAL(count, 1);
        CHECK_SUCCESS(MPI_Recv(&value, 1, MPI_INT, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CHECK_EQUAL(value, 1); // the second: the first is taken
        CHECK_SUCCESS(MPI_Mrecv(&value, 1, MPI_INT, &message, MPI_STATUS_IGNORE));
        CHECK_EQUAL(value, 0);
        CHECK(message == MPI_MESSAGE_NULL);
        while (!flag)
            CHECK_SUCCESS(
                MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &message, &status));
        CHECK_SUCCESS(MPI_Mrecv(&value, 1, MPI_INT, &message, &status));
        CHECK(value == 2 && status.MPI_SOURCE == 0 && status.MPI_TAG == 4);
        CHECK_SUCCESS(MPI_Improbe(0, 4, MPI_COMM_WORLD, &flag, &message, &status));
        CHECK(!flag);
    }
    return finish();
}
