// Processes that are added to the running job: PMIx_Spawn, and starting a server for a process that
// has none.
#include "wireup/client.h"
#include "wireup/job_values.h"
#include "wireup/own_thread.h"
#include "wireup/wireup.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <fcntl.h>
#include <memory>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace thrum {
namespace {

// A null-terminated array of C strings, valid as long as `texts`.
class Strings {
public:
    explicit Strings(const std::vector<std::string> &texts) {
        for (const std::string &text : texts)
            pointers_.push_back(const_cast<char *>(text.c_str()));
        pointers_.push_back(nullptr);
    }

    char **data() { return pointers_.data(); }

private:
    std::vector<char *> pointers_;
};

// A program to start, with the arrays that PMIx expects.
struct Application {
    explicit Application(const SpawnedProgram &the_program)
        : program(the_program), arguments(program.arguments), variables(program.variables) {}

    SpawnedProgram program;
    Strings arguments, variables;
    std::string host_names; // "": any host

    // Makes PMIx start the program on these hosts only.
    void name_hosts(pmix_app_t &app) {
        if (host_names.empty())
            return;
        std::snprintf(hosts.key, sizeof hosts.key, "%s", PMIX_HOST);
        hosts.value.type = PMIX_STRING;
        hosts.value.data.string = host_names.data();
        app.info = &hosts;
        app.ninfo = 1;
    }

    pmix_info_t hosts{};
};

// Removes a variable and returns its value; "" if it is not set.
std::string take_variable(std::vector<std::string> &variables, const std::string &name) {
    std::string value;
    std::erase_if(variables, [&](const std::string &variable) {
        const bool found = variable.starts_with(name + "=");
        if (found)
            value = variable.substr(name.size() + 1);
        return found;
    });
    return value;
}

// Writes a sentence with the cause, and the remedy where there is one.
void describe_failure(pmix_status_t status, std::string &why) {
    why = std::string("the launcher's PMIx server cannot start processes: ") +
          pmix_client().Error_string(status);
    if (status == PMIX_ERR_UNREACH)
        why += " (host of info names none of the job's hosts)";
    if (status == PMIX_ERR_NOT_SUPPORTED)
        why += " (MPI_Comm_spawn works under mpiexec and prterun, not under srun)";
}

// Returns mpiexec of the installation that this library belongs to: TREE/bin/mpiexec.
std::string find_mpiexec() {
    Dl_info info{};
    if (!::dladdr(reinterpret_cast<const void *>(&find_mpiexec), &info) || !info.dli_fname)
        return "";
    char *real = ::realpath(info.dli_fname, nullptr);
    std::string directory = real ? real : "";
    std::free(real);
    for (int level = 0; level < 4 && directory.find('/') != std::string::npos; ++level) {
        directory.resize(directory.rfind('/'));
        std::string path = directory + "/bin/mpiexec";
        if (::access(path.c_str(), X_OK) == 0)
            return path;
    }
    return "";
}

// The command line of the server. It is made before fork(): afterwards the child may call only
// functions that are safe there.
class ServerCommand {
public:
    ServerCommand(const std::string &path, int fd)
        : path_(path), number_(std::to_string(fd)), fd_(fd) {
        for (char **e = environ; e && *e; ++e)
            if (std::strncmp(*e, "LD_PRELOAD=", 11) != 0 && std::strncmp(*e, "PMIX_", 5) != 0)
                environment_.push_back(*e);
        environment_.push_back(nullptr);
    }

    // Executes the server in the child and detaches it: the program must not see it in wait().
    [[noreturn]] void execute() const {
        if (pid_t pid = ::fork(); pid != 0)
            ::_exit(pid < 0);
        ::fcntl(fd_, F_SETFD, 0);
        const char *arguments[] = {path_.c_str(), "--serve", number_.c_str(), nullptr};
        ::execve(path_.c_str(), const_cast<char **>(arguments), environment_.data());
        ::_exit(127);
    }

private:
    std::string path_, number_;
    int fd_;
    std::vector<char *> environment_;
};

// Reads NAME=VALUE strings, each followed by a 0, and a second 0 after the last; sets these
// variables. Returns false if the server ends before that.
bool take_variables(int fd) {
    std::string text;
    while (!text.ends_with(std::string_view("\0\0", 2))) {
        char bytes[4096];
        ssize_t n = ::read(fd, bytes, sizeof bytes);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        text.append(bytes, static_cast<size_t>(n));
    }
    for (size_t at = 0; at + 1 < text.size();) {
        std::string item = text.c_str() + at;
        size_t equals = item.find('=');
        ::setenv(item.substr(0, equals).c_str(), item.c_str() + equals + 1, 1);
        at += item.size() + 1;
    }
    return true;
}

} // namespace

// The server detaches itself, so waitpid() only reaps the child in between. The server sends its
// variables through the socket; afterwards the socket only shows the server that this process
// lives.
bool start_server(std::string &why) {
    const std::string path = find_mpiexec();
    int ends[2];
    if (path.empty()) {
        why = "cannot find mpiexec beside libmpi_abi.so.1; start the job with mpiexec";
        return false;
    }
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
        why = std::string("socketpair: ") + std::strerror(errno);
        return false;
    }
    const ServerCommand command(path, ends[1]);
    pid_t pid = ::fork();
    if (pid == 0)
        command.execute();
    ::close(ends[1]);
    int status = 0;
    if (pid > 0)
        ::waitpid(pid, &status, 0);
    // The server ends when the other end is closed, so that stays open for the life of this
    // process. It gets a high number, which programs do not expect.
    int end = ::fcntl(ends[0], F_DUPFD_CLOEXEC, 200);
    if (end >= 0)
        ::close(ends[0]);
    if (pid > 0 && take_variables(end >= 0 ? end : ends[0]))
        return true;
    why = "cannot start the server for processes: " + path + " --serve failed";
    return false;
}

// Passes every program of the call to the launcher at once, so that all or none of them start. The
// layout and the origin travel in the environment of the new processes.
SpawnResult spawn_processes(const std::vector<SpawnedProgram> &programs, const Origin &origin,
                            std::string &why) {
    std::vector<std::unique_ptr<Application>> applications;
    std::vector<pmix_app_t> apps;
    for (const SpawnedProgram &program : programs) {
        if (program.processes == 0)
            continue;
        SpawnedProgram whole = program;
        // libpmix inserts the file's name before the arguments if they begin with another name.
        const std::string name = whole.path.substr(whole.path.rfind('/') + 1);
        whole.variables.push_back("THRUM_ARGV0=" + std::exchange(whole.arguments[0], name));
        whole.variables.push_back("THRUM_RANKS=1");
        whole.variables.push_back("THRUM_NODE_PROCESSES=" + encode_own_layout());
        whole.variables.push_back("THRUM_ORIGIN=" + encode_origin(origin));
        const std::string host_names = take_variable(whole.variables, spawn_hosts_variable);
        Application &application =
            *applications.emplace_back(std::make_unique<Application>(std::move(whole)));
        application.host_names = host_names;
        pmix_app_t app{};
        app.cmd = application.program.path.data();
        app.argv = application.arguments.data();
        app.env = application.variables.data();
        app.cwd =
            application.program.directory.empty() ? nullptr : application.program.directory.data();
        app.maxprocs = program.processes;
        application.name_hosts(app);
        apps.push_back(app);
    }
    pmix_status_t status = PMIX_ERROR;
    run_on_own_thread("MPI_Comm_spawn", [&] {
        pmix_nspace_t name_space;
        status = pmix_client().Spawn(nullptr, 0, apps.data(), apps.size(), name_space);
    });
    if (status == PMIX_SUCCESS)
        return SpawnResult::Started;
    describe_failure(status, why);
    return status == PMIX_EVENT_NODE_DOWN ? SpawnResult::HostLost : SpawnResult::Refused;
}

} // namespace thrum
