// Rank 1 expects two operations, but three come: the last is told by whoever notices first, the
// sender or the receiver.
// exit: 1
// expect: superstep 1: cbsp_(nsync: expected 2 operations, received 3|send: rank 1 has ended)
// expect: (received 3|it expected 2 operations in it, and this is one more) \(at .*
// expect: \(at .*bsp_count_that_is_exceeded.c:1[56] in main
// timeout: 30
#include <thrum/bsp.h>

int main(void) {
    static int cells[8];
    bsp_begin(bsp_nprocs());
    bsp_sync();
    if (bsp_pid() != 1)
        cbsp_send(1, &cells[bsp_pid()], &cells[7], sizeof(int), NULL);
    cbsp_nsync(bsp_pid() == 1 ? 2 : 0);
    bsp_sync();
    bsp_end();
    return 0;
}
