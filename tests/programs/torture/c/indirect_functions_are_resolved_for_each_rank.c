// ranks: 8 64
// Indirect functions (STT_GNU_IFUNC) of the program itself: called directly, through a pointer in
// its data, by an exported name, and by qsort() of the C library. The chosen ones use the variables
// of their rank.
// flags: -rdynamic
#define _GNU_SOURCE
#include "torture.h"

#include <dlfcn.h>
#include <stdlib.h>

static int calls, factor = 3;

static int triple(int x) {
    ++calls;
    return factor * x;
}

static int never(int x) {
    return -x;
}

typedef int Function(int);

static Function *choose(void) {
    return sizeof(long) == 8 ? triple : never;
}

// Local, and exported.
static int hidden_one(int x) __attribute__((ifunc("choose")));
int exported_one(int x) __attribute__((ifunc("choose")));

static int by_value(const void *a, const void *b) {
    ++calls;
    return *(const int *)a - *(const int *)b;
}

static int (*choose_order(void))(const void *, const void *) {
    return by_value;
}

int order(const void *a, const void *b) __attribute__((ifunc("choose_order")));

static Function *table[] = {hidden_one, exported_one, triple};
Function *volatile pointer = exported_one;

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    CHECK_EQUAL(calls, 0);
    CHECK_EQUAL(hidden_one(2), 6);
    factor = 10 + rank;
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_EQUAL(hidden_one(2), 20 + 2 * rank);
    CHECK_EQUAL(exported_one(2), 20 + 2 * rank);
    CHECK_EQUAL(pointer(1), factor);
    for (int i = 0; i < 3; ++i)
        CHECK_EQUAL(table[i](4), 4 * factor);
    CHECK_EQUAL(calls, 7);
    Function *found = (Function *)dlsym(RTLD_DEFAULT, "exported_one");
    CHECK(found != NULL);
    CHECK_EQUAL(found(5), 5 * factor);
    CHECK_EQUAL(calls, 8);
    int numbers[] = {3, 1, 2};
    qsort(numbers, 3, sizeof *numbers, order);
    CHECK(numbers[0] == 1 && numbers[2] == 3 && calls > 8);
    MPI_Finalize();
    return 0;
}
