// exit: 1
// expect: superstep 0: bsp_hpput: 0x[0-9a-f]+ has been registered in this superstep: that takes effect with
// expect: the next one \(at .*bsp_use_in_the_superstep_of_registration.c:12 in main\)
// timeout: 30
#include <thrum/bsp.h>

int main(void) {
    bsp_begin(bsp_nprocs());
    static int area[8];
    int value = 1;
    bsp_push_reg(area, sizeof area);
    bsp_hpput(0, &value, area, 0, sizeof value);
    bsp_sync();
    bsp_end();
    return 0;
}
