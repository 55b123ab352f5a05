// A ring of packet slots in memory that two processes share. One writes, one reads, and neither
// locks (SX-4 paper, sections 5 and 9.1: a slot for each pair of processes, used cyclically).
//
//   slots     +------+------+------+------+------+------+     a slot: sequence, head, header, and
//             |  17  |  18  |  19  |  12  |  13  | ...  |     the payload if it fits (short), or
//             +------+------+------+------+------+------+     else its place in the payload area
//                    reader ^      ^ writer
//   payloads  |........|aaaaaaaaa|bbbbb|................|     used cyclically, too (eager)
//
// Invariants
// 1. Slot p % slots holds packet number p once its sequence is p + 1. The writer alone writes
//    slots; the reader alone writes `taken`. So a short packet costs its reader one cache line.
// 2. The writer reuses a slot, and its payload area, only when `taken` has passed it.
// 3. Payloads are taken in the order of their packets, so one number frees both.
// 4. A reader checks whether the writer waits for room whenever it has freed a quarter of the slots
//    or of the area.
#pragma once
#include "base/bytes.h"
#include "base/check.h"
#include "fabric/packet/packet.h"

#include <atomic>
#include <memory>

namespace thrum {

// The sizes of a ring in bytes and slots.
struct RingGeometry {
    uint32_t slot_bytes = 256;
    uint32_t slots = 64;               // a power of two
    uint32_t payload_bytes = 64 << 10; // a multiple of 256

    size_t ring_bytes() const;

    uint32_t piece_bytes_max() const { return payload_bytes / 4; }
};

// The head of a ring, which writer and reader share.
struct RingControl {
    // Written by the writer before the reader knows about the ring.
    RingGeometry geometry;
    NodeProcess source;
    Channel channel;
    // Number of packets; written by the reader, read by the writer.
    alignas(64) std::atomic<uint32_t> taken;
    alignas(64) std::atomic<uint32_t> writer_waits; // the writer sets, the reader clears
};

// A slot. Its sequence number tells which packet it holds.
struct PacketSlot {
    std::atomic<uint32_t> sequence;
    PacketHead head;
    uint32_t payload_at; // offset in the payload area, unless it follows the header
    char data[];
};

inline constexpr size_t slot_head_bytes = 16;
static_assert(offsetof(PacketSlot, data) == slot_head_bytes);

inline size_t RingGeometry::ring_bytes() const {
    return align_up(sizeof(RingControl), 64) + size_t{slot_bytes} * slots + payload_bytes;
}

// The view of the memory that writer and reader share.
class RingMemory {
public:
    RingMemory(void *memory, const RingGeometry &geometry)
        : geometry_(geometry), control_(static_cast<RingControl *>(memory)),
          slots_(static_cast<char *>(memory) + align_up(sizeof(RingControl), 64)),
          payloads_(slots_ + size_t{geometry.slot_bytes} * geometry.slots) {}

    RingControl &control() const { return *control_; }

protected:
    PacketSlot &slot(uint32_t packet) const {
        return *reinterpret_cast<PacketSlot *>(slots_ + size_t{packet & (geometry_.slots - 1)} *
                                                            geometry_.slot_bytes);
    }

    bool fits_into_slot(size_t header_bytes, size_t payload_bytes) const {
        return slot_head_bytes + align_up(header_bytes, 8) + payload_bytes <= geometry_.slot_bytes;
    }

    RingGeometry geometry_; // a copy: the peer cannot change it
    RingControl *control_;
    char *slots_;
    char *payloads_;
};

// The writer's end of a ring.
class RingWriter : public RingMemory {
public:
    // `memory` must be zeroed.
    RingWriter(void *memory, const RingGeometry &geometry, NodeProcess source, Channel channel)
        : RingMemory(memory, geometry), payload_ends_(new uint64_t[2 * geometry.slots]()) {
        control_->geometry = geometry;
        control_->source = source;
        control_->channel = channel;
    }

    // Writes a packet. Returns false if there is no room.
    bool try_put(const Packet &packet) {
        uint32_t written = written_.load(std::memory_order_relaxed);
        if (written - taken_ == geometry_.slots && !refresh(std::memory_order_acquire)) // [ring-2]
            return false;
        const PacketHead &head = packet.head;
        PacketSlot &slot = this->slot(written);
        char *payload = slot.data + align_up(head.header_bytes, 8);
        if (!fits_into_slot(head.header_bytes, head.payload_bytes)) {
            payload = allocate(head.payload_bytes);
            if (!payload)
                return false;
            slot.payload_at = static_cast<uint32_t>(payload - payloads_);
        }
        slot.head = head;
        copy_bytes(slot.data, packet.header, head.header_bytes);
        packet.payload.copy_to(payload);
        payload_ends_[written & (2 * geometry_.slots - 1)] = payload_end_;
        // release [ring-1]: publishes the packet. seq_cst, because the writer then looks whether
        // the reader's process sleeps: [attention-1].
        slot.sequence.store(written + 1, std::memory_order_seq_cst);
        written_.store(written + 1, std::memory_order_relaxed);
        return true;
    }

    // Asks the reader to report room, after try_put() has failed. Returns false if there is room
    // already.
    bool wait_for_room() {
        // seq_cst [ring-3]: either the reader sees this, or the writer sees what it has taken
        // before.
        control_->writer_waits.store(1, std::memory_order_seq_cst);
        return !refresh(std::memory_order_seq_cst); // [ring-3], [ring-2]
    }

    // Returns whether the reader has taken everything. A hint.
    bool is_settled() const { return control_->taken.load(std::memory_order_relaxed) == written_; }

private:
    // Looks for slots that the reader has freed; returns false if there are none. acquire [ring-2]:
    // the slots are free.
    bool refresh(std::memory_order order) {
        uint32_t taken = control_->taken.load(order);
        if (taken == taken_)
            return false;
        taken_ = taken;
        payload_taken_ = payload_ends_[(taken - 1) & (2 * geometry_.slots - 1)];
        return true;
    }

    // Allocates contiguous room; the rest at the end of the area is skipped if it is too small.
    char *allocate(size_t bytes) {
        uint64_t at = payload_end_;
        uint64_t offset = at % geometry_.payload_bytes;
        if (offset + bytes > geometry_.payload_bytes)
            at += geometry_.payload_bytes - offset;
        uint64_t end = at + align_up(bytes, 64);
        while (end - payload_taken_ > geometry_.payload_bytes)
            if (!refresh(std::memory_order_acquire)) // [ring-2]
                return nullptr;
        payload_end_ = end;
        return payloads_ + at % geometry_.payload_bytes;
    }

    std::atomic<uint32_t> written_{0}; // number of packets
    uint32_t taken_ = 0;               // number of packets, as last seen
    uint64_t payload_end_ = 0;
    uint64_t payload_taken_ = 0;
    std::unique_ptr<uint64_t[]> payload_ends_; // of the packets in the ring, by number
};

// The reader's end of a ring.
class RingReader : public RingMemory {
public:
    RingReader(void *memory, const RingGeometry &geometry) : RingMemory(memory, geometry) {}

    // Returns whether there is a packet. Any thread may call this. acquire [ring-1]
    bool has_packet(std::memory_order order = std::memory_order_acquire) const {
        uint32_t taken = taken_.load(std::memory_order_relaxed);
        return slot(taken).sequence.load(order) == taken + 1;
    }

    // Passes the next packet to take(head, header, payload); returns false if there is none.
    template <class Take>
    bool next(Take take) {
        if (!has_packet())
            return false;
        uint32_t taken = taken_.load(std::memory_order_relaxed);
        PacketSlot &slot = this->slot(taken);
        PacketHead head = slot.head;
        const char *payload = slot.data + align_up(head.header_bytes, 8);
        if (!fits_into_slot(head.header_bytes, head.payload_bytes)) {
            CHECK(slot.payload_at + size_t{head.payload_bytes} <= geometry_.payload_bytes);
            payload = payloads_ + slot.payload_at;
            payload_since_ += head.payload_bytes;
        }
        take(head, slot.data, payload);
        taken_.store(taken + 1, std::memory_order_relaxed);
        return true;
    }

    // Frees the slots that have been taken. Returns true if the writer waits for that.
    bool give_back() {
        uint32_t taken = taken_.load(std::memory_order_relaxed);
        if (taken - looked_ < geometry_.slots / 4 && payload_since_ < geometry_.payload_bytes / 4) {
            // release [ring-2]: the packets have been read
            control_->taken.store(taken, std::memory_order_release);
            return false;
        }
        looked_ = taken;
        payload_since_ = 0;
        control_->taken.store(taken, std::memory_order_seq_cst);     // [ring-2], [ring-3]
        if (!control_->writer_waits.load(std::memory_order_seq_cst)) // [ring-3]
            return false;
        control_->writer_waits.store(0, std::memory_order_relaxed);
        return true;
    }

private:
    // Written by the thread that takes in; other threads read it to look for packets.
    std::atomic<uint32_t> taken_{0};
    uint32_t looked_ = 0;      // value of taken_ at the last check whether the writer waits
    size_t payload_since_ = 0; // bytes since then
};

} // namespace thrum
