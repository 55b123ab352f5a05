#include "server/parcel.h"

#include "plan/usage_error.h"

#include <charconv>

namespace mpiexec {

std::string Parcel::take() {
    size_t size = 0;
    const char *begin = text_.data() + at_, *end = text_.data() + text_.size();
    auto [after, error] = std::from_chars(begin, end, size);
    if (error != std::errc() || after == end || *after != ':' ||
        size > static_cast<size_t>(end - after - 1))
        throw UsageError(1, "malformed message between mpiexec and its agent on a host: install "
                            "the same version of Thrum on all hosts");
    at_ = static_cast<size_t>(after + 1 - text_.data()) + size;
    return {after + 1, size};
}

} // namespace mpiexec
