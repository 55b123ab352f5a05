#include "start/profile_file.h"

#include "image/elf_check.h"

#include <cstdio>
#include <cstdlib>
#include <regex>

namespace mpiexec {
namespace {

// Returns whether the run time merges files of this name: it contains "%m", or "%4m" for a pool of
// four files.
bool merges(const std::string &name) {
    return std::regex_search(name, std::regex("%[0-9]*m"));
}

// Returns whether each rank has a file of its own: it is a process, and the name contains the
// process number.
bool has_file_of_each_rank(const std::string &name, const Options &options) {
    return options.processes && name.find("%p") != std::string::npos;
}

} // namespace

std::string merged_profile_file(const std::string &name) {
    const size_t slash = name.rfind('/'), dot = name.rfind('.');
    const bool has_extension =
        dot != std::string::npos && (slash == std::string::npos || dot > slash + 1) && dot > 0;
    return std::string(name).insert(has_extension ? dot : name.size(), "_%m");
}

void set_profile_file(const Options &options) {
    constexpr const char *variable = "LLVM_PROFILE_FILE";
    if (count_ranks(options) == 1)
        return;
    for (const ProgramSpec &program : options.programs) {
        char compiled[4096];
        if (!thrum::find_profile_file(program.path.c_str(), compiled, sizeof compiled))
            continue;
        const char *given = std::getenv(variable);
        const std::string name = given && *given ? given : *compiled ? compiled : "default.profraw";
        if (merges(name) || has_file_of_each_rank(name, options))
            continue;
        const std::string merged = merged_profile_file(name);
        std::fprintf(stderr,
                     "mpiexec: ranks would destroy each other's counts in %s; they are merged in "
                     "%s=%s\n",
                     name.c_str(), variable, merged.c_str());
        setenv(variable, merged.c_str(), 1);
    }
}

} // namespace mpiexec
