// See sweep/sweep.h.
#include "sweep.h"

#include "comparison.h"
#include "fiber/usable_cores.h"
#include "runs/progress.h"
#include "runs/repetition.h"
#include "runs/runs.h"
#include "start/ending.h"
#include "start/program.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fmt/core.h>
#include <map>

namespace sweep {
namespace {

using mpiexec::Outcome;
using mpiexec::with_commas;

constexpr int refresh_ms = 200; // of the progress line

// Returns the word by which a shell finds mpiexec.
std::string name_of(const std::string &mpiexec) {
    std::error_code error;
    const std::string found = mpiexec::search_in_path("mpiexec");
    return !found.empty() && std::filesystem::equivalent(found, mpiexec, error) ? "mpiexec"
                                                                                : mpiexec;
}

mpiexec::Words words_of_job(const SweepOptions &options) {
    mpiexec::Words words = options.passed;
    words.insert(words.end(), options.program.begin(), options.program.end());
    return words;
}

bool makes_many_runs(const mpiexec::Options &job) {
    return job.fuzz.seeds > 0 || job.explore.orders_max > 0;
}

class Sweep {
public:
    Sweep(const SweepOptions &options, const std::string &mpiexec, const mpiexec::RunInput &input,
          const sigset_t &child_mask,
          const std::function<void(const Result &, const Count &)> &show)
        : options_(options), name_(name_of(mpiexec)), input_(input), show_(show),
          comparison_(options.tolerance, options.ignored), progress_(options.job.quiet),
          runs_(name_, words_of_job(options), input, child_mask, mpiexec) {
        for (const int ranks : options.counts)
            counts_.push_back({ranks, {}, ""});
        result_.asked = counts_.size();
        const mpiexec::ProgramSpec &program = options.job.programs[0];
        result_.has_one_process = !options.job.processes && options.job.hosts.empty() &&
                                  program.refusal.empty() && !program.is_launcher;
    }

    Result run();

private:
    // The runs are numbered by their counts first, so that "greater" means a greater count, too.
    int number_of(size_t count, int repetition) const {
        return static_cast<int>(count) * options_.repetitions + repetition;
    }

    size_t count_of(int number) const { return static_cast<size_t>(number / options_.repetitions); }

    int cores_of(int ranks) const;
    bool may_start(int cores) const;
    void start_runs();
    void take(mpiexec::Runs::Finished finished);
    bool is_complete(size_t count) const;
    void finish_counts();
    void judge(Count &count);
    void keep_failure(const Count &count, const Outcome &run);
    void show_progress();

    const SweepOptions &options_;
    const std::string name_;
    const mpiexec::RunInput &input_;
    const std::function<void(const Result &, const Count &)> &show_;
    const Comparison comparison_;
    mpiexec::Progress progress_;
    mpiexec::Runs runs_;
    Result result_;
    std::vector<Count> counts_;
    std::map<int, int> cores_; // of the runs that are under way, by their numbers
    size_t started_ = 0;       // runs, in the order of repetitions: all counts take turns
    long ended_ = 0;
    size_t finished_ = 0;              // counts that have been judged and shown
    size_t limit_ = SIZE_MAX;          // with stops_on_failure: the smallest count that has failed
    std::optional<std::string> usual_; // output that others are compared with
    double begin_s_ = mpiexec::now_s();
};

// Returns how many cores a run can use.
int Sweep::cores_of(int ranks) const {
    const int cores = thrum::usable_cores();
    if (makes_many_runs(options_.job))
        return cores; // it makes runs side by side itself
    const std::string workers = options_.job.value_of("workers");
    const int most = workers.empty() ? cores : std::clamp(std::atoi(workers.c_str()), 1, cores);
    return std::min(ranks, most);
}

bool Sweep::may_start(int cores) const {
    if (cores_.empty())
        return true;
    if (options_.jobs > 0)
        return cores_.size() < static_cast<size_t>(options_.jobs);
    if (!options_.picture_file.empty())
        return false; // times are measured
    int used = 0;
    for (const auto &[number, of_run] : cores_)
        used += of_run;
    return used + cores <= thrum::usable_cores();
}

// Starts the runs that are next, as far as they may run now.
void Sweep::start_runs() {
    const size_t all = counts_.size() * static_cast<size_t>(options_.repetitions);
    for (; started_ < all; ++started_) {
        const size_t count = started_ % counts_.size();
        if (count >= limit_)
            continue;
        const int cores = cores_of(counts_[count].ranks);
        if (!may_start(cores))
            return;
        const int number = number_of(count, static_cast<int>(started_ / counts_.size()));
        runs_.start(number, {"-n", std::to_string(counts_[count].ranks)});
        cores_[number] = cores;
        result_.was_side_by_side |= cores_.size() > 1;
    }
}

Result Sweep::run() {
    try {
        for (;;) {
            start_runs();
            if (cores_.empty())
                break;
            show_progress();
            mpiexec::Runs::Finished finished;
            if (runs_.wait(progress_.is_shown() ? refresh_ms : -1, finished)) {
                take(std::move(finished));
                finish_counts();
            }
        }
    } catch (const mpiexec::Interruption &interruption) {
        runs_.kill_after(-1);
        result_.signal = interruption.signal;
    }
    progress_.clear();
    result_.seconds = mpiexec::now_s() - begin_s_;
    return std::move(result_);
}

// Keeps what a run has shown.
void Sweep::take(mpiexec::Runs::Finished finished) {
    const size_t number = count_of(finished.number);
    Count &count = counts_[number];
    cores_.erase(finished.number);
    ++ended_;
    if (finished.outcome.exit_code != 0) {
        if (!result_.failure || count.ranks < result_.failure->ranks)
            keep_failure(count, finished.outcome);
        if (options_.stops_on_failure && number < limit_) {
            limit_ = number;
            const int last = number_of(limit_, 0) - 1;
            runs_.kill_after(last);
            cores_.erase(cores_.upper_bound(last), cores_.end());
        }
    }
    if (!options_.compares_output || finished.outcome.exit_code != 0) {
        finished.outcome.output.clear();
        finished.outcome.errors.clear();
    }
    count.runs.push_back(std::move(finished.outcome));
}

bool Sweep::is_complete(size_t count) const {
    return count == limit_ ||
           counts_[count].runs.size() == static_cast<size_t>(options_.repetitions);
}

// Judges and shows the counts that are complete, in order.
void Sweep::finish_counts() {
    for (; finished_ < counts_.size() && finished_ <= limit_ && is_complete(finished_);
         ++finished_) {
        judge(counts_[finished_]);
        progress_.clear();
        result_.counts.push_back(std::move(counts_[finished_]));
        show_(result_, result_.counts.back());
    }
}

// Compares the outputs of a count with that of the smallest that ends well.
void Sweep::judge(Count &count) {
    for (Outcome &run : count.runs) {
        if (!options_.compares_output || run.exit_code != 0)
            continue;
        if (run.is_cut && count.difference.empty())
            count.difference = fmt::format("prints more than {} MiB, which is not compared",
                                           mpiexec::kept_bytes_max >> 20);
        else if (!usual_)
            usual_ = std::move(run.output);
        else if (count.difference.empty())
            count.difference = comparison_.difference_of(run.output, *usual_).value_or("");
        run.output.clear();
        run.errors.clear();
    }
}

void Sweep::keep_failure(const Count &count, const Outcome &run) {
    mpiexec::Words words{name_};
    const mpiexec::Words job = words_of_job(options_);
    words.insert(words.end(), job.begin(), job.end());
    result_.failure = Failure{
        count.ranks, run,
        mpiexec::command_of_run(words, 0, {"-n", std::to_string(count.ranks)}, input_.path)};
}

void Sweep::show_progress() {
    const auto all = static_cast<long>(std::min(limit_, counts_.size())) * options_.repetitions;
    std::string ranks;
    for (const auto &[number, cores] : cores_)
        ranks += (ranks.empty() ? "" : ", ") + with_commas(counts_[count_of(number)].ranks);
    std::string text = fmt::format(
        "{} of {} runs, {}; running {} rank{}", with_commas(ended_), with_commas(all),
        result_.failure ? fmt::format("{} ranks fail", with_commas(result_.failure->ranks))
                        : "all well",
        ranks, ranks == "1" ? "" : "s");
    if (ended_ > 0 && ended_ < all)
        text += fmt::format("; {:.0f} s left", (mpiexec::now_s() - begin_s_) *
                                                   static_cast<double>(all - ended_) /
                                                   static_cast<double>(ended_));
    progress_.show(text);
}

} // namespace

Result run_sweep(const SweepOptions &options, const std::string &mpiexec,
                 const mpiexec::RunInput &input, const sigset_t &child_mask,
                 const std::function<void(const Result &, const Count &)> &show) {
    return Sweep(options, mpiexec, input, child_mask, show).run();
}

} // namespace sweep
