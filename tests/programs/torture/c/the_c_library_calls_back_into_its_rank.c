// qsort, qsort_r, bsearch, lfind, tsearch, twalk, scandir, atexit, pthread_once: functions of the
// program that the C library calls see the rank's variables.
// ranks: 8 64
#define _GNU_SOURCE
#include "torture.h"

#include <dirent.h>
#include <pthread.h>
#include <search.h>
#include <stdlib.h>

static int comparisons, direction = 1, walked, filtered, onces;
static int data[100];
static void *tree;

static int compare(const void *a, const void *b) {
    ++comparisons;
    return direction * (*(const int *)a - *(const int *)b);
}

static int compare_with(const void *a, const void *b, void *count) {
    ++*(int *)count;
    return compare(b, a);
}

static int (*const operations[])(const void *, const void *) = {compare, 0};

static void visit(const void *node, VISIT order, int level) {
    (void)level;
    if (order == postorder || order == leaf)
        walked += **(const int *const *)node;
}

static int keep_dots(const struct dirent *entry) {
    ++filtered;
    return entry->d_name[0] == '.';
}

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void do_once(void) {
    ++onces;
}

static void at_exit(void) {
    if (walked == 0 || comparisons == 0)
        abort();
}

static void sort_and_find(int rank) {
    static int count;
    for (int i = 0; i < 100; ++i)
        data[i] = (i * 37 + rank) % 101;
    direction = rank & 1 ? -1 : 1;
    let_others_run();
    qsort(data, 100, sizeof *data, operations[0]);
    let_others_run();
    for (int i = 1; i < 100; ++i)
        CHECK(direction * data[i - 1] <= direction * data[i]);
    CHECK(comparisons > 100);
    int key = data[50];
    CHECK(bsearch(&key, data, 100, sizeof key, compare) == &data[50]);
    qsort_r(data, 100, sizeof *data, compare_with, &count);
    CHECK(count > 100 && direction * data[0] >= direction * data[99]);
    size_t n = 100;
    CHECK(lfind(&key, data, &n, sizeof key, compare) == &data[49]);
}

int main(int argc, char **argv) {
    CHECK(comparisons == 0 && direction == 1 && walked == 0 && !tree && onces == 0);
    int rank = start(&argc, &argv);
    sort_and_find(rank);
    for (int i = 0; i < 10; ++i) {
        data[i] = i * (rank + 1);
        tsearch(&data[i], &tree, compare);
    }
    let_others_run();
    twalk(tree, visit);
    CHECK_EQUAL(walked, 45 * (rank + 1));
    struct dirent **list;
    CHECK_EQUAL(scandir("/", &list, keep_dots, alphasort) >= 2, 1);
    CHECK(filtered > 2);
    pthread_once(&once, do_once);
    let_others_run();
    pthread_once(&once, do_once);
    CHECK_EQUAL(onces, 1);
    atexit(at_exit);
    return finish();
}
