// CollectiveCall: one member's checked arguments of a collective operation, in one value that can
// be kept for a non-blocking or persistent operation.
#pragma once
#include "datatype/op.h"
#include "meeting/announcement.h"
#include "meeting/blocks.h"
#include "meeting/meeting.h"

#include <algorithm>
#include <new>

namespace thrum {

// The data of an operation that moves data. Where the blocking form takes one Block, it is block 0.
struct Movement {
    Blocks send;    // none: MPI_IN_PLACE, or nothing to send at this rank
    Blocks receive; // none: nothing to receive at this rank, or a root's MPI_IN_PLACE
};

// A rank's part of the result of MPI_Reduce_scatter(_block), whose count is the sum of all ranks'
// receive counts: this rank receives elements [first, first + count).
struct Share {
    Count first;
    Count count;
    int hash = -1; // of all ranks' receive counts; -1: they are not compared
};

// What a member of a reduction publishes: its buffers. Others read `send` and, in some algorithms,
// `receive`.
struct Contribution {
    const char *send;
    char *receive;
    Count count;
    size_t size_bytes; // bytes of data in `send`
    const Datatype *type;
};

// The arguments of a reduction.
struct Reduction {
    Contribution mine;
    const Op *op;
    Share share; // MPI_Reduce_scatter(_block): the part that this rank receives
};

// Builds a Contribution. `send` equals `receive` for MPI_IN_PLACE; `receive` is nullptr where
// nothing is received.
inline Reduction reduction_of(const void *send, void *receive, Count count, const Datatype &type,
                              const Op &op, Share share = {}) {
    const Contribution mine{static_cast<const char *>(send), static_cast<char *>(receive), count,
                            data_bytes(count, type), &type};
    return {mine, &op, share};
}

constexpr bool is_reduction(Collective collective) {
    return collective >= Collective::Reduce && collective <= Collective::Exscan;
}

static_assert(!is_reduction(Collective::Alltoallw) && is_reduction(Collective::ReduceScatter) &&
              is_reduction(Collective::Scan));

// A member's arguments. Trivially copied: it owns nothing that they name.
struct CollectiveCall {
    Collective collective;
    int root; // as passed by the caller of MPI; -1 for operations without a root

    union { // selected by is_reduction(collective); a barrier has neither
        Movement movement;
        Reduction reduction;
    };

    // A call without data: of a barrier, or of a reduction whose arguments are filled in later.
    explicit CollectiveCall(Collective name, int root_argument = -1)
        : collective(name), root(root_argument) {
        if (name != Collective::Barrier && !is_reduction(name))
            new (&movement) Movement;
    }

    CollectiveCall(Collective name, int root_argument, const Blocks &send, const Blocks &receive)
        : collective(name), root(root_argument), movement{send, receive} {}

    CollectiveCall(Collective name, int root_argument, const Reduction &vector)
        : collective(name), root(root_argument), reduction(vector) {}
};

// Returns the part of a reduction's result that the caller receives.
inline Share share_of(const CollectiveCall &call) {
    const bool is_shared_out = call.collective == Collective::ReduceScatter ||
                               call.collective == Collective::ReduceScatterBlock;
    return is_shared_out ? call.reduction.share : Share{0, call.reduction.mine.count};
}

// Returns whether everything that the arguments name lives for ever: datatypes and operation are
// predefined, and there are no arrays of the caller.
inline bool names_nothing_to_hold(const CollectiveCall &call) {
    const auto is_kept = [](const Datatype *type) {
        return !type || type->predefined;
    };
    if (call.collective == Collective::Barrier)
        return true;
    if (is_reduction(call.collective))
        return call.reduction.op->predefined && is_kept(call.reduction.mine.type);
    const Blocks &send = call.movement.send, &receive = call.movement.receive;
    return !send.has_arrays() && !receive.has_arrays() && is_kept(send.type()) &&
           is_kept(receive.type());
}

// Returns the number by which members compare their ops. Predefined ones have the same number at
// all ranks; the program's all have one number.
inline int operation_code(const Op &op) {
    return op.predefined ? op.kind + 1 : Announcement::programs_operation;
}

// Returns what the calling member announces in this phase of the operation.
inline uint64_t announcement(const Communicator &comm, const CollectiveCall &call, int phase) {
    // In an inter-communicator the other ranks of the root's group do not know its rank.
    const int hash = call.collective == Collective::ReduceScatter ? call.reduction.share.hash : -1;
    const int root = comm.inter ? -1 : std::max(call.root, hash);
    const int operation = is_reduction(call.collective) ? operation_code(*call.reduction.op) : 0;
    return Announcement::make(call.collective, phase, operation, root);
}

// Returns the announcement of the operation's first phase in this form, signed by the member.
inline uint64_t announcement_of(const Communicator &comm, const CollectiveCall &call,
                                CallForm form) {
    return Announcement::signed_by(announcement(comm, call, form), member_of(comm));
}

} // namespace thrum
