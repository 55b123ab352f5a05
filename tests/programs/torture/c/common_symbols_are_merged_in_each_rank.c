// Tentative definitions in two files (-fcommon): one variable of each rank, also where only one
// initialises it.
// ranks: 8 64
// flags: -fcommon
// with: common_symbols_other.c
#include "torture.h"

#include <stdint.h>

int shared_name;
double array[50];
int defined_here;
long grows[2];
char align_me;
int tentative;
int tentative;
int tentative = 4;
static int forward;
static int *to_forward = &forward;
static int forward = 6;
int *pointer_to_common = &shared_name;

int *address_of_shared_name(void);

int main(int argc, char **argv) {
    CHECK(shared_name == 0 && array[49] == 0 && defined_here == 33 && grows[1] == 0);
    CHECK(address_of_shared_name() == &shared_name && pointer_to_common == &shared_name);
    CHECK((uintptr_t)&align_me % 128 == 0 && tentative == 4 && *to_forward == 6);
    int rank = start(&argc, &argv);
    for (int i = 1; i < 4; ++i) {
        shared_name += rank, array[i] = rank, defined_here += i, grows[1] = rank, tentative += rank;
        *address_of_shared_name() += 1, align_me = (char)rank, *to_forward += rank;
        let_others_run();
        CHECK_EQUAL(*pointer_to_common, i * (rank + 1));
        CHECK_EQUAL(array[i], rank);
        CHECK_EQUAL(tentative, 4 + i * rank);
        CHECK_EQUAL(forward, 6 + i * rank);
        CHECK(align_me == rank && grows[1] == rank);
    }
    CHECK_EQUAL(defined_here, 39);
    return finish();
}
