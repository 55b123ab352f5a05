// Machine: the processes of a BSP program. Node: one of them.
#pragma once
#include "base/node_process.h"
#include "bsp/arena.h"
#include "bsp/barrier_state.h"
#include "bsp/inbox.h"
#include "bsp/registration.h"
#include "bsp/superstep_record.h"
#include "comm/process.h"
#include "thrum/bsp.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

namespace thrum::bsp {

struct Machine;

enum class Phase : uint8_t { NotBegun, Computing, Synchronising, InHandlers, Ended };

// What a process shares with those of other node processes; see stop_and_go.h.
struct Flow {
    // In this superstep, to a process elsewhere. Only its own process touches these.
    struct Sent {
        uint32_t operations = 0;
        size_t buffered_bytes = 0; // in the other one's receive buffer
    };

    std::vector<Sent> sent;   // by pid
    std::vector<int> sent_to; // pids with operations

    // Stop and Go are numbered by turns, from 1: an odd number is a Stop. They are sent without the
    // lock, so a Go may come before the Stop that it takes back; the larger number counts.
    static bool is_stop(uint32_t number) { return number % 2 == 1; }

    SpinLock lock;               // guards all that follows
    std::vector<uint32_t> heard; // by pid: the last of that one; a Stop: it gets nothing
    Task *waiter = nullptr;      // the process, which waits for one of them
    std::vector<uint32_t> said;  // by pid: the last to that one
    // By pid: of what that one has sent too early. Negative for a moment, where it has been taken
    // before it was counted.
    std::vector<int64_t> ahead_bytes;
};

struct alignas(64) Node {
    Machine *machine = nullptr;
    int pid = 0;
    NodeProcess node_process; // number of the node process that it is in; -1: this one
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
    bool stayed_after_mpi = false;    // MPI_Finalize came before bsp_end
    uint64_t bytes_sent = 0;          // in this superstep
    std::unique_ptr<Profile> profile; // nullptr: nobody wants one
    std::unique_ptr<Flow> flow;       // nullptr: the machine is in one node process

    // For others. What they see of it has been done: [begun-1].
    alignas(64) std::atomic<uint64_t> begun{0}; // the superstep that it computes in
    Inbox inboxes[sets];

    Inbox &inbox() { return inboxes[superstep % sets]; }
};

// Whether the process is in another node process: of it there is no more than the number.
inline bool is_elsewhere(const Node &node) {
    return node.node_process != no_process;
}

// What process 0 decides.
struct Beginning {
    int process_count = 0;
    bool is_profiled = false; // somebody wants a report
    size_t buffer_bytes = 0;  // of each receive buffer
    int64_t start_ns = 0;
};

struct Machine {
    explicit Machine(const Beginning &beginning);
    int size;
    int first_pid = 0;   // of those of this node process, which are neighbours
    size_t buffer_bytes; // of each receive buffer
    bool is_profiled;
    std::unique_ptr<Node[]> nodes;
    int64_t start_ns = 0;
    Barrier barrier;
    // Superstep s is, or was, ended globally by somebody if global_ends[s % ends] is s + 1; so that
    // a process that ends it by counting is found out at once. Written by all.
    static constexpr unsigned ends = 8;
    std::atomic<uint64_t> global_ends[ends] = {};
};

// The node of a process; nullptr: nobody has given it one. surplus(): the process has no part in
// the machine.
Node *find_node(const Process &process);
void set_node(const Process &process, Node *node);
Node *surplus();
// Whether it is a node of the machine: not nullptr, nor surplus().
bool has_part(const Node *node);

// The node of the calling process. A mistake (reported) outside bsp_begin() ... bsp_end().
Node &current_node();
// nullptr before bsp_begin().
Node *current_node_or_null();

// Whether `rank` is between bsp_begin() and bsp_end().
bool is_unfinished(const Rank &rank);
// Whether it has called bsp_begin(), also if it was one too many.
bool has_begun(const Rank &rank);
// Asked by MPI_Finalize: whether `rank` still needs the other node processes. It leaves them when
// it ends, then: has_stayed_after_mpi().
bool stays_after_mpi(const Rank &rank);
bool has_stayed_after_mpi(const Rank &rank);
// What is wrong with the end of such a rank: heap text.
const char *complaint_about_end(const Rank &rank, int code);

} // namespace thrum::bsp
