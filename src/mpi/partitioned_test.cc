// Compares partitioned communication with random partitions, datatypes and orders with the bytes
// that were sent.
#include "coll/testing/on_each_layer.h"
#include "coll/testing/random_collective.h"
#include "entry/calls.h"
#include "pt2pt/freed_requests.h"
#include "pt2pt/request_pool.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>

namespace thrum {
namespace {

using namespace thrum::testing;

class Partitioned : public OnEachLayer {};

INSTANTIATE_TEST_SUITE_P(On, Partitioned,
                         ::testing::Combine(::testing::ValuesIn(layers),
                                            ::testing::Values(1, 2, 7)),
                         name_of_layer_and_size);

// One side of a transfer of `pairs` pairs of numbers.
struct Side {
    UnsignedType type;
    int partitions;
    Count count; // of a partition
    TypedBuffer buffer;

    Side(std::minstd_rand &engine, int pairs)
        : type(static_cast<int>(engine() / 7 % 4)), partitions(divisor(engine, pairs)),
          count(pairs / partitions * 2 / type.numbers), buffer(type, count * partitions) {}

    static int divisor(std::minstd_rand &engine, int n) {
        std::vector<int> divisors;
        for (int d = 1; d <= n; ++d)
            if (n % d == 0)
                divisors.push_back(d);
        return divisors[engine() / 7 % divisors.size()];
    }
};

// Every rank sends to the next one. All draw the sizes of all; the rest is each rank's own choice.
TEST_P(Partitioned, AnyPartitionsInAnyOrderArrive) {
    run([](Process &self) {
        Communicator &comm = *self.world;
        const int right = (comm.rank + 1) % comm.size;
        const int left = (comm.rank + comm.size - 1) % comm.size;
        std::minstd_rand common(test_seed());
        std::minstd_rand own(test_seed() + 100 + static_cast<unsigned>(comm.rank));
        for (unsigned i = 0; i < 25; ++i) {
            static constexpr int sizes[] = {1, 6, 12, 60, 64, 720, 5040};
            const int pairs = sizes[common() / 7 % 7];
            Side send(own, pairs), receive(own, pairs);
            MPI_Request requests[2];
            ASSERT_FALSE(mpi::psend_init(send.buffer.address(), send.partitions, send.count,
                                         *send.type.type, right, 3, comm, nullptr, &requests[0]));
            ASSERT_FALSE(mpi::precv_init(receive.buffer.address(), receive.partitions,
                                         receive.count, *receive.type.type, left, 3, comm, nullptr,
                                         &requests[1]));
            for (unsigned round = 0; round < 3; ++round) {
                const unsigned number = 10 * i + round;
                const size_t numbers = 2 * static_cast<size_t>(pairs);
                send.buffer.set(data(number, comm.rank, 0, numbers));
                std::vector<int> order(static_cast<size_t>(send.partitions));
                std::iota(order.begin(), order.end(), 0);
                std::shuffle(order.begin(), order.end(), own);
                // The number of ready partitions before which the receive is started.
                size_t start_at = own() / 7 % (order.size() + 1);
                ASSERT_FALSE(mpi::start(&requests[0]));
                for (size_t k = 0; k <= order.size(); ++k) {
                    if (k == start_at) {
                        ASSERT_FALSE(mpi::start(&requests[1]));
                    }
                    if (k < order.size()) {
                        ASSERT_FALSE(mpi::pready(order[k], requests[0]));
                    }
                }
                ASSERT_FALSE(mpi::waitall(2, requests, MPI_STATUSES_IGNORE));
                EXPECT_EQ(receive.buffer.get(), data(number, left, 0, numbers));
            }
            EXPECT_TRUE(receive.buffer.gaps_are_untouched());
            ASSERT_FALSE(mpi::request_free(&requests[0]));
            ASSERT_FALSE(mpi::request_free(&requests[1]));
        }
        (void)finish_requests_of_world(self);
    });
}

// Section 4.2.2: a partition has arrived once all of it is ready, whatever the others are.
TEST_P(Partitioned, ArrivesPartitionByPartition) {
    run([](Process &self) {
        Communicator &comm = *self.world;
        std::minstd_rand engine(test_seed() + 7 + static_cast<unsigned>(comm.rank));
        for (unsigned i = 0; i < 20; ++i) { // with itself, so nothing depends on timing
            Side send(engine, 60), receive(engine, 60);
            MPI_Request requests[2];
            ASSERT_FALSE(mpi::psend_init(send.buffer.address(), send.partitions, send.count,
                                         *send.type.type, comm.rank, 0, comm, nullptr,
                                         &requests[0]));
            ASSERT_FALSE(mpi::precv_init(receive.buffer.address(), receive.partitions,
                                         receive.count, *receive.type.type, comm.rank, 0, comm,
                                         nullptr, &requests[1]));
            ASSERT_FALSE(mpi::start(&requests[1]));
            ASSERT_FALSE(mpi::start(&requests[0]));
            send.buffer.set(data(i, comm.rank, 0, 120));
            std::vector<bool> ready(60); // by pair
            for (int done = 0; done < send.partitions; ++done) {
                int partition;
                do
                    partition =
                        static_cast<int>(engine() / 7 % static_cast<unsigned>(send.partitions));
                while (ready[static_cast<size_t>(partition * (60 / send.partitions))]);
                ASSERT_FALSE(mpi::pready(partition, requests[0]));
                std::fill_n(ready.begin() + partition * (60 / send.partitions),
                            60 / send.partitions, true);
                for (int q = 0; q < receive.partitions; ++q) {
                    int each = 60 / receive.partitions, flag = -1;
                    bool expected =
                        std::all_of(ready.begin() + q * each, ready.begin() + (q + 1) * each,
                                    [](bool is_ready) { return is_ready; });
                    ASSERT_FALSE(mpi::parrived(requests[1], q, &flag));
                    EXPECT_EQ(flag, expected);
                }
            }
            ASSERT_FALSE(mpi::waitall(2, requests, MPI_STATUSES_IGNORE));
            EXPECT_EQ(receive.buffer.get(), data(i, comm.rank, 0, 120));
            ASSERT_FALSE(mpi::request_free(&requests[0]));
            ASSERT_FALSE(mpi::request_free(&requests[1]));
        }
        (void)finish_requests_of_world(self);
    });
}

} // namespace
} // namespace thrum
