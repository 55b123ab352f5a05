// OpenFile: what the ranks of one collective MPI_File_open share inside a process: one descriptor
// (however many ranks there are), the shared file pointer, hints, and the state of collective
// accesses. If the ranks are in several node processes, each has one of these, and what all of them
// share is kept by the process of rank 0 (keeper.h).
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

// What rank 0 has opened, for the others to compare with what they mean.
struct FileIdentity {
    std::string name; // as rank 0 gave it: for messages and the hint
    dev_t device = 0;
    ino_t inode = 0;
    NodeProcess process; // of rank 0
};

// How a file is shared whose ranks are in several node processes; agreed by all.
struct FileSharing {
    uint32_t id = 0; // the file's among those of all processes; 0: all ranks are here
    NodeProcess keeper;
    int processes = 1;   // that have ranks of the file
    int aggregators = 1; // if no hint says how many
};

struct OpenFile {
    int descriptor = -1; // -1: no positions, and the keeper has it
    int amode = 0;
    int ranks = 0;
    int local_ranks = 0; // of this process
    FileIdentity identity;
    FileSharing sharing;
    std::string absolute_name; // for MPI_MODE_DELETE_ON_CLOSE
    bool regular = false;
    Hints hints; // written in collective calls only, between two meetings

    std::atomic<int> references{0}; // of handles and of operations under way
    std::atomic<bool> atomic_mode{false};
    std::atomic<bool> written{false}; // since the last sync
    RangeLock ranges;                 // in atomic mode

    // Both mean something in the keeper's process only: keeper.h.
    SpinLock pointer_lock;
    Offset shared_pointer = 0; // in etypes; guarded by pointer_lock

    std::shared_ptr<CollectivePlan> plan; // of the blocking collective access under way
    SpinLock batches_lock;
    CollectiveBatch *batches = nullptr;  // non-blocking ones that not all ranks have begun
    std::shared_ptr<StreamQueue> stream; // MPI_MODE_SEQUENTIAL only
    std::shared_ptr<KeptFile> kept;      // while other processes may ask for it here

    const std::string &name() const { return identity.name; }

    bool sequential() const;
    bool may_read() const;
    bool may_write() const;
};

void retain(OpenFile &file);
void release(OpenFile &file); // the last one closes the descriptor

// Whether this process keeps what the ranks of the file share (keeper.h).
bool is_keeper(const OpenFile &file);

Error get_size(const OpenFile &file, Offset &size_bytes);
Error set_size(OpenFile &file, Offset size_bytes) MAY_SUSPEND;
Error preallocate(OpenFile &file, Offset size_bytes) MAY_SUSPEND;
// Until the data are on the storage device.
Error synchronize(OpenFile &file) MAY_SUSPEND;
// Tells the kernel how the file will be accessed.
void advise(const OpenFile &file);

// That the process of rank 0 is lost, which kept what the ranks share.
[[gnu::cold]] Error keeper_lost_error(const OpenFile &file);
// The error of a transfer, as a sentence; success if there is none.
Error transfer_error(const OpenFile &file, bool writing, const TransferResult &result);

} // namespace thrum
