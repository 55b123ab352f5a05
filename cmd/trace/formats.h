// The formats of traces. Each function writes all events to the file at `path`, one after the
// other: memory does not grow with their number. Throws std::runtime_error if the file cannot be
// written.
#pragma once
#include "observation/events.h"

#include <string>

namespace trace {

// Chrome's trace event format, as JSON.
void write_chrome(const observation::EventReader &events, const std::string &path);
// Perfetto's packets (perfetto/trace/trace.proto).
void write_perfetto(const observation::EventReader &events, const std::string &path);

} // namespace trace
