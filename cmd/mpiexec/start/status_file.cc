// Reads status pages (start/status_file.h). The process behind a page may have crashed and damaged
// it, so sizes and offsets are checked before they are used.
#include "start/status_file.h"

#include "bsp/functions.h"
#include "plan/message.h"

#include <cstring>
#include <iterator>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace mpiexec {
namespace {

constexpr int ranks_shown_max = 8; // in a message about a process that has ended

// The names of MPI and BSP functions by their numbers, as the library counts them.
const char *const function_names[] = {"",
#include "entry/function_names.inc"
#define BSP_NAME(name) #name,
                                      THRUM_BSP_FUNCTIONS(BSP_NAME)
#undef BSP_NAME
};

const char *name_of(unsigned function) {
    return function < std::size(function_names) ? function_names[function] : "an MPI call";
}

std::string describe(unsigned function) {
    return function ? name_of(function) : "none";
}

} // namespace

StatusFile StatusFile::make(int job_ranks) {
    StatusFile file;
    file.fd_ = memfd_create(fmt::format("thrum-status:{}", job_ranks).c_str(), MFD_CLOEXEC);
    void *memory = MAP_FAILED;
    // The process makes the file larger for its table of ranks; here only the page is mapped.
    if (file.fd_ >= 0 && ftruncate(file.fd_, thrum::StatusPage::bytes) == 0)
        memory = mmap(nullptr, thrum::StatusPage::bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
                      file.fd_, 0);
    if (memory != MAP_FAILED)
        file.page_ = static_cast<thrum::StatusPage *>(memory);
    return file;
}

StatusFile::StatusFile(StatusFile &&other) noexcept
    : fd_(std::exchange(other.fd_, -1)), page_(std::exchange(other.page_, nullptr)) {}

StatusFile &StatusFile::operator=(StatusFile &&other) noexcept {
    std::swap(fd_, other.fd_);
    std::swap(page_, other.page_);
    return *this;
}

StatusFile::~StatusFile() {
    if (page_)
        munmap(page_, thrum::StatusPage::bytes);
    if (fd_ >= 0)
        close(fd_);
}

std::string StatusFile::path() const {
    return page_ ? fmt::format("/proc/{}/fd/{}", getpid(), fd_) : "";
}

// Returns whether the process has written its page.
bool StatusFile::is_there() const {
    // acquire [status-page-1]: what was written before.
    return page_ &&
           page_->magic.load(std::memory_order_acquire) == thrum::StatusPage::expected_magic;
}

// Reads one rank's entry by pread(), which fails where a damaged page would make memory accesses
// fault. Returns false if the page is not plausible.
bool StatusFile::read_rank(int number, bool &ended, unsigned &function) const {
    const size_t bytes = page_->rank_bytes, function_offset = page_->function_offset,
                 ended_offset = page_->ended_offset;
    uint16_t value;
    constexpr size_t bytes_max = 1 << 16;
    if (bytes > bytes_max || function_offset + sizeof value > bytes || ended_offset >= bytes)
        return false;
    std::vector<char> rank(bytes);
    const auto at =
        static_cast<off_t>(thrum::StatusPage::bytes + static_cast<size_t>(number) * bytes);
    if (pread(fd_, rank.data(), bytes, at) != static_cast<ssize_t>(bytes))
        return false;
    std::memcpy(&value, rank.data() + function_offset, sizeof value);
    function = value;
    ended = rank[ended_offset] != 0;
    return true;
}

ProcessState StatusFile::state() const {
    ProcessState state;
    if (!is_there())
        return state;
    state.handles_errors = page_->handles_errors.load(std::memory_order_relaxed);
    state.ends_job = page_->ends_job.load(std::memory_order_relaxed);
    state.is_bound = page_->bound_ranks.load(std::memory_order_relaxed) > 0;
    state.output_error = page_->output_error.load(std::memory_order_relaxed);
    state.last_calls = last_calls();
    if (!count_ranks(state.ranks_in))
        state.ranks_in.clear();
    return state;
}

// Returns the end of a sentence about the last MPI calls of the first ranks.
std::string StatusFile::last_calls() const {
    std::string text;
    const int count = page_->rank_count;
    for (int i = 0; i < count; ++i) {
        bool ended = false;
        unsigned function = 0;
        if (i == ranks_shown_max)
            return text + "; ...";
        if (!read_rank(i, ended, function))
            return "";
        if (count == 1)
            return function ? std::string("; MPI call: ") + name_of(function)
                            : "; not inside an MPI call";
        text += (i ? "; rank " : "; MPI calls: rank ") +
                fmt::format("{}: {}", page_->first_rank + i, describe(function));
    }
    return text;
}

// Counts the ranks by what they do. Returns false if the page is not plausible.
bool StatusFile::count_ranks(std::map<std::string, int> &ranks_in) const {
    for (int i = 0; i < page_->rank_count; ++i) {
        bool ended = false;
        unsigned function = 0;
        if (!read_rank(i, ended, function))
            return false;
        ++ranks_in[ended      ? "ended"
                   : function ? std::string("in ") + name_of(function)
                              : "outside MPI"];
    }
    return true;
}

} // namespace mpiexec
