// Access: what one call of a rank reads or writes. Prepared once, done by the rank itself, by an
// aggregator or by an I/O thread, and finished by the rank.
#pragma once
#include "io/open_file.h"

#include <cstdlib>

namespace thrum {

// The access of one rank. It lives on the rank's stack or in its request until finish() has run.
// Others (aggregators, I/O threads) write only `result` and the memory of the span.
struct Access {
    Access() = default;
    Access(const Access &) = delete;
    Access &operator=(const Access &) = delete;

    ~Access() { std::free(converted); }

    bool writing = false;
    // The memory and datatype that the program passed.
    void *buffer = nullptr;
    Count count = 0; // elements of `datatype`
    Datatype *datatype = nullptr;
    const Representation *representation = &native_representation;
    // What is moved: the program's buffer, or `converted` as bytes.
    Span span;
    char *converted = nullptr; // the data as they are in the file; owned; nullptr: no conversion

    // Written by whoever moves the span, before the rank is woken.
    TransferResult result;
};

// Sets `size_bytes` to the size that `count` elements have in the file. Fails if this is not a
// multiple of the view's etype. May call the program's extent function.
Error measure(const View &view, const Datatype &datatype, Count count,
              Count &size_bytes) MAY_SUSPEND;

// Fills in `access` for an access at stream position `position`, whose size measure() returned.
// Converts data that are to be written, which may call functions of the program. Fails if memory is
// missing, or if data are to be written through a view without data.
Error prepare(Access &access, bool writing, const View &view, Offset position, void *buffer,
              Count count, Datatype &datatype, Count size_bytes) MAY_SUSPEND;

// How much an access has moved; less than asked for if a read met the end of the file.
struct Moved {
    Count memory_bytes = 0; // of the program's data: what a status reports
    Count file_bytes = 0;   // of the view's stream
};

// Sums up an access after its transfer, and converts what was read into the program's buffer.
// Returns the transfer's error, if there is one. Must run on the rank's own thread if the
// representation is the program's.
Error finish(Access &access, const OpenFile &file, Moved &moved) MAY_SUSPEND;

// Does a whole access that this rank does alone, from prepare() to finish(). In atomic mode it
// holds its range. A converted access is cut into parts, so it needs little memory.
Error access_alone(OpenFile &file, bool writing, const View &view, Offset position, void *buffer,
                   Count count, Datatype &datatype, Count size_bytes, Moved &moved) MAY_SUSPEND;

// Moves a prepared access, in atomic mode with its range locked. Sets `access.result`.
void move_alone(OpenFile &file, Access &access) MAY_SUSPEND;

// Moves a span without any lock. A large transfer moves the rank to a spare worker meanwhile.
TransferResult move_span(OpenFile &file, bool writing, const Span &span) MAY_SUSPEND;

// Sets the claim's range to the bytes of the file that the span may touch. The span is not empty.
void set_range(RangeLock::Claim &claim, bool writing, const Span &span);

} // namespace thrum
