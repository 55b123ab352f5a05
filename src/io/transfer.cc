// Pieces to and from the kernel. Pieces are sorted by their position in the file, then neighbours
// are joined:
//
//   pieces that touch in the file     one pwritev or preadv, with an entry for each
//   the same, but short               copied through staging memory: one large entry
//   small gaps between them, reading  read with the gaps into staging memory, then copied out
//
// A transfer that the kernel cuts short is continued where it stopped.
#include "io/transfer.h"

#include "base/spinlock.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <sys/resource.h>
#include <sys/uio.h>
#include <unistd.h>

namespace thrum {
namespace {

constexpr size_t staging_bytes = 1 << 20;
constexpr size_t batch_pieces_max = 16384;   // pieces of a span that are handled at a time
constexpr size_t batch_bytes_max = 16 << 20; // bytes of them, at most
constexpr size_t vector_length_max = 1024;   // IOV_MAX
// If the pieces are shorter on average, they are copied together: an entry of a vector costs the
// kernel as much as copying this many bytes.
constexpr size_t vector_piece_bytes_min = 512;
// Reading over a gap up to this size is faster than another system call.
constexpr Offset sieve_gap_max = 4096;

// Memory in which pieces are put together. Up to four areas are kept for the next user: fresh
// memory would cost a page fault per page.
class Staging {
public:
    Staging() {
        LockGuard guard(lock_);
        if (kept_count_ > 0)
            memory_ = kept_[--kept_count_];
    }

    ~Staging() {
        if (!memory_)
            return;
        {
            LockGuard guard(lock_);
            if (kept_count_ < kept_max_) {
                kept_[kept_count_++] = memory_;
                return;
            }
        }
        std::free(memory_);
    }

    Staging(const Staging &) = delete;
    Staging &operator=(const Staging &) = delete;

    // Returns staging_bytes bytes, or nullptr if there is no memory.
    char *get() {
        if (!memory_)
            memory_ = static_cast<char *>(std::malloc(staging_bytes));
        return memory_;
    }

private:
    static constexpr int kept_max_ = 4;
    static inline SpinLock lock_; // guards the two below
    static inline char *kept_[kept_max_] = {};
    static inline int kept_count_ = 0;
    char *memory_ = nullptr;
};

// Returns the largest size of a file that this process may write. A write beyond RLIMIT_FSIZE would
// send SIGXFSZ to the process, which no rank has caused; Transfer refuses it with the same error.
Offset file_size_limit() {
    rlimit limit{};
    if (::getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
        limit.rlim_cur > static_cast<rlim_t>(INT64_MAX))
        return INT64_MAX;
    return static_cast<Offset>(limit.rlim_cur);
}

// Moves memory to or from one descriptor, and keeps the first error and the end of the file.
class Transfer {
public:
    // RLIMIT_FSIZE is read once per transfer, not for each call.
    Transfer(int descriptor, bool writing)
        : descriptor_(descriptor), writing_(writing),
          limit_(writing ? file_size_limit() : INT64_MAX) {}

    // Moves dense memory to or from a dense range of the file. Returns false after an error or at
    // the end of the file.
    bool move(Offset position, char *memory, size_t size_bytes) {
        iovec vector{memory, size_bytes};
        return move(position, &vector, 1, size_bytes);
    }

    // The same for a vector, whose entries it changes. `size_bytes` is their sum.
    bool move(Offset position, iovec *vector, int count, size_t size_bytes) {
        bool whole = true;
        if (position + static_cast<Offset>(size_bytes) > limit_) {
            // What fits is written, as the kernel would.
            size_bytes = position < limit_ ? static_cast<size_t>(limit_ - position) : 0;
            whole = false;
            count = shorten(vector, count, size_bytes);
        }
        while (size_bytes > 0) {
            ssize_t moved = writing_ ? ::pwritev(descriptor_, vector, count, position)
                                     : ::preadv(descriptor_, vector, count, position);
            if (moved < 0 && errno == EINTR)
                continue;
            if (moved < 0)
                return failed(errno, position);
            // A write of 0 bytes is no progress, and repeating it might never end.
            if (moved == 0 && writing_)
                return failed(EIO, position);
            if (moved == 0)
                return ended(position);
            position += moved;
            size_bytes -= static_cast<size_t>(moved);
            advance(vector, count, static_cast<size_t>(moved));
        }
        return whole || failed(EFBIG, position);
    }

    TransferResult result;

private:
    bool failed(int error_number, Offset position) {
        result.merge({error_number, position, no_end_of_file});
        return false;
    }

    bool ended(Offset position) {
        result.merge({0, 0, position});
        return false;
    }

    // Cuts the vector to `size_bytes` bytes and returns its new length.
    static int shorten(iovec *vector, int count, size_t size_bytes) {
        int kept = 0;
        for (; kept < count && size_bytes > 0; ++kept) {
            vector[kept].iov_len = std::min(vector[kept].iov_len, size_bytes);
            size_bytes -= vector[kept].iov_len;
        }
        return kept;
    }

    // Removes the bytes that have been moved from the front of the vector.
    static void advance(iovec *&vector, int &count, size_t moved) {
        while (count > 0 && moved >= vector->iov_len) {
            moved -= vector->iov_len;
            ++vector;
            --count;
        }
        if (moved > 0) {
            vector->iov_base = static_cast<char *>(vector->iov_base) + moved;
            vector->iov_len -= moved;
        }
    }

    int descriptor_;
    bool writing_;
    Offset limit_;
};

Offset end_of(const Piece &piece) {
    return piece.position + static_cast<Offset>(piece.size_bytes);
}

void sort_by_position(std::vector<Piece> &pieces) {
    auto before = [](const Piece &a, const Piece &b) {
        return a.position < b.position;
    };
    if (!std::is_sorted(pieces.begin(), pieces.end(), before))
        std::stable_sort(pieces.begin(), pieces.end(), before);
}

// Cuts off, or drops, what earlier pieces of the sorted list cover already. Only for writing;
// pieces that touch can then be joined into one call.
void trim_overlaps(std::vector<Piece> &pieces) {
    Offset end = INT64_MIN;
    size_t kept = 0;
    for (Piece piece : pieces) {
        if (piece.position < end) {
            Offset cut = end - piece.position;
            if (cut >= static_cast<Offset>(piece.size_bytes))
                continue;
            piece.position = end;
            piece.memory += cut;
            piece.size_bytes -= static_cast<size_t>(cut);
        }
        end = end_of(piece);
        pieces[kept++] = piece;
    }
    pieces.resize(kept);
}

// Moves pieces [first, last), which follow each other in the file without gap or overlap, from or
// into their own memory.
bool move_by_vector(Transfer &transfer, const Piece *first, const Piece *last) {
    iovec vector[vector_length_max];
    while (first < last) {
        Offset position = first->position;
        size_t total_bytes = 0;
        int count = 0;
        for (; first < last && static_cast<size_t>(count) < vector_length_max; ++first) {
            vector[count++] = {first->memory, first->size_bytes};
            total_bytes += first->size_bytes;
        }
        if (!transfer.move(position, vector, count, total_bytes))
            return false;
    }
    return true;
}

// Writes such pieces, which are short, from staging memory.
bool write_staged(Transfer &transfer, const Piece *first, const Piece *last, char *staging) {
    while (first < last) {
        Offset position = first->position;
        size_t filled = 0;
        for (; first < last && filled + first->size_bytes <= staging_bytes; ++first) {
            std::memcpy(staging + filled, first->memory, first->size_bytes);
            filled += first->size_bytes;
        }
        if (filled == 0) { // one that is longer than the staging memory
            if (!transfer.move(position, first->memory, first->size_bytes))
                return false;
            ++first;
        } else if (!transfer.move(position, staging, filled)) {
            return false;
        }
    }
    return true;
}

// Returns whether adjacent pieces are so short that they should be copied together.
bool worth_copying(const Piece *first, const Piece *last) {
    auto count = static_cast<size_t>(last - first);
    auto bytes = static_cast<size_t>(end_of(last[-1]) - first->position);
    return count > 1 && bytes / count < vector_piece_bytes_min;
}

// Reads [first, last), whose gaps are small and which may overlap, through staging memory. Pieces
// beyond the end of the file get nothing.
bool read_staged(Transfer &transfer, const Piece *first, const Piece *last, Offset end,
                 char *staging) {
    Offset start = first->position;
    // A read that ends early has filled the staging memory up to the end of the file.
    if (!transfer.move(start, staging, static_cast<size_t>(end - start))) {
        if (transfer.result.error_number)
            return false;
        end = transfer.result.end_of_file; // what lies before it has been read
    }
    for (; first < last && first->position < end; ++first)
        std::memcpy(first->memory, staging + (first->position - start),
                    static_cast<size_t>(std::min(end_of(*first), end) - first->position));
    return transfer.result.end_of_file == no_end_of_file;
}

// Returns the end of the pieces, from `first` on, that one read_staged() can read. `end` becomes
// the end of the last of them in the file. Returns `first` if that piece alone exceeds the staging
// memory.
const Piece *near_pieces(const Piece *first, const Piece *last, Offset &end) {
    Offset start = first->position;
    end = start;
    for (; first < last; ++first) {
        if (first->position > end + sieve_gap_max ||
            end_of(*first) > start + static_cast<Offset>(staging_bytes))
            break;
        end = std::max(end, end_of(*first));
    }
    return first;
}

// Returns the end of the pieces, from `first` on, that follow each other without gap or overlap.
const Piece *adjacent_pieces(const Piece *first, const Piece *last) {
    Offset end = end_of(*first);
    for (++first; first < last && first->position == end; ++first)
        end = end_of(*first);
    return first;
}

// Cuts the span into batches and passes each to `move`, until one fails or meets the end of the
// file. Batches bound the memory for the list of pieces.
template <class Move>
TransferResult in_batches(const Span &span, Move move) {
    TransferResult result;
    std::vector<Piece> batch;
    for (Pieces pieces(span, 0); !pieces.done();) {
        batch.clear();
        size_t batch_bytes = 0;
        while (!pieces.done() && batch.size() < batch_pieces_max && batch_bytes < batch_bytes_max) {
            batch.push_back(pieces.next());
            batch_bytes += batch.back().size_bytes;
        }
        result.merge(move(batch));
        if (result.error_number || result.end_of_file != no_end_of_file)
            break;
    }
    return result;
}

} // namespace

Pieces::Pieces(const Span &span, size_t from)
    : memory_(span.buffer, span.count, *span.datatype, from),
      file_(*span.view, span.position + static_cast<Offset>(from), span.size_bytes - from),
      left_(span.size_bytes - from) {}

// A piece ends where memory, the file, or the span does.
Piece Pieces::next(Offset end) {
    if (done() || file_.position() >= end)
        return {0, nullptr, 0};
    Piece piece{file_.position(), memory_.address(),
                std::min({memory_.left(), file_.left(), left_})};
    if (end_of(piece) > end)
        piece.size_bytes = static_cast<size_t>(end - piece.position);
    left_ -= piece.size_bytes;
    memory_.skip_bytes(piece.size_bytes);
    file_.skip_bytes(piece.size_bytes);
    return piece;
}

// Runs of touching pieces are written one after the other. Without staging memory short pieces go
// out as a vector, too.
TransferResult write_pieces(int descriptor, std::vector<Piece> &pieces) {
    sort_by_position(pieces);
    trim_overlaps(pieces);
    Transfer transfer(descriptor, true);
    Staging staging;
    const Piece *first = pieces.data(), *last = first + pieces.size();
    while (first < last) {
        const Piece *next = adjacent_pieces(first, last);
        bool copy = worth_copying(first, next) && staging.get();
        if (!(copy ? write_staged(transfer, first, next, staging.get())
                   : move_by_vector(transfer, first, next)))
            break;
        first = next;
    }
    return transfer.result;
}

// Near pieces are tried first: reading over a gap may join several runs of adjacent pieces. Without
// staging memory each run is read into its own pieces.
TransferResult read_pieces(int descriptor, std::vector<Piece> &pieces) {
    sort_by_position(pieces);
    Transfer transfer(descriptor, false);
    Staging staging;
    const Piece *first = pieces.data(), *last = first + pieces.size();
    while (first < last) {
        Offset end = 0;
        const Piece *next = adjacent_pieces(first, last);
        const Piece *near = near_pieces(first, last, end);
        // If reading over gaps reaches further than touching pieces do, it saves system calls.
        bool copy = near > next || worth_copying(first, next);
        if (copy && near > first && staging.get()) {
            if (!read_staged(transfer, first, near, end, staging.get()))
                break;
            first = near;
        } else {
            if (!move_by_vector(transfer, first, next))
                break;
            first = next;
        }
    }
    return transfer.result;
}

TransferResult write_span(int descriptor, const Span &span) {
    return in_batches(
        span, [descriptor](std::vector<Piece> &batch) { return write_pieces(descriptor, batch); });
}

TransferResult read_span(int descriptor, const Span &span) {
    return in_batches(
        span, [descriptor](std::vector<Piece> &batch) { return read_pieces(descriptor, batch); });
}

// In a view that is not monotone there may be bytes before `end` behind others that are not; they
// are not counted.
size_t bytes_before(const Span &span, Offset end) {
    if (span.size_bytes == 0 || end == no_end_of_file)
        return span.size_bytes;
    if (span.view->monotone) {
        Offset bytes = stream_position(*span.view, end) - span.position;
        return static_cast<size_t>(
            std::clamp<Offset>(bytes, 0, static_cast<Offset>(span.size_bytes)));
    }
    FileCursor cursor(*span.view, span.position, span.size_bytes);
    size_t bytes = 0;
    while (bytes < span.size_bytes && cursor.position() < end) {
        size_t block = std::min(cursor.left(), span.size_bytes - bytes);
        Offset room = end - cursor.position();
        if (static_cast<Offset>(block) > room)
            return bytes + static_cast<size_t>(room);
        bytes += block;
        cursor.skip_bytes(block);
    }
    return bytes;
}

namespace {

// The vector is built anew after each call, from where the kernel stopped.
template <class Call>
TransferResult move_stream(const Span &span, size_t &done, Call call) {
    TransferResult result;
    done = 0;
    while (done < span.size_bytes) {
        iovec vector[vector_length_max];
        int count = 0;
        Cursor memory(span.buffer, span.count, *span.datatype, done);
        for (size_t left = span.size_bytes - done;
             left > 0 && static_cast<size_t>(count) < vector_length_max; ++count) {
            size_t length = std::min(memory.left(), left);
            vector[count] = {memory.address(), length};
            left -= length;
            memory.skip_bytes(length);
        }
        ssize_t moved = call(vector, count);
        if (moved < 0 && errno == EINTR)
            continue;
        if (moved < 0) {
            result.error_number = errno;
            break;
        }
        if (moved == 0)
            break;
        done += static_cast<size_t>(moved);
    }
    return result;
}

} // namespace

TransferResult write_stream(int descriptor, const Span &span, size_t &done) {
    return move_stream(span, done, [descriptor](const iovec *vector, int count) {
        return ::writev(descriptor, vector, count);
    });
}

TransferResult read_stream(int descriptor, const Span &span, size_t &done) {
    return move_stream(span, done, [descriptor](const iovec *vector, int count) {
        return ::readv(descriptor, vector, count);
    });
}

} // namespace thrum
