// A get from an address that was registered, and then popped.
// exit: 1
// expect: rank 1, superstep 3: bsp_get: 0x[0-9a-f]+ is not registered \(at
// expect: .*bsp_address_that_is_not_registered.c:19 in main\)
// timeout: 30
#include <thrum/bsp.h>

int main(void) {
    bsp_begin(bsp_nprocs());
    static int area[8];
    int value = 1;
    bsp_push_reg(area, sizeof area);
    bsp_sync();
    bsp_get(0, area, 0, &value, sizeof value);
    bsp_sync();
    bsp_pop_reg(area);
    bsp_sync();
    if (bsp_pid() == 1)
        bsp_get(0, area, 0, &value, sizeof value);
    bsp_sync();
    bsp_end();
    return 0;
}
