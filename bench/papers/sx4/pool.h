/* Memory for the data of messages, shared by all ranks: the SX-4 paper's "single shared pool",
 * whose lock is the second one that a message above the short limit takes.
 *
 * 1. Blocks are multiples of 64 bytes, and lie one behind the other.
 * 2. The free ones are in a list, sorted by address; no two of them are neighbours.
 * 3. The lock guards the list. The data of a block in use belong to the rank that allocated it,
 * then to the rank that has received its address in a packet. */
#ifndef SX4_POOL_H
#define SX4_POOL_H

#include "lock.h"

#include <stddef.h>

struct block {
    size_t size_bytes;  /* with this head */
    struct block *next; /* of the list, if the block is free */
};

struct pool {
    struct lock lock;
    struct block *free;
};

/* Makes `memory`, which begins at a multiple of 64, one free block. */
void pool_create(struct pool *pool, struct lock lock, void *memory, size_t size_bytes);

/* Returns memory for `size_bytes`, or NULL if no free block is large enough now. */
void *pool_allocate(struct pool *pool, size_t size_bytes);
void pool_free(struct pool *pool, void *memory);

#endif
