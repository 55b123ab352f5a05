// Claims and performs the sudden end of the job (rank/job_end.h).
#include "rank/job_end.h"

#include "base/end_function.h"
#include "base/held_locks.h"
#include "base/may_suspend.h"
#include "base/tools.h"
#include "rank/contained.h"

#include <atomic>
#include <sys/syscall.h>
#include <unistd.h>

namespace thrum {
namespace {

std::atomic<int> ender{0}; // id of the thread that has claimed the job's end; 0: none

} // namespace

void claim_end() {
    if (keep_reports_of_caller()) // only the rank ends, by end_job()
        return;
    auto self = static_cast<int>(::syscall(SYS_gettid));
    int nobody = 0;
    // relaxed: the word guards no data. Again for the same thread: its report may have crashed.
    if (ender.compare_exchange_strong(nobody, self, std::memory_order_relaxed) || nobody == self)
        return;
    for (;;)
        ::pause();
}

bool end_is_claimed() {
    return ender.load(std::memory_order_relaxed) != 0;
}

void prepare_job_end() {
    claim_end();
    // Callers are not marked MAY_SUSPEND. None of them goes on, so no thread waits for a lock that
    // one of them holds.
    forget_held_locks();
    assert_may_suspend();
    call_output_function();
}

void end_job(int code) {
    if (Contained *self = contained_caller())
        end_contained(*self, RankEnd::Aborted, code, nullptr);
    prepare_job_end();
    call_end_function(code);
    exit_at_once(code);
}

} // namespace thrum
