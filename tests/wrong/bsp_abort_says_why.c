// exit: 1
// expect: rank 2, superstep 1: bsp_abort: 17 is too many \(at .*bsp_abort_says_why.c:10 in main\)
// timeout: 30
#include <thrum/bsp.h>

int main(void) {
    bsp_begin(bsp_nprocs());
    bsp_sync();
    if (bsp_pid() == 2)
        bsp_abort("%d is too many\n", 17);
    bsp_sync();
    bsp_end();
    return 0;
}
