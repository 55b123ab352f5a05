// Transport: one way to reach other node processes. Shared memory, libfabric and the simulation
// each implement it; everything that they have in common is in Endpoint.
#pragma once
#include "base/clock.h"
#include "fabric/packet/packet.h"

namespace thrum {

// Takes packets from transports. An Endpoint is one.
class PacketSink {
public:
    // Handles a packet from `source`. Calls for one process of the job come one at a time.
    virtual void arrive(NodeProcess source, Channel channel, const PacketHead &head,
                        const void *header, const void *payload) = 0;
    // Reports that there may be room again for packets that a transport has refused.
    virtual void room() = 0;
    // Reports that `process` has ended. Idempotent.
    virtual void lost(NodeProcess process) = 0;
    virtual bool is_lost(NodeProcess process) = 0;
    // Makes the calling thread call take_in(); returns true if there was something.
    virtual bool ask_to_take_in() = 0;

    // Does the same until nothing is left, because messages sent before a process's end count. The
    // number of passes is limited, because others may keep sending, or a network may keep retrying
    // messages.
    void ask_to_take_in_all() {
        constexpr int passes_min = 1000;
        constexpr int64_t moment_ns = 250'000'000;
        const int64_t end_ns = now_ns() + moment_ns;
        for (int passes = 1; ask_to_take_in(); ++passes)
            if (passes >= passes_min && now_ns() >= end_ns)
                return;
    }

protected:
    ~PacketSink() = default;
};

// Sent: the transport has taken the packet. NoRoom: try again after room(). Lost: the process has
// ended.
enum class SendResult : uint8_t { Sent, NoRoom, Lost };
enum class ReadResult : uint8_t {
    Done,
    Started,    // done() will be called
    Impossible, // must be requested by messages
    Lost,
};

class Transport {
public:
    // Returns the largest payload of a packet.
    virtual size_t piece_bytes_max() const = 0;
    // Sends a packet completely or not at all; does not wait. Calls for one (process, channel) come
    // one at a time. After NoRoom, room() is called when another try is worthwhile.
    virtual SendResult try_send(NodeProcess process, Channel channel, const Packet &packet) = 0;

    // Returns whether take_in() is worthwhile. Any thread may call this; it costs a few loads.
    virtual bool has_news() { return true; }

    // Takes in all packets that have arrived; returns true if there was one. One call at a time.
    virtual bool take_in(PacketSink &sink) = 0;

    // Copies directly from the memory of `process`.
    virtual ReadResult read(NodeProcess process, const RemoteMemory &from, size_t offset,
                            void *into, size_t bytes, ReadDoneFunction done, void *argument) {
        (void)process, (void)from, (void)offset, (void)into, (void)bytes, (void)done,
            (void)argument;
        return ReadResult::Impossible;
    }

    // Returns whether reads that it has started are not done.
    virtual bool reads() const { return false; }

    // Make memory readable for read(), and end that. The transport may set memory.key.
    virtual void expose(RemoteMemory &memory) { (void)memory; }

    virtual void withdraw(const RemoteMemory &memory) { (void)memory; }

protected:
    ~Transport() = default;
};

} // namespace thrum
