// A hash table, a free list and an arena whose heads are globals; realloc of a global's memory.
// ranks: 8 64
#include "torture.h"

#include <stdlib.h>
#include <string.h>

struct item {
    struct item *next;
    char key[16];
    int value;
};
static struct item *buckets[32], *free_list;
static int items_made, items_reused;
static int *growing;
static size_t growing_count, growing_capacity;
static char arena[4096], *arena_top = arena;

static unsigned hash(const char *key) {
    unsigned h = 5381;
    while (*key)
        h = h * 33 + (unsigned char)*key++;
    return h % 32;
}

static struct item *put(const char *key, int value) {
    struct item *item = free_list;
    if (item)
        free_list = item->next, ++items_reused;
    else
        item = malloc(sizeof *item), ++items_made;
    strncpy(item->key, key, sizeof item->key - 1);
    item->key[sizeof item->key - 1] = 0;
    item->value = value;
    item->next = buckets[hash(key)];
    return buckets[hash(key)] = item;
}

static struct item **find(const char *key) {
    struct item **link = &buckets[hash(key)];
    while (*link && strcmp((*link)->key, key))
        link = &(*link)->next;
    return link;
}

static void push(int value) {
    if (growing_count == growing_capacity)
        growing = realloc(growing, (growing_capacity = 2 * growing_capacity + 1) * sizeof *growing);
    growing[growing_count++] = value;
}

int main(int argc, char **argv) {
    CHECK(!free_list && !growing && arena_top == arena && items_made == 0);
    int rank = start(&argc, &argv);
    char key[16];
    for (int i = 0; i < 100; ++i) {
        snprintf(key, sizeof key, "key%d", i);
        put(key, i * rank);
        push(i + rank);
        memcpy(arena_top, key, 8);
        arena_top += 8;
        if (i % 25 == 0)
            let_others_run();
    }
    struct item **link = find("key50"), *removed = *link;
    *link = removed->next, removed->next = free_list, free_list = removed;
    let_others_run();
    CHECK(!*find("key50") && (*find("key51"))->value == 51 * rank);
    CHECK(put("again", -rank) == removed && items_reused == 1 && items_made == 100 && !free_list);
    CHECK(growing_count == 100 && growing[99] == 99 + rank && arena_top - arena == 800);
    CHECK(!strcmp(arena + 8 * 42, "key42") && (*find("again"))->value == -rank);
    return finish();
}
