#include "io/open_file.h"

#include "libc/blocking_section.h"
#include "pt2pt/lost.h"
#include "wireup/wireup.h"

#include <mpi.h>

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace thrum {
namespace {

// Fails if `size_bytes` exceeds RLIMIT_FSIZE: the kernel would send SIGXFSZ to the process, which
// would hit all ranks.
Error check_size_limit(const OpenFile &file, Offset size_bytes) {
    rlimit limit{};
    if (::getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
        static_cast<rlim_t>(size_bytes) > limit.rlim_cur)
        return fail_by_errno(EFBIG, "enlarge", file.name());
    return success;
}

} // namespace

bool OpenFile::sequential() const {
    return (amode & MPI_MODE_SEQUENTIAL) != 0;
}

bool OpenFile::may_read() const {
    return !(amode & MPI_MODE_WRONLY);
}

bool OpenFile::may_write() const {
    return !(amode & MPI_MODE_RDONLY);
}

void retain(OpenFile &file) {
    file.references.fetch_add(1, std::memory_order_relaxed);
}

// `kept` goes first: other processes may find the file by its id until then, and would add
// references.
void release(OpenFile &file) {
    // acq_rel [file-1]: the last one sees every other's use done.
    if (file.references.fetch_sub(1, std::memory_order_acq_rel) > 1)
        return;
    file.kept.reset(); // others may find it until then
    if (file.descriptor >= 0)
        ::close(file.descriptor);
    delete &file;
}

// Every process keeps its own files: id 0 is a file whose ranks are all here.
bool is_keeper(const OpenFile &file) {
    return file.sharing.id == 0 || file.sharing.keeper == this_node_process();
}

// A block device has no size in its inode; seeking to its end tells it. Nothing else uses the
// descriptor's offset of a file with positions.
Error get_size(const OpenFile &file, Offset &size_bytes) {
    struct stat status;
    if (file.descriptor < 0) { // the keeper has it; anybody may look
        if (::stat(file.absolute_name.c_str(), &status) != 0)
            return fail_by_errno(errno, "find the size of", file.name());
        size_bytes = status.st_size;
        return success;
    }
    if (::fstat(file.descriptor, &status) != 0)
        return fail_by_errno(errno, "find the size of", file.name());
    size_bytes = status.st_size;
    if (S_ISBLK(status.st_mode)) {
        size_bytes = ::lseek(file.descriptor, 0, SEEK_END);
        if (size_bytes < 0)
            return fail_by_errno(errno, "find the size of", file.name());
    }
    return success;
}

Error set_size(OpenFile &file, Offset size_bytes) {
    if (Error error = check_size_limit(file, size_bytes))
        return error;
    file.written.store(true, std::memory_order_relaxed);
    int result = 0;
    do {
        result = ::ftruncate(file.descriptor, size_bytes);
    } while (result != 0 && errno == EINTR);
    return result == 0 ? success : fail_by_errno(errno, "resize", file.name());
}

// Allocates blocks up to `size_bytes`. A larger file keeps its size.
Error preallocate(OpenFile &file, Offset size_bytes) {
    if (size_bytes == 0)
        return success;
    Offset old_bytes = 0;
    if (Error error = get_size(file, old_bytes))
        return error;
    if (size_bytes > old_bytes)
        if (Error error = check_size_limit(file, size_bytes))
            return error;
    file.written.store(true, std::memory_order_relaxed);
    int error_number = 0;
    do { // writes to each block if the file system cannot reserve
        error_number = blocking("MPI_File_preallocate",
                                [&] { return ::posix_fallocate(file.descriptor, 0, size_bytes); });
    } while (error_number == EINTR);
    return error_number == 0 ? success : fail_by_errno(error_number, "preallocate", file.name());
}

// The first caller after a write does the work for all ranks of the process; without a write since
// the last call it does nothing.
Error synchronize(OpenFile &file) {
    // Whoever writes after this exchange sets it again.
    if (!file.written.exchange(false, std::memory_order_relaxed))
        return success;
    int error_number = blocking("MPI_File_sync", [&file] {
        while (::fdatasync(file.descriptor) != 0)
            if (errno != EINTR)
                return errno;
        return 0;
    });
    if (error_number == EINVAL || error_number == ENOTSUP) // a device or pipe: nothing is kept back
        return success;
    return error_number == 0 ? success : fail_by_errno(error_number, "synchronize", file.name());
}

// `random` anywhere in the list wins over `sequential`; other styles have no counterpart in
// posix_fadvise(). The advice is for the whole file.
void advise(const OpenFile &file) {
    const std::string &style = file.hints.access_style;
    int advice = style.find("random") != std::string::npos        ? POSIX_FADV_RANDOM
                 : style.rfind("sequential", 0) == 0              ? POSIX_FADV_SEQUENTIAL
                 : style.find(",sequential") != std::string::npos ? POSIX_FADV_SEQUENTIAL
                                                                  : POSIX_FADV_NORMAL;
    if (!style.empty() && file.regular)
        (void)::posix_fadvise(file.descriptor, 0, 0, advice);
}

Error keeper_lost_error(const OpenFile &file) {
    return fail(MPI_ERR_PROC_ABORTED, "%s; it owned the shared state of file \"%s\"",
                lost_process_sentence(file.sharing.keeper).c_str(), file.name().c_str());
}

Error transfer_error(const OpenFile &file, bool writing, const TransferResult &result) {
    if (!result.error_number)
        return success;
    if (result.error_number == keeper_is_lost)
        return keeper_lost_error(file);
    char what[96];
    std::snprintf(what, sizeof what, "%s byte %lld of", writing ? "write" : "read",
                  static_cast<long long>(result.failed_at));
    return fail_by_errno(result.error_number, what, file.name());
}

} // namespace thrum
