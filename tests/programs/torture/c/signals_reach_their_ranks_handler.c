// Handlers that each rank installs for the same signal, and jumps out of them.
// ranks: 8 64
#include "torture.h"

#include <setjmp.h>
#include <signal.h>

static sigjmp_buf place;
static volatile sig_atomic_t hits, plain_hits;

static void jump_away(int number) {
    ++hits;
    siglongjmp(place, number);
}

static void count(int number) {
    (void)number;
    ++plain_hits;
}

int main(int argc, char **argv) {
    CHECK(hits == 0 && plain_hits == 0);
    int rank = start(&argc, &argv);
    signal(SIGUSR1, rank & 1 ? count : jump_away);
    let_others_run();
    for (int i = 1; i < 4; ++i) {
        int result = sigsetjmp(place, 1);
        if (!result) {
            raise(SIGUSR1);
            CHECK(rank & 1);
        } else
            CHECK_EQUAL(result, SIGUSR1);
        let_others_run();
        CHECK_EQUAL(rank & 1 ? plain_hits : hits, i);
    }
    CHECK_EQUAL(rank & 1 ? hits : plain_hits, 0);
    return finish();
}
