// _Generic, compound literals at file scope, flexible array members with values, designated
// initialisers, anonymous members, static assertions, _Noreturn.
// ranks: 8 64
#include "torture.h"

#include <stdlib.h>
#include <string.h>

static int ints, doubles, pointers;
#define COUNT(x) (*_Generic((x), int: &ints, double: &doubles, default: &pointers) += 1)

static int *literal = (int[]){1, 2, 3};

static struct nest {
    int *inner;
    struct nest *next;
} nest = {(int[]){7, 8}, &(struct nest){(int[]){9}, 0}};

struct flexible {
    int count;
    int *items[];
};

static int item = 4;

struct {
    struct {
        int first, second;
    };

    union {
        long number;
        char bytes[8];
    };
} anonymous = {.second = 2, .number = 0x41};

int sparse[20] = {[3] = 3, [10 ... 12] = 5, [19] = 9};
struct flexible flexible = {3, {&item, &sparse[3], 0}};
_Static_assert(sizeof sparse == 80, "20 ints");
static const char *names[] = {[2] = "two", [0] = "zero"};

static _Noreturn void leave(void) {
    exit(3);
}

static void (*const leaver)(void) = leave;

int main(int argc, char **argv) {
    CHECK(literal[2] == 3 && nest.inner[1] == 8 && *nest.next->inner == 9 &&
          *flexible.items[0] == 4);
    CHECK(anonymous.second == 2 && anonymous.bytes[0] == 'A' && sparse[11] == 5 && sparse[4] == 0);
    CHECK(!names[1] && !strcmp(names[2], "two") && leaver == leave);
    int rank = start(&argc, &argv);
    for (int i = 1; i < 4; ++i) {
        COUNT(i), COUNT(1.0), COUNT(&i), COUNT("text");
        literal[0] += rank, ++nest.inner[0], *nest.next->inner += rank, *flexible.items[0] += rank;
        flexible.items[2] = literal, anonymous.first = rank, anonymous.number += rank,
        sparse[19] = rank;
        let_others_run();
        CHECK(ints == i && doubles == i && pointers == 2 * i);
        CHECK(*flexible.items[2] == 1 + i * rank && nest.inner[0] == 7 + i && item == 4 + i * rank);
        CHECK_EQUAL(*nest.next->inner, 9 + i * rank);
        CHECK_EQUAL(anonymous.number, 0x41 + i * rank);
        CHECK(anonymous.first == rank && sparse[19] == rank);
    }
    return finish();
}
