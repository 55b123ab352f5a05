// exit: nonzero
// expect: rank 2 ended with exit code 0 in superstep 1, without calling bsp_end
// timeout: 30
#include <thrum/bsp.h>

int main(void) {
    bsp_begin(bsp_nprocs());
    bsp_sync();
    if (bsp_pid() == 2)
        return 0;
    bsp_sync();
    bsp_end();
    return 0;
}
