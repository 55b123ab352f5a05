// Locks of files between ranks.
//
// Record locks (fcntl, lockf) belong to a process, so ranks would not exclude each other. Here they
// are open-file-description locks, which belong to the open file: ranks that open a file each have
// their own. flock() locks have always been like that. A rank waits for a lock on a spare worker.
#include "libc/blocking.h"
#include "libc/forked_child.h"
#include "libc/libc_state.h"
#include "libc/standard_descriptors.h"

#include <cerrno>
#include <cstdarg>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace thrum {
namespace {

// Takes a lock. attempt() fails with EAGAIN or EACCES if another holds it; then wait() waits for it
// on a spare worker.
template <class Attempt, class Wait>
int wait_for_lock(const char *name, Attempt attempt, Wait wait) MAY_SUSPEND {
    int result = attempt();
    if (result == 0 || (errno != EAGAIN && errno != EACCES))
        return result;
    return blocking(name, wait);
}

int override_flock(int descriptor, int operation) MAY_SUSPEND {
    int real = real_descriptor(descriptor);
    if (operation & LOCK_NB) {
        int result = ::flock(real, operation);
        if (result != 0 && errno == EWOULDBLOCK)
            let_others_run();
        return result;
    }
    return wait_for_lock(
        "flock", [=] { return ::flock(real, operation | LOCK_NB); },
        [=] { return ::flock(real, operation); });
}

// Does what fcntl() with a record lock does, for a descriptor of the process's table. For F_GETLK
// the kernel names no process (-1), since such locks have none.
int lock_record(int descriptor, int command, struct flock *lock) MAY_SUSPEND {
    struct flock own = *lock;
    own.l_pid = 0; // as Linux wants it
    if (command == F_SETLKW)
        return wait_for_lock(
            "fcntl", [&] { return ::fcntl(descriptor, F_OFD_SETLK, &own); },
            [&] { return ::fcntl(descriptor, F_OFD_SETLKW, &own); });
    int result = ::fcntl(descriptor, command == F_GETLK ? F_OFD_GETLK : F_OFD_SETLK, &own);
    if (command == F_SETLK && result != 0 && (errno == EAGAIN || errno == EACCES))
        let_others_run();
    if (command == F_GETLK && result == 0) {
        *lock = own;
        if (own.l_type != F_UNLCK && own.l_pid < 0)
            lock->l_pid = ::getpid(); // a rank of this process, probably
    }
    return result;
}

// The argument is an int or a pointer; both arrive whole in a register. Without one, the register's
// value is passed on and ignored.
int override_fcntl(int descriptor, int command, ...) MAY_SUSPEND {
    va_list arguments;
    va_start(arguments, command);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    int real = real_descriptor(descriptor);
    bool is_record_lock = command == F_SETLK || command == F_SETLKW || command == F_GETLK;
    if (is_record_lock && argument && !in_forked_child())
        return lock_record(real, command, static_cast<struct flock *>(argument));
    int result = ::fcntl(real, command, argument);
    if (command == F_DUPFD || command == F_DUPFD_CLOEXEC)
        return numbered(result, static_cast<int>(reinterpret_cast<intptr_t>(argument)));
    return result;
}

// lockf() is fcntl() with an exclusive lock that begins at the current position.
int override_lockf(int descriptor, int command, off_t length) MAY_SUSPEND {
    if (in_forked_child())
        return ::lockf(descriptor, command, length);
    int real = real_descriptor(descriptor);
    struct flock lock = {};
    lock.l_type = command == F_ULOCK ? F_UNLCK : F_WRLCK;
    lock.l_whence = SEEK_CUR;
    lock.l_len = length;
    switch (command) {
    case F_ULOCK:
    case F_TLOCK:
        return lock_record(real, F_SETLK, &lock);
    case F_LOCK:
        return lock_record(real, F_SETLKW, &lock);
    case F_TEST:
        // The kernel does not count the caller's own lock, as lockf() asks.
        if (lock_record(real, F_GETLK, &lock) != 0)
            return -1;
        if (lock.l_type == F_UNLCK)
            return 0;
        errno = EACCES;
        return -1;
    default:
        errno = EINVAL;
        return -1;
    }
}

const FunctionOverride table[] = {
    OVERRIDE("flock", override_flock),   OVERRIDE("fcntl", override_fcntl),
    OVERRIDE("fcntl64", override_fcntl), OVERRIDE("__fcntl", override_fcntl),
    OVERRIDE("lockf", override_lockf),   OVERRIDE("lockf64", override_lockf),
};

} // namespace

LIBC_FUNCTIONS(table);

} // namespace thrum
