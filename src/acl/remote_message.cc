// Synchronous messages between PEs of different node processes. Each side sends its packet when it
// reaches its call, and returns when it has the other's; whichever comes first is noted in the
// RemotePeer, under its lock. A pair has at most one message in transit, so single fields suffice.
#include "acl/remote_message.h"

#include "acl/asynchronous.h"
#include "acl/flow_control.h"

#include <cstdlib>
#include <cstring>
#include <utility>

namespace thrum {
namespace {

ElementHeader header_of(ElementPacket kind, const ProcessingElement &self, int dest,
                        size_t size_bytes = 0) {
    return {kind, self.partition.world_rank(dest), self.address, 0, size_bytes, {}};
}

RemotePeer &peer_of(ProcessingElement &self, int address) {
    return (*self.peers)[static_cast<unsigned>(address)];
}

// Returns whether the data go with the header; larger data are read by the receiver.
bool travels_along(const ProcessingElement &self, size_t size_bytes) {
    return size_bytes <= self.process.eager_bytes_max;
}

// --- A receive meets its message.

// Called when the sender's memory has been read: tells the sender, and completes the receive.
void memory_is_read(void *argument, bool ok) MAY_SUSPEND {
    auto &receive = *static_cast<RemoteReceive *>(argument);
    if (!ok) // the process is lost, which ends the job
        return;
    send_to_element(receive.taken);
    receive.done.complete();
}

// Copies data that have arrived in this process. Data that do not fit are dropped: check_room()
// reports that in the receiver.
void take_data(RemoteReceive &receive, const void *data, size_t size_bytes) {
    receive.message_bytes = size_bytes;
    if (size_bytes > 0 && size_bytes <= receive.room_bytes) // too much: check_room()
        std::memcpy(receive.buffer, data, size_bytes);
    receive.done.complete();
}

// Reads data from the memory of the sender, which waits until this has been done. Data that do not
// fit are not read.
void take_memory(RemoteReceive &receive, NodeProcess process,
                 const RemoteMemory &memory) MAY_SUSPEND {
    receive.message_bytes = memory.bytes;
    if (memory.bytes > receive.room_bytes)
        return memory_is_read(&receive, true); // not at all
    fabric_read(process, memory, 0, receive.buffer, memory.bytes, memory_is_read, &receive);
}

// --- Packets that arrive. `self` is the PE that a packet is for.

// Completes the receive that waits for the message, or keeps the message. Whatever copies is done
// without the lock.
void data_arrived(ProcessingElement &self, const ElementHeader &header,
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

// The PE elsewhere has reached the receive for a message that has been sent, or will be.
void ready_arrived(RemotePeer &peer) {
    peer.lock.lock();
    Completion *waits = std::exchange(peer.awaits_ready, nullptr);
    peer.ready = !waits;
    peer.lock.unlock();
    if (waits)
        waits->complete();
}

// The receiver has read the large data: the sender may go on.
void taken_arrived(RemotePeer &peer) {
    peer.lock.lock();
    Completion *waits = std::exchange(peer.awaits_taken, nullptr);
    peer.lock.unlock();
    waits->complete();
}

// Takes all packets of PEs. Arrive function: any thread.
void arrived(void *, const Arrival &arrival) MAY_SUSPEND {
    ElementHeader header;
    CHECK(arrival.header_bytes == sizeof header);
    std::memcpy(&header, arrival.header, sizeof header);
    if (header.kind == ElementPacket::Stop || header.kind == ElementPacket::Go)
        return set_stopped(header.dest, header.kind == ElementPacket::Stop, header.tag);
    ProcessingElement *self = element_of(process_at(header.dest));
    CHECK(self, "a message for rank %d, which is not in a partition", header.dest);
    switch (header.kind) {
    case ElementPacket::Data:
        return data_arrived(*self, header, arrival);
    case ElementPacket::Ready:
        return ready_arrived(peer_of(*self, header.source));
    case ElementPacket::Taken:
        return taken_arrived(peer_of(*self, header.source));
    case ElementPacket::Async:
        return async_arrived(*self, header, arrival);
    default:
        return self->partition.silences.arrive();
    }
}

} // namespace

// Notes what it waits for before it sends, as the answer may arrive at once. A large message waits
// for Ready and for Taken, which come in any order: when its Data arrive between the two halves of
// begin_receive(), another thread of the receiver's process answers first.
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
    ElementHeader header = header_of(ElementPacket::Data, self, send.dest, send.size_bytes);
    if (large)
        header.memory = fabric_expose(send.buffer, send.size_bytes);
    send_to_element(header, large ? nullptr : send.buffer);
    if (large || !is_ready) {
        SyncBlockage blockage(self, send.dest, Side::Sender, send.size_bytes);
        Waiting waiting(blockage);
        if (large) // first: usually the last of the two
            taken.wait();
        if (!is_ready)
            ready.wait();
    }
    if (large)
        fabric_withdraw(header.memory);
    LockGuard guard(peer.lock);
    peer.sending = false;
    return success;
}

RemoteReceive receive_of(const ProcessingElement &self, const SyncReceive &receive) {
    return {header_of(ElementPacket::Taken, self, receive.source),
            receive.buffer,
            receive.room_bytes,
            0,
            {}};
}

// Sends Ready in any case: the sender waits for it, or finds it later.
Error begin_receive(ProcessingElement &self, int source, RemoteReceive &receive) {
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
    send_to_element(header_of(ElementPacket::Ready, self, source));
    if (!arrived)
        return success;
    if (memory.bytes > 0)
        take_memory(receive, node_process_of(self.partition.world_rank(source)), memory);
    else
        take_data(receive, data, size_bytes);
    std::free(data);
    return success;
}

void begin_remote_elements() {
    set_arrive_function(MessageKind::Acl, arrived);
}

} // namespace thrum
