// The fabric: bytes between the node processes of a job. Within a node they go through shared
// memory, between nodes through libfabric; tests may use a simulation instead.
//
// It carries active messages: a small header and a payload, handled by a function of the receiver
// that depends on the kind of message. Envelopes, matching and all of MPI's notion of a message
// belong to the layers above. (SX-4 paper, section 5: packet slots; TMPI, section 3.2: the network
// device.)
//
// Promises
// 1. Messages of one (source, destination, channel) arrive in the order in which they were sent,
//    each exactly once, unless the destination is lost. Nothing is promised between channels or
//    processes.
// 2. Nobody polls. A task or worker that has nothing else to do takes messages in. When all are
//    busy and another process waits, a helper thread, which sleeps otherwise, takes them in.
// 3. A process that ends in any way leaves nothing behind.
#pragma once
#include "fabric/channel/gate.h"
#include "fabric/packet/message.h"
#include "fiber/task.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <sys/uio.h>

namespace thrum {

// How node processes find each other. src/wireup provides it; tests have their own.
struct FabricJob {
    int process_count = 1;
    NodeProcess this_process{0};
    // How many processes may be added later, with numbers after the first `process_count`.
    int added_max = 0;
    // For an added process: fabric_directory() of an existing one. Then process_count is the number
    // of initial processes, and this_process a number after them.
    std::string directory;
    int (*node_of)(NodeProcess process) = nullptr;
    // Functions of the wire-up: publish(), then fence(), then fetch() from any process.
    void (*publish)(std::string_view key, std::string_view value) = nullptr;
    void (*fence)() = nullptr;
    std::string (*fetch)(NodeProcess process, std::string_view key) = nullptr;
    // Called once for each process that is found to be lost, on any thread; must not suspend.
    void (*lost)(NodeProcess process) = nullptr;
};

// Returns the directory for processes that are added while the job runs; "", with a sentence in
// `why`, if none can be added.
std::string fabric_directory(std::string &why);
// Reserves `count` numbers for added processes and returns the first; -1: there are no more. All
// count as used from then on, even if no process is started.
int fabric_take_numbers(int count);

// Begin and end the fabric. Call fabric_begin() on one thread, after the wire-up and before ranks
// run; only arrive functions may be set before. All processes take part in both. fabric_end() sends
// all that is queued, waits for the others, and takes in no more messages.
void fabric_begin(const FabricJob &job);
void fabric_end() MAY_SUSPEND;
// Returns whether fabric_begin() was called: there are, or may be, other node processes.
bool fabric_is_there();

// Sets the function that handles messages of `kind`. All kinds that may arrive must have one before
// the first fence after fabric_begin().
void set_arrive_function(MessageKind kind, ArriveFunction function, void *argument = nullptr);

// Sends header and payload to another node process. On return both have been sent or copied.
// Payloads may have any size, but everything is copied at least twice, so large payloads should be
// read instead (see below). Without room the calling task suspends. Callers that must not suspend
// (arrive functions, threads that are not tasks) leave a copy that is sent later. Returns false if
// the process is lost.
bool fabric_send(NodeProcess process, Channel channel, MessageKind kind, const void *header,
                 size_t header_bytes, const iovec *payload = nullptr, int parts = 0) MAY_SUSPEND;

// Permits other processes to read [memory, memory + bytes), which must stay until it is withdrawn.
// The result travels in headers.
RemoteMemory fabric_expose(const void *memory, size_t bytes);
// Ends the permission. Reads of it must have ended.
void fabric_withdraw(const RemoteMemory &memory);

// Reads `bytes` bytes at `offset` of memory that `process` has exposed, with a single copy where
// the system permits that. Calls done(argument, ok) when they have arrived, perhaps before it
// returns, perhaps on another thread, like an arrive function. `ok` is false if the process is lost
// or has not exposed that memory.
void fabric_read(NodeProcess process, const RemoteMemory &from, size_t offset, void *into,
                 size_t bytes, ReadDoneFunction done, void *argument);

// --- Gates (fabric/channel/gate.h), for processes that share memory.

// Returns whether messages to `process` go through shared memory.
bool fabric_shares_memory(NodeProcess process);
// Returns the number of a free gate of this process, for others to use; -1: all are in use.
int fabric_take_gate();
void fabric_return_gate(int number);
// Returns that gate of `owner`, which is this process or shares memory with it; nullptr: the owner
// has ended.
Gate *fabric_gate(NodeProcess owner, int number);
// Checks for a moment whether the wait is over. Returns true if it is.
bool fabric_look_at_gate(const GateWait &wait);
// Calls wait.ended once wait.is_over(), perhaps before it returns, perhaps on another thread.
void fabric_await_gate(const GateWait &wait);
// Prevents that call, unless it has begun.
void fabric_forget_gate(const GateWait &wait);
// Opens the door: lets `others` pass, which wait there or will wait, and wakes those that sleep.
// `others` may contain this process.
void fabric_open_door(Door &door, std::span<const NodeProcess> others);
// Gives the gate up: its waits end without a passage, present and later ones.
void fabric_give_up_gate(Gate &gate, std::span<const NodeProcess> others);

// Takes in everything that had arrived before the call. Waits for another thread that is taking in.
void fabric_catch_up();
// Takes in all messages that have arrived; returns true if there was one. For tasks that compute
// and look now and then.
bool fabric_progress();

// Returns how many messages have been sent and taken in so far, to detect messages in transit.
FabricTraffic fabric_traffic();
// Returns whether `process` is lost.
bool fabric_has_lost(NodeProcess process);
// Returns whether processes have been added to the job that the functions above do not know: by any
// process if all share memory, otherwise by this one.
bool fabric_has_grown();
// Reports that `process` is lost, as detected outside the fabric.
void fabric_lose(NodeProcess process);

// Returns one line about each way to other processes: the chosen transport and the reason. For
// `thrum info`.
std::string fabric_description();

} // namespace thrum
