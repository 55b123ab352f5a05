// Events: what a process of `mpiexec --trace` notes one by one, in a file that it maps beside its
// observation (observation.h): "<first rank>.events". Like that one, it is plain data that outlives
// the process however it ends.
//
//   EventFile, EventStream[rank_count]   head_bytes, a multiple of the size of a chunk
//   Chunk, Chunk, ...                    each of one rank, or with names of regions, or with
//                                        streams of ranks that were added (MPI_Comm_spawn)
//
// The events of a rank are those of its chunks in the order of their numbers. Their ticks never
// decrease.
#pragma once
#include "observe/observation.h"

namespace thrum::observe {

struct Event {
    enum Kind : uint8_t {
        Call = 1,    // has ended. a: its place; b: ticks of its begin; c: ticks that it has waited
        Sent,        // a: destination; tag, context; b: id of the message; c: bytes
        Received,    // a: source; tag, context; b: id of the message; c: bytes
        Wait,        // has ended. a: ticks that the rank was ready before; b: ticks of its begin;
                     // c: Cause::word()
        Round,       // comes to the others. a: members; tag: root; context; b: number of the
                     // round; c: own rank in the communicator; with round_begins: the sequence
        Worker,      // goes on running on worker a; ~0: on a thread of its own
        Queue,       // a messages are in its unexpected queue
        RegionBegin, // a: number of the name
        RegionEnd,
        Suspend, // begins to wait: others may run on its worker
        Paused,  // events of this rank are left out from here on
        Resumed,
    };

    uint64_t ticks = 0;
    Kind kind = Kind{};
    uint8_t flags = 0;
    uint16_t thread = 0; // of the rank, from 1 on; 0: noted by another rank
    uint32_t a = 0;
    int32_t tag = 0;
    uint32_t context = 0; // id; that of a communicator
    uint64_t b = 0, c = 0;
};

// Flags of a Round: a non-blocking operation begins; the communicator spans processes, and the
// round is the whole operation, without a number.
inline constexpr uint8_t round_begins = 1, round_spans = 2;

// Ids of messages, the same at both ends.
inline constexpr uint64_t between_processes = uint64_t{1} << 63;

// Of a message inside the process: the number'th that the rank sends.
inline uint64_t message_id(int source, uint32_t number) {
    return uint64_t{static_cast<uint32_t>(source)} << 32 | number;
}

inline uint64_t message_id_between_processes(int source_process, uint32_t serial) {
    return between_processes | uint64_t{static_cast<uint32_t>(source_process)} << 32 | serial;
}

struct Chunk {
    static constexpr uint32_t size_bytes = 4096, events_max = 102;
    // As rank: it has names, each ended by a zero byte; it has streams.
    static constexpr int32_t names = -1, streams = -2;
    static constexpr uint32_t streams_offset = 48; // in `events`, of the first one

    int32_t rank;
    uint32_t number;            // of the rank's chunks, from 1 on; 0: it is not used yet
    std::atomic<uint32_t> used; // events, or bytes of names or streams
    uint32_t next;              // in a ring of chunks
    Event events[events_max];
};

inline constexpr uint32_t chunk_bytes_max = sizeof(Chunk::events); // of names or streams

static_assert(sizeof(Event) == 40 && sizeof(Chunk) == Chunk::size_bytes);

// What a rank's threads, and those that complete its operations, need to add an event.
struct alignas(64) EventStream {
    SpinLock lock; // guards the following
    bool is_paused;
    uint16_t threads;      // that have been numbered
    int32_t rank;          // world rank, if it was added
    uint32_t chunk;        // the present one's index + 1; 0: none
    uint32_t chunks;       // that it has
    uint32_t number;       // of the present chunk
    uint32_t sent;         // messages
    uint32_t worker;       // + 1; 0: unknown
    uint64_t first_thread; // by the address of its state
    uint64_t last_ticks;
    Word left_out; // events that found no room, or whose room was used again
};

static_assert(sizeof(EventStream) == 64);

struct EventFile {
    static constexpr uint64_t magic_number = 0x327665656d757268; // "hrumeev2"

    std::atomic<uint64_t> magic;
    int32_t first_rank, rank_count; // world ranks in this process
    int32_t process;                // its number among the processes of the job
    int32_t pid;                    // of the system
    uint64_t machine;               // whose counter the ticks are of
    char host[64];                  // its name
    uint64_t head_bytes;
    uint32_t chunks_max;
    uint32_t ring_chunks; // of a rank, before it uses its oldest one again; 0: nothing is
    std::atomic<uint32_t> claimed, usable; // chunks; `usable` are sure to be on the disk
    Word full_ticks;                       // when there was no more room; 0: there always was
    Word disk_is_full;                     // 1: no room on the disk, not at the limit
    Word left_out; // events of added ranks for whose streams there was no room
    EventStream streams[];
};

} // namespace thrum::observe
