/* Runs the ranks of a device, as processes that share its memory or as threads of this one. */
#ifndef SX4_RANKS_H
#define SX4_RANKS_H

#include "device.h"

enum ranks_are { ranks_are_processes, ranks_are_threads };

/* Runs body() in each rank, and binds each to a core of its own if there are enough. Returns 0 if
 * all bodies do. A rank that fails ends the others; if they are threads, it ends this process. A
 * design with a single copy needs threads. */
int run_ranks(const struct design *design, int ranks, enum ranks_are kind,
              int (*body)(struct endpoint *endpoint, int rank, const void *argument),
              const void *argument);

#endif
