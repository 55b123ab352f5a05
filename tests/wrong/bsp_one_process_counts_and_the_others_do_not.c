// Rank 1 ends superstep 1 by counting, the others globally: it is told at one of their calls, or
// when all wait.
// exit: nonzero
// expect: superstep [12].*(globally|must end each superstep in the same way|by counting)
// expect: bsp_one_process_counts_and_the_others_do_not.c:1[0-9] in main
// timeout: 30
#include <thrum/bsp.h>

int main(void) {
    bsp_begin(bsp_nprocs());
    bsp_sync();
    if (bsp_pid() == 1)
        bsp_sync_count(0);
    else
        bsp_sync();
    bsp_sync();
    bsp_end();
    return 0;
}
