// Names of MPI functions, and of libraries that are not to blame (names.h).
#include "inspect/names.h"

#include <cstring>

namespace thrum {
namespace {
FunctionNameFunction *function_names = nullptr;
}

void set_function_names(FunctionNameFunction *function) {
    function_names = function;
}

const char *name_of_function(unsigned function) {
    const char *name = function_names && function ? function_names(function) : nullptr;
    return name ? name : "an MPI call";
}

// An address that lies in no file has no source line to blame, either.
bool is_system_location(const Location &location) {
    // By the beginning of the file's name: versions follow it.
    static constexpr const char *libraries[] = {
        "libc.so.",      "libm.so.",       "ld-linux",        "libstdc++.so.", "libgcc_s.so.",
        "libmpi_abi.so", "libpthread.so.", "libgfortran.so.", "libgomp.so."};
    if (!location.path)
        return true;
    const char *slash = std::strrchr(location.path, '/');
    const char *name = slash ? slash + 1 : location.path;
    for (const char *library : libraries)
        if (!std::strncmp(name, library, std::strlen(library)))
            return true;
    return false;
}

} // namespace thrum
