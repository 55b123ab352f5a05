#include "acl/remote.h"

#include "comm/span.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace thrum {

// A synchronous receive from elsewhere; on the stack of who receives.
struct RemoteReceive {
    ProcessingElement &self;
    const SyncReceive &receive;
    size_t message_bytes = 0;
    Completion done;
};

namespace {

enum class What : uint32_t { Data, Ready, Taken, Async, Stop, Go, Silence };

struct Header {
    What what;
    int dest;   // number in the job of the PE that it goes to; Stop, Go: of the PE that has sent it
    int source; // address of the PE that has sent it
    int tag;    // of Async; Stop, Go: number, the larger one was said later
    uint64_t size_bytes; // of the message
    RemoteMemory memory; // of Data that did not come along
};

static_assert(sizeof(Header) <= header_bytes_max);

// --- Out.

// A process that is lost ends the job (mpi/bound_ranks.h).
void send_packet(int process, const Header &header, const void *data = nullptr) MAY_SUSPEND {
    iovec part{const_cast<void *>(data), header.size_bytes};
    (void)fabric_send(process, Channel::PointToPoint, MessageKind::Acl, &header, sizeof header,
                      &part, data && header.size_bytes > 0);
}

void send_to_element(const Header &header, const void *data = nullptr) MAY_SUSPEND {
    send_packet(node_process_of(header.dest), header, data);
}

Header header_of(What what, const ProcessingElement &self, int dest, size_t size_bytes = 0) {
    return {what, self.partition.world_rank(dest), self.address, 0, size_bytes, {}};
}

RemotePeer &peer_of(ProcessingElement &self, int address) {
    return (*self.peers)[static_cast<unsigned>(address)];
}

bool travels_along(const ProcessingElement &self, size_t size_bytes) {
    return size_bytes <= self.process.eager_bytes_max;
}

// --- A receive meets its message.

void memory_is_read(void *argument, bool ok) MAY_SUSPEND {
    auto &receive = *static_cast<RemoteReceive *>(argument);
    const int source = receive.receive.source;
    if (!ok) // the process is lost, which ends the job
        return;
    send_to_element(header_of(What::Taken, receive.self, source));
    receive.done.complete();
}

// The data are in this process.
void take_data(RemoteReceive &receive, const void *data, size_t size_bytes) {
    receive.message_bytes = size_bytes;
    if (size_bytes > 0 && size_bytes <= receive.receive.room_bytes) // too much: end_receive()
        std::memcpy(receive.receive.buffer, data, size_bytes);
    receive.done.complete();
}

// The data are in memory of the sender, who waits until they have been read.
void take_memory(RemoteReceive &receive, int process, const RemoteMemory &memory) MAY_SUSPEND {
    receive.message_bytes = memory.bytes;
    if (memory.bytes > receive.receive.room_bytes)
        return memory_is_read(&receive, true); // not at all
    fabric_read(process, memory, 0, receive.receive.buffer, memory.bytes, memory_is_read, &receive);
}

// Takes the message, or waits for it from now on; and says so.
Error begin_receive(RemoteReceive &receive) MAY_SUSPEND {
    ProcessingElement &self = receive.self;
    const int source = receive.receive.source;
    RemotePeer &peer = peer_of(self, source);
    peer.lock.lock();
    const bool two = peer.receiver != nullptr;
    const bool arrived = std::exchange(peer.arrived, false);
    const size_t size_bytes = peer.arrived_bytes;
    void *data = std::exchange(peer.arrived_data, nullptr);
    const RemoteMemory memory = peer.arrived_memory;
    if (!two && !arrived)
        peer.receiver = &receive;
    peer.lock.unlock();
    if (two) [[unlikely]]
        return two_threads(Side::Receiver, source);
    send_to_element(header_of(What::Ready, self, source));
    if (!arrived)
        return success;
    if (memory.bytes > 0)
        take_memory(receive, node_process_of(self.partition.world_rank(source)), memory);
    else
        take_data(receive, data, size_bytes);
    std::free(data);
    return success;
}

// --- In. `self`: the PE that it is for.

void data_arrived(ProcessingElement &self, const Header &header,
                  const Arrival &arrival) MAY_SUSPEND {
    RemotePeer &peer = peer_of(self, header.source);
    const bool here = header.memory.bytes == 0;
    peer.lock.lock();
    RemoteReceive *receiver = std::exchange(peer.receiver, nullptr);
    if (!receiver) {
        CHECK(!peer.arrived);
        peer.arrived = true;
        peer.arrived_bytes = header.size_bytes;
        peer.arrived_memory = header.memory;
        if (here && header.size_bytes > 0) {
            peer.arrived_data = std::malloc(header.size_bytes);
            CHECK(peer.arrived_data, "out of memory for a message of another process");
            std::memcpy(peer.arrived_data, arrival.payload, header.size_bytes);
        }
    }
    peer.lock.unlock();
    if (!receiver)
        return;
    if (here)
        take_data(*receiver, arrival.payload, header.size_bytes);
    else
        take_memory(*receiver, arrival.source, header.memory);
}

// The PE elsewhere has come to a message that has been sent, or will be.
void ready_arrived(RemotePeer &peer) {
    peer.lock.lock();
    Completion *waits = std::exchange(peer.awaits_ready, nullptr);
    peer.ready = !waits;
    peer.lock.unlock();
    if (waits)
        waits->complete();
}

void taken_arrived(RemotePeer &peer) {
    peer.lock.lock();
    Completion *waits = std::exchange(peer.awaits_taken, nullptr);
    peer.lock.unlock();
    waits->complete();
}

// --- Processes that have told this one to stop.

struct Stops {
    struct Said {
        bool stop = false;
        int change = 0; // number of what was said
    };

    SpinLock lock;
    std::vector<Said> of; // by number in the job of the PE that has too much
    TaskList waiting;     // until any of them may be sent to again
};

Stops &stops() {
    static auto *stops = new Stops; // never destroyed: messages come until the process ends
    return *stops;
}

void set_stopped(int number, bool stopped, int change) {
    Stops &all = stops();
    TaskList freed;
    all.lock.lock();
    const auto place = static_cast<size_t>(number);
    if (all.of.size() <= place)
        all.of.resize(place + 1);
    if (change > all.of[place].change)
        all.of[place] = {stopped, change};
    if (!stopped)
        freed = std::exchange(all.waiting, {});
    all.lock.unlock();
    make_all_runnable(freed);
}

int describe_stop(const Blockage &blockage, char *text, size_t size_bytes) {
    std::snprintf(text, size_bytes, " to rank %d, which has too much that it has not received",
                  blockage.peer);
    return blockage.peer;
}

void wait_while_stopped(int number) MAY_SUSPEND {
    Stops &all = stops();
    const auto place = static_cast<size_t>(number);
    all.lock.lock();
    while (place < all.of.size() && all.of[place].stop) {
        Task &task = current_task();
        prepare_to_suspend(task);
        all.waiting.push(task);
        all.lock.unlock();
        Blockage blockage;
        blockage.kind = Blockage::Kind::Described;
        blockage.describe = describe_stop;
        blockage.peer = number;
        Waiting waiting(blockage);
        suspend();
        all.lock.lock();
    }
    all.lock.unlock();
}

// --- In.

void async_arrived(ProcessingElement &self, const Header &header,
                   const Arrival &arrival) MAY_SUSPEND {
    if (int change = self.async.deposit(header.dest, arrival.source, header.source, header.tag,
                                        arrival.payload, header.size_bytes))
        send_packet(arrival.source, {What::Stop, header.dest, 0, change, 0, {}});
}

void arrived(void *, const Arrival &arrival) MAY_SUSPEND {
    Header header;
    CHECK(arrival.header_bytes == sizeof header);
    std::memcpy(&header, arrival.header, sizeof header);
    if (header.what == What::Stop || header.what == What::Go)
        return set_stopped(header.dest, header.what == What::Stop, header.tag);
    ProcessingElement *self = element_of(process_at(header.dest));
    CHECK(self, "a message for rank %d, which is in no partition", header.dest);
    switch (header.what) {
    case What::Data:
        return data_arrived(*self, header, arrival);
    case What::Ready:
        return ready_arrived(peer_of(*self, header.source));
    case What::Taken:
        return taken_arrived(peer_of(*self, header.source));
    case What::Async:
        return async_arrived(*self, header, arrival);
    default:
        return self->partition.silences.arrive();
    }
}

} // namespace

RemotePeer::~RemotePeer() {
    std::free(arrived_data);
}

Error send_to_process(ProcessingElement &self, const SyncSend &send) {
    RemotePeer &peer = peer_of(self, send.dest);
    const bool large = !travels_along(self, send.size_bytes);
    Completion ready, taken;
    peer.lock.lock();
    const bool two = std::exchange(peer.sending, true);
    const bool is_ready = std::exchange(peer.ready, false);
    if (!two) {
        peer.awaits_ready = is_ready ? nullptr : &ready;
        peer.awaits_taken = large ? &taken : nullptr;
    }
    peer.lock.unlock();
    if (two) [[unlikely]]
        return two_threads(Side::Sender, send.dest);
    Header header = header_of(What::Data, self, send.dest, send.size_bytes);
    if (large)
        header.memory = fabric_expose(send.buffer, send.size_bytes);
    send_to_element(header, large ? nullptr : send.buffer);
    if (large || !is_ready) {
        SyncBlockage blockage(self, send.dest, Side::Sender, send.size_bytes);
        Waiting waiting(blockage);
        large ? taken.wait() : ready.wait(); // Ready comes before Taken
    }
    if (large)
        fabric_withdraw(header.memory);
    LockGuard guard(peer.lock);
    peer.sending = false;
    return success;
}

Error receive_from_process(ProcessingElement &self, const SyncReceive &receive,
                           const SyncSend *meanwhile, size_t &message_bytes) {
    RemoteReceive mine{self, receive, 0, {}};
    if (Error error = begin_receive(mine))
        return error;
    if (meanwhile)
        if (Error error = synchronous_send(self, *meanwhile))
            return error;
    await_sender(self, receive, mine.done);
    message_bytes = mine.message_bytes;
    return check_room(receive, message_bytes);
}

void async_send_to_process(ProcessingElement &self, int dest, int tag, const void *data,
                           size_t size_bytes) {
    Header header = header_of(What::Async, self, dest, size_bytes);
    header.tag = tag;
    wait_while_stopped(header.dest);
    send_to_element(header, data);
}

void let_processes_go(int number, int change, const std::vector<int> &processes) {
    for (int process : processes)
        send_packet(process, {What::Go, number, 0, change, 0, {}});
}

// Behind everything that PEs of this process have sent; the first of them speaks for all.
void await_silence(ProcessingElement &self) {
    const ProcessMap &span = *self.process.world->context->span;
    if (span.locals.front() != self.address)
        return;
    std::vector<bool> told(span.processes.size());
    told[static_cast<size_t>(span.here)] = true;
    for (int address = 0; address < self.partition.size; ++address) {
        auto index = static_cast<size_t>(span.index_of[static_cast<size_t>(address)]);
        if (told[index])
            continue;
        told[index] = true;
        send_to_element(header_of(What::Silence, self, address));
    }
    self.partition.silent.wait();
}

void begin_remote_elements() {
    set_arrive_function(MessageKind::Acl, arrived);
}

} // namespace thrum
