// libpmix, loaded when a process finds that it is one of several. A job without PMIx does not pay
// for it: if it were linked, it would bring four libraries into every process.
#pragma once
#include <pmix.h>

namespace thrum {

// The functions that are used, under their own names.
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

// Loads the library at the first call. Returns nullptr, with the cause in `*reason`, if it cannot
// be loaded.
const PmixLibrary *load_pmix(const char **reason);

// Makes an attribute whose value is a flag.
pmix_info_t pmix_flag(const char *key, bool value);

} // namespace thrum
