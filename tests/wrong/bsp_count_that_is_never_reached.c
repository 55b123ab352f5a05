// Rank 1 expects one operation more than there are; all others end globally a superstep later and
// wait for it.
// exit: 86
// expect: DEADLOCK
// expect: rank 1: cbsp_nsync in superstep 1: expected 4 operations, received 3, at
// expect: .*bsp_count_that_is_never_reached.c:18 in main
// expect: ranks 0,2,3: bsp_sync in superstep 2; missing: rank 1, at .*bsp_count_that_is_never_reached.c:19
// expect: in main
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
