// The ranks of this process from their start to their end (docs/life_of_a_rank.md).
//
// Rank 0 runs the originals on the main thread's stack with the main thread's control block: its
// constructors have run there before main. All others run a clone each, on a fiber or a thread.
//
// run_job() does everything that can fail before any rank runs, so that a job starts completely or
// ends with one message. A rank ends in end_rank(): the last one ends the process, the others leave
// their worker or thread (vanish()).
#include "rank/job.h"

#include "base/check.h"
#include "base/clock.h"
#include "base/create_thread.h"
#include "base/end_function.h"
#include "base/job_settings.h"
#include "base/settings.h"
#include "base/tools.h"
#include "fiber/choice.h"
#include "fiber/places.h"
#include "fiber/scheduler.h"
#include "fiber/thread_block.h"
#include "fiber/usable_cores.h"
#include "fiber/watch.h"
#include "image/image.h"
#include "rank/c_library.h"
#include "rank/contained.h"
#include "rank/job_end.h"
#include "rank/memory_need.h"
#include "rank/programs.h"
#include "rank/rank_lifecycle.h"
#include "rank/share.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

namespace thrum {
namespace {

JobHooks hooks;
FindShare *find_share = nullptr;
StackArena &stacks = *new StackArena; // never destroyed: exit() itself runs on one of them
// How many ranks have not ended; added ones count before they run. 0 in an ordinary process.
std::atomic<int> ranks_alive{0};
std::atomic<bool> has_ended{false};   // every rank has
bool may_grow = false;                // ranks may be added
const char *growth_refusal = nullptr; // why not; nullptr: growth was not forbidden
std::atomic<int> job_exit_code{0};    // the first that was not zero

std::vector<ProgramSpecification> &programs = *new std::vector<ProgramSpecification>;

std::vector<int> &executables = *new std::vector<int>; // of each program specification

// Reads the program specifications and loads the programs behind the first.
void read_programs() {
    const char *text = settings().programs;
    if (text && !parse_programs(text, programs))
        die(2, "THRUM_PROGRAMS is malformed: mpiexec did not write it");
    for (const ProgramSpecification &program : programs)
        executables.push_back(settings().ranks > 1
                                  ? load_program(program.path.c_str(),
                                                 reinterpret_cast<void *>(&start_loaded_program))
                                  : 0);
    c_library().programs_are_loaded();
}

// The start function of a rank's OS thread.
void *live_on_thread(void *argument) MAY_SUSPEND {
    Rank &rank = *static_cast<Rank *>(argument);
    // First of all: what is allocated here for the thread is freed by the rank's own free().
    initialise_tls(rank.image, current_thread_pointer());
    set_current_image(rank.image);
    char name[16]; // for debuggers, and in the reports of sanitizers
    std::snprintf(name, sizeof name, "rank %d", rank.world_rank);
    ::prctl(PR_SET_NAME, name);
    thread_has_started();
    enter_os_thread(rank);
    withdraw_os_thread(); // announced by start_threads()
    live(rank);
}

// Reserves addresses for the stacks of `count` ranks, or ends the process.
void reserve_stacks(int count) {
    size_t bytes = rank_stack_bytes(count);
    if (!stacks.reserve(static_cast<size_t>(count), bytes, thread_block_bytes()))
        die(1,
            "cannot reserve %d stacks of %zu KiB: %s; try --stack 64K (vm.overcommit_memory=2 "
            "counts them in full)",
            count, bytes >> 10, std::strerror(errno));
}

// Raises the limit of descriptors, which all ranks of the process share.
void raise_descriptor_limit() {
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max;
        ::setrlimit(RLIMIT_NOFILE, &limit);
    }
}

// Counts the ranks of each executable.
std::vector<int> count_executables(int ranks) {
    std::vector<int> counts(1);
    for (size_t p = 0; p < programs.size(); ++p) {
        auto executable = static_cast<size_t>(executables[p]);
        counts.resize(std::max(counts.size(), executable + 1));
        counts[executable] += programs[p].ranks;
    }
    if (programs.empty())
        counts[0] = ranks;
    return counts;
}

// Ends the process if the ranks do not fit into memory, before anything is made for them.
void refuse_too_many_ranks(int ranks, const char *program) {
    if (ranks < 2)
        return;
    std::vector<int> counts = count_executables(ranks);
    uint64_t bytes = rank_bytes(settings().os_threads) * static_cast<uint64_t>(ranks);
    for (size_t p = 0; p < counts.size(); ++p)
        bytes += image_bytes(static_cast<int>(p)) * static_cast<uint64_t>(counts[p]);
    refuse_too_many_for_memory(ranks, bytes, program, images_are_clones(), why_cloned());
}

// Gives every rank its argv: the process's own, or that of its program specification.
void create_libc_states(int argc, char **argv, char **environment) {
    int next = 0;
    NodeVisits visits;
    for (size_t p = 0; p < programs.size(); ++p) {
        std::vector<char *> arguments;
        for (const std::string &argument : programs[p].arguments)
            arguments.push_back(const_cast<char *>(argument.c_str())); // copied by give_state()
        int count = static_cast<int>(arguments.size());
        arguments.push_back(nullptr);
        for (int i = 0; i < programs[p].ranks && next < rank_count(); ++i, ++next) {
            visits.visit(next, rank_count());
            rank_at(next).program = job_settings().first_program + static_cast<int>(p);
            rank_at(next).executable = executables[p];
            rank_at(next).specification = &programs[p];
            c_library().give_state(rank_at(next), count, arguments.data(), environment);
        }
    }
    for (; next < rank_count(); ++next) {
        visits.visit(next, rank_count());
        rank_at(next).program = job_settings().first_program;
        c_library().give_state(rank_at(next), argc, argv, environment);
    }
}

// Makes the clone of each rank but the first, and binds its C-library state. The state must exist
// before, because slots point into its variables.
void create_images(int count) {
    int64_t start = now_ns();
    std::vector<int> counts = count_executables(count);
    --counts[0]; // the first rank runs the originals
    reserve_images(counts.data(), static_cast<int>(counts.size()));
    NodeVisits visits;
    for (int i = 0; i < count; ++i) {
        Rank &rank = rank_at(i);
        visits.visit(i, count);
        if (i > 0)
            rank.image = make_image(i, c_library().variables(rank), rank.executable);
        rank.gs_base = gs_base_of(rank.image);
        c_library().bind_state(rank);
    }
    publish_images();
    c_library().ranks_are_complete();
    if (const char *why = settings().debug ? why_cloned() : nullptr)
        report("compiled with --privatize, but cloned: %s", why);
    if (settings().debug)
        report("%d images in %.3f ms", count - 1, static_cast<double>(now_ns() - start) / 1e6);
    if (settings().debug && place_of_worker(0))
        report("%d of %d ranks: memory on the NUMA node of the worker", visits.ranks_at_home(),
               count);
}

// With a seed all ranks run on one worker, so that nothing depends on the time that they take.
int worker_count(int ranks) {
    if (has_seed())
        return 1;
    const int workers = settings().workers ? settings().workers : usable_cores();
    return may_grow ? workers : std::min(workers, ranks);
}

// Makes the fibers, which touches the thread blocks above their stacks.
void make_fibers(int count) {
    NodeVisits visits;
    for (int i = 1; i < count; ++i) {
        visits.visit(i, count);
        if (!scheduler().create_fiber(rank_at(i), stacks, static_cast<size_t>(i - 1),
                                      &live_on_fiber, &rank_at(i)))
            die(1, "out of memory for the thread block of rank %d of %d", i, count);
    }
}

// Makes the fibers and gives each worker a block of neighbouring ranks. The main thread becomes
// worker 0, and what it runs becomes the first rank's fiber. With added ranks to come there may be
// more workers than ranks.
void start_fibers(int count) {
    Scheduler &s = scheduler();
    const int workers = worker_count(count);
    s.create_workers(workers);
    if (has_seed())
        follow_ups.fetch_add(1, std::memory_order_relaxed);
    s.thread_start = hooks.thread_started;
    if (count > 1)
        reserve_stacks(count - 1);
    make_fibers(count);
    if (!s.adopt_main_fiber(rank_at(0)))
        die(1, "out of memory for the idle stack of the main thread");
    for (int i = 1; i < count; ++i)
        s.start_fiber(rank_at(i), home_worker(i, count, workers));
    s.start_workers(1);
    start_watch();
}

// Starts an OS thread for each rank but the first, which runs on the main thread.
void start_threads(int count) {
    enter_os_thread(rank_at(0));
    if (count == 1)
        return;
    reserve_stacks(count - 1);
    pthread_attr_t attributes;
    ::pthread_attr_init(&attributes);
    for (int i = 1; i < count; ++i)
        announce_os_thread(); // all, before the first can wait and find itself alone
    for (int i = 1; i < count; ++i) {
        Rank &rank = rank_at(i);
        size_t slot = static_cast<size_t>(i - 1);
        rank.stack_low = stacks.low(slot);
        rank.stack_high = stacks.high(slot);
        ::pthread_attr_setstack(&attributes, stacks.low(slot) + StackArena::guard_bytes,
                                stacks.slot_bytes() - StackArena::guard_bytes);
        pthread_t thread;
        int error = create_thread(&thread, &attributes, &live_on_thread, &rank);
        if (error)
            die(1,
                "cannot start OS thread %d of %d: %s (ulimit -u, kernel.threads-max); without "
                "--threads=os not every rank needs a thread",
                i, count, std::strerror(error));
        ::pthread_detach(thread);
    }
    ::pthread_attr_destroy(&attributes);
}

// Ends the process if it has a seed: `reason` keeps the ranks from being fibers.
void refuse_seed(const char *reason) {
    if (has_seed())
        die(2, "--seed %s is for ranks that share one worker, but %s: leave --seed out",
            settings().seed, reason);
}

// Returns whether each rank gets an OS thread, and reports it if the user has not asked for that.
bool wants_threads() {
    const char *reason = nullptr;
    bool understood = discover_thread_blocks(&reason); // an OS thread's stack needs room for one
    if (settings().os_threads) {
        refuse_seed("with --threads=os each has a thread of its own");
        return true;
    }
    const char *sanitizer = thread_bound_sanitizer();
    if (sanitizer)
        refuse_seed("a sanitizer needs an OS thread for each");
    else if (!understood)
        refuse_seed(reason);
    if (sanitizer)
        report("%s keeps its own state in each OS thread: every rank gets one", sanitizer);
    else if (!understood)
        report("%s: every rank gets an OS thread", reason);
    return sanitizer || !understood;
}

// Returns the exit code of a job whose ranks have ended with `code`, unless one has failed.
int code_of_job(int code) {
    return hooks.job_ended ? hooks.job_ended(code) : code;
}

// Ends the process after the last rank. The originals' destructors have run as rank 0's, so exit()
// must not run them again.
[[noreturn]] void finish_job() MAY_SUSPEND {
    bool is_written = c_library().flush_at_end();
    disarm_original_destructors();
    const int code = code_of_job(job_exit_code.load(std::memory_order_relaxed));
    std::exit(code == 0 && !is_written ? 1 : code);
}

// Ends the calling thread of a rank. Other ranks go on.
[[noreturn]] void vanish() MAY_SUSPEND {
    Task &self = current_task(); // the rank's main one, or a thread that has called exit()
    if (self.kind == TaskKind::Fiber)
        scheduler().finish_fiber(self);
    leave_os_thread(self);
    if (jmp_buf *end = end_of_added_thread)
        longjmp(*end, 1);
    // A leak check at the end of the process looks at the stacks of threads that are there, and so
    // sees what a rank's still hold, as it would see main's in a process of its own.
    if (::gettid() != ::getpid() && !thread_bound_sanitizer())
        ::syscall(SYS_exit, 0); // this thread only; its thread-locals have been destroyed
    for (;;)
        ::pause(); // the main thread stays, or the process would look dead
}

// The ordinary process that has registered singleton_exits().
pid_t singleton_process = 0;

// Judges the end of an ordinary process, in its exit(). Only leaving at once can still change its
// exit code. A child that it has forked calls this, too, but is not a rank.
void singleton_exits(int code, void *) MAY_SUSPEND {
    if (::getpid() != singleton_process)
        return;
    has_ended.store(true, std::memory_order_relaxed);
    bool end_others = false;
    const char *complaint =
        hooks.rank_ended ? hooks.rank_ended(rank_at(0), code, &end_others) : nullptr;
    const bool is_wrong = complaint && end_others;
    const int code_to_use = is_wrong ? (code ? code : 1) : code_of_job(code);
    const bool changes_code = is_wrong || code_to_use != code;
    if (changes_code)
        call_output_function(); // before the complaint, which is to be read last
    // Whoever has started a single rank sees its exit code. Of several, the rank is to be named.
    if (is_wrong || (complaint && rank_at(0).world_size > 1))
        report("%s", complaint);
    if (changes_code)
        ::_exit(code_to_use);
}

} // namespace

const char *program_path(const Rank &rank) {
    return programs.empty()
               ? nullptr
               : programs[static_cast<size_t>(rank.program - job_settings().first_program)]
                     .path.c_str();
}

void set_find_share(FindShare *function) {
    find_share = function;
}

void set_job_hooks(const JobHooks &new_hooks) {
    hooks = new_hooks;
}

void thread_has_started() {
    if (hooks.thread_started)
        hooks.thread_started();
}

void let_job_grow() {
    may_grow = true;
}

void forbid_growth(const char *reason) {
    growth_refusal = reason;
}

const char *reason_not_to_grow() {
    return growth_refusal;
}

bool job_may_grow() {
    return may_grow;
}

const JobHooks &job_hooks() {
    return hooks;
}

void count_added_ranks(int count) {
    ranks_alive.fetch_add(count, std::memory_order_relaxed); // the caller, a rank, is alive
}

// Makes the table of the `count` ranks of this process, and their MPI state.
static void make_ranks_of_job(int count) {
    JobShare share{.first_rank = 0, .world_size = count};
    if (find_share)
        share = find_share(count);
    if (has_seed() && share.world_size > count) {
        if (share.first_rank > 0)
            ::_exit(2); // the first process says it
        die(2, "--seed %s is for jobs of one process, but the %d ranks of this job run in several",
            settings().seed, share.world_size);
    }
    create_share_of_ranks(count, share);
    if (hooks.before_ranks)
        hooks.before_ranks(share.world_size);
}

// The order: programs, since their ranks are counted; memory, before it is used; MPI state and
// C-library states, to which images refer; images; tasks.
void run_job(Main *main, int argc, char **argv, char **environment) MAY_SUSPEND {
    int count = settings().ranks;
    follow_seed();
    choose_main(main);
    raise_descriptor_limit();
    read_programs();
    refuse_too_many_ranks(count, argv[0] ? argv[0] : "the program");
    ranks_alive.store(count, std::memory_order_relaxed);
    if (!settings().os_threads)
        plan_places(worker_count(count)); // before anything of the ranks is touched
    make_ranks_of_job(count);
    create_libc_states(argc, argv, environment);
    create_images(count);
    if (wants_threads())
        start_threads(count);
    else
        start_fibers(count);
    live(rank_at(0));
}

RankThread &make_singleton() {
    follow_seed();
    make_ranks_of_job(1);
    rank_at(0).program = job_settings().first_program;
    singleton_process = ::getpid();
    ::on_exit(&singleton_exits, nullptr);
    c_library().join_singleton(rank_at(0)); // what it registers runs before singleton_exits()
    return rank_at(0);
}

int run_singleton(Main *main, int argc, char **argv, char **environment) {
    enter_os_thread(make_singleton());
    return main(argc, argv, environment);
}

bool job_is_over() {
    return has_ended.load(std::memory_order_relaxed);
}

// The rank counts as ended before it is judged. The complaint is reported by a rank that is still
// alive in the count, so that the process cannot end meanwhile.
void end_rank(int code) MAY_SUSPEND {
    if (Contained *self = contained_caller())
        leave_contained(*self, code);
    if (ranks_alive.load(std::memory_order_relaxed) == 0)
        std::exit(code); // an ordinary process: singleton_exits() does the rest
    Rank &rank = current_rank();
    rank.exit_code = code;
    rank.ended.store(true, std::memory_order_release); // release [rank-end-1]: all that it did
    bool end_others = false;
    if (const char *complaint =
            hooks.rank_ended ? hooks.rank_ended(rank, code, &end_others) : nullptr) {
        if (end_others)
            claim_end();
        report("%s", complaint);
        if (end_others)
            end_job(code ? code : 1);
    }
    int none = 0;
    if (code) // the first rank that failed gives the job its code
        job_exit_code.compare_exchange_strong(none, code, std::memory_order_relaxed,
                                              std::memory_order_relaxed);
    // acq_rel [alive-1]: the last one sees what all others have printed.
    if (ranks_alive.fetch_sub(1, std::memory_order_acq_rel) == 1) {
        has_ended.store(true, std::memory_order_relaxed);
        finish_job();
    }
    vanish();
}

} // namespace thrum
