// Two processes on machines whose clocks differ: their events meet in one order.
#include "events.h"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <new>
#include <vector>

namespace observation {
namespace {

using observe::Chunk;
using observe::Event;
using observe::EventFile;

struct alignas(64) Line {
    char bytes[64] = {};
};

constexpr int64_t second_ns = 1'000'000'000;

// A process of one rank, whose ticks and clock are wrong in their own way.
class Process {
public:
    Process(int rank, double ns_per_tick, int64_t clock_ahead_ns, uint64_t begin_ticks)
        : rank_(rank), ns_per_tick_(ns_per_tick), clock_ahead_ns_(clock_ahead_ns),
          begin_ticks_(begin_ticks) {}

    uint64_t ticks(int64_t true_ns) const {
        return begin_ticks_ +
               static_cast<uint64_t>(std::llround(static_cast<double>(true_ns) / ns_per_tick_));
    }

    void add(const Event &event) { events_.push_back(event); }

    void write(const std::string &directory) const {
        write_observation(directory + "/" + std::to_string(rank_));
        write_events(directory + "/" + std::to_string(rank_) + ".events");
    }

private:
    template <class T>
    static T &place(std::vector<Line> &room, size_t offset) {
        return *new (reinterpret_cast<char *>(room.data()) + offset) T{};
    }

    static void write_file(const std::string &path, const std::vector<Line> &room) {
        std::ofstream file(path, std::ios::binary);
        file.write(reinterpret_cast<const char *>(room.data()),
                   static_cast<std::streamsize>(room.size() * sizeof(Line)));
    }

    static std::vector<Line> room_of(size_t bytes) {
        return std::vector<Line>(bytes / sizeof(Line) + 1);
    }

    void write_observation(const std::string &path) const {
        constexpr size_t records = (sizeof(observe::Observation) + 63) / 64 * 64;
        auto room = room_of(records + sizeof(observe::RankRecord));
        auto &o = place<observe::Observation>(room, 0);
        o.first_rank = rank_;
        o.rank_count = 1;
        o.all_ranks = 2;
        o.begin_ticks = begin_ticks_;
        o.begin_ns = 7 * second_ns;
        o.begin_realtime_ns = 1'000 * second_ns + clock_ahead_ns_;
        o.recent_ticks = ticks(10 * second_ns);
        o.recent_ns = 17 * second_ns;
        o.ranks = records;
        o.magic = observe::Observation::magic_number;
        write_file(path, room);
    }

    void write_events(const std::string &path) const {
        const size_t head_bytes = size_t{2} * Chunk::size_bytes;
        auto room = room_of(head_bytes + Chunk::size_bytes);
        auto &file = place<EventFile>(room, 0);
        file.first_rank = rank_;
        file.rank_count = 1;
        file.process = rank_;
        file.pid = 4711;
        file.machine = static_cast<uint64_t>(rank_) + 1;
        std::strcpy(file.host, rank_ == 0 ? "left" : "right");
        file.head_bytes = head_bytes;
        file.chunks_max = 1;
        file.claimed = 1;
        file.magic = EventFile::magic_number;
        auto &chunk = place<Chunk>(room, head_bytes);
        chunk.rank = rank_;
        chunk.number = 1;
        for (size_t i = 0; i < events_.size(); ++i)
            chunk.events[i] = events_[i];
        chunk.used = static_cast<uint32_t>(events_.size());
        write_file(path, room);
    }

    int rank_;
    double ns_per_tick_;
    int64_t clock_ahead_ns_;
    uint64_t begin_ticks_;
    std::vector<Event> events_;
};

class EventsOfTwoMachines : public testing::Test {
protected:
    void SetUp() override {
        std::string name = (std::filesystem::temp_directory_path() / "events-XXXXXX").string();
        ASSERT_NE(::mkdtemp(name.data()), nullptr);
        directory_ = name;
    }

    void TearDown() override { std::filesystem::remove_all(directory_); }

    // A message each 10 us, by turns to the right and to the left; each takes 2 us and something.
    void exchange(bool goes_back) {
        Process processes[] = {{0, 0.4, 0, 5'000'000}, {1, 0.3, -3'000'000, 900'000'000'000}};
        for (int i = 0; i < 40; ++i) {
            const int source = goes_back ? i % 2 : 0;
            const int64_t sent_ns = int64_t{10'000} * i;
            const int64_t received_ns = sent_ns + 2'000 + int64_t{37} * (i * 7 % 20);
            const uint64_t id =
                observe::message_id_between_processes(source, static_cast<uint32_t>(i));
            Event event{.kind = Event::Sent, .thread = 1, .b = id, .c = 8};
            event.ticks = processes[source].ticks(sent_ns);
            event.a = static_cast<uint32_t>(1 - source);
            processes[source].add(event);
            event.kind = Event::Received;
            event.ticks = processes[1 - source].ticks(received_ns);
            event.a = static_cast<uint32_t>(source);
            processes[1 - source].add(event);
        }
        Event call{.kind = Event::Call, .thread = 1};
        call.b = processes[1].ticks(500'000);
        call.ticks = processes[1].ticks(530'000);
        call.c = processes[1].ticks(20'000) - processes[1].ticks(0);
        processes[1].add(call);
        for (const Process &process : processes)
            process.write(directory_);
    }

    std::string directory_;
};

TEST_F(EventsOfTwoMachines, MessagesAlignTheClocks) {
    exchange(true);
    const EventReader reader(directory_, "/bin/false");
    EXPECT_EQ(reader.hosts(), (std::vector<std::string>{"left", "right"}));
    EXPECT_TRUE(reader.alignment().is_bounded);
    EXPECT_NEAR(reader.alignment().ahead_ns[1], -3'000'000, reader.alignment().error_ns);
    EXPECT_NEAR(reader.alignment().error_ns, 2'000, 50);
    int next = 0;
    reader.for_each(0, 2, [&](uint32_t index, const Event &event) {
        if (event.kind == Event::Call) {
            EXPECT_EQ(index, 1U);
            EXPECT_NEAR(static_cast<double>(reader.ns(event.b)), 500'000, 100);
            EXPECT_NEAR(static_cast<double>(reader.ns(event.ticks)), 530'000, 100);
            EXPECT_NEAR(
                static_cast<double>(reader.ns(event.ticks) - reader.ns(event.ticks - event.c)),
                20'000, 2);
            return;
        }
        EXPECT_EQ(event.kind, next % 2 ? Event::Received : Event::Sent);
        EXPECT_EQ(event.b & 0xffff, static_cast<uint64_t>(next / 2));
        ++next;
    });
    EXPECT_EQ(next, 80);
}

TEST_F(EventsOfTwoMachines, ProcessesHaveNumbersOfTheirOwn) {
    exchange(true);
    const EventReader reader(directory_, "/bin/false");
    EXPECT_EQ(reader.sources()[0]->pid, 4711);
    EXPECT_NE(reader.sources()[1]->pid, 4711);
}

TEST_F(EventsOfTwoMachines, OneWayIsNoBoundButNothingArrivesTooEarly) {
    exchange(false);
    const EventReader reader(directory_, "/bin/false");
    EXPECT_FALSE(reader.alignment().is_bounded);
    EXPECT_NEAR(reader.alignment().ahead_ns[1], -3'000'000 + 2'000, 50);
}

} // namespace
} // namespace observation
