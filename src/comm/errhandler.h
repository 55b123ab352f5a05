// Errhandler (MPI 5.0 section 9.3): what happens when an MPI call on an object fails.
// entry/entry.cc calls them.
#pragma once
#include "base/error.h"
#include "comm/communicator.h"
#include "mpi.h"

#include <atomic>
#include <cstdint>

namespace thrum {
using Errhandler = struct ::MPI_ABI_Errhandler;
}

// An error handler, predefined or made by the program. Immutable once made, except for the count.
struct MPI_ABI_Errhandler {
    static constexpr uint32_t magic_live = 0x65727268;
    enum class Kind : unsigned char { AreFatal, Abort, Return, Comm, Win, File, Session };
    uint32_t magic = magic_live;
    Kind kind = Kind::AreFatal;
    void (*function)() = nullptr; // kinds Comm..Session: the user's, cast
    // Calls a function of another language than C with a handle and an error code; nullptr: C.
    void (*foreign)(void (*function)(), void *handle, int *code) = nullptr;
    std::atomic<int> references{1};
};

namespace thrum {

extern Errhandler errors_are_fatal, errors_abort, errors_return; // the predefined ones
// Returns the error handler of a handle; nullptr if it is null, freed or not an error handler.
Errhandler *find_errhandler(MPI_Errhandler handle);
// Returns the handle: a constant for predefined ones, the address for others.
MPI_Errhandler handle_of(Errhandler &errhandler);
// Returns the handler with a name such as "mpi_errors_return" (section 11.8.4), in upper or lower
// case; nullptr: there is none.
Errhandler *find_predefined_errhandler(const char *name);
// Makes an error handler for objects of this kind, with one reference.
Errhandler *new_errhandler(Errhandler::Kind kind, void (*function)());
// Add and drop a reference. Both do nothing for predefined ones.
void retain(Errhandler &errhandler);
void release(Errhandler &errhandler);

// Shows on the status page that the process handles errors, if `errhandler` returns.
void show_handler_to_launcher(const Errhandler &errhandler);
// Replaces `current` by `errhandler`, with a reference, in an object whose kind of error handler is
// `kind`. Fails if it was made for another kind.
Error set_errhandler(Errhandler *&current, Errhandler::Kind kind, Errhandler &errhandler);

} // namespace thrum
