// Machine: the processes of a BSP program. Node: one of them.
#pragma once
#include "bsp/arena.h"
#include "bsp/inbox.h"
#include "bsp/profile.h"
#include "bsp/registration.h"
#include "comm/process.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

namespace thrum::bsp {

struct Machine;

enum class Phase : uint8_t { NotBegun, Computing, Synchronising, InHandlers, Ended };

struct alignas(64) Node {
    Machine *machine = nullptr;
    int pid = 0;
    Process *process = nullptr;
    uint32_t world_context = 0; // of its MPI_COMM_WORLD: a later rank may get the same number
    // What follows is the process's own.
    Phase phase = Phase::NotBegun;
    uint64_t superstep = 0; // in which it communicates; handlers are in the next one already
    Registrations registrations;
    int tag_bytes = 0;
    int next_tag_bytes = 0;
    Arena arena;                    // of requests and of what gets read
    std::vector<Request *> gets;    // buffered ones of this superstep
    std::vector<Message *> queue;   // messages with tags that came in the last one
    size_t queue_first = 0;         // of those that have not been taken
    std::vector<Message *> handled; // with handlers to run
    bsp_counters counters{};
    bool counts = false;              // Synchronising by counting
    uint64_t bytes_sent = 0;          // in this superstep
    std::unique_ptr<Profile> profile; // nullptr: nobody wants one

    // For others. What they see of it has been done: release [begun-1], acquire [begun-2].
    alignas(64) std::atomic<uint64_t> begun{0}; // the superstep that it computes in
    Inbox inboxes[sets];

    Inbox &inbox() { return inboxes[superstep % sets]; }
};

// Where all processes meet. Announces which superstep they end, and how.
struct alignas(64) Barrier {
    SpinLock lock; // guards all that follows; held for a few instructions
    int arrived = 0;
    int first = 0; // pid of the first one

    struct Announcement {
        uint64_t superstep = 0;
        bool is_end = false; // bsp_end
        uint64_t digest = 0; // of registrations
    } said;                  // by the first one

    TaskList waiters;
    std::atomic<uint64_t> passed{0}; // times that all have come; read without the lock
};

struct Machine {
    explicit Machine(int process_count);
    int size;
    size_t buffer_bytes; // of each receive buffer
    std::unique_ptr<Node[]> nodes;
    int64_t start_ns = 0;
    Barrier barrier;
    // Superstep s is, or was, ended globally by somebody if global_ends[s % ends] is s + 1; so that
    // who ends it by counting is found out at once. Written by all.
    static constexpr unsigned ends = 8;
    std::atomic<uint64_t> global_ends[ends] = {};
};

// The node of the calling process. A mistake (reported) outside bsp_begin() ... bsp_end().
Node &current_node();
// nullptr before bsp_begin().
Node *current_node_or_null();

// See <thrum/bsp.h>.
void init(void (*spmd)());
void begin(int maxprocs) MAY_SUSPEND;
void end() MAY_SUSPEND;
int available_processes();

// Whether `rank` is between bsp_begin() and bsp_end().
bool is_unfinished(const Rank &rank);
// What is wrong with the end of such a rank: heap text.
const char *complaint_about_end(const Rank &rank, int code);

} // namespace thrum::bsp
