#include "view.h"

#include <algorithm>
#include <filesystem>
#include <fmt/core.h>
#include <map>
#include <tuple>

namespace live {
namespace {

constexpr size_t ranks_shown_max = 5; // of the slowest, and of those with long queues

void find_groups(View &view) {
    std::map<std::pair<Activity, int>, Group> groups;
    for (size_t i = 0; i < view.ranks.size(); ++i) {
        const RankView &rank = view.ranks[i];
        ++view.counts[static_cast<int>(rank.activity)];
        Group &group = groups[{rank.activity, rank.site}];
        group.activity = rank.activity;
        group.site = rank.site;
        group.ranks.push_back(static_cast<int>(i));
        group.seconds =
            std::max(group.ranks.size() == 1 ? rank.seconds : group.seconds, rank.seconds);
    }
    for (auto &[key, group] : groups)
        view.groups.push_back(std::move(group));
    std::ranges::stable_sort(view.groups, [](const Group &a, const Group &b) {
        return a.ranks.size() > b.ranks.size();
    });
}

// A collective operation of all ranks waits for those that are not in it. Of others the members are
// not known.
void find_missing(const View &view, const std::vector<int> &waiting, Dependence &dependence) {
    const RankView &first = view.ranks[static_cast<size_t>(waiting[0])];
    if (first.members != view.ranks.size())
        return;
    for (size_t i = 0; i < view.ranks.size(); ++i)
        if (view.ranks[i].group != first.group)
            dependence.for_ranks.push_back(static_cast<int>(i));
}

void find_dependences(View &view) {
    std::map<int, Dependence> by_peer;
    std::map<uint64_t, std::vector<int>> by_group;
    for (size_t i = 0; i < view.ranks.size(); ++i) {
        const RankView &rank = view.ranks[i];
        if (rank.activity != Activity::Waiting)
            continue;
        if (rank.group)
            by_group[rank.group].push_back(static_cast<int>(i));
        if (rank.peer == no_peer)
            continue;
        Dependence &dependence = by_peer[rank.peer];
        dependence.site =
            dependence.waiting.empty() || dependence.site == rank.site ? rank.site : no_site;
        dependence.waiting.push_back(static_cast<int>(i));
        if (rank.peer >= 0)
            dependence.for_ranks = {rank.peer};
    }
    for (auto &[peer, dependence] : by_peer)
        view.dependences.push_back(std::move(dependence));
    for (const auto &[group, waiting] : by_group) {
        Dependence dependence{waiting, {}, view.ranks[static_cast<size_t>(waiting[0])].site};
        find_missing(view, waiting, dependence);
        if (!dependence.for_ranks.empty())
            view.dependences.push_back(std::move(dependence));
    }
    std::ranges::stable_sort(view.dependences, [](const Dependence &a, const Dependence &b) {
        return a.waiting.size() > b.waiting.size();
    });
}

// Finds the ranks that compute clearly longer than the median, longest first.
void find_slowest(View &view) {
    std::vector<double> times;
    for (const RankView &rank : view.ranks)
        times.push_back(rank.computing_seconds);
    if (times.size() < 2)
        return;
    const auto middle = times.begin() + static_cast<long>(times.size() / 2);
    std::ranges::nth_element(times, middle);
    constexpr double clearly = 1.1, least_s = 0.01;
    const double limit = std::max(clearly * *middle, *middle + least_s);
    for (size_t i = 0; i < view.ranks.size(); ++i)
        if (view.ranks[i].computing_seconds > limit)
            view.slowest.push_back(static_cast<int>(i));
    std::ranges::stable_sort(view.slowest, std::greater{}, [&](int rank) {
        return view.ranks[static_cast<size_t>(rank)].computing_seconds;
    });
    view.slowest.resize(std::min(view.slowest.size(), ranks_shown_max));
}

void find_queues(View &view) {
    for (size_t i = 0; i < view.ranks.size(); ++i)
        if (view.ranks[i].queued)
            view.longest_queues.push_back(static_cast<int>(i));
    std::ranges::stable_sort(view.longest_queues, std::greater{}, [&](int rank) {
        return view.ranks[static_cast<size_t>(rank)].queued;
    });
    view.longest_queues.resize(std::min(view.longest_queues.size(), ranks_shown_max));
}

std::string with_unit(double value, double step, const std::vector<const char *> &units) {
    size_t unit = 0;
    for (; value >= step && unit + 1 < units.size(); ++unit)
        value /= step;
    return value < 10 && unit > 0 ? fmt::format("{:.1f} {}", value, units[unit])
                                  : fmt::format("{:.0f} {}", value, units[unit]);
}

} // namespace

const char *name_of(Activity activity) {
    constexpr const char *names[] = {"starting", "computing", "in MPI", "waiting", "held", "ended"};
    static_assert(std::size(names) == activities);
    return names[static_cast<int>(activity)];
}

void summarize(View &view) {
    find_groups(view);
    find_dependences(view);
    find_slowest(view);
    find_queues(view);
}

Totals totals_of(const View &view) {
    Totals totals;
    for (const RankView &rank : view.ranks) {
        totals.calls += rank.calls;
        totals.messages += rank.messages;
        totals.bytes += rank.bytes;
    }
    return totals;
}

std::string place_of(const View &view, int number) {
    if (number == no_site)
        return "";
    const Site &site = view.sites[static_cast<size_t>(number)];
    std::string text = site.function.empty() ? "an MPI call" : site.function;
    if (!site.file.empty())
        text += " at " + std::filesystem::path(site.file).filename().string();
    if (site.line > 0)
        text += fmt::format(":{}", site.line);
    if (!site.in.empty())
        text += " in " + site.in;
    return text;
}

std::string seconds_text(double seconds) {
    if (seconds < 1)
        return fmt::format("{:.0f} ms", seconds * 1e3);
    if (seconds < 100)
        return fmt::format("{:.1f} s", seconds);
    const auto whole = static_cast<long>(seconds);
    return whole < 3600 ? fmt::format("{}:{:02} min", whole / 60, whole % 60)
                        : fmt::format("{}:{:02} h", whole / 3600, whole / 60 % 60);
}

std::string bytes_text(double bytes) {
    return with_unit(bytes, 1024, {"B", "KiB", "MiB", "GiB", "TiB", "PiB"});
}

std::string count_text(double count) {
    std::string text = with_unit(count, 1000, {"", "k", "M", "G", "T"});
    if (text.ends_with(' '))
        text.pop_back();
    return text;
}

} // namespace live
