// Machine: the processes of a BSP program. Node: one of them. Both live until the node process
// ends.
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

// Where a process is in its program. InHandlers: it synchronises, and handlers run.
enum class Phase : uint8_t { NotBegun, Computing, Synchronising, InHandlers, Ended };

// What a process needs to know of those in other node processes; see stop_and_go.h.
struct Flow {
    // What it has sent in this superstep to a process elsewhere. Used by the process alone.
    struct Sent {
        uint32_t operations = 0;
        size_t buffered_bytes = 0; // bytes of the other one's receive buffer
    };

    std::vector<Sent> sent;   // by pid
    std::vector<int> sent_to; // pids with operations

    // Stop and Go are numbered alternately, from 1: an odd number is a Stop. They are sent without
    // the lock, so a Go may arrive before the Stop that it revokes; the larger number counts.
    static bool is_stop(uint32_t number) { return number % 2 == 1; }

    SpinLock lock;               // guards all that follows
    std::vector<uint32_t> heard; // by pid: its latest number; after a Stop nothing is sent to it
    Task *waiter = nullptr;      // the process, while it waits for a Go
    std::vector<uint32_t> said;  // by pid: the latest number sent to it
    // By pid: bytes that it has sent too early. Negative for a moment if an operation is admitted
    // before it was counted.
    std::vector<int64_t> ahead_bytes;
};

// A process of the machine. Of one in another node process only the first fields are used.
struct alignas(64) Node {
    Machine *machine = nullptr;
    int pid = 0;
    NodeProcess node_process; // the node process that it is in; no_process: this one
    Process *process = nullptr;
    // Context of its MPI_COMM_WORLD, by which a later rank with the same number is recognised.
    uint32_t world_context = 0;
    // The following is used by the process alone.
    Phase phase = Phase::NotBegun;
    uint64_t superstep = 0; // in which it communicates; handlers run in the next one
    Registrations registrations;
    int tag_bytes = 0;
    int next_tag_bytes = 0;
    Arena arena;                    // for requests and for what they read
    std::vector<Request *> gets;    // buffered gets of this superstep
    std::vector<Message *> queue;   // messages with tags that arrived in the last superstep
    size_t queue_first = 0;         // the first that has not been taken
    std::vector<Message *> handled; // with handlers to run
    bsp_counters counters{};
    bool counts = false;              // it synchronises by counting
    bool stayed_after_mpi = false;    // MPI_Finalize was called before bsp_end
    uint64_t bytes_sent = 0;          // in this superstep
    std::unique_ptr<Profile> profile; // nullptr: no report is wanted
    std::unique_ptr<Flow> flow;       // nullptr: the machine is in one node process

    // The following is read by other processes. They see the writes of the superstep before `begun`
    // [begun-1].
    alignas(64) std::atomic<uint64_t> begun{0}; // the superstep that it computes in
    Inbox inboxes[sets];

    // The inbox of the superstep in which the process communicates.
    Inbox &inbox() { return inboxes[superstep % sets]; }
};

// Returns whether the process is in another node process.
inline bool is_elsewhere(const Node &node) {
    return node.node_process != no_process;
}

// What process 0 decides, and sends to the other node processes.
struct Beginning {
    int process_count = 0;
    bool is_profiled = false; // a report is wanted
    size_t buffer_bytes = 0;  // of each receive buffer
    int64_t start_ns = 0;
};

// Made by the first process of each node process that begins.
struct Machine {
    explicit Machine(const Beginning &beginning);
    int size;
    int first_pid = 0;   // of those in this node process, which are neighbours
    size_t buffer_bytes; // of each receive buffer
    bool is_profiled;
    std::unique_ptr<Node[]> nodes;
    int64_t start_ns = 0;
    Barrier barrier;
    // Superstep s has been ended globally by some process if global_ends[s % ends] is s + 1. So a
    // process that ends it by counting is detected at once. Written by all processes.
    static constexpr unsigned ends = 8;
    std::atomic<uint64_t> global_ends[ends] = {};
};

// Returns the node of a process; nullptr if it has none yet. surplus(): the process has no part in
// the machine.
Node *find_node(const Process &process);
// Sets it, once.
void set_node(const Process &process, Node *node);
Node *surplus();
// Returns whether it is a node of the machine: neither nullptr nor surplus().
bool has_part(const Node *node);

// Returns the node of the calling process. Outside bsp_begin() ... bsp_end() the call is a mistake,
// which is reported.
Node &current_node();
// Returns the node of the calling process; nullptr before bsp_begin().
Node *current_node_or_null();

// Returns whether `rank` is between bsp_begin() and bsp_end().
bool is_unfinished(const Rank &rank);
// Returns whether `rank` has begun, even as a surplus process.
bool has_begun(const Rank &rank);
// Returns, for MPI_Finalize, whether `rank` still needs the other node processes, and records that.
// It then leaves them when it ends (has_stayed_after_mpi).
bool stays_after_mpi(const Rank &rank);
bool has_stayed_after_mpi(const Rank &rank);
// Returns a description of the wrong end of such a rank, from malloc.
const char *complaint_about_end(const Rank &rank, int code);

} // namespace thrum::bsp
