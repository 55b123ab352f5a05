// Pointers just before and behind arrays (1-based arrays of old codes), differences, negative
// indices.
// ranks: 8 64
// flags: -Wno-array-bounds
#include "torture.h"

#include <stddef.h>
#include <stdint.h>

static double zero_based[10] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
static double *one_based = zero_based - 1;
static int matrix[5][5];
static int *diagonal = &matrix[4][4] + 6;
static int *past_the_end = &matrix[4][5];
static int empty_looking;
int *after_scalar = &empty_looking + 1;
static char bytes[100];
char *reverse = bytes + 100;
static ptrdiff_t distance = 0;
uintptr_t tagged = (uintptr_t)&bytes[48] + 1;

int main(int argc, char **argv) {
    CHECK(one_based + 1 == zero_based && one_based[10] == 9 && past_the_end - &matrix[0][0] == 25);
    CHECK(diagonal - 6 == &matrix[4][4] && after_scalar - 1 == &empty_looking && distance == 0);
    CHECK((char *)(tagged - 1) == bytes + 48);
    int rank = start(&argc, &argv);
    for (int i = 1; i <= 10; ++i)
        one_based[i] += rank;
    for (int i = 4; i >= 0; --i)
        diagonal[-6 * (5 - i)] = rank + i;
    after_scalar[-1] = rank, reverse[-100 + rank] = 1, *(char *)(tagged - 1) += 2;
    distance = past_the_end - matrix[2];
    let_others_run();
    for (int i = 0; i < 10; ++i)
        CHECK(zero_based[i] == i + rank);
    for (int i = 0; i < 5; ++i)
        CHECK_EQUAL(matrix[i][i], rank + i);
    int marked = 0;
    for (int i = 0; i < 100; ++i)
        marked += bytes[i];
    CHECK(marked == 3 && empty_looking == rank && distance == 15);
    CHECK_EQUAL(bytes[rank], rank == 48 ? 3 : 1);
    return finish();
}
