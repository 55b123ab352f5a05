// OpenFile: what the ranks of one collective MPI_File_open share inside a process: one descriptor,
// however many ranks there are, the shared file pointer, hints, and the state of collective
// accesses. If the ranks are in several node processes, each process has an OpenFile, and what all
// of them share is kept by the process of rank 0 (keeper.h).
//
// Each rank's handle (file.h) holds a reference, and so does each active operation.
#pragma once
#include "base/node_process.h"
#include "base/spinlock.h"
#include "io/hints.h"
#include "io/io_error.h"
#include "io/range_lock.h"
#include "io/transfer.h"

#include <atomic>
#include <memory>
#include <string>
#include <sys/types.h>

namespace thrum {

struct CollectivePlan;  // io/collective_access.h
struct CollectiveBatch; // io/nonblocking.h
struct StreamQueue;     // io/stream.h
struct KeptFile;        // io/file_message.h

// What rank 0 has opened. The other ranks compare it with what their names mean.
struct FileIdentity {
    std::string name; // as rank 0 gave it: for messages and MPI_File_get_info
    dev_t device = 0;
    ino_t inode = 0;
    NodeProcess process; // of rank 0
};

// How a file is shared whose ranks are in several node processes. Rank 0 fills it in, and all get
// the same. It travels between processes as bytes.
struct FileSharing {
    uint32_t id = 0; // number of the file, unique in the job; 0: all ranks are in this process
    NodeProcess keeper;
    int processes = 1;   // how many have ranks of the file
    int aggregators = 1; // processes that aggregate, unless hint cb_nodes says otherwise
};

// Set up by the open call before any other rank sees it; what changes later says how.
struct OpenFile {
    int descriptor = -1; // -1: no positions, and another process is the keeper
    int amode = 0;
    int ranks = 0;       // of the file, in all processes
    int local_ranks = 0; // of the file in this process
    FileIdentity identity;
    FileSharing sharing;
    std::string absolute_name; // for MPI_MODE_DELETE_ON_CLOSE, after any chdir()
    bool regular = false;      // neither a device nor a pipe
    Hints hints;               // written in collective calls only, between two meetings
    uint32_t observed = 0;     // its number for the observer, + 1; 0: it is not observed

    std::atomic<int> references{0};       // of handles, active operations and messages
    std::atomic<bool> atomic_mode{false}; // written in collective calls
    std::atomic<bool> written{false};     // since the last sync; any thread that writes sets it
    RangeLock ranges;                     // in atomic mode; used in the keeper's process only

    // The shared pointer. It has a meaning in the keeper's process only.
    SpinLock pointer_lock;
    Offset shared_pointer = 0; // in etypes; guarded by pointer_lock

    std::shared_ptr<CollectivePlan> plan; // of the active blocking collective access
    SpinLock batches_lock;                // guards the list of batches
    CollectiveBatch *batches = nullptr;   // non-blocking accesses; ranks are missing
    std::shared_ptr<StreamQueue> stream;  // MPI_MODE_SEQUENTIAL only
    std::shared_ptr<KeptFile> kept;       // while other processes may find it here by its id

    const std::string &name() const { return identity.name; }

    // Return what the amode says; sequential: the file has no positions.
    bool sequential() const;
    bool may_read() const;
    bool may_write() const;
};

// Add and drop a reference. The last release() closes the descriptor; any thread.
void retain(OpenFile &file);
void release(OpenFile &file);

// Returns whether this process keeps what the ranks of the file share (keeper.h).
bool is_keeper(const OpenFile &file);

// Sets `size_bytes` to the file's size now. A process without a descriptor looks by name.
Error get_size(const OpenFile &file, Offset &size_bytes);
// Resizes the file, or reserves its blocks. Once for all ranks; errors are the kernel's.
Error set_size(OpenFile &file, Offset size_bytes) MAY_SUSPEND;
Error preallocate(OpenFile &file, Offset size_bytes) MAY_SUSPEND;
// Waits until all written data are on the storage device (fdatasync).
Error synchronize(OpenFile &file) MAY_SUSPEND;
// Passes hint access_style to the kernel.
void advise(const OpenFile &file);

// Returns the error about the loss of the keeper's process.
[[gnu::cold]] Error keeper_lost_error(const OpenFile &file);
// Returns the error of a transfer with its position and cause; success if there is none.
Error transfer_error(const OpenFile &file, bool writing, const TransferResult &result);

} // namespace thrum
