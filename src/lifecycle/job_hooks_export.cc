// The hooks by which the layer rank calls MPI, when a program starts and when one of its ranks
// ends. They are installed by a constructor of libmpi_abi.so: the layer rank is below and may not
// name MPI.
#include "base/check.h"
#include "base/end_function.h"
#include "bsp/machine.h"
#include "check/active_buffers.h"
#include "check/arrival_finding.h"
#include "check/choice_file.h"
#include "check/held_sends.h"
#include "comm/process.h"
#include "comm/process_lifecycle.h"
#include "entry/entry.h"
#include "fiber/blocking_call.h"
#include "fiber/usable_cores.h"
#include "fiber/worker.h"
#include "inspect/deadlock.h"
#include "inspect/deadlock_watch.h"
#include "inspect/ending.h"
#include "inspect/finalize_release.h"
#include "inspect/held_ranks.h"
#include "inspect/inspection.h"
#include "inspect/leaks.h"
#include "inspect/python_line.h"
#include "inspect/symbols.h"
#include "inspect/wait_target.h"
#include "lifecycle/node_processes.h"
#include "observe/event_log.h"
#include "observe/observer.h"
#include "pt2pt/departure.h"
#include "rank/job.h"
#include "rank/job_end.h"
#include "rank/share.h"
#include "rank/status_page.h"
#include "record/outcomes.h"
#include "wireup/wireup.h"

#include <atomic>
#include <cstdio>
#include <unistd.h>

namespace thrum {
namespace {

// Returns which ranks of the job this process hosts. Without a launcher it hosts all.
JobShare find_share(int local_ranks) MAY_SUSPEND {
    if (!wireup_begin(local_ranks))
        return {.first_rank = 0, .world_size = local_ranks};
    const int first_rank =
        origin() ? first_rank_of_world() + this_node_process().number() - origin()->first_process
                 : ranks_of(this_node_process()).front();
    return {.first_rank = first_rank, .world_size = world_size()};
}

// Tells the observer where a call site is. The texts live until the next call of the thread.
observe::FoundPlace find_place(const void *call_site) {
    static thread_local char line[512];
    const void *in_call = static_cast<const char *>(call_site) - 1;
    const Location location = find_location(in_call);
    char function[128], place[256];
    if (!read_python_location(location, function, sizeof function, place, sizeof place))
        return {location.path, location.offset};
    std::snprintf(line, sizeof line, "%s in %s", place, function);
    return {line, observe::line_of_script};
}

// Tells the event log which worker runs the caller.
uint32_t worker_of_caller() {
    const Worker *worker = current_rank_thread().worker;
    return worker ? static_cast<uint32_t>(worker->index()) : ~uint32_t{0};
}

// Makes the observer note what the ranks do (mpiexec --report, --trace, --top, --live).
void observe_ranks(int world_size) {
    observe::start(settings().observe, rank_at(0).world_rank, rank_count(), world_size,
                   settings().workers ? settings().workers : usable_cores(), find_place);
    for (int i = 0; i < rank_count(); ++i)
        rank_at(i).record = observe::record_of(i);
    if (const observe::LogRequest request = observe::read_log_request(settings().observe);
        request.limit_bytes > 0)
        observe::open_event_log({.directory = settings().observe,
                                 .first_rank = rank_at(0).world_rank,
                                 .rank_count = rank_count(),
                                 .all_ranks = world_size,
                                 .process = this_node_process().number(),
                                 .request = request,
                                 .worker = worker_of_caller});
    set_find_wait_target(find_wait_target);
    start_holding(settings().observe);
    look_at_all_calls();
}

// Called once before the first rank starts, when the rank table exists.
void before_ranks(int world_size) {
    create_processes(world_size, rank_at(0).world_rank, rank_count(), first_rank_of_world());
    for (int i = 0; i < rank_count(); ++i)
        bind_process(rank_at(i));
    if (settings().observe)
        observe_ranks(world_size);
    begin_buffer_checks();
    install_inspection(
        [](unsigned function) { return function_name(static_cast<Function>(function)); });
    if (!has_other_processes())
        prepare_choice_file(world_size);
    if (rank_count() > 1 && !has_other_processes()) {
        start_deadlock_watch();
        if (settings().is_strict()) {
            start_arrival_check(world_size);
            if (settings().on_deadlock != ignore_deadlocks)
                start_holding_sends(); // a deadlock releases them
        }
    }
}

// Returns whether any rank of this process has begun to use MPI.
bool any_process_initialized() {
    for (int i = 0; i < rank_count(); ++i)
        if (const Process *process = rank_at(i).process; process && has_begun(*process))
            return true;
    return false;
}

// Reports an orderly end to a launcher other than mpiexec. The process has contacted it to learn
// about the job, and the launcher would take a silent end for a failure. Only needed if the process
// is the only one of its job: in others MPI_Finalize reports the end.
void leave_launcher(const Rank &rank, bool failed) MAY_SUSPEND {
    static std::atomic<int> ended{0};
    static std::atomic<bool> some_have_failed{false};
    if (has_other_processes() || !is_first_rank(rank))
        return;
    if (failed)
        some_have_failed.store(true, std::memory_order_relaxed);
    // acq_rel [launcher-1]: the last one sees what the others have written
    if (ended.fetch_add(1, std::memory_order_acq_rel) + 1 == first_rank_count() &&
        !some_have_failed.load(std::memory_order_relaxed))
        wireup_end();
}

// Waits for the end of the process. The rank has ended well, but the ranks of other processes wait
// for it; their report comes unless another rank fails (inspect/process_deadlock.h).
void wait_for_deadlock_report() MAY_SUSPEND {
    call_output_function();
    BlockingCall call;
    call.enter("exit");
    for (;;)
        ::pause();
}

// Ends the job because a rank has failed for which the others wait.
[[noreturn]] void end_job_of_released(Rank &rank, int code) MAY_SUSPEND {
    claim_end();
    announce_end_of_job();
    call_output_function(); // before the line, which is to be read last
    report("%s", complaint_about_end(rank, code, true));
    end_job(code);
}

// Returns whether the rank is a program that was started without mpiexec and has not used MPI
// itself, like a test program whose tests make runs of ranks: its exit code is its own affair.
bool is_ordinary_program(const Rank &rank) {
    return first_rank_count() == 1 && is_first_rank(rank) && settings().launcher_pid == 0 &&
           !has_other_processes() && !has_begun(*rank.process);
}

// MPI 5.0 section 11.2.2: a process that has initialised MPI must finalize it before it exits. A
// rank that has not, or that fails while others may wait for its messages, ends the whole job.
// Returns a complaint to print, or nullptr.
const char *rank_ended(Rank &rank, int code, bool *end_others) MAY_SUSPEND {
    if (rank.record)
        observe::note_end(*rank.record, code);
    depart(*rank.process, SendingModel::World);
    depart(*rank.process, SendingModel::Sessions);
    bool has_finished = has_begun(*rank.process) && !is_unfinished(*rank.process);
    *end_others = !has_finished && any_process_initialized();
    if (bsp::is_unfinished(rank)) {
        *end_others = true;
        return bsp::complaint_about_end(rank, code);
    }
    // A rank that has used only sessions or supersteps has not called MPI_Finalize, which would
    // have done it.
    const bool has_finalized =
        rank.process->state.load(std::memory_order_relaxed) != ProcessState::Created;
    if (has_other_processes() &&
        (has_finalized ? bsp::has_stayed_after_mpi(rank) : has_finished || bsp::has_begun(rank)))
        leave_job(is_first_rank(rank));
    const bool is_released = has_been_released(rank);
    if (is_released && code != 0)
        end_job_of_released(rank, code);
    if (is_ordinary_program(rank)) {
        *end_others = false;
        return nullptr;
    }
    const char *complaint = complaint_about_end(rank, code, *end_others);
    if (is_released && code == 0 && has_other_processes())
        wait_for_deadlock_report();
    if (!complaint && !is_released)
        note_leaks_at_end(*rank.process);
    leave_launcher(rank, complaint != nullptr);
    return complaint;
}

CallId calling() {
    const CallPlace call = current_call();
    return {static_cast<Function>(call.function), call.call_site};
}

// Ends the job because the calling rank does something else than its record says (mpiexec
// --replay).
void end_departed(const std::string &sentence) {
    end_with_error(calling(), fail(MPI_ERR_OTHER, "%s", sentence.c_str()));
}

// Ends the job because two threads of the calling rank wait for one request. Section 11.6.1: "A
// program in which two threads block, waiting on the same request, is erroneous."
void refuse_second_waiter() {
    end_with_error(calling(),
                   fail(MPI_ERR_REQUEST,
                        "another thread of the rank waits for the same request; only one may"));
}

// Called at the end of the job, whose exit code is `code`. Returns the one that it gets.
int end_of_job(int code) {
    code = report_remaining_leaks(code);
    return code == 0 && !write_choice_file() ? 1 : code;
}

// Runs when the library is loaded, before any rank.
[[gnu::constructor]] void install_job_hooks() {
    set_find_share(find_share);
    set_job_hooks({.before_ranks = before_ranks,
                   .thread_started = prepare_thread_for_crashes,
                   .rank_ended = rank_ended,
                   .job_ended = end_of_job,
                   .forget_ranks = forget_processes,
                   .abandon_ranks = abandon_processes});
    set_second_waiter_function(refuse_second_waiter);
    set_departure_function(end_departed);
}

} // namespace
} // namespace thrum
