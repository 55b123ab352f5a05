// The paper, section 5.2: "If a message would cause a receive buffer to overflow, ... Subsequent
// messages for the current superstep are then buffered at the sender in a backup buffer." and
// section 5.3: "If a message is larger than an entire message buffer, ... the message is buffered
// on the sender side", to be written "directly to its final destination". Everything arrives, and
// the counters tell the way.
// ranks: 1 3
// env: THRUM_BSP_BUFFER=4096
#include "check.h"

#include <stdlib.h>
#include <string.h>
#include <thrum/bsp.h>

enum { messages = 40, bytes = 500, large_bytes = 100000, buffered = 6 };

static long long overflows[8];

static char area[8][messages][bytes], large[8][large_bytes];

// Each process has received the messages of all in two supersteps. A receive buffer holds 6 of
// them; a sender in another node process may use as much of it as if it were alone.
static void check_overflows(int p, int in_one_process) {
    long long sum = 0;
    for (int from = 0; from < p; ++from)
        sum += overflows[from];
    if (in_one_process)
        CHECK_EQUAL(sum, 2 * p * (p * messages - buffered));
    CHECK(sum <= 2 * p * (p * messages - buffered));
    CHECK(sum >= 2 * p * p * (messages - buffered));
}

int main(void) {
    bsp_begin(bsp_nprocs());
    int p = bsp_nprocs(), me = bsp_pid();
    struct bsp_counters counters;
    char *source = malloc(large_bytes);
    for (int counting = 0; counting < 2; ++counting)
        for (int to = 0; to < p; ++to) {
            memset(area, 0, sizeof area);
            memset(large, 0, sizeof large);
            for (int m = 0; m < messages; ++m) {
                memset(source, m + me + 1, bytes);
                cbsp_send(to, area[me][m], source, bytes, NULL);
            }
            memset(source, me + 9, large_bytes);
            cbsp_send(to, large[me], source, large_bytes, NULL);
            if (counting)
                cbsp_nsync(me == to ? p * (messages + 1) : 0);
            else
                cbsp_gsync();
            for (int from = 0; from < p && me == to; ++from) {
                for (int m = 0; m < messages; ++m)
                    CHECK(area[from][m][0] == m + from + 1 &&
                          area[from][m][bytes - 1] == m + from + 1);
                for (int i = 0; i < large_bytes; ++i)
                    CHECK_EQUAL(large[from][i], from + 9);
            }
        }
    bsp_get_counters(&counters);
    CHECK_EQUAL(counters.large, 2 * p);
    cbsp_send(0, &overflows[me], &counters.overflows, sizeof counters.overflows, NULL);
    cbsp_gsync();
    if (me == 0)
        check_overflows(p, counters.packets == 0);
    free(source);
    bsp_end();
    return 0;
}
