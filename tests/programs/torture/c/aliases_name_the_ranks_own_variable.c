// Aliases of variables and functions: of globals, of file statics, weak, in initialisers.
// ranks: 8 64
#include "torture.h"

#include <stdint.h>

int original = 4;
extern int alias __attribute__((alias("original")));
static int file_static = 6;
extern int alias_of_static __attribute__((alias("file_static"), weak));
int array[4] = {1, 2, 3, 4};
extern int array_alias[4] __attribute__((alias("array")));
__attribute__((visibility("hidden"))) int hidden = 9;
__attribute__((aligned(256))) char aligned[300];
static int *to_alias = &alias;
static int *in_array = &array_alias[2];

int next(void) {
    return ++original;
}

int next_alias(void) __attribute__((alias("next")));
static int (*function)(void) = next_alias;

int main(int argc, char **argv) {
    CHECK(*to_alias == 4 && to_alias == &original && alias_of_static == 6 && *in_array == 3);
    CHECK((uintptr_t)aligned % 256 == 0 && hidden == 9);
    int rank = start(&argc, &argv);
    for (int i = 1; i < 4; ++i) {
        alias += rank, ++alias_of_static, --hidden, aligned[299] = (char)rank,
                                                    array_alias[2] += rank;
        let_others_run();
        CHECK_EQUAL(original, 4 + i * rank + i - 1);
        CHECK_EQUAL(function(), 4 + i * rank + i);
        CHECK_EQUAL(*to_alias, original);
        CHECK_EQUAL(file_static, 6 + i);
        CHECK_EQUAL(array[2], 3 + i * rank);
        CHECK(*in_array == array[2] && hidden == 9 - i && aligned[299] == rank);
    }
    return finish();
}
