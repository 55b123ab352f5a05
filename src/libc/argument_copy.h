// A vector of strings, as argv and environ are, copied into one block of memory.
#pragma once

namespace thrum {

// Copies `count` strings. The caller frees the result with free().
char **copy_strings(int count, char *const *strings);

} // namespace thrum
