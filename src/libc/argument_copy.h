// A vector of strings, as argv and environ are, copied into one block of memory.
#pragma once

namespace thrum {

// Copies `count` strings; a null pointer follows the last. One block of memory, which the caller
// frees with free(). Ends the process if there is no memory.
char **copy_strings(int count, char *const *strings);

} // namespace thrum
