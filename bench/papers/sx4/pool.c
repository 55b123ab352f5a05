#include "pool.h"

#include <assert.h>

enum { line_bytes = 64 };

static_assert(sizeof(struct block) <= line_bytes, "the head of a block has a line of its own");

static void *memory_of(struct block *block) {
    return (char *)block + line_bytes;
}

static struct block *behind(struct block *block) {
    return (struct block *)((char *)block + block->size_bytes);
}

void pool_create(struct pool *pool, struct lock lock, void *memory, size_t size_bytes) {
    pool->lock = lock;
    pool->free = memory;
    *pool->free = (struct block){.size_bytes = size_bytes / line_bytes * line_bytes};
}

/* Takes `needed` bytes from the beginning of *place, a free block; the rest stays in the list. */
static void split(struct block **place, size_t needed) {
    struct block *block = *place;
    if (block->size_bytes - needed <= line_bytes) { /* no room for a head and data */
        *place = block->next;
        return;
    }
    struct block *rest = (struct block *)((char *)block + needed);
    *rest = (struct block){.size_bytes = block->size_bytes - needed, .next = block->next};
    block->size_bytes = needed;
    *place = rest;
}

void *pool_allocate(struct pool *pool, size_t size_bytes) {
    size_t needed = (size_bytes + line_bytes - 1) / line_bytes * line_bytes + line_bytes;
    take(&pool->lock);
    struct block **place = &pool->free;
    while (*place && (*place)->size_bytes < needed)
        place = &(*place)->next;
    struct block *found = *place;
    if (found)
        split(place, needed);
    leave(&pool->lock);
    return found ? memory_of(found) : NULL;
}

void pool_free(struct pool *pool, void *memory) {
    struct block *block = (struct block *)((char *)memory - line_bytes), *before = NULL;
    take(&pool->lock);
    struct block **place = &pool->free;
    for (; *place && *place < block; place = &(*place)->next)
        before = *place;
    block->next = *place;
    *place = block;
    if (block->next && behind(block) == block->next) {
        block->size_bytes += block->next->size_bytes;
        block->next = block->next->next;
    }
    if (before && behind(before) == block) {
        before->size_bytes += block->size_bytes;
        before->next = block->next;
    }
    leave(&pool->lock);
}
