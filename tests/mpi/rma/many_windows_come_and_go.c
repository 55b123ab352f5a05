// MPI 5.0 section 12.2.5: "Frees the window object win and returns a null handle (equal to
// MPI_WIN_NULL). This procedure is collective over the group associated with win." Section 12.5:
// "epochs pertaining to different win arguments may overlap".
// ranks: 1 2 8
#include "windows.h"

int main(int argc, char **argv) {
    start(&argc, &argv);

    enum { at_once = 20 };

    MPI_Win wins[at_once];
    int *memory[at_once];
    for (int round = 0; round < 10; ++round) {
        for (int w = 0; w < at_once; ++w) {
            wins[w] = int_window(w + 1, -1, &memory[w]);
            MPI_Win_lock_all(0, wins[w]);
        }
        for (int w = 0; w < at_once; ++w)
            for (int i = 0; i <= w; ++i) {
                int value = 10000 * round + 100 * w + i;
                CHECK_SUCCESS(
                    MPI_Put(&value, 1, MPI_INT, right_neighbour(), i, 1, MPI_INT, wins[w]));
                MPI_Win_flush_local(right_neighbour(), wins[w]);
            }
        for (int w = 0; w < at_once; ++w)
            MPI_Win_unlock_all(wins[w]);
        MPI_Barrier(MPI_COMM_WORLD);
        for (int w = 0; w < at_once; ++w)
            for (int i = 0; i <= w; ++i)
                CHECK_EQUAL(memory[w][i], 10000 * round + 100 * w + i);
        for (int w = 0; w < at_once; ++w)
            free_window(&wins[w]);
    }
    return finish();
}
