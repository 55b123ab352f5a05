// Non-blocking operations with a root to or from which data go: MPI_Ibcast, MPI_Igather(v),
// MPI_Iscatter(v) and their persistent forms (sections 6.12 and 6.13).
//
// A peer that comes after the root exchanges its block with it at once. One that comes before waits
// in its leaf's list; the root serves the lists when it comes. Of a small broadcast or scatter the
// root leaves a copy in the operation's scratch buffer and is done; of everything else it is done
// when the last peer has left.
#pragma once
#include "meeting/round.h"
#include "pending/forms.h"
#include "pending/request.h"

namespace thrum {

struct Transfer {
    Block from, to;
};

// In what the operations differ.
struct RootedSteps {
    bool gathers; // data go to the root
    // Between the root and the peer with this rank.
    Transfer (*transfer)(const Movement &root, const Movement &peer, int rank);
    // Leaves a copy of what the root sends in the scratch buffer, if it is small. nullptr: never.
    bool (*leave_copy)(CollectiveOperation &operation, const CollectiveRequest &root);
};

struct RootedForms : CollectiveForms {
    RootedSteps steps;
};

// Forms of such an operation, which must be RootedForms.
void begin_rooted(CollectiveOperation &operation, CollectiveRequest &request) MAY_SUSPEND;
void abstain_from_rooted(CollectiveOperation &operation, int member);

// A member sends more than there is room for at `peer`.
void set_truncated(CollectiveRequest &peer, int rank, size_t sent_bytes, size_t room_bytes);

// Of the blocking forms

inline uint64_t rooted_announcement(const Communicator &comm, Collective collective, int phase,
                                    int root) {
    // In an inter-communicator the ranks beside the root do not know which it is.
    return Announcement::make(collective, phase, 0, comm.inter ? -1 : root);
}

// The second round, in which the root waits until all have copied from its buffer.
Error stay(Communicator &comm, Collective collective, int root, Visit::Until until) MAY_SUSPEND;

// The error of a peer of another group in which nobody is the root.
Error no_root();

} // namespace thrum
