// JointCopy: a large copy from one process's memory to another's, which both make together, piece
// by piece. A system call that copies between processes spends most of its time looking up pages,
// so two cores need half the time. The record is in the segment of the process that has the data,
// the *owner*. The other one, the *reader*, asks for help there and begins at once. If the owner
// looks in time, it takes pieces, too; if it computes, the reader makes the whole copy.
//
//   Free --> Readers --> Open <--> Helping --> Awaited --> Done --> Free
//     ^         ^          |
//     +---------+----------+
//
// The owner writes Helping, the Open after it, and Done; the reader writes all others.
//
// Invariants
// 1. Each piece is claimed by one of the two, by `next`.
// 2. The owner writes only while the state is Helping or Awaited; then the reader does not report
//    its buffer as complete.
#pragma once
#include "base/node_process.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <sys/types.h>

namespace thrum {

// The states of the diagram above.
enum class JointCopyState : uint32_t { Free, Readers, Open, Helping, Awaited, Done };

struct JointCopy {
    static constexpr size_t least_bytes = 128 << 10; // smaller copies are not worth it
    static constexpr size_t most_piece_bytes = 512 << 10;

    alignas(64) std::atomic<JointCopyState> state;
    NodeProcess reader; // written by the reader before Open, like the next three
    uint64_t from;      // address in the owner
    uint64_t into;      // address in the reader
    uint64_t bytes;
    std::atomic<uint32_t> owner_failed; // to copy the pieces that it had claimed
    alignas(64) std::atomic<uint64_t> next;

    // For the reader: opens the copy. Returns false if another reader uses it.
    bool open(NodeProcess the_reader, uint64_t the_from, uint64_t the_into, uint64_t the_bytes) {
        JointCopyState expected = JointCopyState::Free;
        // acquire [joint-1]: the last owner and reader have left it.
        if (!state.compare_exchange_strong(expected, JointCopyState::Readers,
                                           std::memory_order_acquire, std::memory_order_relaxed))
            return false;
        reader = the_reader;
        from = the_from;
        into = the_into;
        bytes = the_bytes;
        owner_failed.store(0, std::memory_order_relaxed);
        next.store(0, std::memory_order_relaxed);
        state.store(JointCopyState::Open, std::memory_order_release); // release [joint-2]
        return true;
    }

    // For the reader: closes the copy once everything is claimed. Returns true if the owner is not
    // helping; otherwise it will report Done.
    bool close() {
        for (;;) {
            JointCopyState expected = JointCopyState::Open;
            // acquire [joint-3]: what the owner has copied.
            if (state.compare_exchange_strong(expected, JointCopyState::Readers,
                                              std::memory_order_acquire, std::memory_order_relaxed))
                return true;
            expected = JointCopyState::Helping;
            if (state.compare_exchange_strong(expected, JointCopyState::Awaited,
                                              std::memory_order_relaxed, std::memory_order_relaxed))
                return false;
        }
    }

    // Returns whether owner and reader may be using it. If the reader has died, another one may
    // replace it.
    bool is_begun() const {
        // acquire [joint-2]: the reader.
        const JointCopyState now = state.load(std::memory_order_acquire);
        return now != JointCopyState::Free && now != JointCopyState::Readers;
    }

    // acquire [joint-3]
    bool is_done() const { return state.load(std::memory_order_acquire) == JointCopyState::Done; }

    // Frees it for reuse, after close() or is_done(). Returns false if the owner has failed to copy
    // the pieces that it had claimed.
    bool leave() {
        const bool ok = !owner_failed.load(std::memory_order_relaxed);
        state.store(JointCopyState::Free, std::memory_order_release); // release [joint-1]
        return ok;
    }

    // For the owner: begins to help. Returns false if there is nothing to do.
    bool begin_to_help() {
        JointCopyState expected = JointCopyState::Open;
        return state.load(std::memory_order_relaxed) == expected &&
               state.compare_exchange_strong(expected, JointCopyState::Helping,
                                             std::memory_order_acquire, // [joint-2]
                                             std::memory_order_relaxed);
    }

    // For the owner: returns true if the reader waits to be notified.
    bool end_help() {
        JointCopyState expected = JointCopyState::Helping;
        if (state.compare_exchange_strong(expected, JointCopyState::Open, // release [joint-3]
                                          std::memory_order_release, std::memory_order_relaxed))
            return false;
        state.store(JointCopyState::Done, std::memory_order_release); // release [joint-3]
        return true;
    }

    // Calls copy(offset, bytes) for the pieces that this process gets, until it returns false. Each
    // piece is half of the rest: few calls, but the last ones end at about the same time.
    template <class Copy>
    bool copy_pieces(Copy copy) {
        const uint64_t least_piece = std::min<uint64_t>(bytes / 2, least_bytes);
        for (uint64_t at = next.load(std::memory_order_relaxed); at < bytes;) {
            const uint64_t left = bytes - at;
            const uint64_t piece =
                std::min(left, std::clamp<uint64_t>(left / 2, least_piece, most_piece_bytes));
            if (!next.compare_exchange_weak(at, at + piece, std::memory_order_relaxed))
                continue;
            if (!copy(at, piece))
                return false;
            at = next.load(std::memory_order_relaxed);
        }
        return true;
    }
};

} // namespace thrum
