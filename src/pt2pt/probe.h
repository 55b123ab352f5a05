// Probing (MPI 5.0 section 3.8): looks at unexpected messages. The matched forms also take them out
// of the queue, so that only the owner of the message's handle can receive them. `source` may be a
// wildcard or MPI_PROC_NULL.
//
// Blocking forms return MPI_ERR_PROC_ABORTED if the process of `source` is lost.
#pragma once
#include "pt2pt/request.h"

namespace thrum {

Error probe(int source, int tag, Communicator &comm, MPI_Status *status) MAY_SUSPEND;
Error iprobe(int source, int tag, Communicator &comm, bool &found, MPI_Status *status) MAY_SUSPEND;
Error mprobe(int source, int tag, Communicator &comm, MPI_Message *message,
             MPI_Status *status) MAY_SUSPEND;
Error improbe(int source, int tag, Communicator &comm, bool &found, MPI_Message *message,
              MPI_Status *status) MAY_SUSPEND;
Error mreceive(void *buffer, Count count, Datatype &datatype, MPI_Message *message,
               MPI_Status *status) MAY_SUSPEND;
Error imreceive(void *buffer, Count count, Datatype &datatype, MPI_Message *message,
                MPI_Request *request) MAY_SUSPEND;

} // namespace thrum
