// Which objects all ranks share.
#pragma once
#include "image/object.h"

namespace thrum {

// The sharing of the library at `path`. `shared_list`: see scan_objects().
Sharing sharing_of(const char *path, const char *shared_list);

// Whether the library at `path` is a sanitizer's run time.
bool is_sanitizer_runtime(const char *path);

const char *base_name(const char *path);

} // namespace thrum
