// Finds out what the process's objects refer to, before anything is captured. Each call makes a
// list of objects of its own and releases it.
#include "image/foreign_mpi.h"
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

// Follows DT_NEEDED from the executable: a library that is only preloaded is in ld.so's list, too,
// but not reached. Of fronts the names count, not what is loaded: another front or the other MPI
// itself may stand for them, and a front needs libmpi.
NeededMpi mpi_needed_by_program() {
    NeededMpi result;
    Objects list;
    scan_objects_into(list, nullptr);
    GrowingArray<const Object *> reached;
    if (!list.empty())
        reached.push_back(&list[0]);
    for (size_t at = 0; at < reached.size(); ++at) {
        const Object &user = *reached[at];
        result.libmpi |= user.is_libmpi;
        if (user.is_libmpi || user.is_front)
            continue;
        for (const ElfW(Dyn) *d = user.strings ? user.dynamic : nullptr; d && d->d_tag; ++d)
            if (d->d_tag == DT_NEEDED && !result.front)
                result.front = front_of(user.string(d->d_un.d_val));
        for (const Object &object : list) {
            bool is_known = false;
            for (const Object *other : reached)
                is_known |= other == &object;
            if (!is_known && needs(user, object))
                reached.push_back(&object);
        }
    }
    reached.release();
    list.release();
    return result;
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
