// Looks a program up as a shell does and finds out whether its ranks can be threads.
#include "program.h"

#include "image/elf_check.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/core.h>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

namespace mpiexec {
namespace {

constexpr int not_found_exit_code = 127;
constexpr int not_executable_exit_code = 126;
constexpr int refused_exit_code = 2;

bool is_executable_file(const std::string &path) {
    struct stat status;
    return !stat(path.c_str(), &status) && S_ISREG(status.st_mode) && !access(path.c_str(), X_OK);
}

// The first executable `name` in the colon-separated `directories`, or "". An empty directory is
// ".".
std::string search(const std::string &name, const std::string &directories) {
    size_t start = 0;
    while (start <= directories.size()) {
        size_t end = std::min(directories.find(':', start), directories.size());
        std::string directory = directories.substr(start, end - start);
        std::string path = (directory.empty() ? "." : directory) + "/" + name;
        if (is_executable_file(path))
            return path;
        start = end + 1;
    }
    return "";
}

std::string search_all(const ProgramSpec &spec) {
    const std::string &name = spec.argv[0];
    std::string path;
    if (!spec.search_path.empty())
        path = search(name, spec.search_path);
    const char *variable = getenv("PATH");
    if (path.empty())
        path = search(name, variable ? variable : "/usr/local/bin:/usr/bin:/bin");
    if (!path.empty())
        return path;
    const char *where = spec.search_path.empty() ? "PATH" : "-path or PATH";
    std::string hint =
        is_executable_file("./" + name) ? fmt::format("; did you mean ./{}?", name) : "";
    throw UsageError(not_found_exit_code, fmt::format("{}: not found in {}{}", name, where, hint));
}

void check_file(const std::string &path) {
    struct stat status;
    if (stat(path.c_str(), &status))
        throw UsageError(errno == EACCES ? not_executable_exit_code : not_found_exit_code,
                         fmt::format("{}: {}", path, strerror(errno)));
    if (S_ISDIR(status.st_mode))
        throw UsageError(not_executable_exit_code,
                         fmt::format("{}: is a directory, not a program", path));
    if (!S_ISREG(status.st_mode))
        throw UsageError(not_executable_exit_code, fmt::format("{}: is not a regular file", path));
    if (access(path.c_str(), X_OK))
        throw UsageError(not_executable_exit_code,
                         errno == EACCES ? fmt::format("{}: is not executable (chmod +x?)", path)
                                         : fmt::format("{}: {}", path, strerror(errno)));
}

ProgramKind examine(const std::string &path) {
    char magic[4] = {};
    int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    ssize_t size = file < 0 ? -1 : read(file, magic, sizeof magic);
    if (file >= 0)
        close(file);
    // An executable that may be run but not read: the library looks at it again from inside.
    if (size < 0 && errno == EACCES)
        return ProgramKind::Elf;
    if (size >= 2 && !memcmp(magic, "#!", 2))
        return ProgramKind::Script;
    if (size == 4 && !memcmp(magic, "\177ELF", 4))
        return ProgramKind::Elf;
    throw UsageError(
        not_executable_exit_code,
        fmt::format("{}: neither an ELF program nor a script that begins with #!", path));
}

// Whether the first line of a script names an interpreter "python...", perhaps behind env.
bool is_for_python(const std::string &path) {
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    size_t at = line.find("python");
    return at != std::string::npos && at > 0 && (line[at - 1] == '/' || line[at - 1] == ' ');
}

} // namespace

ProgramKind find_program(ProgramSpec &spec, int job_ranks) {
    if (spec.argv[0].empty())
        throw UsageError(not_found_exit_code, "the name of the program is empty");
    // A relative name is relative to mpiexec's directory, not to --wdir: it names what the user
    // sees.
    spec.path = spec.argv[0].find('/') == std::string::npos ? search_all(spec) : spec.argv[0];
    check_file(spec.path);
    spec.path = std::filesystem::absolute(spec.path).string();
    ProgramKind kind = examine(spec.path);
    char message[1024];
    // One rank is an ordinary process, which needs no clone.
    if (kind == ProgramKind::Elf && job_ranks > 1 &&
        !thrum::check_executable(spec.path.c_str(), message, sizeof message)) {
        if (!thrum::can_be_a_process(spec.path.c_str()))
            throw UsageError(refused_exit_code, message);
        spec.refusal = message;
    }
    if (kind == ProgramKind::Script && job_ranks > 1 && is_for_python(spec.path))
        spec.refusal =
            fmt::format("{} is a Python script, whose interpreter loads MPI while it runs. "
                        "Run it with --processes.",
                        spec.path);
    return kind;
}

} // namespace mpiexec
