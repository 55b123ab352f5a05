// The basic elements of a datatype's type map, block by block. For code that needs their types and
// not only their bytes: external32, data representations of files.
#pragma once
#include "datatype/contents.h"

#include <cstdint>
#include <vector>

namespace thrum {

// Calls visit(basic datatype, address, copies, extent) for each block of basic elements in `count`
// elements at `buffer`, in the order of the type map. The stack of open datatypes is on the heap,
// so nesting has no limit.
template <class Visit>
void visit_basic_blocks(const Datatype &datatype, Count count, char *buffer, Visit visit) {
    // A datatype whose blocks are being visited.
    struct Open {
        const Datatype *type;
        uintptr_t address; // of the current copy; an integer, because the buffer may be MPI_BOTTOM
        Count copies;      // copies left, including the current one
        Count block;       // next block
    };

    std::vector<Open> open;
    // Visits a basic datatype at once, and opens any other.
    auto enter = [&](const Datatype &type, uintptr_t address, Count copies) {
        if (copies == 0 || type.size_bytes == 0)
            return;
        if (block_count(type) == 0)
            visit(type, reinterpret_cast<char *>(address), copies, type.extent);
        else
            open.push_back({&type, address, copies, 0});
    };
    enter(datatype, reinterpret_cast<uintptr_t>(buffer), count);
    while (!open.empty()) {
        Open &top = open.back();
        if (top.block == block_count(*top.type)) {
            top.block = 0;
            top.address += static_cast<uintptr_t>(top.type->extent);
            if (--top.copies == 0)
                open.pop_back();
            continue;
        }
        TypeBlock block = block_at(*top.type, top.block++);
        enter(*block.type, top.address + static_cast<uintptr_t>(block.displacement), block.copies);
    }
}

} // namespace thrum
