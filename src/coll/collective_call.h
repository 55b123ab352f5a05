// CollectiveCall: what one member asks of a collective operation, checked, in one value that can be
// kept: the arguments of a non-blocking or persistent operation.
#pragma once
#include "coll/coll.h"
#include "coll/combine.h"

#include <new>

namespace thrum {

// Of an operation that moves data. Where the blocking form takes one Block, it is block 0.
struct Movement {
    Blocks send;    // none: MPI_IN_PLACE, or nothing to send at this rank
    Blocks receive; // none: nothing to receive at this rank, or a root's MPI_IN_PLACE
};

struct Reduction {
    Contribution mine;
    const Op *op;
    Share share; // MPI_Reduce_scatter(_block): what this rank receives

    // As the blocking form takes it.
    Vector vector() const {
        return {mine.send, mine.receive, mine.count, const_cast<Datatype &>(*mine.type), *op};
    }
};

constexpr bool is_reduction(Collective collective) {
    return collective >= Collective::Reduce && collective <= Collective::Exscan;
}

constexpr bool is_rooted(Collective collective) {
    return collective >= Collective::Bcast && collective <= Collective::Scatterv;
}

constexpr bool is_scan(Collective collective) {
    return collective == Collective::Scan || collective == Collective::Exscan;
}

static_assert(!is_reduction(Collective::Alltoallw) && is_reduction(Collective::ReduceScatter) &&
              is_reduction(Collective::Scan));

struct CollectiveCall {
    Collective collective;
    int root; // as the caller of MPI passed it; -1 for operations without one

    union { // which one: is_reduction(collective); of a barrier none
        Movement movement;
        Reduction reduction;
    };

    // Without data: of a barrier; or those of a reduction are to be filled in, and nothing is moved
    // unless that is.
    explicit CollectiveCall(Collective name, int root_argument = -1)
        : collective(name), root(root_argument) {
        if (name != Collective::Barrier && !is_reduction(name))
            new (&movement) Movement;
    }

    CollectiveCall(Collective name, int root_argument, const Blocks &send, const Blocks &receive)
        : collective(name), root(root_argument), movement{send, receive} {}

    CollectiveCall(Collective name, int root_argument, const Vector &vector, Share share = {})
        : collective(name), root(root_argument),
          reduction{contribution(vector), &vector.op, share} {}
};

// Whether what the call's arguments name is there for ever: its datatypes and operation are
// predefined, and there are no arrays of the caller's.
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

} // namespace thrum
