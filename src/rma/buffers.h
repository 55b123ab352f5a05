// The buffers between which one-sided operations move data. They refer to the arguments of the
// call, and are valid as long as it runs.
#pragma once
#include "datatype/datatype.h"

namespace thrum {

// The origin buffer or the result buffer.
struct OriginBuffer {
    void *address; // put and accumulates only read the origin's buffer
    Count count;
    const Datatype &type;
};

// The target's buffer, as the arguments of the call describe it.
struct TargetBuffer {
    int rank; // rank in the window, or MPI_PROC_NULL
    MPI_Aint disp;
    Count count;
    const Datatype &type;
};

} // namespace thrum
