#include "watched_job.h"

#include <filesystem>
#include <fmt/core.h>

namespace live {
namespace {

// Returns PREFIX/libexec/thrum/symbolize for PREFIX/libexec/thrum/top.
std::string find_symbolizer() {
    return (std::filesystem::read_symlink("/proc/self/exe").parent_path() / "symbolize").string();
}

} // namespace

WatchedJob::WatchedJob(pid_t pid) : pid_(pid) {
    const FoundJob job = find_job(pid);
    if (job.observations.empty())
        bare_ = std::make_unique<BareJob>(job, find_symbolizer());
    else
        observed_ = std::make_unique<ObservedJob>(job.observations, find_symbolizer(), "");
}

WatchedJob::WatchedJob(const std::string &directory, const std::string &title)
    : observed_(std::make_unique<ObservedJob>(directory, find_symbolizer(), title)) {}

View WatchedJob::look() {
    return observed_ ? observed_->look() : bare_->look();
}

// A shell that mpiexec has started may run several programs, one after the other.
bool WatchedJob::has_ended() const {
    return (observed_ ? observed_->has_ended() : bare_->has_ended()) && !is_alive(pid_);
}

std::string ending_of(const View &view) {
    std::vector<int> lost, failed;
    for (size_t i = 0; i < view.ranks.size(); ++i) {
        const RankView &rank = view.ranks[i];
        if (rank.activity != Activity::Ended || rank.exit_code < 0)
            lost.push_back(static_cast<int>(i));
        else if (rank.exit_code > 0)
            failed.push_back(static_cast<int>(i));
    }
    if (!view.is_observed || view.ranks.empty())
        return "the job has ended";
    if (!failed.empty())
        return fmt::format("the job has ended: rank {} with exit code {}", failed[0],
                           view.ranks[static_cast<size_t>(failed[0])].exit_code);
    if (!lost.empty())
        return fmt::format("the job has ended, by a crash, a report or a signal: {} had not ended",
                           rank_list(lost));
    return "the job has ended normally";
}

} // namespace live
