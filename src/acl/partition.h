// The partition: the processing elements (PEs) of ACLMPL, which are the ranks of MPI_COMM_WORLD.
// Their addresses are the ranks.
//
// Each PE has one request block for each other PE that it sends to, as in figure 1 of the ACLMPL
// paper: an array indexed by the receiver, so that a block has one sender and one receiver and
// needs no lock. For PEs of other node processes it has a RemotePeer instead (remote_peer.h).
#pragma once
#include "acl/async_pool.h"
#include "acl/piece_array.h"
#include "acl/remote_peer.h"
#include "base/check.h"
#include "base/error.h"
#include "comm/group.h"
#include "comm/process.h"
#include "fiber/sanitizer.h"
#include "meeting/collective.h"

#include <atomic>
#include <memory>

namespace thrum {

// Where sender and receiver of a synchronous message meet: 0, or the Offer of the first of the two
// (synchronous.cc).
struct RequestBlock {
    std::atomic<uintptr_t> offer{0};
};

struct Partition;

// One processing element, from acl_begin() to acl_end(). Other ranks access `blocks` and `async`.
struct ProcessingElement {
    ProcessingElement(Partition &its_partition, int its_address, Process &its_process);
    ~ProcessingElement();
    ProcessingElement(const ProcessingElement &) = delete;
    ProcessingElement &operator=(const ProcessingElement &) = delete;

    // Returns the block of messages from here to `receiver`. Sender and receiver may both be the
    // first to ask for it.
    RequestBlock &block_to(int receiver) { return blocks[static_cast<unsigned>(receiver)]; }

    // Returns working space of at least `size_bytes` bytes, valid until the next call.
    char *scratch(size_t size_bytes);

    Partition &partition;
    Process &process;
    int address;            // rank in MPI_COMM_WORLD
    bool began_mpi = false; // by acl_begin(): acl_end() finalizes it

    PieceArray<RequestBlock> blocks;               // by address of the receiver
    std::unique_ptr<PieceArray<RemotePeer>> peers; // by address; if the partition spans processes
    AsyncPool async;                               // asynchronous messages to this PE

private:
    char *scratch_ = nullptr;
    size_t scratch_bytes_ = 0;
};

// A partition, as one node process knows it. Made by acl_begin(), freed by the last PE here.
struct Partition {
    Partition(const Communicator &world, int members_here);

    int size;                 // PEs, in all processes
    bool spans;               // some PEs are in other node processes
    std::atomic<int> members; // PEs here that have not ended; the last one frees this
    const Group &group;       // of MPI_COMM_WORLD: the processes of the PEs
    std::unique_ptr<std::unique_ptr<ProcessingElement>[]>
        elements; // by address; nullptr: elsewhere

    // For acl_end(): complete when every other process has announced that it sends nothing more.
    Completion silent;
    WaitGroup silences;

    // Returns whether the PE is in this process.
    bool is_here(int address) const {
        return !spans || elements[static_cast<unsigned>(address)] != nullptr;
    }

    // Returns a PE that is here.
    ProcessingElement &element(int address) { return *elements[static_cast<unsigned>(address)]; }

    // Returns the number in the job of a PE.
    int world_rank(int address) const { return group[address].number; }
};

// The meetings of acl_begin() and acl_end() announce themselves by values behind the collective
// operations of MPI (meeting/collective.h); their names are in meeting/collective.cc.
constexpr Collective after_those_of_meeting_h(int place) {
    return static_cast<Collective>(static_cast<int>(Collective::FileWriteOrderedBegin) + place);
}

inline constexpr Collective collective_begin = after_those_of_meeting_h(1);
inline constexpr Collective collective_end = after_those_of_meeting_h(2);

// acl_begin() and acl_end(), collective over MPI_COMM_WORLD. MPI has been initialised. After
// end_partition() the PE is freed, also if there is an error.
Error begin_partition(Process &process, bool began_mpi) MAY_SUSPEND;
Error end_partition(ProcessingElement &self) MAY_SUSPEND;

// Returns the PE of a process; nullptr outside acl_begin() ... acl_end().
ProcessingElement *element_of(const Process &process);

// The PE of the thread that has called acl_begin(): saves the look-up.
extern constinit thread_local ProcessingElement *element_of_thread;

// Returns the caller's PE; nullptr outside acl_begin() ... acl_end().
inline ProcessingElement *current_element() {
    if constexpr (sanitizer::own_thread_blocks) // else fibers share their worker's thread-locals
        if (element_of_thread) [[likely]]
            return element_of_thread;
    return element_of(current_process());
}

// Check an address. `name` is the argument's name in the caller.
[[gnu::cold]] Error no_such_address(const ProcessingElement &self, const char *name, int address);

inline Error check_address(const ProcessingElement &self, const char *name, int address) {
    if (static_cast<unsigned>(address) < static_cast<unsigned>(self.partition.size)) [[likely]]
        return success;
    return no_such_address(self, name, address);
}

} // namespace thrum
