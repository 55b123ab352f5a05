// Finds out how much memory a process may get, and how much ranks need (rank/memory_need.h). Memory
// that the kernel can take back (files in its cache) counts as available.
#include "rank/memory_need.h"

#include "base/check.h"
#include "base/settings.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace thrum {
namespace {

// Reads a whole file. Returns false if it cannot be opened.
bool read_file(const std::string &path, std::string &text) {
    int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    text.clear();
    char block[4096];
    for (ssize_t n; (n = ::read(fd, block, sizeof block)) > 0;)
        text.append(block, static_cast<size_t>(n));
    ::close(fd);
    return true;
}

// Returns the number behind `name` at the beginning of a line ("MemAvailable:  123 kB"); 0: none.
uint64_t number_of_line(const std::string &text, const char *name) {
    size_t length = std::strlen(name);
    for (size_t at = 0; at < text.size();) {
        if (text.compare(at, length, name) == 0)
            return std::strtoull(text.c_str() + at + length, nullptr, 10);
        size_t end = text.find('\n', at);
        at = end == std::string::npos ? text.size() : end + 1;
    }
    return 0;
}

// Reads a number from a file that contains nothing else. Returns `otherwise` if the file is missing
// or says "max".
uint64_t number_in(const std::string &path, uint64_t otherwise) {
    std::string text;
    if (!read_file(path, text) || text.empty() || text[0] < '0' || text[0] > '9')
        return otherwise;
    return std::strtoull(text.c_str(), nullptr, 10);
}

// Returns a - b, but at least 0.
uint64_t difference(uint64_t a, uint64_t b) {
    return a > b ? a - b : 0;
}

// The names of a control group's files in one version of the interface.
struct GroupFiles {
    const char *limit, *usage;
    const char *files[2]; // lines of memory.stat: what the kernel takes back when it needs memory
};

constexpr GroupFiles version_1 = {"memory.limit_in_bytes",
                                  "memory.usage_in_bytes",
                                  {"total_inactive_file ", "total_active_file "}};
constexpr GroupFiles version_2 = {
    "memory.max", "memory.current", {"inactive_file ", "active_file "}};

// Reduces `memory` to what the limits of `group`, and of those around it, leave. A container may
// not see the outer ones.
void consider_groups(AvailableMemory &memory, const std::string &mounted, std::string group,
                     const GroupFiles &names, uint64_t swap_bytes) {
    constexpr uint64_t no_limit = uint64_t{1} << 60; // version 1 writes nearly 2^63
    for (;;) {
        std::string directory = mounted + group;
        uint64_t limit = number_in(directory + "/" + names.limit, no_limit);
        if (limit < no_limit) {
            uint64_t usage = number_in(directory + "/" + names.usage, 0);
            std::string statistics;
            read_file(directory + "/memory.stat", statistics);
            for (const char *name : names.files)
                usage = difference(usage, number_of_line(statistics, name));
            uint64_t left = difference(limit, usage) + swap_bytes;
            if (left < memory.bytes)
                memory = {left,
                          "the limit of memory control group " + (group.empty() ? "/" : group)};
        }
        size_t slash = group.rfind('/');
        if (slash == std::string::npos)
            return;
        group.resize(slash);
    }
}

// Considers a line of /proc/self/cgroup: "12:cpu,memory:/a/b" (version 1), "0::/a/b" (version 2).
void consider_line(AvailableMemory &memory, const std::string &groups, const std::string &line,
                   uint64_t swap_bytes) {
    size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos)
        return;
    std::string controllers = ",";
    controllers.append(line, first + 1, second - first - 1).append(",");
    std::string group = line.substr(second + 1);
    if (group == "/")
        group.clear();
    if (controllers == ",,")
        consider_groups(memory, groups, group, version_2, swap_bytes);
    else if (controllers.find(",memory,") != std::string::npos)
        consider_groups(memory, groups + "/memory", group, version_1, swap_bytes);
}

// Returns a size for messages.
std::string as_text(uint64_t bytes) {
    char text[32];
    if (bytes < (10u << 20))
        std::snprintf(text, sizeof text, "%.1f KiB", static_cast<double>(bytes) / 1024);
    else if (bytes < (uint64_t{10} << 30))
        std::snprintf(text, sizeof text, "%.0f MiB", static_cast<double>(bytes) / (1 << 20));
    else
        std::snprintf(text, sizeof text, "%.1f GiB", static_cast<double>(bytes) / (1 << 30));
    return text;
}

} // namespace

AvailableMemory find_available_memory(const std::string &proc, const std::string &groups) {
    AvailableMemory memory;
    std::string text;
    if (!read_file(proc + "/meminfo", text))
        return memory;
    uint64_t available = number_of_line(text, "MemAvailable:") * 1024;
    uint64_t swap_bytes = number_of_line(text, "SwapFree:") * 1024;
    if (available)
        memory = {available + swap_bytes, "MemAvailable in /proc/meminfo"};
    if (!read_file(proc + "/self/cgroup", text))
        return memory;
    for (size_t at = 0; at < text.size();) {
        size_t end = std::min(text.find('\n', at), text.size());
        consider_line(memory, groups, text.substr(at, end - at), swap_bytes);
        at = end + 1;
    }
    return memory;
}

std::string memory_shortage(int ranks, uint64_t needed_bytes, const char *program, bool cloned,
                            const char *why_cloned) {
    AvailableMemory memory;
    if (settings().memory_bytes)
        memory = {settings().memory_bytes, "THRUM_MEMORY"};
    else
        memory = find_available_memory();
    if (needed_bytes <= memory.bytes)
        return "";
    uint64_t each = needed_bytes / static_cast<uint64_t>(ranks);
    char text[1024];
    std::snprintf(
        text, sizeof text,
        "%d ranks of %s need at least %s of memory (%s each, without what they allocate), but %s "
        "are available (%s), enough for %llu ranks%s%s. Use fewer ranks%s, or set "
        "THRUM_MEMORY=SIZE "
        "(unlimited: no check) if there is more",
        ranks, program, as_text(needed_bytes).c_str(), as_text(each).c_str(),
        as_text(memory.bytes).c_str(), memory.source.c_str(),
        static_cast<unsigned long long>(memory.bytes / each),
        why_cloned ? "; they are clones because " : "", why_cloned ? why_cloned : "",
        cloned ? ", compile with --privatize, which makes them smaller" : "");
    return text;
}

void refuse_too_many_for_memory(int ranks, uint64_t needed_bytes, const char *program, bool cloned,
                                const char *why_cloned) {
    std::string shortage = memory_shortage(ranks, needed_bytes, program, cloned, why_cloned);
    if (!shortage.empty())
        die(2, "%s", shortage.c_str());
}

// The sizes are measured with 100,000 ranks of a small program: the table in
// docs/performance/ranks.md.
size_t rank_bytes(bool is_os_thread) {
    constexpr size_t fiber_bytes = 13 << 10;
    constexpr size_t kernel_bytes = 24 << 10; // of a thread: its stack in the kernel, task_struct
    return fiber_bytes + (is_os_thread ? kernel_bytes : 0);
}

} // namespace thrum
