// Non-blocking and persistent reductions, as far as the operations have it in common. Small: the
// last of a leaf combines what its leaf contributes, the last of all the leaves' results. Large:
// pieces, each from all send buffers.
#pragma once
#include "coll/combine.h"
#include "pending/forms.h"
#include "pending/work.h"

namespace thrum {

Published contributions(const CollectiveOperation &operation);

inline bool is_small(const CollectiveRequest &request) {
    return !request.comm->inter &&
           request.call.reduction.mine.size_bytes <= small_reduction_bytes_max;
}

inline Combiner combiner_of(const CollectiveRequest &request) {
    return Combiner(request.call.reduction);
}

// By the last of a leaf: compares the sizes in it, and combines its contributions if they are
// small. True if it has.
bool combine_own_leaf(CollectiveOperation &operation, CollectiveRequest &last) MAY_SUSPEND;
// By the last of a leaf. True for the last of all, if everybody fits: a small result is in the
// scratch buffer then. Else all are told.
bool finish_leaves(CollectiveOperation &operation, CollectiveRequest &last) MAY_SUSPEND;

// Counts the request in. True for the last of all, as finish_leaves().
inline bool join_reduction(CollectiveOperation &operation, CollectiveRequest &request) MAY_SUSPEND {
    operation.requests[request.member] = &request;
    if (!operation.arrive_at_leaf(request.member))
        return false;
    combine_own_leaf(operation, request);
    return finish_leaves(operation, request);
}

// Takes a small result from the scratch buffer.
void take_reduced(CollectiveRequest &request);

// Whether all who wait contribute alike; records the dispute if not.
bool members_agree(CollectiveOperation &operation);

inline constexpr size_t piece_bytes = 16384; // of a large reduction: stays in the cache

// Elements of a piece of a reduction, each of `bytes` bytes or a little more; how many pieces.
Range range_of(const Reduction &reduction, int piece, size_t bytes);
int pieces_of(const Reduction &reduction, size_t bytes);

} // namespace thrum
