// Tables of labels in an interpreter, differences of labels, switches that become tables of
// addresses.
// ranks: 8 64
#include "torture.h"

static int accumulator, step = 1, steps_done;
static int a = 1, b = 2, c = 3;
static int *compound = (int[]){1, 2, 3};

static int interpret(const unsigned char *code) {
    static void *const labels[] = {&&add, &&twice, &&jump, &&end};
    static const int offsets[] = {&&add - &&add, &&twice - &&add, &&jump - &&add, &&end - &&add};
    static void *mutable_labels[2] = {&&add, &&end};
    accumulator = 0;
    goto *labels[*code];
add:
    accumulator += step, ++steps_done;
    goto *(&&add + offsets[*++code]);
twice:
    accumulator *= 2, ++steps_done;
    goto *labels[*++code];
jump:
    mutable_labels[0] = &&end;
    goto *mutable_labels[0];
end:
    return accumulator;
}

__attribute__((noinline)) static int *choose(int which) {
    switch (which) {
    case 0:
        return &a;
    case 1:
        return &b;
    case 2:
        return &c;
    case 3:
        return &a;
    case 4:
        return compound;
    case 5:
        return &step;
    default:
        return 0;
    }
}

__attribute__((noinline)) static int through_local_table(int which) {
    int *table[] = {&a, &b, &c};
    return *table[which];
}

int main(int argc, char **argv) {
    static const unsigned char program[] = {0, 1, 0, 1, 0, 3}, short_program[] = {0, 2, 0, 0, 3};
    CHECK(interpret(program) == 7 && steps_done == 5 && *choose(4) == 1 && !choose(9));
    int rank = start(&argc, &argv);
    for (int i = 1; i < 4; ++i) {
        *choose(5) = rank, *choose(0) += rank, *choose(1) += 10, compound[2] = rank;
        let_others_run();
        CHECK_EQUAL(interpret(program), 7 * rank);
        CHECK_EQUAL(interpret(short_program), rank);
        CHECK_EQUAL(steps_done, 5 + 6 * i);
        CHECK(*choose(3) == 1 + i * rank && b == 2 + 10 * i && choose(4)[2] == rank);
        CHECK(through_local_table(0) == a && through_local_table(1) == b &&
              through_local_table(2) == 3);
    }
    return finish();
}
