// The fabric between processes, through shared memory and through libfabric's tcp on this machine.
// Each test forks the node processes.
#include "base/clock.h"
#include "base/testing/seed.h"
#include "fabric/testing/messages.h"
#include "fiber/completion.h"
#include "fiber/testing/tasks.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <sys/resource.h>
#include <thread>

namespace thrum {
namespace {

using testing::expect_all_well;
using testing::PingPong;
using testing::ProcessOptions;
using testing::run_and_check;

// The contents of a test's message.
struct TestHeader {
    int sender;      // task of the source
    uint32_t number; // of the messages of (source, sender, channel)
    uint32_t seed;
    uint32_t bytes;
};

char byte_of(uint32_t seed, size_t i) {
    return static_cast<char>((seed + i) * 2654435761U >> 13);
}

// Counts messages in order, and checks their contents.
struct Census {
    std::map<std::tuple<int, int, Channel>, uint32_t> next;
    std::atomic<uint64_t> arrived{0};
    uint64_t wanted = 0;
    Completion all;

    static void take(void *self, const Arrival &arrival) {
        auto &census = *static_cast<Census *>(self);
        ASSERT_EQ(arrival.header_bytes, sizeof(TestHeader));
        TestHeader header;
        std::memcpy(&header, arrival.header, sizeof header);
        uint32_t &next = census.next[{arrival.source.number(), header.sender, arrival.channel}];
        EXPECT_EQ(header.number, next) << "from " << arrival.source.number();
        next = header.number + 1;
        ASSERT_EQ(arrival.payload_bytes, header.bytes);
        const auto *payload = static_cast<const char *>(arrival.payload);
        for (size_t i = 0; i < header.bytes; ++i)
            ASSERT_EQ(payload[i], byte_of(header.seed, i)) << i;
        if (census.arrived.fetch_add(1, std::memory_order_relaxed) + 1 == census.wanted)
            census.all.complete();
    }
};

size_t random_size(std::mt19937 &random) {
    switch (random() % 8) {
    case 0:
        return random() % 200'000;
    case 1:
        return random() % 20'000;
    default:
        return random() % 300;
    }
}

void send_random(int to, Channel channel, int sender, uint32_t number, std::mt19937 &random) {
    TestHeader header{sender, number, static_cast<uint32_t>(random()), 0};
    std::vector<char> payload(random_size(random));
    header.bytes = static_cast<uint32_t>(payload.size());
    for (size_t i = 0; i < payload.size(); ++i)
        payload[i] = byte_of(header.seed, i);
    size_t half = payload.size() / 2;
    iovec parts[2] = {{payload.data(), half}, {payload.data() + half, payload.size() - half}};
    ASSERT_TRUE(
        fabric_send(NodeProcess(to), channel, MessageKind::Test, &header, sizeof header, parts, 2));
}

// Every process sends `messages` messages of random sizes to random others.
void exchange_at_random(int processes, int tasks, int messages, const ProcessOptions &given) {
    unsigned seed = testing::test_seed();
    Census census;
    ProcessOptions options = given;
    options.before = [&](int) {
        census.wanted = uint64_t(processes - 1) * uint64_t(tasks) * uint64_t(messages) * 2;
        set_arrive_function(MessageKind::Test, &Census::take, &census);
    };
    expect_all_well(run_and_check(
        processes,
        [&](int me) {
            auto work = [&](int task) {
                std::mt19937 random(seed + static_cast<unsigned>(100 * me + task));
                std::vector<uint32_t> numbers(static_cast<size_t>(processes) * 2);
                for (int left = messages * (processes - 1) * 2; left > 0;) {
                    auto to = static_cast<int>(random() % static_cast<unsigned>(processes));
                    auto channel = static_cast<Channel>(random() % 2);
                    uint32_t &number =
                        numbers[static_cast<size_t>(to) * 2 + static_cast<size_t>(channel)];
                    if (to == me || number == static_cast<uint32_t>(messages))
                        continue;
                    send_random(to, channel, task, number++, random);
                    --left;
                }
                if (task == 0)
                    census.all.wait();
            };
            if (tasks == 1)
                work(0);
            else
                testing::run_tasks(tasks, work, {2, false, 256 << 10});
        },
        options));
}

TEST(SharedMemory, MessagesOfTwoProcessesArriveWholeAndInOrder) {
    exchange_at_random(2, 1, 800, {});
}

TEST(SharedMemory, MessagesOfManyProcessesArriveWholeAndInOrder) {
    exchange_at_random(8, 1, 40, {});
}

TEST(SharedMemory, ProcessesThatShareACoreExchangeMessages) {
    ProcessOptions options;
    options.share_a_core = true;
    exchange_at_random(4, 1, 80, options);
}

TEST(SharedMemory, FibersOfAProcessSendAtTheSameTime) {
    exchange_at_random(3, 6, 20, {});
}

TEST(SharedMemory, SlotsOfAnotherSizeWork) {
    for (const char *limit :
         {"THRUM_SHORT_LIMIT=0", "THRUM_SHORT_LIMIT=2K", "THRUM_SHORT_LIMIT=8K"})
        exchange_at_random(2, 1, 300, {.settings = {limit}});
}

int64_t processor_time_ns() {
    rusage usage;
    ::getrusage(RUSAGE_SELF, &usage);
    return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1'000'000'000 +
           (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1000;
}

void wait_for_half_a_second(const std::vector<const char *> &settings) {
    PingPong game;
    ProcessOptions options;
    options.settings = settings;
    options.before = [&](int) {
        set_arrive_function(MessageKind::Test, &PingPong::take, &game);
    };
    expect_all_well(run_and_check(
        2,
        [&](int me) {
            if (me == 0) {
                ::usleep(500'000);
                PingPong::send(1, 1);
                return;
            }
            int64_t before = processor_time_ns();
            game.wait();
            EXPECT_LT(processor_time_ns() - before, 50'000'000);
        },
        options));
}

TEST(SharedMemory, WhoWaitsUsesNoProcessorTime) {
    wait_for_half_a_second({});
}

// On one core nobody may spin: each message costs a hand-over of the core, some microseconds, where
// a spinning peer would use up its time slice of milliseconds.
TEST(SharedMemory, APingPongOnOneCoreTakesNoTimeSlices) {
    PingPong game;
    ProcessOptions options;
    options.share_a_core = true;
    options.before = [&](int) {
        set_arrive_function(MessageKind::Test, &PingPong::take, &game);
    };
    expect_all_well(run_and_check(
        2,
        [&](int me) {
            constexpr uint64_t rounds = 2000;
            int64_t before = processor_time_ns();
            for (uint64_t i = 0; i < rounds; ++i) {
                if (me == 0)
                    PingPong::send(1, i);
                game.wait();
                EXPECT_EQ(game.value, i);
                if (me == 1)
                    PingPong::send(0, i);
            }
            EXPECT_LT(processor_time_ns() - before, int64_t{rounds} * 200'000);
        },
        options));
}

// The receiver never checks for messages; its helper thread takes them in once the sender waits.
TEST(SharedMemory, AProcessThatComputesIsServedByItsHelperThread) {
    PingPong game;
    std::atomic<bool> answered{false};
    ProcessOptions options;
    options.before = [&](int me) {
        set_arrive_function(
            MessageKind::Test,
            me == 0 ? &PingPong::take
                    : [](void *argument, const Arrival &arrival) {
                          auto value = *static_cast<const uint64_t *>(arrival.header);
                          PingPong::send(arrival.source.number(), value + 1);
                          static_cast<std::atomic<bool> *>(argument)->store(true);
                      },
            me == 0 ? static_cast<void *>(&game) : &answered);
    };
    expect_all_well(run_and_check(
        2,
        [&](int me) {
            if (me == 0) {
                PingPong::send(1, 41);
                game.wait();
                EXPECT_EQ(game.value, 42U);
            } else {
                int64_t end = now_ns() + 20'000'000'000;
                while (!answered.load() && now_ns() < end) {
                }
                EXPECT_TRUE(answered.load());
            }
        },
        options));
}

// Sends 20 MB to a process that does not take them in: the sender waits, then all arrive.
TEST(SharedMemory, ASenderWaitsForAReceiverThatIsStalled) {
    Census census;
    census.wanted = 200;
    ProcessOptions options;
    options.before = [&](int) {
        set_arrive_function(MessageKind::Test, &Census::take, &census);
    };
    expect_all_well(run_and_check(
        2,
        [&](int me) {
            if (me == 1) {
                ::usleep(100'000);
                census.all.wait();
                return;
            }
            std::vector<char> payload(100'000);
            for (uint32_t i = 0; i < 200; ++i) {
                TestHeader header{0, i, i, static_cast<uint32_t>(payload.size())};
                for (size_t k = 0; k < payload.size(); ++k)
                    payload[k] = byte_of(i, k);
                iovec part{payload.data(), payload.size()};
                ASSERT_TRUE(fabric_send(NodeProcess(1), Channel::PointToPoint, MessageKind::Test,
                                        &header, sizeof header, &part, 1));
            }
        },
        options));
}

// Process 1 is killed: process 0 is notified, the messages that it has sent arrive, and nothing
// waits for it.
TEST(SharedMemory, AProcessThatIsKilledIsNoticedAtOnce) {
    PingPong game;
    ProcessOptions options;
    options.end = false;
    options.before = [&](int) {
        set_arrive_function(MessageKind::Test, &PingPong::take, &game);
    };
    auto statuses = run_and_check(
        3,
        [&](int me) {
            if (me == 1) {
                PingPong::send(0, 77);
                PingPong::send(2, 77);
                ::raise(SIGKILL);
            }
            game.wait();
            EXPECT_EQ(game.value, 77U);
            int64_t limit = now_ns() + 5'000'000'000;
            while (testing::lost_process.load() < 0 && now_ns() < limit)
                ::usleep(1000);
            EXPECT_EQ(testing::lost_process.load(), 1);
            uint64_t value = 0;
            EXPECT_FALSE(fabric_send(NodeProcess(1), Channel::PointToPoint, MessageKind::Test,
                                     &value, sizeof value));
            bool ok = true;
            char into;
            fabric_read(
                NodeProcess(1), {4096, 1, 0}, 0, &into, 1,
                [](void *argument, bool worked) { *static_cast<bool *>(argument) = worked; }, &ok);
            EXPECT_FALSE(ok);
            // The others continue.
            PingPong::send(2 - me, 5);
            game.wait();
            EXPECT_EQ(game.value, 5U);
        },
        options);
    EXPECT_EQ(statuses[0], 0);
    EXPECT_TRUE(WIFSIGNALED(statuses[1]));
    EXPECT_EQ(statuses[2], 0);
}

// A task waits for room at a process that stops, and is then killed.
TEST(SharedMemory, WhoWaitsForRoomAtAKilledProcessIsReleased) {
    ProcessOptions options;
    options.end = false;
    options.before = [&](int) {
        set_arrive_function(MessageKind::Test, [](void *, const Arrival &) {});
    };
    auto statuses = run_and_check(
        2,
        [&](int me) {
            auto &pid = testing::shared_state->words[0];
            if (me == 1) {
                pid.store(static_cast<uint64_t>(::getpid()));
                ::raise(SIGSTOP);
            }
            while (pid.load() == 0)
                ::usleep(1000);
            if (::fork() == 0) { // kills it when this process has filled all the room
                ::usleep(500'000);
                ::kill(static_cast<pid_t>(pid.load()), SIGKILL);
                ::_exit(0);
            }
            std::vector<char> payload(10'000);
            iovec part{payload.data(), payload.size()};
            bool ok = true;
            for (int i = 0; i < 100 && ok; ++i)
                ok = fabric_send(NodeProcess(1), Channel::PointToPoint, MessageKind::Test, nullptr,
                                 0, &part, 1);
            EXPECT_FALSE(ok);
        },
        options);
    EXPECT_EQ(statuses[0], 0);
}

const ProcessOptions over_tcp{.settings = {"THRUM_FABRIC=tcp"}};

TEST(Network, MessagesOfTwoProcessesArriveWholeAndInOrder) {
    exchange_at_random(2, 1, 200, over_tcp);
}

TEST(Network, MessagesOfManyProcessesArriveWholeAndInOrder) {
    exchange_at_random(5, 1, 30, over_tcp);
}

TEST(Network, FibersOfAProcessSendAtTheSameTime) {
    exchange_at_random(2, 6, 30, over_tcp);
}

TEST(Network, SeveralReceiversShareTheProcesses) {
    exchange_at_random(5, 1, 30, {.settings = {"THRUM_FABRIC=tcp", "THRUM_RECEIVERS=3"}});
}

TEST(Network, SeveralReceiversThatWaitUseNoProcessorTime) {
    wait_for_half_a_second({"THRUM_FABRIC=tcp", "THRUM_RECEIVERS=4"});
}

TEST(Network, NodesOfTwoProcessesUseBothWays) {
    exchange_at_random(4, 1, 40, {.settings = {"THRUM_FABRIC=shm,tcp"}, .node_of = [](int process) {
                                      return process / 2;
                                  }});
}

TEST(Network, WhoWaitsUsesNoProcessorTime) {
    wait_for_half_a_second({"THRUM_FABRIC=tcp"});
}

// The helper thread serves a process that has waited, slept, and then never checks again.
TEST(Network, AProcessThatComputesIsServedByItsHelperThread) {
    struct Receiver {
        Completion first;
        std::atomic<uint64_t> last{0};
    } receiver;

    PingPong game;
    ProcessOptions options = over_tcp;
    options.before = [&](int me) {
        if (me == 0)
            return set_arrive_function(MessageKind::Test, &PingPong::take, &game);
        auto answer = [](void *argument, const Arrival &arrival) {
            auto &self = *static_cast<Receiver *>(argument);
            const auto value = *static_cast<const uint64_t *>(arrival.header);
            PingPong::send(arrival.source.number(), value);
            if (value == 1)
                self.first.complete();
            self.last.store(value, std::memory_order_relaxed);
        };
        set_arrive_function(MessageKind::Test, answer, &receiver);
    };
    expect_all_well(run_and_check(
        2,
        [&](int me) {
            constexpr uint64_t messages = 20;
            if (me == 1) {
                receiver.first.wait();
                const int64_t end_ns = now_ns() + 20'000'000'000;
                while (receiver.last.load(std::memory_order_relaxed) < messages &&
                       now_ns() < end_ns) {
                }
                EXPECT_EQ(receiver.last.load(std::memory_order_relaxed), messages);
                return;
            }
            ::usleep(50'000); // all threads of the other process sleep by now
            for (uint64_t i = 1; i <= messages; ++i) {
                PingPong::send(1, i);
                game.wait();
                EXPECT_EQ(game.value, i);
            }
        },
        options));
}

// Returns how often threads of this process other than the calling one have gone to sleep.
long sleeps_of_other_threads() {
    long sleeps = 0;
    for (const auto &entry : std::filesystem::directory_iterator("/proc/self/task")) {
        if (entry.path().filename() == std::to_string(::gettid()))
            continue;
        std::ifstream status(entry.path() / "status");
        const std::string name = "voluntary_ctxt_switches:";
        for (std::string line; std::getline(status, line);)
            if (line.starts_with(name))
                sleeps += std::atol(line.c_str() + name.size());
    }
    return sleeps;
}

TEST(Network, AMessageForOneWhoSleepsWakesNoOtherThread) {
    PingPong game;
    ProcessOptions options = over_tcp;
    options.share_a_core = true;
    options.before = [&](int) {
        set_arrive_function(MessageKind::Test, &PingPong::take, &game);
    };
    expect_all_well(run_and_check(
        2,
        [&](int me) {
            constexpr uint64_t rounds = 1000;
            const long sleeps = sleeps_of_other_threads();
            const int64_t before_ns = processor_time_ns();
            for (uint64_t i = 0; i < rounds; ++i) {
                if (me == 0) {
                    ::usleep(300); // until the other process sleeps
                    PingPong::send(1, i);
                }
                game.wait();
                EXPECT_EQ(game.value, i);
                if (me == 1)
                    PingPong::send(0, i);
            }
            EXPECT_LT(sleeps_of_other_threads() - sleeps, long{rounds} / 2);
            EXPECT_LT(processor_time_ns() - before_ns, int64_t{rounds} * 1'000'000);
        },
        options));
}

// A number goes from one process to a random other one, on its node or not, until it is 0. A
// process that has it keeps it for a while, or waits until one of its own threads releases it. So
// waiting processes mostly sleep, and a wake-up may come in the moment when they fall asleep.
TEST(Network, NoWakeUpFromInsideFromTheNodeOrFromAnotherOneIsLost) {
    constexpr unsigned processes = 4;
    const unsigned seed = testing::test_seed();
    PingPong game;
    ProcessOptions options;
    options.settings = {"THRUM_FABRIC=shm,tcp"};
    options.node_of = [](int process) {
        return process / 2;
    };
    options.before = [&](int) {
        set_arrive_function(MessageKind::Test, &PingPong::take, &game);
    };
    expect_all_well(run_and_check(
        processes,
        [&](int process) {
            constexpr uint64_t steps = 1000, the_end = ~uint64_t{0};
            constexpr unsigned pauses_us[] = {0, 0, 1, 10, 30, 60, 90, 120, 200, 400, 8000};
            const auto me = static_cast<unsigned>(process);
            std::mt19937 random(seed + me);
            auto pause = [&] {
                ::usleep(pauses_us[random() % std::size(pauses_us)]);
            };
            for (uint64_t left = me == 0 ? steps : 0;;) {
                if (left == 0) {
                    game.wait();
                    left = game.value;
                    if (left == the_end)
                        return;
                }
                if (random() % 3 == 0) {
                    Completion inside;
                    std::thread other([&] {
                        pause();
                        inside.complete();
                    });
                    inside.wait();
                    other.join();
                } else {
                    pause();
                }
                const unsigned to = (me + 1 + random() % (processes - 1)) % processes;
                if (--left > 0) {
                    PingPong::send(static_cast<int>(to), left);
                    left = 0;
                    continue;
                }
                for (unsigned i = 1; i < processes; ++i)
                    PingPong::send(static_cast<int>((me + i) % processes), the_end);
                return;
            }
        },
        options));
}

TEST(NetworkDeathTest, AProviderThatIsMissingIsSaidInOneLineWithARemedy) {
    auto begin = [] {
        ::setenv("THRUM_FABRIC", "carrier-pigeon", 1);
        read_settings(environ);
        testing::shared_state = new testing::SharedTestState{};
        testing::test_processes = 2;
        fabric_begin(testing::test_job());
    };
    EXPECT_EXIT(
        begin(), ::testing::ExitedWithCode(1),
        "thrum: THRUM_FABRIC: .*no provider carrier-pigeon.*No data available.*there are .*tcp");
}

TEST(SharedMemoryDeathTest, TooLittleMemoryIsSaidInOneLineWithARemedy) {
    auto begin_with_little = [] {
        rlimit limit{64 << 10, 64 << 10};
        ::setrlimit(RLIMIT_FSIZE, &limit);
        testing::shared_state = new testing::SharedTestState{};
        testing::test_processes = 2;
        fabric_begin(testing::test_job());
    };
    EXPECT_EXIT(begin_with_little(), ::testing::ExitedWithCode(1),
                "thrum: .*shared memory.*ulimit -f.*THRUM_FABRIC=tcp");
}

} // namespace
} // namespace thrum
