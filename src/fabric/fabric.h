// The fabric: bytes between the node processes of a job. Within a node they go through shared
// memory, between nodes through libfabric; a test may put a simulation in their place.
//
// What it moves are active messages: a small header and a payload, for which the receiver has a
// function by their kind. Envelopes, matching and everything that MPI means by a message belong to
// the layers above. (SX-4 paper, section 5: packet slots; TMPI, section 3.2: the network device.)
//
// Promises
// 1. Messages of one (source, destination, channel) arrive in the order in which they were sent,
//    each once, or the destination is lost. Nothing is promised between channels or processes.
// 2. Nobody polls. Messages are taken in by a task or worker that has nothing else to do, and, when
//    all are busy and somebody waits for that, by a thread that sleeps otherwise.
// 3. A process that ends in any way leaves nothing behind.
#pragma once
#include "fabric/gate.h"
#include "fabric/message.h"
#include "fiber/task.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <sys/uio.h>

namespace thrum {

// How node processes find each other; src/wireup gives it, and tests have their own.
struct FabricJob {
    int process_count = 1;
    int this_process = 0;
    // How many may be added later, by numbers behind the first `process_count`.
    int added_max = 0;
    // Of a process that was added: fabric_directory() of one that was there. Then process_count is
    // that of the first processes, this_process a number behind them.
    std::string directory;
    int (*node_of)(int process) = nullptr;
    // publish(), then fence(), then fetch() from anybody.
    void (*publish)(std::string_view key, std::string_view value) = nullptr;
    void (*fence)() = nullptr;
    std::string (*fetch)(int process, std::string_view key) = nullptr;
    // Called once for each process that turns out to be gone, on any thread; must not suspend.
    void (*lost)(int process) = nullptr;
};

// For processes that are added while the job runs. "", and a sentence in `why`: none can be.
std::string fabric_directory(std::string &why);
// The first of `count` numbers for them; all are in use from now on, also if none comes. -1: there
// are no more.
int fabric_take_numbers(int count);

// Before and after everything else. Call fabric_begin() on one thread, after the wire-up and before
// ranks run; arrive functions may be set before. All processes take part in both. fabric_end()
// sends what is queued, waits for the others, and takes no message in any more.
void fabric_begin(const FabricJob &job);
void fabric_end() MAY_SUSPEND;
// Whether there are, or may be, other node processes: fabric_begin() was called.
bool fabric_is_there();

// From now on messages of `kind` go to `function`. All kinds that may arrive are to be set before
// the first fence after fabric_begin().
void set_arrive_function(MessageKind kind, ArriveFunction function, void *argument = nullptr);

// Sends header and payload to another node process (not to this one). When it returns, both have
// been sent or copied. Any size of payload works, but everything is copied twice at least; large
// payloads are better read (see below). Without room for it the calling task suspends; callers that
// may not (arrive functions, threads that are no tasks) leave a copy behind that is sent later.
// False: the process is lost.
bool fabric_send(int process, Channel channel, MessageKind kind, const void *header,
                 size_t header_bytes, const iovec *payload = nullptr, int parts = 0) MAY_SUSPEND;

RemoteMemory fabric_expose(const void *memory, size_t bytes);
void fabric_withdraw(const RemoteMemory &memory);

// Reads `bytes` bytes at `offset` of memory that `process` has exposed, with a single copy where
// the system permits it. Calls done(argument, ok) when they are there, perhaps before it returns,
// perhaps on another thread, as an arrive function; not ok: the process is lost or has not exposed
// that.
void fabric_read(int process, const RemoteMemory &from, size_t offset, void *into, size_t bytes,
                 ReadDoneFunction done, void *argument);

// --- Gates (fabric/gate.h), of processes that share memory.

// Whether messages to `process` go through shared memory.
bool fabric_shares_memory(int process);
// The number of a gate of this process, for others; -1: all are in use.
int fabric_take_gate();
void fabric_return_gate(int number);
// That of `owner`, this process or one that shares memory with it. nullptr: it has ended.
Gate *fabric_gate(int owner, int number);
// Looks for a moment whether the wait is over. True: it has passed.
bool fabric_look_at_gate(const GateWait &wait);
// Calls wait.ended once wait.is_over(), perhaps before it returns, perhaps on another thread.
void fabric_await_gate(const GateWait &wait);
// It is called no more, unless it has begun.
void fabric_forget_gate(const GateWait &wait);
// Lets `others` pass, who wait there, or will, and wakes those who sleep.
// `others` may contain this process.
void fabric_open_door(Door &door, std::span<const int> others);
// Sends away who waits there now, or will.
void fabric_give_up_gate(Gate &gate, std::span<const int> others);

// Takes in all that had come before the call.
void fabric_catch_up();
// Takes in what has come; true if there was something. For those who compute and look now and then.
bool fabric_progress();

FabricTraffic fabric_traffic();
bool fabric_has_lost(int process);
// Whether processes have been added to the job, which none of the above knows: by anybody where
// all share memory, else by this process.
bool fabric_has_grown();
// Somebody else has seen that `process` is gone.
void fabric_lose(int process);

// One line about each way to other processes: what was chosen and why. For `thrum info`.
std::string fabric_description();

} // namespace thrum
