// Checks of collective operations' arguments that argument.h cannot make: what is significant
// depends on the rank and on MPI_IN_PLACE.
#pragma once
#include "entry/argument.h"
#include "meeting/blocks.h"

#include <algorithm>

namespace thrum::mpi {

// Returns a block; the const is cast away since a Block is used for both directions.
inline Block block_at(const void *buffer, Count count, const Datatype &type) {
    return {static_cast<char *>(const_cast<void *>(buffer)), count, &type};
}

// Returns the error about a misplaced MPI_IN_PLACE. `where` completes "may be used only ...".
[[gnu::cold]] inline Error bad_in_place(const char *name, const char *where) {
    return fail(MPI_ERR_BUFFER, "%s is MPI_IN_PLACE, which may be used only %s", name, where);
}

// Returns the error about a block, or success if it is valid after all (coll.cc).
[[gnu::cold]] Error bad_block(const char *which, const void *buffer, Count count, Datatype *&type);

// Checks a block of `count` elements of `type` at `buffer`; `which` is "send" or "recv". Without
// elements, MPI_DATATYPE_NULL is tolerated and becomes MPI_BYTE.
inline Error check_block(const char *which, const void *buffer, Count count, Datatype *&type) {
    if (count >= 0 && buffer && type && type->committed) [[likely]]
        return success;
    return bad_block(which, buffer, count, type);
}

// Does the same for a buffer that holds the blocks of all ranks.
inline Error check_buffer(const char *which, const void *buffer, Count count, Datatype *&type) {
    if (buffer == MPI_IN_PLACE)
        return fail(MPI_ERR_BUFFER, "%sbuf is MPI_IN_PLACE, which belongs in the other buffer",
                    which);
    return check_block(which, buffer, count, type);
}

// Returns the largest of the counts, or 1 if there are none.
inline Count largest_count(CountArray counts, int size) {
    if (!counts)
        return 1;
    Count largest = 0;
    for (int i = 0; i < size; ++i)
        largest = std::max(largest, counts[static_cast<size_t>(i)]);
    return largest;
}

// Does the same for blocks of various lengths.
inline Error check_buffer(const char *which, const void *buffer, CountArray counts, int size,
                          Datatype *&type) {
    if (buffer && buffer != MPI_IN_PLACE && type && type->committed) [[likely]]
        return success;
    return check_buffer(which, buffer, largest_count(counts, size), type);
}

// Checks arrays of `size` counts and displacements. Displacements may have any value.
inline Error check_counts(const char *counts_name, CountArray counts,
                          const char *displacements_name, CountArray displacements, int size) {
    if (!counts || !displacements)
        return arg::null_pointer(counts ? displacements_name : counts_name);
    for (int i = 0; i < size; ++i)
        if (Count count = counts[static_cast<size_t>(i)]; count < 0)
            return fail(MPI_ERR_COUNT, "%s[%d] is %lld", counts_name, i,
                        static_cast<long long>(count));
    return success;
}

// Checks the datatypes of `size` blocks. Those of empty blocks are not read, and may be null.
inline Error check_types(const char *name, const MPI_Datatype types[], CountArray counts,
                         int size) {
    if (!types)
        return arg::null_pointer(name);
    for (int i = 0; i < size; ++i) {
        if (counts[static_cast<size_t>(i)] == 0)
            continue;
        const Datatype *type = find_datatype(types[i]);
        if (!type || !type->committed)
            return fail(MPI_ERR_TYPE, "%s[%d] is %s", name, i,
                        type ? "not committed" : "not a datatype");
    }
    return success;
}

} // namespace thrum::mpi
