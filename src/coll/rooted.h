// Non-blocking operations that move data to or from a root: MPI_Ibcast, MPI_Igather(v),
// MPI_Iscatter(v) and their persistent forms (sections 6.12 and 6.13).
//
// A peer that arrives after the root exchanges its block with it at once. One that arrives before
// waits in its leaf's list, and the root serves the lists when it arrives. For a small broadcast or
// scatter the root leaves a copy in the operation's scratch buffer and is done. Otherwise it is
// done when the last peer has left.
#pragma once
#include "meeting/round.h"
#include "pending/forms.h"
#include "pending/request.h"

namespace thrum {

// One copy between the root and a peer, in either direction.
struct Transfer {
    Block from, to;
};

// The steps in which these operations differ.
struct RootedSteps {
    bool gathers; // data go to the root
    // Returns the transfer between the root and the peer with this rank.
    Transfer (*transfer)(const Movement &root, const Movement &peer, int rank);
    // Leaves a copy of what the root sends in the scratch buffer, and returns true, if it is small.
    // nullptr: never.
    bool (*leave_copy)(CollectiveOperation &operation, const CollectiveRequest &root);
};

// The forms of an operation with a root, and the steps by which they are done.
struct RootedForms : CollectiveForms {
    RootedSteps steps;
};

// The common forms of these operations: a member begins, or abstains. `operation.forms` must be
// RootedForms.
void begin_rooted(CollectiveOperation &operation, CollectiveRequest &request) MAY_SUSPEND;
void abstain_from_rooted(CollectiveOperation &operation, int member);

// Compares the type and the amount of what a peer has taken from the scratch buffer.
void check_taken(CollectiveRequest &peer, size_t sent_bytes, const Block &to);
// Records that a member sends more than `peer` has room for.
void set_truncated(CollectiveRequest &peer, int rank, size_t sent_bytes, size_t room_bytes);

// The blocking forms.

inline uint64_t rooted_announcement(const Communicator &comm, Collective collective, int phase,
                                    int root) {
    // In an inter-communicator the other ranks of the root's group do not know its rank.
    return Announcement::make(collective, phase, 0, comm.inter ? -1 : root);
}

// Runs the second round, in which the root waits until all have copied.
Error stay(Communicator &comm, Collective collective, int root,
           Attendance::Until until) MAY_SUSPEND;

// Returns the error of a peer if no rank of the other group is the root.
Error no_root();

} // namespace thrum
