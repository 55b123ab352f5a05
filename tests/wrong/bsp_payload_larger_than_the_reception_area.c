// exit: 1
// expect: rank 3, superstep 1: bsp_move: reception_nbytes is 4, but the payload, of a message of rank 0, has
// expect: 8 bytes \(at .*bsp_payload_larger_than_the_reception_area.c:14 in main\)
// timeout: 30
#include <thrum/bsp.h>

int main(void) {
    bsp_begin(bsp_nprocs());
    if (bsp_pid() == 0)
        bsp_send(3, NULL, "eight by", 8);
    bsp_sync();
    if (bsp_pid() == 3) {
        char payload[4];
        bsp_move(payload, sizeof payload);
    }
    bsp_sync();
    bsp_end();
    return 0;
}
