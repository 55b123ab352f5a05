// Environment, fork and exec of a job of one process (start/launch.h).
//
// The library is preloaded, so that programs that load MPI while they run, and MPI-ABI binaries
// built with another MPI, get ours. A launcher whose ranks are to be threads has it preloaded, too,
// but passes everything on (THRUM_THROUGH) to the MPI program that it starts.
#include "start/launch.h"

#include "base/environment_variables.h"
#include "image/elf_check.h"
#include "image/foreign_mpi.h"
#include "image/sharing.h"
#include "plan/exec_pointers.h"
#include "plan/message.h"
#include "plan/usage_error.h"
#include "rank/programs.h"
#include "start/large_arrays.h"
#include "start/needed_libraries.h"
#include "start/profile_file.h"
#include "start/program.h"
#include "start/session.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/core.h>
#include <sstream>
#include <string_view>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

namespace mpiexec {
using namespace std::string_view_literals;

namespace {

// Returns the tree that this mpiexec belongs to: TREE/bin/mpiexec.
std::filesystem::path find_tree() {
    return own_executable().parent_path().parent_path();
}

void set_or_unset(const char *name, const std::string &value) {
    if (value.empty())
        unsetenv(name);
    else
        setenv(name, value.c_str(), 1);
}

// Returns whether the library gets a setting of the command line. Whether processes are spawned
// matters to it only in a job of one process (set_environment()).
bool is_passed_on(const thrum::Setting &setting) {
    return setting.reader == thrum::Setting::Reader::Library && setting.name != "spawn"sv;
}

// Does what -x VAR=VALUE asks for; -x VAR only checks that there is one.
void apply_exports(const std::vector<std::string> &exports) {
    for (const std::string &item : exports) {
        size_t equals = item.find('=');
        std::string name = item.substr(0, equals);
        if (name.empty())
            throw UsageError(2, fmt::format("-x {}: the variable name is missing", item));
        if (equals != std::string::npos)
            setenv(name.c_str(), item.c_str() + equals + 1, 1);
        else if (!getenv(name.c_str()))
            say("warning: -x {}: no such variable in the environment", name);
    }
}

// Returns the path of a library that reserves enough thread-local storage, with a colon; "" if none
// is needed. Programs behind the first have their thread-local variables in the first one's places,
// and need room if they have more of them.
std::string room_for_thread_locals(const Options &options) {
    size_t first = thrum::find_thread_local_offset(options.programs[0].path.c_str()), most = first;
    for (const ProgramSpec &spec : options.programs)
        most = std::max(most, thrum::find_thread_local_offset(spec.path.c_str()));
    for (size_t bytes : {256, 4096, 65536}) {
        std::filesystem::path room = std::filesystem::path(find_library()).parent_path() /
                                     fmt::format("{}{}.so", thrum::room_library_prefix, bytes);
        if (most > first && most - first <= bytes && std::filesystem::exists(room))
            return room.string() + ":";
    }
    return "";
}

// Returns the path of a front. Throws UsageError.
std::string find_front(const std::string &front) {
    const std::filesystem::path path =
        std::filesystem::path(find_library()).parent_path() / thrum::fronts_directory / front;
    if (!std::filesystem::exists(path))
        throw UsageError(
            2, fmt::format("{} is missing: the installation is incomplete", path.string()));
    return path.string();
}

} // namespace

std::filesystem::path own_executable() {
    std::error_code error;
    std::filesystem::path path = std::filesystem::read_symlink("/proc/self/exe", error);
    if (error) // /proc is not mounted; the kernel tells what it has executed
        path = std::filesystem::canonical(reinterpret_cast<const char *>(getauxval(AT_EXECFN)));
    return path;
}

// Looks for TREE/THRUM_LIBRARY_DIR/libmpi_abi.so.1, and in TREE/lib.
std::string find_library() {
    std::filesystem::path tree = find_tree();
    for (const char *directory : {THRUM_LIBRARY_DIR, "lib"}) {
        std::filesystem::path library = tree / directory / "libmpi_abi.so.1";
        if (std::filesystem::exists(library))
            return library.string();
    }
    throw UsageError(2, fmt::format("libmpi_abi.so.1 is not in {}: the installation is incomplete",
                                    (tree / THRUM_LIBRARY_DIR).string()));
}

// PMIX_MCA_ variables are settings of the user, and stay.
void forget_outer_job() {
    std::vector<std::string> names;
    for (char **e = environ; *e; ++e) {
        const std::string name = std::string(*e).substr(0, std::string(*e).find('='));
        const bool is_of_pmix = name.starts_with("PMIX_") && !name.starts_with("PMIX_MCA_");
        if (is_of_pmix || name.starts_with("PMI_") || name.starts_with("OMPI_COMM_WORLD_"))
            names.push_back(name);
    }
    for (const thrum::Setting &setting : thrum::setting_table())
        if (setting.scope == thrum::Setting::Scope::Internal)
            names.emplace_back(setting.variable);
    for (const std::string &name : names)
        unsetenv(name.c_str());
    std::string others;
    std::istringstream list(getenv("LD_PRELOAD") ? getenv("LD_PRELOAD") : "");
    for (std::string library; std::getline(list, library, ':');) {
        const std::string name = std::filesystem::path(library).filename();
        if (!library.empty() && !name.starts_with("libmpi_abi.so") &&
            !thrum::is_front(library.c_str()) && !name.starts_with(thrum::room_library_prefix))
            others += (others.empty() ? "" : ":") + library;
    }
    if (others.empty())
        unsetenv("LD_PRELOAD");
    else
        setenv("LD_PRELOAD", others.c_str(), 1);
}

void remove_image_copies(pid_t pid) {
    const char *directory = getenv("TMPDIR");
    std::error_code error;
    std::filesystem::remove_all(fmt::format("{}/{}{}", directory && *directory ? directory : "/tmp",
                                            thrum::image_copies_prefix, pid),
                                error);
}

std::string preload_list(const Options &options) {
    std::string list;
    char name[256];
    for (const ProgramSpec &spec : options.programs)
        if (list.empty() && thrum::find_sanitizer_runtime(spec.path.c_str(), name, sizeof name))
            list = fmt::format("{}:", name);
    list += room_for_thread_locals(options);
    if (const char *others = getenv("LD_PRELOAD"); others && *others)
        list += fmt::format("{}:", others);
    if (const std::string &front = options.programs[0].front; !front.empty()) {
        const std::string soname = std::filesystem::path(front).filename();
        for (const char *library : thrum::front_of(soname.c_str())->libraries())
            list += find_front(library) + ":";
    }
    return list + find_library();
}

namespace {

// Gives valgrind our suppressions. It is a script that execs, but takes options from the
// environment, too.
void set_valgrind_options(const std::string &program) {
    std::string suppressions = (find_tree() / THRUM_DATA_DIR / "thrum" / "valgrind.supp").string();
    if (std::filesystem::path(program).filename() != "valgrind" ||
        !std::filesystem::exists(suppressions) || suppressions.find(' ') != std::string::npos)
        return;
    std::string options = fmt::format("--suppressions={}", suppressions);
    if (const char *others = getenv("VALGRIND_OPTS"); others && *others)
        options += fmt::format(" {}", others);
    setenv("VALGRIND_OPTS", options.c_str(), 1);
}

} // namespace

// The first rank of a process runs on the stack that the kernel makes, as far as the limit goes.
// The kernel finds a place for it when it executes the program, so the limit must be raised before.
void raise_stack_limit() {
    const char *text = getenv("THRUM_STACK");
    size_t bytes = 0;
    rlimit limit{};
    if (!text || !thrum::parse_size(text, bytes) || getrlimit(RLIMIT_STACK, &limit) ||
        limit.rlim_cur >= bytes) // RLIM_INFINITY is the largest number
        return;
    if (limit.rlim_max < bytes)
        throw UsageError(2, fmt::format("--stack {}: the hard limit of stacks is {} KiB; raise it "
                                        "(ulimit -Hs), or choose a smaller stack",
                                        text, limit.rlim_max >> 10));
    limit.rlim_cur = bytes;
    setrlimit(RLIMIT_STACK, &limit);
}

namespace {

// Lets a program that a script starts find the fronts. Ones that need a front restart with it
// preloaded (libc/restart.h); a library that is not installed would end them before.
void add_fronts_to_search(const Options &options) {
    if (std::ranges::none_of(options.programs, starts_others))
        return;
    const std::filesystem::path fronts =
        std::filesystem::path(find_library()).parent_path() / thrum::fronts_directory;
    std::string list = fmt::format("{0}openmpi:{0}mpich", fronts.string());
    if (const char *others = getenv("LD_LIBRARY_PATH"); others && *others)
        list += fmt::format(":{}", others);
    setenv("LD_LIBRARY_PATH", list.c_str(), 1);
}

} // namespace

void set_job_environment(const Options &options) {
    int ranks = count_ranks(options);
    const std::string reader = options.value_of("stdin");
    bool is_rank = !reader.empty() && std::isdigit(reader[0]);
    if (is_rank && std::stoi(reader) >= ranks)
        throw UsageError(2, fmt::format("--stdin {}: the job has {} rank{}, numbered from 0",
                                        reader, ranks, ranks == 1 ? "" : "s"));
    for (const thrum::Setting &setting : thrum::setting_table())
        if (const std::string value = options.value_of(setting.name);
            is_passed_on(setting) && (options.is_given(setting.name) || !value.empty()))
            set_or_unset(setting.variable, value);
    raise_stack_limit();
    apply_exports(options.exports);
    add_fronts_to_search(options);
    set_valgrind_options(options.programs[0].path);
    set_profile_file(options);
    // mpi4py's wheel asks libmpi for its interface, which is another than that of the wheel's
    // modules.
    for (const ProgramSpec &spec : options.programs)
        if (spec.is_launcher && !spec.front.empty())
            setenv("MPI4PY_MPIABI", spec.front.substr(0, spec.front.find('/')).c_str(), 0);
    // The library copies what ld.so has relocated: all slots must be bound before the program
    // starts.
    setenv("LD_BIND_NOW", "1", 1);
}

void make_output_directory(const Options &options) {
    const std::string directory = options.value_of("output_dir");
    if (directory.empty())
        return;
    std::error_code error;
    std::filesystem::create_directories(directory, error);
    if (error)
        throw UsageError(2, fmt::format("--output-dir {}: {}", directory, error.message()));
}

namespace {

// Sets the environment of a job of one process.
void set_environment(const Options &options) {
    set_job_environment(options);
    setenv("THRUM_RANKS", std::to_string(count_ranks(options)).c_str(), 1);
    if (options.is_given("spawn"))
        setenv("THRUM_SPAWN", "1", 1);
    if (options.programs.size() > 1)
        setenv("THRUM_PROGRAMS", encode_programs(options.programs).c_str(), 1);
    else
        apply_exports(options.programs[0].environment);
    if (options.programs.size() == 1)
        unsetenv("THRUM_PROGRAMS");
    const ProgramSpec &first = options.programs[0];
    // valgrind, if it follows children, executes itself in front of the program.
    if (first.is_passed || leads_to_dialogue(first) || is_under_valgrind())
        setenv("THRUM_THROUGH", "1", 1);
    setenv("LD_PRELOAD", preload_list(options).c_str(), 1);
    if (const auto tunables =
            tunables_for_large_arrays(count_ranks(options), getenv("GLIBC_TUNABLES")))
        setenv("GLIBC_TUNABLES", tunables->c_str(), 1);
}

// Makes the child the program, between fork and exec. Writes errno to `error_fd` if that fails.
[[noreturn]] void become_program(const Options &options, std::vector<char *> argv, pid_t parent,
                                 const sigset_t &mask, int error_fd) {
    const ProgramSpec &spec = options.programs[0];
    // The job ends with mpiexec, however mpiexec ends.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    // The parent may have ended before this request: then the signal will not come.
    if (getppid() != parent)
        _exit(1);
    char pid[16];
    snprintf(pid, sizeof pid, "%d", static_cast<int>(getpid()));
    setenv("THRUM_LAUNCH_PID", pid, 1);
    sigprocmask(SIG_SETMASK, &mask, nullptr);
    if (options.merge_stderr)
        dup2(STDOUT_FILENO, STDERR_FILENO);
    // Several programs: the library gives each its directory.
    bool alone = options.programs.size() == 1;
    if (!alone || spec.working_dir.empty() || !chdir(spec.working_dir.c_str()))
        execv(spec.path.c_str(), argv.data());
    int error = errno;
    (void)!write(error_fd, &error, sizeof error);
    _exit(127);
}

} // namespace

std::string reason_of_exec_failure(int error, const ProgramSpec &spec) {
    if (error == ENOENT && spec.is_script)
        return "the interpreter named in its first line does not exist";
    if (error == ENOENT)
        return "its dynamic loader (see readelf -l, INTERP) does not exist";
    if (error == ENOEXEC)
        return "is built for another kind of machine";
    return strerror(error);
}

std::string encode_programs(const std::vector<ProgramSpec> &programs) {
    std::vector<thrum::ProgramSpecification> specifications;
    for (const ProgramSpec &spec : programs)
        specifications.push_back(
            {spec.ranks, spec.working_dir, spec.path, spec.argv, spec.environment});
    return thrum::encode_programs(specifications);
}

// A pipe that exec closes tells whether exec has worked: it carries errno, or ends.
Child launch(const Options &options, const sigset_t &child_mask) {
    set_environment(options);
    make_output_directory(options);
    const ProgramSpec &spec = options.programs[0];
    std::vector<std::string> arguments = spec.argv;
    if (spec.is_launcher)
        allow_commands_for_ranks(arguments, find_library());
    const std::vector<char *> argv = exec_pointers(arguments);

    int error_pipe[2];
    if (pipe2(error_pipe, O_CLOEXEC))
        throw UsageError(1, fmt::format("cannot make a pipe: {}", strerror(errno)));
    // Otherwise the child would inherit buffered output and write it again.
    fflush(nullptr);
    prctl(PR_SET_CHILD_SUBREAPER, 1); // of a server that the program starts (serve.h)
    pid_t parent = getpid(), pid = fork();
    if (pid < 0)
        throw UsageError(1, fmt::format("cannot start a process: {} (ulimit -u)", strerror(errno)));
    if (pid == 0)
        become_program(options, argv, parent, child_mask, error_pipe[1]);
    close(error_pipe[1]);

    int error = 0; // end of file: exec has closed the pipe
    if (read(error_pipe[0], &error, sizeof error) == static_cast<ssize_t>(sizeof error))
        throw UsageError(126,
                         fmt::format("{}: {}", spec.path, reason_of_exec_failure(error, spec)));
    close(error_pipe[0]);
    Child child;
    child.pid = pid;
    return child;
}

} // namespace mpiexec
