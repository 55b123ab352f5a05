// What a program compiled by `mpicc --check` calls: once for the table of marked lines, for each
// load or store near a marked line (compiler/check/look.h), and with the buffers of its MPI calls
// (compiler/check/buffer_types.c).
#include "check/active_buffers.h"
#include "check/buffer_types.h"
#include "check/marked_lines.h"
#include "check/own_windows.h"
#include "comm/communicator.h"
#include "comm/process.h"

namespace thrum {
namespace {

// Calls of MPI call the program back, for example for reductions, and then may use any buffer.
bool is_inside_mpi() {
    return current_call().function != 0;
}

// Returns whether a handle can be looked up: it may not be significant, and have no value.
template <class Handle>
bool is_readable(Handle handle) {
    return reinterpret_cast<uintptr_t>(handle) < handle_constants_end ||
           is_mapped({handle, sizeof *handle, find_datatype(MPI_BYTE), BufferAccess::Read});
}

// MPI_BOTTOM, MPI_IN_PLACE and similar constants are no buffers of a type. `root`: at which rank of
// the communicator the buffer matters; negative: at all. The call itself reports what is invalid.
void check_buffer(ProgramBuffer buffer, MPI_Datatype datatype, MPI_Comm comm_handle, int root) {
    if (!has_buffer_checks() || buffer.count == 0 || is_inside_mpi() ||
        reinterpret_cast<uintptr_t>(buffer.address) < handle_constants_end ||
        !is_readable(datatype))
        return;
    if (comm_handle) {
        const Communicator *comm =
            is_readable(comm_handle) ? find_communicator(comm_handle) : nullptr;
        if (!comm || comm->inter || (root >= 0 && root != comm->rank))
            return;
        if (*buffer.description == '*')
            buffer.ranks = comm->size;
    }
    buffer.type = find_datatype(datatype);
    if (buffer.type)
        check_program_buffer(buffer);
}

void check_free(const void *memory, size_t size_bytes, const void *place) {
    if (!has_buffer_checks() || is_inside_mpi() || size_bytes == 0)
        return;
    const BufferUse use{memory, static_cast<Count>(size_bytes), find_datatype(MPI_BYTE),
                        BufferAccess::Write};
    check_freed_buffer(use, place);
    check_freed_window(use, place);
}

void look_at_access(const void *address, size_t size_bytes, bool is_store, const void *place) {
    const BufferUse use{address, static_cast<Count>(size_bytes), find_datatype(MPI_BYTE),
                        is_store ? BufferAccess::Write : BufferAccess::Read};
    check_program_access(use, place);
    check_own_access(use, {.function = 0, .call_site = place});
}

} // namespace
} // namespace thrum

extern "C" [[gnu::visibility("default")]] const uint32_t *thrum_check_marks() {
    return thrum::watch_lines();
}

extern "C" [[gnu::visibility("default")]] void
thrum_check_access(const void *address, size_t size_bytes, int is_store, const void *place) {
    if (thrum::has_buffer_checks() && !thrum::is_inside_mpi())
        thrum::look_at_access(address, size_bytes, is_store != 0, place);
}

extern "C" [[gnu::visibility("default")]] void
thrum_check_buffer(const void *buffer, size_t size_bytes, long count, MPI_Datatype datatype,
                   MPI_Comm comm, int root, const char *description, const void *place) {
    thrum::check_buffer({.address = buffer,
                         .size_bytes = size_bytes,
                         .count = count,
                         .type = nullptr,
                         .ranks = 1,
                         .description = description,
                         .place = place},
                        datatype, comm, root);
}

extern "C" [[gnu::visibility("default")]] void
thrum_check_free(const void *memory, size_t size_bytes, const void *place) {
    thrum::check_free(memory, size_bytes, place);
}
