// How a process finds out that it should have been a rank: from its environment, from variables of
// other launchers, and from the environments of its ancestors.
#include "wireup/unlaunched_task.h"

#include "base/check.h"
#include "base/job_settings.h"
#include "base/settings.h"
#include "libc/environment.h"
#include "wireup/layout.h"
#include "wireup/wireup.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <string>
#include <unistd.h>

namespace thrum {
namespace {

constexpr int refusal_exit_code = 2;
constexpr char launch_variable[] = "THRUM_LAUNCH_PID=";

// Another launcher, and its variable for the number of processes that it has started together.
struct Launcher {
    const char *size_variable;
    const char *name, *remedy;
};

constexpr char use_ours[] = "start it with Thrum's mpiexec";

constexpr Launcher launchers[] = {
    {"SLURM_STEP_NUM_TASKS", "srun", "use srun --mpi=pmix"},
    {"OMPI_COMM_WORLD_SIZE", "mpirun of Open MPI", use_ours},
    {"MV2_COMM_WORLD_SIZE", "mpirun_rsh of MVAPICH", use_ours},
    {"FLUX_JOB_SIZE", "flux run", "use flux run -o pmi=pmix"},
    {"PMI_SIZE", "mpiexec of MPICH, Intel MPI or another MPI (PMI_SIZE)", use_ours},
};

// Returns the value as a number, or 0 without one.
int number_of(const char *variable) {
    const char *text = std::getenv(variable);
    return text ? std::atoi(text) : 0;
}

// Returns the launcher that has started this process as one of several; nullptr: none is known.
const Launcher *find_launcher() {
    for (const Launcher &launcher : launchers)
        if (number_of(launcher.size_variable) > 1)
            return &launcher;
    // srun does not always set that variable. A batch script has no step and is not a task.
    if (!std::getenv("SLURM_STEP_NUM_TASKS") && std::getenv("SLURM_STEP_ID") &&
        number_of("SLURM_NTASKS") > 1)
        return &launchers[0];
    return nullptr;
}

// Returns the number of ranks in a layout; 0: it is missing or invalid.
int ranks_in_layout(const char *text) {
    std::vector<ProcessPlace> layout;
    int nodes = 0, ranks = 0;
    if (text && parse_layout(text, layout, &nodes))
        for (const ProcessPlace &process : layout)
            ranks += process.ranks;
    return ranks;
}

// --- Ancestors, for processes whose environment was changed

std::string read_file(const std::string &path) {
    std::string text;
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    char chunk[4096];
    for (ssize_t n; fd >= 0 && (n = ::read(fd, chunk, sizeof chunk)) > 0;)
        text.append(chunk, static_cast<size_t>(n));
    if (fd >= 0)
        ::close(fd);
    return text;
}

// Returns the variable's value in the text of /proc/PID/environ; nullptr: not set.
const char *find_in(const std::string &environment, const std::string &name) {
    for (size_t at = 0; at < environment.size();) {
        if (environment.compare(at, name.size(), name) == 0)
            return environment.c_str() + at + name.size();
        at = environment.find('\0', at);
        at = at == std::string::npos ? environment.size() : at + 1;
    }
    return nullptr;
}

// An ancestor of this process.
struct Kin {
    int pid = 0, parent = 0;
    std::string name;
};

// Reads /proc/PID/stat. The result has pid 0 if the process does not exist.
Kin kin_of(int pid) {
    const std::string text = read_file("/proc/" + std::to_string(pid) + "/stat");
    const size_t begin = text.find('('), end = text.rfind(')');
    Kin kin;
    if (begin == std::string::npos || end == std::string::npos || end < begin ||
        std::sscanf(text.c_str() + end + 1, " %*c %d", &kin.parent) != 1)
        return kin;
    kin.pid = pid;
    kin.name = text.substr(begin + 1, end - begin - 1);
    return kin;
}

// Returns the name that let_children_be_jobs() gives to the variable.
std::string begun_variable() {
    std::string name = launch_variable;
    name[0] = 't';
    return name;
}

// Returns the number of ranks of an mpiexec's job whose processes have status pages; the names of
// these files contain it. Returns 0 if there are none.
int ranks_of_mpiexec(int pid) {
    const std::string directory = "/proc/" + std::to_string(pid) + "/fd";
    DIR *list = ::opendir(directory.c_str());
    int ranks = 0;
    while (const dirent *entry = list ? ::readdir(list) : nullptr) {
        char target[128] = "";
        if (::readlinkat(::dirfd(list), entry->d_name, target, sizeof target - 1) > 0 &&
            std::sscanf(target, "/memfd:thrum-status:%d", &ranks) == 1)
            break;
    }
    if (list)
        ::closedir(list);
    return ranks;
}

// Looks for an ancestor that mpiexec has started as one of several ranks and that has not begun MPI
// itself, or for that mpiexec. Returns the job's number of ranks; 0: there is none.
int find_launched_ancestor(Kin &found) {
    constexpr int generations_max = 64;
    found = kin_of(::getpid());
    for (int i = 0; i < generations_max && found.parent > 1; ++i) {
        found = kin_of(found.parent);
        if (found.name == "mpiexec" || found.name == "mpirun")
            if (const int ranks = ranks_of_mpiexec(found.pid))
                return ranks;
        const std::string environment =
            read_file("/proc/" + std::to_string(found.pid) + "/environ");
        const char *launched = find_in(environment, launch_variable);
        if (find_in(environment, begun_variable()))
            return 0;
        if (!launched || std::atoi(launched) != found.pid)
            continue;
        const int in_job = ranks_in_layout(find_in(environment, "THRUM_NODE_PROCESSES="));
        const char *here = find_in(environment, "THRUM_ABOVE=");
        return in_job ? in_job : here ? std::atoi(here) : 1;
    }
    return 0;
}

// --- Messages

constexpr char or_singleton[] =
    "or set THRUM_SINGLETON=1, if you want a separate job of one rank each time";

// Three cases: the layout of a job, but no number in it; a program of a rank that has not begun MPI
// yet; and a changed environment, which only the ancestors reveal.
void refuse_below_our_mpiexec() {
    const int ranks = ranks_in_layout(job_settings().node_processes);
    if (ranks > 1)
        die(refusal_exit_code,
            "mpiexec started %d ranks, but PMIX_NAMESPACE or PMIX_RANK was removed from the "
            "environment of this program, so it cannot join them: keep these variables, %s",
            ranks, or_singleton);
    if (const int above = number_of("THRUM_ABOVE"); above > 1)
        die(refusal_exit_code,
            "this program was started by one of %d ranks that are threads of one process, before "
            "that rank initialised MPI, and cannot be a rank itself: leave --threads and "
            "--ranks-per-process out, %s",
            above, or_singleton);
    if (settings().launcher_pid)
        return;
    Kin ancestor;
    if (const int in_job = find_launched_ancestor(ancestor); in_job > 1)
        die(refusal_exit_code,
            "this program is a descendant of process %d (%s) of a job of %d ranks, but lacks its "
            "environment, so it cannot join them: pass PMIX_* and THRUM_* on (env -i, sudo and su "
            "do not), %s",
            ancestor.pid, ancestor.name.c_str(), in_job, or_singleton);
}

} // namespace

void refuse_unlaunched_task() {
    if (has_other_processes() || world_size() > 1 || settings().singleton)
        return;
    refuse_below_our_mpiexec();
    const Launcher *launcher = settings().launcher_pid ? nullptr : find_launcher();
    if (!launcher) // Thrum's mpiexec may be in between
        return;
    const int tasks = number_of(launcher->size_variable);
    die(refusal_exit_code,
        "%s started %d tasks that do not know each other, so each would be a separate job: %s (%s)",
        launcher->name, tasks ? tasks : number_of("SLURM_NTASKS"), launcher->remedy, or_singleton);
}

// Removes what would make a program look like a part of the job. THRUM_SINGLETON permits it to be a
// job of its own below another launcher.
void let_children_be_jobs() {
    const bool has_own_environment = settings().takes_over(); // each rank
    auto remove = [=](const char *name) {
        has_own_environment ? rank_unsetenv(name) : static_cast<void>(::unsetenv(name));
    };
    remove("THRUM_ABOVE");
    // Changes the entry for processes that look at their ancestors. All ranks write the same byte.
    if (const char *entry = job_settings().launch_entry)
        std::atomic_ref(*const_cast<char *>(entry))
            .store(begun_variable()[0], std::memory_order_relaxed);
    if (settings().launcher_pid)
        return;
    remove("PMIX_NAMESPACE");
    remove("PMIX_RANK");
    if (!find_launcher() || settings().singleton)
        return;
    if (has_own_environment)
        rank_setenv("THRUM_SINGLETON", "1");
    else
        ::setenv("THRUM_SINGLETON", "1", 1);
}

} // namespace thrum
