// Copies vectors of strings (libc/argument_copy.h).
#include "libc/argument_copy.h"

#include "base/check.h"

#include <cstdlib>
#include <cstring>

namespace thrum {

char **copy_strings(int count, char *const *strings) {
    size_t text_bytes = 0;
    for (int i = 0; i < count; ++i)
        text_bytes += std::strlen(strings[i]) + 1;
    size_t vector_bytes = (static_cast<size_t>(count) + 1) * sizeof(char *);
    auto **copy = static_cast<char **>(std::malloc(vector_bytes + text_bytes));
    CHECK(copy, "out of memory for argv");
    char *text = reinterpret_cast<char *>(copy) + vector_bytes;
    for (int i = 0; i < count; ++i) {
        copy[i] = text;
        text = stpcpy(text, strings[i]) + 1;
    }
    copy[count] = nullptr;
    return copy;
}

} // namespace thrum
