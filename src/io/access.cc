// One access of one rank: its size in the file, conversion between memory and the file's
// representation, the range lock of atomic mode, and the transfer itself.
//
// An access that needs no conversion goes straight between the program's buffer and the kernel. A
// converted one goes through memory that holds the bytes as they are in the file; its Span then
// describes that memory. file_access.cc, nonblocking.cc and the collective paths call these
// functions.
#include "io/access.h"

#include "datatype/describe.h"
#include "io/keeper.h"
#include "libc/blocking_section.h"
#include "pt2pt/blocked.h"

#include <algorithm>

namespace thrum {
namespace {

// A converted access that one rank does alone is cut into parts of this size, which limits the
// memory that the conversion needs.
constexpr Count part_bytes = 4 << 20;
// Longer transfers leave the worker to its other ranks meanwhile. For shorter ones the way to a
// spare worker and back, some microseconds, costs more than the transfer.
constexpr size_t stay_bytes_max = 128 << 10;

// Locks the range of a span in atomic mode, from construction to destruction. Does nothing in other
// modes. The constructor waits until the range is granted.
class RangeHeld {
public:
    RangeHeld(OpenFile &file, bool writing, const Span &span) MAY_SUSPEND : file_(file) {
        // acquire [atomic-mode-1]: set in a collective call, after which this rank has come here
        if (!file.atomic_mode.load(std::memory_order_acquire) || span.size_bytes == 0)
            return;
        held_ = true;
        set_range(claim_, writing, span);
        ask_range(file_, claim_);
        wait_blocked(claim_.completion, {.kind = Blockage::Kind::Requests, .request_count = 1});
    }

    // Returns true if the process that grants ranges is lost. The range is not locked then.
    bool lost() const { return claim_.keeper_is_lost; }

    ~RangeHeld() {
        if (held_)
            release_range(file_, claim_);
    }

    RangeHeld(const RangeHeld &) = delete;
    RangeHeld &operator=(const RangeHeld &) = delete;

private:
    OpenFile &file_;
    RangeLock::Claim claim_;
    bool held_ = false;
};

Error no_memory(Count size_bytes) {
    return fail(MPI_ERR_NO_MEM, "out of memory for %lld bytes of converted data",
                static_cast<long long>(size_bytes));
}

} // namespace

// Whole elements of the datatype may still end inside an etype: then the next access could not
// begin there.
Error measure(const View &view, const Datatype &datatype, Count count, Count &size_bytes) {
    if (Error error = bytes_in_file(*view.representation, datatype, count, size_bytes))
        return error;
    if (size_bytes % view.etype_bytes == 0)
        return success;
    char type[128], etype[128];
    return fail(MPI_ERR_TYPE,
                "%lld times %s are %lld bytes in the file, not a multiple of the %lld bytes of the "
                "view's etype, %s",
                static_cast<long long>(count), describe(datatype, type, sizeof type),
                static_cast<long long>(size_bytes), static_cast<long long>(view.etype_bytes),
                describe(*view.etype, etype, sizeof etype));
}

// The span is made for the program's buffer first. If the data must be converted, it is then
// redirected to `converted`, which the Access owns and frees.
Error prepare(Access &access, bool writing, const View &view, Offset position, void *buffer,
              Count count, Datatype &datatype, Count size_bytes) {
    access.writing = writing;
    access.buffer = buffer;
    access.count = count;
    access.datatype = &datatype;
    access.representation = view.representation;
    // A view without data: a read meets the end of the file at once.
    if (view.tile_bytes == 0) {
        if (writing && size_bytes > 0)
            return fail(MPI_ERR_ARG, "cannot write %lld bytes: the view's filetype has no data",
                        static_cast<long long>(size_bytes));
        size_bytes = 0;
    }
    access.span = {buffer, count, &datatype, &view, position, static_cast<size_t>(size_bytes)};
    if (!converts(*view.representation, writing) || size_bytes == 0)
        return success;
    access.converted = static_cast<char *>(std::malloc(static_cast<size_t>(size_bytes)));
    if (!access.converted)
        return no_memory(size_bytes);
    access.span.buffer = access.converted;
    access.span.count = size_bytes;
    access.span.datatype = find_datatype(MPI_BYTE);
    return writing
               ? convert_to_file(*view.representation, buffer, 0, count, datatype, access.converted)
               : success;
}

// After a short read only the bytes before the end of the file count. `converted` holds garbage
// behind them, so the conversion stops there, too.
Error finish(Access &access, const OpenFile &file, Moved &moved) {
    moved = {};
    if (access.result.error_number)
        return transfer_error(file, access.writing, access.result);
    size_t in_file = access.writing ? access.span.size_bytes
                                    : bytes_before(access.span, access.result.end_of_file);
    moved.memory_bytes = moved.file_bytes = static_cast<Count>(in_file);
    if (!access.converted)
        return success;
    if (access.writing) {
        moved.memory_bytes = access.datatype->size_bytes * access.count;
        return success;
    }
    return convert_from_file(*access.representation, access.converted, moved.file_bytes,
                             access.buffer, 0, access.count, *access.datatype, moved.memory_bytes);
}

TransferResult move_span(OpenFile &file, bool writing, const Span &span) {
    if (span.size_bytes == 0)
        return {};
    if (writing)
        file.written.store(true, std::memory_order_relaxed);
    auto move = [&] {
        return writing ? write_span(file.descriptor, span) : read_span(file.descriptor, span);
    };
    if (span.size_bytes <= stay_bytes_max && file.regular)
        return move();
    return blocking(writing ? "MPI_File_write" : "MPI_File_read", move);
}

// Tiles that interleave give file positions that jump back and forth, so the first and last byte of
// the stream say nothing about the range. Such an access locks the whole file.
void set_range(RangeLock::Claim &claim, bool writing, const Span &span) {
    claim.exclusive = writing;
    Offset last = span.position + static_cast<Offset>(span.size_bytes) - 1;
    if (span.view->monotone) {
        claim.first = file_position(*span.view, span.position);
        claim.end = file_position(*span.view, last) + 1;
    } else { // tiles that interleave
        claim.first = 0;
        claim.end = INT64_MAX;
    }
}

namespace {

// Converts and moves the elements part by part, in one piece of memory. Whole elements only, so
// each part begins at a multiple of `element_bytes` in the stream. Stops at an error or at the end
// of the file; `moved` sums up what was done. The caller holds the range.
Error access_in_parts(OpenFile &file, bool writing, const View &view, Offset position, void *buffer,
                      Count count, Datatype &datatype, Count size_bytes, Moved &moved) MAY_SUSPEND {
    const Representation &representation = *view.representation;
    Count element_bytes = size_bytes / count;
    Count at_a_time = std::max<Count>(1, part_bytes / std::max<Count>(1, element_bytes));
    at_a_time = std::min(at_a_time, count);
    auto *memory = static_cast<char *>(std::malloc(static_cast<size_t>(at_a_time * element_bytes)));
    if (!memory)
        return no_memory(at_a_time * element_bytes);
    Error error;
    for (Count done = 0; done < count && !error; done += at_a_time) {
        Count now = std::min(at_a_time, count - done);
        auto now_bytes = static_cast<size_t>(now * element_bytes);
        Span span{memory, static_cast<Count>(now_bytes),   find_datatype(MPI_BYTE),
                  &view,  position + done * element_bytes, now_bytes};
        if (writing)
            error = convert_to_file(representation, buffer, done, now, datatype, memory);
        if (error)
            break;
        TransferResult result = move_span(file, writing, span);
        error = transfer_error(file, writing, result);
        Count part = datatype.size_bytes * now;
        size_t read_bytes = writing || error ? now_bytes : bytes_before(span, result.end_of_file);
        if (!writing && !error)
            error = convert_from_file(representation, memory, static_cast<Count>(read_bytes),
                                      buffer, done, now, datatype, part);
        if (!error) {
            moved.memory_bytes += part;
            moved.file_bytes += static_cast<Count>(read_bytes);
        }
        if (read_bytes < now_bytes)
            break;
    }
    std::free(memory);
    return error;
}

} // namespace

// Without conversion there is one part: prepare(), move_span() and finish().
Error access_alone(OpenFile &file, bool writing, const View &view, Offset position, void *buffer,
                   Count count, Datatype &datatype, Count size_bytes, Moved &moved) {
    moved = {};
    Span all{buffer, count, &datatype, &view, position, static_cast<size_t>(size_bytes)};
    if (view.tile_bytes > 0 && size_bytes > 0 && converts(*view.representation, writing)) {
        RangeHeld held(file, writing, all);
        if (held.lost())
            return keeper_lost_error(file);
        return access_in_parts(file, writing, view, position, buffer, count, datatype, size_bytes,
                               moved);
    }
    Access access;
    if (Error error = prepare(access, writing, view, position, buffer, count, datatype, size_bytes))
        return error;
    move_alone(file, access);
    return finish(access, file, moved);
}

void move_alone(OpenFile &file, Access &access) {
    RangeHeld held(file, access.writing, access.span);
    if (held.lost())
        access.result.error_number = keeper_is_lost;
    else
        access.result = move_span(file, access.writing, access.span);
}

} // namespace thrum
