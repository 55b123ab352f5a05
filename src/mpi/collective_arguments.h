// Checks of arguments of collective operations that argument.h cannot make: what is significant
// depends on the rank and on MPI_IN_PLACE.
#pragma once
#include "coll/blocks.h"
#include "mpi/argument.h"

#include <cstdio>

namespace thrum::mpi {

inline Block block_at(const void *buffer, Count count, const Datatype &type) {
    return {static_cast<char *>(const_cast<void *>(buffer)), count, &type};
}

// `where` completes "MPI_IN_PLACE may be used only ...".
[[gnu::cold]] inline Error bad_in_place(const char *name, const char *where) {
    return fail(MPI_ERR_BUFFER, "%s is MPI_IN_PLACE, which may be used only %s", name, where);
}

// sendcount and sendtype, or recvcount and recvtype: `which` is "send" or "recv".
inline Error check_block(const char *which, Count count, const Datatype *type) {
    if (count >= 0 && type && type->committed) [[likely]]
        return success;
    char name[16];
    std::snprintf(name, sizeof name, "%s%s", which, count < 0 ? "count" : "type");
    if (count < 0)
        return arg::bad_count(name, count);
    return type ? arg::not_committed(name, *type)
                : fail(MPI_ERR_TYPE, "%s is not a datatype", name);
}

// The same for a buffer that holds the blocks of all ranks.
inline Error check_buffer(const char *which, const void *buffer, Count count,
                          const Datatype *type) {
    if (buffer == MPI_IN_PLACE)
        return fail(MPI_ERR_BUFFER, "%sbuf is MPI_IN_PLACE, which belongs in the other buffer",
                    which);
    return check_block(which, count, type);
}

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
