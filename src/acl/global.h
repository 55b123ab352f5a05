// Global operations (ACLMPL paper, section 4.3), made of synchronous messages. Arguments have been
// checked.
#pragma once
#include "acl/partition.h"

namespace thrum {

Error broadcast_by_tree(ProcessingElement &self, int root, void *buffer,
                        size_t size_bytes) MAY_SUSPEND;

// As acl_operator of <thrum/acl.h>.
using ReduceFunction = void(const void *lower, const void *higher, void *result, size_t count);

// The array of one PE, and how it is combined with others.
struct ReduceArray {
    char *data;
    size_t count;
    size_t element_bytes;
    ReduceFunction *function;

    char *at(size_t index) const { return data + index * element_bytes; }

    size_t size_bytes() const { return count * element_bytes; }
};

Error reduce(ProcessingElement &self, int root, const ReduceArray &array) MAY_SUSPEND;
Error reduce_by_tree(ProcessingElement &self, int root, const ReduceArray &array) MAY_SUSPEND;
Error reduce_by_binary_swap(ProcessingElement &self, int root,
                            const ReduceArray &array) MAY_SUSPEND;

} // namespace thrum
