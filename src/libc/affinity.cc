// On which processors a rank may run (sched_setaffinity, pthread_setaffinity_np): what its main
// thread has asked for is kept and told, as in a process, but a fiber runs on any worker. The real
// functions would bind the worker, with all ranks that it runs, and those that take a thread find
// no kernel thread of the fiber's id. A rank is not told the node to which its worker is bound
// (fiber/places.h): it may run on another one in a moment. Other threads of the rank are the
// kernel's.
#include "fiber/places.h"
#include "libc/forked_child.h"
#include "libc/libc_state.h"
#include "rank/rank.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

namespace thrum {
namespace {

// What the main thread of a rank has asked for; nullptr: nothing.
using AskedProcessors = std::unique_ptr<cpu_set_t>;

LIBC_STATE(AskedProcessors, asked_of)

// Returns whether the main thread of the calling rank is a fiber. Constructors of the originals
// call before there are ranks; a forked child has become a process.
bool is_led_by_fiber() {
    return ranks_have_begun() && !in_forked_child() && current_rank().kind != TaskKind::OsThread;
}

// Returns the main thread of the calling rank if that is a fiber and `thread` is it; else nullptr.
const RankThread *main_fiber(pthread_t thread) {
    const bool is_main =
        is_led_by_fiber() && current_rank().thread_pointer == reinterpret_cast<void *>(thread);
    return is_main ? &current_rank() : nullptr;
}

// Returns whether the number, as a system call takes it, is that of this fiber: 0 is the caller,
// that of the process its main thread.
bool is_main_fiber(pid_t pid) {
    return pid == 0 ? main_fiber(::pthread_self()) != nullptr
                    : pid == ::getpid() && is_led_by_fiber();
}

int get_asked(size_t bytes, cpu_set_t *set) {
    if (::sched_getaffinity(0, bytes, set) != 0)
        return errno;
    const cpu_set_t usable = processors_of_fibers();
    std::memset(set, 0, bytes);
    std::memcpy(set, &usable, std::min(bytes, sizeof usable));
    LockGuard guard(current_libc().lock);
    if (const AskedProcessors &asked = asked_of(current_libc())) {
        std::memset(set, 0, bytes);
        std::memcpy(set, asked.get(), std::min(bytes, sizeof *asked));
    }
    return 0;
}

// As the kernel does, takes those that the process may use.
int set_asked(size_t bytes, const cpu_set_t *set) {
    cpu_set_t wanted{};
    std::memcpy(&wanted, set, std::min(bytes, sizeof wanted));
    const cpu_set_t usable = processors_of_fibers();
    CPU_AND(&wanted, &wanted, &usable);
    if (CPU_COUNT(&wanted) == 0)
        return EINVAL;
    LockGuard guard(current_libc().lock);
    asked_of(current_libc()) = std::make_unique<cpu_set_t>(wanted);
    return 0;
}

int to_errno(int error) {
    if (error == 0)
        return 0;
    errno = error;
    return -1;
}

int override_sched_getaffinity(pid_t pid, size_t bytes, cpu_set_t *set) {
    return is_main_fiber(pid) ? to_errno(get_asked(bytes, set))
                              : ::sched_getaffinity(pid, bytes, set);
}

int override_sched_setaffinity(pid_t pid, size_t bytes, const cpu_set_t *set) {
    return is_main_fiber(pid) ? to_errno(set_asked(bytes, set))
                              : ::sched_setaffinity(pid, bytes, set);
}

int override_pthread_getaffinity(pthread_t thread, size_t bytes, cpu_set_t *set) {
    return main_fiber(thread) ? get_asked(bytes, set)
                              : ::pthread_getaffinity_np(thread, bytes, set);
}

int override_pthread_setaffinity(pthread_t thread, size_t bytes, const cpu_set_t *set) {
    return main_fiber(thread) ? set_asked(bytes, set)
                              : ::pthread_setaffinity_np(thread, bytes, set);
}

// The C library asks the kernel for the processors of the thread, too, and fails for a fiber.
int override_pthread_getattr(pthread_t thread, pthread_attr_t *attributes) {
    const RankThread *fiber = main_fiber(thread);
    int error = ::pthread_getattr_np(thread, attributes);
    if (!fiber || error != ESRCH)
        return error;
    cpu_set_t set;
    if (int failed = ::pthread_attr_init(attributes))
        return failed;
    error = ::pthread_attr_setstack(attributes, fiber->stack_low,
                                    static_cast<size_t>(fiber->stack_high - fiber->stack_low));
    if (!error)
        error = get_asked(sizeof set, &set);
    if (!error)
        error = ::pthread_attr_setaffinity_np(attributes, sizeof set, &set);
    if (error)
        ::pthread_attr_destroy(attributes);
    return error;
}

const FunctionOverride table[] = {
    OVERRIDE("sched_getaffinity", override_sched_getaffinity),
    OVERRIDE("sched_setaffinity", override_sched_setaffinity),
    OVERRIDE("pthread_getaffinity_np", override_pthread_getaffinity),
    OVERRIDE("pthread_setaffinity_np", override_pthread_setaffinity),
    OVERRIDE("pthread_getattr_np", override_pthread_getattr),
};

} // namespace

LIBC_FUNCTIONS(table);

} // namespace thrum
