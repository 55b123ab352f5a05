// Opens and deletes files.
#pragma once
#include "io/open_file.h"

namespace thrum {

// MPI_File_open's part that is done once, on the first rank: in its working directory, with its
// umask. `amode` has been checked. The caller has a reference.
Error open_file(const char *name, int amode, const Hints &hints, OpenFile *&result) MAY_SUSPEND;
// The same in another process, on its first rank: opens what `first` is, if `name` means that.
Error open_again(const FileIdentity &first, const char *name, int amode, const Hints &hints,
                 OpenFile *&result) MAY_SUSPEND;
Error check_amode(int amode);
// Whether `name` means the open file for the calling rank, too.
Error check_same_file(const FileIdentity &file, const char *name);
// Removes the name of a file that is deleted on close, if it still means that file.
Error delete_open_file(const OpenFile &file);
Error delete_file(const char *name);

} // namespace thrum
