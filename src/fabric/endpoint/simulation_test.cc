// Random conversations of 2 to 64 simulated node processes. Each seed is one run, and a failure
// prints it.
//   THRUM_SIM_SEEDS=1000   how many seeds are run (make test-sim)
//   THRUM_TEST_SEED=17     the first one
#include "base/testing/seed.h"
#include "fabric/testing/simulation.h"

#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <set>

namespace thrum {
namespace {

using testing::SimulatedNetwork;

int seeds_to_run(int usual) {
    const char *text = std::getenv("THRUM_SIM_SEEDS");
    return text ? std::atoi(text) : usual;
}

struct TestHeader {
    uint32_t number; // number within the way
    uint32_t bytes;
    uint32_t answers; // further messages that the receiver sends because of this one
};

char byte_of(uint32_t number, size_t i) {
    return static_cast<char>((number + i) * 2654435761U >> 11);
}

// All processes send to each other; some die.
class Conversation {
public:
    Conversation(int processes, unsigned seed, bool with_deaths)
        : network_(processes, seed, options_for(seed)), processes_(processes),
          with_deaths_(with_deaths), receivers_(size_t(processes)) {
        for (int process = 0; process < processes; ++process) {
            receivers_[size_t(process)] = {this, process};
            memory_.push_back(std::vector<char>(1 + network_.draw(5000)));
            for (char &c : memory_.back())
                c = static_cast<char>(network_.draw(256));
            network_.endpoint(process).set_arrive_function(MessageKind::Test, &arrive,
                                                           &receivers_[size_t(process)]);
        }
        network_.on_lost = [this](int process, int lost) {
            EXPECT_TRUE(network_.is_dead(lost));
            EXPECT_TRUE(told_.insert({process, lost}).second) << "told twice";
        };
    }

    void run() {
        int left = 20 * processes_;
        bool more = true;
        while (more || left > 0) {
            if (left > 0 && network_.chance(0.3)) {
                start_something();
                --left;
            }
            more = network_.step();
        }
        check_the_end();
    }

private:
    struct Receiver {
        Conversation *conversation;
        int process;
    };

    struct Reading {
        Conversation *conversation;
        int process, owner;
        size_t offset;
        std::vector<char> into;
        int ended = 0;
        bool ok = false;
    };

    using Path = std::tuple<int, int, Channel>;

    static SimulatedNetwork::Options options_for(unsigned seed) {
        SimulatedNetwork::Options options;
        options.packets_in_a_way_max = 1 + seed % 16;
        options.piece_bytes_max = 64 + seed % 700;
        options.stall = seed % 3 * 0.02;
        return options;
    }

    int random_process() { return static_cast<int>(network_.draw(size_t(processes_))); }

    void start_something() {
        int process = random_process();
        if (network_.is_dead(process))
            return;
        if (with_deaths_ && alive_ > 1 && network_.chance(0.02)) {
            network_.kill(process);
            --alive_;
        } else if (network_.chance(0.2)) {
            start_reading(process);
        } else {
            send(process, static_cast<uint32_t>(network_.draw(3)));
        }
    }

    void send(int from, uint32_t answers) {
        int to = random_process();
        if (to == from)
            return;
        auto channel = static_cast<Channel>(network_.draw(2));
        TestHeader header{sent_[{from, to, channel}], 0, answers};
        header.bytes = static_cast<uint32_t>(network_.draw(network_.chance(0.2) ? 6000 : 100));
        std::vector<char> payload(header.bytes);
        for (size_t i = 0; i < payload.size(); ++i)
            payload[i] = byte_of(header.number, i);
        iovec part{payload.data(), payload.size()};
        bool ok = network_.endpoint(from).send(NodeProcess(to), channel, MessageKind::Test, &header,
                                               sizeof header, &part, 1, false);
        if (ok)
            ++sent_[{from, to, channel}];
        else
            EXPECT_TRUE(network_.is_dead(to));
    }

    static void arrive(void *argument, const Arrival &arrival) {
        auto [conversation, process] = *static_cast<Receiver *>(argument);
        TestHeader header;
        ASSERT_EQ(arrival.header_bytes, sizeof header);
        std::memcpy(&header, arrival.header, sizeof header);
        uint32_t &next =
            conversation->arrived_[{arrival.source.number(), process, arrival.channel}];
        EXPECT_EQ(header.number, next++);
        ASSERT_EQ(arrival.payload_bytes, header.bytes);
        for (size_t i = 0; i < header.bytes; ++i)
            ASSERT_EQ(static_cast<const char *>(arrival.payload)[i], byte_of(header.number, i));
        for (uint32_t i = 0; i < header.answers; ++i)
            conversation->send(process, header.answers - 1);
    }

    void start_reading(int process) {
        int owner = random_process();
        if (owner == process)
            return;
        auto reading = std::make_unique<Reading>();
        auto &memory = memory_[size_t(owner)];
        reading->conversation = this;
        reading->process = process;
        reading->owner = owner;
        reading->offset = network_.draw(memory.size());
        reading->into.resize(network_.draw(memory.size() - reading->offset + 1));
        RemoteMemory remote = network_.endpoint(owner).expose(memory.data(), memory.size());
        Reading &r = *reading;
        readings_.push_back(std::move(reading));
        network_.endpoint(process).read(
            NodeProcess(owner), remote, r.offset, r.into.data(), r.into.size(),
            [](void *argument, bool ok) {
                static_cast<Reading *>(argument)->ok = ok;
                ++static_cast<Reading *>(argument)->ended;
            },
            &r);
    }

    void check_the_end() {
        for (auto &[path, count] : sent_) {
            auto [from, to, channel] = path;
            if (!network_.is_dead(from) && !network_.is_dead(to))
                EXPECT_EQ(arrived_[path], count) << from << " to " << to;
            else
                EXPECT_LE(arrived_[path], count + 1);
        }
        for (auto &reading : readings_) {
            if (network_.is_dead(reading->process))
                continue;
            EXPECT_EQ(reading->ended, 1);
            if (reading->ok)
                EXPECT_TRUE(std::equal(reading->into.begin(), reading->into.end(),
                                       memory_[size_t(reading->owner)].begin() +
                                           static_cast<ptrdiff_t>(reading->offset)));
            else
                EXPECT_TRUE(network_.is_dead(reading->owner));
        }
        for (int process = 0; process < processes_; ++process)
            if (!network_.is_dead(process)) {
                EXPECT_TRUE(network_.endpoint(process).is_flushed());
                for (int other = 0; other < processes_; ++other)
                    EXPECT_EQ(told_.count({process, other}), network_.is_dead(other) ? 1U : 0U);
            }
    }

    SimulatedNetwork network_;
    int processes_;
    int alive_ = processes_;
    bool with_deaths_;
    std::vector<Receiver> receivers_;
    std::vector<std::vector<char>> memory_;
    std::map<Path, uint32_t> sent_, arrived_;
    std::vector<std::unique_ptr<Reading>> readings_;
    std::set<std::pair<int, int>> told_;
};

void converse(bool with_deaths, int usual_seeds) {
    unsigned first = testing::test_seed();
    for (int i = 0; i < seeds_to_run(usual_seeds); ++i) {
        unsigned seed = first + static_cast<unsigned>(i);
        // Mostly few processes, now and then up to 64.
        int processes =
            seed % 10 == 0 ? 2 + static_cast<int>(seed / 10 % 63) : 2 + static_cast<int>(seed % 7);
        Conversation(processes, seed, with_deaths).run();
        if (::testing::Test::HasFailure()) {
            ADD_FAILURE() << "with THRUM_TEST_SEED=" << seed << ", " << processes << " processes";
            return;
        }
    }
}

TEST(Simulation, MessagesArriveOnceAndInOrderWhateverTheNetworkDoes) {
    converse(false, 40);
}

TEST(Simulation, ProcessesThatDieTakeNobodyElseWithThem) {
    converse(true, 40);
}

// Two runs of a seed are the same, so that a failure can be reproduced.
TEST(Simulation, TheSameSeedGivesTheSameRun) {
    auto run = [](unsigned seed) {
        SimulatedNetwork network(3, seed, {});
        static std::vector<std::pair<int, int>> order;
        order.clear();
        for (int process = 0; process < 3; ++process)
            network.endpoint(process).set_arrive_function(
                MessageKind::Test,
                [](void *, const Arrival &arrival) {
                    order.emplace_back(arrival.source.number(),
                                       static_cast<int>(arrival.payload_bytes));
                },
                nullptr);
        char bytes[50] = {};
        for (int i = 0; i < 50; ++i) {
            iovec part{bytes, static_cast<size_t>(i)};
            network.endpoint(i % 3).send(NodeProcess((i + 1) % 3), Channel::PointToPoint,
                                         MessageKind::Test, nullptr, 0, &part, 1, false);
        }
        while (network.step()) {
        }
        EXPECT_EQ(order.size(), 50U);
        return order;
    };
    unsigned seed = testing::test_seed();
    EXPECT_EQ(run(seed), run(seed));
    EXPECT_NE(run(seed), run(seed + 1));
}

// A sink like that of a network that always has something to retry.
class BusySink final : public PacketSink {
public:
    explicit BusySink(int something) : something_(something) {}

    void arrive(NodeProcess, Channel, const PacketHead &, const void *, const void *) override {}

    void room() override {}

    void lost(NodeProcess) override {}

    bool is_lost(NodeProcess) override { return false; }

    bool ask_to_take_in() override { return asked++ < something_; }

    int asked = 0;

private:
    int something_;
};

TEST(PacketSink, IsAskedForAllThatHasComeButNotForEver) {
    BusySink some(5), always(std::numeric_limits<int>::max());
    some.ask_to_take_in_all();
    EXPECT_EQ(some.asked, 6);
    always.ask_to_take_in_all(); // did not return
    EXPECT_GE(always.asked, 1000);
}

} // namespace
} // namespace thrum
