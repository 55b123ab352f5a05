// MPI 5.0 section 15.3.7: "A performance variable in this class counts the number of occurrences
// of a specific event": a receive that matches counts when it does, whenever its message was sent.
// ranks: 2
// env: THRUM_TRAY_AFTER=1
#include "variables.h"

enum { WINDOW = 64, MESSAGES = 40 };

// Both wait for each other on two cores, until tiny messages go without the mailbox's lock.
static void talk(int peer) {
    MPI_Request requests[2 * WINDOW];
    static int sent[WINDOW], received[WINDOW];
    for (int round = 0; round < 200; ++round) {
        for (int i = 0; i < WINDOW; ++i)
            MPI_Irecv(&received[i], 1, MPI_INT, peer, i, MPI_COMM_WORLD, &requests[i]);
        for (int i = 0; i < WINDOW; ++i)
            MPI_Isend(&sent[i], 1, MPI_INT, peer, i, MPI_COMM_WORLD, &requests[WINDOW + i]);
        MPI_Waitall(2 * WINDOW, requests, MPI_STATUSES_IGNORE);
    }
}

int main(void) {
    start(NULL, NULL);
    start_tools();
    const int counter = MPI_T_PVAR_CLASS_COUNTER;
    talk(1 - rank);
    for (int i = 0; i < MESSAGES; ++i)
        MPI_Send(&i, 1, MPI_INT, 1 - rank, i, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_T_pvar_handle received = counted("messages_received", counter, NULL);
    MPI_T_pvar_handle unexpected = counted("unexpected_receives", counter, NULL);
    for (int i = 0; i < MESSAGES; ++i) {
        int value = -1;
        MPI_Recv(&value, 1, MPI_INT, 1 - rank, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        CHECK_EQUAL(value, i);
        CHECK_EQUAL(value_of(received), i + 1);
        CHECK_EQUAL(value_of(unexpected), i + 1);
    }
    CHECK_CODE(MPI_T_finalize(), MPI_SUCCESS);
    MPI_Finalize();
    return 0;
}
