#define _GNU_SOURCE
#include "lock.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ipc.h>
#include <sys/sem.h>
#include <unistd.h>

enum { tries_before_yield = 1000 };

static volatile sig_atomic_t created = -1; /* the set of this process, or -1 */

static void remove_created(void) {
    if (created >= 0)
        semctl(created, 0, IPC_RMID);
    created = -1;
}

/* semctl() is a bare system call, so a handler may call it. */
static void remove_and_end(int signal_number) {
    remove_created();
    _exit(128 + signal_number);
}

static void handle_signals(void (*handler)(int)) {
    static const int ending[] = {SIGHUP, SIGINT, SIGPIPE, SIGTERM};
    for (int i = 0; i < 4; i++)
        signal(ending[i], handler);
}

int create_semaphores(int count) {
    int semaphores = semget(IPC_PRIVATE, count, 0600);
    if (semaphores < 0) {
        perror("cannot create System V semaphores");
        exit(2);
    }
    created = semaphores;
    atexit(remove_created);
    handle_signals(remove_and_end);
    for (int i = 0; i < count; i++)
        if (semctl(semaphores, i, SETVAL, 1)) {
            perror("cannot set a System V semaphore");
            exit(2);
        }
    return semaphores;
}

void remove_semaphores(void) {
    remove_created();
    forget_semaphores();
}

void forget_semaphores(void) {
    handle_signals(SIG_DFL);
    created = -1;
}

void back_off(unsigned *tries) {
    if (++*tries >= tries_before_yield)
        sched_yield();
}

static void change_semaphore(const struct lock *lock, short by) {
    struct sembuf operation = {.sem_num = (unsigned short)lock->number, .sem_op = by};
    while (semop(lock->semaphores, &operation, 1))
        if (errno != EINTR) {
            perror("semop");
            abort();
        }
}

/* C11 does not know that semop() orders memory, so the orders are those of the word in both. */
void take(struct lock *lock) {
    unsigned tries = 0;
    if (lock->semaphores >= 0)
        change_semaphore(lock, -1);
    /* acquire [sx4-lock-1]: what the last owner has written. */
    while (atomic_exchange_explicit(&lock->taken, 1, memory_order_acquire))
        while (atomic_load_explicit(&lock->taken, memory_order_relaxed))
            back_off(&tries);
}

void leave(struct lock *lock) {
    /* release [sx4-lock-1]: what this owner has written. */
    atomic_store_explicit(&lock->taken, 0, memory_order_release);
    if (lock->semaphores >= 0)
        change_semaphore(lock, 1);
}
