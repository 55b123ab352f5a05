// Reads environment variables before the C library is initialised, when getenv() cannot be used.
#pragma once
#include <cstddef>

namespace thrum {

// Returns the value of `name` in `environment`, or nullptr.
const char *find_variable(const char *const *environment, const char *name);

// Parses "64K", "8M", "1G" or plain bytes; returns false if `text` is none of these.
bool parse_size(const char *text, size_t &bytes);
// Parses "4" or "0.5"; returns false if `text` is not a number above `least`, up to `most`.
bool parse_seconds(const char *text, double least, double most, double &seconds);

} // namespace thrum
