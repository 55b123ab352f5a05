// Tests what is noted of calls, messages, waits and collective operations, and the tables.
#include "observe/observer.h"
#include "observe/table.h"
#include "trace/recorder.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <string>
#include <thread>
#include <vector>

namespace thrum::observe {
namespace {

constexpr int ranks = 4;
constexpr uint16_t send_function = 7, receive_function = 8;
const char code[64] = {}; // addresses in it stand for call sites

FoundPlace find_in_code(const void *call_site) {
    return {"program", static_cast<uint64_t>(static_cast<const char *>(call_site) - code)};
}

// Starts the observer of this process, once.
class Observer : public testing::Test {
protected:
    static void SetUpTestSuite() {
        std::string name = (std::filesystem::temp_directory_path() / "observe-XXXXXX").string();
        ASSERT_NE(::mkdtemp(name.data()), nullptr);
        directory = name;
        start(directory.c_str(), 0, ranks, ranks, 2, find_in_code);
    }

    static void TearDownTestSuite() { std::filesystem::remove_all(directory); }

    // Returns the entry of the rank's calls from this place.
    static const Calls &calls_of(int rank, uint16_t function, const void *site) {
        const uint64_t key =
            uint64_t{function} << 48 | (reinterpret_cast<uint64_t>(site) & 0xffffffffffff);
        return *entry_of<Calls>(record_of(rank)->calls, key, 0);
    }

    static const Place &place_of(uint32_t number) {
        Offset offset = at<Observation>(0)->newest_place;
        while (at<Place>(offset)->number != number)
            offset = at<Place>(offset)->next;
        return *at<Place>(offset);
    }

    static inline std::string directory;
};

TEST_F(Observer, OnlyRanksOfTheStartHaveARecord) {
    EXPECT_NE(record_of(ranks - 1), nullptr);
    EXPECT_EQ(record_of(ranks), nullptr);
    EXPECT_TRUE(somebody_listens());
    EXPECT_TRUE(has_follow_ups());
}

TEST_F(Observer, CallsOfOnePlaceAreAddedUp) {
    ThreadState self;
    RankRecord &record = *record_of(0);
    for (int i = 0; i < 3; ++i) {
        begin_call(self, record, send_function, code + 1, CallKind::Any);
        note_message(self, record, 2, 100);
        end_call(self, record);
    }
    begin_call(self, record, send_function, code + 2, CallKind::Any);
    end_call(self, record);
    const Calls &first = calls_of(0, send_function, code + 1);
    EXPECT_EQ(first.calls, 3u);
    EXPECT_EQ(first.bytes, 300u);
    EXPECT_GT(first.ticks, 0u);
    EXPECT_GE(first.ticks, first.longest_ticks);
    EXPECT_EQ(first.wait_ticks, 0u);
    EXPECT_EQ(calls_of(0, send_function, code + 2).calls, 1u);
    const Place &place = place_of(first.place);
    EXPECT_EQ(place.function, send_function);
    EXPECT_EQ(place.offset, 1u);
    EXPECT_STREQ(at<char>(place.path), "program");
    EXPECT_EQ(record.messages, 3u);
    EXPECT_EQ(entry_of<Peer>(record.peers, 3, 0)->messages, 3u);
    EXPECT_EQ(record.size_messages[7], 3u) << "100 has seven bits";
    EXPECT_EQ(record.current_place, 0u);
}

std::atomic<uint16_t> function_now{0};
std::atomic<const void *> site_now{nullptr};

// Makes a call of a brief function that does `work`.
template <class Work>
void poll(ThreadState &self, int rank, const char *site, Work work) {
    RankRecord &record = *record_of(rank);
    function_now = receive_function;
    site_now = site;
    if (skip_call(self, receive_function, site)) {
        work();
        return end_skipped_call(self, record);
    }
    begin_call(self, record, receive_function, site, CallKind::Brief);
    work();
    end_call(self, record);
}

constexpr uint64_t least_poll_ticks = 200;

// Polls from two places, each time for at least least_poll_ticks. Helps somebody if `helps`.
void poll_at_both(ThreadState &self, RankRecord &record, bool helps) {
    for (const char *site : {code + 3, code + 4}) {
        poll(self, 0, site, [&] {
            if (helps)
                note_message(self, record, 1, 8);
            const uint64_t end = now_ticks() + least_poll_ticks;
            while (now_ticks() < end) {
            }
        });
    }
}

// Two places that poll in turn: every poll is counted as soon as another call ends, and so is its
// time.
TEST_F(Observer, PollsAreAllCounted) {
    ThreadState self{&function_now, &site_now};
    RankRecord &record = *record_of(0);
    const uint64_t mpi_ticks_before = record.mpi_ticks, calls_before = record.ended_calls;
    uint64_t polls = 0; // of each place
    const uint64_t begin = now_ticks();
    for (; polls < 100000; ++polls)
        poll_at_both(self, record, polls == 50000);
    // Where the last one that was timed has lost its core, it took long and is repeated.
    for (; polls < 200000 && !record.repeated_place; ++polls)
        poll_at_both(self, record, false);
    EXPECT_TRUE(self.may_skip);
    EXPECT_EQ(record.current_place, 0u);
    EXPECT_NE(record.repeated_place, 0u);
    for (int i = 0; i < 2; ++i) { // the first adds the polls, the second finds none
        begin_call(self, record, send_function, code + 1, CallKind::Any);
        end_call(self, record);
    }
    EXPECT_FALSE(self.may_skip);
    EXPECT_EQ(record.repeated_place, 0u);
    const uint64_t passed = now_ticks() - begin;
    uint64_t ticks = 0;
    for (const char *site : {code + 3, code + 4}) {
        const Calls &calls = calls_of(0, receive_function, site);
        EXPECT_EQ(calls.calls, polls);
        EXPECT_EQ(calls.bytes, 8u);
        EXPECT_LE(calls.longest_ticks, calls.ticks);
        ticks += calls.ticks;
    }
    EXPECT_LE(ticks, passed);
    EXPECT_GE(ticks, 2 * polls * least_poll_ticks);
    EXPECT_LE(record.mpi_ticks - mpi_ticks_before, passed);
    EXPECT_EQ(record.ended_calls - calls_before, 2 * polls + 2);
}

// A thread that polls at more places than it remembers, so that entries leave.
TEST_F(Observer, PollsOfManyPlacesAreAllCounted) {
    ThreadState self{&function_now, &site_now};
    RankRecord &record = *record_of(1);
    constexpr int places = 12, rounds = 50, in_a_row = 100;
    for (int i = 0; i < places * rounds; ++i)
        for (int j = 0; j < in_a_row; ++j) {
            poll(self, 1, code + 48 + i % places, [] {});
        }
    begin_call(self, record, send_function, code + 1, CallKind::Any);
    end_call(self, record);
    for (int i = 0; i < places; ++i)
        EXPECT_EQ(calls_of(1, receive_function, code + 48 + i).calls, uint64_t{rounds} * in_a_row);
}

TEST_F(Observer, RanksShareTheNumbersOfPlaces) {
    ThreadState self;
    for (int rank = 0; rank < 2; ++rank) {
        begin_call(self, *record_of(rank), send_function, code + 5, CallKind::Any);
        end_call(self, *record_of(rank));
    }
    EXPECT_EQ(calls_of(0, send_function, code + 5).place,
              calls_of(1, send_function, code + 5).place);
}

TEST_F(Observer, AWaitNamesTheCallThatEndsItAndTakesOverItsPath) {
    ThreadState sender, receiver;
    RankRecord &of_sender = *record_of(2), &of_receiver = *record_of(3);
    begin_call(receiver, of_receiver, receive_function, code + 10, CallKind::Any);
    const uint64_t since = note_wait(receiver, of_receiver, {});
    begin_call(sender, of_sender, send_function, code + 11, CallKind::Any);
    note_completion(of_receiver, completion_by(sender, 2, &of_sender, Cause::Sent));
    const uint32_t sending_place = sender.place();
    end_call(sender, of_sender);
    note_wait_end(receiver, since);
    const uint32_t receiving_place = receiver.place();
    end_call(receiver, of_receiver);

    const uint64_t cause = Cause::word(Cause::Sent, sending_place, 2);
    EXPECT_EQ(Cause::kind(cause), Cause::Sent);
    EXPECT_EQ(Cause::place(cause), sending_place);
    EXPECT_EQ(Cause::rank(cause), 2);
    const Waits &waits = *entry_of<Waits>(of_receiver.waits, uint64_t{receiving_place} + 1, cause);
    EXPECT_EQ(waits.count, 1u);
    EXPECT_EQ(waits.ticks + of_receiver.ready_ticks, of_receiver.wait_ticks);
    bool has_senders_part = false;
    for (const Path::Part &part : of_receiver.path.parts)
        has_senders_part |= part.ticks && part.rank == 2 && part.place == sending_place;
    EXPECT_TRUE(has_senders_part);
}

TEST_F(Observer, WhatCompletesNoWaitIsNoCause) {
    ThreadState sender, receiver;
    RankRecord &record = *record_of(1);
    begin_call(sender, *record_of(0), send_function, code + 20, CallKind::Any);
    note_completion(record, completion_by(sender, 0, record_of(0), Cause::Sent));
    end_call(sender, *record_of(0));
    begin_call(receiver, record, receive_function, code + 21, CallKind::Any);
    const uint64_t since = note_wait(receiver, record, {});
    note_wait_end(receiver, since);
    EXPECT_EQ(entry_of<Waits>(record.waits, uint64_t{receiver.place()} + 1, 0)->count, 1u);
    end_call(receiver, record);
}

TEST_F(Observer, ACallThatOnlyWaitsEndsWithItsWait) {
    constexpr auto barrier_function = receive_function;
    ThreadState self;
    RankRecord &record = *record_of(1);
    begin_call(self, record, barrier_function, code + 25, CallKind::OnlyWaits);
    note_wait_end(self, note_wait(self, record, {}));
    const uint64_t wait_ticks = self.wait_ticks;
    end_call(self, record);
    const Calls &calls = calls_of(1, barrier_function, code + 25);
    EXPECT_EQ(calls.ticks, wait_ticks);
    const uint64_t begin = now_ticks();
    begin_call(self, record, barrier_function, code + 25, CallKind::OnlyWaits);
    end_call(self, record); // it has not waited: the end is now
    EXPECT_GE(record.last_ticks, begin);
    EXPECT_EQ(calls.calls, 2u);
}

TEST_F(Observer, TheLastToComeNotesTheSpread) {
    ThreadState self;
    RankRecord &record = *record_of(1);
    begin_call(self, record, send_function, code + 30, CallKind::Any);
    note_arrival(self, record);
    const uint64_t now = record.arrival_ticks;
    note_gathering(self, record, 77, 3, now - 1000, now - 200);
    const Gatherings &gatherings = *entry_of<Gatherings>(
        record.gatherings, uint64_t{self.place()} + 1, uint64_t{77} << 32 | 3);
    end_call(self, record);
    EXPECT_EQ(gatherings.operations, 1u);
    EXPECT_EQ(gatherings.spread_ticks, 1000u);
    EXPECT_EQ(gatherings.longest_spread_ticks, 1000u);
    EXPECT_EQ(gatherings.late_ticks, 200u);
}

TEST_F(Observer, TablesGrowAndKeepWhatTheyHave) {
    Table table;
    constexpr uint64_t keys = 1000;
    for (uint64_t key = 1; key <= keys; ++key)
        entry_of<Waits>(table, key, key % 3)->ticks = key * key;
    EXPECT_EQ(table.used, keys);
    for (uint64_t key = 1; key <= keys; ++key)
        EXPECT_EQ(entry_of<Waits>(table, key, key % 3)->ticks, key * key);
    EXPECT_EQ(table.used, keys);
}

// Several threads of one rank, and of several, at the same time: nothing is lost.
TEST_F(Observer, ThreadsDoNotDisturbEachOther) {
    constexpr int threads = 4, times = 2000;
    std::vector<std::thread> all;
    for (int t = 0; t < threads; ++t)
        all.emplace_back([t] {
            ThreadState self;
            RankRecord &record = *record_of(t % 2);
            for (int i = 0; i < times; ++i) {
                begin_call(self, record, send_function, code + 40 + i % 16, CallKind::Any);
                note_message(self, record, 1 - t % 2, 8);
                note_completion(*record_of(1 - t % 2),
                                completion_by(self, t % 2, &record, Cause::Sent));
                note_queue(*record_of(1 - t % 2), static_cast<uint64_t>(i));
                end_call(self, record);
            }
        });
    for (std::thread &thread : all)
        thread.join();
    uint64_t calls = 0, bytes = 0;
    for (int rank = 0; rank < 2; ++rank)
        for (int i = 0; i < 16; ++i) {
            calls += calls_of(rank, send_function, code + 40 + i).calls;
            bytes += calls_of(rank, send_function, code + 40 + i).bytes;
        }
    EXPECT_EQ(calls, uint64_t{threads} * times);
    EXPECT_EQ(bytes, uint64_t{threads} * times * 8);
    EXPECT_EQ(record_of(0)->unexpected_most, uint64_t{times} - 1);
    EXPECT_EQ(at<Observation>(0)->lost, 0u);
}

} // namespace
} // namespace thrum::observe
