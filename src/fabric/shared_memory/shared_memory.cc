// The transport of one process of a node (shared_memory.h): contact, sending, taking in, sleeping,
// waking, and the ends of processes. single_copy.cc has the reads of memory.
#include "fabric/shared_memory/shared_memory.h"

#include "base/check.h"
#include "base/clock.h"
#include "base/descriptor.h"
#include "fiber/completion.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace thrum {
namespace {

// How long a listener sleeps before it urges those that have not taken its packets: they may be
// about to look.
constexpr int64_t grace_ns = 200'000;

int open_pid(pid_t pid) {
    return move_descriptor_up(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
}

// Returns whether a process has ended. Also returns false if that cannot be determined, for example
// without descriptors.
bool has_ended(pid_t pid) {
    const int pid_fd = open_pid(pid);
    if (pid_fd < 0)
        return errno == ESRCH;
    pollfd p{pid_fd, POLLIN, 0};
    const bool ended = ::poll(&p, 1, 0) == 1;
    ::close(pid_fd);
    return ended;
}

// Opens the writing end of another process's pipe. It is opened for reading, too, so that a write
// causes no SIGPIPE when that process has ended.
int open_pipe_of(pid_t pid, int fd) {
    char path[64];
    std::snprintf(path, sizeof path, "/proc/%d/fd/%d", static_cast<int>(pid), fd);
    return move_descriptor_up(::open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC));
}

} // namespace

SharedMemory::SharedMemory(int process_count, NodeProcess this_process, HelperThread &helper,
                           PacketSink &sink, int added_max)
    : process_count_(process_count), added_max_(added_max), this_process_(this_process),
      helper_(helper), sink_(sink),
      peers_(static_cast<size_t>(process_count), static_cast<size_t>(process_count + added_max)),
      unsettled_(
          new std::atomic<uint64_t>[static_cast<size_t>(process_count + added_max) / 64 + 1]()) {}

SharedMemory::~SharedMemory() {
    for (size_t i = 0; i < peers_.count(); ++i) {
        Peer &p = peers_[i];
        delete p.segment.load(std::memory_order_relaxed);
        for (int fd : {p.pid_fd, p.doorbell_fd, p.urge_fd.load(std::memory_order_relaxed)})
            if (fd >= 0)
                ::close(fd);
    }
    for (int fd : urge_pipe_)
        if (fd >= 0)
            ::close(fd);
}

// Makes this process's segment and the pipe by which others urge its helper thread.
bool SharedMemory::create(const Options &options, std::string &why) {
    options_ = options;
    single_copy_.store(options.single_copy, std::memory_order_relaxed);
    if (options.single_copy)
        huge_pages_.begin();
    if (!own_.create(this_process_, options.geometry, options.rings_max,
                     static_cast<size_t>(process_count_ + added_max_), why))
        return false;
    rings_.reset(new std::unique_ptr<OpenRing>[options.rings_max]);
    if (::pipe2(urge_pipe_, O_CLOEXEC | O_NONBLOCK) != 0) {
        why = std::string("pipe2: ") + std::strerror(errno) + "; raise ulimit -n";
        return false;
    }
    for (int &end : urge_pipe_)
        end = move_descriptor_up(end);
    own_.header().urge_fd = urge_pipe_[1];
    load_ = &own_.header().load;
    helper_.watch(urge_pipe_[0], &on_urge, this, 0, false);
    // Where the kernel lets only parents read a process's memory (yama), this permits it to others.
    ::prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
    return true;
}

void SharedMemory::sleep_at(Doorbell &doorbell) {
    doorbell_ = &doorbell;
    own_.header().doorbell_fd = doorbell.fd();
}

std::string SharedMemory::address() const {
    return std::to_string(::getpid()) + ' ' + std::to_string(own_.fd());
}

void SharedMemory::set_address(NodeProcess process, const std::string &address) {
    int pid = 0, fd = -1;
    if (std::sscanf(address.c_str(), "%d %d", &pid, &fd) != 2)
        die(1,
            "node process %d offers no shared memory; set THRUM_FABRIC to the same value for all",
            process.number());
    peer(process).fd = fd;
    peer(process).pid = pid;
    has_company_ = true;
}

void SharedMemory::join(NodeProcess first_process_of_node) {
    Segment *first =
        first_process_of_node == this_process_ ? &own_ : contact(first_process_of_node);
    begin_with(first ? *first : own_);
    if (has_company_)
        huge_pages_.arrange_heap();
}

void SharedMemory::join_later(const std::string &directory) {
    int pid = 0, fd = -1;
    std::string why = "it has exited";
    others_own_ = std::make_unique<Segment>();
    if (std::sscanf(directory.c_str(), "%d %d", &pid, &fd) != 2 ||
        others_own_->open(Segment::of_any_process, pid, fd, why) != Segment::OpenResult::Opened)
        die(1, "cannot open the shared memory of the process that started this one: %s",
            why.c_str());
    begin_with(*others_own_);
    huge_pages_.arrange_heap();
}

std::string SharedMemory::directory_address() const {
    return std::to_string(::getpid()) + ' ' + std::to_string(directory_->fd());
}

int SharedMemory::take_numbers(int count) {
    std::atomic<uint32_t> &taken = directory_->header().added;
    uint32_t before = taken.load(std::memory_order_relaxed);
    do
        if (count > added_max_ - static_cast<int>(before))
            return -1;
    while (!taken.compare_exchange_weak(before, before + static_cast<uint32_t>(count),
                                        std::memory_order_relaxed));
    return process_count_ + static_cast<int>(before);
}

bool SharedMemory::has_grown() const {
    return directory_ && directory_->header().added.load(std::memory_order_relaxed) > 0;
}

// Publishes this process in the directory, with the cores that it may use.
void SharedMemory::begin_with(Segment &directory) {
    directory_ = &directory;
    // release [directory-1]: the segment has been made
    directory.address_of(this_process_)
        .store(static_cast<uint64_t>(::getpid()) << 32 | static_cast<uint32_t>(own_.fd()),
               std::memory_order_release);
    load_ = &directory.header().load;
    cpu_set_t set;
    CPU_ZERO(&set);
    if (::sched_getaffinity(0, sizeof set, &set) != 0)
        CPU_SET(0, &set); // it is forbidden
    for (int core = 0; core < CPU_SETSIZE && core < 64 * NodeLoad::words; ++core)
        if (CPU_ISSET(core, &set))
            load_->cores[core / 64].fetch_or(uint64_t{1} << core % 64, std::memory_order_relaxed);
    load_->joined.fetch_add(1, std::memory_order_release); // release [cores-1]
    load_->awake.fetch_add(1, std::memory_order_relaxed);
    // Also contacts processes that are never sent to: those that wait for them, directly or not,
    // must learn about their end.
    for (NodeProcess process : NodeProcesses(process_count_))
        if (process != this_process_ && peer(process).pid != 0)
            watch_over(process);
}

// Has the helper thread report the end of a process.
void SharedMemory::watch_over(NodeProcess process) {
    Peer &p = peer(process);
    p.pid_fd = open_pid(p.pid);
    if (p.pid_fd >= 0)
        helper_.watch(p.pid_fd, &on_end, this, process.number(), true);
    else if (errno == ESRCH)
        note_end(process);
}

size_t SharedMemory::piece_bytes_max() const {
    return std::min<size_t>(options_.geometry.piece_bytes_max(), Inbox::piece_bytes_max);
}

// Looks up a process in the directory. Returns false if it has not joined.
bool SharedMemory::look_up(NodeProcess process, Peer &p) {
    uint64_t address = directory_ ? directory_->address_of(process).load(std::memory_order_acquire)
                                  : 0; // acquire [directory-1]
    p.pid = static_cast<pid_t>(address >> 32);
    p.fd = static_cast<int>(static_cast<uint32_t>(address));
    return p.pid != 0;
}

// Maps the segment of `process`. Returns nullptr if it has ended.
Segment *SharedMemory::contact(NodeProcess process) {
    Peer &p = peer(process);
    // acquire [contact-1]
    if (Segment *segment = p.segment.load(std::memory_order_acquire)) [[likely]]
        return segment;
    LockGuard guard(contact_lock_);
    if (Segment *segment = p.segment.load(std::memory_order_relaxed))
        return segment;
    if (p.gone.load(std::memory_order_relaxed) || (p.pid == 0 && !look_up(process, p)))
        return nullptr;
    auto segment = std::make_unique<Segment>();
    std::string why;
    switch (segment->open(process, p.pid, p.fd, why)) {
    case Segment::OpenResult::Failed:
        die(1, "%s", why.c_str());
    case Segment::OpenResult::Gone:
        note_end(process);
        return nullptr;
    case Segment::OpenResult::Opened:
        break;
    }
    if (p.pid_fd < 0) // a process that was added to the job
        watch_over(process);
    if (const int fd = segment->header().doorbell_fd; fd >= 0) {
        p.doorbell_fd = open_pipe_of(p.pid, fd);
        if (p.doorbell_fd < 0 && errno != ENOENT)
            die(1, "cannot open a file descriptor to wake node process %d: %s; raise ulimit -n",
                process.number(), std::strerror(errno));
    }
    p.segment.store(segment.get(), std::memory_order_release); // release [contact-1]
    return segment.release();
}

// The helper thread calls this when a pidfd reports the end of a process.
void SharedMemory::on_end(void *self, int number) {
    const NodeProcess process(number);
    auto &memory = *static_cast<SharedMemory *>(self);
    memory.sink_.ask_to_take_in_all(); // messages that it has sent before count
    memory.note_end(process);
    memory.sink_.ask_to_take_in();
}

void SharedMemory::note_end(NodeProcess process) {
    peer(process).gone.store(true, std::memory_order_relaxed);
    some_have_ended_.store(true, std::memory_order_release); // release [end-1]
}

// Reports ended processes to the sink, and frees the resources that they have used.
void SharedMemory::tell_of_ends(PacketSink &sink) {
    some_have_ended_.exchange(false, std::memory_order_acq_rel); // [end-1]
    for (NodeProcess process : NodeProcesses(static_cast<int>(peers_.count())))
        if (peer(process).gone.load(std::memory_order_relaxed))
            sink.lost(process); // which knows whether this is new
    end_awaited([](SharedMemory &memory, const AwaitedCopy &copy) {
        return memory.peer(copy.process).gone.load(std::memory_order_relaxed);
    });
    for (JointCopy &copy : own_.header().joint_copies)
        if (copy.is_begun() && peer(copy.reader).gone.load(std::memory_order_relaxed))
            copy.state.store(JointCopyState::Free, std::memory_order_relaxed);
}

// Tries the ring or the inbox. Without room it leaves a request, and tries once more if room has
// appeared in that moment.
SendResult SharedMemory::try_send(NodeProcess process, Channel channel, const Packet &packet) {
    Segment *segment = contact(process);
    Peer &p = peer(process);
    if (!segment || p.gone.load(std::memory_order_relaxed)) [[unlikely]]
        return SendResult::Lost;
    while (!try_put(p, *segment, static_cast<int>(channel), packet)) {
        if (!ask_for_room(p, *segment, static_cast<int>(channel)))
            continue; // there is some already
        call(process, *segment);
        return SendResult::NoRoom;
    }
    call(process, *segment);
    return SendResult::Sent;
}

// Writes a packet to the ring or the inbox of a way; opens the ring when the pair has sent often
// enough. Returns false if there is no room.
bool SharedMemory::try_put(Peer &p, Segment &segment, int channel, const Packet &packet) {
    Peer::Way &way = p.ways[channel];
    if (way.ring) [[likely]]
        return way.ring->try_put(packet);
    if (way.packets >= options_.packets_before_ring && !way.no_ring &&
        open_ring(segment, way, static_cast<Channel>(channel)))
        return way.ring->try_put(packet);
    InboxRecord record{0, this_process_, {}, static_cast<Channel>(channel), false};
    if (!put_into_inbox(segment, way, record, packet))
        return false;
    ++way.packets;
    return true;
}

// Leaves a request for room. Returns false if there is room already.
bool SharedMemory::ask_for_room(Peer &p, Segment &segment, int channel) {
    Peer::Way &way = p.ways[channel];
    return way.ring ? way.ring->wait_for_room()
                    : segment.header().inbox.wait_for_room(this_process_, way.inbox_taken);
}

// Takes the lock of another process's inbox. Its holder may die, or lose its core, at any point.
void SharedMemory::lock_inbox(Segment &segment) {
    std::atomic<uint32_t> &lock = segment.header().inbox.lock;
    auto mine = static_cast<uint32_t>(this_process_.number()) + 1;
    constexpr unsigned spins_between_yields = 100, yields_between_checks = 1000;
    for (unsigned spins = 1;; ++spins) {
        uint32_t holder = 0;
        // acquire [inbox-4]: what the last writer has done
        if (lock.compare_exchange_weak(holder, mine, std::memory_order_acquire,
                                       std::memory_order_relaxed))
            return;
        if (spins % spins_between_yields == 0)
            ::sched_yield();
        else
            cpu_pause();
        if (holder == 0 || holder == mine || spins % (spins_between_yields * yields_between_checks))
            continue;
        // A process that sends has joined: [directory-1].
        const uint64_t address = directory_->address_of(NodeProcess(static_cast<int>(holder) - 1))
                                     .load(std::memory_order_acquire);
        if (has_ended(static_cast<pid_t>(address >> 32)) &&
            lock.compare_exchange_strong(holder, mine, std::memory_order_acquire, // [inbox-4]
                                         std::memory_order_relaxed))
            return;
    }
}

// Writes a record to another process's inbox, under its lock.
bool SharedMemory::put_into_inbox(Segment &segment, Peer::Way &way, InboxRecord record,
                                  const Packet &packet) {
    Inbox &inbox = segment.header().inbox;
    // Two ways of this process may need it at once, but the lock names only a process.
    LockGuard guard(inbox_lock_);
    lock_inbox(segment);
    bool put = inbox.try_put(record, packet, way.inbox_taken);
    if (put)
        way.inbox_end.store(inbox.written.load(std::memory_order_relaxed),
                            std::memory_order_relaxed);
    inbox.lock.store(0, std::memory_order_release); // release [inbox-4]
    return put;
}

// Makes a ring and announces it to its reader through the inbox, so that earlier packets of this
// way come first.
bool SharedMemory::open_ring(Segment &segment, Peer::Way &way, Channel channel) {
    SegmentHeader &header = segment.header();
    if (!way.new_ring) {
        way.ring_number = header.rings_made.fetch_add(1, std::memory_order_relaxed);
        if (way.ring_number >= header.rings_max || !segment.make_ring(way.ring_number)) {
            way.no_ring = true;
            return false;
        }
        way.new_ring = std::make_unique<RingWriter>(segment.ring(way.ring_number), header.geometry,
                                                    this_process_, channel);
    }
    InboxRecord record{0, this_process_, {}, channel, true};
    Packet packet{
        {MessageKind::Internal, true, true, sizeof way.ring_number, 0}, &way.ring_number, {}};
    if (!put_into_inbox(segment, way, record, packet))
        return false; // the ring is used next time
    way.ring = std::move(way.new_ring);
    way.open_ring.store(way.ring.get(), std::memory_order_release); // release [settled-1]
    return true;
}

// Begins to read a ring that another process has opened.
void SharedMemory::add_ring(NodeProcess source, Channel channel, uint32_t number) {
    void *memory = own_.ring(number);
    uint32_t count = ring_count_.load(std::memory_order_relaxed);
    CHECK(memory && count < options_.rings_max, "ring %u", number);
    rings_[count].reset(new OpenRing{{memory, options_.geometry}, source, channel});
    // release [rings-1]: the ring. seq_cst: for the look for packets before a sleep.
    ring_count_.store(count + 1, std::memory_order_seq_cst);
}

// Ends of processes are handled last: the messages that they have sent before are taken in first.
bool SharedMemory::take_in(PacketSink &sink) {
    bool something = gates_.some_wait() && gates_.take_in();
    if (own_.header().told.load(std::memory_order_relaxed)) [[unlikely]] {
        // acq_rel [told-1]: heed() sees all that was written before the bits.
        heed(own_.header().told.exchange(0, std::memory_order_acq_rel), sink);
        something = true;
    }
    something |= take_from_inbox(sink);
    something |= take_from_rings(sink);
    if (some_have_ended_.load(std::memory_order_relaxed)) [[unlikely]] {
        // Messages sent before the end count: no more than there is room for.
        constexpr int looks_max = 64;
        for (int look = 0; look < looks_max; ++look)
            if (const bool inbox = take_from_inbox(sink); !take_from_rings(sink) && !inbox)
                break;
        tell_of_ends(sink);
        something = true;
    }
    return something;
}

// Takes a limited number of records, so that the rings get their turn.
bool SharedMemory::take_from_inbox(PacketSink &sink) {
    Inbox &inbox = own_.header().inbox;
    uint64_t start = inbox_at_.load(std::memory_order_relaxed), at = start;
    for (uint32_t n = 0; n < packets_per_look; ++n) {
        bool more =
            inbox.next(at, [&](const InboxRecord &record, const char *header, const char *payload) {
                if (std::max(record.source, this_process_).number() >= process_count_)
                    contact(record.source); // so that its end is noticed
                if (record.opens_ring) {
                    uint32_t number;
                    std::memcpy(&number, header, sizeof number);
                    add_ring(record.source, record.channel, number);
                } else {
                    sink.arrive(record.source, record.channel, record.head, header, payload);
                }
            });
        if (!more)
            break;
    }
    if (at == start)
        return false;
    inbox_at_.store(at, std::memory_order_relaxed);
    inbox.give_back(at, [&](int number) {
        int count = process_count_ +
                    static_cast<int>(directory_->header().added.load(std::memory_order_relaxed));
        for (; number < count; number += 64 * Inbox::waiting_words)
            tell(NodeProcess(number), told_of_room);
    });
    return true;
}

// Gives room back after every few packets, so that a writer that waits can continue while the rest
// is read.
bool SharedMemory::take_from_rings(PacketSink &sink) {
    bool something = false;
    uint32_t count = ring_count_.load(std::memory_order_acquire); // acquire [rings-1]
    for (uint32_t i = 0; i < count; ++i) {
        OpenRing &ring = *rings_[i];
        uint32_t taken = 0;
        while (
            taken < packets_per_look &&
            ring.reader.next([&](const PacketHead &head, const void *header, const void *payload) {
                sink.arrive(ring.source, ring.channel, head, header, payload);
            }))
            if (++taken % 8 == 0 && ring.reader.give_back())
                tell(ring.source, told_of_room);
        if (taken == 0)
            continue;
        something = true;
        if (ring.reader.give_back())
            tell(ring.source, told_of_room);
    }
    return something;
}

void SharedMemory::heed(uint32_t told, PacketSink &sink) {
    if (told & told_of_room)
        sink.room();
    if (told & told_of_joint_copies)
        help_readers();
    if (told & told_of_help)
        end_awaited([](SharedMemory &, const AwaitedCopy &copy) { return copy.copy->is_done(); });
}

void SharedMemory::tell(NodeProcess process, Told what) {
    if (process == this_process_)
        return;
    Segment *segment = contact(process);
    if (!segment)
        return;
    segment->header().told.fetch_or(what, std::memory_order_seq_cst); // [told-1], [attention-1]
    call(process, *segment);
}

// Wakes `process`. Call it after a seq_cst store of the data that it should see.
void SharedMemory::call(NodeProcess process, Segment &segment) {
    if (!ring_bell(segment, peer(process).doorbell_fd))
        note_unsettled(process);
}

// Wakes the listener if it sleeps or is about to. Returns false if it is awake.
bool SharedMemory::ring_bell(Segment &segment, int doorbell_fd) {
    Attention &attention = segment.header().attention;
    if (!attention.ring())
        return false;
    load_->awake.fetch_add(1, std::memory_order_relaxed); // on behalf of that process
    if (doorbell_fd >= 0)
        Doorbell::ring(doorbell_fd);
    else
        attention.wake();
    return true;
}

// Checks for arrivals; before a sleep with seq_cst: [attention-1].
bool SharedMemory::something_has_come(std::memory_order order) {
    const SegmentHeader &header = own_.header();
    if (header.told.load(order) ||
        header.inbox.written.load(order) != inbox_at_.load(std::memory_order_relaxed))
        return true;
    uint32_t count = ring_count_.load(std::memory_order_acquire); // [rings-1]
    for (uint32_t i = 0; i < count; ++i)
        if (rings_[i]->reader.has_packet(order))
            return true;
    return gates_.some_wait(order) && gates_.some_are_over();
}

// Returns whether other processes of the node may wait for this core, and yielding to them is
// worthwhile.
bool SharedMemory::has_turns() {
    if (worth_spinning())
        return false;
    const int rest = turns_to_rest_.load(std::memory_order_relaxed);
    if (rest > 0)
        turns_to_rest_.store(rest - 1, std::memory_order_relaxed);
    return rest == 0;
}

// Yields the core to others until is_over(), at least `turns_least` times, and for about ten times
// as long as waking from a sleep takes. (If it yields only that long, mpi4py's tests of
// communication with 3 to 5 processes take a tenth longer.) Where others compute, a yield takes
// milliseconds, and a sleeping thread gets the core back sooner. So after a long yield this stops
// yielding for a while. Only a few first yields are timed.
template <class IsOver>
bool SharedMemory::yield_until(int turns_least, IsOver is_over) {
    constexpr uint32_t turns_per_timed = 16;
    constexpr int rest_least = 4, rest_most = 128;
    constexpr int64_t patience_ns = 300'000, turn_ns_max = 1'000'000, turn_ns_of_process = 30'000;
    const uint32_t number = turns_.load(std::memory_order_relaxed);
    turns_.store(number + 1, std::memory_order_relaxed);
    int64_t before_ns = number % turns_per_timed == 0 ? now_ns() : 0, begin_ns = before_ns;
    for (int turn = 1;; ++turn) {
        ::sched_yield();
        const bool over = is_over();
        if (over && before_ns == 0)
            return true;
        const int64_t after_ns = now_ns();
        const int64_t others = load_->awake.load(std::memory_order_relaxed);
        if (before_ns != 0 && after_ns - before_ns > turn_ns_max + turn_ns_of_process * others) {
            const int rest = next_rest_.load(std::memory_order_relaxed);
            turns_to_rest_.store(rest, std::memory_order_relaxed);
            next_rest_.store(std::min(2 * rest, rest_most), std::memory_order_relaxed);
            turns_.store(0, std::memory_order_relaxed); // the next one is timed
            return over;
        }
        if (before_ns != 0)
            next_rest_.store(rest_least, std::memory_order_relaxed);
        if (over)
            return true;
        if (begin_ns == 0)
            begin_ns = after_ns;
        if (turn >= turns_least && after_ns - begin_ns > patience_ns)
            return false;
        before_ns = after_ns;
    }
}

bool SharedMemory::give_way(const Completion &until) {
    if (!has_turns())
        return false;
    const bool over = yield_until(
        1, [&] { return something_has_come(std::memory_order_relaxed) || until.done(); });
    has_given_way_.store(!over, std::memory_order_relaxed);
    return over;
}

// Before it sleeps, the listener yields the core to processes that may answer at once. It announces
// the sleep and checks again, so that no wake-up is lost.
void SharedMemory::sleep(int64_t timeout_ns) {
    Attention &attention = own_.header().attention;
    auto is_over = [&] {
        // Sees what [attention-1] publishes, but only the look below is the last one.
        return something_has_come(std::memory_order_seq_cst) ||
               woken_.load(std::memory_order_seq_cst);
    };
    // Others may only wait for this core and answer at once. Yielding is then cheaper than a sleep
    // with a timer and a wake-up. A process with a network has yielded already.
    const bool has_given_way = has_given_way_.load(std::memory_order_relaxed);
    if (has_given_way)
        has_given_way_.store(false, std::memory_order_relaxed);
    if (!doorbell_ && !has_given_way && has_turns()) {
        if (yield_until(1, is_over))
            return;
    } else if (some_are_unsettled()) {
        ::sched_yield();
        if (is_over())
            return;
    }
    if (gates_.some_wait())
        gates_.announce_sleep();
    attention.state.store(AttentionState::Listening, std::memory_order_seq_cst); // [attention-1]
    // [attention-1]: the last look.
    if (woken_.load(std::memory_order_seq_cst) || something_has_come(std::memory_order_seq_cst)) {
        // A process that has rung in between has counted this one once more.
        if (attention.state.exchange(AttentionState::Awake, std::memory_order_relaxed) ==
            AttentionState::Rung)
            load_->awake.fetch_sub(1, std::memory_order_relaxed);
        return;
    }
    load_->awake.fetch_sub(1, std::memory_order_relaxed);
    bool urge = some_are_unsettled() && (timeout_ns < 0 || timeout_ns > grace_ns);
    if (doorbell_)
        doorbell_->sleep(urge ? grace_ns : timeout_ns);
    else
        attention.sleep(urge ? grace_ns : timeout_ns);
    bool rung = attention.state.exchange(AttentionState::Awake, std::memory_order_relaxed) ==
                AttentionState::Rung;
    if (rung)
        return;
    load_->awake.fetch_add(1, std::memory_order_relaxed);
    if (urge)
        urge_unsettled();
}

// Waits at a gate for a moment. Processes that have yet to arrive may only wait for this core. If
// all others do the same, each gets its turn soon and none has to be woken: on two cores this makes
// a barrier of 64 processes three times as fast.
bool SharedMemory::look_at_gate(const GateWait &wait) {
    constexpr int spins_max = 1000, turns_least = 16;
    bool has_passed = false;
    for (int spins = 1; spins <= spins_max && worth_spinning(); ++spins) {
        has_passed = wait.has_passed();
        if (has_passed)
            break;
        cpu_pause();
        if (spins % 16 == 0 && has_news())
            sink_.ask_to_take_in();
    }
    has_passed = has_passed || (has_turns() && yield_until(turns_least, [&] {
                                    if (wait.has_passed())
                                        return true;
                                    if (has_news())
                                        sink_.ask_to_take_in();
                                    return false;
                                }));
    if (has_passed)
        gates_.note_passed_at_once();
    return has_passed;
}

int SharedMemory::take_gate() {
    return gates_.take(SegmentHeader::gates_max);
}

// Returns a gate, unless it was given up: then it is not used again.
void SharedMemory::return_gate(int number) {
    if (!own_.header().gates[number].given_up.load(std::memory_order_relaxed))
        gates_.give_back(number);
}

Gate *SharedMemory::gate(NodeProcess owner, int number) {
    if (owner == this_process_)
        return &own_.header().gates[number];
    Segment *segment = contact(owner);
    return segment ? &segment->header().gates[number] : nullptr;
}

void SharedMemory::open_door(Door &door, std::span<const NodeProcess> others) {
    gates_.note_passage(others.size() -
                        static_cast<size_t>(std::ranges::count(others, this_process_)));
    door.passages.fetch_add(1, std::memory_order_seq_cst); // release [gate-4]; [gate-3]
    wake_at_door(door, others);
}

void SharedMemory::give_up_gate(Gate &gate, std::span<const NodeProcess> others) {
    if (gate.given_up.exchange(1, std::memory_order_seq_cst)) // [gate-3]
        return;
    wake_at_door(gate.completed, others);
    wake_at_door(gate.opened, others);
}

// Wakes the processes that sleep at a door.
void SharedMemory::wake_at_door(Door &door, std::span<const NodeProcess> others) {
    if (!door.somebody_sleeps.load(std::memory_order_seq_cst) || // [gate-3]
        !door.somebody_sleeps.exchange(0, std::memory_order_relaxed))
        return;
    for (NodeProcess process : others)
        if (Segment *segment = process == this_process_ ? nullptr : contact(process))
            ring_bell(*segment, peer(process).doorbell_fd);
}

void SharedMemory::wake() {
    woken_.store(true, std::memory_order_seq_cst); // [attention-1]
    ring_bell(own_, own_.header().doorbell_fd);
}

// Counts the cores again only when further processes have joined.
bool SharedMemory::worth_spinning() {
    int awake = load_->awake.load(std::memory_order_relaxed);
    if (awake <= cores_.load(std::memory_order_relaxed)) [[likely]]
        return true;
    const uint32_t joined = load_->joined.load(std::memory_order_acquire); // acquire [cores-1]
    if (joined == joined_.load(std::memory_order_relaxed)) [[likely]]
        return false;
    joined_.store(joined, std::memory_order_relaxed);
    int cores = 0;
    for (const auto &word : load_->cores)
        cores += __builtin_popcountll(word.load(std::memory_order_relaxed));
    cores_.store(cores, std::memory_order_relaxed);
    return awake <= cores;
}

void SharedMemory::leave() {
    load_->awake.fetch_sub(1, std::memory_order_relaxed);
}

// Notes that a process may not have taken everything.
void SharedMemory::note_unsettled(NodeProcess process) {
    auto &word = unsettled_[process.index() / 64];
    uint64_t bit = uint64_t{1} << process.index() % 64;
    if (!(word.load(std::memory_order_relaxed) & bit))
        word.fetch_or(bit, std::memory_order_relaxed);
}

// Returns whether a process has taken everything that this one has sent. A hint.
bool SharedMemory::is_settled(Peer &p, Segment &segment) const {
    if (segment.header().told.load(std::memory_order_relaxed))
        return false;
    uint64_t taken = segment.header().inbox.taken.load(std::memory_order_relaxed);
    for (Peer::Way &way : p.ways) {
        RingWriter *ring = way.open_ring.load(std::memory_order_acquire); // [settled-1]
        if (taken < way.inbox_end.load(std::memory_order_relaxed) || (ring && !ring->is_settled()))
            return false;
    }
    return true;
}

// Clears the bits of processes that have taken everything, and skips 64 processes at once where no
// bit is set.
bool SharedMemory::some_are_unsettled() {
    bool some = false;
    const int count = static_cast<int>(peers_.count());
    for (int number = 0; number < count; ++number) {
        const NodeProcess process(number);
        auto &word = unsettled_[process.index() / 64];
        uint64_t bits = word.load(std::memory_order_relaxed);
        if (bits == 0) {
            number |= 63;
            continue;
        }
        uint64_t bit = uint64_t{1} << process.index() % 64;
        Segment *segment = peer(process).segment.load(std::memory_order_acquire); // [contact-1]
        if (!(bits & bit) || !segment)
            continue;
        if (is_settled(peer(process), *segment))
            word.fetch_and(~bit, std::memory_order_relaxed);
        else
            some = true;
    }
    return some;
}

// Clears a process's bit before it looks at the process, so that a later message sets it again.
void SharedMemory::urge_unsettled() {
    if (!some_are_unsettled())
        return;
    const int count = static_cast<int>(peers_.count());
    for (NodeProcess process : NodeProcesses(count)) {
        auto &word = unsettled_[process.index() / 64];
        uint64_t bit = uint64_t{1} << process.index() % 64;
        if (!(word.load(std::memory_order_relaxed) & bit))
            continue;
        word.fetch_and(~bit, std::memory_order_relaxed);
        if (Segment *segment = peer(process).segment.load(std::memory_order_acquire)) // [contact-1]
            urge(peer(process), *segment);
    }
}

// Makes the helper thread of a process take packets in.
void SharedMemory::urge(Peer &p, Segment &segment) {
    if (segment.header().attention.state.load(std::memory_order_relaxed) != AttentionState::Awake)
        return; // it is about to check
    int fd = p.urge_fd.load(std::memory_order_relaxed);
    if (fd < 0) { // only the listener does this
        fd = open_pipe_of(p.pid, segment.header().urge_fd);
        p.urge_fd.store(fd, std::memory_order_relaxed);
    }
    if (fd >= 0)
        (void)!::write(fd, "", 1); // full: it has been urged already
}

// The helper thread calls this when another process has urged this one.
void SharedMemory::on_urge(void *self, int) {
    auto &memory = *static_cast<SharedMemory *>(self);
    char bytes[64];
    while (::read(memory.urge_pipe_[0], bytes, sizeof bytes) == sizeof bytes) {
    }
    memory.sink_.ask_to_take_in_all();
}

} // namespace thrum
