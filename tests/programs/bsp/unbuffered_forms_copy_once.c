// BSPlib: bsp_hpput and bsp_hpget copy between the call and the end of the superstep, from and to
// the user's own memory. Some of the processes are late in each superstep, so that both ways (at
// once, or by the other process when it synchronises) are taken.
// ranks: 1 2 6
#include "check.h"

#include <thrum/bsp.h>
#include <unistd.h>

enum { n = 1000, supersteps = 30 };

static double in[n], out[n], got[n], fixed[n];

int main(void) {
    bsp_begin(bsp_nprocs());
    int p = bsp_nprocs(), me = bsp_pid(), next = (me + 1) % p, last = (me + p - 1) % p;
    bsp_push_reg(in, sizeof in);
    bsp_push_reg(fixed, sizeof fixed);
    for (int i = 0; i < n; ++i)
        fixed[i] = me * n + i;
    bsp_sync();
    for (int s = 0; s < supersteps; ++s) {
        for (int i = 0; i < n; ++i)
            out[i] = s * 1e6 + me * n + i;
        if ((s + me) % 5 == 0)
            usleep(300);
        bsp_hpput(next, out, in, 0, sizeof out / 2);
        bsp_hpput(next, out + n / 2, in, sizeof in / 2, sizeof out / 2);
        bsp_hpget(last, fixed, 0, got, sizeof got);
        if (s % 2)
            bsp_sync();
        else
            bsp_sync_count(3);
        for (int i = 0; i < n; ++i) {
            CHECK(in[i] == s * 1e6 + last * n + i);
            CHECK(got[i] == last * n + i);
            got[i] = 0;
        }
        bsp_sync(); // `in` has been read
    }
    struct bsp_counters counters;
    bsp_get_counters(&counters);
    CHECK_EQUAL(counters.overflows + counters.large, 0);
    bsp_end();
    return 0;
}
