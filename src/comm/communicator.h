// Communicator (MPI 5.0 chapter 7). Every rank has an object of its own for each communicator that it
// is in; the Context is what these objects share.
#pragma once
#include "comm/group.h"
#include "mpi.h"

#include <atomic>
#include <cstdint>

namespace thrum {

using Communicator = struct ::MPI_ABI_Comm;
using Errhandler = struct ::MPI_ABI_Errhandler;
using Info = struct ::MPI_ABI_Info;
struct Attributes; // comm/attributes.h
struct Meeting;    // coll/meeting.h
struct Process;    // comm/process.h
struct Topology;   // comm/topology.h

// What all members of a communicator share in this process.
struct Context {
    uint32_t id = 0;             // context id of point-to-point messages
    std::atomic<int> members{0}; // objects that refer to it; the last one frees it
    Meeting *meeting = nullptr;  // where collective operations meet; made with the context
};

} // namespace thrum

struct MPI_ABI_Comm {
    thrum::Process *process = nullptr; // whose object this is
    thrum::Context *context = nullptr;
    thrum::Group *group = nullptr;        // the local group
    thrum::Group *remote_group = nullptr; // inter-communicators: the other; else equal to `group`
    int rank = 0;                         // in `group`
    int size = 0;
    int remote_size = 0; // of remote_group: the valid ranks of dest and source
    bool inter = false;
    // Inter-communicators: which of the two groups ours is (0 or 1), the same at all its members.
    int side = 0;
    thrum::Errhandler *errhandler = nullptr;
    thrum::Attributes *attributes = nullptr;
    thrum::Info *info = nullptr; // hints; nullptr: none
    thrum::Topology *topology = nullptr;
    char name[MPI_MAX_OBJECT_NAME] = "";
    std::atomic<int> references{1}; // the handle and each pending operation

    // The process with which rank `peer` of a point-to-point operation is meant.
    thrum::Process &peer(int peer_rank) const { return (*remote_group)[peer_rank]; }
};

namespace thrum {

Communicator *find_communicator(MPI_Comm handle); // of the calling rank; nullptr if invalid
void retain(Communicator &comm);
void release(Communicator &comm); // frees the object with the last reference

// A new object for `process`, member `rank` of `group`. Takes a reference to each group, and one
// of the context's members. Inherits nothing: errhandler is MPI_ERRORS_ARE_FATAL.
Communicator *new_communicator(Process &process, Context &context, Group &group, int rank,
                               Group *remote_group = nullptr, int side = 0);

// A context id that no other communicator of this process has. Ids are even; id + 1 is for messages
// that the library itself sends on the communicator.
uint32_t new_context_id();

} // namespace thrum
