// System V and POSIX message queues, System V semaphores: tried with IPC_NOWAIT, then waited for on
// a spare worker.
#include "libc/blocking.h"
#include "libc/libc_state.h"

#include <algorithm>
#include <mqueue.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>

namespace thrum {
namespace {

// Makes a call that may wait. attempt() fails with errno `busy` where wait() would wait.
// `only_tries`: the program itself does not wait.
template <class Attempt, class Wait>
auto try_first(const char *name, int busy, bool only_tries, Attempt attempt,
               Wait wait) MAY_SUSPEND {
    auto result = attempt();
    if (result >= 0 || errno != busy || waits_in_place())
        return result;
    if (only_tries) {
        let_others_run();
        return result;
    }
    return blocking(name, wait);
}

ssize_t override_msgrcv(int queue, void *message, size_t size_bytes, long type,
                        int flags) MAY_SUSPEND {
    return try_first(
        "msgrcv", ENOMSG, flags & IPC_NOWAIT,
        [=] { return ::msgrcv(queue, message, size_bytes, type, flags | IPC_NOWAIT); },
        [=] { return ::msgrcv(queue, message, size_bytes, type, flags); });
}

int override_msgsnd(int queue, const void *message, size_t size_bytes, int flags) MAY_SUSPEND {
    return try_first(
        "msgsnd", EAGAIN, flags & IPC_NOWAIT,
        [=] { return ::msgsnd(queue, message, size_bytes, flags | IPC_NOWAIT); },
        [=] { return ::msgsnd(queue, message, size_bytes, flags); });
}

int override_semtimedop(int set, sembuf *operations, size_t count,
                        const timespec *timeout) MAY_SUSPEND {
    std::vector<sembuf> attempt(operations, operations + count);
    for (sembuf &operation : attempt)
        operation.sem_flg |= IPC_NOWAIT;
    bool only_tries = std::any_of(operations, operations + count, [](const sembuf &operation) {
        return operation.sem_flg & IPC_NOWAIT;
    });
    // With IPC_NOWAIT in some operations only, the call itself decides.
    return try_first(
        "semop", EAGAIN, only_tries && count == 1,
        [&] { return ::semtimedop(set, attempt.data(), count, timeout); },
        [&] { return ::semtimedop(set, operations, count, timeout); });
}

int override_semop(int set, sembuf *operations, size_t count) MAY_SUSPEND {
    return override_semtimedop(set, operations, count, nullptr);
}

// A POSIX queue has only O_NONBLOCK, which would apply to all that share it, so there is no
// attempt. Such calls are rare.
ssize_t override_mq_receive(mqd_t queue, char *message, size_t size_bytes,
                            unsigned *priority) MAY_SUSPEND {
    return blocking("mq_receive",
                    [=] { return ::mq_receive(queue, message, size_bytes, priority); });
}

ssize_t override_mq_timedreceive(mqd_t queue, char *message, size_t size_bytes, unsigned *priority,
                                 const timespec *deadline) MAY_SUSPEND {
    return blocking("mq_timedreceive", [=] {
        return ::mq_timedreceive(queue, message, size_bytes, priority, deadline);
    });
}

int override_mq_send(mqd_t queue, const char *message, size_t size_bytes,
                     unsigned priority) MAY_SUSPEND {
    return blocking("mq_send", [=] { return ::mq_send(queue, message, size_bytes, priority); });
}

int override_mq_timedsend(mqd_t queue, const char *message, size_t size_bytes, unsigned priority,
                          const timespec *deadline) MAY_SUSPEND {
    return blocking("mq_timedsend",
                    [=] { return ::mq_timedsend(queue, message, size_bytes, priority, deadline); });
}

const FunctionOverride table[] = {
    OVERRIDE("msgrcv", override_msgrcv),
    OVERRIDE("msgsnd", override_msgsnd),
    OVERRIDE("semop", override_semop),
    OVERRIDE("semtimedop", override_semtimedop),
    OVERRIDE("mq_receive", override_mq_receive),
    OVERRIDE("mq_timedreceive", override_mq_timedreceive),
    OVERRIDE("mq_send", override_mq_send),
    OVERRIDE("mq_timedsend", override_mq_timedsend),
};

} // namespace

LIBC_FUNCTIONS(table);

} // namespace thrum
