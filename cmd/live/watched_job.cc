#include "watched_job.h"

#include <filesystem>
#include <fmt/core.h>

namespace live {

std::string find_symbolizer() {
    return (std::filesystem::read_symlink("/proc/self/exe").parent_path() / "symbolize").string();
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
