// BSPlib: areas are known by local addresses, in the order of registration; the last registration
// of an address counts; what is popped gives way to the one before. Processes may have areas of
// different sizes, or none.
// ranks: 2 4
#include "check.h"

#include <stdlib.h>
#include <string.h>
#include <thrum/bsp.h>

static int area[64];

static void zero_all(void) {
    memset(area, 0, sizeof area);
}

int main(void) {
    bsp_begin(bsp_nprocs());
    int p = bsp_nprocs(), me = bsp_pid(), next = (me + 1) % p, last = (me + p - 1) % p;

    // Heap areas of different sizes: that of process i has i + 1 numbers.
    int *own = calloc((size_t)me + 1, sizeof(int));
    bsp_push_reg(own, (me + 1) * (int)sizeof(int));
    bsp_push_reg(area, sizeof area);
    bsp_sync();
    int value = 5 + me;
    bsp_put(next, &value, own, next * (int)sizeof(int), sizeof value);
    bsp_put(next, &value, area, 8 * sizeof(int), sizeof value);
    bsp_sync();
    CHECK_EQUAL(own[me], 5 + last);
    CHECK_EQUAL(area[8], 5 + last);

    // The same address again, but what it means at the others is another area there.
    zero_all();
    bsp_push_reg(me == 0 ? area : area + 32, 32 * sizeof(int));
    bsp_sync();
    bsp_put(0, &value, me == 0 ? area : area + 32, me * (int)sizeof(int), sizeof value);
    bsp_sync();
    for (int i = 0; i < p && me == 0; ++i)
        CHECK_EQUAL(area[i], 5 + i);

    // Popped: the first registration of `area` is the last again. Within a superstep it is still
    // the other one.
    zero_all();
    bsp_pop_reg(me == 0 ? area : area + 32);
    if (me == 0)
        bsp_put(1, &value, area, 0, sizeof value); // area + 32 of process 1
    bsp_sync();
    if (me == 1)
        CHECK_EQUAL(area[32], 5);
    bsp_put(next, &value, area, 63 * sizeof(int), sizeof value);
    bsp_sync();
    CHECK_EQUAL(area[63], 5 + last);

    // Only process 0 has an area.
    int sum[8] = {0};
    int here[8];
    bsp_push_reg(me == 0 ? sum : here, me == 0 ? (ptrdiff_t)sizeof sum : 0);
    bsp_sync();
    bsp_put(0, &value, me == 0 ? sum : here, me * (int)sizeof(int), sizeof value);
    bsp_sync();
    for (int i = 0; i < p && me == 0; ++i)
        CHECK_EQUAL(sum[i], 5 + i);
    bsp_push_reg(NULL, 0);
    bsp_sync();
    bsp_pop_reg(NULL);
    bsp_sync();
    bsp_end();
    free(own);
    return 0;
}
