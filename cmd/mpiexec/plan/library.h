// Libraries that only some jobs need (libhwloc, libpmix). They are loaded when a job asks, so that
// mpiexec starts fast and works without them.
#pragma once
#include "base/optional_library.h"
#include "plan/usage_error.h"

#include <dlfcn.h>
#include <fmt/core.h>
#include <type_traits>

namespace mpiexec {

// A loaded library. It is never unloaded.
class Library {
public:
    // Loads `file`. Throws UsageError that says what needs it (`purpose`) and which Debian
    // `package` has it.
    Library(const char *file, const char *purpose, const char *package)
        : file_(file), handle_(thrum::load_optional_library(file)) {
        if (!handle_)
            throw UsageError(2,
                             fmt::format("{} {}, which cannot be loaded: {} (apt-get install {})",
                                         purpose, stem(), dlerror(), package));
    }

    // Sets `function` to the symbol. Throws UsageError if the library does not have it.
    template <class Function>
    void find(const char *name, Function &function) const {
        function = reinterpret_cast<std::remove_reference_t<Function>>(dlsym(handle_, name));
        if (!function)
            throw UsageError(2, fmt::format("{} is not a supported version: {}", file_, dlerror()));
    }

private:
    // Returns the name without ".so" and its version.
    std::string stem() const {
        return std::string(file_).substr(0, std::string(file_).find(".so"));
    }

    const char *file_;
    void *handle_;
};

} // namespace mpiexec
