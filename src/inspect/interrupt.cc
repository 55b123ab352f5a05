// The handlers of SIGINT, SIGTERM and SIGUSR1, and the line about where ranks are (interrupt.h).
// They may run at any point of the program, so they neither allocate nor lock.
#include "inspect/interrupt.h"

#include "base/asked_signal.h"
#include "base/check.h"
#include "base/job_settings.h"
#include "inspect/call_report.h"
#include "inspect/final_report.h"
#include "inspect/names.h"
#include "rank/contained.h"
#include "rank/job_end.h"
#include "rank/rank.h"
#include "rank/status_page.h"
#include "wireup/wireup.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <initializer_list>
#include <unistd.h>

namespace thrum {
namespace {

// Limit of function numbers that are counted by name; others count as unnamed MPI calls.
constexpr unsigned functions_max = 2048;
constexpr int calls_shown_max = 6;
// If a job has more processes, only mpiexec says where the ranks are.
constexpr int processes_with_lines_max = 16;

int ranks_in[functions_max]; // by function; used only by the thread that has claimed the report
pid_t job_pid = 0;

// How many ranks are in which state, outside MPI calls.
struct Census {
    int computing = 0; // running
    int blocked = 0;   // in a blocking call of the C library
    int ready = 0;     // ready, but not running on a worker
    int asleep = 0;    // suspended outside MPI, in a sleep
    int ended = 0;
    int calls = 0; // distinct MPI functions
};

// Counts all ranks but `left_out` without stopping them. A rank that changes meanwhile may be
// counted in its old or new state.
Census take_census(const Rank *left_out) {
    Census census;
    for (int &count : ranks_in)
        count = 0;
    for (int i = 0; i < rank_count(); ++i) {
        const Rank &rank = rank_at(i);
        if (&rank == left_out)
            continue;
        unsigned function = rank.call.function.load(std::memory_order_relaxed);
        if (rank.ended.load(std::memory_order_relaxed))
            ++census.ended;
        else if (function == 0)
            switch (rank.state.load(std::memory_order_relaxed)) {
            case TaskState::Waiting:
                ++census.asleep;
                break;
            case TaskState::Running:
                ++(rank.blocking_call.load(std::memory_order_relaxed) ? census.blocked
                                                                      : census.computing);
                break;
            default:
                ++census.ready;
                break;
            }
        else if (ranks_in[function < functions_max ? function : 0]++ == 0)
            ++census.calls;
    }
    return census;
}

// A line of text that is built in a fixed buffer, without allocation. What does not fit is cut off.
class Line {
public:
    Line(char *buffer, unsigned size_bytes) : buffer_(buffer), size_bytes_(size_bytes) {
        *buffer = 0;
    }

    // Adds "612 ranks in MPI_Barrier", and ", 3 in MPI_Recv" after the first.
    void add(int count, const char *preposition, const char *what) {
        if (count == 0 || length_ >= size_bytes_)
            return;
        const char *unit = length_ ? "" : count == 1 ? " rank" : " ranks";
        int n = std::snprintf(buffer_ + length_, size_bytes_ - length_, "%s%d%s %s%s",
                              length_ ? ", " : "", count, unit, preposition, what);
        length_ += n > 0 ? static_cast<unsigned>(n) : 0;
    }

private:
    char *buffer_;
    unsigned size_bytes_;
    unsigned length_ = 0;
};

// The signal handler. The second signal finds the end claimed and ends the process at once.
void on_interrupt(int signal, siginfo_t *info, void *) {
    if (::getpid() != job_pid) { // a forked child
        ::signal(signal, SIG_DFL);
        ::raise(signal);
        return;
    }
    if (end_is_claimed() || claim_final_report() != ReportClaim::Granted)
        ::_exit(128 + signal);
    announce_end_of_job();
    if (!contained_caller()) { // else only a rank of a run ends
        // First what ranks have printed: the report may take all the time that is left.
        limit_time_to_leave(128 + signal);
        prepare_job_end();
    }
    char text[512];
    if (!status_page() &&
        !job_settings().node_processes) { // mpiexec prints one line for all of them
        report("%s: %s", signal == SIGINT ? "interrupted" : "terminated",
               where_ranks_are(text, sizeof text));
        report_calls();
    } else if (is_asked_by_user(*info) && node_process_count() <= processes_with_lines_max) {
        report_calls();
    }
    leave(128 + signal);
}

// The handler of SIGUSR1: prints where the ranks are, and lets the job go on. Only a signal of
// another process asks for that. One that the program sends to itself, or that a forked child gets,
// does what it does without this handler.
void on_question(int signal, siginfo_t *info, void *) {
    static std::atomic<bool> is_answering{false};
    const int error = errno;
    const bool is_from_others =
        is_asked_by_user(*info) || (info->si_code == SI_USER && info->si_pid != job_pid);
    if (::getpid() != job_pid || !is_from_others) {
        ::signal(signal, SIG_DFL);
        ::raise(signal);
        return;
    }
    // relaxed: a second question during the answer is dropped
    if (!end_is_claimed() && !is_answering.exchange(true, std::memory_order_relaxed)) {
        char text[512];
        if (!job_settings().node_processes) // else the lines say it
            report("status: %s", where_ranks_are(text, sizeof text));
        report_calls();
        is_answering.store(false, std::memory_order_relaxed);
    }
    errno = error;
}

// Takes the most frequent call out of the counts again and again, so nothing need be sorted.
const char *describe(const Census &census, char *buffer, unsigned size_bytes) {
    Line line(buffer, size_bytes);
    int others = 0;
    for (int shown = 0; shown < census.calls; ++shown) {
        unsigned most = 0;
        for (unsigned function = 1; function < functions_max; ++function)
            if (ranks_in[function] > ranks_in[most])
                most = function;
        if (shown < calls_shown_max)
            line.add(ranks_in[most], "in ", name_of_function(most));
        else
            others += ranks_in[most];
        ranks_in[most] = 0;
    }
    line.add(others, "in ", "other MPI calls");
    line.add(census.computing, "", "computing");
    line.add(census.blocked, "", "in a system call");
    line.add(census.ready, "", "ready to run");
    line.add(census.asleep, "", "asleep");
    line.add(census.ended, "", "ended");
    return buffer;
}

} // namespace

const char *where_ranks_are(char *buffer, unsigned size_bytes) {
    return describe(take_census(nullptr), buffer, size_bytes);
}

const char *where_other_ranks_are(const Rank &self, char *buffer, unsigned size_bytes) {
    return describe(take_census(&self), buffer, size_bytes);
}

// A program that has loaded libmpi while it ran has handlers already: they stay, unless it is a
// rank of several, whose job is to end with one report. SA_NODEFER: the second signal must get
// through while the first is handled.
void install_interrupt_handlers() {
    job_pid = ::getpid();
    struct sigaction action{};
    action.sa_sigaction = on_interrupt;
    action.sa_flags = SA_ONSTACK | SA_RESTART | SA_NODEFER | SA_SIGINFO;
    sigemptyset(&action.sa_mask);
    for (int signal : {SIGINT, SIGTERM}) {
        struct sigaction present{};
        ::sigaction(signal, nullptr, &present);
        const bool is_ignored = present.sa_handler == SIG_IGN; // nohup, or in a script's background
        if (present.sa_handler == SIG_DFL || (!is_ignored && job_settings().node_processes))
            ::sigaction(signal, &action, nullptr);
    }
    struct sigaction present{};
    ::sigaction(SIGUSR1, nullptr, &present);
    if (present.sa_handler != SIG_DFL)
        return;
    action.sa_sigaction = on_question;
    action.sa_flags = SA_ONSTACK | SA_RESTART | SA_SIGINFO;
    ::sigaction(SIGUSR1, &action, nullptr);
}

} // namespace thrum
