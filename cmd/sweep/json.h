// The results of a sweep as JSON (RFC 8259), for programs.
#pragma once
#include "options.h"
#include "result.h"

#include <string>

namespace sweep {

// Returns one object, ended by a line feed. docs/testing.md says what it holds.
std::string json_of(const SweepOptions &options, const Result &result);

} // namespace sweep
