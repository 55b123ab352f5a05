// Access: what one call of a rank reads or writes. Prepared once, done by the rank itself, by an
// aggregator or by an I/O thread, and finished by the rank.
#pragma once
#include "io/open_file.h"

#include <cstdlib>

namespace thrum {

struct Access {
    Access() = default;
    Access(const Access &) = delete;
    Access &operator=(const Access &) = delete;

    ~Access() { std::free(converted); }

    bool writing = false;
    // The memory as the program knows it.
    void *buffer = nullptr;
    Count count = 0;
    Datatype *datatype = nullptr;
    const Representation *representation = &native_representation;
    // The bytes that are moved: the program's, or those of `converted`.
    Span span;
    char *converted = nullptr; // the data as they are in the file

    TransferResult result;
};

// What an access of `count` elements moves: bytes of the view's stream, a multiple of the etype.
Error measure(const View &view, const Datatype &datatype, Count count,
              Count &size_bytes) MAY_SUSPEND;

// Fills in `access`; converts data that are to be written. `size_bytes` is what measure() said,
// `position` the stream position.
Error prepare(Access &access, bool writing, const View &view, Offset position, void *buffer,
              Count count, Datatype &datatype, Count size_bytes) MAY_SUSPEND;

// What an access has moved.
struct Moved {
    Count memory_bytes = 0; // of the program's data: what a status tells
    Count file_bytes = 0;   // of the view's stream
};

// After the bytes have been moved: converts what was read. The error is that of the transfer, too.
Error finish(Access &access, const OpenFile &file, Moved &moved) MAY_SUSPEND;

// The whole way of an access that this rank does alone, now; in atomic mode nobody else touches
// the range meanwhile. A converted access is cut into parts, so that it needs little memory.
Error access_alone(OpenFile &file, bool writing, const View &view, Offset position, void *buffer,
                   Count count, Datatype &datatype, Count size_bytes, Moved &moved) MAY_SUSPEND;

// Moves a prepared access; in atomic mode with its range locked.
void move_alone(OpenFile &file, Access &access) MAY_SUSPEND;

// Moves a span, without any lock.
TransferResult move_span(OpenFile &file, bool writing, const Span &span) MAY_SUSPEND;

// The bytes of the file that a span may touch, for the range lock.
void set_range(RangeLock::Claim &claim, bool writing, const Span &span);

} // namespace thrum
