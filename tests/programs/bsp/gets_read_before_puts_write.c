// BSPlib: a get reads what its area holds at the end of the superstep before any put has written;
// a put's source may be changed at once. The same with counting.
// ranks: 1 2 5 8
#include "check.h"

#include <thrum/bsp.h>

enum { supersteps = 20 };

// Each process puts its number into its right neighbour and gets the value that was there.
static void superstep(int s, int counting, long *cell, long *got) {
    int p = bsp_nprocs(), me = bsp_pid(), right = (me + 1) % p, left = (me + p - 1) % p;
    long before = *cell, mine = 1000 * s + me;
    *got = -1;
    bsp_put(right, &mine, cell, 0, sizeof mine);
    mine = -2;
    bsp_get(right, cell, 0, got, sizeof *got);
    CHECK_EQUAL(*cell, before);
    CHECK_EQUAL(*got, -1);
    if (counting)
        bsp_sync_count(2);
    else
        bsp_sync();
    CHECK_EQUAL(*cell, 1000 * s + left);
    CHECK_EQUAL(*got, s == 0 ? 77 : 1000 * (s - 1) + me);
}

int main(void) {
    bsp_begin(bsp_nprocs());
    long cell = 77, got;
    bsp_push_reg(&cell, sizeof cell);
    bsp_sync();
    for (int s = 0; s < supersteps; ++s)
        superstep(s, s % 3 == 2, &cell, &got);
    bsp_end();
    return 0;
}
