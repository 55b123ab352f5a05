// PieceArray: an array that is allocated in pieces, each when it is first used; several threads may
// do so at once. A PE with thousands of peers, of which it talks to few, needs little memory.
#pragma once
#include <atomic>
#include <memory>

namespace thrum {

// Elements never move, so references stay valid.
template <class Element>
class PieceArray {
public:
    explicit PieceArray(unsigned size)
        : piece_count_((size + per_piece - 1) / per_piece),
          pieces_(std::make_unique<std::atomic<Element *>[]>(piece_count_)) {}

    ~PieceArray() {
        for (unsigned piece = 0; piece < piece_count_; ++piece)
            delete[] pieces_[piece].load(std::memory_order_relaxed);
    }

    PieceArray(const PieceArray &) = delete;
    PieceArray &operator=(const PieceArray &) = delete;

    Element &operator[](unsigned place) {
        // acquire [piece-1]: the piece is initialised.
        Element *piece = pieces_[place / per_piece].load(std::memory_order_acquire);
        if (!piece) [[unlikely]]
            piece = make(place / per_piece);
        return piece[place % per_piece];
    }

private:
    static constexpr unsigned per_piece = 64;

    // Allocates a piece. Of several threads that do so at once, one wins and the others discard
    // theirs.
    [[gnu::noinline]] Element *make(unsigned piece) {
        auto *fresh = new Element[per_piece];
        Element *known = nullptr;
        // release [piece-1]; acquire, in case another has been faster.
        if (pieces_[piece].compare_exchange_strong(known, fresh, std::memory_order_acq_rel,
                                                   std::memory_order_acquire))
            return fresh;
        delete[] fresh;
        return known;
    }

    unsigned piece_count_;
    std::unique_ptr<std::atomic<Element *>[]> pieces_;
};

} // namespace thrum
