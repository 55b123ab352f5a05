// Locks, condition variables and semaphores: between a rank and its own threads, or in memory that
// ranks share. A rank that waited on its worker could wait for a rank that only this worker can
// run.
//
// std::mutex and std::condition_variable lead here, too; std::atomic::wait and the guards of
// function statics call syscall(SYS_futex).
#include "libc/blocking.h"
#include "libc/libc_state.h"

#include <cstdarg>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/syscall.h>
#include <threads.h>
#include <unistd.h>

namespace thrum {
namespace {

// Takes a lock: attempt() returns 0, `busy`, or an error; `wait` is the real call. Spinning for a
// moment pays while the holder runs on another core.
template <class Attempt, class Wait>
int lock(const char *name, int busy, Attempt attempt, Wait wait) MAY_SUSPEND {
    int result = attempt();
    if (result != busy) [[likely]]
        return result;
    if (waits_in_place())
        return wait();
    for (unsigned spins = 0; should_spin(spins); ++spins) {
        cpu_pause();
        if (attempt() == 0)
            return 0;
    }
    return blocking(name, wait);
}

// Returns the result of a trylock, which the program repeats in a loop.
int tried(int result, int busy) MAY_SUSPEND {
    if (result == busy)
        let_others_run();
    return result;
}

// ---- mutexes

int override_mutex_lock(pthread_mutex_t *mutex) MAY_SUSPEND {
    return lock(
        "pthread_mutex_lock", EBUSY, [=] { return ::pthread_mutex_trylock(mutex); },
        [=] { return ::pthread_mutex_lock(mutex); });
}

int override_mutex_trylock(pthread_mutex_t *mutex) MAY_SUSPEND {
    return tried(::pthread_mutex_trylock(mutex), EBUSY);
}

int override_mutex_timedlock(pthread_mutex_t *mutex, const timespec *deadline) MAY_SUSPEND {
    return lock(
        "pthread_mutex_timedlock", EBUSY, [=] { return ::pthread_mutex_trylock(mutex); },
        [=] { return ::pthread_mutex_timedlock(mutex, deadline); });
}

int override_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock,
                             const timespec *deadline) MAY_SUSPEND {
    return lock(
        "pthread_mutex_clocklock", EBUSY, [=] { return ::pthread_mutex_trylock(mutex); },
        [=] { return ::pthread_mutex_clocklock(mutex, clock, deadline); });
}

int override_mtx_lock(mtx_t *mutex) MAY_SUSPEND {
    return lock(
        "mtx_lock", thrd_busy, [=] { return ::mtx_trylock(mutex); },
        [=] { return ::mtx_lock(mutex); });
}

int override_mtx_trylock(mtx_t *mutex) MAY_SUSPEND {
    return tried(::mtx_trylock(mutex), thrd_busy);
}

int override_mtx_timedlock(mtx_t *mutex, const timespec *deadline) MAY_SUSPEND {
    return lock(
        "mtx_timedlock", thrd_busy, [=] { return ::mtx_trylock(mutex); },
        [=] { return ::mtx_timedlock(mutex, deadline); });
}

// The holder may be a rank that waits for this worker, so spinning alone might never end.
int override_spin_lock(pthread_spinlock_t *spinlock) MAY_SUSPEND {
    constexpr int attempts_before_yield = 100;
    for (int attempt = 1;; ++attempt) {
        int result = ::pthread_spin_trylock(spinlock);
        if (result != EBUSY)
            return result;
        if (attempt % attempts_before_yield)
            cpu_pause();
        else
            let_others_run();
    }
}

// ---- read-write locks

int override_rdlock(pthread_rwlock_t *rwlock) MAY_SUSPEND {
    return lock(
        "pthread_rwlock_rdlock", EBUSY, [=] { return ::pthread_rwlock_tryrdlock(rwlock); },
        [=] { return ::pthread_rwlock_rdlock(rwlock); });
}

int override_wrlock(pthread_rwlock_t *rwlock) MAY_SUSPEND {
    return lock(
        "pthread_rwlock_wrlock", EBUSY, [=] { return ::pthread_rwlock_trywrlock(rwlock); },
        [=] { return ::pthread_rwlock_wrlock(rwlock); });
}

int override_timedrdlock(pthread_rwlock_t *rwlock, const timespec *deadline) MAY_SUSPEND {
    return lock(
        "pthread_rwlock_timedrdlock", EBUSY, [=] { return ::pthread_rwlock_tryrdlock(rwlock); },
        [=] { return ::pthread_rwlock_timedrdlock(rwlock, deadline); });
}

int override_timedwrlock(pthread_rwlock_t *rwlock, const timespec *deadline) MAY_SUSPEND {
    return lock(
        "pthread_rwlock_timedwrlock", EBUSY, [=] { return ::pthread_rwlock_trywrlock(rwlock); },
        [=] { return ::pthread_rwlock_timedwrlock(rwlock, deadline); });
}

int override_clockrdlock(pthread_rwlock_t *rwlock, clockid_t clock,
                         const timespec *deadline) MAY_SUSPEND {
    return lock(
        "pthread_rwlock_clockrdlock", EBUSY, [=] { return ::pthread_rwlock_tryrdlock(rwlock); },
        [=] { return ::pthread_rwlock_clockrdlock(rwlock, clock, deadline); });
}

int override_clockwrlock(pthread_rwlock_t *rwlock, clockid_t clock,
                         const timespec *deadline) MAY_SUSPEND {
    return lock(
        "pthread_rwlock_clockwrlock", EBUSY, [=] { return ::pthread_rwlock_trywrlock(rwlock); },
        [=] { return ::pthread_rwlock_clockwrlock(rwlock, clock, deadline); });
}

// ---- condition variables and barriers

// There is no attempt for these: a wait on a condition or barrier nearly always waits.
int override_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) MAY_SUSPEND {
    return blocking("pthread_cond_wait", [=] { return ::pthread_cond_wait(condition, mutex); });
}

int override_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex,
                            const timespec *deadline) MAY_SUSPEND {
    return blocking("pthread_cond_timedwait",
                    [=] { return ::pthread_cond_timedwait(condition, mutex, deadline); });
}

int override_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock,
                            const timespec *deadline) MAY_SUSPEND {
    return blocking("pthread_cond_clockwait",
                    [=] { return ::pthread_cond_clockwait(condition, mutex, clock, deadline); });
}

int override_cnd_wait(cnd_t *condition, mtx_t *mutex) MAY_SUSPEND {
    return blocking("cnd_wait", [=] { return ::cnd_wait(condition, mutex); });
}

int override_cnd_timedwait(cnd_t *condition, mtx_t *mutex, const timespec *deadline) MAY_SUSPEND {
    return blocking("cnd_timedwait", [=] { return ::cnd_timedwait(condition, mutex, deadline); });
}

int override_barrier_wait(pthread_barrier_t *barrier) MAY_SUSPEND {
    return blocking("pthread_barrier_wait", [=] { return ::pthread_barrier_wait(barrier); });
}

// ---- semaphores: -1 and errno

// Tries a semaphore. Returns 0 or an error number, as lock() expects.
int try_semaphore(sem_t *semaphore) {
    return ::sem_trywait(semaphore) == 0 ? 0 : errno;
}

template <class Wait>
int wait_for_semaphore(const char *name, sem_t *semaphore, Wait wait) MAY_SUSPEND {
    int error = lock(
        name, EAGAIN, [=] { return try_semaphore(semaphore); },
        [=] { return wait() == 0 ? 0 : errno; });
    if (!error)
        return 0;
    errno = error;
    return -1;
}

int override_sem_wait(sem_t *semaphore) MAY_SUSPEND {
    return wait_for_semaphore("sem_wait", semaphore, [=] { return ::sem_wait(semaphore); });
}

int override_sem_timedwait(sem_t *semaphore, const timespec *deadline) MAY_SUSPEND {
    return wait_for_semaphore("sem_timedwait", semaphore,
                              [=] { return ::sem_timedwait(semaphore, deadline); });
}

int override_sem_clockwait(sem_t *semaphore, clockid_t clock,
                           const timespec *deadline) MAY_SUSPEND {
    return wait_for_semaphore("sem_clockwait", semaphore,
                              [=] { return ::sem_clockwait(semaphore, clock, deadline); });
}

int override_sem_trywait(sem_t *semaphore) MAY_SUSPEND {
    int result = ::sem_trywait(semaphore);
    if (result != 0 && errno == EAGAIN)
        let_others_run();
    return result;
}

// ---- system calls by number

// Returns whether a system call may wait: `operation` is its second argument, `wanted` the number
// of events that it waits for.
bool waits(long number, long operation, long wanted) {
    if (number == SYS_io_getevents || number == SYS_io_uring_enter)
        return wanted > 0; // events to wait for
    if (number != SYS_futex)
        return number == SYS_waitid || number == SYS_wait4;
    switch (operation & FUTEX_CMD_MASK) {
    case FUTEX_WAIT:
    case FUTEX_WAIT_BITSET:
    case FUTEX_LOCK_PI:
    case FUTEX_WAIT_REQUEUE_PI:
        return true;
    default:
        return false;
    }
}

// Reads six arguments, whatever the program has passed: the kernel ignores those that it does not
// need. Not instrumented: where fewer are passed, the last is a word of the caller's frame, which
// AddressSanitizer may have fenced.
[[gnu::no_sanitize_address]] long override_syscall(long number, ...) MAY_SUSPEND {
    va_list arguments;
    va_start(arguments, number);
    long a[6];
    for (long &argument : a)
        argument = va_arg(arguments, long);
    va_end(arguments);
    // io_getevents(context, min_nr ...), io_uring_enter(fd, to_submit, min_complete ...)
    long wanted = number == SYS_io_getevents ? a[1] : a[2];
    auto call = [&] {
        return ::syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
    };
    return waits(number, a[1], wanted) ? blocking("syscall", call) : call();
}

const FunctionOverride table[] = {
    OVERRIDE("pthread_mutex_lock", override_mutex_lock),
    OVERRIDE("__pthread_mutex_lock", override_mutex_lock),
    OVERRIDE("pthread_mutex_trylock", override_mutex_trylock),
    OVERRIDE("__pthread_mutex_trylock", override_mutex_trylock),
    OVERRIDE("pthread_mutex_timedlock", override_mutex_timedlock),
    OVERRIDE("pthread_mutex_clocklock", override_mutex_clocklock),
    OVERRIDE("mtx_lock", override_mtx_lock),
    OVERRIDE("mtx_trylock", override_mtx_trylock),
    OVERRIDE("mtx_timedlock", override_mtx_timedlock),
    OVERRIDE("pthread_spin_lock", override_spin_lock),
    OVERRIDE("pthread_rwlock_rdlock", override_rdlock),
    OVERRIDE("__pthread_rwlock_rdlock", override_rdlock),
    OVERRIDE("pthread_rwlock_wrlock", override_wrlock),
    OVERRIDE("__pthread_rwlock_wrlock", override_wrlock),
    OVERRIDE("pthread_rwlock_timedrdlock", override_timedrdlock),
    OVERRIDE("pthread_rwlock_timedwrlock", override_timedwrlock),
    OVERRIDE("pthread_rwlock_clockrdlock", override_clockrdlock),
    OVERRIDE("pthread_rwlock_clockwrlock", override_clockwrlock),
    OVERRIDE("pthread_cond_wait", override_cond_wait),
    OVERRIDE("pthread_cond_timedwait", override_cond_timedwait),
    OVERRIDE("pthread_cond_clockwait", override_cond_clockwait),
    OVERRIDE("cnd_wait", override_cnd_wait),
    OVERRIDE("cnd_timedwait", override_cnd_timedwait),
    OVERRIDE("pthread_barrier_wait", override_barrier_wait),
    OVERRIDE("sem_wait", override_sem_wait),
    OVERRIDE("sem_timedwait", override_sem_timedwait),
    OVERRIDE("sem_clockwait", override_sem_clockwait),
    OVERRIDE("sem_trywait", override_sem_trywait),
    OVERRIDE("syscall", override_syscall),
};

} // namespace

LIBC_FUNCTIONS(table);

} // namespace thrum
