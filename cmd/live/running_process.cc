#include "running_process.h"

#include <cerrno>
#include <cstring>
#include <fmt/core.h>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <unistd.h>

namespace live {

bool is_alive(pid_t pid) {
    std::ifstream file(fmt::format("/proc/{}/stat", pid));
    std::string text;
    if (!std::getline(file, text))
        return false;
    const size_t end = text.rfind(')');
    return end != std::string::npos && end + 2 < text.size() && text[end + 2] != 'Z' &&
           text[end + 2] != 'X';
}

std::string program_of(pid_t pid) {
    std::ifstream file(fmt::format("/proc/{}/comm", pid));
    std::string name;
    std::getline(file, name);
    return name;
}

uint64_t resident_bytes_of(pid_t pid) {
    std::ifstream file(fmt::format("/proc/{}/statm", pid));
    uint64_t size = 0, resident = 0;
    file >> size >> resident;
    return resident * static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
}

std::vector<MappedFile> mapped_files(pid_t pid) {
    std::ifstream file(fmt::format("/proc/{}/maps", pid));
    std::vector<MappedFile> mapped;
    std::string line;
    errno = 0;
    while (std::getline(file, line)) {
        std::istringstream fields(line);
        std::string range, rights, offset, device, inode, path;
        fields >> range >> rights >> offset >> device >> inode;
        std::getline(fields >> std::ws, path);
        if (!path.starts_with('/'))
            continue;
        mapped.push_back({path, std::stoull(range, nullptr, 16),
                          std::stoull(range.substr(range.find('-') + 1), nullptr, 16),
                          std::stoull(offset, nullptr, 16)});
    }
    if (mapped.empty() && errno)
        throw std::runtime_error(
            fmt::format("process {} may not be looked at: {}", pid, std::strerror(errno)));
    return mapped;
}

} // namespace live
