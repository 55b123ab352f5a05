// A put that would write behind the end of its area at the other process.
// exit: 1
// expect: rank 2, superstep 1: bsp_put: bytes 28 to 36 are not within the area of rank 3, which has
// expect: registered 32 bytes \(at .*bsp_write_outside_a_registered_area.c:15 in main\)
// timeout: 30
#include <thrum/bsp.h>

int main(void) {
    bsp_begin(bsp_nprocs());
    static int area[8];
    double value = 1;
    bsp_push_reg(area, sizeof area);
    bsp_sync();
    if (bsp_pid() == 2)
        bsp_put(3, &value, area, 28, sizeof value);
    bsp_sync();
    bsp_end();
    return 0;
}
