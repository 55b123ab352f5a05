// See start/orphans.h.
#include "start/orphans.h"

#include "server/wireup_server.h"
#include "start/ending.h"

#include <algorithm>
#include <csignal>
#include <fmt/core.h>
#include <fstream>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace mpiexec {
namespace {

// Returns our children except the one that cleans up after the PMIx server.
std::vector<pid_t> find_orphans() {
    std::vector<pid_t> orphans;
    std::ifstream list(fmt::format("/proc/self/task/{}/children", getpid()));
    for (pid_t pid; list >> pid;) {
        std::ifstream name_file(fmt::format("/proc/{}/comm", pid));
        std::string name;
        std::getline(name_file, name);
        if (name != WireupServer::cleanup_name && name != viewer_name)
            orphans.push_back(pid);
    }
    return orphans;
}

} // namespace

// They may be ranks, started by a shell that has ended: SIGTERM lets these write what they have
// printed.
void end_orphans() {
    const double deadline_s = now_s() + grace_s;
    std::vector<pid_t> asked;
    for (;;) {
        const std::vector<pid_t> orphans = find_orphans();
        if (orphans.empty())
            return;
        const bool is_late = now_s() > deadline_s;
        for (pid_t pid : orphans) {
            if (is_late)
                kill(pid, SIGKILL);
            else if (std::ranges::find(asked, pid) == asked.end())
                kill(asked.emplace_back(pid), SIGTERM);
            waitpid(pid, nullptr, is_late ? 0 : WNOHANG);
        }
        usleep(5000);
    }
}

} // namespace mpiexec
