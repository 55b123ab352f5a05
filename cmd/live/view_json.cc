#include "view_json.h"

#include "text/json_string.h"

#include <fmt/core.h>

namespace live {
namespace {

using text::json_string;

constexpr size_t groups_max = 200, dependences_max = 100, entries_max = 2000; // on the page

template <class List, class Text>
std::string list_of(const List &list, size_t count_max, Text text) {
    std::string all;
    size_t count = 0;
    for (const auto &element : list) {
        if (count++ == count_max)
            break;
        all += (all.empty() ? "" : ",") + text(element);
    }
    return "[" + all + "]";
}

// Returns one letter for each rank.
std::string states_of(const View &view) {
    constexpr char letters[] = "scmwhe"; // by Activity
    static_assert(sizeof letters == activities + 1);
    std::string states;
    for (const RankView &rank : view.ranks)
        states += letters[static_cast<int>(rank.activity)];
    return states;
}

} // namespace

std::string json_of(const View &view) {
    const Totals totals = totals_of(view);
    std::string json = fmt::format(
        R"({{"title":{},"ended":{},"held":{},"ranks":{},"processes":{},"workers":{},"seconds":{:.3f},)"
        R"("memory":{},"states":"{}","calls":{},"messages":{},"bytes":{},"rates":[{:.6g},{:.6g},{:.6g}])",
        json_string(view.title), json_string(view.ended), view.is_held, view.ranks.size(),
        view.processes, view.workers, view.seconds, view.memory_bytes, states_of(view),
        totals.calls, totals.messages, totals.bytes, view.calls_rate, view.messages_rate,
        view.bytes_rate);
    const auto add = [&](const char *name, const std::string &value) {
        json += fmt::format(",\n\"{}\":{}", name, value);
    };
    add("counts", list_of(view.counts, activities, [](int n) { return std::to_string(n); }));
    add("groups", list_of(view.groups, groups_max, [&](const Group &group) {
            return fmt::format(
                R"({{"state":{},"count":{},"place":{},"ranks":{},"first":{},"seconds":{:.6g}}})",
                json_string(name_of(group.activity)), group.ranks.size(),
                json_string(place_of(view, group.site)), json_string(rank_list(group.ranks)),
                group.ranks[0], group.seconds);
        }));
    add("groups_left_out",
        std::to_string(view.groups.size() > groups_max ? view.groups.size() - groups_max : 0));
    add("waits", list_of(view.dependences, dependences_max, [&](const Dependence &dependence) {
            return fmt::format(
                R"({{"who":{},"whom":{},"place":{}}})", json_string(rank_list(dependence.waiting)),
                json_string(dependence.for_ranks.empty() ? "any rank"
                                                         : rank_list(dependence.for_ranks)),
                json_string(place_of(view, dependence.site)));
        }));
    add("slowest", list_of(view.slowest, view.slowest.size(), [&](int number) {
            const RankView &rank = view.ranks[static_cast<size_t>(number)];
            return fmt::format(R"({{"rank":{},"computing":{:.6g},"observed":{:.6g},"calls":{}}})",
                               number, rank.computing_seconds, rank.observed_seconds, rank.calls);
        }));
    add("queues", list_of(view.longest_queues, view.longest_queues.size(), [&](int number) {
            return fmt::format(R"({{"rank":{},"messages":{}}})", number,
                               view.ranks[static_cast<size_t>(number)].queued);
        }));
    return json + "}\n";
}

std::string json_of_rank(const View &view, int number) {
    const RankView &rank = view.ranks[static_cast<size_t>(number)];
    return fmt::format(
        R"({{"rank":{},"state":{},"place":{},"seconds":{:.6g},"calls":{},"messages":{},"received":{},)"
        R"("bytes":{},"queued":{},"peer":{},"tag":{},"computing":{:.6g},"observed":{:.6g},"exit_code":{}}})"
        "\n",
        number, json_string(name_of(rank.activity)), json_string(place_of(view, rank.site)),
        rank.seconds, rank.calls, rank.messages, rank.received, rank.bytes, rank.queued, rank.peer,
        rank.tag, rank.computing_seconds, rank.observed_seconds, rank.exit_code);
}

std::string json_of(const Queues &queues) {
    const std::string entries = list_of(queues.entries, entries_max, [](const QueueEntry &entry) {
        return fmt::format(R"({{"rank":{},"posted":{},"source":{},"tag":{},"bytes":{},"comm":{}}})",
                           entry.rank, entry.is_posted, entry.source, entry.tag, entry.bytes,
                           json_string(entry.communicator));
    });
    const std::string rests = list_of(queues.rests, entries_max, [](const QueueRest &rest) {
        return fmt::format(R"({{"rank":{},"posted":{},"unexpected":{}}})", rest.rank, rest.posted,
                           rest.unexpected);
    });
    const size_t count = queues.entries.size();
    return fmt::format(R"({{"entries":{},"more":{},"left_out":{}}})"
                       "\n",
                       entries, rests, count > entries_max ? count - entries_max : 0);
}

} // namespace live
