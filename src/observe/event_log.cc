#include "observe/event_log.h"

#include "base/check.h"
#include "base/descriptor.h"

#include <algorithm>
#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <new>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>
#include <unordered_map>
#include <utility>

namespace thrum::observe {

constinit bool log_is_open = false;

namespace {

constexpr uint32_t growth_bytes = uint32_t{1} << 20;
constexpr uint32_t chunks_of_growth = growth_bytes / Chunk::size_bytes;
constexpr uint32_t chunks_most = uint32_t{1} << 28; // 1 TiB
constexpr uint32_t ring_least = 2;                  // one is used while the other is kept

EventFile *file = nullptr;
uint32_t (*worker_now)() = nullptr;
int descriptor = -1;

// Ids of waiting messages. An address is used again, so the entries are as many as messages have
// waited at one time.
struct alignas(64) KnownIds {
    SpinLock lock;
    std::unordered_map<const void *, uint64_t> ids;
};

constexpr size_t shards = 64;

// Finds a text without a copy of it.
struct HashText {
    using is_transparent = void;

    size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
};

// Chunks that are filled one after the other, for all ranks.
struct CommonChunks {
    int32_t kind;                  // as Chunk::rank
    uint32_t present = 0, all = 0; // index + 1; how many there are
};

struct Shared {
    std::mutex growth_mutex; // of the file
    std::mutex names_mutex;  // guards the names; taken before the other one
    std::unordered_map<std::string, uint32_t, HashText, std::equal_to<>> names;
    CommonChunks name_chunks{Chunk::names};
    SpinLock added_lock; // guards the following two
    CommonChunks stream_chunks{Chunk::streams};
    std::unordered_map<int, EventStream *> added; // streams of added ranks; nullptr: no room
    KnownIds known[shards];
    SpinLock threads_lock;
    std::unordered_map<uint64_t, uint16_t> threads; // numbers of those that are not the first ones
};

// Never destroyed: ranks may still call while the process ends.
Shared &shared() {
    static auto &made = *new Shared;
    return made;
}

Chunk &chunk_at(uint32_t index) {
    return *reinterpret_cast<Chunk *>(reinterpret_cast<char *>(file) + file->head_bytes +
                                      uint64_t{index} * Chunk::size_bytes);
}

// Notes that the log ends at `ticks`. Only the first call counts.
void note_full(uint64_t ticks, bool is_disk) {
    uint64_t expected = 0;
    if (!file->full_ticks.compare_exchange_strong(expected, ticks, std::memory_order_relaxed))
        return;
    if (is_disk)
        file->disk_is_full.store(1, std::memory_order_relaxed);
}

// Gives the file blocks for the next chunks: memory without blocks is a SIGBUS when the disk is
// full. Writes them, too: the kernel then has their pages, and touching them takes a fifth of the
// time (1.1 to 1.4 us a page instead of 6.4, ext4).
bool grow_file(uint32_t usable) {
    static const char *const zeros = [] { // untouched memory, which takes none
        void *memory = ::mmap(nullptr, growth_bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        return memory == MAP_FAILED ? nullptr : static_cast<const char *>(memory);
    }();
    const auto begin = static_cast<off_t>(file->head_bytes + uint64_t{usable} * Chunk::size_bytes);
    if (::posix_fallocate(descriptor, begin, growth_bytes) != 0)
        return false;
    // Whatever is not written, the blocks are there.
    if (zeros)
        (void)!::pwrite(descriptor, zeros, growth_bytes, begin);
    file->usable.store(usable + chunks_of_growth, std::memory_order_relaxed);
    return true;
}

// Makes sure that the file has blocks for the chunk. The rank's stream is locked meanwhile, once
// for some hundred chunks of the process.
[[gnu::noinline]] bool make_usable(uint32_t index) {
    std::lock_guard guard(shared().growth_mutex);
    for (;;) {
        const uint32_t usable = file->usable.load(std::memory_order_relaxed);
        if (index < usable)
            return true;
        if (!grow_file(usable))
            return false;
    }
}

// Returns the index + 1 of a chunk that nobody has used; 0: there is none.
uint32_t take_chunk(uint64_t ticks) {
    if (file->full_ticks.load(std::memory_order_relaxed) != 0)
        return 0;
    const uint32_t index = file->claimed.fetch_add(1, std::memory_order_relaxed);
    if (index >= file->chunks_max) {
        note_full(ticks, false);
        return 0;
    }
    if (index >= file->usable.load(std::memory_order_relaxed) && !make_usable(index)) {
        note_full(ticks, true);
        return 0;
    }
    return index + 1;
}

// Returns a place of this size in the present chunk, or in a new one; nullptr: there is no room. A
// chunk's first bytes may be left empty. The caller holds a lock, and adds to Chunk::used.
char *place_in(CommonChunks &chunks, uint32_t size_bytes, uint32_t empty_bytes) {
    if (!chunks.present ||
        chunk_at(chunks.present - 1).used.load(std::memory_order_relaxed) + size_bytes >
            chunk_bytes_max) {
        const uint32_t taken = take_chunk(now_ticks());
        if (!taken)
            return nullptr;
        Chunk &chunk = chunk_at(taken - 1);
        chunk.rank = chunks.kind;
        chunk.number = ++chunks.all;
        chunk.used.store(empty_bytes, std::memory_order_relaxed);
        chunks.present = taken;
    }
    Chunk &chunk = chunk_at(chunks.present - 1);
    return reinterpret_cast<char *>(chunk.events) + chunk.used.load(std::memory_order_relaxed);
}

// Tells readers that what is in the place is complete.
void add_used(const CommonChunks &chunks, uint32_t size_bytes) {
    std::atomic<uint32_t> &used = chunk_at(chunks.present - 1).used;
    // release [events-1]
    used.store(used.load(std::memory_order_relaxed) + size_bytes, std::memory_order_release);
}

// Returns the stream of a rank that was added, which it makes for a new number; nullptr: there is
// no room.
[[gnu::noinline]] EventStream *added_stream(int rank) {
    LockGuard guard(shared().added_lock);
    const auto [found, is_new] = shared().added.try_emplace(rank, nullptr);
    if (is_new)
        if (char *place =
                place_in(shared().stream_chunks, sizeof(EventStream), Chunk::streams_offset)) {
            found->second = new (place) EventStream{};
            found->second->rank = rank;
            add_used(shared().stream_chunks, sizeof(EventStream));
        }
    if (!found->second)
        file->left_out.fetch_add(1, std::memory_order_relaxed);
    return found->second;
}

EventStream *stream_of(int rank) {
    const auto index = static_cast<uint32_t>(rank - file->first_rank);
    return index < static_cast<uint32_t>(file->rank_count) ? &file->streams[index]
                                                           : added_stream(rank);
}

// Gives the stream another chunk: a new one, or in a ring its oldest. Returns whether it has one.
[[gnu::noinline]] bool turn_page(EventStream &stream, int rank, uint64_t ticks) {
    const bool is_round = file->ring_chunks && stream.chunks >= file->ring_chunks;
    uint32_t taken = is_round ? 0 : take_chunk(ticks);
    if (!taken && (!file->ring_chunks || stream.chunks < ring_least))
        return false;
    if (taken) {
        Chunk &chunk = chunk_at(taken - 1);
        chunk.rank = rank;
        chunk.next = taken;
        if (stream.chunk) // between the present one and the oldest
            std::swap(chunk.next, chunk_at(stream.chunk - 1).next);
        ++stream.chunks;
    } else {
        taken = chunk_at(stream.chunk - 1).next;
        Chunk &oldest = chunk_at(taken - 1);
        const uint32_t lost = oldest.used.load(std::memory_order_relaxed);
        stream.left_out.store(stream.left_out.load(std::memory_order_relaxed) + lost,
                              std::memory_order_relaxed);
        oldest.used.store(0, std::memory_order_relaxed);
    }
    chunk_at(taken - 1).number = ++stream.number;
    stream.chunk = taken;
    return true;
}

// Adds the event to the rank's stream, which is locked.
void append(EventStream &stream, int rank, Event event) {
    if (stream.is_paused && event.kind != Event::RegionBegin && event.kind != Event::RegionEnd)
        return;
    event.ticks = std::max(event.ticks, stream.last_ticks);
    stream.last_ticks = event.ticks;
    // The log ends for all ranks at one moment: what goes on beside gaps would be misleading.
    const bool is_over =
        file->ring_chunks == 0 && file->full_ticks.load(std::memory_order_relaxed) != 0;
    const bool has_room =
        stream.chunk &&
        chunk_at(stream.chunk - 1).used.load(std::memory_order_relaxed) < Chunk::events_max;
    if (is_over || (!has_room && !turn_page(stream, rank, event.ticks))) [[unlikely]] {
        stream.left_out.store(stream.left_out.load(std::memory_order_relaxed) + 1,
                              std::memory_order_relaxed);
        return;
    }
    Chunk &chunk = chunk_at(stream.chunk - 1);
    const uint32_t used = chunk.used.load(std::memory_order_relaxed);
    chunk.events[used] = event;
    // release [events-1]: a reader that counts the event sees all of it.
    chunk.used.store(used + 1, std::memory_order_release);
}

// Returns the number of the thread among those of its rank, from 1 on, in the order in which they
// first add an event. The stream is locked.
uint16_t number_of(const ThreadState &self, EventStream &stream) {
    const auto address = reinterpret_cast<uint64_t>(&self);
    if (stream.first_thread == address) [[likely]]
        return 1;
    if (stream.threads == 0) {
        stream.first_thread = address;
        return stream.threads = 1;
    }
    LockGuard guard(shared().threads_lock);
    uint16_t &number = shared().threads[address];
    if (number == 0)
        number = ++stream.threads;
    return number;
}

// Adds an event that the calling thread notes for another rank.
void append_for(int rank, const Event &event) {
    EventStream *stream = stream_of(rank);
    if (!stream)
        return;
    LockGuard guard(stream->lock);
    append(*stream, rank, event);
}

Event event_of(Event::Kind kind, const LoggedMessage &message) {
    return {.ticks = now_ticks(),
            .kind = kind,
            .a = static_cast<uint32_t>(message.peer),
            .tag = message.tag,
            .context = message.context,
            .b = message.id,
            .c = message.size_bytes};
}

// Adds an event of the calling thread.
void append_own(const ThreadState &self, int rank, Event event) {
    EventStream *stream = stream_of(rank);
    if (!stream)
        return;
    LockGuard guard(stream->lock);
    event.thread = number_of(self, *stream);
    append(*stream, rank, event);
}

// Notes which worker runs the rank, if that has changed. Threads beside the rank's first one run
// where the system lets them.
void note_worker(const ThreadState &self, EventStream &stream, int rank, uint64_t ticks) {
    if (number_of(self, stream) != 1)
        return;
    const uint32_t worker = worker_now() + 1;
    if (stream.worker == worker + 1) [[likely]]
        return;
    stream.worker = worker + 1;
    append(stream, rank, {.ticks = ticks, .kind = Event::Worker, .thread = 1, .a = worker - 1});
}

// Writes the name into the file once, and returns its number; 0: there is no room.
uint32_t number_of_name(const char *name) {
    constexpr size_t name_bytes_max = 255;
    const std::string_view text(name, ::strnlen(name, name_bytes_max));
    std::lock_guard guard(shared().names_mutex);
    if (const auto found = shared().names.find(text); found != shared().names.end())
        return found->second;
    const auto size_bytes = static_cast<uint32_t>(text.size()) + 1;
    char *place = place_in(shared().name_chunks, size_bytes, 0);
    if (!place)
        return 0;
    std::memcpy(place, text.data(), text.size()); // the byte after it is zero already
    add_used(shared().name_chunks, size_bytes);
    const auto number = static_cast<uint32_t>(shared().names.size()) + 1;
    shared().names.emplace(text, number);
    return number;
}

// Returns a number that the processes of a machine share, also those in containers.
uint64_t number_of_machine(const char *host) {
    char boot[40] = "";
    if (std::FILE *text = std::fopen("/proc/sys/kernel/random/boot_id", "re")) {
        if (std::fscanf(text, "%39s", boot) != 1)
            boot[0] = 0;
        std::fclose(text);
    }
    return std::hash<std::string_view>{}(boot[0] ? boot : host);
}

KnownIds &known_ids(const void *message) {
    return shared().known[reinterpret_cast<uintptr_t>(message) / 256 % shards];
}

} // namespace

LogRequest read_log_request(const char *directory) {
    LogRequest request;
    const std::string path = std::string(directory) + "/" + log_request_name;
    if (std::FILE *text = std::fopen(path.c_str(), "re")) {
        char keep[8] = "";
        if (std::fscanf(text, "%" SCNu64 " %7s", &request.limit_bytes, keep) != 2)
            request.limit_bytes = 0;
        request.keeps_last = !std::strcmp(keep, "last");
        std::fclose(text);
    }
    return request;
}

void open_event_log(const LogOptions &options) {
    worker_now = options.worker;
    const std::string base =
        std::string(options.directory) + "/" + std::to_string(options.first_rank);
    std::string path = base + ".events";
    constexpr int flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC;
    descriptor = ::open(path.c_str(), flags, 0600);
    if (descriptor < 0 && errno == EEXIST) { // a script has run another program before this one
        path = base + "." + std::to_string(::getpid()) + ".events";
        descriptor = ::open(path.c_str(), flags, 0600);
    }
    descriptor = move_descriptor_up(descriptor);
    const auto count = static_cast<uint64_t>(options.rank_count);
    const uint64_t head_bytes =
        (sizeof(EventFile) + count * sizeof(EventStream) + Chunk::size_bytes - 1) /
        Chunk::size_bytes * Chunk::size_bytes;
    const uint64_t share_bytes = static_cast<uint64_t>(
        static_cast<double>(options.request.limit_bytes) * options.rank_count / options.all_ranks);
    const auto chunks_max =
        static_cast<uint32_t>(std::min<uint64_t>(share_bytes / Chunk::size_bytes, chunks_most));
    void *memory = MAP_FAILED;
    if (descriptor >= 0)
        errno = ::posix_fallocate(descriptor, 0, static_cast<off_t>(head_bytes));
    if (descriptor >= 0 && errno == 0)
        memory = ::mmap(nullptr, head_bytes + uint64_t{chunks_max} * Chunk::size_bytes,
                        PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, descriptor, 0);
    if (memory == MAP_FAILED)
        die(2, "cannot write %s, which --trace needs: %s", path.c_str(), std::strerror(errno));
    file = static_cast<EventFile *>(memory);
    file->first_rank = options.first_rank;
    file->rank_count = options.rank_count;
    file->process = options.process;
    file->pid = ::getpid();
    ::gethostname(file->host, sizeof file->host - 1);
    file->machine = number_of_machine(file->host);
    file->head_bytes = head_bytes;
    file->chunks_max = chunks_max;
    if (options.request.keeps_last) // a chunk is left for the names of regions
        file->ring_chunks = std::max<uint32_t>(
            static_cast<uint32_t>((chunks_max - std::min<uint32_t>(chunks_max, 1)) / count),
            ring_least);
    // release [events-2]: a reader that finds the number sees all of the above.
    file->magic.store(EventFile::magic_number, std::memory_order_release);
    log_is_open = true;
}

void log_call(const ThreadState &self, int rank, uint64_t end_ticks) {
    EventStream *stream = stream_of(rank);
    if (!stream)
        return;
    LockGuard guard(stream->lock);
    note_worker(self, *stream, rank, self.begin_ticks);
    append(*stream, rank,
           {.ticks = end_ticks,
            .kind = Event::Call,
            .thread = number_of(self, *stream),
            .a = self.place(),
            .b = self.begin_ticks,
            .c = self.wait_ticks});
}

void log_wait(const ThreadState &self, int rank, uint64_t since_ticks, uint64_t end_ticks,
              uint64_t ready_ticks, uint64_t cause) {
    EventStream *stream = stream_of(rank);
    if (!stream)
        return;
    LockGuard guard(stream->lock);
    append(*stream, rank,
           {.ticks = end_ticks,
            .kind = Event::Wait,
            .thread = number_of(self, *stream),
            .a = static_cast<uint32_t>(std::min<uint64_t>(ready_ticks, ~uint32_t{0})),
            .b = since_ticks,
            .c = cause});
    note_worker(self, *stream, rank, end_ticks);
}

void log_suspend(const ThreadState &self, int rank) {
    append_own(self, rank, {.ticks = now_ticks(), .kind = Event::Suspend});
}

uint64_t log_sent(const ThreadState &self, int rank, const LoggedMessage &message) {
    EventStream *stream = stream_of(rank);
    if (!stream)
        return 0;
    Event event = event_of(Event::Sent, message);
    LockGuard guard(stream->lock);
    if (event.b == 0)
        event.b = message_id(rank, ++stream->sent);
    event.thread = number_of(self, *stream);
    append(*stream, rank, event);
    return event.b;
}

void log_received(int rank, const LoggedMessage &message) {
    append_for(rank, event_of(Event::Received, message));
}

void log_queue(int rank, uint64_t length) {
    append_for(rank,
               {.ticks = now_ticks(), .kind = Event::Queue, .a = static_cast<uint32_t>(length)});
}

void log_round(const ThreadState &self, int rank, const Event &round) {
    Event event = round;
    event.kind = Event::Round;
    event.ticks = now_ticks();
    append_own(self, rank, event);
}

void log_region_begin(const ThreadState &self, int rank, const char *name) {
    append_own(self, rank,
               {.ticks = now_ticks(), .kind = Event::RegionBegin, .a = number_of_name(name)});
}

void log_region_end(const ThreadState &self, int rank) {
    append_own(self, rank, {.ticks = now_ticks(), .kind = Event::RegionEnd});
}

void pause_log(const ThreadState &self, int rank, bool is_paused) {
    EventStream *stream = stream_of(rank);
    if (!stream)
        return;
    const uint64_t now = now_ticks();
    LockGuard guard(stream->lock);
    if (stream->is_paused == is_paused)
        return;
    stream->is_paused = false; // this event itself is noted
    append(*stream, rank,
           {.ticks = now,
            .kind = is_paused ? Event::Paused : Event::Resumed,
            .thread = number_of(self, *stream)});
    stream->is_paused = is_paused;
}

void remember_id(const void *message, uint64_t id) {
    KnownIds &known = known_ids(message);
    LockGuard guard(known.lock);
    known.ids[message] = id;
}

uint64_t remembered_id(const void *message) {
    KnownIds &known = known_ids(message);
    LockGuard guard(known.lock);
    const auto found = known.ids.find(message);
    return found == known.ids.end() ? 0 : std::exchange(found->second, 0);
}

} // namespace thrum::observe
