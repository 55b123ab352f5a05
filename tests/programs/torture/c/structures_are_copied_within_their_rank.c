// Structures by value: assigned, passed, returned, copied as memory, compared.
// ranks: 8 64
#include "torture.h"

#include <stdlib.h>
#include <string.h>

struct large {
    int a[64];
    double d[32];
    char s[100];
};
struct large one = {{1, 2, 3}, {4, 5}, "text"}, other;
static struct large *pointer = &other;

static struct small {
    int a, b;
} small = {1, 2}, small_zero;

static struct mixed {
    double d;
    long n;
} mixed = {1.5, 2};

static struct large get(void) {
    return one;
}

static int by_value(struct large l) {
    l.a[0] = 99;
    return l.a[1];
}

static struct mixed swap(struct mixed m) {
    return (struct mixed){(double)m.n, (long)m.d};
}

int main(int argc, char **argv) {
    CHECK(one.a[1] == 2 && other.a[1] == 0 && !strcmp(one.s, "text") && mixed.n == 2);
    int rank = start(&argc, &argv);
    one.a[1] += rank;
    let_others_run();
    other = one;
    let_others_run();
    CHECK(other.a[1] == 2 + rank && !strcmp(other.s, "text"));
    *pointer = get();
    CHECK_EQUAL(by_value(*pointer), 2 + rank);
    CHECK_EQUAL(other.a[0], 1);
    memset(&one, 0, sizeof one);
    let_others_run();
    CHECK(one.a[1] == 0 && other.a[1] == 2 + rank);
    memcpy(&one, pointer, sizeof one);
    struct large local = one;
    CHECK(!memcmp(&local, &other, sizeof local));
    small_zero = small, small.a = rank;
    mixed.n = rank;
    mixed = swap(mixed);
    let_others_run();
    CHECK(small_zero.a == 1 && small.a == rank && mixed.d == rank && mixed.n == 1);
    strcpy(one.s, "rank");
    snprintf(one.s + 4, 8, "%d", rank);
    let_others_run();
    CHECK_EQUAL(atoi(one.s + 4), rank);
    return finish();
}
