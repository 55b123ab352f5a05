// Maps the status page and the table of ranks behind it (rank/status_page.h).
#include "rank/status_page.h"

#include "base/check.h"
#include "base/job_settings.h"

#include <cstring>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace thrum {
namespace {

StatusPage *page = nullptr; // nullptr: the table is ordinary memory
size_t mapped_bytes = 0;    // of page and table
size_t (*used_table_bytes)() = nullptr;
std::atomic<bool> end_is_announced{false};
int place = -1; // descriptor with the lock

// Returns zeroed memory of this process only, or nullptr.
void *map_privately(size_t bytes) {
    void *memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? nullptr : memory;
}

// Gives a child of fork() a table of its own, at the same address, so that it does not write into
// its parent's.
void part_from_parent() {
    if (!page)
        return;
    const size_t used = StatusPage::bytes + used_table_bytes();
    void *copy = map_privately(mapped_bytes);
    CHECK(copy, "out of memory for the table of ranks in a child of fork()");
    std::memcpy(copy, static_cast<void *>(page), used);
    CHECK(::mremap(copy, mapped_bytes, mapped_bytes, MREMAP_MAYMOVE | MREMAP_FIXED, page) == page);
    page = nullptr;
}

// Returns whether the file is this process's. A program that a rank has started finds the
// THRUM_STATUS of its parent, whose file it must leave alone.
bool is_ours(int fd) {
    struct stat status;
    if (::fstat(fd, &status) != 0 || (static_cast<size_t>(status.st_size) < StatusPage::bytes &&
                                      ::ftruncate(fd, StatusPage::bytes) != 0))
        return false;
    void *memory = ::mmap(nullptr, StatusPage::bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (memory == MAP_FAILED)
        return false;
    int32_t owner = 0;
    const bool is_first = static_cast<StatusPage *>(memory)->owner.compare_exchange_strong(
        owner, ::getpid(), std::memory_order_relaxed);
    ::munmap(memory, StatusPage::bytes);
    return is_first || owner == ::getpid();
}

// Maps the file that mpiexec has made, after making it as large as the table needs. Returns nullptr
// if that is impossible; then the table is ordinary memory.
void *map_file(const char *path, size_t bytes) {
    rlimit limit{};
    if (::getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < bytes)
        return nullptr; // or SIGXFSZ ends the process
    const int fd = ::open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0)
        return nullptr;
    void *memory = MAP_FAILED;
    if (is_ours(fd) && ::ftruncate(fd, static_cast<off_t>(bytes)) == 0)
        memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
    ::close(fd);
    return memory == MAP_FAILED ? nullptr : memory;
}

} // namespace

void *map_rank_table(size_t bytes, size_t (*used_bytes)()) {
    const char *path = job_settings().status;
    void *memory = path && !page ? map_file(path, StatusPage::bytes + bytes) : nullptr;
    if (!memory)
        return map_privately(bytes);
    std::memset(memory, 0, StatusPage::bytes); // a program before this one may have left something
    page = static_cast<StatusPage *>(memory);
    page->owner.store(::getpid(), std::memory_order_relaxed);
    mapped_bytes = StatusPage::bytes + bytes;
    used_table_bytes = used_bytes;
    ::pthread_atfork(nullptr, nullptr, part_from_parent);
    return static_cast<char *>(memory) + StatusPage::bytes;
}

void describe_rank_table(const RankTableShape &shape) {
    if (!page)
        return;
    page->first_rank = shape.first_rank;
    page->rank_count = shape.rank_count;
    page->rank_bytes = static_cast<uint32_t>(shape.rank_bytes);
    page->function_offset = static_cast<uint32_t>(shape.function_offset);
    page->ended_offset = static_cast<uint32_t>(shape.ended_offset);
    // release [status-page-1]: all of the above; mpiexec acquires
    page->magic.store(StatusPage::expected_magic, std::memory_order_release);
}

StatusPage *status_page() {
    return page;
}

void announce_end_of_job() {
    end_is_announced.store(true, std::memory_order_relaxed);
    if (page)
        page->ends_job.store(1, std::memory_order_relaxed);
}

bool end_of_job_is_announced() {
    return end_is_announced.load(std::memory_order_relaxed);
}

// Uses a record lock of POSIX: children of fork() do not have it, and it ends with the process.
int take_place() {
    const char *path = job_settings().status;
    if (!path || place >= 0 || (place = ::open(path, O_RDWR | O_CLOEXEC)) < 0)
        return 0;
    struct flock lock = {};
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    if (::fcntl(place, F_SETLK, &lock) == 0)
        return 0;
    const bool is_known = ::fcntl(place, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
    leave_place();
    return is_known ? lock.l_pid : 0;
}

void leave_place() {
    if (place >= 0)
        ::close(place);
    place = -1;
}

} // namespace thrum
