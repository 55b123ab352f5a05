#include "running_process.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <filesystem>
#include <fmt/core.h>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <sys/uio.h>
#include <unistd.h>

namespace live {
namespace {

namespace fs = std::filesystem;

// What is in the file "stat" of a process.
struct Status {
    char state = 0; // 0: there is no such process
    pid_t parent = 0;
    uint64_t begin_ticks = 0;

    bool is_alive() const { return state != 0 && state != 'Z' && state != 'X'; }
};

// The name of the program, in parentheses, may contain blanks and parentheses.
Status status_of(pid_t pid) {
    constexpr int fields_between = 17; // the parent is field 4, the begin field 22
    std::ifstream file(fmt::format("/proc/{}/stat", pid));
    std::string text;
    std::getline(file, text);
    const size_t name_end = text.rfind(')');
    if (name_end == std::string::npos)
        return {};
    std::istringstream fields(text.substr(name_end + 1));
    Status status;
    fields >> status.state >> status.parent;
    std::string unused;
    for (int i = 0; i < fields_between; ++i)
        fields >> unused;
    fields >> status.begin_ticks;
    return fields ? status : Status{};
}

} // namespace

RunningProcess::RunningProcess(pid_t id) : id_(id), begin_ticks_(status_of(id).begin_ticks) {}

bool RunningProcess::is_alive() const {
    const Status now = status_of(id_);
    return now.is_alive() && now.begin_ticks == begin_ticks_;
}

std::multimap<pid_t, pid_t> find_children() {
    std::multimap<pid_t, pid_t> children;
    std::error_code error;
    for (const auto &entry : fs::directory_iterator("/proc", error)) {
        const std::string name = entry.path().filename().string();
        if (name.find_first_not_of("0123456789") != std::string::npos)
            continue;
        const pid_t pid = std::stoi(name);
        if (const Status status = status_of(pid); status.state)
            children.emplace(status.parent, pid);
    }
    return children;
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
    errno = 0;
    std::ifstream file(fmt::format("/proc/{}/maps", pid));
    std::vector<MappedFile> mapped;
    for (std::string line; std::getline(file, line);) {
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
    if (mapped.empty() && (errno == EACCES || errno == EPERM))
        throw std::runtime_error(
            fmt::format("process {} may not be looked at: {}", pid, std::strerror(errno)));
    return mapped;
}

std::vector<char> read_memory(pid_t pid, uint64_t address, size_t size_bytes) {
    std::vector<char> bytes(size_bytes);
    const iovec here{bytes.data(), size_bytes};
    const iovec there{reinterpret_cast<void *>(address), size_bytes};
    const ssize_t n = ::process_vm_readv(pid, &here, 1, &there, 1, 0);
    if (n < 0 && errno == EPERM)
        throw std::runtime_error(fmt::format(
            "the memory of process {} may not be read: {} (see kernel.yama.ptrace_scope); a job "
            "that was started with --top can be looked at",
            pid, std::strerror(errno)));
    bytes.resize(n < 0 ? 0 : static_cast<size_t>(n));
    return bytes;
}

// A text may begin on one page and end on the next, behind which there may be nothing: reads page
// by page.
std::string read_text(pid_t pid, uint64_t address) {
    constexpr uint64_t page = 4096;
    std::string text;
    while (text.size() < PATH_MAX) {
        const uint64_t at = address + text.size();
        const std::vector<char> bytes = read_memory(pid, at, page - at % page);
        const auto end = std::ranges::find(bytes, '\0');
        text.append(bytes.begin(), end);
        if (bytes.empty() || end != bytes.end())
            break;
    }
    return text.substr(0, PATH_MAX);
}

} // namespace live
