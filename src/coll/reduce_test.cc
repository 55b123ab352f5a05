// Compares reductions and scans with a fold in rank order that every rank computes for itself:
// operations that are not commutative, and the same bits for any number of workers.
#include "coll/testing/blocking_forms.h"
#include "coll/testing/on_each_layer.h"
#include "coll/testing/random_call.h"

#include <gtest/gtest.h>

namespace thrum {
namespace {

using namespace thrum::testing;

class Reductions : public OnEachLayer {};

enum class Kind { Reduce, Allreduce, Scatter, ScatterBlock, Scan, Exscan };

// The contribution or result of one rank.
using Numbers = std::vector<unsigned>;

// One random reduction, the same at all ranks.
struct Case {
    Kind kind;
    bool user;     // compose on pairs, else MPI_SUM on numbers
    int type_kind; // for the user's operation
    int root;
    int pairs; // contributed by each rank
    bool in_place;
    unsigned number;

    Numbers contribution(int rank) const {
        return data(number, rank, 0, static_cast<size_t>(pairs) * 2);
    }

    // Combines the contributions of [first, end).
    Numbers fold(int first, int end) const {
        Numbers result = contribution(end - 1);
        for (int rank = end - 2; rank >= first; --rank) {
            Numbers left = contribution(rank);
            for (size_t i = 0; i < left.size(); i += 2) {
                if (user) {
                    compose(&left[i], &result[i]);
                } else {
                    result[i] += left[i];
                    result[i + 1] += left[i + 1];
                }
            }
        }
        return result;
    }
};

Case draw_case(std::minstd_rand &engine, int size, unsigned number) {
    auto draw = [&](int end) {
        return static_cast<int>(engine() / 7 % static_cast<unsigned>(end));
    };
    Case c{};
    c.kind = static_cast<Kind>(draw(6));
    c.user = draw(2) == 0;
    c.type_kind = 1 + draw(3);
    c.root = draw(size);
    int how_large = draw(10);
    c.pairs = how_large == 0 ? 0 : how_large < 8 ? draw(20) : 1024 + draw(1500);
    c.in_place = draw(3) == 0;
    c.number = number;
    return c;
}

struct ReduceScatterShares {
    std::vector<Share> shares; // in pairs

    ReduceScatterShares(const Case &c, int size) : shares(static_cast<size_t>(size)) {
        Count first = 0;
        for (int rank = 0; rank < size; ++rank) {
            Count even = (rank + 1) * static_cast<Count>(c.pairs) / size - first;
            shares[static_cast<size_t>(rank)] = {first, even};
            first += even;
        }
    }
};

void try_reduction(Communicator &comm, const Case &c, const Op &user_op) {
    UnsignedType type(c.user ? c.type_kind : 0);
    int per_pair = 2 / type.numbers;
    const Op &op = c.user ? user_op : *find_op(MPI_SUM);
    TypedBuffer send(type, c.pairs * per_pair), receive(type, c.pairs * per_pair);
    Numbers mine = c.contribution(comm.rank), before(mine.size(), 77), expected = before;
    send.set(mine);
    bool in_place = c.in_place && (c.kind != Kind::Reduce || comm.rank == c.root);
    if (in_place)
        expected = mine;
    receive.set(expected);
    Vector vector{in_place ? receive.address() : send.address(), receive.address(),
                  c.pairs * per_pair, *type.type, op};
    Error error;
    switch (c.kind) {
    case Kind::Reduce:
        if (comm.rank != c.root)
            vector.receive = nullptr;
        else
            expected = c.fold(0, comm.size);
        error = reduce(comm, vector, c.root);
        break;
    case Kind::Allreduce:
        expected = c.fold(0, comm.size);
        error = allreduce(comm, vector);
        break;
    case Kind::Scatter:
    case Kind::ScatterBlock: {
        Share share = ReduceScatterShares(c, comm.size).shares[static_cast<size_t>(comm.rank)];
        Numbers all = c.fold(0, comm.size);
        std::copy_n(all.begin() + share.first * 2, share.count * 2, expected.begin());
        error = reduce_scatter(comm, vector, {share.first * per_pair, share.count * per_pair},
                               Collective::ReduceScatter);
        break;
    }
    case Kind::Scan:
        expected = c.fold(0, comm.rank + 1);
        error = scan(comm, vector);
        break;
    case Kind::Exscan:
        if (comm.rank > 0)
            expected = c.fold(0, comm.rank);
        error = exscan(comm, vector);
        break;
    }
    if (error || receive.get() != expected || !receive.gaps_are_untouched() ||
        (!in_place && send.get() != mine))
        ADD_FAILURE() << "operation " << c.number << " kind " << static_cast<int>(c.kind)
                      << " user " << c.user << " type " << c.type_kind << " pairs " << c.pairs
                      << " in place " << c.in_place << " root " << c.root << " rank " << comm.rank
                      << " " << error_detail(error.code());
}

TEST_P(Reductions, RandomSequencesCombineInRankOrder) {
    unsigned seed = test_seed();
    int operations = size() > 30 ? 15 : 80;
    Op op;
    make_compose(op);
    run([&](Process &process) {
        std::minstd_rand engine(seed);
        for (int i = 1; i <= operations; ++i)
            try_reduction(*process.world,
                          draw_case(engine, process.world->size, static_cast<unsigned>(i)), op);
    });
}

std::vector<double> float_sums(const TeamOptions &options, int ranks, int count) {
    std::vector<double> result;
    auto body = [&](Process &process) {
        Communicator &comm = *process.world;
        std::vector<double> send(static_cast<size_t>(count)), receive(send.size());
        for (size_t i = 0; i < send.size(); ++i)
            send[i] = 1.0 / (1 + datum(1, comm.rank, 0, i) % 1000003);
        (void)allreduce(comm, {send.data(), receive.data(), count, *find_datatype(MPI_DOUBLE),
                               *find_op(MPI_SUM)});
        if (comm.rank == comm.size / 2)
            result = receive;
    };
    run_processes(ranks, body, options);
    return result;
}

TEST(FloatingPointSums, DoNotDependOnWorkersOrThreadLayer) {
    for (int ranks : {3, 16, 64, 100}) {
        for (int count : {1, 100, 3000}) {
            std::vector<double> expected = float_sums({1, false}, ranks, count);
            for (int repetition = 0; repetition < 3; ++repetition) {
                EXPECT_EQ(float_sums({2, false}, ranks, count), expected) << ranks << " ranks";
                EXPECT_EQ(float_sums({4, false}, ranks, count), expected) << ranks << " ranks";
                EXPECT_EQ(float_sums({0, true}, ranks, count), expected) << ranks << " ranks";
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(On, Reductions, layers_and_sizes(), name_of_layer_and_size);

} // namespace
} // namespace thrum
