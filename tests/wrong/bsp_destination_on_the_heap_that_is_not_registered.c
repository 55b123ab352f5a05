// The address means something to the caller only: nothing is written.
// exit: 1
// expect: rank 0, superstep 0: cbsp_send: destination 0x[0-9a-f]+ \(4 bytes\) is neither a global variable nor
// expect: inside an area registered by rank 1 or the caller \(at
// expect: .*bsp_destination_on_the_heap_that_is_not_registered.c:14 in main\)
// timeout: 30
#include <stdlib.h>
#include <thrum/bsp.h>

int main(void) {
    bsp_begin(bsp_nprocs());
    int *heap = calloc(1, sizeof(int));
    if (bsp_pid() == 0)
        cbsp_send(1, heap, "abc", 4, NULL);
    bsp_sync();
    bsp_end();
    free(heap);
    return 0;
}
