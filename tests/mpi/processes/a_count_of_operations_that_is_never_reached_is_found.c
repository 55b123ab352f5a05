// Rank 1 expects one operation more than there are, and all others end the next superstep globally:
// nobody can go on, and nothing is under way between the node processes (docs/bsp.md).
// modes: processes
// exit: 86
// expect: DEADLOCK
// expect: rank 1: cbsp_nsync in superstep 1: expected 4 operations, received 3, at
// expect: ranks 0,2,3: bsp_sync in superstep 2
// timeout: 30
#include <thrum/bsp.h>

int main(void) {
    static int cells[8];
    bsp_begin(bsp_nprocs());
    bsp_sync();
    if (bsp_pid() != 1)
        cbsp_send(1, &cells[bsp_pid()], &cells[7], sizeof(int), NULL);
    cbsp_nsync(bsp_pid() == 1 ? 4 : 0);
    bsp_sync();
    bsp_end();
    return 0;
}
