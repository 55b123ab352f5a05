// Errhandler (MPI 5.0 section 9.3).
#pragma once
#include "mpi.h"

#include <atomic>

namespace thrum {
using Errhandler = struct ::MPI_ABI_Errhandler;
}

struct MPI_ABI_Errhandler {
    enum class Kind : unsigned char { AreFatal, Abort, Return, Comm, Win, File, Session };
    Kind kind = Kind::AreFatal;
    void (*function)() = nullptr; // kinds Comm..Session: the user's, cast
    std::atomic<int> references{1};
};

namespace thrum {

extern Errhandler errors_are_fatal, errors_abort, errors_return; // the predefined ones
Errhandler *find_errhandler(MPI_Errhandler handle);
void retain(Errhandler &errhandler);
void release(Errhandler &errhandler);

} // namespace thrum
