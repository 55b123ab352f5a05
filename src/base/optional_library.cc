#include "base/optional_library.h"

#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

namespace thrum {

void *load_optional_library(const char *name) {
    if (void *machine = ::dlopen(name, RTLD_NOW | RTLD_LOCAL))
        return machine;
    // This code is in lib/libmpi_abi.so.1 or in bin/mpiexec; ld.so has no name for an executable.
    Dl_info ignored;
    link_map *self = nullptr;
    char file[PATH_MAX], bundled[2 * PATH_MAX];
    if (!::dladdr1(reinterpret_cast<void *>(&load_optional_library), &ignored,
                   reinterpret_cast<void **>(&self), RTLD_DL_LINKMAP) ||
        !::realpath(*self->l_name ? self->l_name : "/proc/self/exe", file))
        return nullptr;
    *std::strrchr(file, '/') = 0;
    std::snprintf(bundled, sizeof bundled, "%s/../lib/thrum/bundled/%s", file, name);
    // If there is none, dlerror() still tells why the machine's cannot be loaded.
    return ::access(bundled, F_OK) == 0 ? ::dlopen(bundled, RTLD_NOW | RTLD_LOCAL) : nullptr;
}

} // namespace thrum
