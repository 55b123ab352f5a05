// What a rank has of files beside its handles: the error handler of MPI_FILE_NULL, with which new
// files begin (MPI 5.0 section 14.7), and the data representations that it has registered.
#pragma once
#include "comm/blame.h"
#include "comm/errhandler.h"
#include "comm/process.h"
#include "io/representation.h"

#include <deque>

namespace thrum {

struct FileDefaults {
    Errhandler *errhandler = &errors_return;
    std::deque<Representation> representations; // views point to them
};

// Of `process`, which is the caller's; made when first asked for.
FileDefaults &defaults_of(Process &process);
// Finds a representation by name, as the calling rank knows it; nullptr: there is none.
const Representation *find_representation(const char *name);
// Makes it known to the calling rank, to its end.
Error register_representation(Representation representation);
// To whom errors belong that no file handle can be blamed for (MPI_File_open, MPI_File_delete).
Culprit default_file_culprit(Process &process);

} // namespace thrum
