// Claims the final report, and ends the process within a time limit (final_report.h).
#include "inspect/final_report.h"

#include "base/tools.h"
#include "rank/job_end.h"

#include <atomic>
#include <csignal>
#include <unistd.h>
#include <utility>

namespace thrum {
namespace {

// For flushing output, telling other processes, and a report by a child (call_report.cc).
constexpr unsigned leave_limit_s = 5;

bool has_reported = false; // set in the thread that has claimed the job's end
std::atomic<int> leaving_code{0};

// The handler of SIGALRM, in any thread.
void leave_now(int) {
    exit_at_once(leaving_code.load(std::memory_order_relaxed));
}

} // namespace

// Only the thread that has claimed the end gets past claim_end(), the first time and again.
ReportClaim claim_final_report() {
    claim_end();
    // errno may be the rank's, but the rank is ending. No other thread gets here.
    return std::exchange(has_reported, true) ? ReportClaim::Nested : ReportClaim::Granted;
}

// SIGALRM is unblocked in this thread only: the others may block it, as the library's threads do.
void limit_time_to_leave(int code) {
    leaving_code.store(code, std::memory_order_relaxed);
    struct sigaction action{};
    action.sa_handler = leave_now;
    action.sa_flags = SA_ONSTACK;
    ::sigaction(SIGALRM, &action, nullptr);
    sigset_t alarm_only;
    sigemptyset(&alarm_only);
    sigaddset(&alarm_only, SIGALRM);
    ::pthread_sigmask(SIG_UNBLOCK, &alarm_only, nullptr);
    ::alarm(leave_limit_s);
}

void leave(int code) {
    limit_time_to_leave(code);
    end_job(code);
}

} // namespace thrum
