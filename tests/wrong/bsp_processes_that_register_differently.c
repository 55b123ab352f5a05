// exit: 1
// expect: superstep 0: bsp_sync: ranks [0-3] and [0-3] have made different calls of bsp_push_reg,
// expect: bsp_pop_reg and bsp_set_tagsize in this superstep or an earlier one \(at
// expect: .*bsp_processes_that_register_differently.c:13 in main\)
// timeout: 30
#include <thrum/bsp.h>

int main(void) {
    static int area[8];
    bsp_begin(bsp_nprocs());
    if (bsp_pid() != 2)
        bsp_push_reg(area, sizeof area);
    bsp_sync();
    bsp_end();
    return 0;
}
