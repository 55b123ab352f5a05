// Opens and deletes files. The first rank opens, with the flags of the amode; later processes open
// the same file again, without creating it. A file is recognized by device and inode, since each
// rank may have its own working directory, and each node its own mounts.
#include "io/opening.h"

#include "io/collective_access.h"
#include "io/stream.h"
#include "libc/blocking_section.h"
#include "wireup/wireup.h"

#include <mpi.h>

#include <cerrno>
#include <climits>
#include <cstdio>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace thrum {
namespace {

constexpr int access_modes = MPI_MODE_RDONLY | MPI_MODE_RDWR | MPI_MODE_WRONLY;
constexpr int all_modes = access_modes | MPI_MODE_CREATE | MPI_MODE_EXCL |
                          MPI_MODE_DELETE_ON_CLOSE | MPI_MODE_UNIQUE_OPEN | MPI_MODE_SEQUENTIAL |
                          MPI_MODE_APPEND;

// Returns open()'s flags. MPI_MODE_APPEND only sets the initial pointers, so O_APPEND must not be
// set: it would move every write to the end.
int open_flags(int amode) {
    int flags = O_CLOEXEC | O_NOCTTY;
    flags |= amode & MPI_MODE_RDWR ? O_RDWR : amode & MPI_MODE_WRONLY ? O_WRONLY : O_RDONLY;
    if (amode & MPI_MODE_CREATE)
        flags |= O_CREAT;
    if (amode & MPI_MODE_EXCL)
        flags |= O_EXCL;
    return flags;
}

bool is_pipe(const char *name) {
    struct stat status;
    return ::stat(name, &status) == 0 && S_ISFIFO(status.st_mode);
}

// Moves a descriptor above 0, 1 and 2: these belong to the standard streams, even if the program
// has closed them. Keeps errno.
int above_standard(int descriptor) {
    if (descriptor < 0 || descriptor > STDERR_FILENO)
        return descriptor;
    int moved = ::fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    int error = errno;
    ::close(descriptor);
    errno = error;
    return moved;
}

// Opening a pipe waits for its other side, so only that is done on a spare worker. EINTR is
// repeated: signals are for ranks.
int open_descriptor(const char *name, int amode, int permissions) MAY_SUSPEND {
    auto call = [=] {
        return ::open(name, open_flags(amode), static_cast<mode_t>(permissions));
    };
    int descriptor = -1;
    do {
        descriptor = is_pipe(name) ? blocking("MPI_File_open", call) : call();
    } while (descriptor < 0 && errno == EINTR);
    return above_standard(descriptor);
}

// Returns the name relative to the root. Falls back to `name` if the working directory is gone.
std::string absolute(const char *name) {
    if (*name == '/')
        return name;
    char directory[PATH_MAX];
    if (!::getcwd(directory, sizeof directory))
        return name;
    std::string result = directory;
    return result.append(1, '/').append(name);
}

// Records identity and kind of the open file, and checks that it fits its mode: a file that cannot
// seek needs MPI_MODE_SEQUENTIAL.
Error examine(OpenFile &file) {
    struct stat status;
    if (::fstat(file.descriptor, &status) != 0)
        return fail_by_errno(errno, "examine", file.name());
    file.identity.device = status.st_dev;
    file.identity.inode = status.st_ino;
    file.regular = S_ISREG(status.st_mode);
    if (S_ISDIR(status.st_mode))
        return fail_by_errno(EISDIR, "open", file.name());
    if (!file.sequential() && ::lseek(file.descriptor, 0, SEEK_CUR) < 0)
        return fail(MPI_ERR_AMODE,
                    "file \"%s\" has no positions: amode must contain MPI_MODE_SEQUENTIAL",
                    file.name().c_str());
    return success;
}

} // namespace

// Section 14.2.1: exactly one access mode, and combinations that contradict each other.
Error check_amode(int amode) {
    if (amode & ~all_modes)
        return fail(MPI_ERR_AMODE, "amode is %#x, which contains unknown bits", amode);
    int access = amode & access_modes;
    if (access != MPI_MODE_RDONLY && access != MPI_MODE_RDWR && access != MPI_MODE_WRONLY)
        return fail(MPI_ERR_AMODE,
                    "amode is %d; it must contain exactly one of MPI_MODE_RDONLY, MPI_MODE_RDWR "
                    "and MPI_MODE_WRONLY",
                    amode);
    if ((amode & MPI_MODE_RDONLY) && (amode & (MPI_MODE_CREATE | MPI_MODE_EXCL)))
        return fail(MPI_ERR_AMODE,
                    "amode is %d; MPI_MODE_%s cannot be combined with MPI_MODE_RDONLY", amode,
                    amode & MPI_MODE_CREATE ? "CREATE" : "EXCL");
    if ((amode & MPI_MODE_RDWR) && (amode & MPI_MODE_SEQUENTIAL))
        return fail(MPI_ERR_AMODE,
                    "amode is %d; MPI_MODE_SEQUENTIAL cannot be combined with MPI_MODE_RDWR",
                    amode);
    return success;
}

namespace {

// Returns a file without a descriptor, with one reference.
OpenFile *new_open_file(const char *name, int amode, const Hints &hints) {
    auto *file = new OpenFile;
    file->references.store(1, std::memory_order_relaxed);
    file->amode = amode;
    file->identity.name = name;
    file->identity.process = this_node_process();
    file->hints = hints;
    file->absolute_name = absolute(name);
    if (somebody_listens())
        file->observed = observe::file_number(name);
    file->plan = std::make_shared<CollectivePlan>();
    if (file->sequential())
        file->stream = new_stream_queue();
    return file;
}

// Opens the descriptor and examines the file.
Error open_as(OpenFile &file, const char *name, int amode) MAY_SUSPEND {
    file.descriptor = open_descriptor(name, amode, file.hints.file_permissions);
    if (file.descriptor < 0)
        return fail_by_errno(errno, "open", file.name());
    if (Error error = examine(file))
        return error;
    advise(file);
    return success;
}

// Compares by inode, and by device if both processes are on one node: nodes number their devices
// differently.
bool is_same(const FileIdentity &file, const struct stat &status) {
    const bool same_node =
        !has_other_processes() || node_of(file.process) == node_of(this_node_process());
    return status.st_ino == file.inode && (!same_node || status.st_dev == file.device);
}

Error another_file(const FileIdentity &file, const char *name) {
    return fail(MPI_ERR_NOT_SAME,
                "filename is \"%s\", which is not the same file as \"%s\" of rank 0", name,
                file.name.c_str());
}

} // namespace

// For MPI_MODE_APPEND the pointers begin at the end of the file.
Error open_file(const char *name, int amode, const Hints &hints, OpenFile *&result) {
    OpenFile *file = new_open_file(name, amode, hints);
    Error error = open_as(*file, name, amode);
    Offset size_bytes = 0;
    if (!error && (amode & MPI_MODE_APPEND) && !file->sequential())
        error = get_size(*file, size_bytes);
    if (error) {
        release(*file);
        return error;
    }
    file->shared_pointer = size_bytes;
    result = file;
    return success;
}

// The flags that create are removed: rank 0 has created the file, and O_EXCL would fail. The opened
// file is compared, not only the name: it may have changed in between.
Error open_again(const FileIdentity &first, const char *name, int amode, const Hints &hints,
                 OpenFile *&result) {
    if (Error error = check_same_file(first, name))
        return error;
    OpenFile *file = new_open_file(name, amode, hints);
    if (!file->sequential()) { // else the keeper does it all
        if (Error error = open_as(*file, name, amode & ~(MPI_MODE_CREATE | MPI_MODE_EXCL))) {
            release(*file);
            return error;
        }
        struct stat status;
        if (::fstat(file->descriptor, &status) != 0 || !is_same(first, status)) {
            release(*file);
            return another_file(first, name);
        }
    }
    file->identity = first;
    result = file;
    return success;
}

// The usual case, the same absolute name in the same process, needs no system call.
Error check_same_file(const FileIdentity &file, const char *name) {
    const bool here = !has_other_processes() || file.process == this_node_process();
    if (here && *name == '/' && file.name == name)
        return success;
    struct stat status;
    if (::stat(name, &status) != 0)
        return fail_by_errno(errno, "open", name);
    return is_same(file, status) ? success : another_file(file, name);
}

Error delete_file(const char *name) {
    return ::unlink(name) == 0 ? success : fail_by_errno(errno, "delete", name);
}

// A symbolic link is removed itself, as unlink() does.
Error delete_open_file(const OpenFile &file) {
    struct stat status;
    if (::lstat(file.absolute_name.c_str(), &status) != 0)
        return fail_by_errno(errno, "delete", file.name());
    struct stat target;
    if (::stat(file.absolute_name.c_str(), &target) != 0 || target.st_dev != file.identity.device ||
        target.st_ino != file.identity.inode)
        return fail(MPI_ERR_NO_SUCH_FILE,
                    "file \"%s\" is not deleted: its name now belongs to another file",
                    file.name().c_str());
    return ::unlink(file.absolute_name.c_str()) == 0 ? success
                                                     : fail_by_errno(errno, "delete", file.name());
}

} // namespace thrum
