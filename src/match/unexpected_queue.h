// Unexpected queue: see match/README.md. Being written.
#pragma once
#include "match/envelope.h"
namespace thrum {
class UnexpectedQueue {};
} // namespace thrum
