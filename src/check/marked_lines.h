// The lines of memory that have bytes of active buffers, as a program compiled by `mpicc --check`
// looks at them before it asks (compiler/check). A line is known by the last bits of its number, so
// a mark may belong to another line: the answer to the question is exact.
#pragma once
#include "check/buffer_use.h"

#include <cstdint>

namespace thrum {

// Returns the counts of active buffers, by line. From now on they are kept.
const uint32_t *watch_lines();

// Returns whether somebody wants them.
bool lines_are_watched();

// Adds `change`, 1 or -1, to the lines of a buffer.
void mark_lines(const BufferUse &use, int change);

} // namespace thrum
