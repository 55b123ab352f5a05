// Looks a program up as a shell does and finds out whether its ranks can be threads: whether it
// needs MPI at all, ours or another one, and what in its file forbids it (start/program.h).
#include "start/program.h"

#include "image/elf_check.h"
#include "image/foreign_mpi.h"
#include "plan/usage_error.h"
#include "start/mpi4py.h"
#include "start/needed_libraries.h"

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

constexpr int not_found_exit_code = 127; // as shells do, also the next
constexpr int not_executable_exit_code = 126;
constexpr int refused_exit_code = 2;

bool is_executable_file(const std::string &path) {
    struct stat status;
    return !stat(path.c_str(), &status) && S_ISREG(status.st_mode) && !access(path.c_str(), X_OK);
}

// Returns the first executable `name` in the colon-separated `directories`, or "". An empty
// directory is ".", as in PATH.
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

// Returns the file of a program without a slash, from -path and PATH. Throws UsageError.
std::string search_all(const ProgramSpec &spec) {
    const std::string &name = spec.argv[0];
    std::string path;
    if (!spec.search_path.empty())
        path = search(name, spec.search_path);
    if (path.empty())
        path = search_in_path(name);
    if (!path.empty())
        return path;
    const char *where = spec.search_path.empty() ? "PATH" : "-path or PATH";
    std::string hint =
        is_executable_file("./" + name) ? fmt::format("; did you mean ./{}?", name) : "";
    throw UsageError(not_found_exit_code, fmt::format("{}: not found in {}{}", name, where, hint));
}

// Throws UsageError unless `path` is an executable file, with what is wrong.
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

// Returns whether the file is a script; otherwise it is an ELF file. Throws UsageError if it is
// neither.
bool begins_as_script(const std::string &path) {
    char magic[4] = {};
    int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    ssize_t size = file < 0 ? -1 : read(file, magic, sizeof magic);
    if (file >= 0)
        close(file);
    // An executable that may be run but not read: the library looks at it again from inside.
    if (size < 0 && errno == EACCES)
        return false;
    if (size >= 2 && !memcmp(magic, "#!", 2))
        return true;
    if (size == 4 && !memcmp(magic, "\177ELF", 4))
        return false;
    throw UsageError(
        not_executable_exit_code,
        fmt::format("{}: is neither an ELF program nor a script that begins with #!", path));
}

// Returns the front that the file itself needs; "": none.
std::string front_needed_by(const std::string &file) {
    char name[256];
    const auto has_front = [](const char *needed) {
        return thrum::front_of(needed) != nullptr;
    };
    return thrum::find_needed_library(file.c_str(), has_front, name, sizeof name)
               ? thrum::front_of(name)->c
               : "";
}

// Sets the front that mpi4py needs in the interpreter, which loads it later.
void choose_mpi4py_front(ProgramSpec &spec, const std::string &python) {
    const std::string module = mpi4py_module(python);
    if (!module.empty())
        spec.front = front_needed_by(module);
}

// Sets the front of a program that a launcher gets as an argument, as in "valgrind ./program".
void look_at_arguments(ProgramSpec &spec) {
    for (size_t i = 1; i < spec.argv.size() && spec.front.empty(); ++i) {
        const std::string &word = spec.argv[i];
        const std::string file = word.find('/') == std::string::npos ? search_in_path(word) : word;
        if (is_executable_file(file) && is_python(file))
            choose_mpi4py_front(spec, file);
        else if (is_executable_file(file))
            spec.front = front_needed_by(file);
    }
}

// Returns the interpreter "python..." that the first line of a script names, perhaps behind env: a
// path, or "" if it names none.
std::string python_of_script(const std::string &path) {
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    const size_t at = line.find("python");
    if (!line.starts_with("#!") || at == std::string::npos ||
        (line[at - 1] != '/' && line[at - 1] != ' '))
        return "";
    const size_t begin = line.find_last_of(" !", at) + 1;
    const std::string word = line.substr(begin, line.find(' ', at) - begin);
    return word.find('/') == std::string::npos ? search_in_path(word) : word;
}

// Returns the Python that runs a program: itself, or that of a script; "": none.
std::string python_of(const std::string &path, bool is_script) {
    if (is_script)
        return python_of_script(path);
    return is_python(path) ? path : "";
}

// Other MPIs' libraries for which there is no front.
bool is_foreign(const char *name) {
    return !thrum::front_of(name) && thrum::foreign_mpi_of(name) != nullptr;
}

// Throws UsageError if `file`, the program at `program` or one of its libraries, is built for
// another MPI.
void refuse_foreign_mpi(const std::string &program, const std::string &file) {
    char name[256];
    if (is_foreign(file.c_str()) || // that MPI's own library: what needs it is named
        !thrum::find_needed_library(file.c_str(), is_foreign, name, sizeof name))
        return;
    const std::string who = file == program ? fmt::format("{} is", program)
                                            : fmt::format("{} needs {}, which is", program, file);
    throw UsageError(
        refused_exit_code,
        fmt::format("{} built for {} (it needs {}), whose binary interface differs from Thrum's: "
                    "compile it with the mpicc, mpicxx or mpifort beside this mpiexec, or use a "
                    "build for the MPI standard ABI (libmpi_abi.so.1)",
                    who, thrum::foreign_mpi_of(name), name));
}

// Notes that the program or one of its libraries needs the library `name`, if that is an MPI: ours,
// or one for which there is a front. `known` is the one that was noted before, or "". Throws
// UsageError if there are two: their functions have the same names.
void note_mpi(ProgramSpec &spec, const std::string &name, std::string &known) {
    const thrum::FrontLibraries *front = thrum::front_of(name.c_str());
    if (!front && !name.starts_with("libmpi_abi.so."))
        return;
    const std::string needed = front ? front->c : "";
    if (!known.empty() && needed == spec.front)
        return;
    if (!known.empty())
        throw UsageError(
            refused_exit_code,
            fmt::format("{} and its libraries need both {} and {}: the functions of both have the "
                        "same names, so a process can use only one",
                        spec.path, known, name));
    known = name;
    spec.front = needed;
}

// Returns whether the library at `path`, perhaps a link libblas.so.3, is OpenBLAS with threads.
bool is_openblas(const std::string &path) {
    std::error_code error;
    const std::string file = std::filesystem::canonical(path, error).string();
    return !error && file.find("openblas") != std::string::npos &&
           file.find("openblas-serial") == std::string::npos;
}

// Decides whether a program is a launcher: it needs no MPI. Throws UsageError if it needs another
// MPI. A program whose libraries cannot be listed may be an MPI program, and so is not taken for a
// launcher.
void look_at_libraries(ProgramSpec &spec, const std::vector<std::string> &exports) {
    if (thrum::holds_mpi(spec.path.c_str()))
        throw UsageError(refused_exit_code,
                         fmt::format("{} has another MPI linked into it (it defines PMPI_Init), so "
                                     "each process would be a separate job: compile it with the "
                                     "mpicc, mpicxx or mpifort beside this mpiexec",
                                     spec.path));
    refuse_foreign_mpi(spec.path, spec.path);
    std::vector<NeededLibrary> libraries;
    if (!list_libraries(spec.path, exports, libraries))
        return;
    std::string mpi;
    for (const NeededLibrary &library : libraries) {
        const size_t slash = library.name.rfind('/');
        const std::string name =
            slash == std::string::npos ? library.name : library.name.substr(slash + 1);
        note_mpi(spec, name, mpi);
        spec.has_openblas |= is_openblas(library.path);
        // What the library of a front's MPI needs is not loaded.
        if (!library.path.empty() && !thrum::front_of(name.c_str()))
            refuse_foreign_mpi(spec.path, library.path);
    }
    spec.is_launcher = mpi.empty();
}

} // namespace

bool starts_others(const ProgramSpec &spec) {
    const std::string name = std::filesystem::path(spec.path).filename();
    return spec.is_script || name == "sh" || name == "bash" || name == "dash" || name == "zsh" ||
           name == "ksh" || name == "csh" || name == "tcsh" || name == "busybox";
}

std::string front_used_by(const std::string &path) {
    ProgramSpec spec;
    spec.path = path;
    spec.front = front_needed_by(path);
    const std::string python = is_python(path) ? path : python_of_script(path);
    if (spec.front.empty() && !python.empty())
        choose_mpi4py_front(spec, python);
    return spec.front;
}

std::string search_in_path(const std::string &name) {
    const char *variable = getenv("PATH");
    return search(name, variable ? variable : "/usr/local/bin:/usr/bin:/bin");
}

void find_program(ProgramSpec &spec, int job_ranks, const std::vector<std::string> &exports) {
    if (spec.argv[0].empty())
        throw UsageError(not_found_exit_code, "the program name is empty");
    // A relative name is relative to mpiexec's directory, not to --wdir: it names what the user
    // sees.
    spec.path = spec.argv[0].find('/') == std::string::npos ? search_all(spec) : spec.argv[0];
    check_file(spec.path);
    spec.path = std::filesystem::absolute(spec.path).string();
    spec.is_script = spec.is_launcher = begins_as_script(spec.path);
    char message[1024];
    // One rank is an ordinary process, which needs no clone.
    if (!spec.is_script && job_ranks > 1 &&
        !thrum::check_executable(spec.path.c_str(), message, sizeof message)) {
        if (!thrum::can_be_a_process(spec.path.c_str()))
            throw UsageError(refused_exit_code, message);
        spec.refusal = message;
    }
    if (!spec.is_script)
        look_at_libraries(spec, exports);
    const std::string python = python_of(spec.path, spec.is_script);
    if (!python.empty() && spec.is_launcher)
        choose_mpi4py_front(spec, python);
    else if (spec.is_launcher)
        look_at_arguments(spec);
    // What a script starts is not known. Python loads MPI late, so that the front must be there;
    // other programs restart with theirs (libc/restart.h).
    if (spec.front.empty() && starts_others(spec))
        choose_mpi4py_front(spec, search_in_path("python3"));
    if (spec.is_script && job_ranks > 1 && !python.empty())
        spec.refusal =
            fmt::format("{} is a Python script, whose interpreter loads MPI while it runs. "
                        "Run it with --processes.",
                        spec.path);
}

} // namespace mpiexec
