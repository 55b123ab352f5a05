// Finds out what the process's objects refer to, before anything is captured. Each call makes a
// list of objects of its own and releases it.
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

bool needs(const Object &object, const Object &library) {
    for (const ElfW(Dyn) *d = object.strings ? object.dynamic : nullptr; d && d->d_tag; ++d)
        if (d->d_tag == DT_NEEDED && is_named(library, object.string(d->d_un.d_val)))
            return true;
    return false;
}

} // namespace

// Follows DT_NEEDED from the executable. A library that is only preloaded is in ld.so's list, too,
// but not reached.
bool program_needs_libmpi() {
    Objects list;
    scan_objects_into(list, nullptr);
    // Reached from the executable. ld.so's list also has preloaded objects of others.
    GrowingArray<const Object *> reached;
    if (!list.empty())
        reached.push_back(&list[0]);
    bool found = false;
    for (size_t at = 0; at < reached.size() && !found; ++at)
        for (const Object &object : list) {
            bool is_known = false;
            for (const Object *other : reached)
                is_known |= other == &object;
            if (is_known || !needs(*reached[at], object))
                continue;
            found |= object.is_libmpi;
            reached.push_back(&object);
        }
    reached.release();
    list.release();
    return found;
}

// Names in the symbol table that are not defined there. In a call that the program makes by dlsym()
// no reference exists.
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
