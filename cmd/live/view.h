// What the ranks of a running job do at a moment, for `mpiexec --top`, `mpiexec --live` and
// `thrum top`: groups of ranks that do the same, who waits for whom, rates, queues. It is made of
// observations (job_with_observations.h), or of less if the job has none
// (job_without_observations.h).
#pragma once
#include "observation/places.h"
#include "rank/rank_list.h"

#include <cstdint>
#include <string>
#include <vector>

namespace live {

using observation::no_site;
using observation::Site;
using thrum::rank_list;

enum class Activity : uint8_t { Starting, Computing, InMpi, Waiting, Held, Ended };
inline constexpr int activities = 6;

// Returns "computing", "in MPI" and so on.
const char *name_of(Activity activity);

inline constexpr int any_peer = -1, no_peer = -2;

struct RankView {
    Activity activity = Activity::Starting;
    int site = no_site;    // of the call that it is in; an index of View::sites
    double seconds = 0;    // since when; less than 0: unknown
    int peer = no_peer;    // that it waits for
    int tag = -1;          // of the message; -1: any
    uint64_t group = 0;    // of a collective operation that it waits in; 0: none
    uint32_t members = 0;  // of it
    uint64_t calls = 0;    // that have ended
    uint64_t messages = 0; // sent
    uint64_t received = 0;
    uint64_t bytes = 0;           // sent
    uint64_t queued = 0;          // messages in its unexpected queue
    double computing_seconds = 0; // outside MPI, since its first call
    double observed_seconds = 0;  // since its first call
    int exit_code = 0;            // if it has ended
};

// Ranks in the same state at the same place.
struct Group {
    Activity activity = Activity::Starting;
    int site = no_site;
    std::vector<int> ranks;
    double seconds = 0; // the longest; less than 0: unknown
};

// Ranks that wait for another one, or for some in a collective operation.
struct Dependence {
    std::vector<int> waiting, for_ranks; // for_ranks empty: for any rank
    int site = no_site;                  // where they wait, if at one place
};

// An entry of a queue, while ranks are held.
struct QueueEntry {
    bool is_posted = false; // a receive; else a message
    int rank = 0, source = 0, tag = 0;
    uint64_t bytes = 0;
    std::string communicator;
};

// How many entries of the queues of a rank are not listed, because they are long.
struct QueueRest {
    int rank = 0;
    uint64_t posted = 0, unexpected = 0;
};

struct Queues {
    std::vector<QueueEntry> entries;
    std::vector<QueueRest> rests;
};

struct View {
    std::string title; // the program
    std::string ended; // how the job has ended; "": it runs
    bool is_observed = true;
    bool is_held = false;
    int processes = 0, workers = 0;
    double seconds = 0; // since the begin
    std::vector<Site> sites;
    std::vector<RankView> ranks; // by number; ranks that were added follow the first ones
    uint64_t memory_bytes = 0;   // 0: unknown
    // In a second; less than 0: not known yet.
    double calls_rate = -1, messages_rate = -1, bytes_rate = -1;
    // Made of the ranks by summarize().
    int counts[activities] = {};
    std::vector<Group> groups;           // largest first
    std::vector<Dependence> dependences; // most waiting first
    std::vector<int> slowest;            // ranks that compute longer than the others
    std::vector<int> longest_queues;     // ranks
};

// Fills the part of the view that is made of its ranks.
void summarize(View &view);

// What all ranks have done so far.
struct Totals {
    uint64_t calls = 0, messages = 0, bytes = 0;
};

Totals totals_of(const View &view);

// Returns "MPI_Recv at heat.c:12 in exchange" for an index of View::sites; "" for no_site.
std::string place_of(const View &view, int site);
std::string seconds_text(double seconds);
std::string bytes_text(double bytes);
std::string count_text(double count);

} // namespace live
