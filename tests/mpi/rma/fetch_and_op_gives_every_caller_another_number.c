// MPI 5.0 section 12.3.4: "Accumulate one element of type datatype from the origin buffer
// origin_addr to the buffer at offset target_disp, in the target window specified by target_rank
// and win, using the operator op and return in the result buffer result_addr the content of the
// target buffer before the accumulation." "The operation is executed atomically."
// ranks: 1 4 16
#include "windows.h"

int main(int argc, char **argv) {
    start(&argc, &argv);

    enum { tickets = 200 };

    int *memory, one = 1, ticket, last = -1;
    MPI_Win win = int_window(1 + tickets * size, 0, &memory);
    MPI_Win_lock_all(0, win);
    for (int i = 0; i < tickets; ++i) {
        MPI_Fetch_and_op(&one, &ticket, MPI_INT, 0, 0, MPI_SUM, win);
        MPI_Win_flush(0, win);
        CHECK(ticket > last && ticket < tickets * size);
        last = ticket;
        MPI_Accumulate(&one, 1, MPI_INT, 0, 1 + ticket, 1, MPI_INT, MPI_SUM, win);
    }
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        for (int i = 0; i < tickets * size; ++i)
            CHECK_EQUAL(memory[1 + i], 1);
    free_window(&win);
    return finish();
}
