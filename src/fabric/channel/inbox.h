// Inbox: a process's queue for packets of processes that rarely send to it (SX-4 paper, section
// 9.1). It has many writers, one after the other under a lock, and one reader without a lock.
//
// Invariants
// 1. `written` and `taken` count bytes and never decrease; [taken, written) holds whole records,
//    each contiguous, in the order of their writers' turns at the lock.
// 2. A writer that dies while it holds the lock has changed nothing visible, because `written` is
// 3. A writer without room sets its bit; the reader notifies it when it has taken something.
// 3. A writer without room sets its bit; the reader notifies it once it has taken something.
#pragma once
#include "base/bytes.h"
#include "base/spinlock.h"
#include "fabric/packet/packet.h"

#include <atomic>

namespace thrum {

// The head of a record; header and payload follow.
struct InboxRecord {
    uint32_t bytes;     // of the whole record
    NodeProcess source; // the sender, or filler
    PacketHead head;
    Channel channel;
    bool opens_ring; // not a packet: the header holds the number of the sender's ring
    static constexpr NodeProcess filler{};
};

inline constexpr size_t inbox_record_head_bytes = 24;
static_assert(sizeof(InboxRecord) <= inbox_record_head_bytes);

// In shared memory, zero at first. Positions are byte counts; the place is the remainder.
struct Inbox {
    static constexpr size_t data_bytes = 64 << 10;
    static constexpr size_t piece_bytes_max = 16 << 10;
    static constexpr int waiting_words = 16;

    alignas(64) std::atomic<uint32_t> lock;    // 1 + number of the process that holds it; 0: free
    alignas(64) std::atomic<uint64_t> written; // written under the lock; the reader reads it
    alignas(64) std::atomic<uint64_t> taken;   // written by the reader; writers read it
    alignas(64) std::atomic<uint32_t> somebody_waits;
    std::atomic<uint64_t> waiting[waiting_words]; // bit: process number modulo number of processes
    alignas(64) char data[data_bytes];

    // Appends a record. Returns false, with `taken_seen` for wait_for_room(), if there is no room.
    // [inbox-1] publishes it.
    bool try_put(const InboxRecord &record, const Packet &packet, uint64_t &taken_seen) {
        size_t header_bytes = align_up(packet.head.header_bytes, 8);
        size_t bytes =
            align_up(inbox_record_head_bytes + header_bytes + packet.head.payload_bytes, 64);
        uint64_t at = written.load(std::memory_order_relaxed);
        size_t offset = at % data_bytes;
        size_t passed_over = offset + bytes > data_bytes ? data_bytes - offset : 0;
        // acquire [inbox-2]: the reader has finished with it.
        taken_seen = taken.load(std::memory_order_acquire);
        if (at + passed_over + bytes - taken_seen > data_bytes)
            return false;
        if (passed_over) {
            *record_at(at) = {static_cast<uint32_t>(passed_over), InboxRecord::filler, {}, {}, {}};
            at += passed_over;
        }
        InboxRecord *out = record_at(at);
        *out = record;
        out->bytes = static_cast<uint32_t>(bytes);
        out->head = packet.head;
        char *header = reinterpret_cast<char *>(out) + inbox_record_head_bytes;
        copy_bytes(header, packet.header, packet.head.header_bytes);
        packet.payload.copy_to(header + header_bytes);
        // seq_cst [inbox-1]: publishes the record, and the writer then looks whether the reader
        // sleeps: [attention-1].
        written.store(at + bytes, std::memory_order_seq_cst);
        return true;
    }

    // Asks the reader to notify this process, after try_put() has failed. Returns false if
    // something has been taken meanwhile: then it must try again, as a reader that has taken
    // everything notifies only about what it takes later.
    bool wait_for_room(NodeProcess process, uint64_t taken_seen) {
        auto number = static_cast<unsigned>(process.number()) % (64 * waiting_words);
        // seq_cst [inbox-3], all three: either the reader sees this, or this process sees what it
        // has taken.
        waiting[number / 64].fetch_or(uint64_t{1} << number % 64, std::memory_order_seq_cst);
        somebody_waits.store(1, std::memory_order_seq_cst);         // [inbox-3]
        return taken.load(std::memory_order_seq_cst) == taken_seen; // [inbox-3]
    }

    // For the reader: passes the next record, at position `at`, to take(record, header, payload).
    template <class Take>
    bool next(uint64_t &at, Take take) {
        if (written.load(std::memory_order_acquire) == at) // acquire [inbox-1]
            return false;
        InboxRecord record = *record_at(at);
        const char *header =
            reinterpret_cast<const char *>(record_at(at)) + inbox_record_head_bytes;
        if (record.source != InboxRecord::filler)
            take(record, header, header + align_up(record.head.header_bytes, 8));
        at += record.bytes;
        return true;
    }

    // For the reader: frees what has been taken, and calls tell(number) for processes that waited
    // for room.
    template <class Tell>
    void give_back(uint64_t at, Tell tell) {
        taken.store(at, std::memory_order_seq_cst);          // [inbox-2], [inbox-3]
        if (!somebody_waits.load(std::memory_order_seq_cst)) // [inbox-3]
            return;
        // seq_cst [inbox-3]: a writer whose bit is not seen below sets the word again.
        somebody_waits.store(0, std::memory_order_seq_cst);
        for (int word = 0; word < waiting_words; ++word)
            // [inbox-3]
            for (uint64_t bits = waiting[word].exchange(0, std::memory_order_seq_cst); bits;
                 bits &= bits - 1)
                tell(64 * word + __builtin_ctzll(bits));
    }

private:
    InboxRecord *record_at(uint64_t at) {
        return reinterpret_cast<InboxRecord *>(data + at % data_bytes);
    }
};

} // namespace thrum
