// Variables and functions whose assembler names differ from those of the source.
// ranks: 8 64
// with: asm_labels_other.c
#include "torture.h"

int renamed __asm__("name_of_the_assembler") = 3;
extern int declared __asm__("real_name");
static int renamed_static __asm__("another.name") = 8;
static int *pointers[] = {&renamed, &declared, &renamed_static};
int next(void) __asm__("next_function");

int next(void) {
    static int calls __asm__("calls.of.next") = 1;
    return ++calls;
}

int get_by_assembler_name(void);
void set_by_assembler_name(int value);

int main(int argc, char **argv) {
    CHECK(renamed == 3 && declared == 21 && *pointers[2] == 8 && get_by_assembler_name() == 3);
    int rank = start(&argc, &argv);
    for (int i = 1; i < 4; ++i) {
        renamed += rank, declared += i, *pointers[2] += rank;
        let_others_run();
        CHECK_EQUAL(get_by_assembler_name(), 3 + i * rank);
        CHECK_EQUAL(*pointers[1], 21 + i * (i + 1) / 2);
        CHECK_EQUAL(renamed_static, 8 + i * rank);
        CHECK_EQUAL(next(), 1 + i);
    }
    set_by_assembler_name(-rank);
    let_others_run();
    CHECK_EQUAL(renamed, -rank);
    CHECK_EQUAL(*pointers[0], -rank);
    return finish();
}
