// Two or three PEs: synchronous messages, in either order of arrival, on each thread layer.
#include "acl/synchronous.h"
#include "acl/testing/partition.h"
#include "fiber/testing/each_layer.h"

#include <gtest/gtest.h>
#include <numeric>
#include <vector>

using namespace thrum;

namespace {

class Synchronous : public ::testing::TestWithParam<TeamOptions> {};

INSTANTIATE_TEST_SUITE_P(On, Synchronous, thrum::testing::each_layer(),
                         thrum::testing::name_of_layer);

void ok(Error error) {
    EXPECT_EQ(error.code(), 0) << error_detail(error.code());
}

size_t receive(ProcessingElement &self, int source, void *buffer, size_t room_bytes) {
    size_t message_bytes = 0;
    ok(synchronous_receive(self, {source, buffer, room_bytes}, message_bytes));
    return message_bytes;
}

TEST_P(Synchronous, AMessageArrivesWhoeverComesFirst) {
    run_partition(
        2,
        [](ProcessingElement &self) {
            for (int round = 0; round < 1000; ++round) {
                bool late = round % 2 == self.address;
                if (late)
                    yield();
                int value = 7 * round;
                if (self.address == 0) {
                    ok(synchronous_send(self, {1, &value, sizeof value}));
                } else {
                    int received = -1;
                    EXPECT_EQ(receive(self, 0, &received, sizeof received), sizeof value);
                    EXPECT_EQ(received, value);
                }
            }
        },
        GetParam());
}

TEST_P(Synchronous, ASendReturnsWhenTheDataIsThere) {
    static int data;
    run_partition(
        2,
        [](ProcessingElement &self) {
            if (self.address == 0) {
                data = 0;
                int value = 5;
                ok(synchronous_send(self, {1, &value, sizeof value}));
                EXPECT_EQ(data, 5);
            } else {
                yield();
                receive(self, 0, &data, sizeof data);
            }
        },
        GetParam());
}

TEST_P(Synchronous, MessagesOfAPairKeepTheirOrderAndLength) {
    run_partition(
        2,
        [](ProcessingElement &self) {
            std::vector<char> buffer(70000);
            for (int i = 0; i < 300; ++i) {
                size_t bytes = static_cast<size_t>(i * i) % 70000;
                if (self.address == 0) {
                    std::fill_n(buffer.begin(), bytes, static_cast<char>(i));
                    ok(synchronous_send(self, {1, buffer.data(), bytes}));
                } else {
                    ASSERT_EQ(receive(self, 0, buffer.data(), buffer.size()), bytes);
                    for (size_t at = 0; at < bytes; ++at)
                        ASSERT_EQ(buffer[at], static_cast<char>(i));
                }
            }
        },
        GetParam());
}

TEST_P(Synchronous, ARingOfSendAndReceiveDoesNotBlock) {
    run_partition(
        7,
        [](ProcessingElement &self) {
            int size = self.partition.size, value = self.address;
            for (int step = 0; step < size; ++step) {
                int received = -1;
                size_t bytes = 0;
                ok(send_and_receive(self, {(self.address + 1) % size, &value, sizeof value},
                                    {(self.address + size - 1) % size, &received, sizeof received},
                                    bytes));
                EXPECT_EQ(bytes, sizeof value);
                EXPECT_EQ(received, (value + size - 1) % size);
                value = received;
            }
            EXPECT_EQ(value, self.address);
        },
        GetParam());
}

TEST_P(Synchronous, PairsExchangeInPlaceOfEachOther) {
    run_partition(
        2,
        [](ProcessingElement &self) {
            for (int round = 0; round < 1000; ++round) {
                int value = 2 * round + self.address, received = -1, other = 1 - self.address;
                size_t bytes = 0;
                ok(send_and_receive(self, {other, &value, sizeof value},
                                    {other, &received, sizeof received}, bytes));
                ASSERT_EQ(received, 2 * round + other);
            }
        },
        GetParam());
}

TEST_P(Synchronous, ManyPairsOfManyElementsUseBlocksOfTheirOwn) {
    constexpr int elements = 150; // three pieces of blocks each
    run_partition(
        elements,
        [](ProcessingElement &self) {
            for (int distance = 1; distance < elements; ++distance) {
                int dest = (self.address + distance) % elements;
                int source = (self.address + elements - distance) % elements;
                int value = self.address * 1000 + dest, received = -1;
                size_t bytes = 0;
                ok(send_and_receive(self, {dest, &value, sizeof value},
                                    {source, &received, sizeof received}, bytes));
                ASSERT_EQ(received, source * 1000 + self.address);
            }
        },
        GetParam());
}

TEST_P(Synchronous, AMessageThatIsTooLongIsTheReceiversErrorAndNotWritten) {
    run_partition(
        2,
        [](ProcessingElement &self) {
            for (int late = 0; late < 2; ++late) {
                if (late == self.address)
                    yield();
                int data[3] = {1, 2, 3}, room[3] = {-1, -1, -1};
                if (self.address == 0) {
                    ok(synchronous_send(self, {1, data, sizeof data}));
                    continue;
                }
                size_t bytes = 0;
                Error error = synchronous_receive(self, {0, room, 8}, bytes);
                EXPECT_EQ(error.code(), MPI_ERR_TRUNCATE);
                EXPECT_STREQ(error_detail(error.code()),
                             "the message from rank 0 has 12 bytes, but the receive buffer only 8");
                EXPECT_EQ(room[0], -1);
            }
        },
        GetParam());
}

} // namespace
