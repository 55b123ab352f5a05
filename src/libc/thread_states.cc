#include "libc/thread_states.h"

#include "fiber/thread_block.h"
#include "libc/signals.h"

namespace thrum {

LIBC_STATE(RankThreads, threads_of)

ThreadState &own_thread_state() {
    LibcState &state = current_libc();
    StateGuard guard(state.lock);
    for (ThreadState *thread : threads_of(state).others)
        if (thread->thread_pointer == current_thread_pointer())
            return *thread;
    return threads_of(state).main;
}

} // namespace thrum
