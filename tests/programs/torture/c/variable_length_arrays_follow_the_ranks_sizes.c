// VLAs whose sizes are globals of the rank, alloca, and pointers to VLAs kept in globals.
// ranks: 8 64
#include "torture.h"

#include <alloca.h>
#include <string.h>

static int size = 10;
static int (*matrix)[];
static int *row_of_stack;

static int fill(int n, int m, int a[n][m], int seed) {
    int sum = 0;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < m; ++j)
            sum += a[i][j] = seed + i * m + j;
    return sum;
}

static int nested(int depth) {
    int local[depth + size];
    memset(local, 0, sizeof local);
    local[depth] = depth;
    row_of_stack = local;
    let_others_run();
    CHECK(row_of_stack == local && sizeof local == (size_t)(depth + size) * sizeof(int));
    int below = depth ? nested(depth - 1) : 0;
    return below + local[depth];
}

int main(int argc, char **argv) {
    CHECK_EQUAL(size, 10);
    int rank = start(&argc, &argv);
    size += rank;
    let_others_run();
    int a[size][size + 1];
    matrix = &a[0];
    CHECK_EQUAL(sizeof a, (unsigned)((10 + rank) * (11 + rank)) * sizeof(int));
    int sum = fill(size, size + 1, a, rank);
    char *text = alloca((size_t)size);
    memset(text, 'a' + rank % 26, (size_t)size);
    let_others_run();
    int again = 0;
    for (int i = 0; i < size * (size + 1); ++i)
        again += (*matrix)[i];
    CHECK_EQUAL(again, sum);
    for (int i = 0; i < size; ++i)
        CHECK(text[i] == 'a' + rank % 26);
    CHECK_EQUAL(nested(5), 15);
    CHECK((void *)matrix == (void *)a);
    return finish();
}
