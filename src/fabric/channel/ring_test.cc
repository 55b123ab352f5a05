// Tests the ring of packet slots: order, room, reuse, and two threads at its ends; and the inbox:
// room.
#include "base/bytes.h"
#include "base/testing/seed.h"
#include "fabric/channel/inbox.h"
#include "fabric/channel/ring.h"

#include <deque>
#include <gtest/gtest.h>
#include <memory>
#include <thread>
#include <vector>

namespace thrum {
namespace {

struct TestRing {
    RingGeometry geometry;
    std::vector<std::max_align_t> memory;
    RingWriter writer;
    RingReader reader;

    explicit TestRing(const RingGeometry &g)
        : geometry(g), memory(g.ring_bytes() / sizeof(std::max_align_t) + 8),
          writer(start(), g, NodeProcess(3), Channel::Collective), reader(start(), g) {}

    void *start() {
        return reinterpret_cast<void *>(align_up(reinterpret_cast<uintptr_t>(memory.data()), 64));
    }
};

struct Message {
    std::vector<char> header, payload;
};

Message random_message(std::mt19937 &random, size_t payload_max) {
    Message message;
    message.header.resize(random() % (header_bytes_max + 1));
    bool is_short = random() % 2;
    message.payload.resize(random() % ((is_short ? 200 : payload_max) + 1));
    for (auto *bytes : {&message.header, &message.payload})
        for (char &c : *bytes)
            c = static_cast<char>(random());
    return message;
}

bool put(RingWriter &writer, const Message &message) {
    iovec parts[2] = {{const_cast<char *>(message.payload.data()), message.payload.size() / 3},
                      {const_cast<char *>(message.payload.data()) + message.payload.size() / 3,
                       message.payload.size() - message.payload.size() / 3}};
    PacketHead head{MessageKind::Test, true, true, static_cast<uint8_t>(message.header.size()),
                    static_cast<uint32_t>(message.payload.size())};
    return writer.try_put({head, message.header.data(), {parts, 2, 0, message.payload.size()}});
}

bool take(RingReader &reader, Message &message) {
    return reader.next([&](const PacketHead &head, const void *header, const void *payload) {
        const auto *h = static_cast<const char *>(header);
        const auto *p = static_cast<const char *>(payload);
        message.header.assign(h, h + head.header_bytes);
        message.payload.assign(p, p + head.payload_bytes);
    });
}

TEST(Ring, RandomPacketsArriveWholeAndInOrderWhateverTheGeometry) {
    std::mt19937 random(testing::test_seed());
    for (int round = 0; round < 40; ++round) {
        RingGeometry geometry{static_cast<uint32_t>(128 + 64 * (random() % 8)), 4U << random() % 5,
                              1024U << random() % 6};
        TestRing ring(geometry);
        std::deque<Message> expected;
        bool all_given_back = true;
        for (int i = 0; i < 2000; ++i) {
            Message message = random_message(random, geometry.piece_bytes_max());
            if (random() % 2) {
                if (put(ring.writer, message))
                    expected.push_back(message);
                else
                    ASSERT_FALSE(all_given_back) << "no room in an empty ring";
            } else if (take(ring.reader, message)) {
                ASSERT_FALSE(expected.empty());
                EXPECT_EQ(message.header, expected.front().header);
                EXPECT_EQ(message.payload, expected.front().payload);
                expected.pop_front();
                if (random() % 3 == 0)
                    ring.reader.give_back();
            } else {
                ASSERT_TRUE(expected.empty());
                ring.reader.give_back();
            }
            all_given_back = expected.empty() && ring.writer.is_settled();
        }
        ring.reader.give_back();
    }
}

TEST(Ring, AFullRingHasRoomAgainOnceItsPacketsAreGivenBack) {
    TestRing ring({256, 4, 1024});
    Message message{{'h'}, {'p'}};
    for (int i = 0; i < 4; ++i)
        ASSERT_TRUE(put(ring.writer, message));
    EXPECT_FALSE(put(ring.writer, message));
    EXPECT_TRUE(ring.writer.wait_for_room());
    ASSERT_TRUE(take(ring.reader, message));
    EXPECT_TRUE(ring.reader.give_back()) << "the writer waits";
    EXPECT_TRUE(put(ring.writer, message));
    EXPECT_FALSE(ring.reader.give_back()) << "it has been told";
}

// Two threads: whenever the writer has to wait, the reader must notify it.
TEST(Ring, AWriterThatWaitsForRoomIsAlwaysTold) {
    TestRing ring({128, 8, 2048});
    constexpr uint32_t packets = 200'000;
    std::atomic<uint32_t> told{0};
    std::thread writer([&] {
        std::mt19937 random(testing::test_seed());
        for (uint32_t i = 0; i < packets; ++i) {
            Message message{{}, std::vector<char>(random() % 500 + sizeof i)};
            std::memcpy(message.payload.data(), &i, sizeof i);
            while (!put(ring.writer, message)) {
                uint32_t before = told.load(std::memory_order_acquire);
                if (!ring.writer.wait_for_room())
                    continue;
                while (told.load(std::memory_order_acquire) == before)
                    ::sched_yield();
            }
        }
    });
    Message message;
    for (uint32_t i = 0; i < packets;) {
        if (!take(ring.reader, message)) {
            ::sched_yield();
            continue;
        }
        uint32_t number;
        std::memcpy(&number, message.payload.data(), sizeof number);
        ASSERT_EQ(number, i++);
        if (ring.reader.give_back())
            told.fetch_add(1, std::memory_order_release);
    }
    writer.join();
}

// Takes everything, like SharedMemory::take_from_inbox(); returns how many processes it notifies of
// room.
int take_all(Inbox &inbox) {
    uint64_t at = inbox.taken.load(), start = at;
    while (inbox.next(at, [](const InboxRecord &, const char *, const char *) {})) {
    }
    int told = 0;
    if (at != start)
        inbox.give_back(at, [&](int) { ++told; });
    return told;
}

// No later event would report room: the reader has taken everything, and sleeps.
TEST(Inbox, AWriterDoesNotWaitForRoomThatWasMadeAfterItsAttempt) {
    auto inbox = std::make_unique<Inbox>();
    std::vector<char> payload(Inbox::piece_bytes_max);
    iovec part{payload.data(), payload.size()};
    Packet packet{{MessageKind::Test, true, true, 0, static_cast<uint32_t>(payload.size())},
                  nullptr,
                  {&part, 1, 0, payload.size()}};
    const InboxRecord record{0, NodeProcess(5), {}, Channel::PointToPoint, false};
    uint64_t taken_seen = 0;
    for (int round = 0; round < 100; ++round) {
        while (inbox->try_put(record, packet, taken_seen)) {
        }
        const bool reader_is_first = round % 2;
        if (reader_is_first) {
            EXPECT_EQ(take_all(*inbox), 0);
            EXPECT_FALSE(inbox->wait_for_room(NodeProcess(5), taken_seen));
        } else {
            EXPECT_TRUE(inbox->wait_for_room(NodeProcess(5), taken_seen));
            EXPECT_EQ(take_all(*inbox), 1);
        }
        take_all(*inbox);
        inbox->somebody_waits.store(0);
        inbox->waiting[0].store(0);
    }
}

} // namespace
} // namespace thrum
