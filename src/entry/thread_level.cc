#include "entry/thread_level.h"

#include "comm/call_names.h"
#include "comm/process.h"
#include "entry/function.h"
#include "fiber/os_threads.h"

#include <algorithm>
#include <dlfcn.h>
#include <iterator>
#include <string>

namespace thrum {
namespace {

// What any thread may call at any time (section 11.4.1), and what a thread calls to find out what
// it may do.
bool is_for_any_thread(unsigned function) {
    static constexpr Function functions[] = {
        Function::Is_thread_main,
        Function::Query_thread,
#include "entry/functions_for_any_thread.inc"
    };
    return std::ranges::find(functions, static_cast<Function>(function)) != std::end(functions);
}

// Looks at the other threads of a rank. Its main thread, if that is a fiber, is not listed.
struct OtherThreads {
    const RankThread &self;
    bool exist;
    CallPlace call; // that one of them is in; function 0: none

    void look_at(const RankThread &thread) {
        if (&thread == &self || thread.rank != self.rank)
            return;
        exist = true;
        const CallPlace place = place_of(thread.call);
        if (place.function != 0 && !is_for_any_thread(place.function))
            call = place;
    }
};

OtherThreads other_threads_than(const RankThread &self) {
    OtherThreads others{.self = self, .exist = false, .call = {}};
    others.look_at(*self.rank);
    visit_os_threads(
        [](Task &task, void *argument) {
            static_cast<OtherThreads *>(argument)->look_at(static_cast<RankThread &>(task));
        },
        &others);
    return others;
}

// Returns whether the calling thread belongs to a team of OpenMP that has more threads. The runtime
// may have been loaded with a library, at any time. A look-up takes ld.so's lock, and longer than a
// message.
bool is_in_parallel_region() {
    auto *in_parallel = reinterpret_cast<int (*)()>(::dlsym(RTLD_DEFAULT, "omp_in_parallel"));
    return in_parallel && in_parallel();
}

bool is_main_thread(const RankThread &self) {
    return self.rank->process->main_thread.load(std::memory_order_relaxed) == &self;
}

const char *level_given(int level) {
    return level == MPI_THREAD_SINGLE     ? "MPI_THREAD_SINGLE"
           : level == MPI_THREAD_FUNNELED ? "MPI_THREAD_FUNNELED"
                                          : "MPI_THREAD_SERIALIZED";
}

} // namespace

Error check_thread(const RankThread &self) {
    const int level = self.rank->process->thread_level;
    if (level == MPI_THREAD_MULTIPLE)
        return success;
    const bool is_main = is_main_thread(self);
    const OtherThreads others = other_threads_than(self);
    if ((is_main && !others.exist) || is_for_any_thread(place_of(self.call).function))
        return success;
    if (level < MPI_THREAD_SERIALIZED && !is_main)
        return fail(MPI_ERR_OTHER,
                    "called by another thread than MPI_Init, which has given %s: ask "
                    "MPI_Init_thread for MPI_THREAD_SERIALIZED or MPI_THREAD_MULTIPLE",
                    level_given(level));
    if (level == MPI_THREAD_SINGLE && is_in_parallel_region())
        return fail(MPI_ERR_OTHER,
                    "called in a parallel region of OpenMP, but MPI_Init has given "
                    "MPI_THREAD_SINGLE: ask MPI_Init_thread for MPI_THREAD_FUNNELED");
    if (others.call.function != 0)
        return fail(MPI_ERR_OTHER,
                    "called while another thread is in %s, at %s, but MPI_Init has given %s: ask "
                    "MPI_Init_thread for MPI_THREAD_MULTIPLE",
                    name_of_call(others.call).c_str(), site_of_call(others.call).c_str(),
                    level_given(level));
    return success;
}

Error check_thread_of_end(const RankThread &self) {
    if (!is_main_thread(self))
        return fail(MPI_ERR_OTHER, "called by another thread than MPI_Init");
    if (const CallPlace other = other_threads_than(self).call; other.function != 0)
        return fail(MPI_ERR_OTHER, "called while another thread is in %s, at %s",
                    name_of_call(other).c_str(), site_of_call(other).c_str());
    return success;
}

Error note_collective(Communicator &comm) {
    const CallPlace mine = current_call();
    const void *other = comm.collective_site.exchange(mine.call_site, std::memory_order_relaxed);
    if (!other)
        return success;
    return fail(MPI_ERR_OTHER,
                "called while another thread of the rank is in a collective operation on the same "
                "communicator, at %s",
                site_of_call({mine.function, other}).c_str());
}

} // namespace thrum
