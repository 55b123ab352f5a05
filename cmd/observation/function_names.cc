// The names of MPI's functions by number, as the library has them (entry/entry.cc).
#include "function_names.h"

#include <iterator>

namespace observation {

static const char *const names[] = {
    "",
#include "entry/function_names.inc"
};

const char *function_name(uint32_t number) {
    return number < std::size(names) ? names[number] : "";
}

} // namespace observation
