// cbsp_send to a global or static variable, which every process has at an address of its own; to a
// place in a registered area; and to an address that the other process has told.
// ranks: 2 5
#include "check.h"

#include <stdlib.h>
#include <thrum/bsp.h>

int global[16];

static int *local_static(void) {
    static int cell[16];
    return cell;
}

int main(void) {
    cbsp_initialize();
    int p = bsp_nprocs(), me = bsp_pid(), value = me + 40;
    int *heap = calloc(16, sizeof(int)), *heap_of[16] = {0};
    static int *places[16];
    bsp_push_reg(heap, 16 * sizeof(int));
    for (int to = 0; to < p; ++to)
        cbsp_send(to, &places[me], &heap, sizeof heap, NULL);
    cbsp_gsync();
    for (int i = 0; i < p; ++i)
        heap_of[i] = places[i];
    for (int to = 0; to < p; ++to) {
        cbsp_send(to, &global[me], &value, sizeof value, NULL);
        cbsp_send(to, local_static() + me, &value, sizeof value, NULL);
        cbsp_send(to, heap + me, &value, sizeof value, NULL);                  // by registration
        cbsp_send(to, heap_of[to] + 8 + (me & 7), &value, sizeof value, NULL); // its own address
    }
    cbsp_nsync(4 * p);
    for (int i = 0; i < p; ++i) {
        CHECK_EQUAL(global[i], i + 40);
        CHECK_EQUAL(local_static()[i], i + 40);
        CHECK_EQUAL(heap[i], i + 40);
        CHECK_EQUAL(heap[8 + (i & 7)], i + 40);
    }
    cbsp_gsync();
    bsp_end();
    free(heap);
    return 0;
}
