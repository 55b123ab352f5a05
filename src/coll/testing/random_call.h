// For tests: one random collective operation, with its arguments and buffers at one rank, and the
// expected contents afterwards, from a serial model that needs no communication. It can be run in
// any form: blocking, non-blocking, persistent (with new data for each start).
#pragma once
#include "coll/testing/blocking_forms.h"
#include "coll/testing/random_collective.h"
#include "comm/process.h"
#include "meeting/collective_call.h"

#include <gtest/gtest.h>
#include <memory>

namespace thrum::testing {

// Composition of x -> a x + b modulo 2^32: associative, not commutative. A pair is (a, b).
inline void compose(const unsigned *left, unsigned *right) {
    right[1] = left[0] * right[1] + left[1];
    right[0] = left[0] * right[0];
}

// The same as a user's function. Elements are two MPI_UNSIGNEDs, wherever the datatype puts them.
inline void compose_function(void *in, void *inout, int *length, MPI_Datatype *handle) {
    const Datatype &type = *find_datatype(*handle);
    for (int i = 0; i < *length; ++i) {
        unsigned left[2], right[2];
        char *to = static_cast<char *>(inout) + i * type.extent;
        pack_bytes(static_cast<char *>(in) + i * type.extent, 1, type, 0, sizeof left, left);
        pack_bytes(to, 1, type, 0, sizeof right, right);
        compose(left, right);
        unpack_bytes(right, 0, sizeof right, to, 1, type);
    }
}

inline void make_compose(Op &op) {
    op.commutative = false;
    op.user = {reinterpret_cast<void (*)()>(compose_function), false};
}

// Drawn by all ranks from equal engines.
struct CallDraw {
    Collective collective;
    int root_side, root; // for operations that have a root
    int pairs;           // of numbers, in each block or vector
    int send_kind, receive_kind;
    bool in_place, user_op;
    unsigned number;

    CallDraw(std::minstd_rand &engine, const Communicator &comm, unsigned operation)
        : number(operation) {
        auto draw = [&](int end) {
            return static_cast<int>(engine() / 7 % static_cast<unsigned>(end));
        };
        int kinds =
            static_cast<int>(Collective::Exscan) - static_cast<int>(Collective::Barrier) + 1;
        if (comm.inter)
            kinds -= 2; // no scans
        collective = static_cast<Collective>(static_cast<int>(Collective::Barrier) + draw(kinds));
        int sizes[2] = {comm.size, comm.remote_size};
        if (comm.side == 1)
            std::swap(sizes[0], sizes[1]);
        root_side = comm.inter ? draw(2) : 0;
        root = draw(sizes[root_side]);
        bool square = collective >= Collective::Alltoall && collective <= Collective::Alltoallw;
        int how_large = draw(10);
        pairs = how_large == 0  ? 0
                : how_large < 8 ? draw(12)
                : square        ? 40 + draw(50)
                                : 600 + draw(1800);
        send_kind = draw(4);
        receive_kind = draw(4);
        in_place = draw(3) == 0 && !comm.inter;
        user_op = draw(2) == 0;
    }
};

class RandomCall {
public:
    RandomCall(Communicator &communicator, const CallDraw &drawn, const Op &user_op)
        : comm_(communicator), draw_(drawn), op_(user_op), send_type_(type_kind(drawn.send_kind)),
          receive_type_(
              type_kind(is_reduction(drawn.collective) ? drawn.send_kind : drawn.receive_kind)),
          send_(send_type_), receive_(receive_type_) {
        lay_out();
    }

    // Puts the data of start number `round` into the buffers.
    void fill(unsigned round) {
        operation_ = draw_.number * 1000 + round;
        send_.clear();
        receive_.clear();
        if (is_reduction(draw_.collective)) {
            if (contributes())
                (in_place_ ? receive_ : send_).set(0, contribution(comm_.side, comm_.rank));
        } else {
            for (size_t i = 0; i < send_.count(); ++i)
                send_.set(i, values(own(), sends_to(i)));
            if (in_place_)
                fill_in_place();
        }
        before_ = receive_.memory();
    }

    CollectiveCall call() {
        Collective collective = draw_.collective;
        if (collective == Collective::Barrier)
            return CollectiveCall(collective);
        if (!is_reduction(collective))
            return {collective, root_argument(), send_.count() > 0 ? send_.blocks() : Blocks(),
                    receive_.count() > 0 && !(in_place_ && is_scatter()) ? receive_.blocks()
                                                                         : Blocks()};
        char *receive = receives_reduction() ? receive_.address() : nullptr;
        const Datatype &type = *send_type_.type;
        Vector vector{in_place_ ? receive : send_.address(), receive,
                      draw_.pairs * 2 / send_type_.numbers, const_cast<Datatype &>(type),
                      draw_.user_op ? op_ : *find_op(MPI_SUM)};
        Share share = share_of(comm_.rank);
        return {collective, root_argument(),
                vector.with(
                    {share.first * 2 / send_type_.numbers, share.count * 2 / send_type_.numbers})};
    }

    // Checks the buffers after completion.
    void check(const char *form) {
        std::vector<char> expected = before_;
        expect_in(expected);
        if (receive_.memory() != expected)
            ADD_FAILURE() << form << " " << collective_name(draw_.collective, BlockingForm)
                          << ", operation " << draw_.number << ", side " << comm_.side << " rank "
                          << comm_.rank << ", root " << draw_.root << ", pairs " << draw_.pairs
                          << ", in place " << in_place_ << ", user op " << draw_.user_op
                          << ", types " << draw_.send_kind << " " << draw_.receive_kind;
    }

private:
    using Numbers = std::vector<unsigned>;

    // The blocks in a buffer: elements of one type, with gaps between blocks in the v and w forms.
    class Layout {
    public:
        explicit Layout(const UnsignedType &type) : type_(type) {}

        void add(int numbers, bool gap) {
            counts_.push_back(numbers / type_.numbers);
            displacements_.push_back(total_);
            total_ += counts_.back() + (gap ? 1 : 0);
        }

        void finish(bool equal, bool general) {
            equal_ = equal, general_ = general;
            for (int displacement : displacements_)
                byte_displacements_.push_back(displacement * type_.type->extent);
            handles_.assign(counts_.size(), handle_of(*type_.type));
            wide_counts_.assign(counts_.begin(), counts_.end());
            memory_.resize(static_cast<size_t>(total_ + 2) *
                           static_cast<size_t>(type_.type->extent));
        }

        void clear() { std::fill(memory_.begin(), memory_.end(), '\x5a'); }

        size_t count() const { return counts_.size(); }

        char *address() { return memory_.data(); }

        const std::vector<char> &memory() const { return memory_; }

        Blocks blocks() {
            if (equal_)
                return Blocks::equal(address(), counts_.at(0), *type_.type);
            if (general_)
                return Blocks::general(address(), wide_counts_.data(), byte_displacements_.data(),
                                       handles_.data());
            return Blocks::varying(address(), counts_.data(), displacements_.data(), *type_.type);
        }

        void set(size_t i, const Numbers &values) { put(memory_, i, values); }

        // Stores values into a copy of the memory.
        void put(std::vector<char> &memory, size_t i, const Numbers &values) const {
            if (values.empty())
                return;
            char *to = memory.data() + displacements_[i] * type_.type->extent;
            unpack_bytes(values.data(), 0, values.size() * sizeof(unsigned), to, counts_[i],
                         *type_.type);
        }

    private:
        const UnsignedType &type_;
        std::vector<int> counts_, displacements_;
        std::vector<MPI_Count> wide_counts_;
        std::vector<MPI_Aint> byte_displacements_;
        std::vector<MPI_Datatype> handles_;
        std::vector<char> memory_;
        int total_ = 0;
        bool equal_ = true, general_ = false;
    };

    struct Id {
        int side, rank;

        int number() const { return side * 100000 + rank; }
    };

    int type_kind(int kind) const {
        if (!is_reduction(draw_.collective))
            return kind;
        return draw_.user_op ? 1 + kind % 3 : 0;
    }

    Id own() const { return {comm_.side, comm_.rank}; }

    int other_side() const { return comm_.inter ? 1 - comm_.side : comm_.side; }

    bool is_rooted() const {
        return (draw_.collective >= Collective::Bcast &&
                draw_.collective <= Collective::Scatterv) ||
               draw_.collective == Collective::Reduce;
    }

    bool is_root() const { return draw_.root_side == comm_.side && draw_.root == comm_.rank; }

    // Returns whether this rank exchanges data with the root.
    bool is_peer() const { return !comm_.inter || comm_.side != draw_.root_side; }

    bool is_gather() const {
        return draw_.collective == Collective::Gather || draw_.collective == Collective::Gatherv;
    }

    bool is_scatter() const {
        return draw_.collective == Collective::Scatter || draw_.collective == Collective::Scatterv;
    }

    bool is_alltoall() const {
        return draw_.collective >= Collective::Alltoall &&
               draw_.collective <= Collective::Alltoallw;
    }

    bool varies() const {
        switch (draw_.collective) {
        case Collective::Gatherv:
        case Collective::Scatterv:
        case Collective::Allgatherv:
        case Collective::Alltoallv:
        case Collective::Alltoallw:
            return true;
        default:
            return false;
        }
    }

    int root_argument() const {
        if (!is_rooted())
            return -1;
        if (is_peer())
            return draw_.root;
        return is_root() ? MPI_ROOT : MPI_PROC_NULL;
    }

    // Identifies what goes from one rank to another; `to` does not matter where all get the same.
    Id target(Id to) const { return is_scatter() || is_alltoall() ? to : Id{0, 0}; }

    int numbers(Id from, Id to) const {
        int most = draw_.pairs;
        if (varies()) {
            Id who = is_scatter() ? to : from;
            int a = who.number(), b = is_alltoall() ? to.number() : 0;
            if (is_alltoall() && draw_.in_place && a > b)
                std::swap(a, b); // as much in both directions
            most = static_cast<int>(datum(draw_.number, a, b, 7) %
                                    static_cast<unsigned>(draw_.pairs + 1));
        }
        return most * 2;
    }

    Numbers values(Id from, Id to) const {
        return data(operation_, from.number(), target(to).number(),
                    static_cast<size_t>(numbers(from, to)));
    }

    Id sends_to(size_t i) const {
        return is_scatter() || is_alltoall() ? Id{other_side(), static_cast<int>(i)} : Id{0, 0};
    }

    Id receives_from(size_t i) const {
        if (draw_.collective == Collective::Bcast || is_scatter())
            return {draw_.root_side, draw_.root};
        return {other_side(), static_cast<int>(i)};
    }

    void lay_out() {
        Collective collective = draw_.collective;
        if (is_reduction(collective)) {
            in_place_ = draw_.in_place && (collective != Collective::Reduce || is_root());
            send_.add(draw_.pairs * 2, true);
            receive_.add(draw_.pairs * 2, true);
        } else if (collective != Collective::Barrier) {
            lay_out_movement();
        }
        bool general = collective == Collective::Alltoallw;
        send_.finish(!varies() || is_gather() || collective == Collective::Allgatherv, general);
        receive_.finish(!varies() || is_scatter(), general);
    }

    void lay_out_movement() {
        bool from_root = draw_.collective == Collective::Bcast || is_scatter();
        bool to_root = is_gather();
        bool sends = from_root ? is_root() : to_root ? is_peer() : true;
        bool receives = to_root ? is_root() : from_root ? is_peer() : true;
        if (draw_.collective == Collective::Bcast && !comm_.inter && is_root())
            receives = false;
        in_place_ = draw_.in_place && draw_.collective != Collective::Bcast &&
                    (!from_root || is_root()) && (!to_root || is_root());
        size_t peers = static_cast<size_t>(comm_.remote_size);
        if (sends && !(in_place_ && !is_scatter()))
            for (size_t i = 0; i < (is_scatter() || is_alltoall() ? peers : 1); ++i)
                send_.add(numbers(own(), sends_to(i)), varies());
        if (receives)
            for (size_t i = 0; i < (from_root ? 1 : peers); ++i)
                receive_.add(numbers(receives_from(i), own()), varies());
    }

    void fill_in_place() {
        if (is_scatter())
            return; // what it would receive is not touched
        for (size_t i = 0; i < receive_.count(); ++i) {
            Id peer{comm_.side, static_cast<int>(i)};
            if (is_alltoall())
                receive_.set(i, values(own(), peer));
            else if (peer.rank == comm_.rank)
                receive_.set(i, values(own(), own()));
        }
    }

    void expect_in(std::vector<char> &memory) {
        if (is_reduction(draw_.collective)) {
            expect_reduced(memory);
            return;
        }
        if (in_place_ && is_scatter())
            return;
        for (size_t i = 0; i < receive_.count(); ++i)
            receive_.put(memory, i, values(receives_from(i), own()));
    }

    // Reductions

    bool contributes() const { return draw_.collective != Collective::Reduce || is_peer(); }

    bool receives_reduction() const { return draw_.collective != Collective::Reduce || is_root(); }

    Numbers contribution(int side, int rank) const {
        return data(operation_, Id{side, rank}.number(), 0, static_cast<size_t>(draw_.pairs) * 2);
    }

    Numbers fold(int side, int end) const {
        Numbers result = contribution(side, end - 1);
        for (int rank = end - 2; rank >= 0; --rank) {
            Numbers left = contribution(side, rank);
            for (size_t i = 0; i < left.size(); i += 2) {
                if (draw_.user_op) {
                    compose(&left[i], &result[i]);
                } else {
                    result[i] += left[i];
                    result[i + 1] += left[i + 1];
                }
            }
        }
        return result;
    }

    // Returns the share in MPI_Reduce_scatter(_block), in pairs.
    Share share_of(int rank) const {
        Count first = rank * static_cast<Count>(draw_.pairs) / comm_.size;
        return {first, (rank + 1) * static_cast<Count>(draw_.pairs) / comm_.size - first};
    }

    void expect_reduced(std::vector<char> &memory) {
        switch (draw_.collective) {
        case Collective::Reduce:
            if (is_root())
                receive_.put(memory, 0, fold(other_side(), comm_.remote_size));
            break;
        case Collective::Allreduce:
            receive_.put(memory, 0, fold(other_side(), comm_.remote_size));
            break;
        case Collective::Scan:
            receive_.put(memory, 0, fold(0, comm_.rank + 1));
            break;
        case Collective::Exscan:
            if (comm_.rank > 0)
                receive_.put(memory, 0, fold(0, comm_.rank));
            break;
        default: {
            Share share = share_of(comm_.rank);
            Numbers all = fold(other_side(), comm_.remote_size);
            receive_.put(memory, 0,
                         Numbers(all.begin() + share.first * 2,
                                 all.begin() + (share.first + share.count) * 2));
        }
        }
    }

    Communicator &comm_;
    CallDraw draw_;
    const Op &op_;
    UnsignedType send_type_, receive_type_;
    Layout send_, receive_;
    std::vector<char> before_; // the receive buffer's memory
    unsigned operation_ = 0;
    bool in_place_ = false;
};

} // namespace thrum::testing
