// Window (MPI 5.0 chapter 12): memory of each member of a communicator that all members may access.
// Every rank has its own object for each of its windows; SharedWindow is what these objects share.
//
// Invariants
// 1. A WindowPart is constant during the life of the window, so origins read it without a lock.
// 2. `epoch` and `access` change with `guard` held, if several threads may be in calls of the rank
//    (fiber/threads_of_ranks.h); operations read them without.
// 3. A window that is being freed leaves the list of windows (for_each_window) before any of its
//    objects is freed.
#pragma once
#include "base/node_process.h"
#include "check/window_accesses.h"
#include "comm/blame.h"
#include "comm/errhandler.h"
#include "comm/process.h"
#include "datatype/datatype.h"
#include "rma/attached.h"
#include "rma/window_lock.h"

#include <memory>
#include <string>
#include <vector>

namespace thrum {

using Window = struct ::MPI_ABI_Win;

// The access epoch that is open at an origin. Those from FenceUsed on allow access to all targets,
// which check_access() tests by one comparison.
enum class Epoch : uint8_t {
    None,
    Fence,      // a fence was called, but no operation: another kind of epoch may begin
    Locked,     // MPI_Win_lock: access to the targets in `access`
    Started,    // MPI_Win_start: the same
    LockingAll, // MPI_Win_lock_all is waiting
    FenceUsed,  // an operation was called since the fence
    LockedAll,  // MPI_Win_lock_all
};

// What an origin may do at one target while its epoch is Locked or Started. Waiting: MPI_Win_lock
// is waiting. Unchecked: MPI_MODE_NOCHECK was given, and no lock is held. Values above Waiting
// allow access; those from Shared on belong to locks.
enum class TargetAccess : uint8_t { None, Waiting, Started, Shared, Exclusive, Unchecked };

// What origins need to know about a target. Constant, so it is read without a lock.
struct WindowPart {
    char *base = nullptr; // also nullptr if this process cannot access the memory
    size_t size_bytes = 0;
    Count disp_unit = 1;      // bytes
    Window *window = nullptr; // the member's object; nullptr: in another node process
    // Where the memory that several processes have mapped begins, if this is a part of such memory;
    // otherwise nullptr.
    char *mapped = nullptr;
    char *lock_record = nullptr; // in that memory: of SharedLock; nullptr: none

    bool is_here() const { return window != nullptr; }

    // Returns whether loads and stores can access it.
    bool is_accessible() const { return window || base; }
};

struct RemoteMembers; // rma/remote_access.h
struct RemoteTraffic;

// What the members in this process share. Freed by the last member that leaves.
struct SharedWindow {
    int size = 0;
    int flavor = 0;                    // MPI_WIN_FLAVOR_...
    std::atomic<int> members{0};       // objects that refer to it; the last one frees it
    std::atomic<int> exposed{0};       // members between MPI_Win_post and MPI_Win_wait
    std::atomic<int> locked_all{0};    // members in MPI_Win_lock_all, if the window spans processes
    WindowPart *parts = nullptr;       // by rank
    RemoteMembers *remote = nullptr;   // set if the window spans node processes
    int process = 0;                   // then: number of this process in the window
    char *whole_lock_record = nullptr; // mapped here: of all_or_exclusive of member 0's process
    Context *context = nullptr;        // context of the members' hidden communicators
    void *memory = nullptr;            // for MPI_Win_allocate_shared, if contiguous
    std::shared_ptr<WindowAccesses> accesses; // set under mpiexec --check
    WindowLock all_or_exclusive{true}; // MPI_Win_lock_all against exclusive locks of any target
    // List of windows; guarded by its lock. What points to this one: nullptr if it is not listed.
    SharedWindow *next = nullptr, **link = nullptr;
};

// Hints that the library knows (section 12.2.7), with their current values.
struct WindowHints {
    bool no_locks = false;
    bool same_size = false;
    bool same_disp_unit = false;
    bool noncontiguous = false; // alloc_shared_noncontig
    int64_t granularity = 0;    // mpi_accumulate_granularity
    size_t alignment = 0;       // mpi_minimum_memory_alignment; 0: not given
    std::string accumulate_ordering = "rar,raw,war,waw";
    std::string accumulate_ops = "same_op_no_op";
    std::string memory_kinds; // mpi_assert_memory_alloc_kinds; empty: not given

    // Takes valid values from `info`; for an existing window only those that can still be changed.
    void take(const Info &info, bool exists);
    // Returns a new info object with the current values.
    Info *report(int flavor) const;
};

} // namespace thrum

// One rank's object for a window. It is the handle, and the origin's and the target's state.
struct MPI_ABI_Win {
    static constexpr uint32_t magic_live = 0x77696e64;
    uint32_t magic = magic_live;
    // Read by each operation.
    int rank = 0;
    int size = 0;

    // Compares once: as an unsigned number, a negative one is large.
    bool has_rank(int number) const {
        return static_cast<unsigned>(number) < static_cast<unsigned>(size);
    }

    std::atomic<thrum::Epoch> epoch{thrum::Epoch::None};
    bool dynamic = false;
    uint8_t stripe_shift = 0;           // rma/stripe.h
    std::atomic<uint32_t> turns{0};     // calls that a polling rank makes: see give_way()
    thrum::WindowPart *parts = nullptr; // belongs to `shared`
    std::atomic<uint64_t> fences{0};    // calls of MPI_Win_fence; written with `guard` held
    // A TargetAccess for each target; allocated by the first MPI_Win_lock or MPI_Win_start.
    std::atomic<std::atomic<thrum::TargetAccess> *> access{nullptr};

    thrum::SharedWindow *shared = nullptr;
    thrum::RemoteTraffic *traffic = nullptr; // set if the window spans node processes
    thrum::Communicator *comm = nullptr;     // hidden: for fences and the end of the window
    thrum::Process *process = nullptr;       // the process that owns this object
    thrum::Errhandler *errhandler = nullptr;
    thrum::Attributes *attributes = nullptr;
    thrum::WindowHints hints;
    void *memory = nullptr; // allocated for this member alone; freed with the window
    int disp_unit = 1;      // the predefined attributes point to these
    MPI_Aint size_bytes = 0;
    int flavor = 0;
    int model = MPI_WIN_UNIFIED;
    char name[MPI_MAX_OBJECT_NAME] = "";

    // State as an origin. Guarded by `guard`, like `epoch` and `access`; written by the owner's
    // calls, and by notices of other ranks.
    thrum::SpinLock guard;
    thrum::Epoch before = thrum::Epoch::None; // None or Fence: restored after locks
    // The call that has begun another epoch since the last fence without MPI_MODE_NOSUCCEED; {}:
    // none.
    thrum::CallPlace within_fences;
    int locks = 0;                  // targets that are locked, or waited for
    int held = 0;                   // targets whose lock is held
    int exclusive_held = 0;         // among these
    bool all_unchecked = false;     // MPI_Win_lock_all with MPI_MODE_NOCHECK
    std::vector<int> started;       // targets of MPI_Win_start
    std::vector<int> posted_by;     // ranks that have posted and that MPI_Win_start has not seen
    std::vector<int> awaited_posts; // MPI_Win_start waits for these
    thrum::Completion *all_posted = nullptr; // and on this completion

    // State as a target.
    thrum::WindowLock lock;
    thrum::AttachedMemory attached;
    std::atomic<bool> exposed{false};           // written with `guard` held
    std::atomic<uint64_t> exposures{0};         // calls of MPI_Win_post; the same
    std::vector<int> exposed_to;                // ranks that have not completed; guarded by `guard`
    thrum::Completion *all_completed = nullptr; // MPI_Win_wait waits; guarded by `guard`
    // Process of a rank that was lost before it completed; guarded by `guard`.
    thrum::NodeProcess lost_origin;
};

namespace thrum {

// Returns the window of a handle; nullptr if it is null, freed or not a window.
inline Window *find_window(MPI_Win handle) {
    return is_live(handle) ? handle : nullptr;
}

// Returns where errors of calls on this window go.
inline Culprit culprit_of(Window &win) {
    return {win.errhandler, &win, nullptr};
}

// What a member requests for a new window.
struct WindowRequest {
    int flavor;
    void *base = nullptr; // MPI_WIN_FLAVOR_CREATE
    MPI_Aint size_bytes = 0;
    Count disp_unit = 1;
    const Info *info = nullptr;
};

// Returns what the epoch allows at `target`; meaningful while the epoch is Locked or Started.
inline TargetAccess access_to(const Window &win, int target) {
    // acquire [access-1]: the array is filled with TargetAccess::None.
    const std::atomic<TargetAccess> *access = win.access.load(std::memory_order_acquire);
    return access ? access[target].load(std::memory_order_relaxed) : TargetAccess::None;
}

// Attaches memory to a dynamic window. Returns MPI_ERR_RMA_FLAVOR for other windows.
Error attach_memory(Window &win, void *base, MPI_Aint size_bytes);
// Detaches the region that begins at `base`.
Error detach_memory(Window &win, const void *base);

// Sets the name, also of the hidden communicator, which appears in reports.
void set_window_name(Window &win, const char *name);
// Writes "window "grid"", or the hidden communicator's name if the window has none. Returns `text`.
const char *describe(const Window &win, char *text, size_t size_bytes);

[[gnu::cold]] Error not_a_rank(const Window &win, int rank); // MPI_ERR_RANK

// Returns MPI_ERR_RANK unless `rank` is a rank of the window or MPI_PROC_NULL.
inline Error check_rank(const Window &win, int rank) {
    if (win.has_rank(rank) || rank == MPI_PROC_NULL) [[likely]]
        return success;
    return not_a_rank(win, rank);
}

} // namespace thrum
