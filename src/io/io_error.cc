// Errno values as MPI error classes, and the sentence of a failed system call (io_error.h).
#include "io/io_error.h"

#include <mpi.h>

#include <cerrno>
#include <cstring>

namespace thrum {

// Values without a class of their own become MPI_ERR_IO; the sentence has the exact cause anyway.
int error_class_of_errno(int error_number) {
    switch (error_number) {
    case ENOENT:
    case ESTALE: // a file of another machine that is gone
        return MPI_ERR_NO_SUCH_FILE;
    case EEXIST:
        return MPI_ERR_FILE_EXISTS;
    case EACCES:
    case EPERM:
        return MPI_ERR_ACCESS;
    case EROFS:
        return MPI_ERR_READ_ONLY;
    case ENOSPC:
        return MPI_ERR_NO_SPACE;
    case EDQUOT:
    case EFBIG: // RLIMIT_FSIZE, or more than the file system can hold in one file
        return MPI_ERR_QUOTA;
    case EBUSY:
    case ETXTBSY:
        return MPI_ERR_FILE_IN_USE;
    case ENAMETOOLONG:
    case ENOTDIR:
    case EISDIR:
    case ELOOP:
        return MPI_ERR_BAD_FILE;
    case ENOMEM:
        return MPI_ERR_NO_MEM;
    default:
        return MPI_ERR_IO;
    }
}

Error fail_by_errno(int error_number, const char *what, const std::string &name) {
    char buffer[128];
    // The GNU strerror_r: returns the text. strerror() has one buffer for all ranks.
    const char *text = ::strerror_r(error_number, buffer, sizeof buffer);
    return fail(error_class_of_errno(error_number), "cannot %s file \"%s\": %s", what, name.c_str(),
                text);
}

} // namespace thrum
