// Keeps the implementation of the C library that ranks see (rank/c_library.h).
#include "rank/c_library.h"

#include "base/check.h"
#include "rank/rank.h"

#include <unistd.h>

namespace thrum {
namespace {

constinit CLibrary *the_library = nullptr;

} // namespace

void set_c_library(CLibrary &library) {
    the_library = &library;
}

CLibrary &c_library() {
    CHECK(the_library, "libmpi has not taken over the process");
    return *the_library;
}

char **environment_of(const Rank &rank) {
    return rank.libc ? c_library().environment(rank) : environ;
}

} // namespace thrum
