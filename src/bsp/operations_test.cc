// Tests each promise of the operations of <thrum/bsp.h>; random_program.h mixes them.
#include "bsp/inbox.h"
#include "coll/testing/on_each_layer.h"
#include "comm/testing/processes.h"
#include "thrum/bsp.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace thrum::bsp {
namespace {

using thrum::testing::layers;
using thrum::testing::OnEachLayer;

class Operations : public OnEachLayer {
protected:
    // Each process calls function(p, me) in superstep 0.
    template <class F>
    void supersteps(F function) {
        run([&](Process &) {
            bsp_begin(bsp_nprocs());
            function(bsp_nprocs(), bsp_pid());
            bsp_end();
        });
    }
};

TEST_P(Operations, APutTakesItsDataAtOnceAndWritesAtTheEnd) {
    supersteps([](int p, int me) {
        std::vector<int> area(static_cast<size_t>(p), -1);
        bsp_push_reg(area.data(), static_cast<ptrdiff_t>(area.size() * sizeof(int)));
        bsp_sync();
        for (int to = 0; to < p; ++to) {
            int value = 100 * me + to;
            bsp_put(to, &value, area.data(), me * static_cast<ptrdiff_t>(sizeof(int)),
                    sizeof value);
            value = -7;
        }
        for (int value : area)
            EXPECT_EQ(value, -1);
        bsp_sync_count(p);
        for (int from = 0; from < p; ++from)
            EXPECT_EQ(area[static_cast<size_t>(from)], 100 * from + me);
        bsp_sync();
    });
}

TEST_P(Operations, AGetReadsBeforeAnythingIsWritten) {
    supersteps([](int p, int me) {
        const int right = (me + 1) % p, left = (me + p - 1) % p;
        int own = me, read = -1, unbuffered = -1;
        bsp_push_reg(&own, sizeof own);
        bsp_sync();
        const int written = 1000 + me;
        bsp_put(right, &written, &own, 0, sizeof own);
        bsp_get(right, &own, 0, &read, sizeof read);
        EXPECT_EQ(read, -1);
        bsp_sync();
        EXPECT_EQ(read, right);
        EXPECT_EQ(own, 1000 + left);
        bsp_hpget(left, &own, 0, &unbuffered, sizeof unbuffered);
        bsp_sync();
        EXPECT_EQ(unbuffered, 1000 + (left + p - 1) % p);
    });
}

TEST_P(Operations, TagsHaveTheSizeThatWasSetInTheSuperstepBefore) {
    supersteps([](int p, int me) {
        int size_bytes = 12;
        bsp_set_tagsize(&size_bytes);
        EXPECT_EQ(size_bytes, 0);
        bsp_send((me + 1) % p, nullptr, "abc", 3); // without a tag still
        bsp_sync();
        int messages = -1, bytes = -1, status = -5;
        bsp_qsize(&messages, &bytes);
        EXPECT_EQ(messages, 1);
        EXPECT_EQ(bytes, 3);
        size_bytes = 4;
        bsp_set_tagsize(&size_bytes);
        EXPECT_EQ(size_bytes, 12);
        bsp_send(me, "a tag of 12.", "xy", 2);
        bsp_sync();
        char tag[13] = "............";
        bsp_get_tag(&status, tag);
        EXPECT_EQ(status, 2);
        EXPECT_STREQ(tag, "a tag of 12.");
        bsp_sync();
    });
}

TEST_P(Operations, TheQueueLastsForOneSuperstep) {
    supersteps([](int p, int me) {
        for (int i = 0; i < 3; ++i)
            bsp_send(me, nullptr, &i, sizeof i);
        bsp_sync();
        int first = -1, second = -1, messages, bytes, status = -5;
        bsp_move(&first, sizeof first);
        bsp_move(&second, sizeof second);
        EXPECT_NE(first, second);
        bsp_qsize(&messages, &bytes);
        EXPECT_EQ(messages, 1);
        EXPECT_EQ(bytes, 4);
        bsp_sync(); // the third is gone
        bsp_qsize(&messages, &bytes);
        EXPECT_EQ(messages, 0);
        EXPECT_EQ(bytes, 0);
        bsp_get_tag(&status, nullptr);
        EXPECT_EQ(status, -1);
        void *tag = nullptr, *payload = nullptr;
        EXPECT_EQ(bsp_hpmove(&tag, &payload), -1);
        (void)p;
    });
}

TEST_P(Operations, AMoveReadsNoMoreThanItIsGivenRoomFor) {
    supersteps([](int p, int me) {
        const std::string text = "a payload";
        bsp_send((me + 1) % p, nullptr, text.data(), static_cast<ptrdiff_t>(text.size()));
        bsp_sync();
        char read[20] = "...................";
        bsp_move(read, sizeof read);
        EXPECT_EQ(std::string(read, text.size()), text);
        EXPECT_EQ(read[text.size()], '.');
        bsp_sync();
    });
}

int handled[64];

void add_source(int source, void *, int nbytes) {
    handled[bsp_pid()] += source * 1000 + nbytes;
}

TEST_P(Operations, HandlersRunOnceForEachMessage) {
    std::fill(std::begin(handled), std::end(handled), 0);
    supersteps([](int p, int me) {
        char bytes[10] = "123456789";
        for (int to = 0; to < p; ++to)
            cbsp_send(to, nullptr, bytes, to + 1, add_source);
        EXPECT_EQ(handled[me], 0);
        cbsp_nsync(p);
        EXPECT_EQ(handled[me], 1000 * p * (p - 1) / 2 + p * (me + 1));
        cbsp_nsync(0);
    });
}

TEST_P(Operations, CountersSayWhatTheProcessHasDone) {
    supersteps([](int p, int me) {
        bsp_counters counters;
        char byte = 'b';
        for (int i = 0; i < 3; ++i)
            bsp_send((me + i) % p, nullptr, &byte, 1);
        bsp_sync_count(3);
        bsp_sync();
        bsp_sync();
        bsp_get_counters(&counters);
        EXPECT_EQ(counters.supersteps_counted, 1);
        EXPECT_EQ(counters.supersteps_global, 2);
        EXPECT_EQ(counters.operations, 3);
        EXPECT_EQ(counters.overflows, 0);
        EXPECT_EQ(counters.large, 0);
        EXPECT_EQ(counters.packets, 0);
    });
}

TEST_P(Operations, MessagesThatFindNoRoomAreCountedAndArrive) {
    supersteps([](int p, int me) {
        const size_t room = buffer_bytes(p);
        const std::vector<char> half(room / 2, static_cast<char>(me)), more(room, 'm');
        // The second half does not fit beside the first and its header.
        for (int i = 0; i < 2; ++i)
            bsp_send(me, nullptr, half.data(), static_cast<ptrdiff_t>(half.size()));
        bsp_send(me, nullptr, more.data(), static_cast<ptrdiff_t>(more.size()));
        bsp_sync();
        int messages, bytes;
        bsp_counters counters;
        bsp_qsize(&messages, &bytes);
        EXPECT_EQ(messages, 3);
        EXPECT_EQ(bytes, static_cast<int>(2 * half.size() + more.size()));
        bsp_get_counters(&counters);
        EXPECT_EQ(counters.overflows, 1);
        EXPECT_EQ(counters.large, 1);
        bsp_sync();
    });
}

// A process that counts to 0 runs ahead, but not by more than two supersteps of its partners.
TEST_P(Operations, AMessageReachesTheSuperstepInWhichItWasSent) {
    supersteps([](int p, int me) {
        for (int step = 0; step < 20; ++step) {
            if (me == 0)
                for (int to = 1; to < p; ++to)
                    bsp_send(to, nullptr, &step, sizeof step);
            bsp_sync_count(me == 0 ? 0 : 1);
            if (me > 0) {
                int received = -1;
                bsp_move(&received, sizeof received);
                EXPECT_EQ(received, step);
            }
        }
        bsp_sync_count(0);
    });
}

INSTANTIATE_TEST_SUITE_P(On, Operations,
                         ::testing::Combine(::testing::ValuesIn(layers),
                                            ::testing::Values(3, 4, 8)),
                         thrum::testing::name_of_layer_and_size);

} // namespace
} // namespace thrum::bsp
