#include "observe/observer.h"

#include "base/check.h"
#include "base/descriptor.h"
#include "observe/event_log.h"
#include "observe/hold.h"
#include "observe/moment.h"
#include "observe/table.h"
#include "trace/recorder.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <string>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>
#include <unordered_map>

namespace thrum::observe {

char *file_begin = nullptr;

namespace {

constexpr Offset file_bytes_max = Offset{64} << 30; // address space; the file grows as it is used
constexpr Offset growth_bytes = Offset{4} << 20;
constexpr uint64_t first_bin_ticks = uint64_t{1} << 20; // less than a millisecond
constexpr uint64_t ticks_between_looks = uint64_t{1} << 28;
constexpr uint64_t short_call_ticks = 2000;      // less than a microsecond
constexpr uint16_t short_calls_before_skips = 8; // a few: each 64th poll may yield the core
// 127 to 254: the lock of a timed call waits for all stores before it.
constexpr uint64_t least_skips = 127, skips = 128;

int descriptor = -1;
FindPlace *find_place = nullptr;
int rank_count = 0;
bool is_full = false; // the file cannot grow; guarded by the mutex

// Guards the places and the growth of the file.
struct Shared {
    std::mutex mutex;
    std::unordered_map<uint64_t, uint32_t> numbers; // of places, by their keys
    std::unordered_map<std::string, Offset> paths;
    std::unordered_map<std::string, uint32_t> files; // their numbers, by name
    std::unordered_map<int, Offset> added;           // records of added ranks, by their numbers
};

// Never destroyed: ranks may still call while the process ends.
Shared &shared() {
    static auto &made = *new Shared;
    return made;
}

Observation &observation() {
    return *at<Observation>(0);
}

// Makes sure that the file's blocks up to `end` exist: memory without blocks is a SIGBUS when the
// disk is full. A failure is final: each try would take long. The mutex is held.
bool grow_file(Offset end) {
    Offset usable = observation().usable.load(std::memory_order_relaxed);
    if (end <= usable)
        return true;
    const Offset more = (end - usable + growth_bytes - 1) / growth_bytes * growth_bytes;
    is_full =
        is_full || usable + more > file_bytes_max ||
        ::posix_fallocate(descriptor, static_cast<off_t>(usable), static_cast<off_t>(more)) != 0;
    if (is_full)
        return false;
    observation().usable.store(usable + more, std::memory_order_relaxed);
    return true;
}

void count_lost() {
    observation().lost.fetch_add(1, std::memory_order_relaxed);
}

// Returns take_room(), whose mutex is held.
Offset take_room_locked(uint64_t size_bytes, uint64_t alignment = 8) {
    const Offset used = observation().used.load(std::memory_order_relaxed);
    const Offset begin = (used + alignment - 1) / alignment * alignment;
    const Offset end = begin + (size_bytes + 7) / 8 * 8;
    if (!grow_file(end))
        return 0;
    observation().used.store(end, std::memory_order_relaxed);
    return begin;
}

// Returns the offset of the text in the file, in which it is kept once.
Offset kept_text(const char *text) {
    Offset &offset = shared().paths[text];
    if (!offset) {
        const size_t size_bytes = std::strlen(text) + 1;
        offset = take_room_locked(size_bytes);
        if (offset)
            std::memcpy(at<char>(offset), text, size_bytes);
    }
    return offset;
}

// Returns the number of a place that this rank sees for the first time. Other ranks may know it.
[[gnu::noinline]] uint32_t number_of_place(uint16_t function, const void *call_site) {
    const FoundPlace found = find_place(call_site);
    std::lock_guard guard(shared().mutex);
    const Offset path = found.path ? kept_text(found.path) : 0;
    const uint64_t offset = found.path ? found.offset : reinterpret_cast<uint64_t>(call_site);
    const uint64_t key = mixed(path << 16 | function, offset == line_of_script ? path : offset);
    const auto number = static_cast<uint32_t>(shared().numbers.size());
    const auto [known, is_new] = shared().numbers.try_emplace(key, number);
    if (!is_new)
        return known->second;
    const Offset room = take_room_locked(sizeof(Place));
    if (!room) {
        shared().numbers.erase(known);
        return Cause::no_place;
    }
    const Offset newest = observation().newest_place.load(std::memory_order_relaxed);
    *at<Place>(room) = {newest, number, function, path, offset};
    // release [observe-2]: a reader that finds the place sees what is in it.
    observation().newest_place.store(room, std::memory_order_release);
    return number;
}

void look_at_memory() {
    rusage usage{};
    if (::getrusage(RUSAGE_SELF, &usage) == 0)
        observation().resident_most_bytes.store(static_cast<uint64_t>(usage.ru_maxrss) * 1024,
                                                std::memory_order_relaxed);
}

// Stores a recent moment in both clocks, now and then, and how much memory the process has had.
void look_at_clocks(uint64_t ticks) {
    Observation &o = observation();
    if (ticks - o.recent_ticks.load(std::memory_order_relaxed) < ticks_between_looks) [[likely]]
        return;
    const Moment moment = present_moment();
    o.recent_ticks.store(moment.ticks, std::memory_order_relaxed);
    o.recent_ns.store(static_cast<uint64_t>(moment.ns), std::memory_order_relaxed);
    look_at_memory();
}

// Keeps a line that the process prints. Safe in a signal handler.
void keep_finding(const char *line) {
    Observation &o = observation();
    const auto size_bytes = static_cast<uint32_t>(std::strlen(line)) + 1;
    const uint32_t begin = o.findings_bytes.fetch_add(size_bytes, std::memory_order_relaxed);
    if (begin > Observation::findings_bytes_max ||
        size_bytes > Observation::findings_bytes_max - begin)
        return;
    std::memcpy(o.findings + begin, line, size_bytes - 1);
    o.findings[begin + size_bytes - 1] = '\n';
}

// Joins pairs of bins. The mutex is held.
void widen_bins() {
    Observation &o = observation();
    for (int i = 0; i < Observation::bins; ++i) {
        const int from = 2 * i;
        const uint32_t most = from < Observation::bins
                                  ? std::max(o.queue_most[from].load(std::memory_order_relaxed),
                                             o.queue_most[from + 1].load(std::memory_order_relaxed))
                                  : 0;
        o.queue_most[i].store(most, std::memory_order_relaxed);
    }
    o.bin_ticks.store(2 * o.bin_ticks.load(std::memory_order_relaxed), std::memory_order_relaxed);
}

} // namespace

namespace {

// Adds time of the rank at the place up to `now`. The smallest part makes room for a new one.
void extend(RankRecord &record, uint32_t place, uint64_t now) {
    Path &path = record.path;
    const uint64_t since = path.until_ticks;
    if (now <= since)
        return;
    path.until_ticks = now;
    if (since == 0)
        return;
    Path::Part *smallest = path.parts;
    uint64_t least_ticks = UINT64_MAX; // a copy, for which the next comparison need not wait
    for (Path::Part &part : path.parts) {
        if (part.ticks && part.rank == record.world_rank && part.place == place) {
            part.ticks += now - since;
            return;
        }
        smallest = part.ticks < least_ticks ? &part : smallest;
        least_ticks = std::min(least_ticks, part.ticks);
    }
    path.rest_ticks += least_ticks;
    *smallest = {record.world_rank, place, now - since};
}

// Adds the rank's time up to `now`: outside MPI until its call has begun, then in the call.
void extend(RankRecord &record, const ThreadState &self, uint64_t now) {
    if (now <= record.path.until_ticks)
        return;
    if (record.path.until_ticks < self.begin_ticks)
        extend(record, Cause::no_place, self.begin_ticks);
    extend(record, self.place(), now);
}

// Adds the calls that have not been timed: each took as long as one of its place that was, as far
// as there was time since the last call that was timed. The lock is held; now the next call begins.
[[gnu::noinline]] void add_skipped(ThreadState &self, RankRecord &record, uint64_t now) {
    const bool has_grown = record.calls.entries.load(std::memory_order_relaxed) != self.calls_table;
    uint64_t all_ticks = 0, all = 0;
    for (const ThreadState::KnownCall &known : self.known)
        all_ticks += uint64_t{known.skipped()} * known.ticks;
    all_ticks = std::min(all_ticks, now - self.end_ticks);
    uint64_t until = now - all_ticks;
    extend(record, Cause::no_place, until);
    for (ThreadState::KnownCall &known : self.known) {
        const uint64_t skipped = known.skipped();
        if (skipped == 0) { // it is not called now: the next one is timed
            known.to_skip = known.not_added = 0;
            continue;
        }
        const uint64_t ticks = std::min(skipped * known.ticks, now - until);
        until += ticks;
        extend(record, known.place, until);
        if (Calls *calls = has_grown ? entry_of<Calls>(record.calls, known.key, 0) : known.calls) {
            add(calls->calls, skipped);
            add(calls->ticks, ticks);
        }
        all += skipped;
        known.not_added = known.to_skip;
    }
    add(record.ended_calls, all);
    add(record.mpi_ticks, all_ticks);
    self.may_skip = all != 0;
}

// Finds or adds the entry of the call that begins, and keeps it in the first of the two `known`.
// Returns whether there is room for it.
[[gnu::noinline]] bool find_call(ThreadState &self, RankRecord &record, uint64_t key,
                                 ThreadState::KnownCall *known, const void *call_site) {
    bool is_new = false;
    {
        LockGuard guard(record.lock);
        if (self.may_skip) // perhaps those of the entry that leaves
            add_skipped(self, record, now_ticks());
        Calls *calls = entry_of<Calls>(record.calls, key, 0);
        if (!calls)
            return false;
        is_new = calls->calls.load(std::memory_order_relaxed) == 0;
        known[1] = known[0];
        known[0] = {key, calls, calls->place, 0, 0, 0, 0};
    }
    if (is_new) { // or its first call is under way in another thread
        const uint32_t place = number_of_place(static_cast<uint16_t>(key >> 48), call_site);
        LockGuard guard(record.lock);
        Calls *again = entry_of<Calls>(record.calls, key, 0); // the table may have grown
        if (!again) {
            known[0] = {};
            return false;
        }
        again->place = place;
        known[0] = {key, again, place, 0, 0, 0, 0};
    }
    return true;
}

// Decides how many of the next brief calls from this place are not timed, after one that took so
// many ticks: none if the observer is not alone in following calls, or ranks are held. The number
// is different each time: polls may do something in turn.
void choose_skips(ThreadState &self, uint64_t ticks, uint64_t now) {
    ThreadState::KnownCall &known = *self.known_call;
    if (ticks >= short_call_ticks || holds_ranks() ||
        follow_ups.load(std::memory_order_relaxed) != 1) {
        known.short_ones = 0;
        return;
    }
    known.ticks = static_cast<uint32_t>(ticks);
    if (known.short_ones < short_calls_before_skips) {
        ++known.short_ones;
        return;
    }
    known.to_skip = known.not_added = static_cast<uint16_t>(least_skips + mixed(now, 0) % skips);
    self.may_skip = true;
}

} // namespace

Offset take_room(uint64_t size_bytes, uint64_t alignment) {
    std::lock_guard guard(shared().mutex);
    return take_room_locked(size_bytes, alignment);
}

void start(const char *directory, int first, int count, int all_ranks, int workers,
           FindPlace *finder) {
    rank_count = count;
    find_place = finder;
    std::string path = std::string(directory) + "/" + std::to_string(first);
    constexpr Offset ranks_begin =
        (sizeof(Observation) + alignof(RankRecord) - 1) / alignof(RankRecord) * alignof(RankRecord);
    const Offset begin_bytes = ranks_begin + static_cast<Offset>(count) * sizeof(RankRecord);
    constexpr int flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC;
    descriptor = ::open(path.c_str(), flags, 0600);
    if (descriptor < 0 && errno == EEXIST) { // a script has run another program before this one
        path += "." + std::to_string(::getpid());
        descriptor = ::open(path.c_str(), flags, 0600);
    }
    descriptor = move_descriptor_up(descriptor);
    void *memory = MAP_FAILED;
    if (descriptor >= 0)
        errno = ::posix_fallocate(descriptor, 0, static_cast<off_t>(begin_bytes));
    if (descriptor >= 0 && errno == 0)
        memory = ::mmap(nullptr, file_bytes_max, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE,
                        descriptor, 0);
    if (memory == MAP_FAILED)
        die(2, "cannot write %s, in which the ranks are observed: %s", path.c_str(),
            std::strerror(errno));
    file_begin = static_cast<char *>(memory);
    Observation &o = observation();
    o.first_rank = first;
    o.rank_count = count;
    o.all_ranks = all_ranks;
    o.workers = workers;
    const Moment moment = present_moment();
    o.begin_ticks = moment.ticks;
    o.begin_ns = moment.ns;
    o.recent_ticks = moment.ticks;
    o.recent_ns = static_cast<uint64_t>(moment.ns);
    timespec realtime;
    ::clock_gettime(CLOCK_REALTIME, &realtime);
    o.begin_realtime_ns = int64_t{realtime.tv_sec} * 1'000'000'000 + realtime.tv_nsec;
    o.ranks = ranks_begin;
    for (int i = 0; i < count; ++i)
        at<RankRecord>(ranks_begin)[i].world_rank = first + i;
    o.used = begin_bytes;
    o.usable = begin_bytes;
    o.bin_ticks = first_bin_ticks;
    o.process_id = static_cast<uint64_t>(::getpid());
    if (const int64_t held_ns = requested_hold_ns(directory))
        o.hold_until_ns.store(static_cast<uint64_t>(now_ns() + held_ns), std::memory_order_relaxed);
    // release [observe-3]: a reader that finds the number sees all of the above.
    o.magic.store(Observation::magic_number, std::memory_order_release);
    set_report_witness(keep_finding);
    listeners.fetch_add(1, std::memory_order_relaxed);
    follow_ups.fetch_add(1, std::memory_order_relaxed);
}

RankRecord *record_of(int index) {
    if (!file_begin || index >= rank_count)
        return nullptr;
    return at<RankRecord>(observation().ranks) + index;
}

RankRecord *added_record(int world_rank) {
    if (!file_begin)
        return nullptr;
    std::lock_guard guard(shared().mutex);
    Offset &known = shared().added[world_rank];
    if (known) // the number has been used before
        return at<RankRecord>(known);
    const Offset room = take_room_locked(sizeof(AddedRank));
    const Offset record = room ? take_room_locked(sizeof(RankRecord), alignof(RankRecord)) : 0;
    if (!record)
        return nullptr;
    const Offset newest = observation().newest_added.load(std::memory_order_relaxed);
    *at<AddedRank>(room) = {newest, world_rank, 0, record};
    // release [observe-4]: a reader that finds the rank sees where its record is.
    observation().newest_added.store(room, std::memory_order_release);
    known = record;
    at<RankRecord>(record)->world_rank = world_rank;
    return at<RankRecord>(record);
}

Observation *own_observation() {
    return file_begin ? &observation() : nullptr;
}

void note_held(RankRecord &record) {
    if (record.held_ticks.load(std::memory_order_relaxed) == 0)
        record.held_ticks.store(now_ticks(), std::memory_order_relaxed);
}

// Other threads of the rank may have been held at the same time: the first that goes on ends the
// time.
void note_held_end(ThreadState &self, RankRecord &record) {
    const uint64_t now = now_ticks();
    const uint64_t since = record.held_ticks.exchange(0, std::memory_order_relaxed);
    if (since && since < now)
        record.all_held_ticks.fetch_add(now - since, std::memory_order_relaxed);
    for (ThreadState::KnownCall &known : self.known) { // the next calls may be held, too
        known.not_added = known.skipped();
        known.to_skip = 0;
    }
    if (self.begin_ticks == 0)
        return;
    LockGuard guard(record.lock);
    extend(record, Cause::no_place, self.begin_ticks);
    record.path.until_ticks = now;
    self.begin_ticks = now;
    record.current_begin_ticks.store(now, std::memory_order_relaxed);
}

void begin_call(ThreadState &self, RankRecord &record, uint16_t function, const void *call_site,
                CallKind kind) {
    const uint64_t key = ThreadState::key_of(function, call_site);
    if (const Offset table = record.calls.entries.load(std::memory_order_relaxed);
        table != self.calls_table) [[unlikely]] { // it has grown
        if (self.may_skip) {
            LockGuard guard(record.lock);
            add_skipped(self, record, now_ticks());
        }
        std::memset(self.known, 0, sizeof self.known);
        self.may_skip = false;
        self.calls_table = table;
    }
    const bool is_brief = kind == CallKind::Brief;
    ThreadState::KnownCall *known = self.entry_of(key, is_brief);
    if (!known) [[unlikely]] {
        known = self.known + ThreadState::index_of(key, is_brief);
        if (!find_call(self, record, key, known, call_site))
            return count_lost();
    }
    self.known_call = known;
    self.kind = kind;
    self.arrivals = self.file = 0; // a call that was not timed may have left some
    record.current_place.store(uint64_t{known->place} + 1, std::memory_order_relaxed);
    const uint64_t now = now_ticks();
    if (record.begin_ticks.load(std::memory_order_relaxed) == 0)
        record.begin_ticks.store(now, std::memory_order_relaxed);
    record.current_begin_ticks.store(now, std::memory_order_relaxed);
    self.begin_ticks = now;
}

namespace {

// Returns the entry of the call. The lock is held.
Calls *entry_of_call(const ThreadState &self, RankRecord &record) {
    const ThreadState::KnownCall *known = self.call();
    if (!known)
        return nullptr;
    if (record.calls.entries.load(std::memory_order_relaxed) == self.calls_table) [[likely]]
        return known->calls;
    return entry_of<Calls>(record.calls, known->key, 0); // the table has grown
}

// Forgets what the call has done.
void clear(ThreadState &self) {
    self.wait_ticks = self.ready_ticks = self.wait_end_ticks = self.bytes = 0;
    self.arrivals = self.file = 0;
}

} // namespace

void detail::add_untimed_work(ThreadState &self, RankRecord &record) {
    LockGuard guard(record.lock);
    if (Calls *calls = entry_of_call(self, record)) {
        add(calls->bytes, self.bytes);
        add(calls->ticks, self.wait_ticks);
        add(calls->wait_ticks, self.wait_ticks);
        add(calls->ready_ticks, self.ready_ticks);
    }
    add(record.mpi_ticks, self.wait_ticks);
    add(record.wait_ticks, self.wait_ticks);
    add(record.ready_ticks, self.ready_ticks);
    clear(self);
}

void end_call(ThreadState &self, RankRecord &record) {
    if (!self.known_call) // there was no room for it
        return clear(self);
    const bool is_over = self.kind == CallKind::OnlyWaits && self.wait_end_ticks;
    const uint64_t now = is_over ? self.wait_end_ticks : now_ticks();
    const uint64_t ticks = now - self.begin_ticks;
    record.lock.lock();
    if (self.may_skip) {
        // Those before it count as long as this one, also if it was not short.
        if (self.kind == CallKind::Brief)
            self.known_call->ticks = static_cast<uint32_t>(std::min(ticks, uint64_t{UINT32_MAX}));
        add_skipped(self, record, self.begin_ticks);
    }
    if (Calls *calls = entry_of_call(self, record)) {
        add(calls->calls, 1);
        add(calls->ticks, ticks);
        if (self.wait_ticks) {
            add(calls->wait_ticks, self.wait_ticks);
            add(calls->ready_ticks, self.ready_ticks);
        }
        if (self.bytes)
            add(calls->bytes, self.bytes);
        raise(calls->longest_ticks, ticks);
    }
    if (self.file) [[unlikely]]
        if (FileUse *use = entry_of<FileUse>(record.files, self.file, 0))
            add(use->ticks, ticks);
    add(record.ended_calls, 1);
    add(record.mpi_ticks, ticks);
    add(record.wait_ticks, self.wait_ticks);
    add(record.ready_ticks, self.ready_ticks);
    extend(record, self, now);
    record.last_ticks.store(now, std::memory_order_relaxed);
    record.current_place.store(0, std::memory_order_relaxed);
    record.lock.unlock();
    if (logs_events()) [[unlikely]]
        log_call(self, record.world_rank, now);
    else if (self.kind == CallKind::Brief)
        choose_skips(self, ticks, now);
    record.repeated_place.store(self.known_call->to_skip ? uint64_t{self.known_call->place} + 1 : 0,
                                std::memory_order_relaxed);
    clear(self);
    self.begin_ticks = 0;
    self.end_ticks = now;
    self.known_call = nullptr;
    look_at_clocks(now);
}

void note_message(ThreadState &self, RankRecord &record, int dest, uint64_t size_bytes) {
    if (self.call()) // otherwise the message is of a function beside MPI
        self.bytes += size_bytes;
    const int size_class = 64 - std::countl_zero(size_bytes);
    LockGuard guard(record.lock);
    add(record.messages, 1);
    add(record.bytes, size_bytes);
    add(record.size_messages[size_class], 1);
    add(record.size_bytes[size_class], size_bytes);
    if (Peer *peer = entry_of<Peer>(record.peers, static_cast<uint64_t>(dest) + 1, 0)) {
        add(peer->messages, 1);
        add(peer->bytes, size_bytes);
    } else {
        count_lost();
    }
}

void note_queue(RankRecord &owner, uint64_t length) {
    raise(owner.unexpected_most, length);
    owner.unexpected_now.store(length, std::memory_order_relaxed);
    Observation &o = observation();
    const uint64_t ticks = now_ticks() - o.begin_ticks;
    const auto bin_of = [&] { // their length is a power of two, and a division takes long
        return ticks >> std::countr_zero(o.bin_ticks.load(std::memory_order_relaxed));
    };
    uint64_t bin = bin_of();
    if (bin >= Observation::bins) [[unlikely]] {
        std::lock_guard guard(shared().mutex);
        while ((bin = bin_of()) >= Observation::bins)
            widen_bins();
    }
    std::atomic<uint32_t> &most = o.queue_most[bin];
    if (most.load(std::memory_order_relaxed) < length)
        most.store(static_cast<uint32_t>(length), std::memory_order_relaxed);
}

Completion completion_by(const ThreadState &self, int rank, RankRecord *record, Cause::Kind kind) {
    Completion completion; // no zeros first: they would take as long as all the rest
    completion.ticks = now_ticks();
    completion.cause = Cause::word(kind, self.place(), rank);
    completion.path.until_ticks = 0;
    if (record) {
        LockGuard guard(record->lock);
        extend(*record, self, completion.ticks);
        completion.path = record->path;
    }
    return completion;
}

void note_completion(RankRecord &record, const Completion &completion) {
    LockGuard guard(record.lock);
    if (!record.waits_now.load(std::memory_order_acquire)) // [observe-6]
        return;
    record.cause_ticks.store(completion.ticks, std::memory_order_relaxed);
    record.cause.store(completion.cause, std::memory_order_relaxed);
    if (completion.path.until_ticks)
        record.path = completion.path;
}

uint64_t note_wait(ThreadState &self, RankRecord &record, const WaitTarget &target) {
    self.waiting = &record;
    const uint64_t now = self.begin_ticks && self.wait_ticks == 0 ? self.begin_ticks : now_ticks();
    if (logs_events()) [[unlikely]]
        log_suspend(self, record.world_rank);
    record.cause.store(0, std::memory_order_relaxed);
    const auto word = [](int number) {
        return static_cast<uint64_t>(static_cast<int64_t>(number));
    };
    record.wait_peer.store(word(target.peer), std::memory_order_relaxed);
    record.wait_tag.store(word(target.tag), std::memory_order_relaxed);
    record.wait_group.store(uint64_t{target.context} << 32 | target.members,
                            std::memory_order_relaxed);
    record.wait_begin_ticks.store(now, std::memory_order_relaxed);
    record.wait_kind.store(target.kind, std::memory_order_relaxed);
    // release [observe-6]: who completes something writes its cause after this.
    record.waits_now.store(true, std::memory_order_release);
    return now;
}

void note_wait_end(ThreadState &self, uint64_t since_ticks) {
    RankRecord &record = *self.waiting;
    const uint64_t now = now_ticks(), ticks = now - since_ticks;
    LockGuard guard(record.lock);
    record.waits_now.store(false, std::memory_order_relaxed);
    record.wait_kind.store(0, std::memory_order_relaxed);
    const uint64_t cause = record.cause.load(std::memory_order_relaxed);
    const uint64_t cause_ticks = record.cause_ticks.load(std::memory_order_relaxed);
    const uint64_t ready = cause && cause_ticks < now ? now - cause_ticks : 0;
    if (logs_events()) [[unlikely]]
        log_wait(self, record.world_rank, since_ticks, now, ready, cause);
    if (self.call()) { // otherwise the wait is of a function beside MPI
        self.wait_ticks += ticks;
        self.ready_ticks += ready;
        self.wait_end_ticks = now;
    }
    extend(record, self, now);
    if (Waits *waits = entry_of<Waits>(record.waits, uint64_t{self.place()} + 1, cause)) {
        add(waits->count, 1);
        add(waits->ticks, ticks - ready);
    } else {
        count_lost();
    }
}

uint32_t file_number(const char *name) {
    if (!file_begin)
        return 0;
    std::lock_guard guard(shared().mutex);
    const auto number = static_cast<uint32_t>(shared().files.size());
    const auto [known, is_new] = shared().files.try_emplace(name, number);
    if (!is_new)
        return known->second + 1;
    const Offset text = kept_text(name);
    const Offset room = text ? take_room_locked(sizeof(FileName)) : 0;
    if (!room) {
        shared().files.erase(known);
        return 0;
    }
    const Offset newest = observation().newest_file.load(std::memory_order_relaxed);
    *at<FileName>(room) = {newest, number, 0, text};
    // release [observe-5]: a reader that finds the file sees its name.
    observation().newest_file.store(room, std::memory_order_release);
    return number + 1;
}

void note_access(RankRecord &record, uint32_t file, bool writing) {
    LockGuard guard(record.lock);
    if (FileUse *use = file ? entry_of<FileUse>(record.files, file, 0) : nullptr)
        add(writing ? use->writes : use->reads, 1);
    else
        count_lost();
}

void note_moved(RankRecord &record, uint32_t file, bool writing, uint64_t size_bytes) {
    LockGuard guard(record.lock);
    if (FileUse *use = file ? entry_of<FileUse>(record.files, file, 0) : nullptr)
        add(writing ? use->written_bytes : use->read_bytes, size_bytes);
    else
        count_lost();
}

void note_end(RankRecord &record, int code) {
    look_at_memory();
    record.ended.store(static_cast<uint64_t>(code) + 1, std::memory_order_relaxed);
}

void note_gathering(const ThreadState &self, RankRecord &record, uint32_t context, int members,
                    uint64_t first_ticks, uint64_t second_last_ticks) {
    const uint64_t now = record.arrival_ticks.load(std::memory_order_relaxed);
    const uint64_t spread = now > first_ticks ? now - first_ticks : 0;
    LockGuard guard(record.lock);
    Gatherings *gatherings =
        entry_of<Gatherings>(record.gatherings, uint64_t{self.place()} + 1,
                             uint64_t{context} << 32 | static_cast<uint32_t>(members));
    if (!gatherings) {
        count_lost();
        return;
    }
    add(gatherings->operations, 1);
    add(gatherings->spread_ticks, spread);
    raise(gatherings->longest_spread_ticks, spread);
    add(gatherings->late_ticks, now > second_last_ticks ? now - second_last_ticks : 0);
}

} // namespace thrum::observe
