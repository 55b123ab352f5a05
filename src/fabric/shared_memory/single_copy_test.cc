// Reads of another process's memory: by messages, by system calls of one process or of both, and
// from memory that both have mapped.
#include "base/clock.h"
#include "base/testing/seed.h"
#include "fabric/allocation.h"
#include "fabric/channel/joint_copy.h"
#include "fabric/shared_memory/shared_heap.h"
#include "fabric/testing/messages.h"
#include "trace/variables.h"

#include <cstddef>
#include <cstdlib>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <random>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <thread>

namespace thrum {
namespace {

using testing::expect_all_well;
using testing::PingPong;
using testing::ProcessOptions;
using testing::run_and_check;

uint64_t counted(const char *name) {
    for (const PerformanceVariable &variable : performance_variables())
        if (std::strcmp(variable.name, name) == 0)
            return variable.read(0);
    ADD_FAILURE() << "no variable " << name;
    return 0;
}

// Makes the system calls that copy between processes fail with EPERM, like a sandbox.
void forbid_copies_between_processes() {
    constexpr unsigned calls[] = {SYS_process_vm_readv, SYS_process_vm_writev};
    sock_filter program[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, calls[0], 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, calls[1], 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
    };
    sock_fprog filter{sizeof program / sizeof *program, program};
    ASSERT_EQ(::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
    ASSERT_EQ(::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0), 0);
}

struct Read {
    Completion completion;
    bool ok = false;

    static void done(void *argument, bool ok) {
        static_cast<Read *>(argument)->ok = ok;
        static_cast<Read *>(argument)->completion.complete();
    }
};

// The conditions of a test.
struct Conditions {
    std::vector<const char *> settings = {};
    int readers = 1;
    bool out_of_heap = false; // SharedHeap
    bool share_a_core = false;
    int forbidden_in = -1; // process in which copies between processes are forbidden
    bool owner_computes = false;
    std::function<bool()> enough = nullptr; // asked at the owner after each round of reads
    std::function<void(int me)> at_end = [](int) {
    }; // at all
};

constexpr size_t all_bytes = 3'000'000;
constexpr int reads_of_a_round = 40;

// Runs process 0.
void own(const Conditions &given, PingPong &game, char *memory) {
    const RemoteMemory exposed = fabric_expose(memory, all_bytes);
    for (int reader = 1; reader <= given.readers; ++reader)
        fabric_send(NodeProcess(reader), Channel::PointToPoint, MessageKind::Test2, &exposed,
                    sizeof exposed);
    const int64_t end_ns = now_ns() + 30'000'000'000;
    for (bool more = true; more;) {
        for (int i = 0; i < given.readers; ++i) {
            while (given.owner_computes && !game.here[game.awaited % PingPong::most].done())
                if (given.share_a_core)
                    ::usleep(1000);
            game.wait();
        }
        more = given.enough && !given.enough() && now_ns() < end_ns;
        for (int reader = 1; reader <= given.readers; ++reader)
            PingPong::send(reader, more);
    }
    fabric_withdraw(exposed);
    EXPECT_TRUE(!given.enough || given.enough());
}

void read_at_random(PingPong &game, const RemoteMemory &remote, const char *memory,
                    std::mt19937 &random) {
    for (bool more = true; more; more = game.value != 0) {
        for (int i = 0; i < reads_of_a_round; ++i) {
            const size_t from = random() % all_bytes, bytes = random() % (all_bytes - from);
            std::vector<char> copy(bytes);
            Read read;
            fabric_read(NodeProcess(0), remote, from, copy.data(), bytes, &Read::done, &read);
            read.completion.wait();
            EXPECT_TRUE(read.ok);
            EXPECT_EQ(std::memcmp(copy.data(), memory + from, bytes), 0) << from << ' ' << bytes;
        }
        PingPong::send(0, 0);
        game.wait();
    }
}

// Reads random parts of process 0's memory.
void read_parts(const Conditions &given) {
    static RemoteMemory remote;
    PingPong game;
    ProcessOptions options;
    options.settings = given.settings;
    options.share_a_core = given.share_a_core;
    options.before = [&](int me) {
        if (me == given.forbidden_in)
            forbid_copies_between_processes();
        set_arrive_function(MessageKind::Test, &PingPong::take, &game);
        set_arrive_function(
            MessageKind::Test2,
            [](void *argument, const Arrival &arrival) {
                std::memcpy(&remote, arrival.header, sizeof remote);
                PingPong::take(argument, arrival);
            },
            &game);
    };
    unsigned seed = testing::test_seed();
    expect_all_well(run_and_check(
        1 + given.readers,
        [&](int me) {
            std::mt19937 random(seed);
            void *memory =
                given.out_of_heap ? fabric_allocate(all_bytes, 64) : std::malloc(all_bytes);
            ASSERT_TRUE(memory);
            auto *bytes = static_cast<char *>(memory);
            for (size_t i = 0; i < all_bytes; ++i)
                bytes[i] = static_cast<char>(random());
            random.seed(seed + static_cast<unsigned>(me));
            if (me == 0) {
                own(given, game, bytes);
            } else {
                game.wait();
                read_at_random(game, remote, bytes, random);
            }
            given.at_end(me);
        },
        options));
}

bool has_two_cores() {
    return std::thread::hardware_concurrency() > 1;
}

TEST(SingleCopy, MemoryIsReadByMessagesIfSoSet) {
    read_parts({.settings = {"THRUM_SINGLE_COPY=0"}});
}

TEST(SingleCopy, AnOwnerThatWaitsMakesAPartOfTheCopies) {
    Conditions given;
    if (has_two_cores())
        given.enough = [] {
            return counted("joint_copy_bytes") > 0;
        };
    read_parts(given);
}

TEST(SingleCopy, SeveralReadersGetTheirCopies) {
    read_parts({.readers = 3});
}

TEST(SingleCopy, AnOwnerThatComputesIsNotNeeded) {
    read_parts({.owner_computes = true});
}

TEST(SingleCopy, ProcessesThatShareACoreDoNotHelpEachOther) {
    read_parts({.share_a_core = true, .at_end = [](int) {
                    EXPECT_EQ(counted("joint_copy_bytes"), 0U);
                }});
}

TEST(SingleCopy, WhereTheReaderMayNotCopyMessagesAreUsed) {
    read_parts({.forbidden_in = 1});
}

TEST(SingleCopy, WhatTheOwnerMayNotCopyTheReaderCopies) {
    read_parts({.forbidden_in = 0, .at_end = [](int) {
                    EXPECT_EQ(counted("joint_copy_bytes"), 0U);
                }});
}

TEST(SingleCopy, MemoryOfAnotherNodeIsRead) {
    read_parts({.settings = {"THRUM_FABRIC=tcp"}});
}

TEST(SingleCopy, MemoryOfAnotherNodeIsReadWithSeveralReceivers) {
    read_parts({.settings = {"THRUM_FABRIC=tcp", "THRUM_RECEIVERS=2"}, .readers = 3});
}

TEST(SingleCopy, AllocatedMemoryIsReadWithoutSystemCalls) {
    read_parts({.readers = 2, .out_of_heap = true, .forbidden_in = 1, .at_end = [](int me) {
                    EXPECT_EQ(counted("mapped_copy_bytes") > 0, me != 0);
                }});
}

// Process 0 is killed while process 1 reads: each read ends, successfully or not, and nothing
// hangs.
TEST(SingleCopy, ReadsOfAProcessThatIsKilledEnd) {
    static RemoteMemory remote;
    PingPong game;
    ProcessOptions options;
    options.end = false;
    options.before = [&](int) {
        set_arrive_function(
            MessageKind::Test2,
            [](void *argument, const Arrival &arrival) {
                std::memcpy(&remote, arrival.header, sizeof remote);
                PingPong::take(argument, arrival);
            },
            &game);
    };
    const auto statuses = run_and_check(
        2,
        [&](int me) {
            std::vector<char> memory(all_bytes, static_cast<char>(me));
            if (me == 0) {
                const RemoteMemory exposed = fabric_expose(memory.data(), memory.size());
                fabric_send(NodeProcess(1), Channel::PointToPoint, MessageKind::Test2, &exposed,
                            sizeof exposed);
                const int64_t end_ns = now_ns() + 20'000'000;
                while (now_ns() < end_ns)
                    fabric_progress();
                ::raise(SIGKILL);
            }
            game.wait();
            for (bool ok = true; ok;) {
                Read read;
                fabric_read(NodeProcess(0), remote, 0, memory.data(), memory.size(), &Read::done,
                            &read);
                read.completion.wait();
                ok = read.ok;
            }
        },
        options);
    EXPECT_TRUE(WIFSIGNALED(statuses[0]));
    EXPECT_EQ(statuses[1], 0);
}

TEST(JointCopy, PiecesAreClaimedOnce) {
    static JointCopy copy{};
    ASSERT_TRUE(copy.open(NodeProcess(1), 0, 0, 1'000'000));
    EXPECT_FALSE(copy.open(NodeProcess(2), 0, 0, 5));
    ASSERT_TRUE(copy.begin_to_help());
    uint64_t bytes = 0;
    copy.copy_pieces([&](uint64_t at, uint64_t n) {
        EXPECT_EQ(at, bytes);
        bytes += n;
        return bytes < 500'000;
    });
    EXPECT_FALSE(copy.close()); // the owner is helping
    EXPECT_FALSE(copy.is_done());
    copy.copy_pieces([&](uint64_t at, uint64_t n) {
        EXPECT_EQ(at, bytes);
        bytes += n;
        return true;
    });
    EXPECT_EQ(bytes, 1'000'000U);
    EXPECT_TRUE(copy.end_help());
    EXPECT_TRUE(copy.is_done());
    EXPECT_TRUE(copy.leave());
    EXPECT_TRUE(copy.open(NodeProcess(2), 0, 0, 5));
    EXPECT_TRUE(copy.close());
    EXPECT_TRUE(copy.leave());
    EXPECT_FALSE(copy.begin_to_help());
}

TEST(SharedHeap, WhatIsGivenBackIsUsedAgain) {
    SharedHeap heap;
    ASSERT_TRUE(heap.create());
    std::mt19937 random(testing::test_seed());
    std::map<char *, size_t> held;
    for (int i = 0; i < 2000; ++i) {
        if (held.size() < 30 && random() % 2) {
            const size_t bytes = 1 + random() % 100'000, alignment = size_t{1} << random() % 20;
            auto *memory = static_cast<char *>(heap.allocate(bytes, alignment));
            ASSERT_TRUE(memory);
            EXPECT_EQ(reinterpret_cast<uintptr_t>(memory) % alignment, 0U);
            auto next = held.lower_bound(memory);
            EXPECT_TRUE(next == held.end() || memory + bytes <= next->first);
            EXPECT_TRUE(next == held.begin() ||
                        std::prev(next)->first + std::prev(next)->second <= memory);
            for (size_t k = 0; k < bytes; k += 1000) {
                EXPECT_EQ(memory[k], 0); // given back to the system meanwhile
                memory[k] = 'x';
            }
            held[memory] = bytes;
        } else if (!held.empty()) {
            auto one = std::next(held.begin(), static_cast<long>(random() % held.size()));
            if (one->second > 4096) {
                EXPECT_EQ(heap.release(one->first + 4096), HeapRelease::NotInUse);
            }
            EXPECT_EQ(heap.release(one->first), HeapRelease::Released);
            held.erase(one);
        }
    }
    for (auto &[memory, bytes] : held)
        EXPECT_EQ(heap.release(memory), HeapRelease::Released);
    int other = 0;
    EXPECT_EQ(heap.release(&other), HeapRelease::NotFromHere);
    EXPECT_TRUE(heap.allocate(heap.bytes(), 1)); // all is in one piece again
    EXPECT_FALSE(heap.allocate(1, 1));
}

} // namespace
} // namespace thrum
