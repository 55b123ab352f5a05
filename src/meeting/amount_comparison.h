// Comparison of types and amounts of what two members exchange. Reductions compare their sizes in
// another way, and types only (type_comparison.h).
#pragma once
#include "meeting/type_comparison.h"

namespace thrum {

// Returns success if the types match and the receiver expects no more than is sent. Less is a
// truncation, which the caller finds. Both sizes are needed for the copy anyway.
inline Error check_transfer(const Communicator &comm, const Block &from, int from_member,
                            const Block &to, int to_member) {
    if (types_surely_match(*from.type, *to.type) && from.size_bytes() >= to.size_bytes()) [[likely]]
        return success;
    return compare_blocks(comm, from, from_member, to, to_member);
}

} // namespace thrum
