// <thrum/bsp.h>: a process that counts is at most two supersteps ahead of those to which it sends,
// and between node processes as far as receive buffers reach. A producer that expects nothing
// cannot finish long before a consumer that takes its time for each superstep.
// ranks: 2
#include "check.h"

#include <stdlib.h>
#include <string.h>
#include <thrum/bsp.h>
#include <unistd.h>

enum { supersteps = 300, bytes = 100000, pause_us = 500 };

static char area[bytes];

int main(void) {
    bsp_begin(2);
    char *source = malloc(bytes);
    bsp_push_reg(area, bytes);
    bsp_sync();
    double begin = bsp_time();
    for (int s = 0; s < supersteps; ++s) {
        if (bsp_pid() == 0) {
            memset(source, s, bytes);
            bsp_put(1, source, area, 0, bytes);
            bsp_sync_count(0);
        } else {
            usleep(pause_us);
            bsp_sync_count(1);
            CHECK_EQUAL(area[0], (char)s);
            CHECK_EQUAL(area[bytes - 1], (char)s);
        }
    }
    if (bsp_pid() == 0)
        CHECK(bsp_time() - begin > supersteps * pause_us * 1e-6 / 2);
    free(source);
    bsp_end();
    return 0;
}
