// Compares random epochs from a seed with a sequential model. All ranks plan every epoch in the
// same way, with one kind of access for each segment of each target's memory, so the result does
// not depend on the order of concurrent operations.
#include "base/testing/seed.h"
#include "coll/coll.h"
#include "comm/group.h"
#include "comm/testing/processes.h"
#include "datatype/constructors.h"
#include "rma/accumulate.h"
#include "rma/epoch.h"
#include "rma/window_lifecycle.h"

#include <gtest/gtest.h>
#include <random>

using namespace thrum;

namespace {

using thrum::testing::test_seed;

constexpr int elements = 96; // of each rank's window, 8 bytes each
using Memory = std::vector<int64_t>;

enum class Way { Fence, Groups, Lock, LockAll, Last = LockAll };
enum class Kind { Put, Get, Accumulate, GetAccumulate, FetchAndOp, Last = FetchAndOp };

// One operation: `count` elements from `place` on, `stride` apart in the target and `origin_stride`
// apart at the origin.
struct Planned {
    Kind kind;
    int origin, target, place, count, stride, origin_stride;
    MPI_Op op;
    int64_t value; // of the first element; the others follow
};

struct Plan {
    Way way;
    std::vector<Planned> operations;
};

class Planner {
public:
    Planner(unsigned seed, int ranks) : random_(seed), ranks_(ranks) {}

    Plan next() {
        Plan plan{static_cast<Way>(below(static_cast<int>(Way::Last) + 1)), {}};
        for (int target = 0; target < ranks_; ++target)
            for (int place = 0; place < elements;) {
                int length = std::min(elements - place, 1 + below(20));
                fill(plan, target, place, length);
                place += length;
            }
        return plan;
    }

private:
    int below(int limit) { return static_cast<int>(random_() % static_cast<unsigned>(limit)); }

    void fill(Plan &plan, int target, int place, int length) {
        static const MPI_Op ops[] = {MPI_SUM, MPI_MAX, MPI_MIN, MPI_PROD, MPI_BXOR, MPI_BAND};
        Kind kind = static_cast<Kind>(below(static_cast<int>(Kind::Last) + 1));
        MPI_Op op = ops[below(6)];
        int stride = 1 + below(3), count = (length + stride - 1) / stride;
        int operations = kind == Kind::Put ? below(2) : below(4);
        for (int i = 0; i < operations; ++i) {
            Planned planned{kind, below(ranks_),    target, place, count, stride, 1 + below(3),
                            op,   below(1000) - 500};
            if (kind == Kind::FetchAndOp)
                planned.count = 1;
            plan.operations.push_back(planned);
        }
    }

    std::mt19937 random_;
    int ranks_;
};

// Applies an operation to the model.
void apply(const Planned &p, Memory &memory) {
    const Op &op = *find_op(p.op);
    Datatype &type = *find_datatype(MPI_INT64_T);
    for (int i = 0; i < p.count; ++i) {
        int64_t value = p.value + i;
        int64_t &place = memory[static_cast<size_t>(p.place + i * p.stride)];
        if (p.kind == Kind::Put)
            place = value;
        else if (p.kind != Kind::Get)
            reduce_local(op, &value, &place, 1, type, MPI_INT64_T);
    }
}

struct Strided { // `count` elements, `stride` apart
    Datatype *type = nullptr;

    Strided(int count, int stride) {
        EXPECT_FALSE(new_vector(count, 1, stride, *find_datatype(MPI_INT64_T), type));
        type->committed = true;
    }

    ~Strided() { release(*type); }

    Strided(const Strided &) = delete;
    Strided &operator=(const Strided &) = delete;
};

void expect_success(Error error) {
    EXPECT_EQ(error.code(), MPI_SUCCESS) << error_detail(error.code());
}

class Player {
public:
    Player(Process &process, unsigned seed, int ranks)
        : comm_(*process.world), seed_(seed), planner_(seed, ranks), ranks_(ranks),
          model_(static_cast<size_t>(ranks), Memory(elements)) {
        WindowRequest request{MPI_WIN_FLAVOR_ALLOCATE, nullptr, elements * 8, 8, nullptr};
        expect_success(make_window(comm_, request, win_));
        memory_ = reinterpret_cast<int64_t *>(win_->parts[comm_.rank].base);
        for (int i = 0; i < elements; ++i) {
            memory_[i] = initial(comm_.rank, i);
            for (int r = 0; r < ranks; ++r)
                model_[static_cast<size_t>(r)][static_cast<size_t>(i)] = initial(r, i);
        }
        expect_success(barrier(comm_));
    }

    ~Player() { expect_success(free_window(*win_)); }

    void play(int epochs) {
        for (int epoch = 0; epoch < epochs && !::testing::Test::HasFailure(); ++epoch) {
            Plan plan = planner_.next();
            run(plan);
            expect_success(barrier(comm_));
            for (const Planned &p : plan.operations)
                apply(p, model_[static_cast<size_t>(p.target)]);
            const Memory &mine = model_[static_cast<size_t>(comm_.rank)];
            for (int i = 0; i < elements; ++i)
                EXPECT_EQ(memory_[i], mine[static_cast<size_t>(i)])
                    << "seed " << seed_ << ", epoch " << epoch << ", way "
                    << static_cast<int>(plan.way) << ", rank " << comm_.rank << ", element " << i;
            expect_success(barrier(comm_));
        }
    }

private:
    static int64_t initial(int rank, int i) { return rank * 1000 + i; }

    void run(const Plan &plan) {
        std::vector<Process *> origins, targets;
        switch (plan.way) {
        case Way::Fence:
            expect_success(fence(*win_, MPI_MODE_NOPRECEDE));
            all(plan, false);
            expect_success(fence(*win_, MPI_MODE_NOSUCCEED));
            break;
        case Way::LockAll:
            expect_success(lock_all(*win_, 0));
            all(plan, false);
            expect_success(unlock_all(*win_));
            break;
        case Way::Lock:
            all(plan, true);
            break;
        case Way::Groups:
            by_groups(plan);
            break;
        }
    }

    void by_groups(const Plan &plan) {
        std::vector<Process *> origins, targets;
        for (int rank = 0; rank < ranks_; ++rank) {
            bool origin = false, target = false;
            for (const Planned &p : plan.operations) {
                origin |= p.origin == rank && p.target == comm_.rank;
                target |= p.target == rank && p.origin == comm_.rank;
            }
            if (origin)
                origins.push_back(&process_at(rank));
            if (target)
                targets.push_back(&process_at(rank));
        }
        Group *exposed_to = new_group(origins), *accessed = new_group(targets);
        expect_success(post(*win_, *exposed_to, 0));
        expect_success(start(*win_, *accessed, 0));
        all(plan, false);
        expect_success(complete(*win_));
        expect_success(wait_exposed(*win_));
        release(*exposed_to);
        release(*accessed);
    }

    void all(const Plan &plan, bool locked) {
        for (const Planned &p : plan.operations) {
            if (p.origin != comm_.rank)
                continue;
            if (locked)
                expect_success(
                    lock(*win_, p.value % 2 ? MPI_LOCK_EXCLUSIVE : MPI_LOCK_SHARED, p.target, 0));
            one(p);
            if (locked)
                expect_success(unlock(*win_, p.target));
        }
    }

    void one(const Planned &p) {
        Strided here(p.count, p.origin_stride), there(p.count, p.stride);
        std::vector<int64_t> data(static_cast<size_t>(p.count * p.origin_stride), -7), result(data);
        for (int i = 0; i < p.count; ++i)
            data[static_cast<size_t>(i * p.origin_stride)] = p.value + i;
        OriginBuffer in{data.data(), 1, *here.type}, out{result.data(), 1, *here.type};
        TargetBuffer target{p.target, p.place, 1, *there.type};
        const Op &op = *find_op(p.op);
        Datatype &type = *find_datatype(MPI_INT64_T);
        switch (p.kind) {
        case Kind::Put:
            return expect_success(put(in, target, *win_));
        case Kind::Accumulate:
            return expect_success(accumulate(in, target, op, *win_));
        case Kind::GetAccumulate:
            return expect_success(get_accumulate(&in, out, target, op, *win_));
        case Kind::FetchAndOp:
            return expect_success(
                fetch_and_op(data.data(), result.data(), {p.target, p.place, 1, type}, op, *win_));
        case Kind::Get:
            expect_success(get(out, target, *win_));
            for (int i = 0; i < p.count * p.origin_stride; ++i) {
                bool gap = i % p.origin_stride != 0;
                auto place = static_cast<size_t>(p.place + i / p.origin_stride * p.stride);
                int64_t expected = gap ? -7 : model_[static_cast<size_t>(p.target)][place];
                EXPECT_EQ(result[static_cast<size_t>(i)], expected) << "seed " << seed_;
            }
        }
    }

    Communicator &comm_;
    unsigned seed_;
    Planner planner_;
    int ranks_;
    std::vector<Memory> model_;
    Window *win_ = nullptr;
    int64_t *memory_ = nullptr;
};

void play(int ranks, int epochs, const TeamOptions &options) {
    unsigned seed = test_seed();
    run_processes(
        ranks, [&](Process &process) { Player(process, seed, ranks).play(epochs); }, options);
}

} // namespace

TEST(RandomEpochs, AreAsTheModelOnOneWorker) {
    play(5, 60, {.workers = 1});
}

TEST(RandomEpochs, AreAsTheModelOnTwoWorkers) {
    play(6, 60, {.workers = 2});
}

TEST(RandomEpochs, AreAsTheModelWithAnOsThreadForEachRank) {
    play(4, 40, {.os_threads = true});
}
