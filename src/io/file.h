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

// Split collective operations (section 14.4.5): what was begun and not ended.
struct SplitAccess {
    Collective operation = Collective::None; // None: nothing is under way
    void *buffer = nullptr;
    MPI_Request request = MPI_REQUEST_NULL; // or, if it is null, what follows is the result
    Count moved_bytes = 0;
    SharedError error;
};

} // namespace thrum

struct MPI_ABI_File {
    static constexpr uint32_t magic_live = 0x66696c65;
    uint32_t magic = magic_live;
    std::atomic<int> references{1};      // the handle and each operation under way
    thrum::Communicator *comm = nullptr; // a duplicate of that which has opened it
    thrum::OpenFile *open = nullptr;
    thrum::Errhandler *errhandler = nullptr;
    thrum::SpinLock lock; // threads of the rank: guards what follows
    thrum::View *view = nullptr;
    thrum::Offset position = 0; // of the individual file pointer, in etypes
    uint32_t batches_begun = 0; // non-blocking collective accesses
    thrum::SplitAccess split;
};

namespace thrum {

// nullptr if it is MPI_FILE_NULL, closed, or no file.
inline File *find_file(MPI_File handle) {
    return is_live(handle) ? handle : nullptr;
}

Culprit culprit_of(File &file);
void retain(File &file);
void release(File &file);

// The view as it is now, with a reference.
View &current_view(File &file);

Error open(Communicator &comm, const char *name, int amode, Info *info, File *&result) MAY_SUSPEND;
// The file is closed also if there is an error.
Error close(File &file) MAY_SUSPEND;
Error set_view(File &file, Offset displacement, Datatype &etype, Datatype &filetype,
               const char *representation, Info *info) MAY_SUSPEND;
Error set_size(File &file, Offset size_bytes) MAY_SUSPEND;
Error preallocate(File &file, Offset size_bytes) MAY_SUSPEND;
Error set_atomicity(File &file, bool atomic) MAY_SUSPEND;
Error synchronize(File &file) MAY_SUSPEND;
Error set_info(File &file, Info *info) MAY_SUSPEND;
Info *used_info(const File &file);

// Etypes from the start of the view to the end of the file: the first that begins after the last
// byte.
Error end_in_etypes(File &file, Offset &position);
Error seek(File &file, Offset offset, int whence);
Error seek_shared(File &file, Offset offset, int whence) MAY_SUSPEND;

// Fails if the file has no positions; `function` is not for such files.
Error need_positions(const File &file);

} // namespace thrum
