// The C library of the ranks, as the life of a rank uses it (rank/c_library.h).
#pragma once
#include "rank/c_library.h"

namespace thrum {

CLibrary &libc();

} // namespace thrum
