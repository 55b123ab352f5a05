// Creates and maps segments. Errors give the cause and a remedy, as fabric_begin() ends the process
// with them.
#include "fabric/channel/segment.h"

#include "base/bytes.h"
#include "base/check.h"
#include "base/descriptor.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace thrum {
namespace {

constexpr size_t page_bytes = 4096;

// Returns the size of the header in whole pages.
size_t header_bytes() {
    return align_up(sizeof(SegmentHeader), page_bytes);
}

std::string cannot(size_t bytes, const char *what, int error) {
    char text[256];
    std::snprintf(text, sizeof text,
                  "cannot allocate %zu KiB of shared memory for messages between processes: %s: "
                  "%s; raise the job's memory limit, or run with THRUM_FABRIC=tcp",
                  bytes >> 10, what, std::strerror(error));
    return text;
}

} // namespace

Segment::~Segment() {
    if (header_)
        ::munmap(header_, bytes_);
    if (fd_ >= 0)
        ::close(fd_);
}

size_t Segment::ring_stride() const {
    return align_up(header_->geometry.ring_bytes(), page_bytes);
}

// Allocates the header at once, so that a lack of memory is found here; the rings use memory only
// when they are opened.
bool Segment::create(NodeProcess process, const RingGeometry &geometry, uint32_t rings_max,
                     size_t directory_entries, std::string &why) {
    const size_t of_all = header_bytes() + rings_max * align_up(geometry.ring_bytes(), page_bytes);
    const size_t bytes =
        of_all + align_up(directory_entries * sizeof(std::atomic<uint64_t>), page_bytes);
    rlimit limit{};
    if (::getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < bytes) {
        // The wording is the same in all processes, so that mpiexec prints it once.
        char text[256];
        std::snprintf(
            text, sizeof text,
            "cannot allocate %zu KiB of shared memory for messages between processes: the limit of "
            "file sizes is smaller (ulimit -f); raise it, or run with THRUM_FABRIC=tcp",
            of_all >> 10);
        why = text;
        return false;
    }
    fd_ = move_descriptor_up(::memfd_create("thrum", MFD_CLOEXEC));
    if (fd_ < 0 || ::ftruncate(fd_, static_cast<off_t>(bytes)) != 0) {
        why = cannot(bytes, fd_ < 0 ? "memfd_create" : "ftruncate", errno);
        return false;
    }
    if (int error = ::posix_fallocate(fd_, 0, static_cast<off_t>(header_bytes()))) {
        why = cannot(header_bytes(), "posix_fallocate", error);
        return false;
    }
    if (!map(bytes, why))
        return false;
    header_->version = SegmentHeader::expected_version;
    header_->process = process;
    header_->geometry = geometry;
    header_->rings_max = rings_max;
    header_->urge_fd = -1;
    header_->doorbell_fd = -1;
    header_->directory_entries = static_cast<uint32_t>(directory_entries);
    header_->magic = SegmentHeader::expected_magic;
    return true;
}

bool Segment::map(size_t bytes, std::string &why) {
    void *memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd_, 0);
    if (memory == MAP_FAILED) {
        why = cannot(bytes, "mmap", errno);
        return false;
    }
    ::madvise(memory, bytes, MADV_DONTFORK); // a child is no member of the job
    header_ = static_cast<SegmentHeader *>(memory);
    bytes_ = bytes;
    return true;
}

// Distinguishes a process that has ended, or whose number another program has by now, from one that
// cannot be mapped.
Segment::OpenResult Segment::open(NodeProcess process, pid_t pid, int fd, std::string &why) {
    char path[64];
    std::snprintf(path, sizeof path, "/proc/%d/fd/%d", static_cast<int>(pid), fd);
    char text[256];
    fd_ = move_descriptor_up(::open(path, O_RDWR | O_CLOEXEC));
    struct stat status{};
    if (fd_ < 0 || ::fstat(fd_, &status) != 0) {
        if (errno == ENOENT)
            return OpenResult::Gone;
        std::snprintf(
            text, sizeof text,
            "cannot open the shared memory of node process %d: %s: %s; run with THRUM_FABRIC=tcp",
            process.number(), path, std::strerror(errno));
        why = text;
        return OpenResult::Failed;
    }
    auto bytes = static_cast<size_t>(status.st_size);
    if (bytes < header_bytes())
        return OpenResult::Gone; // another file: the process id has been reused
    if (!map(bytes, why))
        return OpenResult::Failed;
    if (header_->magic != SegmentHeader::expected_magic ||
        (process != of_any_process && header_->process != process))
        return OpenResult::Gone;
    if (header_->version != SegmentHeader::expected_version) {
        std::snprintf(text, sizeof text,
                      "node process %d runs another version of Thrum (its shared memory has layout "
                      "%u, ours %u); use the same libmpi_abi.so.1 everywhere",
                      process.number(), header_->version, SegmentHeader::expected_version);
        why = text;
        return OpenResult::Failed;
    }
    return OpenResult::Opened;
}

size_t Segment::directory_offset() const {
    return header_bytes() + header_->rings_max * ring_stride();
}

std::atomic<uint64_t> &Segment::address_of(NodeProcess process) const {
    CHECK(process.index() < header_->directory_entries, "process %d", process.number());
    auto *directory = reinterpret_cast<char *>(header_) + directory_offset();
    return reinterpret_cast<std::atomic<uint64_t> *>(directory)[process.index()];
}

void *Segment::ring(uint32_t number) const {
    return number < header_->rings_max
               ? reinterpret_cast<char *>(header_) + header_bytes() + number * ring_stride()
               : nullptr;
}

void *Segment::make_ring(uint32_t number) {
    void *memory = ring(number);
    if (!memory)
        return nullptr;
    auto offset = static_cast<off_t>(header_bytes() + number * ring_stride());
    return ::posix_fallocate(fd_, offset, static_cast<off_t>(ring_stride())) == 0 ? memory
                                                                                  : nullptr;
}

} // namespace thrum
