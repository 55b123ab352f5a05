// Constructors and destructors with priorities, atexit handlers and their order, all in each rank.
// ranks: 8 64
// expect: ^rank 0 has ended in order
// expect: ^rank 7 has ended in order
#include "torture.h"

#include <stdlib.h>
#include <unistd.h>

int order[8], constructed, ended;
static int rank = -1;

__attribute__((constructor(200))) static void construct_first(void) {
    order[constructed++] = 1;
}

__attribute__((constructor)) static void construct_last(void) {
    order[constructed++] = 3;
}

__attribute__((constructor(300))) static void construct_second(void) {
    order[constructed++] = 2;
}

static void expect_end(int number) {
    if (order[3] != 40 + rank || ended != number) {
        fprintf(stderr, "rank %d: end %d: %d have ended, mark %d\n", rank, number, ended, order[3]);
        _exit(1);
    }
    ++ended;
}

static void first_registered(void) {
    expect_end(2);
}

static void registered_late(void) {
    expect_end(1);
}

static void last_registered(void) {
    expect_end(0);
    atexit(registered_late);
}

__attribute__((destructor(300))) static void destruct_second(void) {
    expect_end(4);
}

__attribute__((destructor)) static void destruct_first(void) {
    expect_end(3);
}

__attribute__((destructor(200))) static void destruct_last(void) {
    expect_end(5);
    printf("rank %d has ended in order\n", rank);
}

int main(int argc, char **argv) {
    CHECK(constructed == 3 && order[0] == 1 && order[1] == 2 && order[2] == 3 && ended == 0);
    rank = start(&argc, &argv);
    order[3] = 40 + rank;
    let_others_run();
    atexit(first_registered);
    atexit(last_registered);
    let_others_run();
    CHECK(constructed == 3 && order[3] == 40 + rank);
    return finish();
}
