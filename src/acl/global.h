// Global operations (ACLMPL paper, section 4.3), made of synchronous messages. The caller has
// checked the arguments. All PEs call the same operation with the same sizes; a difference is an
// error.
#pragma once
#include "acl/partition.h"

namespace thrum {

// Copies the root's buffer to all PEs.
Error broadcast_by_tree(ProcessingElement &self, int root, void *buffer,
                        size_t size_bytes) MAY_SUSPEND;

// Has the type of acl_operator in <thrum/acl.h>.
using ReduceFunction = void(const void *lower, const void *higher, void *result, size_t count);

// The array of one PE, and how it is combined with others. It is overwritten: at the root by the
// result.
struct ReduceArray {
    char *data;
    size_t count;
    size_t element_bytes;
    ReduceFunction *function;

    char *at(size_t index) const { return data + index * element_bytes; }

    size_t size_bytes() const { return count * element_bytes; }
};

// Combines the arrays of all PEs, in the order of their addresses, into the root's: by the better
// algorithm for the size, by a tree, or by binary swap.
Error reduce(ProcessingElement &self, int root, const ReduceArray &array) MAY_SUSPEND;
Error reduce_by_tree(ProcessingElement &self, int root, const ReduceArray &array) MAY_SUSPEND;
Error reduce_by_binary_swap(ProcessingElement &self, int root,
                            const ReduceArray &array) MAY_SUSPEND;

} // namespace thrum
