#include "find_job.h"

#include "running_process.h"

#include <algorithm>
#include <filesystem>
#include <fmt/core.h>
#include <fstream>
#include <map>
#include <stdexcept>

namespace live {
namespace {

namespace fs = std::filesystem;

void add_with_children(pid_t pid, const std::multimap<pid_t, pid_t> &children,
                       std::vector<pid_t> &found) {
    found.push_back(pid);
    const auto [begin, end] = children.equal_range(pid);
    for (auto child = begin; child != end; ++child)
        add_with_children(child->second, children, found);
}

// Returns the value of a variable in the environment with which the process was started.
std::string variable_of(pid_t pid, const std::string &name) {
    std::ifstream file(fmt::format("/proc/{}/environ", pid), std::ios::binary);
    for (std::string entry; std::getline(file, entry, '\0');)
        if (entry.starts_with(name + "="))
            return entry.substr(name.size() + 1);
    return "";
}

bool has_library(pid_t pid) {
    try {
        return std::ranges::any_of(mapped_files(pid), is_library, &MappedFile::path);
    } catch (const std::runtime_error &) { // a program that runs as another user
        return false;
    }
}

} // namespace

bool is_library(const std::string &path) {
    return fs::path(path).filename().string().starts_with("libmpi_abi.so");
}

FoundJob find_job(pid_t pid) {
    std::error_code error;
    if (!fs::exists(fmt::format("/proc/{}", pid), error))
        throw std::runtime_error(fmt::format("there is no process {}", pid));
    (void)mapped_files(pid); // throws if it may not be looked at
    std::vector<pid_t> all;
    add_with_children(pid, find_children(), all);
    FoundJob job;
    for (const pid_t process : all) {
        if (!has_library(process))
            continue;
        job.processes.push_back(process);
        const std::string directory = variable_of(process, "THRUM_OBSERVE");
        if (!directory.empty() && fs::is_directory(directory, error))
            job.observations = directory;
    }
    if (job.processes.empty())
        throw std::runtime_error(
            fmt::format("process {} is not part of a job of Thrum: neither it nor a process that "
                        "it has started runs an MPI program",
                        pid));
    return job;
}

} // namespace live
