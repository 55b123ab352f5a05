// What one-sided operations move from and to.
#pragma once
#include "datatype/datatype.h"

namespace thrum {

// The origin's or the result buffer.
struct OriginBuffer {
    void *address; // put and accumulates only read the origin's
    Count count;
    const Datatype &type;
};

struct TargetBuffer {
    int rank; // of the window, or MPI_PROC_NULL
    MPI_Aint disp;
    Count count;
    const Datatype &type;
};

} // namespace thrum
