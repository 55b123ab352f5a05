// Weak definitions with and without a strong one; weak references to nothing.
// ranks: 8 64
// with: strong_symbols.c
#include "torture.h"

__attribute__((weak)) int replaced = 5;
__attribute__((weak)) int only = 6;
__attribute__((weak)) int only_zero;
extern int *weak_pointer __attribute__((weak));
extern int nothing[] __attribute__((weak));
int get_replaced(void);

__attribute__((weak)) int strength(void) {
    return 1;
}

__attribute__((weak)) int weakness(void) {
    static int calls = 3;
    return ++calls;
}

int (*functions[])(void) = {strength, weakness, get_replaced};
static int *to_only = &only;

int main(int argc, char **argv) {
    CHECK(replaced == 50 && only == 6 && only_zero == 0 && !nothing && weak_pointer == &replaced);
    CHECK(functions[0]() == 2 && functions[1]() == 4 && functions[2]() == 50);
    int rank = start(&argc, &argv);
    for (int i = 1; i < 4; ++i) {
        replaced += rank, ++*to_only, only_zero += rank;
        let_others_run();
        CHECK_EQUAL(get_replaced(), 50 + i * rank);
        CHECK_EQUAL(*weak_pointer, 50 + i * rank);
        CHECK_EQUAL(only, 6 + i);
        CHECK_EQUAL(only_zero, i * rank);
        CHECK_EQUAL(weakness(), 4 + i);
    }
    return finish();
}
