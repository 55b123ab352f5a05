// Meeting: where the members of a communicator meet for collective operations. Collectives inside a
// process are not made of messages: members publish addresses, meet, and read each other's buffers.
//
// Members: of an intra-communicator its ranks; of an inter-communicator the ranks of side 0, then
// those of side 1. All members go through the same sequence of calls (section 6.1), which is all
// the synchronisation that a Meeting needs. coll/round.h has its inside.
#pragma once
#include "base/error.h"
#include "comm/communicator.h"
#include "fiber/task.h"
#include "trace/recorder.h"

namespace thrum {

// What a member says it is doing, so that members that do different things are found out.
enum class Collective : uint8_t {
    None,
    Communicator, // making one
    CartCreate,
    CartSub,
    GraphCreate,
    DistGraphCreate,
    DistGraphCreateAdjacent,
    Barrier,
    Bcast,
    Gather,
    Gatherv,
    Scatter,
    Scatterv,
    Allgather,
    Allgatherv,
    Alltoall,
    Alltoallv,
    Alltoallw,
    Reduce,
    Allreduce,
    ReduceScatter,
    ReduceScatterBlock,
    Scan,
    Exscan,
    WindowCreation, // chapter 12
    WindowFence,
    WindowEnd,
    FileOpen, // from here to FileWriteOrderedBegin: of files
    FileClose,
    FileSetView,
    FileSetSize,
    FilePreallocate,
    FileSetInfo,
    FileSetAtomicity,
    FileSync,
    FileSeekShared,
    FileReadAll, // also ..._at_all
    FileReadOrdered,
    FileWriteAll,
    FileWriteOrdered,
    FileReadAllBegin,
    FileReadAtAllBegin,
    FileReadOrderedBegin,
    FileWriteAllBegin,
    FileWriteAtAllBegin,
    FileWriteOrderedBegin,
    // The layer acl has the two before.
    ContextId = FileWriteOrderedBegin + 3, // of a duplicate that spans node processes
};

// Of a persistent operation its starts, and its initialisations, are matched by themselves.
enum CallForm : int { BlockingForm, NonblockingForm, InitForm, PersistentForm };

const char *collective_name(Collective collective,
                            CallForm form = BlockingForm); // "MPI_Bcast", "MPI_Ibcast"

// Made by one rank, for `members` members; freed with the context.
Meeting *new_meeting(int members);
void delete_meeting(Meeting *meeting);

// Number of the calling rank among the members, and of member `rank` of side `side`.
inline int member_of(const Communicator &comm, int side, int rank) {
    if (!comm.inter || side == 0)
        return rank;
    return rank + (comm.side == 0 ? comm.size : comm.remote_size);
}

inline int member_of(const Communicator &comm) {
    return member_of(comm, comm.side, comm.rank);
}

inline int member_count(const Communicator &comm) {
    return comm.inter ? comm.size + comm.remote_size : comm.size;
}

// Publishes `argument` (an address on the caller's stack, say) and waits until all members have
// come. Afterwards argument_of() gives every member's, until this member's next meet() returns:
// whoever publishes memory must meet once more before giving it up. An error (nobody's argument may
// be used then) says that some member has called another collective operation. Of a communicator
// that spans node processes the members come together, but nobody sees another's argument:
// coll/spanning.h, exchange_together().
Error meet(Communicator &comm, const void *argument,
           Collective collective = Collective::Communicator) MAY_SUSPEND;
const void *argument_of(const Communicator &comm, int member);

// For tools: the calling rank begins a collective operation.
[[gnu::cold]] void record_collective(const Communicator &comm);

inline void count_collective(const Communicator &comm) {
    if (somebody_listens()) [[unlikely]]
        record_collective(comm);
}

} // namespace thrum
