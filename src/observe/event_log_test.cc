// Tests what is in the file of events, as a reader finds it.
#include "observe/event_log.h"

#include <algorithm>
#include <fcntl.h>
#include <filesystem>
#include <gtest/gtest.h>
#include <string>
#include <sys/mman.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace thrum::observe {
namespace {

constexpr int first_rank = 8, ranks = 4;
constexpr uint64_t limit_bytes = uint64_t{4} << 20;
uint32_t worker = 3; // that runs the caller

class EventLog : public testing::Test {
protected:
    static void SetUpTestSuite() {
        std::string name = (std::filesystem::temp_directory_path() / "events-XXXXXX").string();
        ASSERT_NE(::mkdtemp(name.data()), nullptr);
        directory = name;
        EXPECT_FALSE(logs_events());
        open_event_log({.directory = directory.c_str(),
                        .first_rank = first_rank,
                        .rank_count = ranks,
                        .all_ranks = ranks,
                        .process = 5,
                        .request = {limit_bytes, false},
                        .worker = [] {
                            return worker;
                        }});
        const int file = ::open((directory + "/8.events").c_str(), O_RDONLY);
        struct stat status{};
        ASSERT_EQ(::fstat(file, &status), 0);
        begin = ::mmap(nullptr, limit_bytes + (1 << 16), PROT_READ, MAP_SHARED, file, 0);
        ::close(file);
        ASSERT_NE(begin, MAP_FAILED);
    }

    static void TearDownTestSuite() { std::filesystem::remove_all(directory); }

    static const EventFile &file() { return *static_cast<const EventFile *>(begin); }

    // Returns the chunks of a rank in the order of time.
    static std::vector<const Chunk *> chunks_of(int rank) {
        std::vector<const Chunk *> chunks;
        for (uint32_t i = 0; i < std::min(file().claimed.load(), file().chunks_max); ++i) {
            const auto *chunk =
                reinterpret_cast<const Chunk *>(static_cast<const char *>(begin) +
                                                file().head_bytes + size_t{i} * Chunk::size_bytes);
            if (chunk->rank == rank && chunk->number)
                chunks.push_back(chunk);
        }
        std::ranges::sort(chunks, {}, &Chunk::number);
        return chunks;
    }

    static std::vector<Event> events_of(int rank) {
        std::vector<Event> events;
        for (const Chunk *chunk : chunks_of(rank))
            events.insert(events.end(), chunk->events, chunk->events + chunk->used);
        return events;
    }

    static std::vector<const EventStream *> added_streams() {
        std::vector<const EventStream *> streams;
        for (const Chunk *chunk : chunks_of(Chunk::streams))
            for (uint32_t at = Chunk::streams_offset; at < chunk->used; at += sizeof(EventStream))
                streams.push_back(reinterpret_cast<const EventStream *>(
                    reinterpret_cast<const char *>(chunk->events) + at));
        return streams;
    }

    static inline std::string directory;
    static inline void *begin = nullptr;
};

TEST_F(EventLog, TheHeaderSaysWhoseEventsFollow) {
    EXPECT_TRUE(logs_events());
    EXPECT_EQ(file().magic, EventFile::magic_number);
    EXPECT_EQ(file().first_rank, first_rank);
    EXPECT_EQ(file().rank_count, ranks);
    EXPECT_EQ(file().process, 5);
    EXPECT_EQ(file().chunks_max, limit_bytes / Chunk::size_bytes);
    EXPECT_EQ(file().ring_chunks, 0u);
}

TEST_F(EventLog, BothEndsOfAMessageHaveOneId) {
    ThreadState self;
    const uint64_t id = log_sent(self, 8, {9, 17, 40, 1000, 0});
    EXPECT_NE(log_sent(self, 8, {9, 17, 40, 1000, 0}), id);
    log_received(9, {8, 17, 40, 1000, id});
    const Event sent = events_of(8)[0], received = events_of(9)[0];
    EXPECT_EQ(sent.kind, Event::Sent);
    EXPECT_EQ(sent.thread, 1);
    EXPECT_EQ(sent.a, 9u);
    EXPECT_EQ(received.kind, Event::Received);
    EXPECT_EQ(received.thread, 0);
    EXPECT_EQ(received.a, 8u);
    for (const Event &event : {sent, received}) {
        EXPECT_EQ(event.tag, 17);
        EXPECT_EQ(event.context, 40u);
        EXPECT_EQ(event.b, id);
        EXPECT_EQ(event.c, 1000u);
    }
    const int message = 0;
    remember_id(&message, id);
    EXPECT_EQ(remembered_id(&message), id);
    EXPECT_EQ(remembered_id(&message), 0u) << "an id is taken once";
}

TEST_F(EventLog, AnIdGivenByTheSenderStays) {
    ThreadState self;
    const uint64_t id = message_id_between_processes(5, 77);
    EXPECT_EQ(log_sent(self, 8, {99, 0, 40, 1, id}), id);
    EXPECT_EQ(events_of(8).back().b, id);
}

TEST_F(EventLog, ACallNamesItsWorkerWhenThatChanges) {
    ThreadState self;
    const auto call = [&](uint64_t begin_ticks) {
        self.begin_ticks = begin_ticks;
        self.known[0].place = 6;
        self.known_call = self.known;
        self.wait_ticks = 5;
        log_call(self, 10, begin_ticks + 10);
    };
    call(1000);
    call(2000);
    worker = 1;
    call(3000);
    std::vector<uint32_t> kinds;
    for (const Event &event : events_of(10))
        kinds.push_back(event.kind);
    EXPECT_EQ(kinds, (std::vector<uint32_t>{Event::Worker, Event::Call, Event::Call, Event::Worker,
                                            Event::Call}));
    const Event last = events_of(10).back();
    EXPECT_EQ(last.ticks, 3010u);
    EXPECT_EQ(last.a, 6u);
    EXPECT_EQ(last.b, 3000u);
    EXPECT_EQ(last.c, 5u);
    EXPECT_EQ(events_of(10)[0].a, 3u);
    EXPECT_EQ(events_of(10)[3].a, 1u);
}

TEST_F(EventLog, TimesOfARankNeverDecrease) {
    ThreadState self;
    self.begin_ticks = 500; // ends before the calls above have ended
    log_call(self, 10, 600);
    const std::vector<Event> events = events_of(10);
    EXPECT_TRUE(std::ranges::is_sorted(events, {}, &Event::ticks));
    EXPECT_EQ(events.back().b, 500u);
}

TEST_F(EventLog, NamesOfRegionsAreKeptOnce) {
    ThreadState self;
    const std::string longest(300, 'x');
    std::vector<uint32_t> numbers;
    for (const char *name : {"assembly", "solve", "assembly", longest.c_str(), ""}) {
        log_region_begin(self, 11, name);
        numbers.push_back(events_of(11).back().a);
    }
    EXPECT_EQ(numbers, (std::vector<uint32_t>{1, 2, 1, 3, 4}));
    const Chunk &names = *chunks_of(Chunk::names)[0];
    const std::string kept(reinterpret_cast<const char *>(names.events), names.used);
    EXPECT_EQ(kept, std::string("assembly\0solve\0", 15) + std::string(255, 'x') +
                        std::string("\0\0", 2));
}

TEST_F(EventLog, APausedRankNotesOnlyRegions) {
    ThreadState self;
    const size_t before = events_of(11).size();
    pause_log(self, 11, true);
    log_queue(11, 3);
    log_region_end(self, 11);
    pause_log(self, 11, false);
    log_queue(11, 4);
    const std::vector<Event> events = events_of(11);
    ASSERT_EQ(events.size(), before + 4);
    EXPECT_EQ(events[before].kind, Event::Paused);
    EXPECT_EQ(events[before + 1].kind, Event::RegionEnd);
    EXPECT_EQ(events[before + 2].kind, Event::Resumed);
    EXPECT_EQ(events[before + 3].a, 4u);
}

TEST_F(EventLog, AddedRanksHaveStreams) {
    constexpr int first_added = 100'000, added = 100;
    for (int times = 0; times < 2; ++times)
        for (int rank = first_added; rank < first_added + added; ++rank)
            log_queue(rank, static_cast<uint64_t>(rank));
    for (int rank = first_added; rank < first_added + added; ++rank) {
        ASSERT_EQ(events_of(rank).size(), 2u);
        EXPECT_EQ(events_of(rank)[1].a, static_cast<uint32_t>(rank));
    }
    ASSERT_EQ(added_streams().size(), size_t{added});
    for (int i = 0; i < added; ++i)
        EXPECT_EQ(added_streams()[static_cast<size_t>(i)]->rank, first_added + i);
}

TEST_F(EventLog, SeveralThreadsLoseNothing) {
    constexpr int threads = 4, times = 5000;
    const auto before = events_of(9).size();
    std::vector<std::thread> all;
    for (int t = 0; t < threads; ++t)
        all.emplace_back([] {
            ThreadState self;
            for (int i = 0; i < times; ++i)
                log_suspend(self, 9);
        });
    for (std::thread &thread : all)
        thread.join();
    const std::vector<Event> events = events_of(9);
    EXPECT_EQ(events.size(), before + size_t{threads} * times);
    std::vector<int> by_thread(threads + 1);
    for (size_t i = before; i < events.size(); ++i)
        ++by_thread.at(events[i].thread);
    EXPECT_EQ(by_thread, (std::vector<int>{0, times, times, times, times}));
    EXPECT_EQ(file().streams[1].left_out, 0u);
}

// The last test: nothing is noted after it.
TEST_F(EventLog, WhatHasNoRoomIsCountedForAllRanks) {
    uint64_t kept_before = 0, added = 0;
    for (int rank = first_rank; rank < first_rank + ranks; ++rank)
        kept_before += events_of(rank).size();
    while (file().full_ticks == 0) {
        log_queue(8, 1);
        ++added;
    }
    log_queue(9, 1); // its chunk has room, but the log has ended
    ++added;
    uint64_t kept = 0, left_out = 0;
    for (int rank = first_rank; rank < first_rank + ranks; ++rank) {
        kept += events_of(rank).size();
        left_out += file().streams[rank - first_rank].left_out;
    }
    EXPECT_EQ(left_out, 2u);
    EXPECT_EQ(kept, kept_before + added - 2);
    EXPECT_EQ(file().disk_is_full, 0u);
    for (int rank = 200'000; rank < 200'100; ++rank) // added now, some without a stream
        log_queue(rank, 1);
    left_out = file().left_out;
    EXPECT_GT(left_out, 0u);
    for (const EventStream *stream : added_streams())
        left_out += stream->left_out;
    EXPECT_EQ(left_out, 100u);
}

} // namespace
} // namespace thrum::observe
