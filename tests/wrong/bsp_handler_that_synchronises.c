// exit: 1
// expect: rank 1, superstep [01]: bsp_sync: called by a handler, which runs while its process synchronises
// expect: \(at .*bsp_handler_that_synchronises.c:8 in handler\)
// timeout: 30
#include <thrum/bsp.h>

static void handler(int source, void *data, int nbytes) {
    bsp_sync();
}

int main(void) {
    cbsp_initialize();
    if (bsp_pid() == 0)
        cbsp_send(1, NULL, "x", 1, handler);
    cbsp_gsync();
    bsp_end();
    return 0;
}
