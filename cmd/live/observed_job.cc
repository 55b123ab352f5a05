#include "observed_job.h"

#include "base/clock.h"
#include "find_job.h"
#include "observation/function_names.h"
#include "observe/hold.h"

#include <algorithm>
#include <climits>
#include <fcntl.h>
#include <filesystem>
#include <fmt/core.h>
#include <fstream>
#include <linux/futex.h>
#include <sstream>
#include <stdexcept>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace live {

namespace fs = std::filesystem;
namespace observe = observation::observe;
using observation::Mapping;
using observation::value;

namespace {

constexpr double answer_s = 3;  // in which a process writes its queues
constexpr double step_s = 0.5;  // after which a step that has no end is left alone
constexpr int steps_max = 5000; // until a message is sent or received

double now_s() {
    return static_cast<double>(thrum::now_ns()) * 1e-9;
}

void pause_ms(int ms) {
    ::usleep(static_cast<useconds_t>(ms) * 1000);
}

uint64_t memory_of(uint64_t process_id) {
    std::ifstream file(fmt::format("/proc/{}/statm", process_id));
    uint64_t size = 0, resident = 0;
    file >> size >> resident;
    return resident * static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
}

// Returns the text of "/proc/N/comm", the name of the program.
std::string title_of(uint64_t process_id) {
    std::ifstream file(fmt::format("/proc/{}/comm", process_id));
    std::string name;
    std::getline(file, name);
    return name;
}

pid_t id_of(const observe::Observation &o) {
    return static_cast<pid_t>(value(o.process_id));
}

int64_t signed_value(const observe::Word &word) {
    return static_cast<int64_t>(value(word));
}

} // namespace

namespace {

// Where the record of a rank is in the file.
struct RankPlace {
    int rank;
    observe::Offset record;
};

} // namespace

// The observation of one process.
struct ObservedJob::Process {
    explicit Process(std::string file) : path(std::move(file)) {}

    ~Process() {
        if (control)
            ::munmap(control, control_bytes);
    }

    Process(const Process &) = delete;
    Process &operator=(const Process &) = delete;

    observe::Observation &own() const { return *static_cast<observe::Observation *>(control); }

    observe::RankRecord &record(const RankPlace &place) const {
        return *reinterpret_cast<observe::RankRecord *>(static_cast<char *>(control) +
                                                        place.record);
    }

    // Returns nullptr if the rank is in another process.
    observe::RankRecord *find(int rank) const {
        for (const RankPlace &place : ranks)
            if (place.rank == rank)
                return &record(place);
        return nullptr;
    }

    // Maps the file, to read it and to write into it; again when it has ranks that were added.
    // Returns false if the process is not as far yet.
    bool map();

    std::string path;
    void *control = nullptr;
    size_t control_bytes = 0;
    std::vector<RankPlace> ranks;
    observe::Offset added_read = 0;
    std::vector<int> sites; // by number of the place: indices of sites_
    observe::Offset places_read = 0;
    bool is_alive = true;

private:
    bool is_up_to_date() const {
        // acquire [observe-4]: the record of the rank.
        return control && own().newest_added.load(std::memory_order_acquire) == added_read;
    }

    void find_ranks(const Mapping &mapping);
};

void ObservedJob::Process::find_ranks(const Mapping &mapping) {
    const observe::Observation &o = mapping.observation();
    ranks.clear();
    for (int i = 0; i < o.rank_count; ++i)
        ranks.push_back(
            {o.first_rank + i, o.ranks + static_cast<size_t>(i) * sizeof(observe::RankRecord)});
    // acquire [observe-4]: the record of the rank.
    added_read = o.newest_added.load(std::memory_order_acquire);
    observe::Offset offset = added_read;
    while (const auto *added = mapping.at<observe::AddedRank>(offset)) {
        if (mapping.at<observe::RankRecord>(added->record))
            ranks.push_back({added->world_rank, added->record});
        offset = added->next;
    }
}

bool ObservedJob::Process::map() {
    if (is_up_to_date())
        return true;
    size_t bytes = 0;
    try {
        const Mapping mapping(path);
        if (!mapping.is_valid())
            return false;
        find_ranks(mapping);
        for (const RankPlace &place : ranks)
            bytes = std::max(bytes, place.record + sizeof(observe::RankRecord));
    } catch (const std::runtime_error &) { // removed at the end of the job
        return control != nullptr;
    }
    const int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    void *memory =
        file < 0 ? MAP_FAILED : ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (file >= 0)
        ::close(file);
    if (memory == MAP_FAILED)
        return control != nullptr;
    if (control)
        ::munmap(control, control_bytes);
    control = memory;
    control_bytes = bytes;
    return true;
}

ObservedJob::ObservedJob(std::string directory, std::string symbolizer, std::string title)
    : directory_(std::move(directory)), symbolizer_(std::move(symbolizer)),
      title_(std::move(title)) {}

ObservedJob::~ObservedJob() {
    if (is_held_)
        go_on();
}

// The directory has other files, too: those with queues.
void ObservedJob::find_processes() {
    std::error_code error;
    for (const auto &entry : fs::directory_iterator(directory_, error)) {
        const std::string name = entry.path().filename().string();
        if (name.empty() || name.find_first_not_of("0123456789.") != std::string::npos)
            continue;
        auto &process = processes_[entry.path().string()];
        if (!process)
            process = std::make_unique<Process>(entry.path().string());
    }
}

// Names the places that are new since the last time.
void ObservedJob::read_places(Process &process) {
    std::error_code error;
    if (!fs::exists(process.path, error)) // removed at the end of the job
        return;
    const Mapping mapping(process.path);
    std::vector<observation::ObjectPlace> asked;
    std::vector<std::pair<uint32_t, std::pair<std::string, uint64_t>>> numbers;
    std::vector<std::pair<std::string, uint64_t>> keys;
    std::vector<std::string> functions;
    // acquire [observe-2]: the places are complete.
    const observe::Offset newest =
        mapping.observation().newest_place.load(std::memory_order_acquire);
    for (observe::Offset offset = newest; offset != process.places_read;) {
        const auto *place = mapping.at<observe::Place>(offset);
        if (!place)
            break;
        const std::string path = mapping.text(place->path);
        const std::string function = observation::function_name(place->function);
        const std::pair key{function + '\n' + path, place->offset};
        numbers.emplace_back(place->number, key);
        if (!site_of_place_.contains(key) && std::ranges::find(keys, key) == keys.end()) {
            const bool is_script = place->offset == observe::line_of_script;
            keys.push_back(key);
            functions.push_back(function);
            asked.push_back({is_script ? "" : path, place->offset});
        }
        offset = place->next;
    }
    process.places_read = newest;
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
        process.sites.resize(std::max<size_t>(process.sites.size(), number + 1), no_site);
        process.sites[number] = site_of_place_[key];
    }
}

// A record is read while its rank writes it: each word is true at some moment.
void ObservedJob::read_rank(const Process &process, const observation::Clock &clock,
                            const observe::RankRecord &record, RankView &rank) const {
    const uint64_t now = observe::now_ticks();
    const auto since = [&](const observe::Word &begin) {
        const uint64_t ticks = value(begin);
        return ticks == 0 ? -1 : ticks < now ? clock.seconds(now - ticks) : 0;
    };
    const uint64_t place = value(record.current_place), ended = value(record.ended);
    const uint64_t held = value(record.held_ticks);
    rank.site = place && place <= process.sites.size() ? process.sites[place - 1] : no_site;
    rank.calls = value(record.ended_calls);
    rank.messages = value(record.messages);
    rank.received = value(record.received);
    rank.bytes = value(record.bytes);
    rank.queued = value(record.unexpected_now);
    if (ended || !process.is_alive) {
        rank.activity = Activity::Ended;
        rank.exit_code = ended ? static_cast<int>(ended - 1) : -1;
        rank.site = no_site;
        rank.seconds = since(record.last_ticks);
        rank.queued = 0;
    } else if (held) {
        rank.activity = Activity::Held;
        rank.seconds = since(record.held_ticks);
    } else if (const uint64_t kind = value(record.wait_kind)) {
        constexpr uint64_t collective = 4; // Blockage::Kind::Collective + 1
        rank.activity = Activity::Waiting;
        rank.seconds = since(record.wait_begin_ticks);
        rank.peer = static_cast<int>(signed_value(record.wait_peer));
        rank.tag = static_cast<int>(signed_value(record.wait_tag));
        const uint64_t group = value(record.wait_group);
        rank.group = kind == collective ? group : 0;
        rank.members = static_cast<uint32_t>(group);
    } else if (place) {
        rank.activity = Activity::InMpi;
        rank.seconds = since(record.current_begin_ticks);
    } else {
        const bool has_begun = value(record.begin_ticks) != 0;
        rank.activity = has_begun ? Activity::Computing : Activity::Starting;
        rank.seconds = since(record.last_ticks);
    }
    const uint64_t begin = value(record.begin_ticks);
    const uint64_t end = rank.activity == Activity::Ended ? value(record.last_ticks) : now;
    uint64_t elsewhere = value(record.mpi_ticks) + value(record.all_held_ticks);
    if (held && held < now)
        elsewhere += now - held;
    else if (place && rank.activity != Activity::Ended && value(record.current_begin_ticks) < now)
        elsewhere += now - value(record.current_begin_ticks);
    if (begin && end > begin) {
        rank.observed_seconds = clock.seconds(end - begin);
        rank.computing_seconds = clock.seconds(end - begin - std::min(elsewhere, end - begin));
    }
}

void ObservedJob::read_process(Process &process, View &view) {
    const observe::Observation &o = process.own();
    // acquire [observe-2]: the places are complete.
    if (process.is_alive && o.newest_place.load(std::memory_order_acquire) != process.places_read)
        read_places(process);
    const observation::Clock clock(o);
    view.ranks.resize(std::max(view.ranks.size(), static_cast<size_t>(o.all_ranks)));
    for (const RankPlace &place : process.ranks) {
        view.ranks.resize(std::max(view.ranks.size(), static_cast<size_t>(place.rank) + 1));
        read_rank(process, clock, process.record(place),
                  view.ranks[static_cast<size_t>(place.rank)]);
    }
    view.processes += process.is_alive;
    view.workers += o.workers;
    view.seconds = std::max(view.seconds, static_cast<double>(thrum::now_ns() - o.begin_ns) * 1e-9);
    if (process.is_alive)
        view.memory_bytes += memory_of(value(o.process_id));
    if (view.title.empty())
        view.title = title_of(value(o.process_id));
}

// Rates are those between two looks that are far enough apart.
void ObservedJob::set_rates(View &view) {
    constexpr double interval_s = 0.3;
    Totals now{now_s()};
    for (const RankView &rank : view.ranks) {
        now.calls += rank.calls;
        now.messages += rank.messages;
        now.bytes += rank.bytes;
    }
    if (before_.at == 0) {
        before_ = now;
    } else if (now.at - before_.at >= interval_s) {
        const auto rate = [&](uint64_t from, uint64_t to) {
            return to > from ? static_cast<double>(to - from) / (now.at - before_.at) : 0;
        };
        calls_rate_ = rate(before_.calls, now.calls);
        messages_rate_ = rate(before_.messages, now.messages);
        bytes_rate_ = rate(before_.bytes, now.bytes);
        before_ = now;
    }
    view.calls_rate = calls_rate_;
    view.messages_rate = messages_rate_;
    view.bytes_rate = bytes_rate_;
}

View ObservedJob::look() {
    View view;
    find_processes();
    view.title = title_;
    // Whether they run is asked first: an exit code that is missing then will not come.
    std::vector<Process *> alive, ended;
    for (auto &[path, process] : processes_) {
        if (!process->map())
            continue;
        process->is_alive = is_alive(id_of(process->own()));
        (process->is_alive ? alive : ended).push_back(process.get());
    }
    // Programs that a script runs one after the other have the same ranks: the last one counts.
    for (Process *process : ended)
        read_process(*process, view);
    for (Process *process : alive)
        read_process(*process, view);
    if (alive.empty())
        view.processes = static_cast<int>(ended.size());
    view.sites = sites_;
    view.is_held = is_held_;
    set_rates(view);
    summarize(view);
    return view;
}

bool ObservedJob::has_ended() const {
    return std::ranges::any_of(processes_, [](const auto &p) { return p.second->control; }) &&
           std::ranges::none_of(processes_, [](const auto &p) {
               return p.second->control && is_alive(id_of(p.second->own()));
           });
}

void ObservedJob::tell(Process &process) {
    std::atomic<uint32_t> &news = process.own().control_news;
    // release [hold-2]: the process sees what was written before.
    news.fetch_add(1, std::memory_order_release);
    ::syscall(SYS_futex, &news, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

// The file is for processes that begin later.
void ObservedJob::hold() {
    is_held_ = true;
    const std::string request = directory_ + "/" + observe::hold_request_name;
    if (const int file = ::open(request.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600); file >= 0)
        ::close(file);
    renew_hold();
}

void ObservedJob::renew_hold() {
    if (!is_held_)
        return;
    find_processes();
    for (auto &[path, process] : processes_) {
        if (!process->map())
            continue;
        process->own().hold_until_ns.store(
            static_cast<uint64_t>(thrum::now_ns() + observe::hold_ns), std::memory_order_relaxed);
        tell(*process);
    }
}

void ObservedJob::go_on() {
    is_held_ = false;
    ::unlink((directory_ + "/" + observe::hold_request_name).c_str());
    for (auto &[path, process] : processes_) {
        if (!process->control)
            continue;
        for (const RankPlace &place : process->ranks)
            process->record(place).steps.store(0, std::memory_order_relaxed);
        process->own().hold_until_ns.store(0, std::memory_order_relaxed);
        tell(*process);
    }
}

int ObservedJob::next_held(const View &view, int after) const {
    const int count = static_cast<int>(view.ranks.size());
    for (int i = 1; i <= count; ++i) {
        const int rank = (after + i) % count;
        if (view.ranks[static_cast<size_t>(rank)].activity == Activity::Held)
            return rank;
    }
    return no_peer;
}

namespace {

std::string place_of(const View &view, const RankView &rank) {
    return rank.site == no_site ? "" : text_of(view.sites[static_cast<size_t>(rank.site)]);
}

} // namespace

// A rank that computes may be about to come to its next call.
View ObservedJob::await_held() {
    const double until = now_s() + step_s;
    for (;;) {
        View view = look();
        if (next_held(view, last_step_) != no_peer || now_s() > until)
            return view;
        pause_ms(2);
    }
}

// A rank that has taken its step is held again at its next call, waits, ends, or computes for long.
std::string ObservedJob::make_step(int rank, Step &step) {
    step = Step::None;
    View view = rank == no_peer ? await_held() : look();
    if (rank == no_peer)
        rank = next_held(view, last_step_);
    if (rank == no_peer)
        return "no rank is held at a call";
    if (rank < 0 || static_cast<size_t>(rank) >= view.ranks.size())
        return fmt::format("the job has no rank {}", rank);
    const RankView before = view.ranks[static_cast<size_t>(rank)];
    const std::string call = place_of(view, before);
    if (before.activity != Activity::Held)
        return fmt::format("rank {} is not held: it is {}{}{}", rank, name_of(before.activity),
                           call.empty() ? "" : " in ", call);
    Process *owner = nullptr;
    for (auto &[path, process] : processes_)
        if (process->control && process->is_alive && process->find(rank))
            owner = process.get();
    observe::RankRecord &record = *owner->find(rank);
    const uint64_t held = value(record.held_ticks);
    const auto messages = [&] {
        uint64_t all = 0;
        for (auto &[path, process] : processes_)
            if (process->control)
                for (const RankPlace &place : process->ranks)
                    all += value(process->record(place).messages) +
                           value(process->record(place).received);
        return all;
    };
    const uint64_t messages_before = messages();
    last_step_ = rank;
    record.steps.fetch_add(1, std::memory_order_relaxed);
    tell(*owner);
    const double until = now_s() + step_s;
    const auto is_settled = [&] {
        const uint64_t now = value(record.held_ticks);
        return (now && now != held) || value(record.ended) ||
               (now == 0 && value(record.wait_kind) != 0);
    };
    while (now_s() < until && !is_settled() && is_alive(id_of(owner->own())))
        pause_ms(1);
    step = messages() != messages_before ? Step::Message : Step::Call;
    view = look();
    const RankView &after = view.ranks[static_cast<size_t>(rank)];
    std::string text = fmt::format("rank {}: {}", rank, call.empty() ? "one call" : call);
    if (after.activity == Activity::Waiting)
        text += after.peer >= 0 ? fmt::format(", which waits for rank {}", after.peer)
                                : ", which waits";
    else if (after.activity == Activity::Held)
        text += ", then held at " + place_of(view, after);
    else if (after.activity == Activity::Ended)
        text += ", then it has ended";
    else
        text += fmt::format(", then {}", name_of(after.activity));
    return text;
}

std::string ObservedJob::step(int rank) {
    Step step = Step::None;
    return make_step(rank, step);
}

std::string ObservedJob::step_message() {
    constexpr double time_max_s = 5;
    const double until = now_s() + time_max_s;
    std::string last;
    for (int i = 0; i < steps_max && now_s() < until; ++i) {
        Step step = Step::None;
        last = make_step(no_peer, step);
        renew_hold();
        if (step != Step::Call)
            return last;
    }
    return "no message was sent or received; " + last;
}

namespace {

// Parses a line of inspect/queue_listing.h; returns false if it is not an entry.
bool parse_entry(const std::string &line, QueueEntry &entry) {
    std::istringstream fields(line);
    std::string what;
    if (!(fields >> what >> entry.rank >> entry.source >> entry.tag >> entry.bytes) ||
        (what != "posted" && what != "queued"))
        return false;
    entry.is_posted = what == "posted";
    std::getline(fields >> std::ws, entry.communicator);
    return true;
}

} // namespace

std::vector<QueueEntry> ObservedJob::queues() {
    std::vector<QueueEntry> entries;
    for (auto &[path, process] : processes_) {
        if (!process->control || !is_alive(id_of(process->own())))
            continue;
        observe::Observation &o = process->own();
        const uint32_t question = o.queues_asked.fetch_add(1, std::memory_order_relaxed) + 1;
        tell(*process);
        const double until = now_s() + answer_s;
        // acquire [hold-1]: the file is that of the question.
        while (o.queues_answered.load(std::memory_order_acquire) != question) {
            if (now_s() > until)
                throw std::runtime_error(
                    fmt::format("process {} did not answer within {} s what is in its queues",
                                value(o.process_id), answer_s));
            pause_ms(2);
        }
        std::ifstream file(
            (fs::path(directory_) / fmt::format("queues.{}", o.first_rank)).string());
        QueueEntry entry;
        for (std::string line; std::getline(file, line);)
            if (parse_entry(line, entry))
                entries.push_back(entry);
    }
    return entries;
}

} // namespace live
