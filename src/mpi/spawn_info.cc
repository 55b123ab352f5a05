// Reads the info of MPI_Comm_spawn. Keys that are unknown are ignored; a known key with a value
// that cannot be used is an error with both in its sentence.
#include "mpi/spawn_info.h"

#include "base/error.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <sys/stat.h>
#include <sys/utsname.h>

namespace thrum::mpi {
namespace {

// Parses one of the triplets of `soft`: a, a:b or a:b:c (first, last, stride). Calls allow(n) for
// each number from 0 to `maximum` in it. Returns false if it is malformed.
template <class Allow>
bool read_triplet(const std::string &text, int maximum, Allow allow) {
    long part[3] = {0, 0, 1};
    int parts = 0;
    const char *at = text.c_str();
    for (; parts < 3; ++parts) {
        char *end = nullptr;
        part[parts] = std::strtol(at, &end, 10);
        if (end == at)
            return false;
        at = end;
        if (*at != ':')
            break;
        ++at;
    }
    if (*at || parts == 3)
        return false;
    if (parts == 0)
        part[1] = part[0];
    // A stride of 0 would never end.
    if (part[2] == 0)
        return false;
    for (long n = part[0]; part[2] > 0 ? n <= part[1] : n >= part[1]; n += part[2]) {
        if (n >= 0 && n <= maximum)
            allow(static_cast<int>(n));
        if (part[2] > 0 && n > maximum)
            break;
    }
    return true;
}

// Returns the largest number of ranks that `soft` allows; -1: none.
Error largest_allowed(const std::string &soft, int maxprocs, int &largest) {
    largest = -1;
    for (size_t begin = 0; begin <= soft.size();) {
        size_t end = std::min(soft.find(',', begin), soft.size());
        std::string triplet = soft.substr(begin, end - begin);
        if (!read_triplet(triplet, maxprocs, [&](int n) { largest = std::max(largest, n); }))
            return fail(MPI_ERR_INFO_VALUE,
                        "soft of info is \"%s\", but must be triplets a, a:b or a:b:c",
                        soft.c_str());
        begin = end + 1;
    }
    return success;
}

// Ranks run here, and processes on nodes like this one: `arch` can only be this machine's.
Error check_architecture(const Info &info) {
    utsname machine{};
    ::uname(&machine);
    const std::string *arch = info.get("arch");
    if (arch && *arch != machine.machine)
        return fail(MPI_ERR_SPAWN, "arch of info is \"%s\", but this is %s", arch->c_str(),
                    machine.machine);
    return success;
}

// Sets the real path of `wdir`. Relative names refer to the root's working directory.
Error read_directory(const Info &info, std::string &directory) {
    const std::string *wanted = info.get("wdir");
    if (!wanted)
        return success;
    char *real = ::realpath(wanted->c_str(), nullptr);
    struct stat status;
    if (!real || ::stat(real, &status) != 0 || !S_ISDIR(status.st_mode)) {
        const char *why = real ? "not a directory" : std::strerror(errno);
        Error error = fail(MPI_ERR_SPAWN, "wdir of info is \"%s\": %s", wanted->c_str(), why);
        std::free(real);
        return error;
    }
    directory = real;
    std::free(real);
    return success;
}

// Sets the error handler that the children begin with; only predefined ones have names.
Error read_errhandler(const Info &info, Errhandler *&errhandler) {
    const std::string *name = info.get("mpi_initial_errhandler");
    if (!name)
        return success;
    errhandler = find_predefined_errhandler(name->c_str());
    return errhandler ? success
                      : fail(MPI_ERR_INFO_VALUE,
                             "mpi_initial_errhandler of info is \"%s\", but must be "
                             "mpi_errors_are_fatal, mpi_errors_abort or mpi_errors_return",
                             name->c_str());
}

// Reads MPI_APPNUM of the children; otherwise it is the number of the command.
Error read_appnum(const Info &info, int &number) {
    const std::string *text = info.get("appnum");
    if (!text)
        return success;
    char *end = nullptr;
    long value = std::strtol(text->c_str(), &end, 10);
    if (end == text->c_str() || *end || value < INT_MIN || value > INT_MAX)
        return fail(MPI_ERR_INFO_VALUE, "appnum of info is \"%s\", which is not a number",
                    text->c_str());
    number = static_cast<int>(value);
    return success;
}

std::string trimmed(const std::string &text) {
    size_t first = text.find_first_not_of(" \t\r\n"), last = text.find_last_not_of(" \t\r\n");
    return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

// Reads a line "key = value"; empty lines and lines that begin with # are skipped. Keys that are in
// `info` already keep their value. Returns false for any other line; also for the key `file`, which
// could lead in a circle.
bool read_line(const std::string &line, Info &info) {
    if (line.empty() || line[0] == '#')
        return true;
    size_t equals = line.find('=');
    std::string key = trimmed(line.substr(0, equals));
    if (equals == std::string::npos || key.empty() || key == "file")
        return false;
    if (!info.get(key.c_str()))
        info.set(key.c_str(), trimmed(line.substr(equals + 1)).c_str());
    return true;
}

// Adds the keys of the file `name` that `info` does not set itself.
Error read_file(const std::string &name, Info &info) {
    std::FILE *file = std::fopen(name.c_str(), "re");
    char *line = nullptr;
    size_t room_bytes = 0;
    Error error;
    errno = file ? 0 : errno;
    for (int number = 1; file && !error && ::getline(&line, &room_bytes, file) >= 0; ++number)
        if (!read_line(trimmed(line), info))
            error = fail(MPI_ERR_INFO_VALUE,
                         "file of info is \"%s\", whose line %d is not \"key = value\": %s",
                         name.c_str(), number, trimmed(line).c_str());
    if (!error && (!file || std::ferror(file)))
        error =
            fail(MPI_ERR_SPAWN, "file of info is \"%s\": %s", name.c_str(), std::strerror(errno));
    std::free(line);
    if (file)
        std::fclose(file);
    return error;
}

// Each key is optional; keys that are not read here are ignored.
Error read_keys(const Info &info, int maxprocs, SpawnInfo &result) {
    if (Error error = check_architecture(info))
        return error;
    if (const std::string *host = info.get("host"))
        result.hosts = *host;
    if (Error error = read_directory(info, result.directory))
        return error;
    if (Error error = read_errhandler(info, result.errhandler))
        return error;
    if (Error error = read_appnum(info, result.number))
        return error;
    if (const std::string *soft = info.get("soft"))
        if (Error error = largest_allowed(*soft, maxprocs, result.ranks))
            return error;
    if (result.ranks < 0)
        return fail(MPI_ERR_SPAWN, "soft of info allows no number of ranks from 0 to %d", maxprocs);
    if (const std::string *path = info.get("path"))
        result.path = *path;
    return success;
}

} // namespace

// The file's keys are added to a copy, in which the program's own keys have precedence.
Error read_spawn_info(const Info *info, int maxprocs, int number, SpawnInfo &result) {
    result.ranks = maxprocs;
    result.number = number;
    if (!info)
        return success;
    const std::string *file = info->get("file");
    if (!file)
        return read_keys(*info, maxprocs, result);
    // The program's info stays as it is.
    std::unique_ptr<Info, void (*)(Info *)> both(copy_info(*info), delete_info);
    if (Error error = read_file(*file, *both))
        return error;
    return read_keys(*both, maxprocs, result);
}

} // namespace thrum::mpi
