// See server/complete_message.h.
#include "server/complete_message.h"

#include "plan/usage_error.h"

#include <fmt/core.h>

namespace mpiexec {

void require_complete(thrum::Decoder &message) {
    if (!message.finish())
        throw UsageError(1, fmt::format("malformed message between mpiexec and its agent on a host "
                                        "({}): install the same version of Thrum on all hosts",
                                        message.error()));
}

} // namespace mpiexec
