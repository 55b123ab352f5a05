// Threads that a rank makes belong to it: they see its image's thread-local initial values and its
// C-library state, and may call MPI.
//
// pthread_create() starts run_thread(), which makes the new OS thread a task of the rank before it
// calls the program's function. From then on current_rank() works there. At the end of the thread a
// thread-local object (ThreadTask) undoes this after the program's own thread-local destructors.
// Each such thread is announced to the fiber layer while it runs, so that a job with a running
// thread is not taken for deadlocked.
#include "libc/threads.h"

#include "base/check.h"
#include "base/clock.h"
#include "base/create_thread.h"
#include "fiber/thread_block.h"
#include "fiber/threads_of_ranks.h"
#include "fiber/timer.h"
#include "fiber/unbound.h"
#include "libc/blocking.h"
#include "libc/cpu_time.h"
#include "libc/directory.h"
#include "libc/exit.h"
#include "libc/forked_child.h"
#include "libc/keys.h"
#include "libc/libc_state.h"
#include "libc/locale.h"
#include "libc/signals.h"
#include "libc/thread_states.h"
#include "plugin/plugin.h"
#include "rank/contained.h"
#include "rank/job.h"

#include <cerrno>
#include <pthread.h>
#include <threads.h>
#include <unistd.h>

namespace thrum {

namespace {

// Adds the calling thread to those of its rank.
void add_thread_state(LibcState &state) {
    auto *thread = new ThreadState;
    thread->thread_pointer = current_thread_pointer();
    thread->os_thread_id = ::gettid();
    StateGuard guard(state.lock);
    threads_of(state).others.push_back(thread);
}

// Removes the calling thread from those of its rank, and keeps its CPU time for the rank. Both
// under one lock: otherwise the rank's CPU time could count the thread twice or not at all.
void forget_thread_state(LibcState &state) {
    StateGuard guard(state.lock);
    add_cpu_time_of_ending_thread(state);
    for (size_t i = 0; i < threads_of(state).others.size(); ++i)
        if (threads_of(state).others[i]->thread_pointer == current_thread_pointer()) {
            delete threads_of(state).others[i];
            threads_of(state).others.erase(threads_of(state).others.begin() +
                                           static_cast<ptrdiff_t>(i));
            break;
        }
}

// What the maker of a thread hands to it. The new thread deletes it.
struct ThreadStart {
    void *(*function)(void *);
    void *argument;
    Rank *rank;
    SignalSet mask;  // the signals that its maker blocks
    bool is_counted; // whether RankThreads::running counts it
};

// The task of a thread, which lives as long as the thread. Its destructor is the first to be
// registered in the thread. It therefore runs after those of the program's thread-locals, also
// after pthread_exit().
struct ThreadTask {
    RankThread *task = nullptr;
    bool is_counted = false;

    ~ThreadTask() {
        if (!task)
            return;
        // The order matters: key destructors are code of the program, and need the image, the rank
        // and the task. The task is deleted last, because leave_os_thread() still uses it.
        run_key_destructors();
        leave_plugin_thread(task->rank->image);
        forget_thread_state(libc_of(*task->rank));
        if (is_counted)
            // release [threads-1]: what the thread has done.
            threads_of(libc_of(*task->rank)).running.fetch_sub(1, std::memory_order_release);
        leave_os_thread(*task);
        delete task;
    }
};

thread_local ThreadTask this_thread;

// The start function of every thread of a rank: makes the OS thread a task of the rank, then runs
// the program's function.
void *run_thread(void *argument) {
    ThreadStart start = *static_cast<ThreadStart *>(argument);
    delete static_cast<ThreadStart *>(argument);
    // Before anything of the program runs: its thread-locals hold the original's addresses until
    // then.
    initialise_tls(start.rank->image, __builtin_thread_pointer());
    set_current_image(start.rank->image);
    enter_plugin_thread(start.rank->image);
    this_thread.task = new RankThread;
    this_thread.task->rank = start.rank;
    this_thread.is_counted = start.is_counted;
    add_thread_state(libc_of(*start.rank));
    signals_of(*this_thread.task).mask.store(start.mask, std::memory_order_relaxed);
    enter_os_thread(*this_thread.task);
    withdraw_os_thread(); // announced by its maker
    thread_has_started();
    enter_directory_in_new_thread(*start.rank);
    enter_locale_in_new_thread(libc_of(*start.rank));
    return start.function(start.argument);
}

// Counts and announces the thread before it exists: otherwise the rank could end, or the process
// could be taken for quiescent, between its creation and its first instruction.
int override_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                            void *(*function)(void *), void *argument) {
    if (in_forked_child())
        return ::pthread_create(thread, attributes, function, argument);
    note_threads_of_ranks();
    const RankThread &self = current_rank_thread();
    auto *start = new ThreadStart{function, argument, self.rank,
                                  signals_of(self).mask.load(std::memory_order_relaxed), true};
    threads_of(libc_of(*self.rank)).running.fetch_add(1, std::memory_order_relaxed);
    announce_os_thread();
    const Unbound unbound;
    int error = create_thread(thread, attributes, run_thread, start);
    if (error) {
        threads_of(libc_of(*self.rank)).running.fetch_sub(1, std::memory_order_relaxed);
        withdraw_os_thread();
        delete start;
    }
    return error;
}

// Joins a thread without holding the worker: the thread may wait for a message of another rank
// there. Tries first, because moving to a spare worker is expensive.
int join(pthread_t thread, void **result) MAY_SUSPEND {
    int error = ::pthread_tryjoin_np(thread, result);
    if (error != EBUSY)
        return error;
    return blocking("pthread_join", [=] { return ::pthread_join(thread, result); });
}

int override_pthread_join(pthread_t thread, void **result) MAY_SUSPEND {
    return join(thread, result);
}

int override_pthread_timedjoin(pthread_t thread, void **result,
                               const timespec *deadline) MAY_SUSPEND {
    return blocking("pthread_timedjoin_np",
                    [=] { return ::pthread_timedjoin_np(thread, result, deadline); });
}

int override_pthread_clockjoin(pthread_t thread, void **result, clockid_t clock,
                               const timespec *deadline) MAY_SUSPEND {
    return blocking("pthread_clockjoin_np",
                    [=] { return ::pthread_clockjoin_np(thread, result, clock, deadline); });
}

// The function of a C11 thread, which returns an int; the rest is the same as for POSIX threads.
struct CThreadStart {
    thrd_start_t function;
    void *argument;
};

void *run_c_thread(void *argument) {
    CThreadStart start = *static_cast<CThreadStart *>(argument);
    delete static_cast<CThreadStart *>(argument);
    return reinterpret_cast<void *>(static_cast<intptr_t>(start.function(start.argument)));
}

int override_thrd_create(thrd_t *thread, thrd_start_t function, void *argument) {
    auto *start = new CThreadStart{function, argument};
    int error = override_pthread_create(thread, nullptr, run_c_thread, start);
    if (!error)
        return thrd_success;
    delete start;
    return error == ENOMEM ? thrd_nomem : thrd_error;
}

int override_thrd_join(thrd_t thread, int *result) MAY_SUSPEND {
    void *value = nullptr;
    if (join(thread, &value) != 0)
        return thrd_error;
    if (result)
        *result = static_cast<int>(reinterpret_cast<intptr_t>(value));
    return thrd_success;
}

// Ends the rank when its last thread has ended, after pthread_exit() in its main thread. POSIX: the
// process ends then "as if the implementation called exit() with a zero argument at thread
// termination time". The main task has no OS thread of its own that could end.
[[noreturn]] void exit_after_threads() MAY_SUSPEND {
    constexpr int64_t pause_ns = 500'000;
    run_thread_local_destructors();
    run_key_destructors();
    // Nothing wakes this task when a thread ends, so it looks again every half millisecond.
    while (threads_of(current_libc()).running.load(std::memory_order_acquire) > 0) // [threads-1]
        wait_until(now_ns() + pause_ns);
    rank_exit(0);
}

// Ends the calling thread. The main one of a rank ends the rank instead (exit_after_threads()).
[[noreturn]] void override_pthread_exit(void *result) MAY_SUSPEND {
    if (Contained *self = contained_caller())
        end_contained(*self, RankEnd::Returned, 0, nullptr);
    if (!in_forked_child() && &current_rank_thread() == &current_rank())
        exit_after_threads();
    ::pthread_exit(result);
}

[[noreturn]] void override_thrd_exit(int result) MAY_SUSPEND {
    override_pthread_exit(reinterpret_cast<void *>(static_cast<intptr_t>(result)));
}

const FunctionOverride table[] = {
    OVERRIDE("pthread_create", override_pthread_create),
    OVERRIDE("pthread_join", override_pthread_join),
    OVERRIDE("pthread_timedjoin_np", override_pthread_timedjoin),
    OVERRIDE("pthread_clockjoin_np", override_pthread_clockjoin),
    OVERRIDE("thrd_create", override_thrd_create),
    OVERRIDE("thrd_join", override_thrd_join),
    OVERRIDE("pthread_exit", override_pthread_exit),
    OVERRIDE("thrd_exit", override_thrd_exit),
    OVERRIDE("__asan_register_globals", register_globals),
    OVERRIDE("__asan_register_elf_globals", register_elf_globals),
};

} // namespace

LIBC_FUNCTIONS(table);

void enter_main_thread(LibcState &state) {
    threads_of(state).main.thread_pointer = current_thread_pointer();
}

int start_thread_of(Rank &rank, void *(*function)(void *), void *argument) {
    auto *start = new ThreadStart{function, argument, &rank, ~SignalSet{0}, false};
    pthread_attr_t attributes;
    ::pthread_attr_init(&attributes);
    ::pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_t thread;
    announce_os_thread();
    const Unbound unbound;
    int error = create_thread(&thread, &attributes, run_thread, start);
    ::pthread_attr_destroy(&attributes);
    if (error) {
        withdraw_os_thread();
        delete start;
    }
    return error;
}

} // namespace thrum
