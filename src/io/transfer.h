// Moves bytes between memory and a descriptor: pieces, each dense in memory and in the file, become
// as few system calls as their places in the file allow.
//
// Invariants
// 1. Only bytes of pieces are written: holes are never read and written back, so nobody else's
//    bytes can be lost, whatever happens in between.
// 2. Short transfers and interruptions are continued; what is reported is the kernel's own error.
#pragma once
#include "io/view.h"

#include <cstddef>
#include <vector>

namespace thrum {

struct Piece {
    Offset position; // in the file
    char *memory;
    size_t size_bytes;
};

inline constexpr Offset no_end_of_file = INT64_MAX;

// An error_number that is no errno: nothing has been moved, as the keeper (keeper.h) is lost.
inline constexpr int keeper_is_lost = -1;

// What a transfer has met. Errors: the first one.
struct TransferResult {
    int error_number = 0;                // errno, or keeper_is_lost
    Offset failed_at = 0;                // where, if so
    Offset end_of_file = no_end_of_file; // reading: where the file ended, if it did

    void merge(const TransferResult &other) {
        if (!error_number && other.error_number) {
            error_number = other.error_number;
            failed_at = other.failed_at;
        }
        if (other.end_of_file < end_of_file)
            end_of_file = other.end_of_file;
    }
};

// An access of one rank: `size_bytes` bytes of its view's stream, from `position` on, and the
// memory that holds them in this order.
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

    Offset position() const { return file_.position(); } // of the next one, if not done()

    // The next piece, of those before `end` in the file; size 0: there is none.
    Piece next(Offset end = no_end_of_file);

    size_t left() const { return left_; } // bytes not handed out yet

private:
    Cursor memory_;
    FileCursor file_;
    size_t left_;
};

// Pieces in any order. Where they overlap, the bytes of one of them are written.
TransferResult write_pieces(int descriptor, std::vector<Piece> &pieces);
TransferResult read_pieces(int descriptor, std::vector<Piece> &pieces);

// All of a span.
TransferResult write_span(int descriptor, const Span &span);
TransferResult read_span(int descriptor, const Span &span);

// How many bytes of the span lie before `end` in the file: up to the first that does not.
size_t bytes_before(const Span &span, Offset end);

// A file without positions (MPI_MODE_SEQUENTIAL): the bytes go to where it stands. `done` becomes
// how many have been moved; fewer than asked for without an error: the end of the file.
TransferResult write_stream(int descriptor, const Span &span, size_t &done);
TransferResult read_stream(int descriptor, const Span &span, size_t &done);

} // namespace thrum
