// Function statics of inline functions of a header, in two files.
// ranks: 8 64
// with: counters.c
#include "parts/counters.h"
#include "torture.h"

__attribute__((noinline)) static int recurse(int depth) {
    static int deepest = -1;
    static int *const pointer = &deepest;
    if (depth > *pointer)
        *pointer = depth;
    return depth == 0 ? deepest : recurse(depth - 1);
}

int main(int argc, char **argv) {
    CHECK(count_here() == 11 && count_there() == 11 && *history() == 1 && *history_there() == 1);
    int rank = start(&argc, &argv);
    for (int i = 0; i < 7; ++i) {
        *history() += 100 * rank;
        let_others_run();
        CHECK_EQUAL(count_here(), 12 + i);
        CHECK_EQUAL(count_there(), 12 + i);
    }
    CHECK_EQUAL(*history(), 1 + 100 * rank);
    CHECK_EQUAL(*history_there(), 2);
    CHECK_EQUAL(recurse(rank), rank);
    let_others_run();
    CHECK_EQUAL(recurse(0), rank);
    return finish();
}
