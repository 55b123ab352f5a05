// The library's own file descriptors, beside those of the program.
#pragma once

namespace thrum {

// Moves a descriptor of the library to a number that programs do not expect. It is closed on exec.
// Returns `fd` itself if that fails, or if it is negative.
int move_descriptor_up(int fd);

} // namespace thrum
