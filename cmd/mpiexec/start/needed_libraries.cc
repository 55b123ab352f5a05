// Runs the dynamic loader with LD_TRACE_LOADED_OBJECTS=1 and reads its list
// (start/needed_libraries.h).
#include "start/needed_libraries.h"

#include "image/elf_check.h"
#include "image/foreign_mpi.h"
#include "plan/exec_pointers.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace mpiexec {
namespace {

// Returns whether a variable is kept from the loader: what is preloaded is not the program's own,
// and the others change the loader's output.
bool is_for_loader(const std::string &variable) {
    for (const char *name : {"LD_PRELOAD=", "LD_AUDIT=", "LD_DEBUG=", "LD_VERBOSE=", "LD_WARN=",
                             "LD_BIND_NOW=", "LD_TRACE_"})
        if (variable.starts_with(name))
            return true;
    return false;
}

// Returns the environment for the loader: ours with `exports`.
std::vector<std::string> environment_with(const std::vector<std::string> &exports) {
    std::vector<std::string> variables;
    for (char **e = environ; *e; ++e)
        variables.emplace_back(*e);
    for (const std::string &item : exports) {
        const size_t equals = item.find('=');
        if (equals == std::string::npos)
            continue;
        const std::string name = item.substr(0, equals + 1);
        std::erase_if(variables, [&](const std::string &v) { return v.starts_with(name); });
        variables.push_back(item);
    }
    std::erase_if(variables, is_for_loader);
    variables.emplace_back("LD_TRACE_LOADED_OBJECTS=1");
    return variables;
}

std::string read_all(int fd) {
    std::string text;
    char chunk[4096];
    for (;;) {
        const ssize_t n = read(fd, chunk, sizeof chunk);
        if (n > 0)
            text.append(chunk, static_cast<size_t>(n));
        else if (n == 0 || errno != EINTR)
            return text;
    }
}

// Runs `loader program` so that it lists the libraries and does not run the program. Returns false
// if it has not ended with 0. (With --list it would end at the first missing library.)
bool ask_loader(const char *loader, const std::string &program,
                const std::vector<std::string> &exports, std::string &answer) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC))
        return false;
    const std::vector<std::string> variables = environment_with(exports);
    const std::vector<char *> environment = exec_pointers(variables);
    const char *const argv[] = {loader, program.c_str(), nullptr};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    pid_t pid = 0;
    const int error =
        posix_spawn(&pid, loader, &actions, nullptr, const_cast<char **>(argv), environment.data());
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (!error)
        answer = read_all(ends[0]);
    close(ends[0]);
    int status = 0;
    while (!error && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return !error && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// Parses a line of the list; returns false if it names no library. Forms: "\tlibc.so.6 =>
// /lib/libc.so.6 (0x7f...)", "\tlibx.so => not found", "\t/lib/liby.so (0x7f...)".
bool parse_line(const std::string &line, NeededLibrary &library) {
    const size_t begin = line.find_first_not_of(" \t"), arrow = line.find(" => ");
    if (begin == std::string::npos)
        return false;
    const size_t end = line.rfind(" (0x");
    if (arrow == std::string::npos) {
        library.name = library.path = line.substr(begin, end - begin);
        return end != std::string::npos && library.name[0] == '/';
    }
    library.name = line.substr(begin, arrow - begin);
    library.path = end == std::string::npos ? "" : line.substr(arrow + 4, end - arrow - 4);
    return true;
}

} // namespace

bool is_under_valgrind() {
    const char *preloaded = getenv("LD_PRELOAD");
    return preloaded && strstr(preloaded, "/vgpreload_");
}

bool list_libraries(const std::string &path, const std::vector<std::string> &exports,
                    std::vector<NeededLibrary> &libraries) {
    char loader[4096];
    std::string answer;
    if (!thrum::find_interpreter(path.c_str(), loader, sizeof loader))
        return access(path.c_str(), R_OK) == 0; // statically linked
    if (!std::string(loader).ends_with("/ld-linux-x86-64.so.2"))
        return false; // another C library's, which may run the program
    if (is_under_valgrind()) {
        char name[256];
        auto is_mpi = [](const char *needed) {
            return std::string_view(needed).starts_with("libmpi_abi.so") || thrum::front_of(needed);
        };
        if (thrum::find_needed_library(path.c_str(), is_mpi, name, sizeof name))
            libraries.push_back({name, ""});
        return true;
    }
    if (!ask_loader(loader, path, exports, answer))
        return false;
    for (size_t at = 0; at < answer.size();) {
        const size_t end = std::min(answer.find('\n', at), answer.size());
        NeededLibrary library;
        if (parse_line(answer.substr(at, end - at), library))
            libraries.push_back(std::move(library));
        at = end + 1;
    }
    return true;
}

} // namespace mpiexec
