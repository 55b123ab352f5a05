// Finds libpmix's functions by name.
#include "wireup/pmix_library.h"

#include "base/optional_library.h"

#include <cstdio>
#include <cstring>
#include <dlfcn.h>

namespace thrum {
namespace {

template <class Function>
bool find(void *library, const char *name, Function &function) {
    function = reinterpret_cast<Function>(::dlsym(library, name));
    return function != nullptr;
}

bool find_all(void *library, PmixLibrary &pmix) {
    return find(library, "PMIx_Init", pmix.Init) && find(library, "PMIx_Finalize", pmix.Finalize) &&
           find(library, "PMIx_Abort", pmix.Abort) && find(library, "PMIx_Put", pmix.Put) &&
           find(library, "PMIx_Commit", pmix.Commit) && find(library, "PMIx_Fence", pmix.Fence) &&
           find(library, "PMIx_Get", pmix.Get) &&
           find(library, "PMIx_Register_event_handler", pmix.Register_event_handler) &&
           find(library, "PMIx_Error_string", pmix.Error_string) &&
           find(library, "PMIx_Publish", pmix.Publish) &&
           find(library, "PMIx_Lookup", pmix.Lookup) &&
           find(library, "PMIx_Unpublish", pmix.Unpublish) &&
           find(library, "PMIx_Spawn", pmix.Spawn);
}

} // namespace

// A failed attempt is repeated at the next call. The library is never closed.
const PmixLibrary *load_pmix(const char **reason) {
    static PmixLibrary pmix;
    static bool loaded = false;
    if (loaded)
        return &pmix;
    void *library = load_optional_library("libpmix.so.2");
    if (!library) {
        *reason = ::dlerror();
        return nullptr;
    }
    if (!find_all(library, pmix)) {
        *reason = ::dlerror();
        return nullptr;
    }
    loaded = true;
    return &pmix;
}

pmix_info_t pmix_flag(const char *key, bool value) {
    pmix_info_t info;
    std::memset(&info, 0, sizeof info);
    std::snprintf(info.key, sizeof info.key, "%s", key);
    info.value.type = PMIX_BOOL;
    info.value.data.flag = value;
    return info;
}

} // namespace thrum
