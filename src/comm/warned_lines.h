// The pairs of source lines that a warning has named, so that each pair is named once in a process:
// a thousand ranks, or a loop, usually make the same mistake.
#pragma once
#include "rank/rank.h"

namespace thrum {

// The mistakes that two calls make together.
enum class PairMistake : uint8_t {
    Types,
    Amounts,
    Order,
    Overlap,
    Change,
    Access,
    Arrival,
    Elements,
    BufferType
};

// Returns whether nobody has warned about this mistake on these lines, and notes that the caller
// does.
[[gnu::cold]] bool is_first_warning(PairMistake mistake, const CallPlace &first,
                                    const CallPlace &second);

} // namespace thrum
