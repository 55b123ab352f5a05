// The accesses of one-sided operations to the memory of a window's members, and which of them
// conflict (MPI 5.0 section 12.7): two that touch one byte in the same epoch conflict, unless both
// only read it, or both are accumulates that may be concurrent.
//
// What is remembered depends on the kind of epoch:
// - between fences, everything until the next fence: the epoch is the same for all origins, and
//   their operations have no order in it;
// - between MPI_Win_post and MPI_Win_wait, the same for one target;
// - between locks, what its origin has not completed at the target. What it has completed may be
//   before the other access by whatever order the program makes.
//
// The target's own loads and stores are compared with both kinds of operations: those that come
// before them, and those that come after (check/local_accesses.h).
//
// All functions may be called by any thread.
#pragma once
#include "check/local_accesses.h"
#include "check/lock_soon.h"
#include "check/span_index.h"
#include "datatype/op_kernels.h"
#include "rank/rank.h"

#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

namespace thrum {

enum class AccessKind : uint8_t { Put, Get, Accumulate, CompareAndSwap };

enum class EpochKind : uint8_t { Fence, Exposure, Lock };

// An access of one operation at its target.
struct WindowAccess {
    AccessKind kind;
    OpKind op; // of an Accumulate
    BufferUse use;
    int origin, target; // ranks in the window
    EpochKind epoch_kind;
    uint64_t epoch;      // its number; of locks always 0
    bool fetches;        // it is complete when the origin has the data
    const void *request; // whose completion shows that the access is complete, or nullptr
    uintptr_t base;      // of the target's window; 0: the program knows its addresses
    int target_in_world;
    bool is_exclusive;        // the origin holds the target's lock exclusively
    int origin_in_world = -1; // of the origin, with its call: filled in by add()
    CallPlace call = {};
};

class WindowAccesses {
public:
    // Remembers an access of the calling rank's present call. Reports one with which it conflicts.
    void add(WindowAccess access);

    // Forgets what `origin` has done under locks at `target` (negative: at all): it is complete.
    void complete(int origin, int target);

    // Does the same if only the buffers of the origin are known to be free: what fetches is
    // complete.
    void complete_fetches(int origin, int target);

    // Forgets the access of a request, if it is remembered.
    void complete_request(int origin, int target, const void *request);

    // The loads and stores of a member in its own part (own_windows.h). They have a lock of their
    // own: a member that computes in its part does not disturb the others.
    struct LocalPart {
        std::mutex mutex; // guards `accesses`; may be taken with that of the window held
        LocalAccesses accesses;
        const std::atomic<uint64_t> *told; // how often the member has told others something
        // Operations of all kinds that are remembered. Written with the lock of the window held.
        std::atomic<size_t> operations{0};
    };

    std::shared_ptr<LocalPart> begin_local(int rank, const std::atomic<uint64_t> *told);
    void end_local(int rank);
    // Reports an operation with which the access of member `rank` conflicts. Remembers it for those
    // to come, if it `is_kept`.
    void add_local(int rank, LocalPart &part, const LocalAccess &access, bool is_kept);

    // Returns whether `origin` has accesses under locks that are not complete.
    bool has_pending(int origin);

private:
    // Holds a reference to the datatype, which the program may free before the epoch ends.
    struct Remembered {
        explicit Remembered(const WindowAccess &remembered)
            : access(remembered), type(access.use) {}

        WindowAccess access;
        HeldType type;
    };

    using Index = SpanIndex<Remembered>;

    // The accesses of one epoch, at one target.
    struct EpochLog {
        uint64_t epoch = 0;
        Index accesses;
    };

    struct TargetLogs {
        EpochLog of_kind[3];              // by EpochKind
        std::shared_ptr<LocalPart> local; // nullptr: not looked at

        void count();
        void clear(EpochKind kind);
        void clear_ended(EpochKind kind, uint64_t last_epoch);
    };

    static constexpr size_t accesses_max = 100000; // of one epoch at one target

    TargetLogs &logs_for(const WindowAccess &access);
    std::vector<Remembered> find_operations(int rank, const LocalAccess &access);
    void take(const Index::Place &place);
    template <class IsComplete>
    void forget(int origin, int target, IsComplete is_complete);
    static std::optional<LocalAccess> find_local(LocalPart *part, const WindowAccess &access);
    static void report_conflict(const WindowAccess &first, const WindowAccess &second);

    std::mutex mutex_;                         // guards the following; nobody suspends under it
    std::unordered_map<int, TargetLogs> logs_; // by target
    std::map<std::pair<int, int>, std::vector<Index::Place>> under_locks_; // by origin and target
};

} // namespace thrum
