// Compares collective operations with what every rank can compute for itself: random sequences of
// operations, sizes, roots and datatypes, on both thread layers.
#include "coll/testing/blocking_forms.h"
#include "coll/testing/on_each_layer.h"
#include "coll/testing/random_collective.h"

#include <gtest/gtest.h>

namespace thrum {
namespace {

using namespace thrum::testing;

class Collectives : public OnEachLayer {};

// All ranks draw the same numbers, so all agree on what is done.
struct Draw {
    std::minstd_rand engine;
    unsigned number = 0; // of the operation

    int operator()(int end) { return static_cast<int>(engine() / 7 % static_cast<unsigned>(end)); }

    // Returns mostly small counts, sometimes beyond every limit of the small algorithms.
    int count() {
        int kind = (*this)(10);
        return kind == 0  ? 0
               : kind < 8 ? (*this)(12)
               : kind < 9 ? 700 + (*this)(300)
                          : 6000 + (*this)(999);
    }

    int modest_count() {
        int kind = (*this)(8);
        return kind == 0 ? 0 : kind < 7 ? (*this)(9) : 200 + (*this)(300);
    }
};

void expect(TypedBuffer &buffer, const std::vector<unsigned> &expected, const char *what,
            unsigned number, int rank) {
    if (buffer.get() != expected)
        ADD_FAILURE() << what << ", operation " << number << ", rank " << rank << ": wrong data";
    if (!buffer.gaps_are_untouched())
        ADD_FAILURE() << what << ", operation " << number << ", rank " << rank << ": wrote outside";
}

void expect_success(Error error, const char *what) {
    if (error)
        ADD_FAILURE() << what << ": " << error_detail(error.code());
}

void append(std::vector<unsigned> &to, const std::vector<unsigned> &from) {
    to.insert(to.end(), from.begin(), from.end());
}

void try_bcast(Communicator &comm, Draw &draw) {
    int root = draw(comm.size), pairs = draw.count(), first_kind = draw(4);
    UnsignedType type(first_kind + comm.rank); // different types, equal signatures
    Count count = pairs * 2 / type.numbers;
    TypedBuffer buffer(type, count);
    std::vector<unsigned> values = data(draw.number, root, 0, buffer.numbers());
    if (comm.rank == root)
        buffer.set(values);
    expect_success(broadcast(comm, buffer.block(), root), "bcast");
    expect(buffer, values, "bcast", draw.number, comm.rank);
}

void try_gather(Communicator &comm, Draw &draw) {
    int root = draw(comm.size), pairs = draw.modest_count(), kind = draw(4), receive_kind = draw(4);
    bool in_place = draw(3) == 0, is_root = comm.rank == root;
    UnsignedType send_type(kind + comm.rank), receive_type(receive_kind);
    TypedBuffer send(send_type, pairs * 2 / send_type.numbers);
    send.set(data(draw.number, comm.rank, 0, send.numbers()));
    Count each = pairs * 2 / receive_type.numbers;
    TypedBuffer receive(receive_type, is_root ? each * comm.size : 0);
    Blocks blocks = Blocks::equal(receive.address(), each, *receive_type.type);
    std::vector<unsigned> expected;
    for (int rank = 0; rank < comm.size && is_root; ++rank)
        append(expected, data(draw.number, rank, 0, send.numbers()));
    if (is_root && in_place)
        receive.set(expected); // only its own part matters, the others are received again
    Block block = send.block();
    expect_success(gather(comm, is_root && in_place ? nullptr : &block, is_root ? &blocks : nullptr,
                          root, Collective::Gather),
                   "gather");
    expect(receive, expected, "gather", draw.number, comm.rank);
}

// Counts and displacements of a v-form, in reverse order of ranks, with gaps of one element.
struct Varying {
    std::vector<int> counts, displacements;
    int total = 0;

    Varying(unsigned operation, int size, int rank, int limit) : counts(size), displacements(size) {
        for (int peer = size - 1; peer >= 0; --peer) {
            auto i = static_cast<size_t>(peer);
            counts[i] = count(operation, peer, rank, limit);
            displacements[i] = total;
            total += counts[i] + 1;
        }
    }

    // Returns how many elements go from `from` to `to`.
    static int count(unsigned operation, int from, int to, int limit) {
        return static_cast<int>(datum(operation, from, to, 12345) % static_cast<unsigned>(limit));
    }
};

std::vector<unsigned> part(TypedBuffer &buffer, int first, int count) {
    std::vector<unsigned> all = buffer.get();
    return {all.begin() + first, all.begin() + first + count};
}

void try_gatherv(Communicator &comm, Draw &draw) {
    int root = draw(comm.size), limit = 1 + draw.modest_count();
    UnsignedType type(0);
    Varying varying(draw.number, comm.size, 0, limit);
    bool is_root = comm.rank == root;
    TypedBuffer send(type, varying.counts[static_cast<size_t>(comm.rank)]);
    send.set(data(draw.number, comm.rank, 0, send.numbers()));
    TypedBuffer receive(type, is_root ? varying.total : 0);
    Blocks blocks = Blocks::varying(receive.address(), varying.counts.data(),
                                    varying.displacements.data(), *type.type);
    Block block = send.block();
    expect_success(gather(comm, &block, is_root ? &blocks : nullptr, root, Collective::Gatherv),
                   "gatherv");
    for (int rank = 0; rank < comm.size && is_root; ++rank) {
        auto i = static_cast<size_t>(rank);
        EXPECT_EQ(part(receive, varying.displacements[i], varying.counts[i]),
                  data(draw.number, rank, 0, static_cast<size_t>(varying.counts[i])));
    }
}

void try_scatter(Communicator &comm, Draw &draw) {
    int root = draw(comm.size), pairs = draw.modest_count(), kind = draw(4), send_kind = draw(4);
    bool in_place = draw(3) == 0, is_root = comm.rank == root;
    UnsignedType send_type(send_kind), receive_type(kind + comm.rank);
    Count each = pairs * 2 / send_type.numbers;
    TypedBuffer send(send_type, is_root ? each * comm.size : 0);
    std::vector<unsigned> values;
    for (int rank = 0; rank < comm.size && is_root; ++rank)
        append(values, data(draw.number, root, rank, static_cast<size_t>(pairs) * 2));
    send.set(values);
    TypedBuffer receive(receive_type, pairs * 2 / receive_type.numbers);
    std::vector<unsigned> expected = data(draw.number, root, comm.rank, receive.numbers());
    if (is_root && in_place)
        receive.set(expected);
    Blocks blocks = Blocks::equal(send.address(), each, *send_type.type);
    Block block = receive.block();
    expect_success(scatter(comm, is_root ? &blocks : nullptr,
                           is_root && in_place ? nullptr : &block, root, Collective::Scatter),
                   "scatter");
    expect(receive, expected, "scatter", draw.number, comm.rank);
}

void try_scatterv(Communicator &comm, Draw &draw) {
    int root = draw(comm.size), limit = 1 + draw.modest_count();
    UnsignedType type(0);
    Varying varying(draw.number, comm.size, 0, limit);
    bool is_root = comm.rank == root;
    TypedBuffer send(type, is_root ? varying.total : 0);
    std::vector<unsigned> values(send.numbers());
    for (int rank = 0; rank < comm.size && is_root; ++rank) {
        auto i = static_cast<size_t>(rank);
        std::vector<unsigned> its =
            data(draw.number, root, rank, static_cast<size_t>(varying.counts[i]));
        std::copy(its.begin(), its.end(), values.begin() + varying.displacements[i]);
    }
    send.set(values);
    TypedBuffer receive(type, varying.counts[static_cast<size_t>(comm.rank)]);
    Blocks blocks = Blocks::varying(send.address(), varying.counts.data(),
                                    varying.displacements.data(), *type.type);
    Block block = receive.block();
    expect_success(scatter(comm, is_root ? &blocks : nullptr, &block, root, Collective::Scatterv),
                   "scatterv");
    expect(receive, data(draw.number, root, comm.rank, receive.numbers()), "scatterv", draw.number,
           comm.rank);
}

void try_allgather(Communicator &comm, Draw &draw) {
    int pairs = draw.modest_count(), kind = draw(4), receive_kind = draw(4);
    bool in_place = draw(3) == 0;
    UnsignedType send_type(kind + comm.rank), receive_type(receive_kind);
    TypedBuffer send(send_type, pairs * 2 / send_type.numbers);
    std::vector<unsigned> mine = data(draw.number, comm.rank, 0, send.numbers()), expected, initial;
    send.set(mine);
    Count each = pairs * 2 / receive_type.numbers;
    TypedBuffer receive(receive_type, each * comm.size);
    for (int rank = 0; rank < comm.size; ++rank) {
        append(expected, data(draw.number, rank, 0, send.numbers()));
        append(initial, rank == comm.rank ? mine : std::vector<unsigned>(send.numbers()));
    }
    receive.set(initial);
    Block block = send.block();
    expect_success(allgather(comm, in_place ? nullptr : &block,
                             Blocks::equal(receive.address(), each, *receive_type.type),
                             Collective::Allgather),
                   "allgather");
    expect(receive, expected, "allgather", draw.number, comm.rank);
}

void try_allgatherv(Communicator &comm, Draw &draw) {
    int limit = 1 + draw.modest_count();
    bool in_place = draw(3) == 0;
    UnsignedType type(0);
    Varying varying(draw.number, comm.size, 0, limit);
    TypedBuffer send(type, varying.counts[static_cast<size_t>(comm.rank)]),
        receive(type, varying.total);
    std::vector<unsigned> mine = data(draw.number, comm.rank, 0, send.numbers()),
                          initial(receive.numbers());
    send.set(mine);
    std::copy(mine.begin(), mine.end(),
              initial.begin() + varying.displacements[static_cast<size_t>(comm.rank)]);
    receive.set(initial);
    Block block = send.block();
    expect_success(allgather(comm, in_place ? nullptr : &block,
                             Blocks::varying(receive.address(), varying.counts.data(),
                                             varying.displacements.data(), *type.type),
                             Collective::Allgatherv),
                   "allgatherv");
    for (int rank = 0; rank < comm.size; ++rank) {
        auto i = static_cast<size_t>(rank);
        EXPECT_EQ(part(receive, varying.displacements[i], varying.counts[i]),
                  data(draw.number, rank, 0, static_cast<size_t>(varying.counts[i])));
    }
}

void try_alltoall(Communicator &comm, Draw &draw) {
    int pairs = draw(6), kind = draw(4), receive_kind = draw(4);
    bool in_place = draw(3) == 0;
    UnsignedType send_type(in_place ? receive_kind : kind + comm.rank), receive_type(receive_kind);
    Count send_each = pairs * 2 / send_type.numbers, each = pairs * 2 / receive_type.numbers;
    TypedBuffer send(send_type, send_each * comm.size), receive(receive_type, each * comm.size);
    std::vector<unsigned> values, expected;
    auto numbers = static_cast<size_t>(pairs) * 2;
    for (int peer = 0; peer < comm.size; ++peer) {
        append(values, data(draw.number, comm.rank, peer, numbers));
        append(expected, data(draw.number, peer, comm.rank, numbers));
    }
    (in_place ? receive : send).set(values);
    Blocks blocks = Blocks::equal(send.address(), send_each, *send_type.type);
    expect_success(alltoall(comm, in_place ? nullptr : &blocks,
                            Blocks::equal(receive.address(), each, *receive_type.type),
                            Collective::Alltoall),
                   "alltoall");
    expect(receive, expected, "alltoall", draw.number, comm.rank);
}

// Alltoallv, or Alltoallw with byte displacements and one type.
void try_alltoallv(Communicator &comm, Draw &draw) {
    int limit = 1 + draw(9);
    bool general = draw(2) == 0;
    UnsignedType type(0);
    auto size = static_cast<size_t>(comm.size);
    std::vector<int> send_counts(size), send_displacements(size), counts(size), displacements(size);
    int send_total = 0, total = 0;
    for (int peer = 0; peer < comm.size; ++peer) {
        auto i = static_cast<size_t>(peer);
        send_counts[i] = Varying::count(draw.number, comm.rank, peer, limit);
        send_displacements[i] = send_total * (general ? 4 : 1);
        send_total += send_counts[i];
        counts[i] = Varying::count(draw.number, peer, comm.rank, limit);
        displacements[i] = total * (general ? 4 : 1);
        total += counts[i];
    }
    TypedBuffer send(type, send_total), receive(type, total);
    std::vector<unsigned> values, expected;
    for (int peer = 0; peer < comm.size; ++peer) {
        auto i = static_cast<size_t>(peer);
        append(values, data(draw.number, comm.rank, peer, static_cast<size_t>(send_counts[i])));
        append(expected, data(draw.number, peer, comm.rank, static_cast<size_t>(counts[i])));
    }
    send.set(values);
    std::vector<MPI_Datatype> types(size, MPI_UNSIGNED);
    Blocks from = general ? Blocks::general(send.address(), send_counts.data(),
                                            send_displacements.data(), types.data())
                          : Blocks::varying(send.address(), send_counts.data(),
                                            send_displacements.data(), *type.type);
    Blocks to =
        general
            ? Blocks::general(receive.address(), counts.data(), displacements.data(), types.data())
            : Blocks::varying(receive.address(), counts.data(), displacements.data(), *type.type);
    expect_success(
        alltoall(comm, &from, to, general ? Collective::Alltoallw : Collective::Alltoallv),
        "alltoallv");
    expect(receive, expected, "alltoallv", draw.number, comm.rank);
}

using Operation = void(Communicator &, Draw &);
constexpr Operation *operations[] = {try_bcast,      try_gather,   try_gatherv,
                                     try_scatter,    try_scatterv, try_allgather,
                                     try_allgatherv, try_alltoall, try_alltoallv};

TEST_P(Collectives, SingleBytesAreMoved) {
    run([](Process &process) {
        Communicator &comm = *process.world;
        Datatype &byte = *find_datatype(MPI_BYTE);
        for (int root = 0; root < comm.size; root += 1 + comm.size / 3) {
            char value = comm.rank == root ? 'r' : '?';
            expect_success(broadcast(comm, {&value, 1, &byte}, root), "bcast");
            EXPECT_EQ(value, 'r');
            const char own = static_cast<char>(comm.rank + 1);
            std::vector<char> all(static_cast<size_t>(comm.rank == root ? comm.size : 0), '?');
            Blocks blocks = Blocks::equal(all.data(), 1, byte);
            Block mine{const_cast<char *>(&own), 1, &byte};
            expect_success(gather(comm, &mine, comm.rank == root ? &blocks : nullptr, root,
                                  Collective::Gather),
                           "gather");
            for (size_t i = 0; i < all.size(); ++i)
                EXPECT_EQ(all[i], static_cast<char>(i + 1));
            char scattered = '?';
            Block to{&scattered, 1, &byte};
            expect_success(scatter(comm, comm.rank == root ? &blocks : nullptr, &to, root,
                                   Collective::Scatter),
                           "scatter");
            EXPECT_EQ(scattered, own);
        }
    });
}

TEST_P(Collectives, RandomSequencesMoveTheRightData) {
    unsigned seed = test_seed();
    int rounds = size() > 50 ? 25 : 120;
    run([&](Process &process) {
        Draw draw{std::minstd_rand(seed)};
        for (draw.number = 1; draw.number <= static_cast<unsigned>(rounds); ++draw.number)
            operations[static_cast<size_t>(draw(static_cast<int>(std::size(operations))))](
                *process.world, draw);
    });
}

TEST_P(Collectives, NobodyLeavesABarrierBeforeAllHaveCome) {
    std::atomic<int> arrived{0};
    constexpr int rounds = 100;
    run([&](Process &process) {
        for (int i = 1; i <= rounds; ++i) {
            arrived.fetch_add(1, std::memory_order_relaxed);
            expect_success(barrier(*process.world), "barrier");
            int now = arrived.load(std::memory_order_relaxed);
            if (now < i * size())
                ADD_FAILURE() << "left with " << now << " of " << i * size();
            expect_success(barrier(*process.world), "barrier");
        }
    });
}

TEST_P(Collectives, BroadcastsOfManyRootsInARowStayInOrder) {
    run([&](Process &process) {
        Communicator &comm = *process.world;
        for (int i = 0; i < 400; ++i) {
            int root = i / 7 % comm.size;
            unsigned value = comm.rank == root ? static_cast<unsigned>(i) : 0;
            expect_success(
                broadcast(comm, {reinterpret_cast<char *>(&value), 1, find_datatype(MPI_UNSIGNED)},
                          root),
                "bcast");
            if (value != static_cast<unsigned>(i))
                ADD_FAILURE() << "rank " << comm.rank << " got " << value << " instead of " << i;
        }
    });
}

TEST_P(Collectives, MeetingGivesEverybodysArgument) {
    run([&](Process &process) {
        Communicator &comm = *process.world;
        for (int i = 0; i < 50; ++i) {
            int mine = comm.rank * 1000 + i;
            expect_success(meet(comm, &mine), "meet");
            for (int member = 0; member < member_count(comm); ++member)
                EXPECT_EQ(*static_cast<const int *>(argument_of(comm, member)), member * 1000 + i);
            expect_success(meet(comm, nullptr), "meet");
        }
    });
}

TEST_P(Collectives, AReceiveBufferThatIsTooSmallIsAnErrorAtItsRank) {
    run([&](Process &process) {
        Communicator &comm = *process.world;
        for (int count : {4, 5000}) {
            std::vector<int> values(static_cast<size_t>(count));
            int last = comm.size - 1;
            bool small = comm.rank == last && last > 0;
            Block block{reinterpret_cast<char *>(values.data()), small ? count - 1 : count,
                        find_datatype(MPI_INT)};
            Error error = broadcast(comm, block, 0);
            EXPECT_EQ(error.code(), small ? MPI_ERR_TRUNCATE : MPI_SUCCESS);
        }
    });
}

INSTANTIATE_TEST_SUITE_P(On, Collectives, layers_and_sizes(), name_of_layer_and_size);

} // namespace
} // namespace thrum
