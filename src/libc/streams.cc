#include "libc/streams.h"

namespace thrum {

LIBC_STATE(Streams, streams_of)

} // namespace thrum
