// extern variables and functions, also in initialisers; hidden, weak and undefined ones.
// ranks: 8 64
// with: definitions.c
#include "torture.h"

struct self {
    int a;
    int *b;
};

extern int number, array[];
extern int *const constant_pointer, *const table[3];
extern const int constant;
extern int nobody_defines_this __attribute__((weak));
extern struct self self;
extern int *pointer;
extern int hidden_number __attribute__((visibility("hidden")));
extern void add_thousand(void);
int get(void);
int *address(int i);

void (*function)(void) = add_thousand;
int *initialised_from_extern = &number;
static int **to_pointer = &pointer;
static int *third = &array[3];
static const int *const to_constant = &constant;

int main(int argc, char **argv) {
    CHECK(number == 11 && array[4] == 4 && *constant_pointer == 11 && table[1] == array + 2);
    CHECK(constant == 77 && *to_constant == 77 && &nobody_defines_this == 0 && self.b == &self.a);
    CHECK(initialised_from_extern == &number && *to_pointer == pointer && *third == 3);
    CHECK(hidden_number == 9 && address(0) == &number && address(1) == array);
    int rank = start(&argc, &argv);
    for (int i = 1; i < 5; ++i) {
        number += rank, array[0] = rank, *table[2] += rank, ++self.a, hidden_number += rank;
        function();
        let_others_run();
        CHECK_EQUAL(get(), 11 + (rank + 1000) * i);
        CHECK(number == get() && *initialised_from_extern == number);
        CHECK_EQUAL(*address(1), rank);
        CHECK_EQUAL(array[5], 5 + rank * i);
        CHECK_EQUAL(*self.b, 5 + i);
        CHECK_EQUAL(hidden_number, 9 + rank * i);
    }
    return finish();
}
