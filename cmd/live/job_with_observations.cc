#include "job_with_observations.h"

#include "base/clock.h"
#include "observation/function_names.h"
#include "running_process.h"
#include "start/ending.h"

#include <algorithm>
#include <filesystem>
#include <fmt/core.h>
#include <stdexcept>
#include <utility>

namespace live {

namespace fs = std::filesystem;
namespace observe = observation::observe;
using mpiexec::now_s;
using observation::Mapping;
using observation::value;

namespace {

int64_t signed_value(const observe::Word &word) {
    return static_cast<int64_t>(value(word));
}

// Returns the place of the brief calls that the rank seems to make in a loop, of which few are
// noted one by one, + 1; 0: it makes none.
uint64_t place_of_loop(const observe::RankRecord &record, uint64_t now,
                       const observation::Clock &clock) {
    constexpr double pause_max_s = 0.1; // since the last that was noted
    const uint64_t last = value(record.last_ticks);
    return last < now && clock.seconds(now - last) > pause_max_s ? 0 : value(record.repeated_place);
}

// A record is read while its rank writes it: each word is true at some moment.
RankView read_rank(const observe::RankRecord &record, bool is_alive, const std::vector<int> &sites,
                   const observation::Clock &clock) {
    RankView rank;
    const uint64_t now = observe::now_ticks();
    const auto since = [&](const observe::Word &begin) {
        const uint64_t ticks = value(begin);
        return ticks == 0 ? -1 : ticks < now ? clock.seconds(now - ticks) : 0;
    };
    const uint64_t current = value(record.current_place), ended = value(record.ended);
    const uint64_t place = current ? current : place_of_loop(record, now, clock);
    const uint64_t held = value(record.held_ticks);
    rank.site = place && place <= sites.size() ? sites[place - 1] : no_site;
    rank.calls = value(record.ended_calls);
    rank.messages = value(record.messages);
    rank.received = value(record.received);
    rank.bytes = value(record.bytes);
    rank.queued = value(record.unexpected_now);
    if (ended || !is_alive) {
        rank.activity = Activity::Ended;
        rank.exit_code = ended ? static_cast<int>(ended - 1) : -1;
        rank.site = no_site;
        rank.seconds = since(record.last_ticks);
        rank.queued = 0;
    } else if (held) {
        rank.activity = Activity::Held;
        rank.seconds = since(record.held_ticks);
    } else if (value(record.wait_kind)) {
        rank.activity = Activity::Waiting;
        rank.seconds = since(record.wait_begin_ticks);
        rank.peer = static_cast<int>(signed_value(record.wait_peer));
        rank.tag = static_cast<int>(signed_value(record.wait_tag));
        rank.group = value(record.wait_group);
        rank.members = static_cast<uint32_t>(rank.group);
    } else if (place) {
        rank.activity = Activity::InMpi;
        rank.seconds = since(record.current_begin_ticks);
    } else {
        const bool has_begun = value(record.begin_ticks) != 0;
        rank.activity = has_begun ? Activity::Computing : Activity::Starting;
        rank.seconds = since(record.last_ticks);
    }
    const uint64_t begin = value(record.begin_ticks), call = value(record.current_begin_ticks);
    const uint64_t end = rank.activity == Activity::Ended ? value(record.last_ticks) : now;
    uint64_t elsewhere = value(record.mpi_ticks) + value(record.all_held_ticks);
    if (held && held < now)
        elsewhere += now - held;
    else if (current && rank.activity != Activity::Ended && call < now)
        elsewhere += now - call;
    if (begin && end > begin) {
        rank.observed_seconds = clock.seconds(end - begin);
        rank.computing_seconds = clock.seconds(end - begin - std::min(elsewhere, end - begin));
    }
    return rank;
}

} // namespace

// A process, and what is known of its places.
struct JobWithObservations::Found {
    explicit Found(std::string path) : process(std::move(path)) {}

    ObservedProcess process;
    bool is_alive = true;   // at the last look
    std::vector<int> sites; // by number of the place: indices of sites_
    observe::Offset places_read = 0;
};

JobWithObservations::JobWithObservations(std::string directory, std::string title)
    : directory_(std::move(directory)), symbolizer_(find_symbolizer()), title_(std::move(title)) {}

JobWithObservations::~JobWithObservations() = default;

// The directory has other files, too: those with queues.
void JobWithObservations::find_processes() {
    std::error_code error;
    for (const auto &entry : fs::directory_iterator(directory_, error)) {
        const std::string name = entry.path().filename().string();
        if (name.empty() || name.find_first_not_of("0123456789.") != std::string::npos)
            continue;
        auto &found = found_[entry.path().string()];
        if (!found)
            found = std::make_unique<Found>(entry.path().string());
    }
    processes_.clear();
    for (const auto &[path, found] : found_)
        if (found->process.map())
            processes_.push_back(&found->process);
}

// Names the places that are new since the last time. Throws std::runtime_error if the file has been
// removed: this is the end of the job.
void JobWithObservations::read_places(Found &found) {
    const Mapping mapping(found.process.path());
    std::vector<observation::ObjectPlace> asked;
    std::vector<std::pair<uint32_t, std::pair<std::string, uint64_t>>> numbers;
    std::vector<std::pair<std::string, uint64_t>> keys;
    std::vector<std::string> functions;
    // acquire [observe-2]: the places are complete.
    const observe::Offset newest =
        mapping.observation().newest_place.load(std::memory_order_acquire);
    for (observe::Offset offset = newest; offset != found.places_read;) {
        const auto *place = mapping.at<observe::Place>(offset);
        if (!place)
            break;
        const std::string path = mapping.text(place->path);
        const std::string function = observation::function_name(place->function);
        std::string name = function;
        name.append(1, '\n').append(path);
        const std::pair key{std::move(name), place->offset};
        numbers.emplace_back(place->number, key);
        if (!site_of_place_.contains(key) && std::ranges::find(keys, key) == keys.end()) {
            const bool is_script = place->offset == observe::line_of_script;
            keys.push_back(key);
            functions.push_back(function);
            asked.push_back({is_script ? "" : path, place->offset});
        }
        offset = place->next;
    }
    found.places_read = newest;
    std::vector<Site> named =
        asked.empty() ? std::vector<Site>() : observation::named_places(asked, symbolizer_);
    for (size_t i = 0; i < keys.size(); ++i) {
        if (keys[i].second == observe::line_of_script)
            named[i] = observation::site_of_script(keys[i].first.substr(functions[i].size() + 1));
        named[i].function = functions[i];
        const auto same = std::ranges::find(sites_, named[i]);
        site_of_place_[keys[i]] = static_cast<int>(same - sites_.begin());
        if (same == sites_.end())
            sites_.push_back(std::move(named[i]));
    }
    for (const auto &[number, key] : numbers) {
        found.sites.resize(std::max<size_t>(found.sites.size(), number + 1), no_site);
        found.sites[number] = site_of_place_[key];
    }
}

void JobWithObservations::read_new_places(Found &found) {
    const observe::Observation &o = found.process.observation();
    // acquire [observe-2]: the places are complete.
    if (!found.is_alive || o.newest_place.load(std::memory_order_acquire) == found.places_read)
        return;
    try {
        read_places(found);
    } catch (const std::runtime_error &) {
        return; // what is known will do
    }
}

void JobWithObservations::read_process(Found &found, View &view) {
    const observe::Observation &o = found.process.observation();
    read_new_places(found);
    const observation::Clock clock(o);
    for (const ObservedProcess::RankPlace &place : found.process.ranks()) {
        RankView &rank = view.ranks[static_cast<size_t>(number_in_view(place.rank))];
        rank = read_rank(found.process.record(place), found.is_alive, found.sites, clock);
        if (rank.peer >= 0)
            rank.peer = number_in_view(rank.peer);
    }
    view.processes += found.is_alive;
    view.workers += o.workers;
    view.seconds = std::max(view.seconds, static_cast<double>(thrum::now_ns() - o.begin_ns) * 1e-9);
    if (found.is_alive) {
        view.memory_bytes += resident_bytes_of(found.process.id());
        view.is_held = view.is_held || value(o.hold_until_ns) != 0;
    }
    if (view.title.empty())
        view.title = program_of(found.process.id());
}

// Rates are those between two looks that are far enough apart.
void JobWithObservations::set_rates(View &view) {
    constexpr double interval_s = 0.3;
    const Totals now = totals_of(view);
    const double now_is_s = now_s(), passed_s = now_is_s - before_s_;
    if (before_s_ == 0 || passed_s >= interval_s) {
        const auto rate = [&](uint64_t from, uint64_t to) {
            return to > from ? static_cast<double>(to - from) / passed_s : 0;
        };
        if (before_s_ != 0) {
            calls_rate_ = rate(before_.calls, now.calls);
            messages_rate_ = rate(before_.messages, now.messages);
            bytes_rate_ = rate(before_.bytes, now.bytes);
        }
        before_ = now;
        before_s_ = now_is_s;
    }
    view.calls_rate = calls_rate_;
    view.messages_rate = messages_rate_;
    view.bytes_rate = bytes_rate_;
}

View JobWithObservations::look() {
    View view;
    find_processes();
    number_ranks();
    view.ranks.resize(static_cast<size_t>(numbers_.all_ranks()));
    view.title = title_;
    // Whether they run is asked first: an exit code that is missing then will not come.
    std::vector<Found *> alive, ended;
    for (auto &[path, found] : found_) {
        if (!found->process.is_mapped())
            continue;
        found->is_alive = found->process.is_alive();
        (found->is_alive ? alive : ended).push_back(found.get());
    }
    // Programs that a script runs one after the other have the same ranks: the last one counts.
    for (Found *found : ended)
        read_process(*found, view);
    for (Found *found : alive)
        read_process(*found, view);
    if (alive.empty())
        view.processes = static_cast<int>(ended.size());
    view.sites = sites_;
    set_rates(view);
    summarize(view);
    return view;
}

JobWithObservations::RankInProcess JobWithObservations::find(int rank) const {
    for (const auto &[path, found] : found_)
        if (found->process.is_mapped() && found->is_alive)
            for (const ObservedProcess::RankPlace &place : found->process.ranks())
                if (number_in_view(place.rank) == rank)
                    return {&found->process, &found->process.record(place)};
    return {nullptr, nullptr};
}

int JobWithObservations::number_in_view(int world_rank) const {
    const int number = numbers_.of(world_rank);
    return number == observation::no_rank ? no_peer : number;
}

void JobWithObservations::number_ranks() {
    numbers_ = {};
    for (const ObservedProcess *process : processes_) {
        std::vector<int> world_ranks;
        for (const ObservedProcess::RankPlace &place : process->ranks())
            world_ranks.push_back(place.rank);
        numbers_.add(process->observation(), world_ranks);
    }
}

bool JobWithObservations::has_ended() const {
    return !processes_.empty() && std::ranges::none_of(processes_, &ObservedProcess::is_alive);
}

} // namespace live
