// Requests of file operations. An I/O thread moves the data and completes the request.
#pragma once
#include "io/file.h"
#include "io/io_threads.h"
#include "io/stream.h"

namespace thrum {

// The request of one access. Holds references to the handle, the view and the datatype. The I/O
// thread writes it until the completion, then only the rank uses it.
struct FileRequest final : OperationRequest, IoJob {
    FileRequest(File &file, View &view, Datatype &datatype);
    ~FileRequest() override;

    // Finishes the access if that is left to do, sets the status and returns the access's error.
    Error result(MPI_Status *status) override MAY_SUSPEND;

    // Section 3.8.4: MPI_Cancel may come too late; here it always does.
    Error cancel() override { return success; }

    void run() override MAY_SUSPEND;
    // Called when the bytes have been moved: finishes the access, releases the range and completes
    // the request, which may be freed then.
    void complete() MAY_SUSPEND;
    // Converts what was read and counts it; at most once. If the representation is the program's,
    // only on the rank's own thread.
    void finish_access() MAY_SUSPEND;

    File &file;
    View &view;
    Datatype &datatype_kept;
    Access access;
    // The lock of atomic mode; used if `claimed`.
    RangeLock::Claim claim;
    bool claimed = false;
    bool finished = false; // the bytes are where the program wants them
    StreamAccess stream;   // files without positions only
    Moved moved;           // set by finish_access()
    SharedError error;     // raised by result()
};

// Starts the access of one rank. The request has been prepared; it may be complete on return.
void start_alone(FileRequest &request) MAY_SUSPEND;
// Joins the rank's access to the collective access of all ranks, which starts when the last of them
// has called. `request` is nullptr if this rank's arguments were wrong: the others still count on
// its call.
void start_aggregated(File &file, bool writing, FileRequest *request) MAY_SUSPEND;

} // namespace thrum
