// The partition: the processing elements (PEs) of ACLMPL, which are the ranks of MPI_COMM_WORLD.
//
// Each PE has one request block for each other PE that it sends to, as in figure 1 of the ACLMPL
// paper: an array indexed by the receiver, so that a block has one sender and one receiver and
// needs no lock. The arrays come in pieces, made when first used.
#pragma once
#include "acl/async_pool.h"
#include "base/check.h"
#include "base/error.h"
#include "coll/meeting.h"
#include "comm/process.h"
#include "fiber/sanitizer.h"

#include <atomic>
#include <memory>
#include <new>

namespace thrum {

// Where sender and receiver of a synchronous message meet: 0, or the Offer of whoever has come
// first (synchronous.cc).
struct RequestBlock {
    std::atomic<uintptr_t> offer{0};
};

struct Partition;

// One processing element. Made by acl_begin(), freed when all have called acl_end().
struct ProcessingElement {
    ProcessingElement(Partition &its_partition, int its_address, Process &its_process);
    ~ProcessingElement();
    ProcessingElement(const ProcessingElement &) = delete;
    ProcessingElement &operator=(const ProcessingElement &) = delete;

    // The block of messages from here to `receiver`. Sender and receiver may make it at once.
    RequestBlock &block_to(int receiver) {
        auto place = static_cast<unsigned>(receiver);
        // acquire [block-1]: the piece is initialised; pairs with the release in make_blocks().
        RequestBlock *piece = pieces[place / blocks_per_piece].load(std::memory_order_acquire);
        if (!piece) [[unlikely]]
            piece = make_blocks(place / blocks_per_piece);
        return piece[place % blocks_per_piece];
    }

    // Working space of global operations: of at least `size_bytes` bytes, until the next call.
    char *scratch(size_t size_bytes);

    Partition &partition;
    Process &process;
    int address;
    bool began_mpi = false; // by acl_begin(): acl_end() finalizes it

    AsyncPool async;

private:
    static constexpr unsigned blocks_per_piece = 64;
    RequestBlock *make_blocks(unsigned piece);
    unsigned piece_count() const;

    std::unique_ptr<std::atomic<RequestBlock *>[]> pieces;
    char *scratch_ = nullptr;
    size_t scratch_bytes_ = 0;
};

struct Partition {
    int size = 0;
    std::atomic<int> members{0}; // who have not ended; the last one frees it
    std::unique_ptr<std::unique_ptr<ProcessingElement>[]> elements; // by address

    // The one place where a PE is looked up: those of other node processes would be told here.
    ProcessingElement &element(int address) { return *elements[static_cast<unsigned>(address)]; }
};

// How the meetings of acl_begin() and acl_end() announce themselves: behind the collective
// operations of MPI (coll/meeting.h), as their names are in coll/disagreement.cc.
constexpr Collective after_those_of_meeting_h(int place) {
    return static_cast<Collective>(static_cast<int>(Collective::FileWriteOrderedBegin) + place);
}

inline constexpr Collective collective_begin = after_those_of_meeting_h(1);
inline constexpr Collective collective_end = after_those_of_meeting_h(2);

// acl_begin() and acl_end(), collective over MPI_COMM_WORLD. MPI has been initialised.
Error begin_partition(Process &process, bool began_mpi) MAY_SUSPEND;
Error end_partition(ProcessingElement &self) MAY_SUSPEND;

// The PE of a process; nullptr outside acl_begin() ... acl_end().
ProcessingElement *element_of(const Process &process);

// The PE of the thread that has called acl_begin().
extern constinit thread_local ProcessingElement *element_of_thread;

// The caller's PE; nullptr outside acl_begin() ... acl_end().
inline ProcessingElement *current_element() {
    if constexpr (sanitizer::own_thread_blocks) // else fibers share their worker's thread-locals
        if (element_of_thread) [[likely]]
            return element_of_thread;
    return element_of(current_process());
}

// Errors of arguments. `name`: what the caller calls the address.
[[gnu::cold]] Error no_such_address(const ProcessingElement &self, const char *name, int address);

inline Error check_address(const ProcessingElement &self, const char *name, int address) {
    if (static_cast<unsigned>(address) < static_cast<unsigned>(self.partition.size)) [[likely]]
        return success;
    return no_such_address(self, name, address);
}

} // namespace thrum
