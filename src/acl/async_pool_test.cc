// Asynchronous messages: the pool, the list, matching.
#include "acl/asynchronous.h"
#include "acl/testing/partition.h"
#include "fiber/testing/each_layer.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

using namespace thrum;

namespace {

class Asynchronous : public ::testing::TestWithParam<TeamOptions> {};

INSTANTIATE_TEST_SUITE_P(On, Asynchronous, thrum::testing::each_layer(),
                         thrum::testing::name_of_layer);

void send_int(ProcessingElement &self, int dest, int tag, int value) {
    asynchronous_send(self, dest, tag, &value, sizeof value);
}

int receive_int(ProcessingElement &self, int source, int tag, AsyncMessage *message = nullptr) {
    int value = -1;
    AsyncMessage received;
    self.async.wait_receive({source, tag}, &value, sizeof value, received);
    EXPECT_EQ(received.size_bytes, sizeof value);
    if (message)
        *message = received;
    return value;
}

bool nothing_there(ProcessingElement &self, int source, int tag) {
    AsyncMessage received;
    return !self.async.receive({source, tag}, nullptr, 0, received);
}

TEST(Asynchronous, AReceiveWithoutAMessageReturnsAtOnce) {
    run_partition(1, [](ProcessingElement &self) {
        EXPECT_TRUE(nothing_there(self, -1, -1));
        send_int(self, 0, 3, 42);
        EXPECT_TRUE(nothing_there(self, 0, 4));
        EXPECT_EQ(receive_int(self, 0, 3), 42);
        EXPECT_TRUE(nothing_there(self, -1, -1));
    });
}

TEST(Asynchronous, TagsSelectAndTheOldestThatMatchesComesFirst) {
    run_partition(1, [](ProcessingElement &self) {
        for (int i = 0; i < 10; ++i)
            send_int(self, 0, i % 2, i);
        for (int i = 1; i < 10; i += 2)
            EXPECT_EQ(receive_int(self, 0, 1), i);
        for (int i = 0; i < 10; i += 2)
            EXPECT_EQ(receive_int(self, -1, -1), i);
    });
}

// The pool holds 64 messages: older ones are in the list by then.
TEST(Asynchronous, MoreMessagesThanThePoolHoldsKeepTheirOrder) {
    run_partition(1, [](ProcessingElement &self) {
        constexpr int messages = 10 * static_cast<int>(AsyncPool::buffer_count) + 7;
        for (int i = 0; i < messages; ++i)
            send_int(self, 0, i % 3, i);
        for (int i = 2; i < messages; i += 3) // holes in list and pool
            ASSERT_EQ(receive_int(self, 0, 2), i);
        for (int i = 0; i < messages; ++i) {
            if (i % 3 != 2) {
                AsyncMessage message;
                ASSERT_EQ(receive_int(self, 0, -1, &message), i);
                ASSERT_EQ(message.tag, i % 3);
            }
        }
    });
}

TEST(Asynchronous, LargeMessagesLieBesideThePool) {
    run_partition(1, [](ProcessingElement &self) {
        std::vector<std::string> sent;
        for (size_t i = 0; i < 200; ++i) {
            sent.emplace_back(i * 97, static_cast<char>('a' + i % 26));
            self.async.send(0, 0, sent[i].data(), sent[i].size());
        }
        for (const std::string &expected : sent) {
            std::string room(20000, '?');
            AsyncMessage received;
            self.async.wait_receive({0, 0}, room.data(), room.size(), received);
            ASSERT_EQ(room.substr(0, received.size_bytes), expected);
            ASSERT_EQ(room[received.size_bytes], '?');
        }
    });
}

TEST_P(Asynchronous, AWaitingReceiverIsWokenByItsMessageOnly) {
    run_partition(
        3,
        [](ProcessingElement &self) {
            for (int round = 0; round < 300; ++round) {
                if (self.address == 0) {
                    EXPECT_EQ(receive_int(self, 2, 5), round);
                    EXPECT_EQ(receive_int(self, 1, -1), -round);
                    send_int(self, 1, 0, 0);
                    send_int(self, 2, 0, 0);
                } else {
                    if (round % 3 == self.address)
                        yield();
                    send_int(self, 0, self.address == 2 ? 5 : 4,
                             self.address == 2 ? round : -round);
                    receive_int(self, 0, 0);
                }
            }
        },
        GetParam());
}

TEST_P(Asynchronous, ManySendersFillOnePoolAndNothingIsLost) {
    constexpr int senders = 8, messages = 2000;
    run_partition(
        senders + 1,
        [](ProcessingElement &self) {
            if (self.address > 0) {
                for (int i = 0; i < messages; ++i)
                    send_int(self, 0, i % 2, i);
                return;
            }
            std::vector<int> next(senders + 1, 0);
            for (int i = 0; i < senders * messages; ++i) {
                AsyncMessage message;
                int value = receive_int(self, -1, -1, &message);
                ASSERT_EQ(value, next[static_cast<size_t>(message.source)]++);
            }
            EXPECT_TRUE(nothing_there(self, -1, -1));
        },
        GetParam());
}

// Nobody receives before all have sent: senders must not need their receivers.
TEST_P(Asynchronous, EverybodySendsFirst) {
    constexpr int elements = 6, messages = 500;
    run_partition(
        elements,
        [](ProcessingElement &self) {
            for (int i = 0; i < messages; ++i)
                for (int dest = 0; dest < elements; ++dest)
                    send_int(self, dest, 0, i);
            for (int source = elements; source-- > 0;)
                for (int i = 0; i < messages; ++i)
                    ASSERT_EQ(receive_int(self, source, 0), i);
        },
        GetParam());
}

TEST_P(Asynchronous, ASenderWaitsWhileItsReceiverHasTooMuch) {
    constexpr size_t message_bytes = 8 << 20;
    constexpr int messages = 20; // 160 MiB
    run_partition(
        2,
        [](ProcessingElement &self) {
            static std::atomic<int> sent;
            if (self.address == 0) {
                sent = 0;
                std::vector<char> data(message_bytes);
                for (int i = 0; i < messages; ++i) {
                    data[0] = static_cast<char>(i);
                    ProcessingElement &receiver = self.partition.element(1);
                    receiver.async.send(0, 0, data.data(), data.size());
                    ++sent;
                }
            } else {
                std::vector<char> room(message_bytes);
                for (int i = 0; i < messages; ++i) {
                    AsyncMessage received;
                    self.async.wait_receive({0, 0}, room.data(), room.size(), received);
                    ASSERT_EQ(room[0], static_cast<char>(i));
                    ASSERT_LE(sent, i + 1 + 8); // 64 MiB ahead at most
                }
            }
        },
        GetParam());
}

TEST(Asynchronous, WhatNobodyHasReceivedIsAnErrorAtTheEnd) {
    run_processes(2, [](Process &process) {
        ASSERT_FALSE(begin_partition(process, false));
        if (current_element()->address == 0) {
            send_int(*current_element(), 1, 9, 0);
            send_int(*current_element(), 1, 8, 0);
        }
        const bool guilty = current_element()->address == 1;
        Error error = end_partition(*current_element());
        EXPECT_EQ(error.code(), guilty ? MPI_ERR_PENDING : MPI_SUCCESS);
        if (guilty) {
            EXPECT_STREQ(error_detail(error.code()),
                         "2 asynchronous messages were sent to this rank that it has not "
                         "received; the oldest is from rank 0, tag 9, 4 bytes");
        }
    });
}

} // namespace
