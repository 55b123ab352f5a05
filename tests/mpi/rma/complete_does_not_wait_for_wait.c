// MPI 5.0 section 12.7.3: "This code will not deadlock. Once process 1 calls post, then the
// sequence start-put-complete on process 0 can proceed. Process 0 will reach the send call,
// allowing the receive call of process 1 to return."
// ranks: 2
#include "windows.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    int *memory, other = 1 - rank;
    MPI_Win win = int_window(1 << 16, 0, &memory);
    MPI_Group group = group_of(1, &other);
    for (int round = 0; round < 100; ++round) {
        if (rank == 0) {
            int *data = malloc(sizeof(int) << 16);
            for (int i = 0; i < 1 << 16; ++i)
                data[i] = i + round;
            CHECK_SUCCESS(MPI_Win_start(group, 0, win));
            CHECK_SUCCESS(MPI_Put(data, 1 << 16, MPI_INT, 1, 0, 1 << 16, MPI_INT, win));
            CHECK_SUCCESS(MPI_Win_complete(win));
            MPI_Send(&round, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
            free(data);
        } else {
            int got;
            CHECK_SUCCESS(MPI_Win_post(group, 0, win));
            MPI_Recv(&got, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            CHECK_SUCCESS(MPI_Win_wait(win));
            CHECK_EQUAL(got, round);
            CHECK_EQUAL(memory[0], round);
            CHECK_EQUAL(memory[65535], 65535 + round);
        }
    }
    MPI_Group_free(&group);
    free_window(&win);
    return finish();
}
