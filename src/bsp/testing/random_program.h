// For tests: random programs of supersteps, and a sequential model that says what every process
// must have after each superstep, by the text of <thrum/bsp.h>. Used by the unit test and by a
// whole program (tests/programs/bsp), which runs across node processes, too.
#pragma once
#include <cstring>
#include <random>
#include <string>
#include <thrum/bsp.h>
#include <vector>

namespace thrum::testing {

// An area consists of cells; each is written at most once in a superstep, for of several writes to
// one place any may count.
constexpr int small_cells = 24;
constexpr int cells = small_cells + 2; // and two that are larger than a receive buffer
constexpr size_t small_bytes = 56, large_bytes = 300'000;
constexpr int supersteps = 40;

inline size_t cell_bytes(int cell) {
    return cell < small_cells ? small_bytes : large_bytes;
}

inline size_t cell_offset(int cell) {
    return cell < small_cells
               ? static_cast<size_t>(cell) * small_bytes
               : small_cells * small_bytes + static_cast<size_t>(cell - small_cells) * large_bytes;
}

constexpr size_t area_bytes = small_cells * small_bytes + (cells - small_cells) * large_bytes;
using Memory = std::vector<unsigned char>; // of a process: its area

enum class Kind { Put, HpPut, Get, HpGet, Write, Tell, Send };

// What the receiver of a message makes of it. One without bytes does not show its value.
inline unsigned told_of(size_t bytes, unsigned char value) {
    return (bytes == 0 ? 0 : value * 3u) + static_cast<unsigned>(bytes);
}

struct Operation {
    Kind kind;
    int origin, target;
    int from_cell; // of a get at the target; else where the values come from is `value`
    int to_cell;   // at the target; of a get at the origin
    size_t bytes;
    unsigned char value;
};

struct Superstep {
    bool counted = false;
    bool has_hpput = false; // may write as soon as the superstep has begun
    std::vector<Operation> operations;
    std::vector<int> count;     // operations that come to each process
    std::vector<unsigned> told; // sum of what its handlers and its queue see
};

struct Plan {
    std::vector<Memory> before; // by process
    std::vector<Superstep> steps;
    std::vector<std::vector<Memory>> after; // by superstep: small cells and ends of large ones
};

// Of each large cell the beginning and the end are compared.
inline std::vector<unsigned char> digest(const Memory &memory) {
    std::vector<unsigned char> bytes(memory.begin(), memory.begin() + small_cells * small_bytes);
    for (int cell = small_cells; cell < cells; ++cell)
        for (size_t i = 0; i < large_bytes; i += 4999)
            bytes.push_back(memory[cell_offset(cell) + i]);
    return bytes;
}

class Model {
public:
    Model(int processes, unsigned seed) : processes_(processes), engine_(seed) {}

    Plan plan() {
        Plan plan;
        for (int p = 0; p < processes_; ++p) {
            Memory memory(area_bytes);
            for (size_t i = 0; i < memory.size(); ++i)
                memory[i] = static_cast<unsigned char>(i * 7 + static_cast<size_t>(p));
            memory_.push_back(memory);
        }
        plan.before = memory_;
        for (int s = 0; s < supersteps; ++s) {
            plan.steps.push_back(draw());
            play(plan.steps.back());
            std::vector<Memory> digests;
            for (const Memory &memory : memory_)
                digests.push_back(digest(memory));
            plan.after.push_back(std::move(digests));
        }
        return plan;
    }

private:
    int below(int end) { return static_cast<int>(engine_() / 7 % static_cast<unsigned>(end)); }

    Superstep draw() {
        Superstep step;
        step.counted = below(2);
        step.count.resize(static_cast<size_t>(processes_));
        step.told.resize(static_cast<size_t>(processes_));
        // 0: free, 1: read only, 2: written at the end, 3: accessed without a buffer
        std::vector<std::vector<int>> use(static_cast<size_t>(processes_), std::vector<int>(cells));
        int wanted = below(processes_ * 12);
        for (int i = 0; i < wanted; ++i)
            add(step, use);
        return step;
    }

    void add(Superstep &step, std::vector<std::vector<int>> &use) {
        Operation o{};
        o.kind = static_cast<Kind>(below(7));
        o.origin = below(processes_);
        o.target = below(processes_);
        bool large = below(20) == 0;
        auto draw_cell = [&] {
            return large ? small_cells + below(2) : below(small_cells);
        };
        o.from_cell = draw_cell();
        o.to_cell = draw_cell();
        o.bytes = large ? cell_bytes(o.to_cell) - static_cast<size_t>(below(9))
                        : static_cast<size_t>(below(static_cast<int>(small_bytes) + 1));
        o.value = static_cast<unsigned char>(below(256));
        bool gets = o.kind == Kind::Get || o.kind == Kind::HpGet;
        bool is_message = o.kind == Kind::Tell || o.kind == Kind::Send;
        bool unbuffered = o.kind == Kind::HpPut || o.kind == Kind::HpGet;
        auto origin = static_cast<size_t>(o.origin), target = static_cast<size_t>(o.target);
        int &to = use[gets ? origin : target][static_cast<size_t>(o.to_cell)];
        int &from = use[target][static_cast<size_t>(o.from_cell)];
        if (!is_message) {
            // Without buffers: nobody else touches what is read or written.
            if (to != 0 && !(to == 1 && !unbuffered))
                return;
            if (gets && &from == &to)
                return;
            if (o.kind == Kind::HpGet && from > 1)
                return;
            if (o.kind == Kind::Get && from == 3)
                return;
            if (gets)
                from = o.kind == Kind::HpGet ? 3 : from == 0 ? 1 : from;
            to = unbuffered ? 3 : 2;
        }
        ++step.count[target];
        step.has_hpput |= o.kind == Kind::HpPut;
        step.operations.push_back(o);
    }

    void play(Superstep &step) {
        std::vector<Memory> next = memory_;
        for (const Operation &o : step.operations) {
            auto origin = static_cast<size_t>(o.origin), target = static_cast<size_t>(o.target);
            if (o.kind == Kind::Tell || o.kind == Kind::Send)
                step.told[target] += told_of(o.bytes, o.value);
            else if (o.kind == Kind::Get || o.kind == Kind::HpGet)
                std::memcpy(next[origin].data() + cell_offset(o.to_cell),
                            memory_[target].data() + cell_offset(o.from_cell), o.bytes);
            else
                std::memset(next[target].data() + cell_offset(o.to_cell), o.value, o.bytes);
        }
        memory_ = std::move(next);
    }

    int processes_;
    std::minstd_rand engine_;
    std::vector<Memory> memory_;
};

// What handlers have seen: of the process, by its number (processes may share variables).
struct Told {
    alignas(64) unsigned sum = 0;
};

inline Told told[16];

inline void tell(int, void *data, int nbytes) {
    told[bsp_pid()].sum +=
        told_of(static_cast<size_t>(nbytes), nbytes > 0 ? *static_cast<unsigned char *>(data) : 0);
}

inline void issue(const Operation &o, Memory &own, std::vector<unsigned char> &scratch,
                  std::vector<std::vector<unsigned char>> &kept) {
    unsigned char *area = own.data();
    auto to = static_cast<ptrdiff_t>(cell_offset(o.to_cell));
    auto from = static_cast<ptrdiff_t>(cell_offset(o.from_cell));
    auto n = static_cast<ptrdiff_t>(o.bytes);
    std::vector<unsigned char> &source = o.kind == Kind::HpPut ? kept.emplace_back() : scratch;
    source.assign(o.bytes, o.value);
    switch (o.kind) {
    case Kind::Put:
        return bsp_put(o.target, source.data(), area, to, n);
    case Kind::HpPut:
        return bsp_hpput(o.target, source.data(), area, to, n);
    case Kind::Get:
        return bsp_get(o.target, area, from, area + to, n);
    case Kind::HpGet:
        return bsp_hpget(o.target, area, from, area + to, n);
    case Kind::Write:
        return cbsp_send(o.target, area + to, source.data(), n, nullptr);
    case Kind::Tell:
        return cbsp_send(o.target, nullptr, source.data(), n, tell);
    case Kind::Send:
        return bsp_send(o.target, &o.value, source.data(), n);
    }
}

// Complaints go to `say`.
template <class Say>
unsigned sum_of_queue(Say say) {
    int messages, bytes;
    unsigned sum = 0;
    bsp_qsize(&messages, &bytes);
    for (int i = 0; i < messages; ++i) {
        void *tag, *payload;
        auto size = static_cast<unsigned>(bsp_hpmove(&tag, &payload));
        unsigned char value = *static_cast<unsigned char *>(tag);
        if (size > 0 && static_cast<unsigned char *>(payload)[size - 1] != value)
            say("a message with a wrong end");
        sum += told_of(size, value);
    }
    return sum;
}

// One of the processes. `pause` is called now and then.
template <class Say, class Pause>
void run_plan(const Plan &plan, unsigned seed, Say say, Pause pause) {
    bsp_begin(bsp_nprocs());
    const int me = bsp_pid();
    const auto index = static_cast<size_t>(me);
    Memory own = plan.before[index];
    int tag_bytes = 1;
    std::minstd_rand engine(seed + static_cast<unsigned>(me));
    bsp_push_reg(own.data(), static_cast<ptrdiff_t>(own.size()));
    bsp_set_tagsize(&tag_bytes);
    bsp_sync();
    for (size_t s = 0; s < plan.steps.size(); ++s) {
        const Superstep &step = plan.steps[s];
        std::vector<unsigned char> scratch;
        std::vector<std::vector<unsigned char>> kept;
        kept.reserve(step.operations.size());
        told[me].sum = 0;
        if (step.has_hpput)
            bsp_sync(); // all have looked at what the superstep before has left
        for (const Operation &o : step.operations) {
            if (o.origin == me)
                issue(o, own, scratch, kept);
            if (engine() % 16 == 0)
                pause();
        }
        step.counted ? bsp_sync_count(step.count[index]) : bsp_sync();
        const std::string where =
            "superstep " + std::to_string(s) + ", process " + std::to_string(me) + ": ";
        if (digest(own) != plan.after[s][index])
            say(where + "wrong memory");
        if (told[me].sum + sum_of_queue(say) != step.told[index])
            say(where + "wrong messages");
    }
    bsp_end();
}

} // namespace thrum::testing
