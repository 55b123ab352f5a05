// Moves bytes between memory and a descriptor: pieces, each dense in memory and in the file, become
// as few system calls as their positions in the file permit.
//
// Invariants
// 1. Only bytes of pieces are written: holes are never read and written back. So no bytes of others
//    can be lost, whatever happens in between.
// 2. Short transfers and interruptions are continued. Errors are the kernel's own.
//
// All functions may block in the kernel: callers use blocking() or an I/O thread, except for short
// transfers of regular files.
#pragma once
#include "io/view.h"

#include <cstddef>
#include <vector>

namespace thrum {

// A range that is dense both in memory and in the file.
struct Piece {
    Offset position; // bytes of the file
    char *memory;
    size_t size_bytes;
};

inline constexpr Offset no_end_of_file = INT64_MAX;

// An error_number that is not an errno: nothing was moved, as the keeper (keeper.h) is lost.
inline constexpr int keeper_is_lost = -1;

// The result of a transfer. Several results merge into one: the first error, the lowest end of
// file.
struct TransferResult {
    int error_number = 0;                // errno, or keeper_is_lost
    Offset failed_at = 0;                // position in the file of the error
    Offset end_of_file = no_end_of_file; // reads: where the file ended, if it was met

    // Adds another result. Errors keep the order of the calls.
    void merge(const TransferResult &other) {
        if (!error_number && other.error_number) {
            error_number = other.error_number;
            failed_at = other.failed_at;
        }
        if (other.end_of_file < end_of_file)
            end_of_file = other.end_of_file;
    }
};

// An access of one rank: `size_bytes` bytes of its view's stream from `position` on, and the memory
// that holds them, in this order. Owns nothing.
struct Span {
    const void *buffer = nullptr;
    Count count = 0;
    const Datatype *datatype = nullptr;
    const View *view = nullptr;
    Offset position = 0; // in the stream
    size_t size_bytes = 0;
};

// Cuts bytes [from, size_bytes) of a span into pieces, in the order of the stream.
class Pieces {
public:
    Pieces(const Span &span, size_t from);

    bool done() const { return left_ == 0; }

    Offset position() const { return file_.position(); } // of the next piece, unless done()

    // Returns the next piece, cut off at `end` in the file; size 0 if the next byte lies behind
    // `end`.
    Piece next(Offset end = no_end_of_file);

    size_t left() const { return left_; } // bytes not handed out yet

private:
    Cursor memory_;
    FileCursor file_;
    size_t left_;
};

// Move pieces, which may be in any order and are reordered. Where pieces overlap, the bytes of one
// of them are written.
TransferResult write_pieces(int descriptor, std::vector<Piece> &pieces);
TransferResult read_pieces(int descriptor, std::vector<Piece> &pieces);

// Move a whole span.
TransferResult write_span(int descriptor, const Span &span);
TransferResult read_span(int descriptor, const Span &span);

// Returns how many bytes of the span, from its beginning, lie before `end` in the file.
size_t bytes_before(const Span &span, Offset end);

// For files without positions (MPI_MODE_SEQUENTIAL): the bytes go to, or come from, where the
// descriptor stands. `done` becomes how many were moved; fewer than asked for without an error
// means the end of the file.
TransferResult write_stream(int descriptor, const Span &span, size_t &done);
TransferResult read_stream(int descriptor, const Span &span, size_t &done);

} // namespace thrum
