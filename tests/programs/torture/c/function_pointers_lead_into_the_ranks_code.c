// State machines, call-backs kept in structures and arrays, functions that return functions,
// indirect functions.
// ranks: 8 64
#include "torture.h"

typedef struct state (*state_function)(int);

struct state {
    state_function next;
};

static int trace[8], traced;
static struct state idle(int input), busy(int input), done(int input);
static struct state current = {idle};
static state_function all[3] = {idle, busy, done};

static struct state idle(int input) {
    trace[traced++ % 8] = input;
    return (struct state){busy};
}

static struct state busy(int input) {
    trace[traced++ % 8] = 2 * input;
    return (struct state){input > 0 ? done : busy};
}

static struct state done(int input) {
    trace[traced++ % 8] = 3 * input;
    return (struct state){done};
}

static int twice(int x) {
    return 2 * x;
}

static int thrice(int x) {
    return 3 * x;
}

static int (*pick(int odd))(int) {
    return odd ? thrice : twice;
}

static int (*operations[])(int) = {twice, thrice, 0};

static struct {
    int (*function)(int);
    int argument;
} deferred[4] = {{twice, 1}, {thrice, 1}};

static int resolved_calls = 5;

static int fast(void) {
    return ++resolved_calls;
}

static int (*resolve(void))(void) {
    return fast;
}

int indirect(void) __attribute__((ifunc("resolve")));
static int (*to_indirect)(void) = indirect;

int main(int argc, char **argv) {
    CHECK(current.next == idle && operations[1](2) == 6 && deferred[0].function(1) == 2);
    CHECK(indirect() == 6 && to_indirect() == 7 && pick(0) == twice);
    int rank = start(&argc, &argv);
    for (int i = 0; i < 3; ++i) {
        current = current.next(rank + 1);
        let_others_run();
    }
    CHECK(trace[0] == rank + 1 && trace[1] == 2 * rank + 2 && trace[2] == 3 * rank + 3);
    CHECK(current.next == done && traced == 3 && all[2] == current.next);
    operations[2] = pick(rank & 1);
    deferred[2].function = operations[2], deferred[2].argument = rank;
    let_others_run();
    CHECK_EQUAL(deferred[2].function(deferred[2].argument), (rank & 1 ? 3 : 2) * rank);
    CHECK_EQUAL(to_indirect(), 8);
    CHECK_EQUAL(resolved_calls, 8);
    return finish();
}
