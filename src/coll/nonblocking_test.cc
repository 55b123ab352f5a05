// Non-blocking and persistent collective operations, compared with a serial model: random ones,
// several outstanding, each rank completing and starting them in its own order.
#include "coll/testing/blocking_forms.h"
#include "coll/testing/on_each_layer.h"
#include "coll/testing/random_call.h"
#include "coll/testing/two_groups.h"
#include "pending/request.h"
#include "pt2pt/persistent.h"
#include "pt2pt/request_pool.h"
#include "pt2pt/wait.h"

#include <gtest/gtest.h>
#include <memory>

namespace thrum {
namespace {

using namespace thrum::testing;

void expect_success(Error error) {
    if (error)
        ADD_FAILURE() << error_detail(error.code());
}

void begin_call(Communicator &comm, const CollectiveCall &call, MPI_Request *request) {
    begin_collective(*collective_of(comm, call, NonblockingForm).release(), request);
}

// The operations that a rank has begun and not completed.
class Outstanding {
public:
    Outstanding(Communicator &comm, unsigned seed)
        : comm_(comm), own_engine_(seed * 977 + static_cast<unsigned>(comm.process->number) + 1) {}

    int draw(int end) { return static_cast<int>(own_engine_() / 7 % static_cast<unsigned>(end)); }

    void begin(const CallDraw &drawn, const Op &user_op) {
        Pending &pending = pending_.emplace_back();
        pending.call = std::make_unique<RandomCall>(comm_, drawn, user_op);
        pending.call->fill(0);
        begin_call(comm_, pending.call->call(), &pending.request);
    }

    // Completes one of them, or all, in any of the ways that MPI offers.
    void complete_some() {
        while (!pending_.empty() && draw(3) != 0) {
            auto i = static_cast<size_t>(draw(static_cast<int>(pending_.size())));
            bool done = false;
            switch (draw(3)) {
            case 0:
                complete_all();
                return;
            case 1:
                expect_success(test(pending_[i].request, done, MPI_STATUS_IGNORE));
                if (!done)
                    continue;
                break;
            default:
                expect_success(wait(pending_[i].request, MPI_STATUS_IGNORE));
            }
            EXPECT_EQ(pending_[i].request, MPI_REQUEST_NULL);
            pending_[i].call->check("non-blocking");
            pending_.erase(pending_.begin() + static_cast<std::ptrdiff_t>(i));
        }
    }

    void complete_all() {
        std::vector<MPI_Request> requests;
        for (const Pending &pending : pending_)
            requests.push_back(pending.request);
        int count = static_cast<int>(requests.size());
        if (draw(2)) {
            expect_success(wait_all(count, requests.data(), nullptr));
        } else {
            for (int index = 0; index != MPI_UNDEFINED;)
                expect_success(wait_any(count, requests.data(), index, MPI_STATUS_IGNORE));
        }
        for (const Pending &pending : pending_)
            pending.call->check("non-blocking");
        pending_.clear();
    }

    size_t size() const { return pending_.size(); }

private:
    struct Pending {
        std::unique_ptr<RandomCall> call;
        MPI_Request request = MPI_REQUEST_NULL;
    };

    Communicator &comm_;
    std::minstd_rand own_engine_;
    std::vector<Pending> pending_;
};

void run_random_nonblocking(Communicator &comm, unsigned seed, int operations, const Op &user_op) {
    std::minstd_rand engine(seed);
    Outstanding outstanding(comm, seed);
    for (int i = 1; i <= operations; ++i) {
        CallDraw drawn(engine, comm, static_cast<unsigned>(i));
        if (drawn.number % 11 == 0)
            expect_success(barrier(comm)); // blocking ones in between
        outstanding.begin(drawn, user_op);
        outstanding.complete_some();
        if (outstanding.size() > 12)
            outstanding.complete_all();
    }
    outstanding.complete_all();
}

// Starts a few persistent operations `rounds` times in random order.
void run_random_persistent(Communicator &comm, unsigned seed, int rounds, const Op &user_op) {
    constexpr size_t count = 6;
    std::minstd_rand engine(seed);
    std::minstd_rand own(seed + 31 * static_cast<unsigned>(comm.process->number) + 5);
    std::vector<std::unique_ptr<RandomCall>> calls;
    std::vector<MPI_Request> requests(count);
    for (size_t i = 0; i < count; ++i) {
        calls.push_back(std::make_unique<RandomCall>(
            comm, CallDraw(engine, comm, static_cast<unsigned>(i + 1)), user_op));
        expect_success(initialize_collective(collective_of(comm, calls[i]->call(), PersistentForm),
                                             &requests[i]));
    }
    for (unsigned round = 0; round < static_cast<unsigned>(rounds); ++round) {
        std::vector<size_t> order(count);
        for (size_t i = 0; i < count; ++i)
            order[i] = i;
        std::shuffle(order.begin(), order.end(), own);
        for (size_t i : order) {
            calls[i]->fill(round);
            expect_success(start(*requests[i]));
        }
        std::shuffle(order.begin(), order.end(), own);
        for (size_t i : order) {
            expect_success(wait(requests[i], MPI_STATUS_IGNORE));
            calls[i]->check("persistent");
        }
    }
    for (MPI_Request request : requests)
        expect_success(free_request(*request));
}

class NonblockingCollectives : public OnEachLayer {};

TEST_P(NonblockingCollectives, RandomSequencesWithSeveralOutstanding) {
    unsigned seed = test_seed();
    Op op;
    make_compose(op);
    run([&](Process &process) {
        run_random_nonblocking(*process.world, seed, size() > 30 ? 40 : 150, op);
    });
}

TEST_P(NonblockingCollectives, RandomPersistentOnesStartedInAnyOrder) {
    unsigned seed = test_seed();
    Op op;
    make_compose(op);
    run([&](Process &process) {
        for (unsigned i = 0; i < 4; ++i)
            run_random_persistent(*process.world, seed + i, size() > 30 ? 3 : 8, op);
    });
}

TEST_P(NonblockingCollectives, AThousandMayBeOutstanding) {
    run([&](Process &process) {
        Communicator &comm = *process.world;
        constexpr int count = 1000;
        std::vector<MPI_Request> requests(count);
        std::vector<int> values(count);
        for (int i = 0; i < count; ++i) {
            values[static_cast<size_t>(i)] = comm.rank == i % comm.size ? i : -1;
            Blocks block =
                Blocks::equal(&values[static_cast<size_t>(i)], 1, *find_datatype(MPI_INT));
            bool root = comm.rank == i % comm.size;
            begin_call(comm,
                       {Collective::Bcast, i % comm.size, root ? block : Blocks(),
                        root ? Blocks() : block},
                       &requests[static_cast<size_t>(i)]);
        }
        expect_success(wait_all(count, requests.data(), nullptr));
        for (int i = 0; i < count; ++i)
            EXPECT_EQ(values[static_cast<size_t>(i)], i);
    });
}

// A member that gets its result early stays within a limit ahead of the others.
TEST_P(NonblockingCollectives, OperationsUnderWayAreFew) {
    run([&](Process &process) {
        Communicator &comm = *process.world;
        constexpr int count = 100;
        std::vector<MPI_Request> outstanding(count);
        std::vector<int> sums(count);
        int one = 1;
        auto begin_scan = [&](int &sum, MPI_Request &request) {
            Vector vector{&one, &sum, 1, *find_datatype(MPI_INT), *find_op(MPI_SUM)};
            begin_call(comm, {Collective::Scan, -1, vector}, &request);
        };
        for (int i = 0; i < count; ++i) {
            int sum = 0;
            begin_scan(sum, outstanding[0]);
            expect_success(wait(outstanding[0], MPI_STATUS_IGNORE));
            EXPECT_EQ(sum, comm.rank + 1);
            EXPECT_LE(operations_of(meeting_of(*comm.context), comm)
                          .nonblocking.open_before(static_cast<uint64_t>(i)),
                      17);
        }
        expect_success(barrier(comm));
        for (size_t i = 0; i < count; ++i) // and none of them waits for another call
            begin_scan(sums[i], outstanding[i]);
        expect_success(wait_all(count, outstanding.data(), nullptr));
        EXPECT_EQ(sums, std::vector<int>(count, comm.rank + 1));
    });
}

INSTANTIATE_TEST_SUITE_P(On, NonblockingCollectives, layers_and_sizes(), name_of_layer_and_size);

class NonblockingBetweenGroups : public ::testing::TestWithParam<std::tuple<int, int, int>> {};

TEST_P(NonblockingBetweenGroups, RandomSequences) {
    auto [first, second, workers] = GetParam();
    unsigned seed = test_seed();
    Op op;
    make_compose(op);
    run_in_two_groups(first, second, {workers, workers == 0}, [&](Communicator &comm) {
        run_random_nonblocking(comm, seed, 60, op);
        run_random_persistent(comm, seed, 4, op);
    });
}

INSTANTIATE_TEST_SUITE_P(Sizes, NonblockingBetweenGroups,
                         ::testing::Combine(::testing::Values(1, 3, 20),
                                            ::testing::Values(1, 4, 33),
                                            ::testing::Values(0, 1, 2)));

// Returns the results of every reduction on doubles, blocking or not, at the middle rank.
std::vector<double> float_results(const TeamOptions &options, int ranks, int count,
                                  bool nonblocking) {
    std::vector<double> results;
    auto body = [&](Process &process) {
        Communicator &comm = *process.world;
        std::vector<double> send(static_cast<size_t>(count)), receive(send.size()), all;
        for (size_t i = 0; i < send.size(); ++i)
            send[i] = 1.0 / (1 + datum(1, comm.rank, 0, i) % 1000003);
        Count first = comm.rank * static_cast<Count>(count) / comm.size;
        Share share{first, (comm.rank + 1) * static_cast<Count>(count) / comm.size - first};
        int root = comm.size / 2;
        for (Collective collective : {Collective::Reduce, Collective::Allreduce, Collective::Scan,
                                      Collective::Exscan, Collective::ReduceScatter}) {
            std::fill(receive.begin(), receive.end(), 0.0);
            bool gets = collective != Collective::Reduce || comm.rank == root;
            Vector vector{send.data(), gets ? receive.data() : nullptr, count,
                          *find_datatype(MPI_DOUBLE), *find_op(MPI_SUM)};
            MPI_Request request;
            if (nonblocking) {
                begin_call(
                    comm,
                    {collective, collective == Collective::Reduce ? root : -1, vector.with(share)},
                    &request);
                expect_success(wait(request, MPI_STATUS_IGNORE));
            } else {
                expect_success(collective == Collective::Reduce      ? reduce(comm, vector, root)
                               : collective == Collective::Allreduce ? allreduce(comm, vector)
                               : collective == Collective::Scan      ? scan(comm, vector)
                               : collective == Collective::Exscan
                                   ? exscan(comm, vector)
                                   : reduce_scatter(comm, vector, share, collective));
            }
            all.insert(all.end(), receive.begin(), receive.end());
        }
        if (comm.rank == root)
            results = all;
    };
    run_processes(ranks, body, options);
    return results;
}

TEST(NonblockingFloatingPoint, HasTheBitsOfTheBlockingFormOnAnyNumberOfWorkers) {
    for (int ranks : {1, 2, 7, 16, 64, 100}) {
        for (int count : {1, 100, 3000, 20000}) {
            if (ranks > 60 && count > 3000)
                continue;
            std::vector<double> expected = float_results({1, false}, ranks, count, false);
            for (TeamOptions options : {TeamOptions{1, false}, TeamOptions{2, false},
                                        TeamOptions{4, false}, TeamOptions{0, true}})
                EXPECT_EQ(float_results(options, ranks, count, true), expected)
                    << ranks << " ranks, " << count << " elements";
        }
    }
}

} // namespace
} // namespace thrum
