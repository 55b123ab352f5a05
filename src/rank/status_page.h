// The status page: what mpiexec can read about a node process that it has started, also after the
// death of that process. mpiexec makes the memory (a memfd, whose path is in THRUM_STATUS) and both
// map it. The table of the process's ranks follows the page, so mpiexec sees at no cost what ranks
// leave for reports anyway (Call). Without a page the table is ordinary memory.
//
//   StatusPage | Rank 0 | Rank 1 | ...
//
// Invariants
// 1. mpiexec only reads, at any time, what is atomic or written before `magic`.
// 2. A child of fork(), and a program that a rank starts, has a table of its own: it is not a rank
//    of the job.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace thrum {

// What mpiexec reads of a process. The process writes it.
struct StatusPage {
    static constexpr uint64_t expected_magic = 0x7468'7275'6d20'7374; // "thrum st"
    static constexpr size_t bytes = 4096;
    std::atomic<uint64_t> magic; // written last of what is written once
    int32_t first_rank;          // world rank of the first
    int32_t rank_count;
    uint32_t rank_bytes;                    // from one to the next
    uint32_t function_offset, ended_offset; // Call::function, Rank::ended
    // Some error handler of the process returns: it may go on when another process is lost.
    std::atomic<uint32_t> handles_errors;
    // How many of its ranks cannot go on when another process is lost: lifecycle/bound_ranks.h.
    std::atomic<uint32_t> bound_ranks;
    // The process ends and wants the whole job to end: MPI_Abort, a fatal error.
    std::atomic<uint32_t> ends_job;
    std::atomic<int32_t> owner; // id of the process that owns the page; 0: the first that maps it
    // errno of a failed write of its ranks' output; 0: none has failed. mpiexec reports it.
    std::atomic<int32_t> output_error;
};

static_assert(sizeof(StatusPage) <= StatusPage::bytes);

// Maps memory for the table of ranks, of at least `bytes` bytes: in the status page's file if there
// is one. Returns nullptr if the memory cannot be allocated. `used_bytes` says how much of it the
// ranks occupy: a child of fork() copies that much.
void *map_rank_table(size_t bytes, size_t (*used_bytes)());

// Where mpiexec finds the data of each rank.
struct RankTableShape {
    int first_rank;
    int rank_count;
    size_t rank_bytes;                    // from one to the next
    size_t function_offset, ended_offset; // Call::function, Rank::ended
};

// Publishes to mpiexec what is in the table that map_rank_table() has mapped.
void describe_rank_table(const RankTableShape &shape);
// Returns the page, or nullptr if mpiexec does not read one.
StatusPage *status_page();
// Announces that the end of this process is to end the whole job.
void announce_end_of_job();
bool end_of_job_is_announced();

// Takes the place of a rank, in which one program at a time may begin MPI: a shell that mpiexec has
// started may lead to several, one after the other. Returns 0, or the process that has it.
// leave_place() frees it.
int take_place();
void leave_place();

} // namespace thrum
