// Random traffic from a seed: many ranks, all sizes, all modes but buffered, three kinds of
// receives, gapped and dense datatypes; every message is checked for content and order.
#include "base/testing/seed.h"
#include "comm/testing/processes.h"
#include "datatype/constructors.h"
#include "datatype/status.h"
#include "fiber/testing/each_layer.h"
#include "pt2pt/freed_requests.h"
#include "pt2pt/receive.h"
#include "pt2pt/request_pool.h"
#include "pt2pt/send.h"
#include "pt2pt/wait.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

using namespace thrum;

namespace {

using thrum::testing::test_seed;

void ok(Error error) {
    EXPECT_EQ(error.code(), MPI_SUCCESS) << error_detail(error.code());
}

struct PlannedMessage {
    int source, dest, tag;
    int count; // integers, of which the first is the message's number
    SendMode mode;
    bool gapped_send, gapped_receive;
};

constexpr int tag_any_source = 4; // tags from here on are received from MPI_ANY_SOURCE
constexpr int tags = 6;
constexpr int count_max = 20000;

// Messages of some pairs of ranks are received with MPI_ANY_TAG, and have small tags only.
bool pair_uses_any_tag(int source, int dest) {
    return (source * 7 + dest) % 5 == 0;
}

std::vector<PlannedMessage> make_plan(uint64_t seed, int ranks, int messages) {
    std::mt19937_64 random(seed);
    auto below = [&](int limit) {
        return static_cast<int>(random() % static_cast<unsigned>(limit));
    };
    std::vector<PlannedMessage> plan;
    for (int i = 0; i < messages; ++i) {
        PlannedMessage m{};
        m.source = below(ranks);
        m.dest = below(ranks);
        m.tag = below(pair_uses_any_tag(m.source, m.dest) ? tag_any_source : tags);
        int size_class = below(10);
        m.count = 1 + (size_class < 5   ? below(27)
                       : size_class < 9 ? below(2000)
                                        : below(count_max - 1));
        constexpr SendMode modes[] = {SendMode::Standard, SendMode::Synchronous, SendMode::Ready};
        m.mode = modes[below(3)];
        m.gapped_send = below(3) == 0;
        m.gapped_receive = below(3) == 0;
        plan.push_back(m);
    }
    return plan;
}

int value_at(int message, int i) {
    return i == 0 ? message : message * 31 + i;
}

// A buffer of one integer in every two, or of all.
struct IntBuffer {
    std::vector<int> memory;
    int stride;

    IntBuffer(int count, bool gapped)
        : memory(static_cast<size_t>(2 * count), -1), stride(gapped ? 2 : 1) {}

    int &operator[](int i) { return memory[static_cast<size_t>(i * stride)]; }
};

// The operations of one rank: its sends in the order of the plan, its receives in an order that
// keeps those of equal envelopes in place, randomly interleaved.
class Traffic {
public:
    Traffic(Communicator &comm, const std::vector<PlannedMessage> &plan, uint64_t seed,
            Datatype &gapped)
        : comm_(comm), plan_(plan), random_(seed + static_cast<uint64_t>(comm.rank)),
          gapped_(gapped) {
        for (size_t i = 0; i < plan.size(); ++i) {
            if (plan[i].source == comm.rank)
                sends_.push_back(static_cast<int>(i));
            if (plan[i].dest == comm.rank)
                receives_.push_back(static_cast<int>(i));
        }
        std::shuffle(receives_.begin(), receives_.end(), random_);
    }

    void run() {
        while (next_send_ < sends_.size() || next_receive_ < receives_.size()) {
            if (random_() % 2 && next_send_ < sends_.size())
                start_send(sends_[next_send_++]);
            else if (next_receive_ < receives_.size())
                start_receive(receives_[next_receive_++]);
            if (random_() % 8 == 0)
                reap();
        }
        std::vector<MPI_Status> statuses(requests_.size());
        ok(wait_all(static_cast<int>(requests_.size()), requests_.data(), statuses.data()));
        for (size_t i = 0; i < requests_.size(); ++i)
            if (!reaped_[i])
                note(i, statuses[i]);
        check();
    }

private:
    struct Received {
        Envelope envelope; // as received
        IntBuffer buffer;
        MPI_Status status;
    };

    Datatype &type(const IntBuffer &buffer) {
        return buffer.stride == 2 ? gapped_ : *find_datatype(MPI_INT);
    }

    void start_send(int i) {
        const PlannedMessage &m = plan_[static_cast<size_t>(i)];
        auto &buffer =
            *send_buffers_.emplace_back(std::make_unique<IntBuffer>(m.count, m.gapped_send));
        for (int n = 0; n < m.count; ++n)
            buffer[n] = value_at(i, n);
        ok(isend(buffer.memory.data(), m.count, type(buffer), m.dest, m.tag, comm_, m.mode,
                 &add(-1)));
    }

    void start_receive(int i) {
        const PlannedMessage &m = plan_[static_cast<size_t>(i)];
        int source = m.tag >= tag_any_source ? MPI_ANY_SOURCE : m.source;
        int tag = pair_uses_any_tag(m.source, m.dest) ? MPI_ANY_TAG : m.tag;
        auto &r = *received_.emplace_back(std::make_unique<Received>(
            Received{{0, source, tag}, IntBuffer(count_max, m.gapped_receive), {}}));
        ok(ireceive(r.buffer.memory.data(), count_max, type(r.buffer), source, tag, comm_,
                    &add(static_cast<int>(received_.size()) - 1)));
    }

    MPI_Request &add(int receive) {
        receive_of_.push_back(receive);
        reaped_.push_back(false);
        return requests_.emplace_back(MPI_REQUEST_NULL);
    }

    void note(size_t i, const MPI_Status &status) {
        reaped_[i] = true;
        if (receive_of_[i] >= 0)
            received_[static_cast<size_t>(receive_of_[i])]->status = status;
    }

    void reap() {
        std::vector<int> indices(requests_.size());
        std::vector<MPI_Status> statuses(requests_.size());
        int completed;
        bool wait =
            random_() % 4 == 0 && next_receive_ == receives_.size() && next_send_ == sends_.size();
        ok((wait ? wait_some : test_some)(static_cast<int>(requests_.size()), requests_.data(),
                                          completed, indices.data(), statuses.data()));
        for (int n = 0; n < completed; ++n)
            note(static_cast<size_t>(indices[static_cast<size_t>(n)]),
                 statuses[static_cast<size_t>(n)]);
    }

    void check() {
        std::map<std::tuple<int, int, int>, int>
            last; // newest number by posted envelope and source
        ASSERT_EQ(received_.size(), receives_.size());
        for (auto &r : received_) {
            const int number = r->buffer[0];
            ASSERT_GE(number, 0);
            ASSERT_LT(number, static_cast<int>(plan_.size()));
            const PlannedMessage &m = plan_[static_cast<size_t>(number)];
            ASSERT_EQ(m.source, r->status.MPI_SOURCE);
            ASSERT_EQ(m.tag, r->status.MPI_TAG);
            ASSERT_EQ(status_bytes(r->status), m.count * static_cast<Count>(sizeof(int)));
            ASSERT_TRUE(r->envelope.accepts({0, m.source, m.tag}));
            for (int n = 0; n < m.count; ++n)
                ASSERT_EQ(r->buffer[n], value_at(number, n))
                    << "integer " << n << " of message " << number;
            auto [at, first] =
                last.try_emplace({r->envelope.source, r->envelope.tag, m.source}, number);
            ASSERT_TRUE(first || at->second < number)
                << number << " was overtaken by " << at->second;
            at->second = number;
        }
    }

    Communicator &comm_;
    const std::vector<PlannedMessage> &plan_;
    std::mt19937_64 random_;
    Datatype &gapped_;
    std::vector<int> sends_, receives_; // numbers in the plan
    size_t next_send_ = 0, next_receive_ = 0;
    std::vector<std::unique_ptr<IntBuffer>> send_buffers_;
    std::vector<std::unique_ptr<Received>> received_;
    std::vector<MPI_Request> requests_;
    std::vector<int> receive_of_; // by request: index into received_, or -1 for a send
    std::vector<bool> reaped_;
};

class RandomTraffic : public ::testing::TestWithParam<TeamOptions> {};

} // namespace

TEST_P(RandomTraffic, ArrivesWholeAndInOrder) {
    uint64_t seed = test_seed();
    for (int round = 0; round < 3; ++round, ++seed) {
        constexpr int ranks = 7;
        const std::vector<PlannedMessage> plan = make_plan(seed, ranks, 1500);
        Datatype *gapped; // an integer and a gap as wide
        ok(new_resized(*find_datatype(MPI_INT), 0, 2 * sizeof(int), gapped));
        gapped->committed = true;
        run_processes(
            ranks,
            [&](Process &process) {
                Traffic(*process.world, plan, seed, *gapped).run();
                (void)finish_requests_of_world(process);
            },
            GetParam());
        release(*gapped);
        for (int rank = 0; rank < ranks; ++rank)
            ASSERT_TRUE(process_at(rank).mailbox.unexpected.empty());
        ASSERT_FALSE(HasFailure()) << "seed " << seed;
    }
}

// MPI_THREAD_MULTIPLE: threads of one rank share its mailbox and request pool.
TEST(ThreadMultiple, ThreadsOfTwoRanksTalkPairwise) {
    constexpr int threads = 4, rounds = 2000;
    run_processes(2,
                  [](Process &process) {
                      Communicator &comm = *process.world;
                      Datatype &type = *find_datatype(MPI_INT);
                      auto talk = [&](int tag) {
                          for (int i = 0; i < rounds; ++i) {
                              int got = -1, sent = i * threads + tag;
                              MPI_Request requests[2];
                              ok(ireceive(&got, 1, type, 1 - comm.rank, tag, comm, &requests[0]));
                              ok(isend(&sent, 1, type, 1 - comm.rank, tag, comm,
                                       i % 2 ? SendMode::Standard : SendMode::Synchronous,
                                       &requests[1]));
                              ok(wait_all(2, requests, MPI_STATUSES_IGNORE));
                              ASSERT_EQ(got, sent);
                          }
                      };
                      std::vector<std::thread> team;
                      for (int tag = 0; tag < threads; ++tag)
                          team.emplace_back([&, tag] {
                              RankThread self;
                              self.rank = process.rank;
                              enter_os_thread(self);
                              talk(tag);
                              leave_os_thread(self);
                          });
                      for (std::thread &thread : team)
                          thread.join();
                      (void)finish_requests_of_world(process);
                  },
                  {.os_threads = true});
}

INSTANTIATE_TEST_SUITE_P(On, RandomTraffic, thrum::testing::each_layer(),
                         thrum::testing::name_of_layer);
