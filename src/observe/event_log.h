// The event log: notes events (events.h) for `mpiexec --trace`, beside what the observer adds up.
// All functions may be called if logs_events().
#pragma once
#include "observe/events.h"
#include "observe/thread_state.h"

namespace thrum::observe {

extern bool log_is_open; // written before the first rank starts

inline bool logs_events() {
    return log_is_open;
}

// What mpiexec asks for, in a file of the directory that all processes of the job note into
// (setting `observe`).
struct LogRequest {
    uint64_t limit_bytes = 0; // of the whole job; 0: no events are asked for
    bool keeps_last =
        false; // each rank uses its oldest chunk again; otherwise the first events stay
};

inline constexpr char log_request_name[] = "trace"; // "BYTES first" or "BYTES last"

LogRequest read_log_request(const char *directory);

struct LogOptions {
    const char *directory;
    int first_rank, rank_count, all_ranks, process;
    LogRequest request;
    uint32_t (*worker)(); // returns the number of the worker that runs the caller; ~0: none
};

// Makes the file. Ends the process if that fails.
void open_event_log(const LogOptions &options);

// A message, as one of its ends sees it.
struct LoggedMessage {
    int peer; // world rank of the other end
    int tag;
    uint32_t context;
    uint64_t size_bytes;
    uint64_t id; // events.h; 0: a new one
};

// Note what the calling thread, which is one of world rank `rank`, does.
void log_call(const ThreadState &self, int rank, uint64_t end_ticks);
void log_wait(const ThreadState &self, int rank, uint64_t since_ticks, uint64_t end_ticks,
              uint64_t ready_ticks, uint64_t cause);
void log_suspend(const ThreadState &self, int rank);
// Returns the id of the message.
uint64_t log_sent(const ThreadState &self, int rank, const LoggedMessage &message);
void log_round(const ThreadState &self, int rank, const Event &round);
void log_region_begin(const ThreadState &self, int rank, const char *name);
void log_region_end(const ThreadState &self, int rank);
void pause_log(const ThreadState &self, int rank, bool is_paused);

// Note for world rank `rank`, which need not be the caller's.
void log_received(int rank, const LoggedMessage &message);
void log_queue(int rank, uint64_t length);

// Remember, for the message at this address, which waits in a queue, its id. Returns 0 if it is
// unknown.
void remember_id(const void *message, uint64_t id);
uint64_t remembered_id(const void *message);

} // namespace thrum::observe
