// What senders leave in a tray comes out once, in the order of each, whatever is closed and
// opened in between.
#include "base/spinlock.h"
#include "base/testing/seed.h"
#include "match/mailbox.h"
#include "match/tray.h"

#include <atomic>
#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <thread>
#include <vector>

namespace thrum {
namespace {

using Left = Tray::Left;

class TestTray final : public Tray {
public:
    using Tray::Tray;

    void settle() override {
        const uint64_t end = claimed();
        while (taken() < end)
            take(await_next());
    }

    void take(const TinyMessage &message) {
        tags.push_back(message.envelope.tag);
        sources.push_back(message.envelope.source);
        drop_next();
    }

    std::vector<int> sources, tags; // of what has been taken
};

Left leave(Tray &tray, int source, int tag) {
    return tray.leave([&](TinyMessage &message) { message.envelope = {7, source, tag}; });
}

class ATray : public ::testing::Test {
protected:
    Mailbox mailbox_;
    std::unique_ptr<TestTray> tray_ = std::make_unique<TestTray>(mailbox_);
};

} // namespace

TEST_F(ATray, IsClosedAtFirst) {
    EXPECT_FALSE(tray_->is_open());
    EXPECT_EQ(leave(*tray_, 0, 0), Left::Closed);
    EXPECT_FALSE(tray_->has_next());
    EXPECT_EQ(tray_->claimed(), 0u);
}

TEST_F(ATray, IsFullWhenAllPlacesAreTaken) {
    tray_->open();
    for (int round = 0, tag = 0, taken = 0; round < 5; ++round) {
        for (; tag < taken + static_cast<int>(Tray::places); ++tag)
            ASSERT_EQ(leave(*tray_, 0, tag), Left::Yes) << tag;
        ASSERT_EQ(leave(*tray_, 0, tag), Left::Full);
        for (int end = taken + 32; taken < end; ++taken) {
            ASSERT_TRUE(tray_->has_next());
            tray_->take(*tray_->next());
        }
    }
    tray_->settle();
    EXPECT_FALSE(tray_->has_next());
    EXPECT_EQ(tray_->taken(), tray_->claimed());
    for (size_t i = 0; i < tray_->tags.size(); ++i)
        ASSERT_EQ(tray_->tags[i], static_cast<int>(i));
}

TEST_F(ATray, TakesNothingMoreWhenItIsClosed) {
    tray_->open();
    EXPECT_EQ(leave(*tray_, 3, 0), Left::Yes);
    EXPECT_EQ(tray_->close(), 1u);
    EXPECT_EQ(leave(*tray_, 3, 1), Left::Closed);
    tray_->settle();
    tray_->open();
    EXPECT_EQ(leave(*tray_, 3, 2), Left::Yes);
    tray_->settle();
    EXPECT_EQ(tray_->tags, (std::vector{0, 2}));
}

TEST_F(ATray, IsSettledByWhoLocksTheMailbox) {
    mailbox_.lock.lock_unsettled();
    tray_->open();
    mailbox_.lock.set_tray(tray_.get());
    mailbox_.lock.unlock();
    EXPECT_EQ(leave(*tray_, 3, 0), Left::Yes);
    mailbox_.lock.lock_unsettled();
    EXPECT_TRUE(tray_->tags.empty());
    mailbox_.lock.unlock();
    LockGuard guard(mailbox_.lock);
    EXPECT_EQ(tray_->tags, std::vector{0});
}

// Senders that find it closed or full put their message behind what is in it, under the lock.
TEST_F(ATray, KeepsTheOrderOfEachSender) {
    constexpr int senders = 3, messages = 30'000;
    std::mt19937_64 random(testing::test_seed());
    std::atomic<int> running{senders};
    std::vector<std::thread> threads;
    for (int source = 0; source < senders; ++source)
        threads.emplace_back([&, source] {
            for (int tag = 0; tag < messages; ++tag)
                if (leave(*tray_, source, tag) != Left::Yes) {
                    LockGuard guard(mailbox_.lock);
                    tray_->sources.push_back(source);
                    tray_->tags.push_back(tag);
                }
            running.fetch_sub(1, std::memory_order_relaxed);
        });
    while (running.load(std::memory_order_relaxed) > 0) {
        mailbox_.lock.lock_unsettled();
        tray_->open();
        mailbox_.lock.set_tray(tray_.get());
        mailbox_.lock.unlock();
        for (auto looks = random() % 200; looks > 0; --looks) {
            if (!tray_->has_next())
                continue;
            mailbox_.lock.lock_unsettled();
            while (const TinyMessage *message = tray_->next())
                tray_->take(*message);
            mailbox_.lock.unlock();
        }
        mailbox_.lock.lock_unsettled();
        tray_->close();
        tray_->settle();
        mailbox_.lock.set_tray(nullptr);
        mailbox_.lock.unlock();
    }
    for (std::thread &thread : threads)
        thread.join();
    ASSERT_EQ(tray_->tags.size(), static_cast<size_t>(senders) * messages);
    int next[senders] = {};
    for (size_t i = 0; i < tray_->tags.size(); ++i)
        ASSERT_EQ(tray_->tags[i], next[tray_->sources[i]]++) << "source " << tray_->sources[i];
}

} // namespace thrum
