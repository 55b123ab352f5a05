// The search for a seed and for the number of its choices (fuzz/fuzz.h).
#include "fuzz/fuzz.h"

#include "fiber/usable_cores.h"
#include "fuzz/schedule.h"
#include "plan/message.h"
#include "plan/usage_error.h"
#include "runs/progress.h"
#include "runs/repetition.h"
#include "runs/runs.h"
#include "runs/sharing.h"
#include "runs/verdict.h"
#include "start/ending.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <fmt/core.h>
#include <memory>
#include <optional>

namespace mpiexec {
namespace {

constexpr double timeout_least_s = 10, timeout_factor = 10; // of the first run
constexpr int refresh_ms = 200;                             // of the progress line
constexpr uint64_t choices_max = uint64_t{1} << 40;         // no run makes more
constexpr int repetitions = 3;                              // of what is reported

// A seed with which the job goes wrong.
struct Failure {
    int number; // of the run: 0 for the first seed
    Schedule schedule;
    Fault fault;
    Outcome outcome;
};

class Fuzz {
public:
    Fuzz(const Options &options, const std::vector<std::string> &words, const RunInput &input,
         const sigset_t &child_mask)
        : options_(options), words_(words), input_(input), first_seed_(read_first_seed(options)),
          progress_(options.quiet),
          runs_(words[0], words_of_run({words.begin() + 1, words.end()}, options.option_words),
                input, child_mask) {}

    int run() {
        try {
            return search();
        } catch (const Interruption &interruption) {
            runs_.kill_after(-1);
            progress_.clear();
            say_interrupted();
            return 128 + interruption.signal;
        }
    }

private:
    static uint64_t read_first_seed(const Options &options);

    int search();
    std::optional<Failure> look_at_plain_schedule();
    void set_reference(const std::vector<Outcome> &outcomes);
    void find_failure();
    bool is_repeated(const Failure &failure);
    std::unique_ptr<Failure> run_with_choices(uint64_t choices);
    void shrink();

    void show_progress();
    std::string name_of(const Failure &failure) const;
    void say_interrupted();
    void say_failure(bool is_repeated);
    void say_command(const Failure &failure);

    const Options &options_;
    const std::vector<std::string> &words_; // of the command line of --fuzz
    const RunInput &input_;
    const uint64_t first_seed_;
    Progress progress_;
    Runs runs_;
    std::unique_ptr<const Verdict> verdict_; // made after the plain schedule
    double timeout_s_ = 0;                   // that runs get from us; 0: none
    double started_s_ = now_s(), seeds_started_s_ = 0;
    int seeds_done_ = 0; // none of which has gone wrong
    std::unique_ptr<Failure> failure_;
};

// --seed F with --fuzz names the first seed.
uint64_t Fuzz::read_first_seed(const Options &options) {
    const std::string text = options.value_of("seed");
    if (text.empty())
        return 1;
    if (text.find(':') != std::string::npos)
        throw UsageError(2, fmt::format("--seed {}: with --fuzz it is the first seed, a number "
                                        "without choices",
                                        text));
    const uint64_t seed = std::strtoull(text.c_str(), nullptr, 10);
    if (seed > UINT64_MAX - static_cast<uint64_t>(options.fuzz.seeds))
        throw UsageError(2, fmt::format("--seed {}: with --fuzz {} seeds would exceed 2^64", text,
                                        options.fuzz.seeds));
    return seed;
}

int Fuzz::search() {
    if (auto failure = look_at_plain_schedule()) {
        progress_.clear();
        say("the job goes wrong without any seed: {}; this is what it prints:",
            failure->fault.sentence);
        print(failure->outcome);
        say("repeat it with");
        say_command(*failure);
        return failure->fault.exit_code;
    }
    const int seeds = options_.fuzz.seeds;
    if (options_.verbose)
        say("{} seed{}, {} at a time, at most {} s each", with_commas(seeds), seeds == 1 ? "" : "s",
            thrum::usable_cores(), timeout_s_ > 0 ? timeout_s_ : options_.timeout_s);
    find_failure();
    if (!failure_) {
        progress_.clear();
        say("{} seed{} well{} ({:.1f} s)", with_commas(seeds), seeds == 1 ? ": ends" : "s: all end",
            options_.fuzz.compares_output ? ", with the same output" : "", now_s() - started_s_);
        return 0;
    }
    const bool is_repeated_now = is_repeated(*failure_);
    if (is_repeated_now)
        shrink();
    progress_.clear();
    say_failure(is_repeated_now);
    return failure_->fault.exit_code;
}

// Runs the plain schedule, twice if output is compared. Returns how it goes wrong, if it does.
std::optional<Failure> Fuzz::look_at_plain_schedule() {
    const Schedule plain{first_seed_, 0};
    std::vector<Outcome> outcomes;
    for (int i = 0; i < (options_.fuzz.compares_output ? 2 : 1); ++i)
        runs_.start(i, plain.options());
    while (runs_.running() > 0) {
        progress_.show("running the plain schedule");
        Runs::Finished finished;
        runs_.wait(-1, finished);
        const int code = finished.outcome.exit_code;
        if (code != 0) {
            runs_.kill_after(-1);
            return Failure{0,
                           plain,
                           {Fault::ExitCode, code, describe_exit_code(code)},
                           std::move(finished.outcome)};
        }
        outcomes.push_back(std::move(finished.outcome));
    }
    set_reference(outcomes);
    return std::nullopt;
}

// Takes the runs of the plain schedule as what seeds are compared with. Throws UsageError if what
// they print cannot be compared.
void Fuzz::set_reference(const std::vector<Outcome> &outcomes) {
    const Outcome &first = outcomes.front(), &second = outcomes.back();
    verdict_ = std::make_unique<const Verdict>(first, options_.fuzz.compares_output);
    if (options_.timeout_s == 0) {
        const double longest_s = std::max(first.duration_s, second.duration_s);
        timeout_s_ = std::max(timeout_least_s, std::ceil(timeout_factor * longest_s));
        runs_.set_timeout(timeout_s_);
    }
    if (!options_.fuzz.compares_output)
        return;
    const char *remedy = "or compare exit codes only: --fuzz-compare exit";
    if (first.is_cut)
        throw UsageError(2, fmt::format("--fuzz compares what ranks print, but this is more than "
                                        "{} MiB: print less, {}",
                                        kept_bytes_max >> 20, remedy));
    if (const auto difference = difference_of(second.output, first.output))
        throw UsageError(2, fmt::format("--fuzz compares what ranks print, but the second of two "
                                        "runs with the same schedule {}: print no such lines, {}",
                                        *difference, remedy));
}

// Runs the seeds. Sets the failure to the lowest that goes wrong, if there is one. After the first
// that is found only lower ones go on.
void Fuzz::find_failure() {
    const auto jobs = static_cast<size_t>(thrum::usable_cores());
    seeds_started_s_ = now_s();
    for (int next = 0;;) {
        for (; !failure_ && next < options_.fuzz.seeds && runs_.running() < jobs; ++next)
            runs_.start(next, Schedule{first_seed_ + static_cast<uint64_t>(next), {}}.options());
        if (runs_.running() == 0)
            return;
        Runs::Finished finished;
        show_progress();
        if (!runs_.wait(progress_.is_shown() ? refresh_ms : -1, finished))
            continue;
        const auto fault = verdict_->judge(finished.outcome);
        if (!fault) {
            ++seeds_done_;
            continue;
        }
        runs_.kill_after(finished.number);
        failure_ = std::make_unique<Failure>(
            Failure{finished.number,
                    {first_seed_ + static_cast<uint64_t>(finished.number), {}},
                    *fault,
                    std::move(finished.outcome)});
    }
}

// Returns whether a schedule goes wrong in the same way several times more. The runs are side by
// side: each may take the whole time limit.
bool Fuzz::is_repeated(const Failure &failure) {
    for (int i = 0; i < repetitions; ++i)
        runs_.start(i, failure.schedule.options());
    while (runs_.running() > 0) {
        Runs::Finished again;
        runs_.wait(-1, again);
        const auto fault = verdict_->judge(again.outcome);
        const bool is_same = fault && fault->is_like(failure.fault) &&
                             // What differs from run to run is no result of the schedule.
                             (fault->kind != Fault::Output ||
                              !difference_of(again.outcome.output, failure.outcome.output));
        if (!is_same) {
            runs_.kill_after(-1);
            return false;
        }
    }
    return true;
}

// Runs the seed with a limited number of choices. Returns the result if it goes wrong as before.
std::unique_ptr<Failure> Fuzz::run_with_choices(uint64_t choices) {
    progress_.show(fmt::format("{}: {}; looking for the choices that are enough: {}",
                               name_of(*failure_),
                               failure_->fault.kind == Fault::Output ? std::string("another output")
                                                                     : failure_->fault.sentence,
                               with_commas(static_cast<long>(choices))));
    const Schedule schedule{failure_->schedule.seed, choices};
    Outcome outcome = runs_.run(schedule.options());
    const auto fault = verdict_->judge(outcome);
    if (!fault || !fault->is_like(failure_->fault))
        return nullptr;
    return std::make_unique<Failure>(
        Failure{failure_->number, schedule, *fault, std::move(outcome)});
}

// Replaces the failure by one with a number of choices N that is as small as possible: N - 1
// choices are not enough. (Fewer may be, by chance: whether a job goes wrong need not be
// monotonic.)
void Fuzz::shrink() {
    uint64_t enough = 1, too_few = 0; // no choice: the plain schedule
    std::unique_ptr<Failure> shrunk;
    for (; enough <= choices_max && !(shrunk = run_with_choices(enough)); enough *= 2)
        too_few = enough;
    while (shrunk && enough - too_few > 1) {
        const uint64_t middle = too_few + (enough - too_few) / 2;
        auto smaller = run_with_choices(middle);
        (smaller ? enough : too_few) = middle;
        if (smaller)
            shrunk = std::move(smaller);
    }
    if (shrunk && is_repeated(*shrunk))
        failure_ = std::move(shrunk);
}

void Fuzz::show_progress() {
    const double rate = seeds_done_ / std::max(now_s() - seeds_started_s_, 1e-3);
    std::string text =
        fmt::format("{} of {} seeds, {}", with_commas(seeds_done_),
                    with_commas(options_.fuzz.seeds), seeds_done_ ? "all well" : "the first run");
    if (seeds_done_ > 0)
        text += fmt::format("; {:.0f} a second, {:.0f} s left", rate,
                            (options_.fuzz.seeds - seeds_done_) / rate);
    progress_.show(text);
}

std::string Fuzz::name_of(const Failure &failure) const {
    if (first_seed_ == 1)
        return fmt::format("seed {} of {}", with_commas(failure.number + 1),
                           with_commas(options_.fuzz.seeds));
    return fmt::format("seed {}, number {} of {}", failure.schedule.seed,
                       with_commas(failure.number + 1), with_commas(options_.fuzz.seeds));
}

void Fuzz::say_interrupted() {
    if (failure_) {
        say("{}: {}; interrupted before the choices that are enough were found; repeat it with",
            name_of(*failure_), failure_->fault.sentence);
        say_command(*failure_);
    } else {
        say("interrupted after {} of {} seed{}{}", with_commas(seeds_done_),
            with_commas(options_.fuzz.seeds), options_.fuzz.seeds == 1 ? "" : "s",
            seeds_done_ > 0 ? ", none of which goes wrong" : "");
    }
}

void Fuzz::say_failure(bool is_repeated) {
    const int before = failure_->number;
    const auto &choices = failure_->schedule.choices;
    say("{}: {}{}", name_of(*failure_), failure_->fault.sentence,
        before == 0   ? ""
        : before == 1 ? "; the one before it ends well"
                      : fmt::format("; the {} before it end well", with_commas(before)));
    if (!is_repeated)
        say("the same seed does not always end so: time, random numbers, threads or files may "
            "decide{}; this is what the run printed:",
            failure_->fault.kind == Fault::Output
                ? " (--fuzz-compare exit compares exit codes only)"
                : "");
    else if (choices)
        say("its first {} enough; this is what the run prints:",
            *choices == 1
                ? "choice is"
                : fmt::format("{} choices are", with_commas(static_cast<long>(*choices))));
    else
        say("this is what the run prints:");
    print(failure_->outcome);
    if (is_repeated)
        say("it ends so {0} times of {0}{1}; repeat it with", repetitions,
            failure_->fault.kind == Fault::Output
                ? " (a program that may print either needs --fuzz-compare exit)"
                : "");
    else
        say("try it again with");
    say_command(*failure_);
}

// Prints the command that runs a schedule, in a line of its own. It gets our time limit if it would
// not end without one.
void Fuzz::say_command(const Failure &failure) {
    std::vector<std::string> options = failure.schedule.options();
    if (failure.outcome.exit_code == time_limit_exit_code && timeout_s_ > 0)
        options.insert(options.end(), {"--timeout", fmt::format("{}", timeout_s_)});
    fmt::print(stderr, "{}\n", command_of_run(words_, options_.option_words, options, input_.path));
}

} // namespace

int run_fuzz(const Options &options, const std::vector<std::string> &words, const RunInput &input,
             const sigset_t &child_mask) {
    check_sharing(options, "--fuzz");
    return Fuzz(options, words, input, child_mask).run();
}

} // namespace mpiexec
