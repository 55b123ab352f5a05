// dlsym() in the scopes of a rank, and what its handles are. A handle is a PluginCopy, or what
// ld.so has returned.
#include "image/addresses.h"
#include "image/overrides.h"
#include "plugin/copy.h"
#include "plugin/plugin.h"

#include <algorithm>
#include <cstring>
#include <dlfcn.h>

extern "C" void *__tls_get_addr(size_t *);

namespace thrum {
namespace {

using List = std::vector<const Object *>;

// Returns the object that the address is in, as the rank sees it; or nullptr.
const Object *object_around(const Image *image, uintptr_t address) {
    if (ClonePlace place = find_clone(address); place.image)
        return place.object;
    for (const Object &object : program_of(image).objects)
        if (object.contains(address))
            return &object;
    return nullptr;
}

// Returns the scope in which the rank's copy of the object was bound, without the global part.
const List *local_scope(const Image *image, const Object *object) {
    if (!object || !object->plugin)
        return nullptr;
    const PluginCopy *copy = copy_of(image, *object->plugin);
    return copy ? &copy->scope : nullptr;
}

// Returns the scope of RTLD_DEFAULT for the caller.
List default_scope(const PluginCaller &caller) {
    List list = global_scope(caller.image);
    const Object *object = object_around(caller.image, reinterpret_cast<uintptr_t>(caller.address));
    if (const List *local = local_scope(caller.image, object))
        list.insert(list.end(), local->begin(), local->end());
    return list;
}

// Returns the scope of RTLD_NEXT: what is behind the caller's object in the scope in which it was
// loaded.
List next_scope(const PluginCaller &caller) {
    const Object *object = object_around(caller.image, reinterpret_cast<uintptr_t>(caller.address));
    const List *local = local_scope(caller.image, object);
    List list = local ? *local : global_scope(caller.image);
    auto own = std::find(list.begin(), list.end(), object);
    list.erase(list.begin(), own == list.end() ? own : own + 1);
    return list;
}

// Returns whether the handle is that of dlopen(nullptr).
bool is_main_handle(void *handle) {
    void *main = ::dlopen(nullptr, RTLD_LAZY | RTLD_NOLOAD);
    ::dlclose(main);
    return handle == main;
}

// Sets `list` to the objects that the handle means. Returns false for a handle whose objects only
// ld.so knows.
bool scope_of_handle(const PluginCaller &caller, void *handle, List &list) {
    if (handle == RTLD_DEFAULT) {
        list = default_scope(caller);
    } else if (handle == RTLD_NEXT) {
        list = next_scope(caller);
    } else if (const PluginCopy *copy = find_copy_by_handle(caller.image, handle)) {
        list = closure_of(caller.image, copy->plugin->object);
    } else if (is_main_handle(handle)) {
        list = global_scope(caller.image);
    } else {
        const Object *object = object_of(caller.image, static_cast<link_map *>(handle)->l_ld);
        if (!object)
            return false;
        list = closure_of(caller.image, *object);
    }
    return true;
}

// Returns the calling thread's instance of a thread-local variable.
void *thread_local_address(const Definition &d) {
    size_t index[2] = {d.object->tls_module, d.symbol->st_value};
    if (d.object->plugin)
        return plugin_tls_address(index);
    if (d.object->tls_module == 0) // the executable of a further program
        return nullptr;
    return __tls_get_addr(index);
}

// Returns a function or variable of a shared object, or what the rank has in its place.
void *shared_address(const Image *image, const Definition &d, const char *name) {
    const Overrides &overrides = captured_overrides();
    if (d.object->sharing == Sharing::CLibrary) {
        if (const FunctionOverride *f = find_function(overrides, name))
            return f->function;
        if (void *copy = image ? copied_variable(image, name) : nullptr)
            return copy;
        if (const VariableOverride *v = find_variable(overrides, name); v && image)
            return static_cast<char *>(image->variables) + v->offset;
    }
    return reinterpret_cast<void *>(d.address());
}

// Returns the address of a definition for the rank.
void *address_for(const Image *image, const Definition &d, const char *name) {
    if (ELF64_ST_TYPE(d.symbol->st_info) == STT_TLS)
        return thread_local_address(d);
    if (d.symbol->st_shndx == SHN_ABS)
        return reinterpret_cast<void *>(d.symbol->st_value);
    if (!d.object->is_private())
        return shared_address(image, d, name);
    return reinterpret_cast<void *>(address_in(image, *d.object, d.address()));
}

} // namespace

void *find_symbol(const PluginCaller &caller, void *handle, const char *name, const char *version,
                  std::string &error) {
    PluginScope scope;
    if (!scope_of_handle(caller, handle, scope.search)) {
        void *address = version ? ::dlvsym(handle, name, version) : ::dlsym(handle, name);
        if (const char *message = address ? nullptr : ::dlerror())
            error = message;
        return address;
    }
    for (const Object &object : program_of(caller.image).objects)
        scope.loaded.push_back(&object);
    for (const PluginCopy *copy : copies_of(caller.image))
        scope.loaded.push_back(&copy->plugin->object);
    if (Definition d = look_up_in(scope, name, version))
        return address_for(caller.image, d, name);
    const Object *object =
        scope.search.empty() ? &program_of(caller.image).objects[0] : scope.search[0];
    error = std::string(object->path) + ": undefined symbol: " + name;
    if (version)
        error += std::string(", version ") + version;
    return nullptr;
}

void *original_handle(const Image *image, void *handle) {
    const PluginCopy *copy = find_copy_by_handle(image, handle);
    return copy ? copy->plugin->handle : handle;
}

link_map *link_map_of(const Image *image, void *handle) {
    if (PluginCopy *copy = find_copy_by_handle(image, handle))
        return &copy->map;
    return link_map_of_original(image, static_cast<link_map *>(handle));
}

// ld.so's link map has the addresses of the original. That of a library of the start is copied for
// the rank when it is first asked for.
link_map *link_map_of_original(const Image *image, link_map *original) {
    const Object *object = object_of(image, original->l_ld);
    if (!object || !object->is_private())
        return original;
    if (object->plugin) {
        PluginCopy *copy = copy_of(image, *object->plugin);
        return copy ? &copy->map : original;
    }
    if (!image)
        return original;

    // One for each library of the start of which somebody has asked; never freed.
    struct Asked {
        const Image *image;
        const Object *object;
        link_map map;
    };

    static auto &all = *new std::vector<Asked *>;
    std::lock_guard guard(plugin_mutex());
    for (Asked *asked : all)
        if (asked->image == image && asked->object == object)
            return &asked->map;
    auto *asked = new Asked{image, object, *original};
    auto moved = static_cast<uintptr_t>(delta_of(image, *object));
    asked->map.l_addr += moved;
    asked->map.l_ld =
        reinterpret_cast<ElfW(Dyn) *>(reinterpret_cast<uintptr_t>(asked->map.l_ld) + moved);
    all.push_back(asked);
    return &asked->map;
}

} // namespace thrum
