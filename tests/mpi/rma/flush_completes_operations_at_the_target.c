// MPI 5.0 section 12.5.4: "All outstanding RMA operations on win initiated by the MPI process
// calling this procedure to the target with rank in the group of the specified window will have
// completed when MPI_WIN_FLUSH returns. The operations are completed both at the origin and at the
// target."
// ranks: 2
#include "windows.h"

// A ball of 100 ints goes to and fro, followed by its number. Nobody sends a message.
int main(int argc, char **argv) {
    start(&argc, &argv);

    enum { length = 100, rounds = 200 };

    int *memory, ball[length], seen, other = 1 - rank, one = 1;
    MPI_Win win = int_window(length + 1, 0, &memory);
    MPI_Win_lock_all(0, win);
    for (int round = 1; round <= rounds; ++round) {
        if (round % 2 == rank) {
            for (int i = 0; i < length; ++i)
                ball[i] = round * i;
            MPI_Put(ball, length, MPI_INT, other, 0, length, MPI_INT, win);
            round % 4 < 2 ? MPI_Win_flush(other, win) : MPI_Win_flush_all(win);
            MPI_Accumulate(&one, 1, MPI_INT, other, length, 1, MPI_INT, MPI_SUM, win);
            MPI_Win_flush(other, win);
        } else {
            int expected = (round + 1) / 2;
            do {
                MPI_Fetch_and_op(NULL, &seen, MPI_INT, rank, length, MPI_NO_OP, win);
                MPI_Win_flush(rank, win);
            } while (seen < expected);
            for (int i = 0; i < length; ++i)
                CHECK_EQUAL(memory[i], round * i);
        }
    }
    MPI_Win_unlock_all(win);
    free_window(&win);
    return finish();
}
