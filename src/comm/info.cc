// Info objects, and MPI_INFO_ENV, which each rank makes when it first asks for it.
#include "comm/info.h"

#include "comm/process.h"
#include "rank/c_library.h"
#include "rank/programs.h"

#include <algorithm>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <sys/utsname.h>
#include <unistd.h>

namespace thrum {
namespace {

constinit ObjectPool<Info> pool;

// Returns the arguments of a process that is one rank. Only ranks that share a process have a copy
// of theirs.
std::vector<std::string> process_arguments() {
    std::vector<std::string> arguments;
    if (FILE *file = std::fopen("/proc/self/cmdline", "re")) {
        char *argument = nullptr;
        size_t capacity = 0;
        while (::getdelim(&argument, &capacity, '\0', file) > 0)
            arguments.emplace_back(argument);
        std::free(argument);
        (void)std::fclose(file);
    }
    return arguments;
}

// Makes MPI_INFO_ENV of a rank, from its own arguments.
Info *make_environment(const Rank &rank) {
    const int ranks = rank.specification ? rank.specification->ranks : rank.world_size;
    if (rank.libc)
        return new_environment_info(rank.libc->argc, rank.libc->argv, ranks);
    std::vector<const char *> argv;
    const std::vector<std::string> arguments = process_arguments();
    for (const std::string &argument : arguments)
        argv.push_back(argument.c_str());
    return new_environment_info(static_cast<int>(argv.size()), argv.data(), ranks);
}

// Returns MPI_INFO_ENV of the calling rank. Two threads of a rank may both be the first to ask:
// both make it, and the second discards its own.
Info *environment_of_caller() {
    static SpinLock lock;
    Rank &rank = current_rank();
    Process &process = *rank.process;
    {
        LockGuard guard(lock);
        if (process.environment)
            return process.environment;
    }
    Info *made = make_environment(rank); // reads files: not with the lock
    LockGuard guard(lock);
    if (process.environment)
        delete_info(made);
    else
        process.environment = made;
    return process.environment;
}

auto find_key(auto &entries, const char *key) {
    return std::find_if(entries.begin(), entries.end(),
                        [&](const auto &entry) { return entry.first == key; });
}

} // namespace

Info *find_info(MPI_Info handle) {
    if (handle == MPI_INFO_ENV) // sections 11.2.1 and 11.3: it belongs to the World Model
        return current_process().state.load(std::memory_order_relaxed) == ProcessState::Created
                   ? nullptr
                   : environment_of_caller();
    return is_live(handle) ? handle : nullptr;
}

MPI_Info handle_of(Info &info) {
    return &info == current_process().environment ? MPI_INFO_ENV : &info;
}

Info *new_info() {
    return pool.make();
}

Info *copy_info(const Info &info) {
    Info *copy = new_info();
    copy->entries = info.entries;
    return copy;
}

void delete_info(Info *info) {
    if (info)
        pool.destroy(info);
}

// Sets only the keys whose values are known. Section 11.2.1 lets all of them be missing.
Info *new_environment_info(int argc, const char *const *argv, int world_size) {
    Info *info = new_info();
    if (argc > 0) {
        info->set("command", argv[0]);
        std::string arguments;
        for (int i = 1; i < argc; ++i)
            arguments.append(i > 1 ? " " : "").append(argv[i]);
        if (argc > 1)
            info->set("argv", arguments.c_str());
    }
    info->set("maxprocs", std::to_string(world_size).c_str());
    utsname machine{};
    if (::uname(&machine) == 0) {
        info->set("host", machine.nodename);
        info->set("arch", machine.machine);
    }
    char directory[PATH_MAX];
    if (::getcwd(directory, sizeof directory))
        info->set("wdir", directory);
    return info;
}

} // namespace thrum

const std::string *MPI_ABI_Info::get(const char *key) const {
    auto found = thrum::find_key(entries, key);
    return found == entries.end() ? nullptr : &found->second;
}

void MPI_ABI_Info::set(const char *key, const char *value) {
    auto found = thrum::find_key(entries, key);
    if (found == entries.end())
        entries.emplace_back(key, value);
    else
        found->second = value;
}

bool MPI_ABI_Info::erase(const char *key) {
    auto found = thrum::find_key(entries, key);
    if (found == entries.end())
        return false;
    entries.erase(found);
    return true;
}
