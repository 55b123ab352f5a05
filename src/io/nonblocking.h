// Requests of file operations. An I/O thread moves the data and completes the request.
#pragma once
#include "io/file.h"
#include "io/io_threads.h"
#include "io/stream.h"

namespace thrum {

// Holds what the operation needs: the handle, the view and the datatype.
struct FileRequest final : OperationRequest, IoJob {
    FileRequest(File &file, View &view, Datatype &datatype);
    ~FileRequest() override;

    Error result(MPI_Status *status) override MAY_SUSPEND;

    // Section 3.8.4: MPI_Cancel may come too late; here it always does.
    Error cancel() override { return success; }

    void run() override MAY_SUSPEND;
    // After the bytes have been moved: results, then completion. The request may be gone then.
    void complete() MAY_SUSPEND;
    // Converts what was read. The program's own functions are called on the rank's thread only.
    void finish_access() MAY_SUSPEND;

    File &file;
    View &view;
    Datatype &datatype_kept;
    Access access;
    RangeLock::Claim claim;
    bool claimed = false;
    bool finished = false; // the bytes are where the program wants them
    StreamAccess stream;
    Moved moved;
    SharedError error;
};

// Starts the operation of a request that is prepared.
void start_alone(FileRequest &request) MAY_SUSPEND;
// The same for an access of all ranks: done when the last of them has come. nullptr: this rank's
// arguments were wrong, and it has no part in the access.
void start_aggregated(File &file, bool writing, FileRequest *request) MAY_SUSPEND;

} // namespace thrum
