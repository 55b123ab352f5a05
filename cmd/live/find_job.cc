#include "find_job.h"

#include "running_process.h"

#include <filesystem>
#include <fmt/core.h>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>

namespace live {
namespace {

namespace fs = std::filesystem;

// Returns the parent of each process of the machine.
std::multimap<pid_t, pid_t> find_children() {
    std::multimap<pid_t, pid_t> children;
    std::error_code error;
    for (const auto &entry : fs::directory_iterator("/proc", error)) {
        const std::string name = entry.path().filename().string();
        if (name.find_first_not_of("0123456789") != std::string::npos)
            continue;
        std::ifstream file(entry.path() / "stat");
        std::string text;
        if (!std::getline(file, text) || text.rfind(')') == std::string::npos)
            continue;
        std::istringstream fields(text.substr(text.rfind(')') + 1));
        std::string state;
        pid_t parent = 0;
        if (fields >> state >> parent)
            children.emplace(parent, std::stoi(name));
    }
    return children;
}

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
        for (const MappedFile &file : mapped_files(pid))
            if (is_library(file.path))
                return true;
    } catch (const std::runtime_error &) { // it has just ended
    }
    return false;
}

} // namespace

bool is_library(const std::string &path) {
    return fs::path(path).filename().string().starts_with("libmpi_abi.so");
}

FoundJob find_job(pid_t pid) {
    std::error_code error;
    if (!fs::exists(fmt::format("/proc/{}", pid), error))
        throw std::runtime_error(fmt::format("there is no process {}", pid));
    (void)mapped_files(pid); // whether we may
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
