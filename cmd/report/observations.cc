// Reads the observations of a job's processes and adds them up.
#include "observation/mapping.h"
#include "observation/places.h"
#include "observation/ranks.h"
#include "report.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fmt/core.h>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace report {
namespace {

namespace observe = thrum::observe;
using observation::Clock;
using observation::Mapping;
using observation::observed_ranks;
using observation::value;
using observe::Observation;
using observe::Offset;

constexpr size_t matrix_entries_max = 400'000; // a page with more is slow to open
constexpr size_t latecomers_max = 16;

class Reader {
public:
    explicit Reader(std::string symbolizer) : symbolizer_(std::move(symbolizer)) {}

    // Called for all processes, then add() for all.
    void number_ranks(const Mapping &mapping) { ranks_.add(mapping); }

    void add(const Mapping &mapping);
    Report finish();

private:
    using Numbers = std::unordered_map<uint32_t, int>; // sites of an observation's places

    // The record of a rank, and what its parts mean.
    struct ObservedRank {
        const Mapping &mapping;
        const observe::RankRecord &record;
        int rank;
        const Clock &clock;
        const Numbers &sites;

        int site_of(uint32_t place) const {
            const auto found = sites.find(place);
            return found == sites.end() ? no_site : found->second;
        }

        // Returns a moment in seconds of CLOCK_REALTIME, which several hosts share as well as they
        // can.
        double moment(uint64_t ticks) const {
            const Observation &o = mapping.observation();
            return static_cast<double>(o.begin_realtime_ns) * 1e-9 +
                   clock.seconds(ticks - o.begin_ticks);
        }
    };

    Numbers numbers_of_sites(const Mapping &mapping);
    void add_row(const ObservedRank &of);
    void add_path(const ObservedRank &of);
    void add_calls(const ObservedRank &of);
    void add_messages(const ObservedRank &of);
    void add_waits(const ObservedRank &of);
    void add_gatherings(const ObservedRank &of);
    void add_files(const ObservedRank &of, const std::unordered_map<uint32_t, std::string> &names);
    void add_queue(const Observation &o, const Clock &clock);
    int number_of(const Site &site);
    void fold_matrix();

    struct WaitSum {
        uint64_t count = 0;
        double seconds = 0;
        int ranks = 0, last_rank = no_rank;
        std::unordered_map<int, double> by_cause;
    };

    struct Gathering {
        uint64_t operations = 0;
        double spread = 0, longest = 0;
        std::vector<Late> last;
    };

    std::string symbolizer_;
    Report report_;
    observation::RankNumbers ranks_; // rows
    double path_end_s_ = 0;
    double first_s_ = -1, last_s_ = 0; // CLOCK_REALTIME
    std::map<Site, int> numbers_;      // in Report::sites
    std::map<int, CallRow> calls_;     // by site
    std::map<int, SizeRow> sizes_;
    std::map<std::string, FileRow> files_;
    std::map<std::tuple<int, int, int>, WaitSum> waits_;  // kind, site, cause
    std::map<std::pair<int, int>, Gathering> gatherings_; // site, members
};

int Reader::number_of(const Site &site) {
    const auto [found, is_new] = numbers_.try_emplace(site, static_cast<int>(report_.sites.size()));
    if (is_new)
        report_.sites.push_back(site);
    return found->second;
}

Reader::Numbers Reader::numbers_of_sites(const Mapping &mapping) {
    Numbers numbers;
    for (const auto &[place, site] : read_sites(mapping, symbolizer_))
        numbers[place] = number_of(site);
    return numbers;
}

// Adds the rank's times, and how far its calls reach. A script may have run several programs as
// this rank, one after the other.
void Reader::add_row(const ObservedRank &of) {
    const observe::RankRecord &record = of.record;
    RankRow &row = report_.by_rank[static_cast<size_t>(of.rank)];
    const uint64_t begin = value(record.begin_ticks), last = value(record.last_ticks);
    row.seconds += last > begin && begin ? of.clock.seconds(last - begin) : 0;
    row.mpi += of.clock.seconds(value(record.mpi_ticks));
    row.wait += of.clock.seconds(value(record.wait_ticks));
    row.ready += of.clock.seconds(value(record.ready_ticks));
    row.messages += value(record.messages);
    row.bytes += value(record.bytes);
    row.unexpected_most = std::max(row.unexpected_most, value(record.unexpected_most));
    row.memory = std::max(row.memory, value(record.heap_most_bytes));
    row.ended = value(record.ended) != 0;
    if (!begin)
        return;
    const double first_s = of.moment(begin);
    if (first_s_ < 0 || first_s < first_s_)
        first_s_ = first_s;
    if (last > begin)
        last_s_ = std::max(last_s_, of.moment(last));
}

// Takes the rank's path if it has ended later than those before it.
void Reader::add_path(const ObservedRank &of) {
    const observe::Path &path = of.record.path;
    if (!path.until_ticks || of.moment(path.until_ticks) <= path_end_s_)
        return;
    path_end_s_ = of.moment(path.until_ticks);
    report_.path.clear();
    for (const observe::Path::Part &part : path.parts)
        if (part.ticks)
            report_.path.push_back(
                {ranks_.of(part.rank), of.site_of(part.place), of.clock.seconds(part.ticks)});
    if (path.rest_ticks)
        report_.path.push_back({no_rank, no_site, of.clock.seconds(path.rest_ticks)});
}

void Reader::add_calls(const ObservedRank &of) {
    std::unordered_map<int, bool> counted; // a site may have several entries of one rank
    of.mapping.for_each<observe::Calls>(of.record.calls, [&](const observe::Calls &calls) {
        if (value(calls.calls) == 0)
            return; // its first call is under way
        const int site = of.site_of(calls.place);
        CallRow &sum = calls_[site];
        sum.site = site;
        sum.calls += value(calls.calls);
        sum.ranks += !std::exchange(counted[site], true);
        sum.seconds += of.clock.seconds(value(calls.ticks));
        sum.wait += of.clock.seconds(value(calls.wait_ticks));
        sum.ready += of.clock.seconds(value(calls.ready_ticks));
        sum.bytes += value(calls.bytes);
        const double longest = of.clock.seconds(value(calls.longest_ticks));
        if (longest > sum.longest) {
            sum.longest = longest;
            sum.longest_rank = of.rank;
        }
    });
}

void Reader::add_messages(const ObservedRank &of) {
    of.mapping.for_each<observe::Peer>(of.record.peers, [&](const observe::Peer &peer) {
        report_.matrix.push_back(
            {of.rank, static_cast<int>(peer.key - 1), value(peer.messages), value(peer.bytes)});
    });
    for (int b = 0; b < observe::size_classes; ++b)
        if (const uint64_t messages = value(of.record.size_messages[b])) {
            SizeRow &size = sizes_[b - 1];
            size.exponent = b - 1;
            size.messages += messages;
            size.bytes += value(of.record.size_bytes[b]);
        }
}

void Reader::add_waits(const ObservedRank &of) {
    of.mapping.for_each<observe::Waits>(of.record.waits, [&](const observe::Waits &waits) {
        const uint64_t cause = waits.second;
        const observe::Cause::Kind kind = observe::Cause::kind(cause);
        WaitSum &sum = waits_[{kind, of.site_of(static_cast<uint32_t>(waits.key - 1)),
                               kind ? of.site_of(observe::Cause::place(cause)) : no_site}];
        const double seconds = of.clock.seconds(value(waits.ticks));
        sum.count += value(waits.count);
        sum.seconds += seconds;
        sum.ranks += sum.last_rank != of.rank;
        sum.last_rank = of.rank;
        if (kind)
            sum.by_cause[ranks_.of(observe::Cause::rank(cause))] += seconds;
    });
}

void Reader::add_gatherings(const ObservedRank &of) {
    const auto add = [&](const observe::Gatherings &gatherings) {
        const int site = of.site_of(static_cast<uint32_t>(gatherings.key - 1));
        const int members = static_cast<int>(static_cast<uint32_t>(gatherings.second));
        Gathering &sum = gatherings_[{site, members}];
        const uint64_t operations = value(gatherings.operations);
        const double late = of.clock.seconds(value(gatherings.late_ticks));
        sum.operations += operations;
        sum.spread += of.clock.seconds(value(gatherings.spread_ticks));
        sum.longest =
            std::max(sum.longest, of.clock.seconds(value(gatherings.longest_spread_ticks)));
        if (!sum.last.empty() && sum.last.back().rank == of.rank) { // over another communicator
            sum.last.back().times += operations;
            sum.last.back().seconds += late;
        } else {
            sum.last.push_back({of.rank, operations, late});
        }
    };
    of.mapping.for_each<observe::Gatherings>(of.record.gatherings, add);
}

// Returns the names of the files by their numbers.
std::unordered_map<uint32_t, std::string> names_of_files(const Mapping &mapping) {
    std::unordered_map<uint32_t, std::string> names;
    // acquire [observe-5]: the names are complete.
    observe::Offset offset = mapping.observation().newest_file.load(std::memory_order_acquire);
    while (const auto *file = mapping.at<observe::FileName>(offset)) {
        names[file->number] = mapping.text(file->name);
        offset = file->next;
    }
    return names;
}

void Reader::add_files(const ObservedRank &of,
                       const std::unordered_map<uint32_t, std::string> &names) {
    of.mapping.for_each<observe::FileUse>(of.record.files, [&](const observe::FileUse &use) {
        const auto name = names.find(static_cast<uint32_t>(use.key - 1));
        if (name == names.end())
            return;
        FileRow &sum = files_[name->second];
        sum.name = name->second;
        sum.reads += value(use.reads);
        sum.writes += value(use.writes);
        sum.bytes_read += value(use.read_bytes);
        sum.bytes_written += value(use.written_bytes);
        sum.seconds += of.clock.seconds(value(use.ticks));
        ++sum.ranks;
    });
}

// The queues of several processes have one time axis: the widest bins.
void Reader::add_queue(const Observation &o, const Clock &clock) {
    const double bin = clock.seconds(value(o.bin_ticks));
    std::vector<uint32_t> most(Observation::bins);
    for (int i = 0; i < Observation::bins; ++i)
        most[static_cast<size_t>(i)] = o.queue_most[i].load(std::memory_order_relaxed);
    while (!most.empty() && most.back() == 0)
        most.pop_back();
    if (most.empty())
        return;
    const double wider = std::max(bin, report_.queue_bin);
    const auto spread = [&](const std::vector<uint32_t> &from, double from_bin,
                            std::vector<uint32_t> &to) {
        for (size_t i = 0; i < from.size(); ++i) {
            const auto j = static_cast<size_t>(static_cast<double>(i) * from_bin / wider + 1e-9);
            to.resize(std::max(to.size(), j + 1));
            to[j] = std::max(to[j], from[i]);
        }
    };
    std::vector<uint32_t> both;
    spread(report_.queue_most, report_.queue_bin, both);
    spread(most, bin, both);
    report_.queue_most = std::move(both);
    report_.queue_bin = wider;
}

void Reader::add(const Mapping &mapping) {
    const Observation &o = mapping.observation();
    const Clock clock(o);
    if (report_.processes++ == 0 || o.begin_realtime_ns < report_.started_ns)
        report_.started_ns = o.begin_realtime_ns;
    report_.workers += o.workers;
    report_.lost += value(o.lost);
    report_.memory += value(o.resident_most_bytes);
    report_.by_rank.resize(static_cast<size_t>(ranks_.all_ranks()));
    const Numbers sites = numbers_of_sites(mapping);
    const auto names = names_of_files(mapping);
    for (const auto &[rank, record] : observed_ranks(mapping)) {
        const ObservedRank of{mapping, *record, ranks_.of(rank), clock, sites};
        add_row(of);
        add_path(of);
        add_calls(of);
        add_messages(of);
        add_waits(of);
        add_gatherings(of);
        add_files(of, names);
    }
    // A process of one rank does not count what its program allocates.
    RankRow &first = report_.by_rank[static_cast<size_t>(ranks_.of(o.first_rank))];
    if (o.rank_count == 1 && first.memory == 0)
        first.memory = value(o.resident_most_bytes);
    add_queue(o, clock);
    std::istringstream lines(std::string(o.findings, ::strnlen(o.findings, sizeof o.findings)));
    for (std::string line; std::getline(lines, line);)
        report_.findings.push_back("thrum: " + line);
}

// Joins neighbouring ranks until the page can show the matrix.
void Reader::fold_matrix() {
    while (report_.matrix.size() > matrix_entries_max) {
        std::map<std::pair<int, int>, MatrixEntry> folded;
        for (const MatrixEntry &entry : report_.matrix) {
            MatrixEntry &sum = folded[{entry.source / 2, entry.destination / 2}];
            sum.source = entry.source / 2;
            sum.destination = entry.destination / 2;
            sum.messages += entry.messages;
            sum.bytes += entry.bytes;
        }
        report_.matrix.clear();
        for (const auto &[place, entry] : folded)
            report_.matrix.push_back(entry);
        report_.matrix_block *= 2;
    }
}

const char *name_of(int kind) {
    switch (kind) {
    case observe::Cause::Sent:
        return "late sender";
    case observe::Cause::Received:
        return "late receiver";
    case observe::Cause::CameLast:
        return "collective";
    default:
        return "other";
    }
}

Report Reader::finish() {
    report_.added_ranks = ranks_.added_ranks();
    report_.ranks = ranks_.all_ranks();
    fold_matrix();
    for (const auto &[name, row] : files_)
        report_.files.push_back(row);
    std::ranges::sort(report_.files, std::greater{}, &FileRow::seconds);
    for (const auto &[site, row] : calls_)
        report_.calls.push_back(row);
    std::ranges::sort(report_.calls, std::greater{}, &CallRow::seconds);
    for (const auto &[exponent, row] : sizes_)
        report_.sizes.push_back(row);
    for (const auto &[key, sum] : waits_) {
        const auto &[kind, site, cause] = key;
        WaitRow row{.kind = name_of(kind),
                    .site = site,
                    .cause = cause,
                    .count = sum.count,
                    .seconds = sum.seconds,
                    .ranks = sum.ranks};
        for (const auto &[rank, seconds] : sum.by_cause)
            if (row.cause_rank == no_rank || seconds > row.cause_rank_seconds) {
                row.cause_rank = rank;
                row.cause_rank_seconds = seconds;
            }
        report_.waits.push_back(row);
    }
    std::ranges::sort(report_.waits, std::greater{}, &WaitRow::seconds);
    for (auto &[key, sum] : gatherings_) {
        std::ranges::sort(sum.last, std::greater{}, &Late::times);
        if (sum.last.size() > latecomers_max)
            sum.last.resize(latecomers_max);
        report_.collectives.push_back({.site = key.first,
                                       .members = key.second,
                                       .operations = sum.operations,
                                       .spread = sum.spread,
                                       .longest_spread = sum.longest,
                                       .last = std::move(sum.last)});
    }
    std::ranges::sort(report_.collectives, std::greater{}, &CollectiveRow::spread);
    report_.seconds = first_s_ >= 0 && last_s_ > first_s_ ? last_s_ - first_s_ : 0;
    report_.is_complete =
        report_.lost == 0 && std::ranges::all_of(report_.by_rank, &RankRow::ended);
    return std::move(report_);
}

} // namespace

Report read_observations(const std::string &directory, const std::string &symbolizer) {
    Reader reader(symbolizer);
    std::vector<std::filesystem::path> files;
    for (const auto &entry : std::filesystem::directory_iterator(directory))
        files.push_back(entry.path());
    std::ranges::sort(files);
    std::vector<std::unique_ptr<Mapping>> mappings;
    for (const auto &file : files)
        if (auto mapping = std::make_unique<Mapping>(file.string()); mapping->is_valid())
            mappings.push_back(std::move(mapping));
    if (mappings.empty())
        throw std::runtime_error("no rank of the job has come to use MPI");
    for (const auto &mapping : mappings)
        reader.number_ranks(*mapping);
    for (const auto &mapping : mappings)
        reader.add(*mapping);
    return reader.finish();
}

} // namespace report
