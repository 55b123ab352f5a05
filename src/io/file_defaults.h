// What a rank has of files beside its handles: the error handler of MPI_FILE_NULL, with which new
// files begin (MPI 5.0 section 14.7), and the data representations that it has registered.
#pragma once
#include "comm/blame.h"
#include "comm/errhandler.h"
#include "comm/process.h"
#include "io/representation.h"

#include <deque>

namespace thrum {

// Per rank, freed with its Process.
struct FileDefaults {
    Errhandler *errhandler = &errors_return;    // holds a reference
    std::deque<Representation> representations; // a deque, as views keep addresses
};

// Returns the defaults of `process`, which must be the caller's; made on first use.
FileDefaults &defaults_of(Process &process);
// Finds a representation that is predefined or registered by the calling rank. Returns nullptr if
// there is none.
const Representation *find_representation(const char *name);
// Registers a representation for the calling rank, until the rank ends. Fails if the name is taken.
Error register_representation(Representation representation);
// Returns whose error handler gets errors without a file handle (MPI_File_open, MPI_File_delete).
Culprit default_file_culprit(Process &process);

} // namespace thrum
