// File (MPI 5.0 chapter 14): the handle of one rank to an open file: its view, its individual file
// pointer, its error handler. What the ranks share is OpenFile.
#pragma once
#include "base/object_pool.h"
#include "comm/blame.h"
#include "comm/communicator.h"
#include "comm/errhandler.h"
#include "comm/info.h"
#include "io/access.h"
#include "meeting/collective.h"
#include "pt2pt/request.h"

#include <atomic>

namespace thrum {
using File = struct ::MPI_ABI_File;

// Split collective operations (section 14.4.5): the one that was begun and has not been ended.
struct SplitAccess {
    Collective operation = Collective::None; // the ..Begin function; None: nothing is active
    void *buffer = nullptr;
    // The access; null: it is done, and the result is below.
    MPI_Request request = MPI_REQUEST_NULL;
    Count moved_bytes = 0; // of the program's data
    SharedError error;
};

} // namespace thrum

// The handle of one rank. Threads of that rank, and I/O threads that finish its requests, use it.
struct MPI_ABI_File {
    static constexpr uint32_t magic_live = 0x66696c65;
    uint32_t magic = magic_live;
    std::atomic<int> references{1};      // of the handle and of each active operation
    thrum::Communicator *comm = nullptr; // of this file alone: its meetings do not mix with others
    thrum::OpenFile *open = nullptr;     // shared with other ranks; holds a reference
    thrum::Errhandler *errhandler = nullptr;
    thrum::SpinLock lock;        // guards what follows against other threads of the rank
    thrum::View *view = nullptr; // holds a reference; use current_view()
    thrum::Offset position = 0;  // of the individual file pointer, in etypes
    uint32_t batches_begun = 0;  // non-blocking collective accesses so far: the number of the next
    thrum::SplitAccess split;
};

namespace thrum {

// Returns the object of a handle; nullptr if it is MPI_FILE_NULL, closed, or not a file.
inline File *find_file(MPI_File handle) {
    return is_live(handle) ? handle : nullptr;
}

// Returns whose error handler gets errors of this file.
Culprit culprit_of(File &file);
// Add and drop a reference. The last release() frees view, communicator and OpenFile.
void retain(File &file);
void release(File &file);

// Returns the current view with a reference for the caller.
View &current_view(File &file);

// Opens a file; collective over `comm`. An error of one rank is everybody's, and nothing stays
// open.
Error open(Communicator &comm, const char *name, int amode, Info *info, File *&result) MAY_SUSPEND;
// Closes the file and releases the handle, also if it returns an error.
Error close(File &file) MAY_SUSPEND;
// The rest of the collective calls. All ranks get the same error, and then nothing has changed.
Error set_view(File &file, Offset displacement, Datatype &etype, Datatype &filetype,
               const char *representation, Info *info) MAY_SUSPEND;
Error set_size(File &file, Offset size_bytes) MAY_SUSPEND;
Error preallocate(File &file, Offset size_bytes) MAY_SUSPEND;
Error set_atomicity(File &file, bool atomic) MAY_SUSPEND;
Error synchronize(File &file) MAY_SUSPEND;
Error set_info(File &file, Info *info) MAY_SUSPEND;
// Returns a new info with the hints in effect, owned by the caller.
Info *used_info(const File &file);

// Sets `position` to the end of the file in etypes of the view: the first etype that begins at or
// after the last byte.
Error end_in_etypes(File &file, Offset &position);
// Moves the individual pointer, or the shared one (collective). Fails if the result is negative.
Error seek(File &file, Offset offset, int whence);
Error seek_shared(File &file, Offset offset, int whence) MAY_SUSPEND;

// Fails if the file was opened with MPI_MODE_SEQUENTIAL.
Error need_positions(const File &file);

} // namespace thrum
