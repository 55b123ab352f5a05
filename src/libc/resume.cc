// The one function that the fiber layer calls on each resumed fiber, for several families.
#include "fiber/worker.h"
#include "libc/libc_family.h"
#include "libc/signals.h"

#include <atomic>

namespace thrum {
namespace {

std::atomic<unsigned> wanted{0};

bool has(unsigned set, AtResume what) {
    return (set & static_cast<unsigned>(what)) != 0;
}

void at_resume(Task &task) {
    auto &thread = static_cast<RankThread &>(task);
    SignalHold hold; // at its end, signals that have come meanwhile are delivered
    unsigned set = wanted.load(std::memory_order_relaxed);
    if (has(set, AtResume::CountTime))
        count_time_of(thread);
    if (has(set, AtResume::EnterDirectory))
        enter_directory_of(*thread.rank);
}

} // namespace

void do_at_resume(AtResume what) {
    unsigned bit = static_cast<unsigned>(what);
    if (has(wanted.load(std::memory_order_relaxed), what))
        return;
    wanted.fetch_or(bit, std::memory_order_relaxed);
    set_resume_function(&at_resume); // releases what the caller has prepared: [resume-1]
}

} // namespace thrum
