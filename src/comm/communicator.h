// Communicator (MPI 5.0 chapter 7). Every rank has its own object for each communicator that it
// belongs to. What these objects share is the Context.
#pragma once
#include "base/spinlock.h"
#include "comm/context.h"
#include "mpi.h"

#include <atomic>
#include <cstdint>

namespace thrum {

using Communicator = struct ::MPI_ABI_Comm;
using Group = struct ::MPI_ABI_Group;
using Session = struct ::MPI_ABI_Session; // comm/session.h
using Errhandler = struct ::MPI_ABI_Errhandler;
using Info = struct ::MPI_ABI_Info;
struct Attributes; // comm/attributes.h
struct Process;    // comm/process.h
struct Topology;   // comm/topology.h

} // namespace thrum

// One rank's object for a communicator. Only this rank writes it, except for `references`.
struct MPI_ABI_Comm {
    static constexpr uint32_t magic_live = 0x636f6d6d;
    uint32_t magic = magic_live;
    int rank = 0;        // rank in `group`
    int size = 0;        // of `group`
    int remote_size = 0; // size of remote_group: the valid ranks of dest and source
    bool inter = false;
    // Inter-communicators: which of the two groups is the local one (0 or 1), the same at all its
    // members.
    int side = 0;
    thrum::Process *process = nullptr; // the process that owns this object
    thrum::Context *context = nullptr; // shared by all members, each of which counts in it
    thrum::Group *group = nullptr;     // the local group; holds a reference
    // inter-communicators: the other group; else equal to `group`
    thrum::Group *remote_group = nullptr;
    thrum::Errhandler *errhandler = nullptr; // holds a reference
    thrum::Attributes *attributes = nullptr; // nullptr: none
    thrum::Info *info = nullptr;             // hints; nullptr: none
    thrum::Topology *topology = nullptr;     // holds a reference; nullptr: none
    // The session that it was derived from (section 11.3); nullptr: the World Model. Kept alive,
    // but it may have been finalized.
    thrum::Session *session = nullptr;
    char name[MPI_MAX_OBJECT_NAME] = "";
    std::atomic<int> references{1}; // the handle, and each pending operation
    uint32_t duplicates_made = 0;   // by this member: the number of its next duplicate
    // Neighbourhood collectives called by this member, which number their messages
    // (coll/neighbor.cc). Persistent ones count separately, because they may be started in any
    // order.
    uint32_t neighbor_operations = 0;
    uint32_t persistent_neighbor_operations = 0;
    // What this member has called, if the communicator spans processes (comm/blocking_calls.h).
    uint32_t spanning_operations = 0;
    // Where one of this member's threads calls the blocking collective operation that it is in;
    // nullptr: none, or threads are not checked (entry/thread_level.h).
    std::atomic<const void *> collective_site{nullptr};
    int meeting_member = 0; // its number among the members in this process (meeting/meeting.h)
    static constexpr int extensions_max = 1;
    thrum::Extensions<MPI_ABI_Comm, extensions_max> extensions; // of layers above

    // Returns the process that rank `peer_rank` of a point-to-point operation denotes: in an
    // inter-communicator, a member of the other group.
    inline thrum::Process &peer(int peer_rank) const; // comm/group.h
};

namespace thrum {

// Adds a reference. find_communicator(handle) is in comm/process.h, release() in
// comm/communicator_lifecycle.h.
inline void retain(Communicator &comm) {
    comm.references.fetch_add(1, std::memory_order_relaxed);
}

} // namespace thrum
