// Observation: what a process of `mpiexec --report` notes about its ranks, in a file that it maps.
// The file outlives the process however it ends, and others map it while the process runs. All of
// it is plain data; places in it are offsets from its begin (0: none).
//
// A rank's record has hash tables, which are written by that rank's threads under the record's
// lock. A reader of a running process may see a table between two states: it checks offsets and
// takes sums as they are. A table that grows is copied, and its old place is not used again.
#pragma once
#include "base/spinlock.h"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace thrum::observe {

using Offset = uint64_t;
using Word = std::atomic<uint64_t>; // always accessed relaxed: each is a figure of its own

// Time is counted in ticks of the processor's time stamp counter.
inline uint64_t now_ticks() {
    return __builtin_ia32_rdtsc();
}

// As the offset of a place: its path is "script.py:12 in function".
inline constexpr uint64_t line_of_script = ~uint64_t{0};

// A call site: the call of one function at one place of a program. Never changes once it is linked
// into Observation::newest_place.
struct Place {
    Offset next; // the place that was found before it
    uint32_t number;
    uint32_t function;
    Offset path;     // of the object's file; 0: in none
    uint64_t offset; // as the file numbers it
};

// What has ended a wait: the call (number of its place) and the rank that made it. In one word, so
// that it is never half of another one.
struct Cause {
    enum Kind : uint8_t { Unknown, Sent, Received, CameLast };

    static constexpr int rank_bits = 32, place_bits = 29;
    static constexpr uint32_t no_place = (1U << place_bits) - 1;

    static uint64_t word(Kind kind, uint32_t place, int rank) {
        return uint64_t{kind} << (rank_bits + place_bits) |
               uint64_t{place & no_place} << rank_bits | static_cast<uint32_t>(rank);
    }

    static Kind kind(uint64_t word) { return static_cast<Kind>(word >> (rank_bits + place_bits)); }

    static uint32_t place(uint64_t word) {
        return static_cast<uint32_t>(word >> rank_bits) & no_place;
    }

    static int rank(uint64_t word) { return static_cast<int>(static_cast<uint32_t>(word)); }
};

// The entries of the tables. `key` is not 0; it and `second` identify an entry.

// The calls of a rank from one place, in one cache line. key: function << 48 | return address.
struct alignas(64) Calls {
    static constexpr uint64_t second = 0;
    uint64_t key;
    uint32_t place, unused;
    Word calls, ticks, wait_ticks; // wait_ticks: that part of `ticks`
    Word ready_ticks;              // that part of wait_ticks after the operation was complete
    Word bytes;                    // sent
    Word longest_ticks;
};

// The messages that a rank has sent to another one. key: the rank + 1.
struct Peer {
    static constexpr uint64_t second = 0;
    uint64_t key;
    Word messages, bytes;
};

// Waits in calls from one place that calls from another place of one rank have ended. key: number
// of the place + 1; second: Cause::word().
struct Waits {
    uint64_t key, second;
    Word count, ticks;
};

// Collective operations in which this rank came last. key: number of its place + 1; second: the
// context id of the communicator << 32 | its size.
struct Gatherings {
    uint64_t key, second;
    Word operations;
    Word spread_ticks, longest_spread_ticks; // from the first arrival to the last
    Word late_ticks;                         // from the last but one to the last
};

// A file that ranks open, by the name that the program gave. Never changes once it is linked into
// Observation::newest_file.
struct FileName {
    Offset next; // the file that was found before it
    uint32_t number, unused;
    Offset name;
};

// What a rank does with a file. key: number of the file + 1.
struct FileUse {
    static constexpr uint64_t second = 0;
    uint64_t key;
    Word reads, writes; // calls
    Word read_bytes, written_bytes;
    Word ticks; // in the calls for this file
};

// A hash table with linear probing; at most three quarters of its capacity, a power of two, are
// used.
struct Table {
    std::atomic<Offset> entries{0};
    std::atomic<uint32_t> capacity{0}, used{0};
};

// Messages by size: number b counts those with sizes of b significant bits.
inline constexpr int size_classes = 65;

// What the time until now has been spent on, as far as it could not have been shorter by other
// ranks being faster: when a rank has waited, its past is that of the rank for which it has waited.
// The largest parts by rank and place; the rest is in one sum.
struct Path {
    static constexpr int parts_max = 8;

    struct Part {
        int32_t rank;
        uint32_t place; // Cause::no_place: outside MPI
        uint64_t ticks; // 0: free
    };

    uint64_t until_ticks; // it ends here; 0: it has not begun
    Part parts[parts_max];
    uint64_t rest_ticks;
};

// What a rank waits for.
struct WaitTarget {
    static constexpr int any = -1, unknown = -2; // for `peer`

    uint64_t kind = 1;    // Blockage::Kind (rank/rank.h) + 1
    int peer = unknown;   // world rank
    int tag = 0;          // of a message; -1: any
    uint32_t context = 0; // of the communicator; 0: unknown
    uint32_t members = 0; // of the communicator
};

// A call that waits touches the first five cache lines: with many ranks, each is a miss.
struct alignas(64) RankRecord {
    // Line 1. The call that it is in: number of the place + 1, and when it began. 0: none.
    Word current_place, current_begin_ticks;
    Word begin_ticks, last_ticks; // of its first call, and the end of its last one; 0: none
    Word mpi_ticks, wait_ticks, ready_ticks;
    Word ended_calls; // for those that look while the job runs
    // Line 2. What it waits for, while it waits: WaitTarget::kind (0: it does not wait), the
    // others, and since when.
    Word wait_kind, wait_peer, wait_tag, wait_group, wait_begin_ticks;
    // The place of the last call, + 1, if it may have called there since without being in
    // `current_place` (observer.h); 0: none.
    Word repeated_place;
    Table calls;
    // Line 3 and the two behind it.
    std::atomic<bool> waits_now; // written under the lock
    SpinLock lock;               // for its own threads, and for `path`
    int32_t world_rank;
    Word cause, cause_ticks; // written by others: what has last completed an operation, and when
    Word arrival_ticks;      // when it has last come to a collective operation
    Table waits;
    Path path;
    Table gatherings, peers, files;
    Word messages, bytes; // sent
    Word size_messages[size_classes], size_bytes[size_classes];
    Word received;                    // messages that its receives have matched
    Word unexpected_now;              // messages in its unexpected queue
    Word unexpected_most;             // at one time
    Word ended;                       // its exit code + 1; 0: it runs
    Word heap_bytes, heap_most_bytes; // what its program has allocated: now, and at one time
    Word held_ticks;     // since when it is held at the begin of its current call; 0: it is not
    Word all_held_ticks; // how long it was held before, in all
    // Written by the program that holds the ranks: so many calls may a held rank make. The rank
    // takes them.
    Word steps;
};

static_assert(sizeof(Calls) == 64 && sizeof(Table) == 16);
static_assert(offsetof(RankRecord, wait_kind) == 64 && offsetof(RankRecord, waits_now) == 128 &&
              offsetof(RankRecord, gatherings) <= 320);

// Records of ranks that were added to the process (MPI_Comm_spawn). Never changes but for what is
// in the records once it is linked into Observation::newest_added.
struct AddedRank {
    Offset next; // the rank that was added before it
    int32_t world_rank, unused;
    Offset record;
};

struct Observation {
    static constexpr uint64_t magic_number = 0x3173626f6d757268; // "hrumobs1"
    static constexpr int bins = 256;
    static constexpr uint32_t findings_bytes_max = 65536;

    std::atomic<uint64_t> magic;
    int32_t first_rank, rank_count; // world ranks in this process
    int32_t all_ranks;              // of the job
    int32_t workers;
    // Two moments in both clocks, to convert ticks: the begin, and a recent one.
    uint64_t begin_ticks;
    int64_t begin_ns; // CLOCK_MONOTONIC
    int64_t begin_realtime_ns;
    Word recent_ticks, recent_ns;
    Offset ranks;                     // RankRecord[rank_count]
    std::atomic<Offset> used, usable; // bytes; `usable` are sure to be on the disk
    std::atomic<Offset> newest_place;
    Word lost; // additions to tables that had no room
    // Largest number of messages in an unexpected queue, in bins of `bin_ticks` from begin_ticks
    // on. When they do not suffice, pairs are joined.
    Word bin_ticks;
    std::atomic<uint32_t> queue_most[bins];
    // The warnings and reports that the process has printed, each ended by a line feed. Some bytes
    // at the end may not be written yet (0).
    std::atomic<uint32_t> findings_bytes;
    char findings[findings_bytes_max];
    std::atomic<Offset> newest_file, newest_added;
    Word resident_most_bytes; // of the process, at one time
    Word process_id;
    // Written by the program that holds the ranks (inspect/held_ranks.h): each is held at its next
    // call until then (CLOCK_MONOTONIC; 0: not at all). It is moved on again and again, so that the
    // ranks go on when that program has been killed.
    Word hold_until_ns;
    // Counts the changes of `hold_until_ns`, of RankRecord::steps and of `queues_asked`. A futex.
    std::atomic<uint32_t> control_news;
    // The file "queues.N" in the directory, N the first rank, is that of question
    // `queues_answered`.
    std::atomic<uint32_t> queues_asked, queues_answered;
};

} // namespace thrum::observe
