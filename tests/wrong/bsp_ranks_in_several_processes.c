// Supersteps across processes are refused, not hung on.
// options: --ranks-per-process 2
// exit: nonzero
// expect: superstep 0: bsp_begin: the ranks of this job are in several processes
// timeout: 30
#include <thrum/bsp.h>

int main(void) {
    bsp_begin(bsp_nprocs());
    bsp_sync();
    bsp_end();
    return 0;
}
