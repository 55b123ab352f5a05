// A program and a library (with -fPIC) that define variables of the same names, hidden, protected
// and exported.
// ranks: 8 64
// library: hidden_library.c
#include "torture.h"

int both_define = 100;
int hidden_from_program = 200;
static int file_static = 300;
extern int library_value(int which);
extern void library_add(int amount);
extern int *library_protected(void);
int *pointers[] = {&both_define, &hidden_from_program, &file_static};

int main(int argc, char **argv) {
    CHECK(library_value(0) == 100 && library_value(1) == 2 && library_value(2) == 3 &&
          library_value(3) == 4);
    CHECK(*pointers[0] == 100 && *pointers[1] == 200);
    int rank = start(&argc, &argv);
    for (int i = 1; i < 4; ++i) {
        library_add(rank);
        for (int k = 0; k < 3; ++k)
            *pointers[k] += 1;
        *library_protected() += 1;
        let_others_run();
        CHECK_EQUAL(both_define, 100 + i * (rank + 1));
        CHECK_EQUAL(library_value(0), both_define);
        CHECK_EQUAL(library_value(1), 2 + i * rank);
        CHECK_EQUAL(library_value(2), 3 + i * (rank + 1));
        CHECK_EQUAL(library_value(3), 4 + i * rank);
        CHECK(hidden_from_program == 200 + i && file_static == 300 + i);
    }
    return finish();
}
