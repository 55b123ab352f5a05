// libpmix, loaded when a process is found to be one of several: a job without PMIx does not pay for
// it (linked, it brings four libraries to every process).
#pragma once
#include <pmix.h>

namespace thrum {

// The functions that we call, by their own names.
struct PmixLibrary {
    decltype(&PMIx_Init) Init;
    decltype(&PMIx_Finalize) Finalize;
    decltype(&PMIx_Abort) Abort;
    decltype(&PMIx_Put) Put;
    decltype(&PMIx_Commit) Commit;
    decltype(&PMIx_Fence) Fence;
    decltype(&PMIx_Get) Get;
    decltype(&PMIx_Register_event_handler) Register_event_handler;
    decltype(&PMIx_Error_string) Error_string;
    decltype(&PMIx_Publish) Publish;
    decltype(&PMIx_Lookup) Lookup;
    decltype(&PMIx_Unpublish) Unpublish;
    decltype(&PMIx_Spawn) Spawn;
};

// Loads the library at the first call. nullptr: it cannot be had, and `*reason` says why.
const PmixLibrary *load_pmix(const char **reason);

// An attribute with a flag as its value.
pmix_info_t pmix_flag(const char *key, bool value);

} // namespace thrum
