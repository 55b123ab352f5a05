// What the process's objects refer to, before anything is captured.
#include "image/image.h"
#include "image/symbol.h"

#include <cstring>

namespace thrum {
namespace {

bool is_one_of(const char *name, const char *const *functions, size_t count) {
    for (size_t i = 0; i < count; ++i)
        if (!std::strcmp(name, functions[i]))
            return true;
    return false;
}

} // namespace

bool refers_to(const char *const *functions, size_t count, const char *shared_list) {
    Objects list;
    scan_objects_into(list, shared_list);
    bool found = false;
    for (const Object &object : list)
        if (object.is_private() && object.symbols)
            for (size_t i = 1, n = symbol_count(object); i < n && !found; ++i)
                found = object.symbols[i].st_shndx == SHN_UNDEF &&
                        is_one_of(symbol_name(object, i), functions, count);
    list.release();
    return found;
}

} // namespace thrum
