/* The two locks of the SX-4 paper (sections 4 and 6): a System V semaphore, which costs a system
 * call each time, and test-and-set on a word. Both work between processes, in memory they share. */
#ifndef SX4_LOCK_H
#define SX4_LOCK_H

#include <stdatomic.h>

enum lock_kind { lock_of_semaphore, lock_of_word };

/* The word is written by the owner of the lock and by those who try to become it. With a semaphore
 * they find it free. */
struct lock {
    _Atomic int taken;
    int semaphores, number; /* lock_of_semaphore: a set, and which of it; otherwise -1 */
};

/* Creates `count` semaphores that are free. A process has one set. The system does not remove them
 * at the end of the process, so remove_semaphores(), exit() and signals such as SIGTERM do. */
int create_semaphores(int count);
void remove_semaphores(void);

/* Lets the signals end a forked child, whose parent removes the semaphores. */
void forget_semaphores(void);

/* Waits a moment; `tries` counts the calls of one wait. Yields the core once it has taken long:
 * there may be more ranks than cores. */
void back_off(unsigned *tries);

void take(struct lock *lock);
void leave(struct lock *lock);

#endif
