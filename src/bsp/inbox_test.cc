// Tests what a process has received for one superstep: space in its buffer, messages, wake-ups.
#include "base/settings.h"
#include "bsp/inbox.h"
#include "bsp/machine.h"
#include "comm/testing/processes.h"

#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace thrum::bsp {
namespace {

constexpr size_t buffer_size = 1024;

struct OwnInbox : Inbox {
    ~OwnInbox() { std::free(buffer); }
};

Message message_of(size_t tag_bytes, size_t payload_bytes) {
    Message message;
    message.tag_bytes = static_cast<uint32_t>(tag_bytes);
    message.payload_bytes = payload_bytes;
    return message;
}

TEST(Message, TagAndPayloadAreBothPadded) {
    EXPECT_EQ(padded(0), 0U);
    EXPECT_EQ(padded(1), 16U);
    EXPECT_EQ(padded(16), 16U);
    EXPECT_EQ(padded(17), 32U);
    Message message = message_of(3, 20);
    EXPECT_EQ(message.size_bytes(), sizeof(Message) + 16 + 32);
    EXPECT_EQ(message.tag(), reinterpret_cast<char *>(&message) + sizeof(Message));
    EXPECT_EQ(message.payload(), message.tag() + 16);
    EXPECT_EQ(message_of(0, 0).size_bytes(), sizeof(Message));
}

TEST(Inbox, ItsBufferIsFilledToTheLastByte) {
    OwnInbox inbox;
    void *first = take_room(inbox, buffer_size - 64, buffer_size);
    ASSERT_NE(first, nullptr);
    EXPECT_EQ(first, inbox.buffer);
    EXPECT_EQ(take_room(inbox, 80, buffer_size), nullptr);
    EXPECT_EQ(take_room(inbox, 64, buffer_size), inbox.buffer + buffer_size - 64);
    EXPECT_EQ(take_room(inbox, 16, buffer_size), nullptr);
    EXPECT_EQ(inbox.filled, buffer_size);
}

TEST(Inbox, MessagesComeBackAsTheyWereWritten) {
    OwnInbox inbox;
    const std::string tags[] = {"", "tag", "a tag of 20 bytes..."};
    const std::string payloads[] = {"payload", "", std::string(300, 'p')};
    for (size_t i = 0; i < 3; ++i) {
        Message header = message_of(tags[i].size(), payloads[i].size());
        header.source = static_cast<int>(i);
        void *place = take_room(inbox, header.size_bytes(), buffer_size);
        ASSERT_NE(place, nullptr);
        write_message(place, header, {tags[i].data(), tags[i].size()},
                      {payloads[i].data(), payloads[i].size()});
    }
    // Two that found no room, the newest first.
    for (int source : {3, 4}) {
        Message header = message_of(0, 5);
        header.source = source;
        auto *message = static_cast<Message *>(allocate_message(header.size_bytes()));
        write_message(message, header, {nullptr, 0}, {"large", 5});
        message->next = inbox.backup;
        inbox.backup = message;
    }
    std::vector<int> sources;
    for_each_message(inbox, [&](Message &message) {
        const auto i = static_cast<size_t>(message.source);
        sources.push_back(message.source);
        EXPECT_EQ(std::string(message.tag(), message.tag_bytes), i < 3 ? tags[i] : "");
        EXPECT_EQ(std::string(message.payload(), message.payload_bytes),
                  i < 3 ? payloads[i] : "large");
        EXPECT_EQ(reinterpret_cast<uintptr_t>(message.payload()) % payload_alignment, 0U);
    });
    EXPECT_EQ(sources, (std::vector<int>{0, 1, 2, 4, 3}));
    while (Message *message = inbox.backup) {
        inbox.backup = message->next;
        std::free(message);
    }
}

TEST(Inbox, IsSatisfiedByArrivalsAndAnswersTogether) {
    OwnInbox inbox;
    inbox.wanted = 2;
    EXPECT_FALSE(inbox.is_satisfied());
    count_arrival(inbox, 100);
    EXPECT_FALSE(inbox.is_satisfied());
    change_outstanding(inbox, 1);
    count_arrival(inbox, 50);
    EXPECT_FALSE(inbox.is_satisfied()); // a get has no answer yet
    Request request;
    request.origin = &inbox;
    finish(request);
    EXPECT_TRUE(inbox.is_satisfied());
    EXPECT_EQ(inbox.arrived.load(), 2);
    EXPECT_EQ(inbox.bytes, 150U);
}

// Rank 0 waits for two arrivals; rank 1 brings them, and must not wake it before the second.
TEST(Inbox, TheOwnerIsWokenWhenItHasAllThatItWaitsFor) {
    OwnInbox inbox;
    int brought = 0;
    run_processes(2, [&](Process &self) {
        if (self.world_rank() == 0) {
            inbox.lock.lock();
            inbox.wanted = 2;
            Task &task = current_task();
            prepare_to_suspend(task);
            inbox.waiter = &task;
            inbox.lock.unlock();
            suspend();
            EXPECT_EQ(brought, 2);
            EXPECT_EQ(inbox.waiter, nullptr);
            return;
        }
        for (bool waits = false; !waits; yield()) {
            inbox.lock.lock();
            waits = inbox.waiter != nullptr;
            inbox.lock.unlock();
        }
        for (int i = 0; i < 2; ++i) {
            for (int k = 0; k < 5; ++k)
                yield();
            inbox.lock.lock();
            ++brought;
            count_arrival(inbox, 0);
            unlock_and_wake(inbox);
        }
    });
}

TEST(Inbox, TheOwnerIsWokenToServeARequest) {
    OwnInbox inbox;
    Request request;
    run_processes(2, [&](Process &self) {
        if (self.world_rank() == 0) {
            inbox.lock.lock();
            inbox.wanted = 1; // which never comes
            Task &task = current_task();
            prepare_to_suspend(task);
            inbox.waiter = &task;
            inbox.lock.unlock();
            suspend();
            EXPECT_EQ(inbox.requests.load(), &request);
            return;
        }
        for (bool waits = false; !waits; yield()) {
            inbox.lock.lock();
            waits = inbox.waiter != nullptr;
            inbox.lock.unlock();
        }
        inbox.lock.lock();
        inbox.requests.store(&request);
        unlock_and_wake(inbox);
    });
}

// Reads the settings of an environment with this size (nullptr: the default).
void set_buffer_bytes(const char *variable) {
    const char *environment[] = {variable, nullptr};
    read_settings(environment);
}

TEST(BufferBytes, ShareAFixedMemoryWithinLimits) {
    set_buffer_bytes(nullptr);
    EXPECT_EQ(buffer_bytes(1), size_t{256} << 10);
    EXPECT_EQ(buffer_bytes(64), size_t{256} << 10);
    EXPECT_EQ(buffer_bytes(128), size_t{128} << 10);
    EXPECT_EQ(buffer_bytes(100'000), 4096U);
    set_buffer_bytes("THRUM_BSP_BUFFER=1000");
    EXPECT_EQ(buffer_bytes(1), 1008U);
    set_buffer_bytes("THRUM_BSP_BUFFER=3K");
    EXPECT_EQ(buffer_bytes(100'000), 3072U);
    set_buffer_bytes(nullptr);
}

TEST(BufferBytesDeathTest, AWrongSizeEndsTheProgram) {
    for (const char *text : {"THRUM_BSP_BUFFER=many", "THRUM_BSP_BUFFER=0", "THRUM_BSP_BUFFER=-1"})
        EXPECT_EXIT(set_buffer_bytes(text), ::testing::ExitedWithCode(2), "expected a size");
}

} // namespace
} // namespace thrum::bsp
