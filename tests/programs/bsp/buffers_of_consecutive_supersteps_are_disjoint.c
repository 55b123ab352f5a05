// The paper, section 4.2: "To prevent data corruption, our library cycles through disjoint data
// structures in consecutive supersteps." A producer that expects nothing runs ahead of a consumer
// that sleeps now and then; what it has sent for a superstep stays as it was until that ends.
// ranks: 2 4
#include "check.h"

#include <string.h>
#include <thrum/bsp.h>
#include <unistd.h>

enum { supersteps = 60, bytes = 700, big_bytes = 300000 };

static unsigned char data[bytes], big[big_bytes], source[big_bytes];
static int last_seen = -1;

static void look(int from, void *message, int nbytes) {
    CHECK_EQUAL(nbytes, sizeof last_seen);
    memcpy(&last_seen, message, sizeof last_seen);
}

int main(void) {
    bsp_begin(bsp_nprocs());
    int p = bsp_nprocs(), me = bsp_pid(), consumer = p - 1;
    bsp_push_reg(data, bytes);
    bsp_push_reg(big, big_bytes);
    bsp_sync();
    for (int s = 0; s < supersteps; ++s) {
        int is_big = s % 7 == 3;
        if (me == 0) {
            memset(source, s, big_bytes);
            bsp_put(consumer, source, data, 0, bytes);
            cbsp_send(consumer, NULL, &s, sizeof s, look);
            if (is_big)
                bsp_put(consumer, source, big, 0, big_bytes);
            memset(source, 255, big_bytes);
        }
        if (me != consumer) {
            bsp_sync_count(0);
            continue;
        }
        if (s % 10 == 0)
            usleep(2000);
        bsp_sync_count(is_big ? 3 : 2);
        CHECK_EQUAL(last_seen, s);
        for (int i = 0; i < bytes; ++i)
            CHECK_EQUAL(data[i], s);
        for (int i = 0; i < big_bytes && is_big; i += 999)
            CHECK_EQUAL(big[i], s);
    }
    bsp_end();
    return 0;
}
