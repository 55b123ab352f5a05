#include "mapping.h"

#include "observe/moment.h"

#include <cerrno>
#include <fcntl.h>
#include <fmt/core.h>
#include <stdexcept>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace observation {

Mapping::Mapping(const std::string &path, size_t least_bytes) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat status{};
    if (file < 0 || ::fstat(file, &status) != 0)
        throw std::runtime_error(fmt::format("{}: {}", path, std::strerror(errno)));
    size_bytes_ = static_cast<size_t>(status.st_size);
    if (size_bytes_ >= least_bytes)
        begin_ = ::mmap(nullptr, size_bytes_, PROT_READ, MAP_SHARED, file, 0);
    ::close(file);
    if (begin_ == MAP_FAILED)
        throw std::runtime_error(fmt::format("{}: {}", path, std::strerror(errno)));
}

Mapping::~Mapping() {
    if (begin_)
        ::munmap(begin_, size_bytes_);
}

Clock::Clock(const observe::Observation &o) {
    observe::Moment later{value(o.recent_ticks), static_cast<int64_t>(value(o.recent_ns))};
    if (later.ticks <= o.begin_ticks) // a short run: now is later on the same machine
        later = observe::present_moment();
    if (later.ticks > o.begin_ticks)
        seconds_per_tick_ = static_cast<double>(later.ns - o.begin_ns) * 1e-9 /
                            static_cast<double>(later.ticks - o.begin_ticks);
}

} // namespace observation
