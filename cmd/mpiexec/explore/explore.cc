// The runs of the search, and what is said about them (explore/explore.h).
#include "explore/explore.h"

#include "check/causality_limit.h"
#include "explore/search.h"
#include "explore/trace_file.h"
#include "inspect/final_report.h"
#include "plan/message.h"
#include "plan/usage_error.h"
#include "record/record_file.h"
#include "runs/progress.h"
#include "runs/repetition.h"
#include "runs/sharing.h"
#include "runs/verdict.h"
#include "start/ending.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fmt/core.h>
#include <memory>
#include <optional>
#include <utility>

namespace mpiexec {
namespace {

namespace fs = std::filesystem;

constexpr double timeout_least_s = 10, timeout_factor = 10; // of the first run
constexpr int refresh_ms = 200;                             // of the progress line
constexpr int repetitions = 3;                              // of what is reported
const std::vector<std::string> plain_schedule{"--seed", "1:0"};

// A directory for the files of runs, which is removed at the end.
class Scratch {
public:
    Scratch() {
        std::string pattern = fs::temp_directory_path() / "thrum-explore-XXXXXX";
        if (!mkdtemp(pattern.data()))
            throw UsageError(1, fmt::format("--explore: cannot make the directory {}: {}", pattern,
                                            strerror(errno)));
        path_ = pattern;
    }

    ~Scratch() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }

    Scratch(const Scratch &) = delete;
    Scratch &operator=(const Scratch &) = delete;

    const fs::path &path() const { return path_; }

private:
    fs::path path_;
};

// A run that goes wrong.
struct Failure {
    Fault fault;
    Outcome outcome;
    fs::path run; // its directory
};

std::string orders_text(size_t count) {
    return fmt::format("{} order{}", with_commas(static_cast<long>(count)), count == 1 ? "" : "s");
}

class Explore {
public:
    Explore(const Options &options, const std::vector<std::string> &words, const RunInput &input,
            const sigset_t &child_mask)
        : options_(options), words_(words), input_(input), ranks_(count_ranks(options)),
          progress_(options.quiet), search_(ranks_),
          runs_(words[0], words_of_run({words.begin() + 1, words.end()}, options.option_words),
                input, child_mask) {}

    int run() {
        try {
            return search();
        } catch (const Interruption &interruption) {
            runs_.kill_after(-1);
            progress_.clear();
            say("interrupted after {}{}", orders_text(search_.explored()),
                search_.explored() == 0   ? ""
                : search_.explored() == 1 ? ", which ends well"
                                          : ", none of which goes wrong");
            return 128 + interruption.signal;
        }
    }

private:
    int search();
    std::optional<Failure> run_order(const Prefix &prefix);
    bool follows(const fs::path &directory, const Prefix &prefix) const;
    fs::path make_directory(const Prefix &prefix);
    Outcome run_in(const fs::path &directory);
    void set_reference(const Outcome &first);
    int say_failure(Failure failure);
    int say_limit(const std::string &limit);
    std::string not_followed_text() const;
    fs::path keep_record(const Failure &failure);
    bool is_repeated(const Failure &failure, const std::vector<std::string> &replay);
    void show_progress();

    double elapsed_s() const { return now_s() - started_s_; }

    const Options &options_;
    const std::vector<std::string> &words_; // of the command line of --explore
    const RunInput &input_;
    const int ranks_;
    const double started_s_ = now_s();
    Progress progress_;
    Search search_;
    Scratch scratch_;
    Runs runs_;
    std::unique_ptr<const Verdict> verdict_; // made after the first run
    double timeout_s_ = 0;                   // that runs get from us; 0: none
    int runs_made_ = 0;
    size_t not_followed_ = 0; // runs that ended before they had taken what they should
};

int Explore::search() {
    const ExploreOptions &limits = options_.explore;
    while (const auto prefix = search_.next()) {
        if (search_.explored() == static_cast<size_t>(limits.orders_max))
            return say_limit(fmt::format("--explore={} explores more", 10L * limits.orders_max));
        if (limits.time_s > 0 && elapsed_s() > limits.time_s)
            return say_limit(fmt::format("the time limit of {} s is over", limits.time_s));
        if (auto failure = run_order(*prefix))
            return say_failure(std::move(*failure));
    }
    progress_.clear();
    const size_t count = search_.explored();
    say("{} well{} ({:.1f} s){}",
        count == 1 ? "the only order ends" : fmt::format("all {} end", orders_text(count)),
        options_.fuzz.compares_output ? ", with the same output" : "", elapsed_s(),
        not_followed_text());
    return 0;
}

// Makes the next run. Returns how it goes wrong, if it does. Throws UsageError if the job cannot be
// explored.
std::optional<Failure> Explore::run_order(const Prefix &prefix) {
    const fs::path directory = make_directory(prefix);
    Outcome outcome = run_in(directory);
    if (outcome.errors.find(thrum::departs_from_prefix) != std::string::npos) {
        progress_.clear();
        print(outcome);
        throw UsageError(1, fmt::format("order {}: with the same messages the job does something "
                                        "else: time, random numbers, threads or files may decide",
                                        search_.explored() + 1));
    }
    if (outcome.exit_code == thrum::deadlock_exit_code && !follows(directory, prefix)) {
        ++not_followed_;
        return std::nullopt;
    }
    if (outcome.exit_code != 0) {
        const int code = outcome.exit_code;
        return Failure{
            {Fault::ExitCode, code, describe_exit_code(code)}, std::move(outcome), directory};
    }
    auto read = read_trace(directory, ranks_);
    if (const auto *refusal = std::get_if<NotExplored>(&read))
        throw UsageError(2, fmt::format("--explore: after {} the job {}; try --fuzz",
                                        orders_text(search_.explored()), refusal->reason));
    if (!verdict_)
        set_reference(outcome);
    if (auto fault = verdict_->judge(outcome))
        return Failure{*fault, std::move(outcome), directory};
    if (!search_.add(std::get<Trace>(std::move(read))))
        throw UsageError(1, fmt::format("order {}: the same messages do not come again: time, "
                                        "random numbers, threads or files may decide",
                                        search_.explored() + 1));
    std::error_code ignored;
    fs::remove_all(directory, ignored);
    return std::nullopt;
}

// Returns whether each receive of the run got the message that it should follow. If one did not,
// and all ranks wait, there is no such order: a rank had to wait for something that is no message,
// such as room for its own messages.
bool Explore::follows(const fs::path &directory, const Prefix &prefix) const {
    for (const auto &[thread, record] :
         thrum::read_record((directory.string() + thrum::explored_record).c_str(), 0, ranks_)) {
        const auto &own = prefix[static_cast<size_t>(thread.world_rank)];
        for (size_t i = 0; thread.thread == 0 && i < std::min(own.size(), record.size()); ++i)
            if (own[i].kind == thrum::OutcomeKind::Receive && own[i] != record[i] &&
                own[i].value != thrum::unmatched_receive)
                return false;
    }
    return true;
}

// Makes the directory of a run, with the record that it follows.
fs::path Explore::make_directory(const Prefix &prefix) {
    const fs::path directory = scratch_.path() / std::to_string(++runs_made_);
    thrum::RecordedOutcomes outcomes;
    for (size_t rank = 0; rank < prefix.size(); ++rank)
        if (!prefix[rank].empty())
            outcomes[{static_cast<int>(rank), 0}] = prefix[rank];
    std::error_code error;
    fs::create_directory(directory, error);
    const std::string why_not =
        error ? error.message()
              : thrum::write_record((directory.string() + thrum::explored_prefix).c_str(), ranks_,
                                    outcomes);
    if (!why_not.empty())
        throw UsageError(1, fmt::format("--explore: {}: {}", directory.string(), why_not));
    return directory;
}

Outcome Explore::run_in(const fs::path &directory) {
    std::vector<std::string> options = plain_schedule;
    options.insert(options.end(), {"--explored", directory.string()});
    runs_.start(0, options);
    Runs::Finished finished;
    do
        show_progress();
    while (!runs_.wait(progress_.is_shown() ? refresh_ms : -1, finished));
    return std::move(finished.outcome);
}

// Takes the first run as what the others are compared with. Throws UsageError if what it prints
// cannot be compared.
void Explore::set_reference(const Outcome &first) {
    verdict_ = std::make_unique<const Verdict>(first, options_.fuzz.compares_output);
    if (options_.timeout_s == 0) {
        timeout_s_ = std::max(timeout_least_s, std::ceil(timeout_factor * first.duration_s));
        runs_.set_timeout(timeout_s_);
    }
    if (!options_.fuzz.compares_output)
        return;
    const char *remedy = "or compare exit codes only: --fuzz-compare exit";
    if (first.is_cut)
        throw UsageError(2, fmt::format("--explore compares what ranks print, but this is more "
                                        "than {} MiB: print less, {}",
                                        kept_bytes_max >> 20, remedy));
    const Outcome second = runs_.run(plain_schedule);
    if (const auto difference = difference_of(second.output, first.output))
        throw UsageError(2, fmt::format("--explore compares what ranks print, but the second of "
                                        "two runs with the same order {}: print no such lines, {}",
                                        *difference, remedy));
}

// Returns the end of a summary: which orders were tried in vain.
std::string Explore::not_followed_text() const {
    return not_followed_ == 0
               ? ""
               : fmt::format("; {} could not be followed: all ranks wait before the message that "
                             "is to come first has been sent (sends wait for their receives, "
                             "MPI_Buffer_detach waits for its messages)",
                             orders_text(not_followed_));
}

int Explore::say_limit(const std::string &limit) {
    progress_.clear();
    const size_t count = search_.explored();
    say("{} explored, {} well; more remain: {} ({:.1f} s){}", orders_text(count),
        count == 1 ? "it ends" : "all end", limit, elapsed_s(), not_followed_text());
    return more_orders_exit_code;
}

// Moves the record of the run to where the user wants it, or to a new directory beside his files.
fs::path Explore::keep_record(const Failure &failure) {
    fs::path kept = options_.value_of("record");
    std::error_code error;
    for (int number = 1; kept.empty(); ++number)
        if (const std::string name = fmt::format("explored-{}", number); !fs::exists(name, error))
            kept = name;
    fs::remove(kept, error); // an empty directory
    const std::string record = failure.run.string() + thrum::explored_record;
    if (fs::exists(record, error))
        fs::copy(record, kept, fs::copy_options::recursive, error);
    if (error || !fs::exists(kept))
        throw UsageError(1,
                         fmt::format("order {}: {}; cannot keep its record in {}: {}",
                                     search_.explored() + 1, failure.fault.sentence, kept.string(),
                                     error ? error.message() : "the run has left none"));
    return kept;
}

// Returns whether the record goes wrong in the same way each time.
bool Explore::is_repeated(const Failure &failure, const std::vector<std::string> &replay) {
    for (int i = 0; i < repetitions; ++i) {
        const Outcome again = runs_.run(replay);
        const auto fault = verdict_ ? verdict_->judge(again)
                           : again.exit_code != 0
                               ? std::optional(Fault{Fault::ExitCode, again.exit_code, ""})
                               : std::nullopt;
        if (!fault || !fault->is_like(failure.fault))
            return false;
    }
    return true;
}

int Explore::say_failure(Failure failure) {
    const size_t before = search_.explored();
    const fs::path kept = keep_record(failure);
    const std::vector<std::string> replay{"--replay", kept.string()};
    const bool again = is_repeated(failure, replay);
    progress_.clear();
    say("order {}: {}{}; this is what the run prints:", with_commas(static_cast<long>(before + 1)),
        failure.fault.sentence,
        before == 0 ? ""
        : before == 1
            ? "; the one before it ends well"
            : fmt::format("; the {} before it end well", with_commas(static_cast<long>(before))));
    print(failure.outcome);
    if (again)
        say("it ends so {0} times of {0}{1}; repeat it with", repetitions,
            failure.fault.kind == Fault::Output
                ? " (a program that may print either needs --fuzz-compare exit)"
                : "");
    else
        say("its record does not always end so: time, random numbers, threads or files may decide; "
            "try it again with");
    std::vector<std::string> options = replay;
    if (failure.outcome.exit_code == time_limit_exit_code && timeout_s_ > 0)
        options.insert(options.end(), {"--timeout", fmt::format("{}", timeout_s_)});
    fmt::print(stderr, "{}\n", command_of_run(words_, options_.option_words, options, input_.path));
    return failure.fault.exit_code;
}

void Explore::show_progress() {
    const size_t count = search_.explored();
    if (count == 0)
        progress_.show("running the first order");
    else
        progress_.show(fmt::format("{}, all well; {:.0f} a second", orders_text(count),
                                   static_cast<double>(count) / std::max(elapsed_s(), 1e-3)));
}

} // namespace

int run_explore(const Options &options, const std::vector<std::string> &words,
                const RunInput &input, const sigset_t &child_mask) {
    check_sharing(options, "--explore");
    if (count_ranks(options) > thrum::causality_ranks_max)
        throw UsageError(2, fmt::format("--explore is for jobs of up to {} ranks, but this one has "
                                        "{}",
                                        thrum::causality_ranks_max, count_ranks(options)));
    return Explore(options, words, input, child_mask).run();
}

} // namespace mpiexec
