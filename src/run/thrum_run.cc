// The C interface of runs, <thrum/run.h>: checks arguments, and makes results.
#include "base/check.h"
#include "base/may_suspend.h"
#include "base/tools.h"
#include "libc/forked_child.h"
#include "rank/job.h"
#include "run/run.h"
#include "run/run_watch.h"
#include "thrum/run.h"
#include "wireup/wireup.h"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>
#include <utility>

namespace thrum {

static_assert(static_cast<int>(RankEnd::Running) == THRUM_RANK_RUNNING);
static_assert(static_cast<int>(RankEnd::Abandoned) == THRUM_RANK_ABANDONED);
static_assert(static_cast<int>(RankEnd::Asserted) == THRUM_RANK_ASSERTED);

namespace {

constexpr char still_runs[] =
    "still runs: it computes, or waits outside MPI, and could not be ended";

// Copies a text into memory of malloc(), which the program's code frees by thrum_result_free().
char *copy(const std::string &text) {
    auto *memory = static_cast<char *>(std::malloc(text.size() + 1));
    CHECK(memory, "out of memory for the result of a run");
    std::memcpy(memory, text.c_str(), text.size() + 1);
    return memory;
}

thrum_result *new_result() {
    auto *result = static_cast<thrum_result *>(std::calloc(1, sizeof(thrum_result)));
    CHECK(result, "out of memory for the result of a run");
    result->first_failed = -1;
    return result;
}

thrum_result *not_run(int n, const std::string &why) {
    thrum_result *result = new_result();
    result->n_failed = n > 0 ? n : 1;
    result->end = THRUM_NOT_RUN;
    result->text = copy("thrum_run: " + why);
    return result;
}

// Returns what is wrong with the arguments, or "".
std::string mistake(int n, thrum_rank_function *function, const thrum_run_options &options) {
    if (n < 1)
        return "n is " + std::to_string(n) + ", but must be at least 1";
    if (!function)
        return "function is a null pointer";
    if (options.size != sizeof(thrum_run_options))
        return "size of options is " + std::to_string(options.size) + ", but must be " +
               std::to_string(sizeof(thrum_run_options)) + ": begin with THRUM_RUN_OPTIONS_INIT";
    if (!(options.time_limit >= 0) || options.time_limit > 1e9)
        return "time_limit of options is " + std::to_string(options.time_limit) +
               ", but must be between 0 (none) and 1e9 seconds";
    if (options.globals != THRUM_GLOBALS_SHARED && options.globals != THRUM_GLOBALS_PRIVATE)
        return "globals of options is " + std::to_string(options.globals) +
               ", but must be THRUM_GLOBALS_SHARED or THRUM_GLOBALS_PRIVATE";
    return "";
}

// Returns why no ranks can be added to this process, or "".
std::string obstacle() {
    if (in_forked_child())
        return "called in a child of fork(), which has no workers that could run ranks; call exec "
               "first";
    if (has_other_processes())
        return "called in a job of several processes; run the program without mpiexec, or with "
               "ranks of one process";
    if (const char *reason = reason_not_to_grow())
        return std::string("the program cannot be prepared for ranks: ") + reason;
    if (!job_may_grow())
        return "the process was not prepared for ranks when it started: the program must refer to "
               "thrum_run itself, or have THRUM_SPAWN=1 in its environment";
    return "";
}

// Returns whether the rank was only ended because of others: what it waited for is said of all.
bool is_consequence(const thrum_rank_result &rank, const Run &run) {
    return !run.waits().empty() &&
           (rank.end == THRUM_RANK_DEADLOCKED || rank.end == THRUM_RANK_TIMED_OUT);
}

// Fills the result's entry of each rank.
void add_ranks(thrum_result &result, const Run &run) {
    result.n_ranks = run.count();
    result.ranks = static_cast<thrum_rank_result *>(
        std::calloc(static_cast<size_t>(run.count()), sizeof(thrum_rank_result)));
    CHECK(result.ranks, "out of memory for the result of a run");
    // A consequence is the first failure only if there is no cause.
    std::pair<bool, uint64_t> first{true, ~uint64_t{0}};
    for (int i = 0; i < run.count(); ++i) {
        const Contained &member = run.member(i);
        thrum_rank_result &rank = result.ranks[i];
        rank.rank = i;
        if (!run.has_ended(i)) {
            rank.end = THRUM_RANK_RUNNING;
            rank.text = copy(still_runs);
            ++result.n_failed;
            continue;
        }
        const RankEnd failure = member.failure.load(std::memory_order_relaxed);
        rank.end = static_cast<thrum_rank_end>(failure);
        rank.code = member.code;
        rank.text = copy(failure == RankEnd::Returned ? "" : member.text);
        if (failure == RankEnd::Returned)
            continue;
        ++result.n_failed;
        const std::pair number{is_consequence(rank, run), member.failure_number};
        if (number < first) {
            first = number;
            result.first_failed = i;
            result.end = rank.end;
        }
    }
    if (result.first_failed < 0 && result.n_failed > 0) // only ranks that still run
        for (int i = run.count(); i-- > 0;)
            if (result.ranks[i].end == THRUM_RANK_RUNNING) {
                result.first_failed = i;
                result.end = THRUM_RANK_RUNNING;
            }
}

// Returns "rank 3: " and the text, unless the text begins with it already.
std::string line_about(const thrum_rank_result &rank) {
    const std::string who = "rank " + std::to_string(rank.rank);
    const std::string text = rank.text;
    return text.compare(0, who.size(), who) == 0 ? text : who + ": " + text;
}

// Writes the report: the failures in the order of ranks, the first one first, and what the others
// waited for.
std::string report_about(const thrum_result &result, const Run &run) {
    if (result.n_failed == 0)
        return "";
    int causes = 0, ended = 0;
    std::string lines;
    for (int i = -1; i < result.n_ranks; ++i) {
        const thrum_rank_result &rank = result.ranks[i < 0 ? result.first_failed : i];
        if (rank.end == THRUM_RANK_RETURNED || rank.rank == (i < 0 ? -1 : result.first_failed))
            continue;
        const bool is_cause = !is_consequence(rank, run);
        ++(is_cause ? causes : ended);
        if (is_cause)
            lines += "\n" + line_about(rank);
    }
    const std::string of_all = " of " + std::to_string(result.n_ranks) + " ranks";
    std::string text = causes ? std::to_string(causes) + of_all + " failed" : "";
    if (ended)
        text += (causes ? ", " + std::to_string(ended) : std::to_string(ended) + of_all) +
                " ended by the run: " + run.reason();
    text += lines;
    if (!run.waits().empty())
        text += "\n" + run.waits();
    return text;
}

// Makes the run, waits for its end, and makes its result.
thrum_result *run_ranks(int n, thrum_rank_function *function, void *argument,
                        const thrum_run_options &given) MAY_SUSPEND {
    std::string why = mistake(n, function, given);
    if (why.empty())
        why = obstacle();
    if (!why.empty())
        return not_run(n, why);
    constexpr double ns_per_s = 1e9;
    Run &run = *new Run(n, reinterpret_cast<const void *>(function), argument,
                        std::llround(given.time_limit * ns_per_s), run_watcher);
    if (!run.make(given.globals == THRUM_GLOBALS_SHARED, why)) {
        run.leave();
        return not_run(n, why);
    }
    add_run(run);
    run.start();
    if (given.time_limit > 0)
        run_watcher.call();
    run.wait();
    thrum_result *result = new_result();
    add_ranks(*result, run);
    result->text = copy(report_about(*result, run));
    run.leave();
    return result;
}

} // namespace
} // namespace thrum

extern "C" {

[[gnu::visibility("default")]] thrum_result *
thrum_run(int n, thrum_rank_function *function, void *argument, const thrum_run_options *options) {
    thrum::assert_may_suspend(); // the program calls
    thrum::WatchedCall watched;
    const thrum_run_options defaults = THRUM_RUN_OPTIONS_INIT;
    return thrum::run_ranks(n, function, argument, options ? *options : defaults);
}

[[gnu::visibility("default")]] void thrum_result_free(thrum_result *result) {
    thrum::WatchedCall watched;
    if (!result)
        return;
    for (int i = 0; i < result->n_ranks; ++i)
        std::free(const_cast<char *>(result->ranks[i].text));
    std::free(result->ranks);
    std::free(const_cast<char *>(result->text));
    std::free(result);
}

[[gnu::visibility("default")]] int thrum_run_fail(thrum_rank_end end, const char *text) {
    thrum::WatchedCall watched;
    thrum::Contained *self = thrum::contained_caller();
    if (!self)
        return -1;
    if (end == THRUM_RANK_RETURNED)
        return 0;
    thrum::note_failure(*self, static_cast<thrum::RankEnd>(end), 0, text ? text : "");
    return 0;
}

[[gnu::visibility("default")]] int thrum_run_rank(void) {
    const thrum::Contained *self = thrum::contained_caller();
    return self ? self->number : -1;
}

} // extern "C"
