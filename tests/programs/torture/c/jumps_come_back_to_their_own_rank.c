// setjmp and longjmp through globals, over a barrier.
// ranks: 8 64
// flags: -Wno-infinite-recursion
#include "torture.h"

#include <setjmp.h>

static jmp_buf place;
static sigjmp_buf other_place;
int depth;
static volatile int attempts;

static void descend(int n) {
    ++depth;
    if (n == 0)
        longjmp(place, 5);
    descend(n - 1);
}

int main(int argc, char **argv) {
    CHECK(depth == 0 && attempts == 0);
    int rank = start(&argc, &argv);
    for (int i = 0; i < 3; ++i) {
        depth = 0;
        int result = setjmp(place);
        if (!result) {
            let_others_run();
            descend(rank + 3);
        }
        CHECK_EQUAL(result, 5);
        CHECK_EQUAL(depth, rank + 4);
    }
    for (attempts = 0; attempts < 3; ++attempts) {
        int result = sigsetjmp(other_place, 1);
        if (!result) {
            let_others_run();
            siglongjmp(other_place, rank + 1);
        }
        CHECK_EQUAL(result, rank + 1);
        let_others_run();
    }
    CHECK_EQUAL(attempts, 3);
    return finish();
}
