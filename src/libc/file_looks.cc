// access(), stat() and related functions. They do what the C library's do, but tell that the rank
// looks at a file, by which it may stop polling (rank/vain_polls.h).
#include "libc/family.h"
#include "rank/vain_polls.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace thrum {
namespace {

// Does what `function` does, after it has counted the look.
template <auto function>
struct Look;

template <class Result, class... Arguments, Result (*function)(Arguments...) noexcept>
struct Look<function> {
    static Result call(Arguments... arguments) {
        count_outside_look();
        return function(arguments...);
    }
};

const FunctionOverride table[] = {
    OVERRIDE("access", Look<&::access>::call),
    OVERRIDE("faccessat", Look<&::faccessat>::call),
    OVERRIDE("euidaccess", Look<&::euidaccess>::call),
    OVERRIDE("stat", Look<&::stat>::call),
    OVERRIDE("lstat", Look<&::lstat>::call),
    OVERRIDE("fstatat", Look<&::fstatat>::call),
    OVERRIDE("stat64", Look<&::stat64>::call),
    OVERRIDE("lstat64", Look<&::lstat64>::call),
    OVERRIDE("fstatat64", Look<&::fstatat64>::call),
    OVERRIDE("statx", Look<&::statx>::call),
};

} // namespace

LIBC_FUNCTIONS(table);

} // namespace thrum
