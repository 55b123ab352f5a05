#include "start/live_view.h"

#include "plan/exec_pointers.h"
#include "plan/usage_error.h"
#include "start/launch.h"
#include "start/observed_job.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/core.h>
#include <netinet/in.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace mpiexec {
namespace {

// The page of --live waits this long for browsers that want to know how the job has ended.
constexpr int end_ms_max = 4000, look_ms = 5;

// Returns the descriptor, or a copy of it if it is one of the three that are standard: mpiexec may
// have been started without them. -1: there are none left.
int above_standard(int descriptor) {
    if (descriptor < 0 || descriptor > STDERR_FILENO)
        return descriptor;
    const int copy = ::fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    ::close(descriptor);
    return copy;
}

// Returns a socket that listens on 127.0.0.1: here, so that a port that cannot be used is an error
// before the job starts.
int listen_on(int port) {
    const int socket =
        above_standard(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    const int on = 1;
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    constexpr int waiting_max = 64;
    if (socket < 0 || ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
        ::bind(socket, reinterpret_cast<sockaddr *>(&address), sizeof address) != 0 ||
        ::listen(socket, waiting_max) != 0) {
        const int error = errno;
        if (socket >= 0)
            ::close(socket);
        throw UsageError(2, fmt::format("--live {}: {}{}", port, std::strerror(error),
                                        error == EADDRINUSE ? "; --live 0 takes a free port" : ""));
    }
    return socket;
}

// Makes the child the program. It has the signals of an ordinary one, and ends with mpiexec.
[[noreturn]] void become(const std::vector<std::string> &words, int input, int kept_descriptor,
                         pid_t parent) {
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (::getppid() != parent)
        ::_exit(1);
    ::dup2(input, STDIN_FILENO);
    if (kept_descriptor >= 0)
        ::fcntl(kept_descriptor, F_SETFD, 0);
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    ::execv(words[0].c_str(), exec_pointers(words).data());
    const std::string line =
        fmt::format("mpiexec: cannot run {}: {}\n", words[0], std::strerror(errno));
    (void)!::write(STDERR_FILENO, line.data(), line.size());
    ::_exit(127);
}

// Another loop of mpiexec may have reaped it: then there is no such child.
bool has_ended(pid_t pid) {
    return ::waitpid(pid, nullptr, WNOHANG) != 0;
}

} // namespace

LiveView::LiveView(const Options &options) {
    if (!live_option(options))
        return;
    const std::filesystem::path programs =
        own_executable().parent_path().parent_path() / "libexec" / "thrum";
    const std::string directory = options.value_of("observe");
    const std::string title =
        std::filesystem::path(options.programs[0].argv[0]).filename().string();
    if (options.live_port >= 0) {
        const int socket = listen_on(options.live_port);
        start({(programs / "live").string(), std::to_string(socket), directory, title}, socket);
        ::close(socket);
    }
    if (options.top)
        start({(programs / "top").string(), "--follow", directory, title}, -1);
}

void LiveView::start(const std::vector<std::string> &words, int kept_descriptor) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0)
        throw UsageError(1, fmt::format("cannot make a pipe: {}", std::strerror(errno)));
    for (int &end : ends)
        end = above_standard(end);
    std::fflush(nullptr);
    const pid_t parent = ::getpid(), pid = ::fork();
    if (pid == 0)
        become(words, ends[0], kept_descriptor, parent);
    ::close(ends[0]);
    if (pid < 0) {
        ::close(ends[1]);
        throw UsageError(1, fmt::format("cannot start a process: {}", std::strerror(errno)));
    }
    viewers_.push_back({pid, ends[1]});
}

LiveView::~LiveView() {
    end();
}

void LiveView::end() {
    for (const Viewer &viewer : viewers_)
        ::close(viewer.pipe);
    for (const Viewer &viewer : viewers_) {
        int waited_ms = 0;
        for (; !has_ended(viewer.pid); waited_ms += look_ms) {
            if (waited_ms >= end_ms_max)
                ::kill(viewer.pid, SIGKILL);
            ::usleep(look_ms * 1000);
        }
    }
    viewers_.clear();
}

// A viewer that has ended before does not read: SIGPIPE is blocked.
int LiveView::finish(int code) {
    const std::string ending = "the job has ended " + ending_of(code);
    for (const Viewer &viewer : viewers_)
        (void)!::write(viewer.pipe, ending.data(), ending.size());
    end();
    return code;
}

} // namespace mpiexec
