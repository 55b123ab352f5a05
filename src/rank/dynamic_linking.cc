// dlopen, dlsym, dladdr as a rank sees them: what ld.so says of the originals, moved to the rank's
// image. (dl_iterate_phdr is the image layer's.)
#include "rank/libc_family.h"

#include <cstring>
#include <dlfcn.h>
#include <link.h>

namespace thrum {
namespace {

// What the rank's slots have for a C-library name, or nullptr.
void *override_of(const char *name) {
    const Overrides &overrides = libc_overrides();
    for (size_t i = 0; i < overrides.function_count; ++i)
        if (!std::strcmp(overrides.functions[i].name, name))
            return overrides.functions[i].function;
    return nullptr;
}

void *variable_of(const char *name) {
    const Rank &rank = current_rank();
    if (!rank.image)
        return nullptr; // ld.so's answer is right for the originals
    if (void *copy = copied_variable(rank.image, name))
        return copy;
    const Overrides &overrides = libc_overrides();
    for (size_t i = 0; i < overrides.variable_count; ++i)
        if (!std::strcmp(overrides.variables[i].name, name))
            return reinterpret_cast<char *>(&rank.libc->variables) + overrides.variables[i].offset;
    return nullptr;
}

bool is_private(const void *original) {
    const Image *image = current_rank().image;
    return image && translate(image, original) != original;
}

// ld.so's answer for the originals becomes the rank's.
void *to_rank(void *original, const char *name) {
    if (!original)
        return nullptr;
    const Image *image = current_rank().image;
    if (image && is_private(original))
        return translate(image, original);
    Dl_info info;
    // The program may define a function of that name itself; then that one is meant.
    if (::dladdr(original, &info) && info.dli_fname && std::strstr(info.dli_fname, "libc.so")) {
        if (void *function = override_of(name))
            return function;
        if (void *variable = variable_of(name))
            return variable;
    }
    return original;
}

// The link map of the object that holds `address`, which may be in a clone.
const link_map *object_of(const void *address) {
    Location location = locate(address);
    void *self = ::dlopen(nullptr, RTLD_LAZY | RTLD_NOLOAD);
    auto *maps = static_cast<const link_map *>(self);
    ::dlclose(self);
    for (const link_map *map = maps; map && location.path; map = map->l_next)
        if (!std::strcmp(map->l_name, location.path) || (map == maps && !*location.path))
            return map;
    // The executable's name in its link map is empty.
    Dl_info info;
    link_map *found = nullptr;
    if (::dladdr1(address, &info, reinterpret_cast<void **>(&found), RTLD_DL_LINKMAP))
        return found;
    return maps;
}

// The definition of `name` in the objects loaded after the caller's: RTLD_NEXT means the caller of
// dlsym(), which ld.so would take for libmpi.
void *next_definition(const void *caller, const char *name, const char *version) {
    const link_map *map = object_of(caller);
    for (map = map ? map->l_next : nullptr; map; map = map->l_next) {
        void *handle = ::dlopen(map->l_name, RTLD_LAZY | RTLD_NOLOAD);
        if (!handle)
            continue;
        void *symbol = version ? ::dlvsym(handle, name, version) : ::dlsym(handle, name);
        Dl_info info;
        link_map *found = nullptr;
        bool own = symbol &&
                   ::dladdr1(symbol, &info, reinterpret_cast<void **>(&found), RTLD_DL_LINKMAP) &&
                   found == map;
        ::dlclose(handle);
        if (own)
            return symbol;
    }
    return nullptr;
}

// ld.so's global scope is that of the program which the process executes; a rank of another one
// has its own.
bool is_other_scope(void *handle) {
    if (!entry_point(current_rank().image))
        return false;
    if (handle == RTLD_DEFAULT)
        return true;
    void *global = ::dlopen(nullptr, RTLD_LAZY | RTLD_NOLOAD);
    ::dlclose(global);
    return handle == global;
}

void *find_in_own_scope(const char *name) {
    void *found = find_global(current_rank().image, name);
    Dl_info info;
    if (!found || !::dladdr(found, &info)) // in a clone
        return found;
    return to_rank(found, name);
}

void *override_dlsym(void *handle, const char *name) {
    if (is_other_scope(handle)) {
        void *found = find_in_own_scope(name);
        if (!found)
            current_libc().dl_error = std::string("undefined symbol: ") + name;
        return found;
    }
    void *original = handle == RTLD_NEXT
                         ? next_definition(__builtin_return_address(0), name, nullptr)
                         : ::dlsym(handle, name);
    return to_rank(original, name);
}

void *override_dlvsym(void *handle, const char *name, const char *version) {
    void *original = handle == RTLD_NEXT
                         ? next_definition(__builtin_return_address(0), name, version)
                         : ::dlvsym(handle, name, version);
    return to_rank(original, name);
}

// A library that ld.so loads now would be shared by all ranks, its globals too: never silently
// wrong.
void *override_dlopen(const char *file, int flags) {
    if (in_forked_child() || !file || !*file)
        return ::dlopen(file, flags);
    void *handle = ::dlopen(file, flags | RTLD_NOLOAD);
    if (handle || (flags & RTLD_NOLOAD) || rank_count() == 1)
        return handle ? handle : ::dlopen(file, flags);
    ::dlerror(); // of the attempt
    current_libc().dl_error = std::string(file) +
                              ": dlopen of a library that is not loaded yet is not supported yet "
                              "with more than one rank; "
                              "link it to the program, or name it in LD_PRELOAD";
    return nullptr;
}

char *override_dlerror() {
    StaticBuffers &statics = current_libc().statics;
    std::string &own = current_libc().dl_error;
    if (own.empty())
        return ::dlerror();
    statics.dl_error_text.swap(own); // stays valid until the next error
    own.clear();
    return statics.dl_error_text.data();
}

// The path of the original's object and symbol; the addresses of the clone.
int dladdr_in_clone(const void *address, Dl_info *info, void **extra, int flags) {
    Location location = locate(address);
    const void *original = address;
    ptrdiff_t distance = 0;
    if (location.clone != 0)
        if (const link_map *map = object_of(address)) {
            if (entry_point(current_rank().image) && std::strcmp(map->l_name, location.path))
                return 0; // the executable of another program: ld.so does not know it
            original = reinterpret_cast<const void *>(map->l_addr + location.offset);
            distance = static_cast<const char *>(address) - static_cast<const char *>(original);
        }
    int found = extra ? ::dladdr1(original, info, extra, flags) : ::dladdr(original, info);
    if (found && distance) {
        info->dli_fbase = static_cast<char *>(info->dli_fbase) + distance;
        if (info->dli_saddr)
            info->dli_saddr = static_cast<char *>(info->dli_saddr) + distance;
    }
    return found;
}

int override_dladdr(const void *address, Dl_info *info) {
    return dladdr_in_clone(address, info, nullptr, 0);
}

int override_dladdr1(const void *address, Dl_info *info, void **extra, int flags) {
    return dladdr_in_clone(address, info, extra, flags);
}

const FunctionOverride table[] = {
    OVERRIDE("dlsym", override_dlsym),   OVERRIDE("dlvsym", override_dlvsym),
    OVERRIDE("dlopen", override_dlopen), OVERRIDE("dlerror", override_dlerror),
    OVERRIDE("dladdr", override_dladdr), OVERRIDE("dladdr1", override_dladdr1),
};

} // namespace

const FunctionFamily dynamic_linking_family = FAMILY(table);

} // namespace thrum
