// GCC's nested functions: plain calls, and pointers to them, which need code on the stack.
// ranks: 8 64
// compilers: gcc
// flags: -Wl,--no-warn-execstack
#include "torture.h"

#include <stdlib.h>

static int calls;

static int apply(int (*function)(int), int argument) {
    ++calls;
    let_others_run();
    return function(argument);
}

int main(int argc, char **argv) {
    CHECK_EQUAL(calls, 0);
    int rank = start(&argc, &argv);
    int seen = 0, values[20];
    int add(int x) {
        static int total = 100;
        seen += x;
        return total += x;
    }
    int compare(const void *a, const void *b) {
        ++seen;
        return (rank & 1 ? -1 : 1) * (*(const int *)a - *(const int *)b);
    }
    CHECK_EQUAL(add(rank), 100 + rank);
    CHECK_EQUAL(apply(add, 2 * rank), 100 + 3 * rank);
    CHECK_EQUAL(seen, 3 * rank);
    for (int i = 0; i < 20; ++i)
        values[i] = i * 7 % 20;
    qsort(values, 20, sizeof *values, compare);
    CHECK_EQUAL(values[0], rank & 1 ? 19 : 0);
    CHECK(seen > 3 * rank + 19 && calls == 1);
    return finish();
}
