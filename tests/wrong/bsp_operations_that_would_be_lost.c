// exit: 1
// expect: rank 1, superstep 0: bsp_end: 1 operations of the last superstep have arrived at this process and
// expect: would be lost: call bsp_sync before bsp_end \(at .*bsp_operations_that_would_be_lost.c:11 in main\)
// timeout: 30
#include <thrum/bsp.h>

int main(void) {
    bsp_begin(bsp_nprocs());
    if (bsp_pid() == 0)
        bsp_send(1, NULL, "x", 1);
    bsp_end();
    return 0;
}
