// OpenFile: what the ranks of one collective MPI_File_open share inside a process: one descriptor
// (however many ranks there are), the shared file pointer, hints, and the state of collective
// accesses. If the ranks are in several node processes, each has one of these, and what all of them
// share is kept by the process of rank 0 (keeper.h).
#pragma once
#include "base/spinlock.h"
#include "io/hints.h"
#include "io/io_error.h"
#include "io/range_lock.h"
#include "io/transfer.h"

#include <atomic>
#include <string>
#include <sys/types.h>

namespace thrum {

struct CollectivePlan;  // io/collective_access.h
struct CollectiveBatch; // io/nonblocking.h
struct StreamQueue;     // io/stream.h

// What rank 0 has opened, for the others to compare with what they mean.
struct FileIdentity {
    std::string name; // as rank 0 gave it: for messages and the hint
    dev_t device = 0;
    ino_t inode = 0;
    int process = 0; // node process of rank 0
};

// Of a file whose ranks are in several node processes; agreed by all.
struct FileSharing {
    uint32_t id = 0;     // the file's among those of all processes; 0: all ranks are here
    int keeper = 0;      // node process
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

    CollectivePlan *plan = nullptr; // of the blocking collective access under way
    SpinLock batches_lock;
    CollectiveBatch *batches = nullptr; // non-blocking ones that not all ranks have begun
    StreamQueue *stream = nullptr;      // MPI_MODE_SEQUENTIAL only

    const std::string &name() const { return identity.name; }

    bool sequential() const;
    bool may_read() const;
    bool may_write() const;
};

// MPI_File_open's part that is done once, on the first rank: in its working directory, with its
// umask. `amode` has been checked. The caller has a reference.
Error open_file(const char *name, int amode, const Hints &hints, OpenFile *&result) MAY_SUSPEND;
// The same in another process, on its first rank: opens what `first` is, if `name` means that.
Error open_again(const FileIdentity &first, const char *name, int amode, const Hints &hints,
                 OpenFile *&result) MAY_SUSPEND;
Error check_amode(int amode);
// Whether `name` means the open file for the calling rank, too.
Error check_same_file(const FileIdentity &file, const char *name);
void retain(OpenFile &file);
void release(OpenFile &file); // the last one closes the descriptor

// Removes the name of a file that is deleted on close, if it still means that file.
Error delete_open_file(const OpenFile &file);
Error delete_file(const char *name);

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
