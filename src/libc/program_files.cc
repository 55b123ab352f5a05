// Shows a rank which program it is, in jobs of several programs: /proc/self/exe, /proc/self/cmdline
// and getauxval(AT_EXECFN) of the process name the first one.
//
// The names are recognised by their spelling, absolute and of this process. Nothing is done in jobs
// of one program, where the process's files are right.
#include "libc/program_files.h"

#include "libc/libc_state.h"
#include "libc/standard_descriptors.h"
#include "rank/job.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <fcntl.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

extern "C" [[noreturn]] void __chk_fail();

namespace thrum {
namespace {

enum class ProgramFile { None, Executable, CommandLine };

// Returns the rest of `path` behind "/proc/self/", "/proc/thread-self/" or "/proc/PID/"; nullptr if
// `path` is elsewhere.
const char *behind_own_directory(const char *path) {
    if (!path || std::strncmp(path, "/proc/", 6) != 0)
        return nullptr;
    const char *name = path + 6;
    const char *slash = std::strchr(name, '/');
    if (!slash)
        return nullptr;
    std::string directory(name, slash);
    if (directory == "self" || directory == "thread-self" ||
        directory == std::to_string(::getpid()))
        return slash + 1;
    return nullptr;
}

// Returns which of the two files `path` names, if the rank's differs from the process's.
ProgramFile program_file(const char *path) {
    const char *name = behind_own_directory(path);
    if (!name || !rank_count() || !program_path(current_rank()))
        return ProgramFile::None;
    if (!std::strcmp(name, "exe"))
        return ProgramFile::Executable;
    return std::strcmp(name, "cmdline") ? ProgramFile::None : ProgramFile::CommandLine;
}

// Returns the target of the rank's /proc/self/exe; empty if the file is gone.
std::string executable() {
    char *resolved = ::realpath(program_path(current_rank()), nullptr);
    std::string path = resolved ? resolved : "";
    std::free(resolved);
    return path;
}

// Returns a descriptor of a file in memory with the rank's arguments, each with its terminating
// zero; -1 and errno if that fails, or if it is to be written.
int open_command_line(int flags) {
    if ((flags & O_ACCMODE) != O_RDONLY) {
        errno = EACCES;
        return -1;
    }
    int file = ::memfd_create("cmdline", flags & O_CLOEXEC ? MFD_CLOEXEC : 0);
    if (file < 0)
        return -1;
    const LibcState &state = current_libc();
    for (int i = 0; i < state.argc; ++i) {
        const char *argument = state.argv[i];
        if (argument)
            (void)!::write(file, argument, std::strlen(argument) + 1);
    }
    ::lseek(file, 0, SEEK_SET);
    return file;
}

ssize_t override_readlinkat(int directory, const char *path, char *buffer, size_t size_bytes) {
    if (program_file(path) != ProgramFile::Executable)
        return ::readlinkat(real_descriptor(directory), path, buffer, size_bytes);
    std::string link = executable();
    if (link.empty()) {
        errno = ENOENT;
        return -1;
    }
    size_t length = std::min(size_bytes, link.size());
    std::memcpy(buffer, link.data(), length);
    return static_cast<ssize_t>(length);
}

ssize_t override_readlink(const char *path, char *buffer, size_t size_bytes) {
    return override_readlinkat(AT_FDCWD, path, buffer, size_bytes);
}

ssize_t override_readlink_chk(const char *path, char *buffer, size_t size_bytes,
                              size_t room_bytes) {
    if (size_bytes > room_bytes)
        __chk_fail();
    return override_readlink(path, buffer, size_bytes);
}

ssize_t override_readlinkat_chk(int directory, const char *path, char *buffer, size_t size_bytes,
                                size_t room_bytes) {
    if (size_bytes > room_bytes)
        __chk_fail();
    return override_readlinkat(directory, path, buffer, size_bytes);
}

char *override_realpath(const char *path, char *resolved) {
    return ::realpath(executable_for(path), resolved);
}

char *override_realpath_chk(const char *path, char *resolved, size_t room_bytes) {
    if (resolved && room_bytes < PATH_MAX)
        __chk_fail();
    return override_realpath(path, resolved);
}

char *override_canonicalize_file_name(const char *path) {
    return override_realpath(path, nullptr);
}

unsigned long override_getauxval(unsigned long type) {
    if (type == AT_EXECFN && rank_count())
        if (const char *path = program_path(current_rank()))
            return reinterpret_cast<unsigned long>(path);
    return ::getauxval(type);
}

const FunctionOverride table[] = {
    OVERRIDE("readlink", override_readlink),
    OVERRIDE("readlinkat", override_readlinkat),
    OVERRIDE("__readlink_chk", override_readlink_chk),
    OVERRIDE("__readlinkat_chk", override_readlinkat_chk),
    OVERRIDE("realpath", override_realpath),
    OVERRIDE("__realpath_chk", override_realpath_chk),
    OVERRIDE("canonicalize_file_name", override_canonicalize_file_name),
    OVERRIDE("getauxval", override_getauxval),
};

} // namespace

LIBC_FUNCTIONS(table);

bool open_program_file(const char *path, int flags, int &result) {
    ProgramFile file = program_file(path);
    if (file == ProgramFile::None)
        return false;
    result = file == ProgramFile::CommandLine ? open_command_line(flags)
                                              : ::open(program_path(current_rank()), flags);
    return true;
}

const char *executable_for(const char *path) {
    return program_file(path) == ProgramFile::Executable ? program_path(current_rank()) : path;
}

} // namespace thrum
