// Opens and deletes files: the parts of MPI_File_open and MPI_File_delete that touch the file
// system. file.cc decides which rank calls what.
#pragma once
#include "io/open_file.h"

namespace thrum {

// Opens the file, once, on rank 0: in its working directory, with its umask. `amode` has been
// checked. Returns a file with one reference, which the caller owns.
Error open_file(const char *name, int amode, const Hints &hints, OpenFile *&result) MAY_SUSPEND;
// Opens the file in another process, on the first rank there. `name` must mean what `first`
// identifies. The file is not created again. A file without positions gets no descriptor here: the
// keeper does all accesses.
Error open_again(const FileIdentity &first, const char *name, int amode, const Hints &hints,
                 OpenFile *&result) MAY_SUSPEND;
// Checks a combination of MPI_MODE_ flags.
Error check_amode(int amode);
// Checks that `name` means the open file for the calling rank.
Error check_same_file(const FileIdentity &file, const char *name);
// Removes the name of a file with MPI_MODE_DELETE_ON_CLOSE, if it still means that file.
Error delete_open_file(const OpenFile &file);
// Removes a file by name (MPI_File_delete).
Error delete_file(const char *name);

} // namespace thrum
