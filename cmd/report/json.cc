#include "json.h"

#include "fiber/usable_cores.h"
#include "text/json_string.h"

#include <algorithm>
#include <ctime>
#include <fmt/core.h>
#include <fstream>
#include <unistd.h>

namespace report {
namespace {

using text::json_string;

// Returns "[a, b]" of text(element) for each element.
template <class List, class Text>
std::string list_of(const List &list, Text text) {
    std::string all;
    for (const auto &element : list)
        all += (all.empty() ? "" : ",") + text(element);
    return "[" + all + "]";
}

// Seconds with nine digits: more than a clock has, and few characters.
std::string number(double seconds) {
    return fmt::format("{:.9g}", seconds);
}

std::string time_text(int64_t realtime_ns) {
    const auto seconds = static_cast<time_t>(realtime_ns / 1'000'000'000);
    tm utc{};
    ::gmtime_r(&seconds, &utc);
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    return text;
}

std::string host_name() {
    char name[256] = "";
    ::gethostname(name, sizeof name - 1);
    return name;
}

std::string processor_name() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);)
        if (line.starts_with("model name"))
            return line.substr(std::min(line.find(": ") + 2, line.size()));
    return "";
}

std::string run_of(const Report &r) {
    return fmt::format(
        R"({{"command":{},"started":"{}","host":{},"processor":{},"cores":{},"thrum":"{}",)"
        R"("ranks":{},"processes":{},"workers":{},"seconds":{},"ended":{},"complete":{},"lost":{},)"
        R"("memory":{},"added_ranks":{}}})",
        json_string(r.command), time_text(r.started_ns), json_string(host_name()),
        json_string(processor_name()), thrum::usable_cores(), THRUM_VERSION, r.ranks, r.processes,
        r.workers, number(r.seconds), json_string(r.ended), r.is_complete, r.lost, r.memory,
        r.added_ranks);
}

std::string object_of(const Site &site, const std::vector<std::string> &functions) {
    const auto function = std::ranges::find(functions, site.function) - functions.begin();
    return fmt::format(R"({{"function":{},"file":{},"line":{},"in":{}}})", function,
                       json_string(site.file), site.line, json_string(site.in));
}

std::string object_of(const CallRow &row) {
    return fmt::format(
        R"({{"site":{},"calls":{},"ranks":{},"seconds":{},"wait":{},"ready":{},"bytes":{},)"
        R"("longest":{},"longest_rank":{}}})",
        row.site, row.calls, row.ranks, number(row.seconds), number(row.wait), number(row.ready),
        row.bytes, number(row.longest), row.longest_rank);
}

// Returns the columns of the ranks.
std::string columns_of(const std::vector<RankRow> &rows) {
    const auto column = [&](auto member) {
        return list_of(rows, [&](const RankRow &row) {
            if constexpr (std::is_same_v<decltype(row.*member), const double &>)
                return number(row.*member);
            else
                return fmt::format("{}", row.*member);
        });
    };
    return fmt::format(R"({{"seconds":{},"mpi":{},"wait":{},"ready":{},"messages":{},"bytes":{},)"
                       R"("unexpected_most":{},"memory":{}}})",
                       column(&RankRow::seconds), column(&RankRow::mpi), column(&RankRow::wait),
                       column(&RankRow::ready), column(&RankRow::messages), column(&RankRow::bytes),
                       column(&RankRow::unexpected_most), column(&RankRow::memory));
}

std::string object_of(const WaitRow &row) {
    return fmt::format(R"({{"kind":"{}","site":{},"cause":{},"count":{},"seconds":{},"ranks":{},)"
                       R"("cause_rank":{},"cause_rank_seconds":{}}})",
                       row.kind, row.site, row.cause, row.count, number(row.seconds), row.ranks,
                       row.cause_rank, number(row.cause_rank_seconds));
}

std::string object_of(const CollectiveRow &row) {
    return fmt::format(
        R"({{"site":{},"members":{},"calls":{},"spread":{},"spread_longest":{},"last":{}}})",
        row.site, row.members, row.operations, number(row.spread), number(row.longest_spread),
        list_of(row.last, [](const Late &late) {
            return fmt::format("[{},{},{}]", late.rank, late.times, number(late.seconds));
        }));
}

std::string object_of(const FileRow &row) {
    return fmt::format(R"({{"name":{},"reads":{},"writes":{},"bytes_read":{},"bytes_written":{},)"
                       R"("seconds":{},"ranks":{}}})",
                       json_string(row.name), row.reads, row.writes, row.bytes_read,
                       row.bytes_written, number(row.seconds), row.ranks);
}

} // namespace

std::string json_of(const Report &r) {
    std::vector<std::string> functions;
    for (const Site &site : r.sites)
        if (std::ranges::find(functions, site.function) == functions.end())
            functions.push_back(site.function);
    const auto object = [](const auto &row) {
        return object_of(row);
    };
    std::string json = fmt::format(R"({{"format":"thrum report","version":1,"run":{})", run_of(r));
    const auto add = [&](const char *name, const std::string &value) {
        json += fmt::format(",\n\"{}\":{}", name, value);
    };
    add("functions", list_of(functions, [](const std::string &f) { return json_string(f); }));
    add("sites", list_of(r.sites, [&](const Site &site) { return object_of(site, functions); }));
    add("calls", list_of(r.calls, object));
    add("ranks", columns_of(r.by_rank));
    add("matrix", fmt::format(R"({{"block":{},"entries":{}}})", r.matrix_block,
                              list_of(r.matrix, [](const MatrixEntry &e) {
                                  return fmt::format("[{},{},{},{}]", e.source, e.destination,
                                                     e.messages, e.bytes);
                              })));
    add("sizes", list_of(r.sizes, [](const SizeRow &row) {
            return fmt::format("[{},{},{}]", row.exponent, row.messages, row.bytes);
        }));
    add("waits", list_of(r.waits, object));
    add("collectives", list_of(r.collectives, object));
    add("path", list_of(r.path, [](const PathPart &part) {
            return fmt::format(R"({{"rank":{},"site":{},"seconds":{}}})", part.rank, part.site,
                               number(part.seconds));
        }));
    add("queue",
        fmt::format(R"({{"bin":{},"most":{}}})", number(r.queue_bin),
                    list_of(r.queue_most, [](uint32_t most) { return fmt::format("{}", most); })));
    add("files", list_of(r.files, object));
    add("findings", list_of(r.findings, [](const std::string &f) { return json_string(f); }));
    if (!r.timeline.empty())
        add("timeline", r.timeline);
    return json + "}\n";
}

} // namespace report
