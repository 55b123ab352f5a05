// Constant data that holds addresses of variables: tables of structures, chains of constants,
// constants in functions.
// ranks: 8 64
#include "torture.h"

#include <string.h>

static int counts[4] = {1, 2, 3, 4};
static double weights[2] = {.5, .25};
typedef int (*operation)(void);

static int first(void) {
    return ++counts[0];
}

static int second(void) {
    return ++counts[1];
}

static const struct entry {
    const char *name;
    int *count;
    double *weight;
    operation run;
} table[] = {{"first", &counts[0], &weights[0], first},
             {"second", &counts[1], &weights[1], second}};
const struct entry *const in_table = &table[1];
static const struct entry *const *const to_pointer = &in_table;
int *const *const chain = &table[0].count;
extern int *const exported;
int *const exported = &counts[3];
static const void *const mixed[] = {&counts[2], "text", first, &table[1], 0};

__attribute__((noinline)) static int *select_count(int i) {
    static int *const local[] = {&counts[3], &counts[2], &counts[1]};
    return local[i];
}

__attribute__((noinline)) static const struct entry *find(const char *name) {
    for (unsigned i = 0; i < sizeof table / sizeof *table; ++i)
        if (!strcmp(table[i].name, name))
            return &table[i];
    return 0;
}

int main(int argc, char **argv) {
    CHECK(*table[1].count == 2 && in_table->run == second && **chain == 1 && *exported == 4);
    CHECK(*(const int *)mixed[0] == 3 && mixed[3] == in_table && *select_count(1) == 3);
    int rank = start(&argc, &argv);
    for (int i = 1; i < 4; ++i) {
        *find("first")->count += rank, *(*to_pointer)->weight += rank, *exported += rank;
        *select_count(1) += 2 * rank, ++**chain;
        let_others_run();
        CHECK_EQUAL(find("first")->run(), 1 + i * (rank + 2));
        CHECK_EQUAL(table[1].run(), 2 + i);
        CHECK(weights[1] == .25 + i * rank && counts[3] == 4 + i * rank);
        CHECK_EQUAL(*(const int *)mixed[0], 3 + 2 * i * rank);
    }
    return finish();
}
