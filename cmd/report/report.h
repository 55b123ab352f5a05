// What a job has done, from the observations of its processes (src/observe/observation.h): sums
// over ranks and calls, in seconds and bytes, with the names of places. json.h writes it for the
// page.
#pragma once
#include "observation/places.h"
#include "observation/ranks.h"

#include <cstdint>
#include <string>
#include <vector>

namespace report {

using observation::no_rank;
using observation::no_site;
using observation::Site;

// The calls from one site: sums over all ranks.
struct CallRow {
    int site = no_site;
    uint64_t calls = 0;
    int ranks = 0;      // that have called
    double seconds = 0; // in the calls
    double wait = 0;    // that part of it for which the rank was suspended
    double ready = 0;   // that part of `wait` after the operation was complete: no core was free
    uint64_t bytes = 0; // sent
    double longest = 0; // the longest call, and its rank
    int longest_rank = no_rank;
};

struct RankRow {
    double seconds = 0; // from its first MPI call to the end of its last one
    double mpi = 0, wait = 0, ready = 0;
    uint64_t messages = 0, bytes = 0; // sent
    uint64_t unexpected_most = 0;
    uint64_t memory = 0; // the most bytes at one time
    bool ended = false;
};

// What the ranks did with a file.
struct FileRow {
    std::string name;
    uint64_t reads = 0, writes = 0, bytes_read = 0, bytes_written = 0;
    double seconds = 0;
    int ranks = 0; // that have used it
};

struct MatrixEntry {
    int source = 0, destination = 0; // ranks, or blocks of Report::matrix_block ranks
    uint64_t messages = 0, bytes = 0;
};

struct SizeRow {
    int exponent = -1; // of 2; -1: empty messages
    uint64_t messages = 0, bytes = 0;
};

// Waits in calls from one site that calls from another have ended.
struct WaitRow {
    std::string kind; // "late sender", "late receiver", "collective", "other"
    int site = no_site, cause = no_site;
    uint64_t count = 0;
    double seconds = 0;
    int ranks = 0; // that have waited
    int cause_rank = no_rank;
    double cause_rank_seconds = 0; // of `seconds`, for the rank that caused most of it
};

struct Late {
    int rank = no_rank;
    uint64_t times = 0;
    double seconds = 0;
};

// Collective operations of one function over one communicator size, by the site of the last member.
struct CollectiveRow {
    int site = no_site;
    int members = 0;
    uint64_t operations = 0;
    double spread = 0, longest_spread = 0;
    std::vector<Late> last; // who came last, most often first
};

// A part of the critical path. site no_site: outside MPI; rank no_rank: the rest.
struct PathPart {
    int rank = no_rank, site = no_site;
    double seconds = 0;
};

struct Report {
    // The run, as mpiexec knows it.
    std::string command, ended;
    bool is_complete = true; // all ranks have ended, and nothing was left out
    int64_t started_ns = 0;  // CLOCK_REALTIME
    double seconds = 0;      // from the first MPI call of any rank to the end of the last one
    int ranks = 0, processes = 0, workers = 0;
    int added_ranks = 0; // of `ranks`, by MPI_Comm_spawn: the last ones
    uint64_t memory = 0; // resident, at one time: summed over processes
    uint64_t lost = 0;   // notes that found no room
    std::vector<Site> sites;
    std::vector<CallRow> calls;
    std::vector<RankRow> by_rank;
    std::vector<MatrixEntry> matrix;
    int matrix_block = 1;
    std::vector<SizeRow> sizes;
    std::vector<WaitRow> waits;
    std::vector<CollectiveRow> collectives;
    std::vector<PathPart> path;
    double queue_bin = 0; // seconds
    std::vector<uint32_t> queue_most;
    std::vector<FileRow> files;
    std::vector<std::string> findings;
    std::string timeline; // JSON (timeline.h)
};

// Returns the report of the processes whose observations are in `directory`. `symbolizer` is the
// program that names places. Throws std::runtime_error if there is no observation.
Report read_observations(const std::string &directory, const std::string &symbolizer);

} // namespace report
