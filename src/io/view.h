// View (MPI 5.0 section 14.3): which bytes of a file a rank sees, and in which order. The visible
// data form a stream; a view maps positions in the stream to positions in the file.
//
//   file    |displacement| tile 0: [data..  .. data] | tile 1 | ...      a tile is one filetype
//   stream                  0 1 2        3 4           5 ...             its data, without holes
//
// Immutable and counted: an active access keeps the view that it was made with.
#pragma once
#include "base/error.h"
#include "datatype/cursor.h"
#include "io/representation.h"

#include <atomic>
#include <cstdint>

namespace thrum {

using Offset = MPI_Offset;

// A rank's view of a file.
struct View {
    Offset displacement = 0;   // bytes
    Datatype *etype = nullptr; // as the program passed them; a reference to each
    Datatype *filetype = nullptr;
    Datatype *tile = nullptr; // the filetype in the file's representation; a reference
    const Representation *representation = &native_representation;
    Count etype_bytes = 1; // data bytes of an etype in the file
    Count tile_bytes = 1;  // data bytes of a tile; 0: this rank sees nothing
    // Stream and file positions differ by a constant.
    bool linear = true;
    // File positions never decrease along the stream: no tile begins before the end of the previous
    // one.
    bool monotone = true;
    std::atomic<int> references{1};
};

// Returns the view that every file begins with: a linear stream of bytes.
View *new_byte_view();
// Makes a view with one reference. Both datatypes are committed. `writable`: no byte may be visible
// twice. Fails if the datatypes cannot describe a file.
Error new_view(Offset displacement, Datatype &etype, Datatype &filetype,
               const Representation &representation, bool writable, View *&result) MAY_SUSPEND;
void retain(View &view);
void release(View &view);

// Returns the position in the file of stream position `position`; the displacement if the view sees
// nothing.
Offset file_position(const View &view, Offset position);
// Returns the smallest stream position whose file position is at least `file_position`.
Offset stream_position(const View &view, Offset file_position);

// Walks the file positions of the view's stream. It uses a datatype cursor whose addresses are file
// positions; nothing is dereferenced.
class FileCursor {
public:
    // Starts at stream position `position` and covers at most `size_bytes` bytes.
    FileCursor(const View &view, Offset position, size_t size_bytes)
        : cursor_(base_of(view), tiles(view, position, size_bytes), *view.tile,
                  static_cast<size_t>(position)) {}

    Offset position() const {
        return static_cast<Offset>(reinterpret_cast<uintptr_t>(cursor_.address())) - bias;
    }

    size_t left() const { return cursor_.left(); } // bytes from here on without a hole

    void skip_bytes(size_t size_bytes) { cursor_.skip_bytes(size_bytes); } // at most left()

private:
    static constexpr Offset bias = 4096; // so that no position looks like a null pointer

    static const void *base_of(const View &view) {
        return reinterpret_cast<const void *>(static_cast<uintptr_t>(view.displacement + bias));
    }

    static Count tiles(const View &view, Offset position, size_t size_bytes) {
        if (view.tile_bytes == 0 || size_bytes == 0)
            return 0;
        return (position + static_cast<Offset>(size_bytes) - 1) / view.tile_bytes + 1;
    }

    Cursor cursor_;
};

} // namespace thrum
