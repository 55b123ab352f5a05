// Registers the streams of a rank (libc/streams.h).
#include "libc/streams.h"

namespace thrum {

LIBC_STATE(Streams, streams_of)

} // namespace thrum
