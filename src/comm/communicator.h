// Communicator (MPI 5.0 chapter 7). Every rank has an object of its own for each communicator that
// it is in; the Context is what these objects share.
#pragma once
#include "base/spinlock.h"
#include "comm/group.h"
#include "mpi.h"

#include <atomic>
#include <cstdint>

namespace thrum {

using Communicator = struct ::MPI_ABI_Comm;
using Errhandler = struct ::MPI_ABI_Errhandler;
using Info = struct ::MPI_ABI_Info;
struct AttachedBuffer;    // pt2pt/buffered.h
struct Attributes;        // comm/attributes.h
struct Duplicates;        // comm/duplicates.h
struct Meeting;           // meeting/meeting.h
struct Process;           // comm/process.h
struct ProcessMap;        // comm/span.h
struct Topology;          // comm/topology.h
struct UnmatchedChannels; // pt2pt/partitioned.cc

// What all members of a communicator share in this process.
struct Context {
    uint32_t id = 0;             // context id of point-to-point messages
    std::atomic<int> members{0}; // objects that will refer to it or do; the last one frees it
    // Where collective operations meet; made with the context, or if it has one member when needed.
    Meeting *meeting = nullptr;

    SpinLock duplicates_lock;         // guards what follows
    Duplicates *duplicates = nullptr; // not yet asked for by all members; made when first needed

    SpinLock unmatched_lock;                // guards what follows
    UnmatchedChannels *unmatched = nullptr; // partitioned communication; made when first needed

    ProcessMap *span = nullptr; // its members are in several node processes; else nullptr
};

} // namespace thrum

struct MPI_ABI_Comm {
    static constexpr uint32_t magic_live = 0x636f6d6d;
    uint32_t magic = magic_live;
    int rank = 0; // in `group`
    int size = 0;
    int remote_size = 0; // of remote_group: the valid ranks of dest and source
    bool inter = false;
    // Inter-communicators: which of the two groups ours is (0 or 1), the same at all its members.
    int side = 0;
    thrum::Process *process = nullptr; // whose object this is
    thrum::Context *context = nullptr;
    thrum::Group *group = nullptr;        // the local group
    thrum::Group *remote_group = nullptr; // inter-communicators: the other; else equal to `group`
    thrum::Errhandler *errhandler = nullptr;
    thrum::Attributes *attributes = nullptr;
    thrum::Info *info = nullptr; // hints; nullptr: none
    thrum::Topology *topology = nullptr;
    thrum::AttachedBuffer *attached = nullptr; // MPI_Comm_attach_buffer
    // From which it was derived (section 11.3); nullptr: from the World Model. Kept, but it may
    // have been finalized.
    thrum::Session *session = nullptr;
    char name[MPI_MAX_OBJECT_NAME] = "";
    std::atomic<int> references{1}; // the handle and each pending operation
    uint32_t duplicates_made = 0;   // by this member, of this communicator
    // Neighbourhood collectives called by this member, which number their messages
    // (coll/neighbor.cc): persistent ones may be started in any order, hence count apart.
    uint32_t neighbor_operations = 0;
    uint32_t persistent_neighbor_operations = 0;
    uint32_t spanning_operations = 0; // collective ones of this member, if it spans processes
    int meeting_member = 0; // its number among those who meet in this process (meeting/meeting.h)

    // The process with which rank `peer` of a point-to-point operation is meant.
    inline thrum::Process &peer(int peer_rank) const; // comm/process.h
};

namespace thrum {

// find_communicator(handle) is in comm/process.h.
void retain(Communicator &comm);
void release(Communicator &comm); // frees the object with the last reference

// A new object for `process`, member `rank` of `group`. Takes a reference to each group, and one
// of the context's members. Inherits nothing: errhandler is MPI_ERRORS_ARE_FATAL.
Communicator *new_communicator(Process &process, Context &context, Group &group, int rank,
                               Group *remote_group = nullptr, int side = 0);
// Says that `comm` is derived from `session` (nullptr: from none).
void set_session(Communicator &comm, Session *session);

// A context for `members` objects: each new_communicator() takes one of them, each object's end
// gives it up. Has a context id of its own and a meeting (if the layer meeting is linked).
Context *new_context(int members);
// The same with a context id that is given (comm/span.h).
Context *new_context_with(uint32_t id, int members);
// Gives up `members` objects that were never made.
void abandon(Context &context, int members);

// A context id that no other communicator of this process has. Ids are even; id + 1 is for messages
// that the library itself sends on the communicator. Their tags: from library_tag_neighbor on those
// of neighbourhood collectives.
inline constexpr int library_tag_neighbor = 1 << 30;
uint32_t new_context_id();

// How meetings are made and freed: the layer meeting says so in a constructor of its own (with
// [[gnu::constructor]], before any context is made). Both nullptr in tests that link no coll.
struct MeetingFunctions {
    Meeting *(*make)(int members) = nullptr;
    void (*free)(Meeting *meeting) = nullptr;
};

void set_meeting_functions(const MeetingFunctions &functions);

// What becomes of a communicator's attached buffer at its end: the layer pt2pt says so, likewise.
void set_orphan_buffer_function(void (*function)(AttachedBuffer &buffer));
// How a context's unmatched partitioned operations are freed, likewise.
void set_unmatched_channels_function(void (*function)(UnmatchedChannels *unmatched));

} // namespace thrum
